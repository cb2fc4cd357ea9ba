"""`webseam extract`: the text of pages as an extractor reads them, on stdout; what is known about them on stderr."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import click

from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.plain import to_plain
from webseam.core.types import ExtractResult
from webseam.core.web import Web
from webseam.surfaces.cli.batch import Line, Work, answer_each, batch_options, check_batch, failure
from webseam.surfaces.cli.command import FILE, Command, Seconds, usage
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.names import complete_providers
from webseam.surfaces.cli.output import to_json
from webseam.surfaces.cli.session import Session
from webseam.tools.attempts import attempts_line
from webseam.tools.extracts import Extract, cleaned
from webseam.tools.guarded import run_of
from webseam.tools.pages import Pages
from webseam.wiring.batch_entry import plain_entries
from webseam.wiring.build import Built

AT_ONCE: Final = 4
"""Pages of one run in flight together: vendors limit calls by the second."""

NOTICE: Final = "extract notice"
"""The draw that keeps what is said once: it depends on which keys are set, and a replay has none."""

EXAMPLES: Final = (
    "webseam extract https://example.com/article",
    "webseam extract --provider firecrawl https://example.com/app",
    "webseam extract --route local,jina https://example.com/article",
    "webseam extract --json https://example.com/article | jq -r .markdown",
    "webseam extract --json - < urls.txt",
    "webseam extract --jsonl -o texts.jsonl --resume - < urls.txt",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One page: what came of it, or the error."""

    url: str
    extract: Extract | None = None
    error: WebError | None = None


@click.command("extract", cls=Command, examples=EXAMPLES, short_help="Extract the main text of pages.")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--provider", metavar="ID", shell_complete=complete_providers("extract"), help="Read with this provider.")
@click.option("--route", metavar="IDS", help="Try these in order, separated by commas.")
@click.option("--timeout", type=Seconds(), help="For each page, fallbacks included.")
@click.option("-o", "--output", **FILE, help="Write to FILE instead of stdout.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a page.")
@batch_options
@edge_options
@click.pass_obj
def command(session: Session, /, urls: tuple[str, ...], **options: Any) -> int:
    """Extract the main text of pages as Markdown. URL `-` reads one URL per line from standard input.

    An extractor renders and trims pages that a plain fetch gets little of; vendors bill for it, and see the URL. The
    provider `local` is this machine's own fetch with the main content of the page. A page without text is an error.
    Several pages are printed in the order asked, each under a line `==> URL <==`, or with --json as one object a line.

    --jsonl is for batches: every distinct URL gives one line as it ends, an object with `input` and the page or its
    `error`. A batch into a file (-o) that was stopped goes on with --resume, and pays for no page twice.
    """
    if options["provider"] and options["route"] is not None:
        raise usage("Give one of --provider and --route.")
    check_batch(options)
    if options["output"] is not None:
        session.check_file(options["output"])
    if options["jsonl"]:
        return asyncio.run(_extract_batch(session, session.arriving(urls), options))
    return asyncio.run(_extract_all(session, session.entries(urls), options))


@asynccontextmanager
async def _opened(session: Session, options: dict[str, Any]) -> AsyncIterator[Web]:
    built = session.build(("fetch", "extract"), {"extract": extract_choice(options)})
    notice = extract_notice(built)
    if notice:
        session.out.note(notice)
    async with built.web as web:
        yield web


@dataclass(frozen=True, slots=True)
class _Reader:
    """What extracts, and what looks through long texts for what nobody would see."""

    web: Web
    pages: Pages


def _reader(web: Web) -> _Reader:
    pages = Pages(web, None, None)
    web.at_close(pages.aclose)
    return _Reader(web, pages)


def _named(web: Web, url: str) -> None:
    """A person named this URL: what the run's permission knows of it."""
    typed = run_of(web.gate)
    if typed is not None:
        typed.saw_url(url)


async def _extract_all(session: Session, urls: list[str], options: dict[str, Any]) -> int:
    code = 0
    kept: list[str] = []
    async with _opened(session, options) as web:
        for url in urls:
            _named(web, url)
        free, reader = asyncio.Semaphore(AT_ONCE), _reader(web)
        tasks = [asyncio.create_task(_in_turn(reader, url, options["timeout"], free)) for url in urls]
        try:
            for task in tasks:
                with session.out.status("extracting ..."):
                    one = await task
                failed = _show(session, one, options, kept, several=len(urls) > 1)
                code = code or failed
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    if kept:
        session.write_file(options["output"], "".join(kept).encode("utf-8", "backslashreplace"))
    return code


async def _extract_batch(session: Session, urls: AsyncIterator[Sequence[str]], options: dict[str, Any]) -> int:
    async with _opened(session, options) as web:
        entries = (plain_entries(lines) async for lines in urls)
        return await answer_each(session, entries, extract_work(web, options), options)


def extract_work(web: Web, options: dict[str, Any]) -> Work:
    """A page of a batch, which a person named."""
    reader = _reader(web)

    async def work(url: str) -> Line:
        _named(web, url)
        one = await _read(reader, url, options["timeout"])
        if one.extract is not None:
            return Line(record=_plain(one.extract))
        assert one.error is not None  # noqa: S101 - a read without a text has an error
        return failure(one.error)

    return work


async def _in_turn(reader: _Reader, url: str, seconds: float | None, free: asyncio.Semaphore) -> Read:
    async with free:
        return await _read(reader, url, seconds)


def extract_choice(options: dict[str, Any]) -> dict[str, Any]:
    """The flag that names providers, as the setting it is.

    Raises:
        WebError: `INVALID_ARGS` for a blank one.
    """
    if options["provider"]:
        return {"provider": options["provider"]}
    members = [part.strip() for part in (options["route"] or "").split(",") if part.strip()]
    if options["route"] is not None and not members:
        raise usage("--route is blank. Give provider ids, separated by commas.")
    return {"route": members} if members else {}


def extract_notice(built: Built) -> str | None:
    """What is to be said once; a replay says what the recorded run said."""
    tape = built.web.tape
    if tape is None:
        return built.plan.extract_notice
    return tape.draw(NOTICE, lambda: built.plan.extract_notice or "") or None


async def _read(reader: _Reader, url: str, seconds: float | None) -> Read:
    try:
        result = await reader.web.extract(url, timeout=seconds)
        spent = run_of(reader.web.gate)
        if spent is not None:
            spent.charge(result.usage)
        return Read(url=url, extract=await cleaned(result, reader.pages, Call()))
    except WebError as error:
        return Read(url=url, error=error)


def _show(session: Session, one: Read, options: dict[str, Any], kept: list[str], *, several: bool) -> int:
    """Facts to stderr, text to stdout or to what is `kept` for a file; returns the exit code of this page."""
    out, as_json = session.out, options["as_json"]
    if one.extract is None:
        assert one.error is not None  # noqa: S101 - a read without a text has an error
        out.failed(one.error, as_json=as_json, **({"url": one.url} if several else {}))
        return one.error.exit_code
    if not as_json:
        for line in _facts(one.extract):
            out.note(line)
    text = f"{to_json(_plain(one.extract))}\n" if as_json else f"{one.extract.text}\n"
    text = f"==> {one.url} <==\n{text}\n" if several and not as_json else text
    if options["output"]:
        kept.append(text)
    elif as_json:
        out.line(text)
    else:
        out.data(text)
    return 0


def _plain(extract: Extract) -> dict[str, Any]:
    """The fields of `ExtractResult`; what was removed is told."""
    plain: dict[str, Any] = to_plain(extract.result)
    removed = {kind: count for kind, count in {"hidden": extract.hidden, **extract.removed}.items() if count}
    return plain | ({"removed": removed} if removed else {})


def _facts(extract: Extract) -> Iterator[str]:
    result = extract.result
    yield f"{result.url}: extracted by {result.provider}, {len(extract.text):,} characters"
    told = {"title": result.title, "by": result.author, "published": result.published_at, "cost": _cost(result)}
    yield from (f"{name}: {value}" for name, value in told.items() if value)
    if result.truncated:
        yield "truncated: the extractor gave only a part of the page"
    yield from (f"note: {note.code}{f' ({note.detail})' if note.detail else ''}" for note in result.notes)
    if extract.hidden:
        yield f"removed: {extract.hidden} hidden element{'s' * (extract.hidden > 1)}"
    if extract.removed:
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(extract.removed.items()))
        yield f"removed characters: {counts}"
    yield from filter(None, [attempts_line(result.attempts, result.provider)])


def _cost(result: ExtractResult) -> str | None:
    usage_ = result.usage
    return f"{usage_.cost:g} {usage_.currency}" if usage_ is not None and usage_.cost and usage_.currency else None
