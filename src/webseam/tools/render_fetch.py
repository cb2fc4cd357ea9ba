"""A page, rendered once: a window of its text for the model, facts and view for the host, meta for the finished view.

Text and structured data are made from the same `Window`, so that offsets, cut marks and flags agree (dsh-83).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from webseam.content.hygiene import clean_line
from webseam.content.paging import Window, cut
from webseam.core.limits import SHOWN_LINE_CHARS, URL_CHARS
from webseam.core.plain import to_plain
from webseam.core.settings import ToolSettings
from webseam.core.snapshots import Snapshot
from webseam.core.types import Note
from webseam.tools.boundary import frame_chars, framed, unused_nonce
from webseam.tools.links import shown_url
from webseam.tools.page_facts import our_facts, page_notes, quoted_header
from webseam.tools.result import ToolResult

_HEADER_SHARE: Final = 4
"""The URL in the header takes at most one part in so many of an answer."""

_PAGE_SHARE: Final = 8
"""Facts and redirects are told as long as they leave the page one part in so many of an answer."""

_TOO_SMALL: Final = "The answer limit tools.fetch_chars is too small to show a page. Raise it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A snapshot to be shown; `again` says that it had to be fetched anew to be read on, `changed` that it differs from
    before, None that what was read before is not known here.
    """  # noqa: D205 - the fields are the summary

    snapshot: Snapshot
    again: bool = False
    changed: bool | None = False


def render_fetch(reading: Reading, offset: int, settings: ToolSettings, nonce: Callable[[], str]) -> ToolResult:
    """The page from `offset` on, within `settings.fetch_chars` characters all together."""
    snapshot, most = reading.snapshot, settings.fetch_chars
    header = quoted_header(snapshot, limit=max(1, most // _HEADER_SHARE))
    facts = "\n".join(our_facts(snapshot, again=reading.again, changed=reading.changed))
    # The nonce is drawn when all that may be quoted exists.
    drawn = unused_nonce(nonce, header, snapshot.text)
    paged = "offset" in settings.fetch_arguments
    bare = most - frame_chars(drawn) - _longest_position(len(snapshot.text), paged=paged) - 2 * len("\n\n")
    facts, header, room = _affordable(facts, header, bare, most // _PAGE_SHARE)
    window, shown = _window(snapshot.text, offset, room)
    quoted = f"{header}\n\n{shown}" if shown else header
    blocks = [facts, framed(quoted, drawn), _position(window, offset, paged=paged)]
    text = "\n\n".join(block for block in blocks if block)
    if len(text) > most:
        text = _TOO_SMALL[:most]
    return ToolResult(
        text=text,
        structured=_structured(reading, window, shown, offset),
        meta=_meta(reading, window, offset),
    )


def _affordable(facts: str, header: str, bare: int, least: int) -> tuple[str, str, int]:
    """Facts and header in as much detail as leaves `least` characters of page; the least detailed when none does."""
    room = 0
    for told, quoted in ((facts, header), ("", header), ("", header.partition("\n")[0])):
        room = bare - len(quoted) - (len(told) + 2 if told else 0)
        if room >= least:
            return told, quoted, room
    return "", header.partition("\n")[0], room


def _window(text: str, offset: int, room: int) -> tuple[Window, str]:
    if room < 1 or offset >= len(text):
        start = min(offset, len(text))
        return Window(start=start, end=start, total=len(text), next_offset=None), ""
    window = cut(text, offset=offset, limit=room)
    return window, text[window.start : window.end]


def _position(window: Window, offset: int, *, paged: bool) -> str:
    """Where the window stands; no hint to read on when nothing is left (R069)."""
    if offset > 0 and window.start >= window.total:
        return f"(End of content: the page has {window.total:,} characters.)"
    if window.next_offset is not None:
        onward = f"Continue with offset={window.next_offset}." if paged else "Ask for a more specific URL."
        return f"(Characters {window.start:,}-{window.end:,} of {window.total:,}. {onward})"
    if window.start > 0:
        return f"(Characters {window.start:,}-{window.end:,} of {window.total:,}: the end of the page.)"
    return ""


def _longest_position(total: int, *, paged: bool) -> int:
    widest = Window(start=total, end=total, total=total, next_offset=total)
    return max(len(_position(widest, 0, paged=paged)), len(_position(widest, 1, paged=paged)))


def _cut_by(snapshot: Snapshot, window: Window) -> list[str]:
    reasons = {
        "bytes": snapshot.page.truncated,
        "conversion": snapshot.cut,
        "view": window.end < window.total,
    }
    return [name for name, true in reasons.items() if true]


def _structured(reading: Reading, window: Window, shown: str, offset: int) -> dict[str, Any]:
    snapshot = reading.snapshot
    page = snapshot.page
    reasons = _cut_by(snapshot, window)
    known: dict[str, Any] = {
        "url": shown_url(page.url),
        "provider": page.provider,
        "status_code": page.status_code,
        "media_type": _line(page.media_type),
        "charset": _line(page.charset),
        "charset_source": page.charset_source,
        "body_kind": page.body.kind,
        "content": shown,
        "view": _view(window, offset),
        "truncated": bool(reasons),
        "cut_by": reasons,
        "notes": [_note(one) for one in page_notes(snapshot)],
        "redirects": [{"status_code": hop.status_code, "url": shown_url(hop.url)} for hop in page.redirects],
        "removed": dict(snapshot.removed),
        "hidden": snapshot.hidden,
        "mostly_hidden": snapshot.mostly_hidden,
        "received_bytes": page.received_bytes,
        "retry_after": page.retry_after,
        "cache": to_plain(page.cache),
        "fallback": snapshot.fallback,
        "digest": snapshot.digest,
        "fetched_again": reading.again,
        "changed": reading.changed,
        "attempts": [one.to_dict() for one in page.attempts],
    }
    return {name: value for name, value in known.items() if value is not None}


def _view(window: Window, offset: int) -> dict[str, int | None]:
    return {
        "offset": max(window.start, min(offset, window.total)),
        "end": window.end,
        "total": window.total,
        "next_offset": window.next_offset,
    }


def _note(note: Note) -> dict[str, str]:
    plain = {"code": clean_line(note.code, limit=SHOWN_LINE_CHARS)}
    return plain if note.detail is None else plain | {"detail": clean_line(note.detail, limit=URL_CHARS)}


def _line(text: str | None) -> str | None:
    return None if text is None else clean_line(text, limit=SHOWN_LINE_CHARS)


def _meta(reading: Reading, window: Window, offset: int) -> dict[str, Any]:
    page = reading.snapshot.page
    return {
        "url": shown_url(page.url),
        "status_code": page.status_code,
        "truncated": bool(_cut_by(reading.snapshot, window)),
        "view": _view(window, offset),
        "digest": reading.snapshot.digest,
    }
