"""An extracted page, rendered once: a window of its text for the model, facts and view for the host, meta for later."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from webseam.content.hygiene import clean_line
from webseam.content.outline import outline
from webseam.core.limits import SHOWN_LINE_CHARS, TITLE_CHARS, URL_CHARS
from webseam.core.plain import to_plain
from webseam.core.settings import ToolSettings
from webseam.core.types import Note
from webseam.tools.attempts import attempts_line
from webseam.tools.boundary import unused_nonce
from webseam.tools.budget import Budget
from webseam.tools.extracts import ExtractReading
from webseam.tools.links import shown_url
from webseam.tools.page_facts import MOSTLY_LEFT_OUT, note_line, removals, sentence_of
from webseam.tools.page_outline import outline_data, outline_text
from webseam.tools.render_fetch import View, bounded, frame_within, longest_position, position, view_of, window_of
from webseam.tools.result import ToolResult

_HEADER_SHARE: Final = 4
"""The URL in the header takes at most one part in so many of an answer."""

_OUTLINE_SHARE: Final = 8
"""The outline of a page that is cut takes at most one part in so many of what is left for the page."""

_OWN: Final[Mapping[str, str]] = {
    "whole_page": "No main content could be told apart: this is the whole page.",
    "bare_words": "The page is shown as bare words, without links and headings: its conversion did not succeed.",
    "excerpts": "These are passages of the page that the extractor chose, not its whole text.",
    "stored_copy": "The extractor gave a copy that it had stored: the page may have changed since.",
    "remark": "The extractor adds a remark, quoted below.",
}


def render_extract(
    reading: ExtractReading, offset: int, settings: ToolSettings, nonce: Callable[[], str]
) -> ToolResult:
    """The text from `offset` on, within `settings.fetch_chars` and `fetch_tokens` all together."""
    whole = Budget.of(settings.fetch_chars, settings.fetch_tokens)
    text = reading.extract.text
    headings = outline(text) if offset == 0 and not whole.share(2).holds(text) else ()
    header = _header(reading, limit=max(1, whole.chars // _HEADER_SHARE), start=offset == 0)
    drawn = unused_nonce(nonce, header, text, *(one.title for one in headings))
    facts = "\n".join(line for line in _facts(reading) if line)
    frame = frame_within(facts, header, drawn, whole, reserved=longest_position(len(text), paged=True))
    window, shown = window_of(text, offset, frame.left)
    listed = ""
    if headings and window.next_offset is not None:
        listed = outline_text(headings, frame.left.share(_OUTLINE_SHARE))
    if listed:
        window, shown = window_of(text, offset, frame.left.less(listed, "\n\n"))
    quoted = "\n\n".join(part for part in (listed, shown) if part)
    view = view_of(window, offset)
    parts = outline_data(headings if window.next_offset is not None else ())
    return ToolResult(
        text=bounded(frame.around(quoted, position(window, offset, paged=True)), whole),
        structured=_structured(reading, view, shown, parts),
        meta=_meta(reading, view),
    )


# What we say ourselves, outside the boundary ----------------------------------------------------------


def _facts(reading: ExtractReading) -> Iterator[str]:
    result = reading.extract.result
    yield attempts_line(result.attempts, result.provider) or ""
    yield from dict.fromkeys(_OWN.get(note.code) or sentence_of(note) for note in result.notes)
    yield _again(reading)
    if result.truncated and all(note.code != "excerpts" for note in result.notes):
        yield "The extractor gave only a part of the page."
    yield MOSTLY_LEFT_OUT if reading.extract.mostly_hidden else ""
    yield removals(reading.extract.removed, reading.extract.hidden)


def _again(reading: ExtractReading) -> str:
    if reading.changed is None:
        return "No earlier answer for this page is kept: it was extracted now, and may differ from what was read."
    if reading.again:
        return "The page was extracted again" + (", and the text has changed." if reading.changed else ".")
    return "The text has changed since the page was last extracted." if reading.changed else ""


# What the page or its extractor chose, for inside the boundary ----------------------------------------


def _header(reading: ExtractReading, *, limit: int, start: bool) -> str:
    """URL and remarks; at the start also what is known of the page."""
    result = reading.extract.result
    lines = [f"Extracted {shown_url(result.url, limit=min(limit, URL_CHARS))}"]
    if start:
        told = {"Title": result.title, "By": result.author, "Published": result.published_at}
        lines += [f"{name}: {clean_line(value, limit=TITLE_CHARS)}" for name, value in told.items() if value]
    lines += [note_line(note) for note in result.notes if note.detail]
    return "\n".join(lines)


# For the host -----------------------------------------------------------------------------------------


def _cut_by(reading: ExtractReading, view: View) -> list[str]:
    shows_all = (view["end"] or 0) >= (view["total"] or 0)
    reasons = {"extractor": reading.extract.result.truncated, "view": not shows_all}
    return [name for name, true in reasons.items() if true]


def _structured(reading: ExtractReading, view: View, shown: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    extract, result = reading.extract, reading.extract.result
    reasons = _cut_by(reading, view)
    known: dict[str, Any] = {
        "url": shown_url(result.url),
        "provider": result.provider,
        "title": _line(result.title),
        "author": _line(result.author),
        "published_at": _line(result.published_at),
        "content": shown,
        "view": view,
        "truncated": bool(reasons),
        "cut_by": reasons,
        "notes": [_note(one) for one in result.notes],
        "removed": dict(extract.removed),
        "hidden": extract.hidden,
        "digest": extract.digest,
        "extracted_again": reading.again,
        "changed": reading.changed,
        "usage": None if result.usage is None else to_plain(result.usage),
        "attempts": [one.to_dict() for one in result.attempts],
        "outline": parts or None,
    }
    return {name: value for name, value in known.items() if value is not None}


def _note(note: Note) -> dict[str, str]:
    plain = {"code": clean_line(note.code, limit=SHOWN_LINE_CHARS)}
    return plain if note.detail is None else plain | {"detail": clean_line(note.detail, limit=URL_CHARS)}


def _line(text: str | None) -> str | None:
    return (clean_line(text, limit=TITLE_CHARS) or None) if text else None


def _meta(reading: ExtractReading, view: View) -> dict[str, Any]:
    """What a finished view is rebuilt from."""
    known: dict[str, Any] = {
        "url": shown_url(reading.extract.result.url),
        "title": _line(reading.extract.result.title),
        "truncated": bool(_cut_by(reading, view)),
        "view": view,
        "digest": reading.extract.digest,
    }
    return {name: value for name, value in known.items() if value is not None}
