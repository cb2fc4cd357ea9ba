"""A fetched page for people and programs: facts as lines, the body as bytes, everything as one JSON object."""

from collections.abc import Iterator
from typing import Any, assert_never

from webseam.core.plain import to_plain
from webseam.core.snapshots import Snapshot
from webseam.core.types import Body, DocumentBody, FetchResult, HtmlBody, ImageBody, PdfBody, TextBody


def facts(page: FetchResult, snapshot: Snapshot | None) -> Iterator[str]:
    """What is known about a page, a line each; the first is URL, status, type and size."""
    yield f"{page.url}: HTTP {page.status_code}, {page.media_type or 'no type'}, {page.received_bytes:,} bytes"
    yield from (f"redirected: HTTP {hop.status_code} to {hop.url}" for hop in page.redirects)
    if page.truncated:
        yield "truncated: the byte cap cut the body"
    if page.retry_after is not None:
        yield f"retry after: {page.retry_after:g} s"
    if page.cache is not None:
        yield f"from a cache: {page.cache.age:g} s old{', stale' if page.cache.stale else ''}"
    yield from (f"note: {note.code}{f' ({note.detail})' if note.detail else ''}" for note in page.notes)
    if snapshot is not None:
        yield from _text_facts(snapshot)


def _text_facts(snapshot: Snapshot) -> Iterator[str]:
    if snapshot.cut:
        yield "cut: the converter stopped at its output limit"
    if snapshot.fallback:
        yield "plain text: the page could not be converted"
    if snapshot.hidden:
        yield f"removed: {snapshot.hidden} hidden elements"
    if snapshot.mostly_hidden:
        yield f"mostly hidden until scripts run: {snapshot.mostly_hidden.replace('_', ' ')}"
    if snapshot.removed:
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(snapshot.removed.items()))
        yield f"removed characters: {counts}"


def page_json(page: FetchResult, snapshot: Snapshot | None, offset: int) -> dict[str, Any]:
    """The fields of `FetchResult`, with the text as `markdown` in place of the body's content."""
    plain: dict[str, Any] = to_plain(page)
    if snapshot is None:
        return plain
    plain["body"] = {"kind": page.body.kind}
    whole = snapshot.text
    plain |= {"markdown": whole[offset:], "offset": offset, "total_chars": len(whole)}
    removed = {"hidden": snapshot.hidden, **snapshot.removed}
    plain["removed"] = {kind: count for kind, count in removed.items() if count}
    return plain


def body_bytes(body: Body) -> bytes:
    """The body as decoded, in UTF-8; a picture as received."""
    match body:
        case HtmlBody() | TextBody() | DocumentBody():
            return body.content.encode("utf-8", "backslashreplace")
        case PdfBody():
            return "\f".join(body.pages).encode("utf-8", "backslashreplace")
        case ImageBody():
            return body.data
        case _ as never:
            assert_never(never)
