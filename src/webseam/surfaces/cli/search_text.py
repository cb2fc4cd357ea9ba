"""A search answer for people: hits as text on stdout, the rest as remarks for stderr."""

from collections.abc import Iterator
from typing import Final

from webseam.core.text import one_line
from webseam.core.types import Attempt, SearchResult, Source
from webseam.surfaces.cli.output import Output, cleaned
from webseam.tools.links import shown_url

UNGROUNDED: Final = "[This answer is not backed by a web search.]"
_INDENT: Final = "   "
_SNIPPET_CHARS: Final = 600
_LINE_CHARS: Final = 300
_ESCAPED: Final = 12
"""Characters that one may become in a URL: four bytes of UTF-8, each percent-encoded."""


def print_hits(out: Output, result: SearchResult) -> None:
    """Answer and hits; coloured where a terminal shows them."""
    blocks = list(blocks_of(result))
    if not out.styled:
        out.data("\n\n".join("\n".join(line for line, _ in block) for block in blocks))
        return
    console = out.console()
    for block in blocks:
        for line, style in block:
            console.print(line, style=style, soft_wrap=True)
        console.print()


def blocks_of(result: SearchResult) -> Iterator[list[tuple[str, str | None]]]:
    """Lines with their styles, a block per hit. Everything that the web chose is cleaned of control sequences."""
    if result.grounding == "ungrounded":
        yield [(UNGROUNDED, "bold red")]
    if result.content:
        yield [(cleaned(result.content).strip(), None)]
    for number, source in enumerate(result.sources, start=1):
        yield list(_hit(number, source))


def _hit(number: int, source: Source) -> Iterator[tuple[str, str | None]]:
    url = _address(source.url)
    yield f"{number}. {_shown(source.title) if source.title else url}", "bold"
    if source.title:
        yield f"{_INDENT}{url}", "cyan"
    if source.published_at:
        yield f"{_INDENT}{_shown(source.published_at)}", "dim"
    if source.snippet:
        yield f"{_INDENT}{_shown(source.snippet, limit=_SNIPPET_CHARS)}", None


def _address(url: str) -> str:
    """Whole, as it came; what a terminal cannot show as it is stands percent-encoded, so that it still leads there."""
    shown = _shown(url, limit=len(url))
    return shown if shown == url else shown_url(url, limit=_ESCAPED * len(url))


def _shown(text: str, *, limit: int = _LINE_CHARS) -> str:
    return one_line(cleaned(text), limit=limit)


def remarks(result: SearchResult) -> Iterator[str]:
    """Who answered, and whatever a reader must know to trust the answer."""
    count = len(result.sources)
    hits = "no results" if not count else f"{count} result{'' if count == 1 else 's'}"
    yield f"{result.provider}: {hits}{', more were left out' if result.truncated else ''}"
    if result.cache is not None:
        yield f"cache: a stored answer, {result.cache.age:.0f} s old"
    if result.grounding == "ungrounded":
        yield "ungrounded: no search backs this answer"
    if result.dropped:
        yield "dropped: " + ", ".join(f"{count} {reason}" for reason, count in sorted(result.dropped.items()))
    lost = sorted(name for name, status in result.controls.items() if status == "unsupported")
    if lost:
        yield f"not honoured: {', '.join(lost)}"
    if len(result.attempts) > 1:
        yield "attempts: " + ", ".join(map(_attempt, result.attempts))
    yield from (f"notice: {_shown(notice, limit=len(notice))}" for notice in result.notices)
    yield from (f"note: {_shown(note.code)}" for note in result.notes)


def _attempt(one: Attempt) -> str:
    billed = " (may have been billed)" if one.may_be_billed else ""
    return f"{one.provider} {one.code or one.outcome}{billed}"
