"""A page, rendered once: a window of its text for the model, facts and view for the host, meta for the finished view.

Text and structured data are made from the same `Window`, so that offsets, cut marks and flags agree (dsh-83).
"""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from webseam.content.hygiene import clean_line
from webseam.content.outline import Heading
from webseam.content.paging import Window, cut
from webseam.content.sniff import signature
from webseam.core.limits import SHOWN_LINE_CHARS, URL_CHARS
from webseam.core.plain import to_plain
from webseam.core.settings import ToolSettings
from webseam.core.snapshots import Snapshot
from webseam.core.types import FetchResult, ImageBody, Note, PdfBody
from webseam.tools.boundary import framed, unused_nonce
from webseam.tools.budget import Budget
from webseam.tools.links import shown_url
from webseam.tools.page_facts import cut_by, our_facts, page_notes, quoted_header
from webseam.tools.page_outline import headings_of, outline_data, outline_text
from webseam.tools.result import ImageBlock, ToolResult

_HEADER_SHARE: Final = 4
"""The URL in the header takes at most one part in so many of an answer."""

_PAGE_SHARE: Final = 8
"""Facts and redirects are told as long as they leave the page one part in so many of an answer."""

_OUTLINE_SHARE: Final = 8
"""The outline of a page that is cut takes at most one part in so many of what is left for the page."""

TOO_SMALL: Final = "The answer limit tools.fetch_chars or tools.fetch_tokens is too small to show a page. Raise it."

View: TypeAlias = dict[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A snapshot to be shown; `again` says that it had to be fetched anew to be read on, `changed` that it differs from
    before, None that what was read before is not known here.
    """  # noqa: D205 - the fields are the summary

    snapshot: Snapshot
    again: bool = False
    changed: bool | None = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What stands around the page's words in an answer, and what it leaves for them."""

    facts: str
    header: str
    nonce: str
    left: Budget

    def around(self, quoted: str, position: str) -> str:
        """The whole answer."""
        blocks = [self.facts, framed(f"{self.header}\n\n{quoted}" if quoted else self.header, self.nonce), position]
        return "\n\n".join(block for block in blocks if block)


def render_fetch(reading: Reading, offset: int, settings: ToolSettings, nonce: Callable[[], str]) -> ToolResult:
    """The page from `offset` on, within `settings.fetch_chars` and `fetch_tokens` all together."""
    whole = Budget.of(settings.fetch_chars, settings.fetch_tokens)
    paged = "offset" in settings.fetch_arguments
    text = reading.snapshot.text
    long = offset == 0 and not whole.share(2).holds(text)
    headings = headings_of(reading.snapshot) if long else ()
    frame = frame_of(
        reading, offset, whole, nonce, reserved=longest_position(len(text), paged=paged), headings=headings
    )
    window, shown = window_of(text, offset, frame.left)
    listed = ""
    if paged and headings and window.next_offset is not None:
        listed = outline_text(headings, frame.left.share(_OUTLINE_SHARE))
    if listed:
        window, shown = window_of(text, offset, frame.left.less(listed, "\n\n"))
    answer = frame.around("\n\n".join(part for part in (listed, shown) if part), position(window, offset, paged=paged))
    cut_short = headings if window.next_offset is not None else ()
    return ToolResult(
        text=bounded(answer, whole),
        structured=page_data(reading, view_of(window, offset), shown, outline=outline_data(cut_short) or None),
        meta=page_meta(reading, view_of(window, offset)),
        images=_images(reading.snapshot.page) if offset == 0 else (),
    )


def frame_of(
    reading: Reading,
    offset: int,
    whole: Budget,
    nonce: Callable[[], str],
    *,
    reserved: str,
    headings: Sequence[Heading] = (),
) -> Frame:
    """Facts and header in as much detail as leaves the page its share; the least detailed when none does.

    The nonce is drawn here, when all that may be quoted exists. `reserved` is what we say behind the quotation.
    """
    snapshot = reading.snapshot
    header = quoted_header(snapshot, limit=max(1, whole.chars // _HEADER_SHARE), start=offset == 0)
    facts = "\n".join(our_facts(snapshot, again=reading.again, changed=reading.changed))
    drawn = unused_nonce(nonce, header, snapshot.text, *(one.title for one in headings))
    return frame_within(facts, header, drawn, whole, reserved=reserved)


def frame_within(facts: str, header: str, drawn: str, whole: Budget, *, reserved: str) -> Frame:
    """The frame that fits into `whole`; its header's first line always stands."""
    bare = whole.less(framed("", drawn), reserved, "\n\n\n\n")
    least = whole.share(_PAGE_SHARE)
    first = header.partition("\n")[0]
    for told, quoted in ((facts, header), ("", header)):
        left = bare.less(quoted, f"{told}\n\n" if told else "")
        if left.covers(least):
            return Frame(facts=told, header=quoted, nonce=drawn, left=left)
    return Frame(facts="", header=first, nonce=drawn, left=bare.less(first))


def bounded(answer: str, whole: Budget) -> str:
    """The answer, or, where the limit is too small for any, as much as fits of saying so."""
    return answer if whole.holds(answer) else TOO_SMALL[: whole.room(TOO_SMALL)]


def window_of(text: str, offset: int, left: Budget) -> tuple[Window, str]:
    """The window from `offset` on that fits, and its text."""
    room = left.room(text, offset) if offset < len(text) else 0
    if room < 1:
        start = min(offset, len(text))
        return Window(start=start, end=start, total=len(text), next_offset=None), ""
    window = cut(text, offset=offset, limit=room)
    return window, text[window.start : window.end]


def position(window: Window, offset: int, *, paged: bool) -> str:
    """Where the window stands; no hint to read on when nothing is left (R069)."""
    if offset > 0 and window.start >= window.total:
        return f"(End of content: the page has {window.total:,} characters.)"
    if window.next_offset is not None:
        onward = f"Continue with offset={window.next_offset}." if paged else "Ask for a more specific URL."
        return f"(Characters {window.start:,}-{window.end:,} of {window.total:,}. {onward})"
    if window.start > 0:
        return f"(Characters {window.start:,}-{window.end:,} of {window.total:,}: the end of the page.)"
    return ""


def longest_position(total: int, *, paged: bool) -> str:
    """What room `position` may need of an answer."""
    widest = Window(start=total, end=total, total=total, next_offset=total)
    return max(position(widest, 0, paged=paged), position(widest, 1, paged=paged), key=len)


def page_data(reading: Reading, view: View, shown: str, **parts: Any) -> dict[str, Any]:
    """The structured result; `parts` belong to one kind of view."""
    snapshot = reading.snapshot
    page = snapshot.page
    reasons = cut_by(snapshot, shows_all=_shows_all(view))
    known: dict[str, Any] = {
        "url": shown_url(page.url),
        "provider": page.provider,
        "status_code": page.status_code,
        "media_type": _line(page.media_type),
        "charset": _line(page.charset),
        "charset_source": page.charset_source,
        "body_kind": page.body.kind,
        "page_count": page.body.page_count if isinstance(page.body, PdfBody) else None,
        "content": shown,
        "view": view,
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
        "metadata": to_plain(snapshot.metadata),
        "view_mode": snapshot.view if snapshot.asked == "main" else None,
        "left_out": snapshot.left_out if snapshot.asked == "main" else None,
        "engine": snapshot.engine,
        "fallback": snapshot.fallback,
        "digest": snapshot.digest,
        "fetched_again": reading.again,
        "changed": reading.changed,
        "attempts": [one.to_dict() for one in page.attempts],
    }
    known |= parts
    return {name: value for name, value in known.items() if value is not None}


def _images(page: FetchResult) -> tuple[ImageBlock, ...]:
    """The picture that a page is; one whose type or size is not known could be anything, and is left out."""
    if not isinstance(page.body, ImageBody) or not (page.body.width and page.body.height):
        return ()
    proved = signature(page.body.data)
    if proved is None or not proved.startswith("image/"):
        return ()
    data = base64.b64encode(page.body.data).decode("ascii")
    return (ImageBlock(media_type=proved, data=data, width=page.body.width, height=page.body.height),)


def view_of(window: Window, offset: int) -> View:
    """The window for the host."""
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


def _shows_all(view: View) -> bool:
    return (view["end"] or 0) >= (view["total"] or 0)


def page_meta(reading: Reading, view: View) -> dict[str, Any]:
    """What a finished view is rebuilt from."""
    page = reading.snapshot.page
    return {
        "url": shown_url(page.url),
        "status_code": page.status_code,
        "truncated": bool(cut_by(reading.snapshot, shows_all=_shows_all(view))),
        "view": view,
        "digest": reading.snapshot.digest,
    }
