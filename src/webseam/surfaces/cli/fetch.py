"""`webseam fetch`: pages as Markdown on stdout, what is known about them on stderr."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any, Final

import click

from webseam.content.json_text import pretty_json
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import WebError
from webseam.core.snapshots import Snapshot
from webseam.core.types import FetchResult, ImageBody, TextBody
from webseam.core.web import Web
from webseam.surfaces.cli.command import Command, Seconds, usage
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.output import to_json
from webseam.surfaces.cli.page_text import body_bytes, facts, page_json
from webseam.surfaces.cli.page_view import Asked, View, asked_for, view_of
from webseam.surfaces.cli.session import Session
from webseam.tools.guarded import run_of
from webseam.tools.pages import Pages

FAILED: Final = 5
SUCCESS: Final = range(200, 300)
AT_ONCE: Final = 4
"""Pages of one batch in flight together: polite to one host, and as many as the converter keeps busy."""

EXAMPLES: Final = (
    "webseam fetch https://example.com/",
    "webseam fetch --chars 40000 --offset 40000 https://example.com/long",
    "webseam fetch --find 'opening hours' https://example.com/",
    "webseam fetch --fail -o page.md https://example.com/",
    "webseam fetch --json https://example.com/ | jq -r .markdown",
    "webseam fetch --json - < urls.txt",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One page of the batch: the snapshot with its text, or the page alone for `--raw-body`, or the error."""

    url: str
    snapshot: Snapshot | None = None
    page: FetchResult | None = None
    error: WebError | None = None


@click.command("fetch", cls=Command, examples=EXAMPLES, short_help="Fetch pages as Markdown.")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--provider", metavar="ID", help="Fetch through this provider.")
@click.option("--offset", type=click.IntRange(min=0), default=0, help="Start at this character of the text.")
@click.option("--chars", type=click.IntRange(min=1), help="At most this many characters; the next offset on stderr.")
@click.option("--find", multiple=True, metavar="TEXT", help="Only the passages with these words; may be repeated.")
@click.option("--outline", is_flag=True, help="Only the headings, each with its offset.")
@click.option("--view", type=click.Choice(["page", "main"]), help="The whole page, or its main content alone.")
@click.option("--pretty", is_flag=True, help="JSON with a line for each value; other pages as they are.")
@click.option("--raw-body", is_flag=True, help="The body as decoded, not as Markdown.")
@click.option("--fail", is_flag=True, help="Exit 5 when a page's status is not 2xx; the page is still printed.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of stdout.")
@click.option("--timeout", type=Seconds(), help="For each page, conversion included.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a page.")
@edge_options
@click.pass_obj
def command(session: Session, /, urls: tuple[str, ...], **options: Any) -> int:
    """Fetch pages as Markdown. URL `-` reads one URL per line from standard input.

    Any HTTP status is a page, and exits 0 unless --fail. Several pages are printed in the order asked, each under a
    line `==> URL <==`, or with --json as one object a line.
    """
    asked = session.entries(urls)
    part = asked_for(options)
    if part.offset and len(asked) > 1:
        raise usage("--offset reads on in the text of one page. Give one URL.")
    if options["pretty"] and options["raw_body"]:
        raise usage("--raw-body is the body as it came. Give no --pretty.")
    if options["view"] and options["raw_body"]:
        raise usage("--raw-body is the body as it came. Give no --view.")
    return asyncio.run(_fetch_all(session, asked, options, part))


async def _fetch_all(session: Session, urls: list[str], options: dict[str, Any], part: Asked) -> int:
    choice = {"provider": options["provider"]} if options["provider"] else {}
    shown = Shown(session=session, options=options, part=part, several=len(urls) > 1)
    async with session.build(("fetch",), {"fetch": choice}).web as web:
        typed = run_of(web.gate)
        if typed is not None:
            for url in urls:
                typed.saw_url(url)
        pages = Pages(web, None, None, view=options["view"] or web.tools.fetch_view)
        web.at_close(pages.aclose)
        free = asyncio.Semaphore(AT_ONCE)
        tasks = [asyncio.create_task(_read(web, pages, url, options, free)) for url in urls]
        try:
            for task in tasks:
                with session.out.status("fetching ..."):
                    one = await task
                shown.show(one)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    return shown.finish()


async def _read(web: Web, pages: Pages, url: str, options: dict[str, Any], free: asyncio.Semaphore) -> Read:
    async with free:
        seconds = options["timeout"] or web.settings.fetch_seconds
        call = Call(deadline=Deadline.after(seconds, clock=web.clock))
        try:
            if options["raw_body"]:
                return Read(url=url, page=await web.fetch(url, call=call))
            reading = await pages.read(url, 0, call)
        except WebError as error:
            return Read(url=url, error=error)
        snapshot = _laid_out(reading.snapshot) if options["pretty"] else reading.snapshot
        return Read(url=url, snapshot=snapshot, page=snapshot.page)


def _laid_out(snapshot: Snapshot) -> Snapshot:
    """JSON with a line for each value; every offset is of that text."""
    kind = snapshot.page.media_type or ""
    is_json = isinstance(snapshot.page.body, TextBody) and (kind == "application/json" or kind.endswith("+json"))
    return replace(snapshot, text=pretty_json(snapshot.text)) if is_json else snapshot


class Shown:
    """Prints pages in the order asked and remembers the exit code: the first failure's."""

    def __init__(self, *, session: Session, options: dict[str, Any], part: Asked, several: bool) -> None:
        self._session = session
        self._options = options
        self._part = part
        self._several = several
        self._kept: list[bytes] = []
        self._code = 0

    def show(self, one: Read) -> None:
        """Facts to stderr, text to stdout or to the file."""
        out, as_json = self._session.out, self._options["as_json"]
        try:
            if one.error is not None:
                raise one.error
            assert one.page is not None  # noqa: S101 - a read without an error has a page
            view = None if one.snapshot is None else view_of(one.snapshot, self._part)
            data = self._record(one, one.page, view)
        except WebError as error:
            out.failed(error, as_json=as_json, **({"url": one.url} if self._several else {}))
            self._code = self._code or error.exit_code
            return
        if not as_json:
            for line in (*facts(one.page, one.snapshot), *(() if view is None else view.facts)):
                out.note(line)
        self._put(data, exact=view is not None and view.exact)
        if self._options["fail"] and one.page.status_code not in SUCCESS:
            self._code = self._code or FAILED

    def finish(self) -> int:
        """Write the file, where one was asked for; returns the exit code."""
        if self._options["output"] and self._kept:
            self._session.write_file(self._options["output"], b"".join(self._kept))
        return self._code

    def _record(self, one: Read, page: FetchResult, view: View | None) -> bytes:
        """What is printed of one page, as bytes; a text that goes on ends where it was cut.

        Raises:
            WebError: `INVALID_ARGS` for a picture that has no file to go to.
        """
        if self._options["as_json"]:
            return f"{to_json(page_json(page, one.snapshot, {} if view is None else view.data))}\n".encode()
        data = body_bytes(page.body) if view is None else view.text.encode()
        if isinstance(page.body, ImageBody) and view is None:
            if not self._options["output"]:
                raise usage("The body is a picture. Give -o FILE.")
            return data
        exact = view is not None and view.exact and not self._several
        ended = data if not data or exact or data.endswith(b"\n") else data + b"\n"
        return f"==> {one.url} <==\n".encode() + ended + b"\n" if self._several else ended

    def _put(self, data: bytes, *, exact: bool) -> None:
        out = self._session.out
        if self._options["output"]:
            self._kept.append(data)
        elif self._options["as_json"] or (exact and not out.is_terminal):
            out.line(data.decode())
        else:
            out.data(data.decode())
