"""`webseam fetch`: pages as Markdown on stdout, what is known about them on stderr."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import click

from webseam.core.errors import WebError
from webseam.core.types import FetchResult, ImageBody
from webseam.surfaces.cli.batch import Line, Work, answer_each, batch_options, check_batch, failure
from webseam.surfaces.cli.command import FILE, Command, Seconds, usage
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.names import complete_providers
from webseam.surfaces.cli.output import to_json
from webseam.surfaces.cli.page_read import Read, Reader, open_reader
from webseam.surfaces.cli.page_text import body_bytes, facts, page_json
from webseam.surfaces.cli.page_view import Asked, View, asked_for, view_of
from webseam.surfaces.cli.session import STDIN, Session
from webseam.wiring.batch_entry import plain_entries

FAILED: Final = 5
SUCCESS: Final = range(200, 300)
BUSY: Final = (429, 503)
"""Statuses whose `Retry-After` asks to be left alone (RFC 6585, section 4; RFC 9110, section 15.6.4)."""
AT_ONCE: Final = 4
"""Pages of one batch in flight together: polite to one host, and as many as the converter keeps busy."""

EXAMPLES: Final = (
    "webseam fetch https://example.com/",
    "webseam fetch --chars 40000 --offset 40000 https://example.com/long",
    "webseam fetch --find 'opening hours' https://example.com/",
    "webseam fetch --fail -o page.md https://example.com/",
    "webseam fetch --json https://example.com/ | jq -r .markdown",
    "webseam fetch --json - < urls.txt",
    "webseam fetch --jsonl -o pages.jsonl - < urls.txt",
    "webseam fetch --jsonl -o pages.jsonl --resume --retry-failed - < urls.txt",
)


@click.command("fetch", cls=Command, examples=EXAMPLES, short_help="Fetch pages as Markdown.")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option(
    "--provider", metavar="ID", shell_complete=complete_providers("fetch"), help="Fetch through this provider."
)
@click.option(
    "--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Start at this character of the text."
)
@click.option(
    "--chars", type=click.IntRange(min=1), metavar="N", help="At most this many characters; the next offset is told."
)
@click.option("--find", multiple=True, metavar="TEXT", help="Only the passages with these words; may be repeated.")
@click.option("--outline", is_flag=True, help="Only the headings, each with its offset.")
@click.option("--view", type=click.Choice(["page", "main"]), help="The whole page, or its main content alone.")
@click.option("--pretty", is_flag=True, help="JSON with a line for each value; other pages as they are.")
@click.option("--raw-body", is_flag=True, help="The body as decoded, not as Markdown.")
@click.option("--fail", is_flag=True, help="Exit 5 when a page's status is not 2xx; the page is still printed.")
@click.option("-o", "--output", **FILE, help="Write to FILE instead of stdout.")
@click.option("--timeout", type=Seconds(), help="For each page, conversion included.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a page.")
@batch_options
@edge_options
@click.pass_obj
def command(session: Session, /, urls: tuple[str, ...], **options: Any) -> int:
    """Fetch pages as Markdown. URL `-` reads one URL per line from standard input.

    Any HTTP status is a page, and exits 0 unless --fail. Several pages are printed in the order asked, each under a
    line `==> URL <==`, or with --json as one object a line.

    --jsonl is for batches: every distinct URL gives one line as it ends, an object with `input` and the page or its
    `error`. A batch into a file (-o) that was stopped goes on with --resume. Exit code: 0, that of all failures, or 5.
    """
    part = asked_for(options)
    check_batch(options)
    if options["output"] is not None:
        session.check_file(options["output"])
    check_body(options)
    asked = () if options["jsonl"] else session.entries(urls)
    if part.offset and (len(asked or urls) > 1 or (options["jsonl"] and urls == (STDIN,))):
        raise usage("--offset reads on in the text of one page. Give one URL.")
    if options["jsonl"]:
        return asyncio.run(_fetch_batch(session, session.arriving(urls), options, part))
    return asyncio.run(_fetch_all(session, asked, options, part))


def check_body(options: dict[str, Any]) -> None:
    """Refuse flags about the text beside the body as it came.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    if options["pretty"] and options["raw_body"]:
        raise usage("--raw-body is the body as it came. Give no --pretty.")
    if options["view"] and options["raw_body"]:
        raise usage("--raw-body is the body as it came. Give no --view.")


async def _fetch_all(session: Session, urls: Sequence[str], options: dict[str, Any], part: Asked) -> int:
    shown = Shown(session=session, options=options, part=part, several=len(urls) > 1)
    async with open_reader(session, urls, options) as reader:
        free = asyncio.Semaphore(AT_ONCE)
        tasks = [asyncio.create_task(_in_turn(reader, url, free)) for url in urls]
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


async def _in_turn(reader: Reader, url: str, free: asyncio.Semaphore) -> Read:
    async with free:
        return await reader.read(url)


async def _fetch_batch(
    session: Session, urls: AsyncIterator[Sequence[str]], options: dict[str, Any], part: Asked
) -> int:
    async with open_reader(session, (), options) as reader:
        entries = (plain_entries(lines) async for lines in urls)
        return await answer_each(session, entries, page_work(reader, part), options)


def page_work(reader: Reader, part: Asked) -> Work:
    """A page of a batch, which a person named."""

    async def work(url: str) -> Line:
        reader.named(url)
        return _line(await reader.read(url), part)

    return work


def _line(one: Read, part: Asked) -> Line:
    """A page as a line of a batch, or its error."""
    try:
        if one.error is not None:
            raise one.error
        assert one.page is not None  # noqa: S101 - a read without an error has a page
        view = {} if one.snapshot is None else view_of(one.snapshot, part).data
        status = one.page.status_code
        pause = one.page.retry_after if status in BUSY else None
        return Line(record=page_json(one.page, one.snapshot, view), status=status, pause=pause)
    except WebError as error:
        return failure(error)


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
