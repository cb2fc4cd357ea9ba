"""What to say about a page besides its text: our own sentences, and the server's words for inside the boundary."""

from collections.abc import Iterator, Mapping
from typing import Final

from webseam.content.hygiene import clean_line
from webseam.core.limits import NOTABLE_REMOVALS, PDF_CHARS, SHOWN_LINE_CHARS, URL_CHARS
from webseam.core.snapshots import Snapshot
from webseam.core.types import DocumentBody, FetchResult, HtmlBody, Note, PageMetadata, PdfBody
from webseam.tools.attempts import attempts_line
from webseam.tools.links import shown_url

UNCHECKED_LINE: Final = "This was not looked through for hidden text, which may be among what is shown."
SHARED_AWAY_LINE: Final = "What gateways share could not be used: the limits of this process alone held."
_FAILED: Final = 400

_SENTENCES: Final[Mapping[str, str]] = {
    "decode_errors": "Some bytes could not be decoded and stand as U+FFFD.",
    "unknown_charset": "The server named an unknown charset; another one was found.",
    "unknown_coding": "The server named an unknown content coding; the bytes are shown as text.",
    "incomplete": "The connection ended before the whole page had come.",
    "bot_challenge": "The server sent a bot challenge instead of the page.",
    "needs_javascript": "The page builds its content with JavaScript, which is not run.",
    "meta_refresh": "The page asks to go on to another URL, which was not followed.",
    "partial_content": "The server sent only a part of the page.",
    "type_mismatch": "The content is not of the type that the server named.",
    "proxied": "The page came through a proxy, which resolves names and dials by its own rules.",
    "no_text_layer": "The PDF has no text to read: its pages are pictures.",
    "unmapped_fonts": "The PDF does not say what its characters mean: its text may be nonsense.",
    "malformed_feed": "The XML of this list is broken: parts of it may be missing.",
    "shared_state_away": SHARED_AWAY_LINE,
    "unclosed_html": "A comment or hidden element is never closed: what stands behind it is left out.",
    "unchecked_html": UNCHECKED_LINE,
    "unreadable_pages": "Some pages of the PDF could not be read.",
}
_FALLBACKS: Final[Mapping[str, str]] = {"timeout": "took too long", "memory": "needed too much memory"}
MOSTLY_LEFT_OUT: Final = "Most of this page's text is in elements hidden from readers, and is left out."
_HIDDEN: Final[Mapping[str | None, str]] = {
    "shown": "Most of this page is marked as hidden, for scripts to reveal; it is shown, and may hold unseen text.",
    "left_out": MOSTLY_LEFT_OUT,
}
_OWN_LINES: Final = frozenset({"empty", "markdown_alternate", "llms_txt"})
_TARGETS: Final = frozenset({"meta_refresh", "markdown_alternate", "llms_txt"})


def page_notes(snapshot: Snapshot) -> tuple[Note, ...]:
    """The page's notes, with `empty` among them whenever no text came of it (R066)."""
    notes = snapshot.page.notes
    if not snapshot.text.strip() and all(note.code != "empty" for note in notes):
        return (*notes, Note(code="empty"))
    return notes


def sentence_of(note: Note) -> str:
    """What a note means, in our words; empty for one that is told elsewhere."""
    return _SENTENCES.get(note.code, "" if note.code in _OWN_LINES else "The page has a further note, quoted below.")


def our_facts(snapshot: Snapshot, *, again: bool, changed: bool | None) -> list[str]:
    """Sentences of ours, free of anything that the server chose."""
    return [line for line in _facts(snapshot, again=again, changed=changed) if line]


def _facts(snapshot: Snapshot, *, again: bool, changed: bool | None) -> Iterator[str]:
    page = snapshot.page
    yield attempts_line(page.attempts, page.provider) or ""
    if page.status_code >= _FAILED:
        yield f"The server answered HTTP {page.status_code}: this is an error page, not the content asked for."
    if page.retry_after is not None:
        yield f"The server asks to wait {page.retry_after:g} s before the next request."
    if not snapshot.text.strip():
        yield "The page has no text."
    for note in page.notes:
        yield sentence_of(note)
    yield _again(again=again, changed=changed)
    yield _age(page)
    yield _cuts(snapshot)
    yield _HIDDEN.get(snapshot.mostly_hidden, "")
    yield _view(snapshot)
    yield removals(snapshot.removed, snapshot.hidden)


def _again(*, again: bool, changed: bool | None) -> str:
    if changed is None:
        return (
            "No earlier answer for this page is kept: it was fetched now, and may differ from what the offset was for."
        )
    if again:
        return "The page was fetched again" + (" and has changed since." if changed else ".")
    return "The page has changed since it was last fetched." if changed else ""


def _age(page: FetchResult) -> str:
    if page.cache is None or (page.cache.revalidated and not page.cache.stale):
        return ""
    asked = "; the server could not be asked" if page.cache.stale else ""
    return f"This is a stored copy, {page.cache.age:.0f} s old{asked}."


def _cuts(snapshot: Snapshot) -> str:
    if leaves_pages_out(snapshot.page):
        return "Not all pages of the PDF were read: its end is left out."
    if snapshot.page.truncated and _is_read_in_part(snapshot.page):
        what = "PDF" if isinstance(snapshot.page.body, PdfBody) else "document"
        return f"Not all of the {what} was read: a part of it is left out."
    if snapshot.page.truncated:
        return "The page is longer than the byte limit: its end was not downloaded."
    if snapshot.cut:
        return "The page was too large to convert whole: its end is left out."
    if snapshot.fallback is None or any(note.code == "unchecked_html" for note in snapshot.page.notes):
        return ""
    why = _FALLBACKS.get(snapshot.fallback, "failed")
    return f"The page is shown as bare words, without links and headings: its conversion {why}."


def cut_by(snapshot: Snapshot, *, shows_all: bool) -> list[str]:
    """What keeps a reader from the whole page: the byte cap, pages not read, the conversion, the view shown of it."""
    page = snapshot.page
    pages, part = leaves_pages_out(page), page.truncated and _is_read_in_part(page)
    reasons = {
        "bytes": page.truncated and not pages and not part,
        "pages": pages,
        "conversion": snapshot.cut or (part and not pages),
        "view": not shows_all,
    }
    return [name for name, true in reasons.items() if true]


def _is_read_in_part(page: FetchResult) -> bool:
    """Whether what came is longer as text than is made of it; half of a document's bytes could not be opened at all."""
    body = page.body
    if isinstance(body, PdfBody):
        return sum(map(len, body.pages)) >= PDF_CHARS
    return isinstance(body, DocumentBody)


def leaves_pages_out(page: FetchResult) -> bool:
    """Whether a PDF has more pages than were read."""
    return isinstance(page.body, PdfBody) and len(page.body.pages) < page.body.page_count


def _view(snapshot: Snapshot) -> str:
    if snapshot.view == "main":
        left_out = f"{snapshot.left_out:,} characters of the page (menus, teasers, comments, notices) are left out"
        return f"Main content only: {left_out}." if snapshot.left_out else ""
    whole = snapshot.asked == "main" and isinstance(snapshot.page.body, HtmlBody)
    return "No main content could be told apart: this is the whole page." if whole else ""


def removals(removed: Mapping[str, int], hidden: int = 0) -> str:
    """Only when notable: most pages hold a few, and a large count is itself a warning."""
    tokens = removed.get("token", 0)
    counts = {
        "invisible, control or private characters removed": sum(removed.values()) - tokens,
        "chat-template tokens broken up": tokens,
        "hidden elements left out": hidden,
    }
    told = [f"{count:,} {what}" for what, count in counts.items() if count >= NOTABLE_REMOVALS]
    return f"Cleaning this page: {', '.join(told)}." if told else ""


def quoted_header(snapshot: Snapshot, *, limit: int, start: bool = True) -> str:
    """What the server chose, for inside the boundary: final URL, type, charset, redirects, details of notes.

    At the page's start also what it says about itself, as far as a reader would ask for it. Its description stays out:
    it repeats the page, in words that no visitor sees.
    """
    page = snapshot.page
    lines = [f"Fetched {shown_url(page.url, limit=min(limit, URL_CHARS))} (HTTP {page.status_code})"]
    kind = _kind(page)
    if kind:
        lines.append(kind)
    lines += [f"Redirected ({hop.status_code}): {shown_url(hop.url, limit=SHOWN_LINE_CHARS)}" for hop in page.redirects]
    for note in page.notes:
        if note.detail is not None or note.code not in (*_SENTENCES, *_OWN_LINES):
            lines.append(note_line(note))
    if start and snapshot.metadata is not None:
        lines += _about(snapshot.metadata)
    return "\n".join(lines)


def _about(said: PageMetadata) -> Iterator[str]:
    told = {
        "Title": said.title,
        "By": said.author,
        "Published": said.published_at,
        "Modified": said.modified_at if said.modified_at != said.published_at else None,
        "As Markdown": None if said.markdown_url is None else shown_url(said.markdown_url),
    }
    yield from (f"{name}: {value}" for name, value in told.items() if value)


def _kind(page: FetchResult) -> str:
    """Left out for what goes without saying: HTML in UTF-8."""
    parts = []
    if page.media_type is not None and page.media_type != "text/html":
        parts.append(f"type {page.media_type}")
    if page.charset is not None and page.charset.lower() != "utf-8":
        parts.append(f"charset {page.charset}" + (f" (from: {page.charset_source})" if page.charset_source else ""))
    return _line(f"Page {', '.join(parts)}") if parts else ""


def note_line(note: Note) -> str:
    """A target is a URL that the model may want to fetch, so it is not cut like other details."""
    if note.code in _TARGETS and note.detail:
        return f"Note: {note.code}: {shown_url(note.detail)}"
    return _line(f"Note: {note.code}: {note.detail}" if note.detail else f"Note: {note.code}")


def _line(text: str) -> str:
    return clean_line(text, limit=SHOWN_LINE_CHARS)
