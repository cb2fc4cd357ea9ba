"""`webseam fetch`: pages as Markdown on stdout, what is known about them on stderr."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import click

from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import WebError
from webseam.core.snapshots import Snapshot
from webseam.core.types import FetchResult, ImageBody
from webseam.core.web import Web
from webseam.surfaces.cli.command import Command, Seconds, usage
from webseam.surfaces.cli.output import to_json
from webseam.surfaces.cli.page_text import body_bytes, facts, page_json
from webseam.surfaces.cli.session import Session
from webseam.tools.pages import Pages

FAILED: Final = 5
SUCCESS: Final = range(200, 300)
AT_ONCE: Final = 4
"""Pages of one batch in flight together: polite to one host, and as many as the converter keeps busy."""

EXAMPLES: Final = (
    "webseam fetch https://example.com/",
    "webseam fetch --offset 40000 https://example.com/long",
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
@click.option("--raw-body", is_flag=True, help="The body as decoded, not as Markdown.")
@click.option("--fail", is_flag=True, help="Exit 5 when a page's status is not 2xx; the page is still printed.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of stdout.")
@click.option("--timeout", type=Seconds(), help="For each page, conversion included.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a page.")
@click.pass_obj
def command(session: Session, /, urls: tuple[str, ...], **options: Any) -> int:
    """Fetch pages as Markdown. URL `-` reads one URL per line from standard input.

    Any HTTP status is a page, and exits 0 unless --fail. Several pages are printed in the order asked, each under a
    line `==> URL <==`, or with --json as one object a line.
    """
    asked = session.entries(urls)
    if options["offset"] and (len(asked) > 1 or options["raw_body"]):
        raise usage("--offset reads on in the text of one page. Give one URL, and no --raw-body.")
    return asyncio.run(_fetch_all(session, asked, options))


async def _fetch_all(session: Session, urls: list[str], options: dict[str, Any]) -> int:
    choice = {"provider": options["provider"]} if options["provider"] else {}
    shown = Shown(session=session, options=options, several=len(urls) > 1)
    async with session.build(("fetch",), {"fetch": choice}).web as web:
        pages = Pages(web, None, None)
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
        return Read(url=url, snapshot=reading.snapshot, page=reading.snapshot.page)


class Shown:
    """Prints pages in the order asked and remembers the exit code: the first failure's."""

    def __init__(self, *, session: Session, options: dict[str, Any], several: bool) -> None:
        self._session = session
        self._options = options
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
            data = self._record(one, one.page)
        except WebError as error:
            out.failed(error, as_json=as_json, **({"url": one.url} if self._several else {}))
            self._code = self._code or error.exit_code
            return
        if not as_json:
            for line in facts(one.page, one.snapshot):
                out.note(line)
        self._put(data)
        if self._options["fail"] and one.page.status_code not in SUCCESS:
            self._code = self._code or FAILED

    def finish(self) -> int:
        """Write the file, where one was asked for; returns the exit code."""
        if self._options["output"] and self._kept:
            self._session.write_file(self._options["output"], b"".join(self._kept))
        return self._code

    def _record(self, one: Read, page: FetchResult) -> bytes:
        """What is printed of one page, as bytes.

        Raises:
            WebError: `INVALID_ARGS` for an offset past the end, and for a picture that has no file to go to.
        """
        offset: int = self._options["offset"]
        if one.snapshot is not None and offset > len(one.snapshot.text):
            raise usage(f"The text has {len(one.snapshot.text):,} characters; --offset {offset:,} is past its end.")
        if self._options["as_json"]:
            return f"{to_json(page_json(page, one.snapshot, offset))}\n".encode()
        data = body_bytes(page.body) if one.snapshot is None else one.snapshot.text[offset:].encode()
        if isinstance(page.body, ImageBody) and one.snapshot is None:
            if not self._options["output"]:
                raise usage("The body is a picture. Give -o FILE.")
            return data
        ended = data if not data or data.endswith(b"\n") else data + b"\n"
        return f"==> {one.url} <==\n".encode() + ended + b"\n" if self._several else ended

    def _put(self, data: bytes) -> None:
        if self._options["output"]:
            self._kept.append(data)
        elif self._options["as_json"]:
            self._session.out.line(data.decode())
        else:
            self._session.out.data(data.decode())
