"""A fetched page for people and programs: facts as lines, the body as bytes, everything as one JSON object."""

from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from webseam.core.plain import to_plain
from webseam.core.snapshots import Snapshot
from webseam.core.types import Body, DocumentBody, FetchResult, HtmlBody, ImageBody, PageMetadata, PdfBody, TextBody
from webseam.tools.page_facts import cut_by, page_notes


def facts(page: FetchResult, snapshot: Snapshot | None) -> Iterator[str]:
    """What is known about a page, a line each; the first is URL, status, type and size."""
    notes = page.notes if snapshot is None else page_notes(snapshot)
    yield f"{page.url}: HTTP {page.status_code}, {page.media_type or 'no type'}, {page.received_bytes:,} bytes"
    yield from (f"redirected: HTTP {hop.status_code} to {hop.url}" for hop in page.redirects)
    if isinstance(page.body, PdfBody):
        yield f"pages: {len(page.body.pages):,} read of {page.body.page_count:,}"
    elif page.truncated and isinstance(page.body, DocumentBody):
        yield "truncated: a part of the document was left out"
    elif page.truncated:
        yield "truncated: the byte cap cut the body"
    if page.retry_after is not None:
        yield f"retry after: {page.retry_after:g} s"
    if page.cache is not None:
        yield f"from a cache: {page.cache.age:g} s old{', stale' if page.cache.stale else ''}"
    yield from (f"note: {note.code}{f' ({note.detail})' if note.detail else ''}" for note in notes)
    if snapshot is not None:
        yield from _metadata_facts(snapshot.metadata)
        yield from _text_facts(snapshot)


def _metadata_facts(said: PageMetadata | None) -> Iterator[str]:
    if said is None:
        return
    told = {"title": said.title, "by": said.author, "published": said.published_at, "modified": said.modified_at}
    yield from (f"{name}: {value}" for name, value in told.items() if value)


def _text_facts(snapshot: Snapshot) -> Iterator[str]:
    if snapshot.view == "main":
        by = f" by {snapshot.engine}" if snapshot.engine not in (None, "own") else ""
        yield f"main content{by}: {snapshot.left_out:,} characters of the page left out"
    elif snapshot.asked == "main" and isinstance(snapshot.page.body, HtmlBody):
        yield "whole page: no main content could be told apart"
    if snapshot.cut:
        yield "cut: the converter stopped at its output limit"
    if any(note.code == "unchecked_html" for note in snapshot.page.notes):
        yield f"not looked through for hidden text ({snapshot.fallback})"
    elif snapshot.fallback:
        yield f"plain text: the page could not be converted ({snapshot.fallback})"
    if snapshot.hidden:
        yield f"removed: {snapshot.hidden} hidden element{'s' * (snapshot.hidden > 1)}"
    if snapshot.mostly_hidden:
        yield f"mostly hidden until scripts run: {snapshot.mostly_hidden.replace('_', ' ')}"
    if snapshot.removed:
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(snapshot.removed.items()))
        yield f"removed characters: {counts}"


def page_json(page: FetchResult, snapshot: Snapshot | None, view: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `FetchResult`, with what is shown of the text in place of the body's content.

    What is cut, hidden, removed or noted is told by the names that `web_fetch` tells it by.
    """
    plain: dict[str, Any] = to_plain(page)
    if snapshot is None:
        return plain
    reasons = cut_by(snapshot, shows_all=view.get("next_offset") is None)
    plain |= {"body": _body_json(page.body), **view, "truncated": bool(reasons), "cut_by": reasons}
    removed = {"hidden": snapshot.hidden, **snapshot.removed}
    plain["removed"] = {kind: count for kind, count in removed.items() if count}
    if snapshot.asked == "main":
        plain |= {"view_mode": snapshot.view, "left_out": snapshot.left_out}
    told = {
        "notes": to_plain(page_notes(snapshot)),
        "mostly_hidden": snapshot.mostly_hidden,
        "fallback": snapshot.fallback,
        "engine": snapshot.engine,
        "metadata": to_plain(snapshot.metadata),
    }
    return plain | {name: value for name, value in told.items() if value}


def _body_json(body: Body) -> dict[str, Any]:
    """What a body is, without its content."""
    if isinstance(body, PdfBody):
        return {"kind": body.kind, "page_count": body.page_count, "pages_read": len(body.pages)}
    if isinstance(body, ImageBody):
        return {"kind": body.kind, "width": body.width, "height": body.height}
    return {"kind": body.kind}


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
