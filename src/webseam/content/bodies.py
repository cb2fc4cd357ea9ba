"""The typed body of what came over the wire: text decoded where it stands, PDF read in a worker."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from webseam.content.charset import decode
from webseam.content.frames import bytes_text
from webseam.content.images import image_size
from webseam.content.kind import Decision, parse_media_type
from webseam.content.metadata import made_metadata
from webseam.content.signals import page_notes
from webseam.core.call import timed_out
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError, closed
from webseam.core.limits import IMAGE_BYTES, IMAGE_PIXELS, PDF_SECONDS, PDF_UNMAPPED_SHARE
from webseam.core.text import one_line
from webseam.core.types import Body, CharsetSource, DocumentBody, HtmlBody, ImageBody, Note, PdfBody, TextBody
from webseam.core.url import Url, web_url

if TYPE_CHECKING:
    from webseam.content.workers import WorkerFailed, Workers

_PDF: Final = "PDF"
_DOCUMENT: Final = "document"
OFFICE_INSTALL: Final = 'pip install "webseam[office]"'
_FAILURES: Final = {
    "timeout": "reading it took too long",
    "memory": "reading it takes too much memory",
    "crash": "reading it fails",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """A body as it came: decoded from its content codings, with what its answer says of it.

    `label` is the charset as sent, `truncated` says that the byte cap cut it, `whole` that nothing else is missing.
    """

    data: bytes
    url: Url
    status: int
    headers: Mapping[str, str]
    label: str | None = None
    truncated: bool = False
    whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A typed body and what is to be said of it; `truncated` says that a part of it was left out.

    `media_type` is what reading it showed it to be, where that says more than its first bytes.
    """

    body: Body
    charset: str | None = None
    charset_source: CharsetSource | None = None
    truncated: bool = False
    notes: tuple[Note, ...] = field(default=())
    media_type: str | None = None


class Bodies:
    """Makes bodies; owns its worker processes, which start with the first PDF or document, until `aclose`.

    Belongs to one event loop.

    Args:
        seconds: wall clock of reading one PDF or document.
    """

    def __init__(self, *, seconds: float = PDF_SECONDS) -> None:
        self._seconds = seconds
        self._workers: Workers | None = None
        self._closed = False

    async def made(self, decision: Decision, arrived: Arrived, *, deadline: Deadline) -> Made:
        """The body of a kind that was not refused.

        Raises:
            WebError: `WEB_UNSUPPORTED_CONTENT_TYPE` or `WEB_FETCH_TOO_LARGE` for a PDF, a document or a
                picture that cannot be read,
                `WEB_FETCH_TIMEOUT`, `WEB_PROVIDER_ERROR`.
        """
        if decision.kind == "pdf" and arrived.data:
            return await self._pdf(arrived, deadline)
        if decision.kind == "document" and arrived.data:
            return await self._document(arrived, deadline)
        if decision.kind == "image" and arrived.data:
            return _picture(arrived, decision.media_type or "image")
        return _text(arrived, html=decision.kind == "html")

    async def aclose(self) -> None:
        """End the workers; a PDF or document that comes later is refused."""
        self._closed = True
        if self._workers is not None:
            await self._workers.aclose()

    async def _pdf(self, arrived: Arrived, deadline: Deadline) -> Made:
        head, body = await self._read("pdf", arrived, deadline)
        if "trouble" in head:
            raise _unreadable(head["trouble"], arrived)
        return _pdf_body(head, json.loads(body), arrived)

    async def _document(self, arrived: Arrived, deadline: Deadline) -> Made:
        head, body = await self._read("office", arrived, deadline)
        if "trouble" in head:
            raise _unreadable(head["trouble"], arrived, kind=head["kind"], what=_DOCUMENT)
        said = made_metadata(**head["about"])
        return Made(
            body=DocumentBody(content=bytes_text(body), metadata=said),
            truncated=arrived.truncated or head["cut"],
            notes=() if body else (Note(code="empty"),),
            media_type=head["media_type"],
        )

    async def _read(self, job: str, arrived: Arrived, deadline: Deadline) -> tuple[dict[str, Any], bytes]:
        from webseam.content.workers import WorkerFailed, Workers  # noqa: PLC0415 - most pages need none

        if self._closed:
            raise closed()
        if self._workers is None:
            self._workers = Workers()
        try:
            return await self._workers.run(job, {}, arrived.data, deadline=deadline, seconds=self._seconds)
        except WorkerFailed as exc:
            what = _PDF if job == "pdf" else _DOCUMENT
            raise _failed(exc, arrived, deadline, what) from exc


def _pdf_body(head: dict[str, Any], pages: list[str], arrived: Arrived) -> Made:
    notes: tuple[Note, ...] = ()
    if not any(page.strip() for page in pages):
        notes += (Note(code="no_text_layer"),)
    elif head["unmapped"] >= PDF_UNMAPPED_SHARE:
        notes += (Note(code="unmapped_fonts", detail=f"{head['unmapped']:.0%} of the characters"),)
    if head["unreadable"]:
        notes += (Note(code="unreadable_pages", detail=str(head["unreadable"])),)
    about = {name: head[name] for name in ("title", "author", "published_at", "modified_at")}
    body = PdfBody(
        pages=tuple(pages),
        page_count=head["page_count"],
        metadata=made_metadata(**about),
    )
    return Made(body=body, truncated=arrived.truncated or head["cut"], notes=notes)


def _failed(exc: "WorkerFailed", arrived: Arrived, deadline: Deadline, what: str) -> WebError:
    if exc.reason == "closed":
        return closed()
    if exc.reason == "busy":
        return WebError(
            Code.PROVIDER_ERROR,
            "Too many PDFs and documents are being read. Try again later.",
            dispatched=True,
            retryable=True,
        )
    if exc.reason == "start":
        return WebError(
            Code.PROVIDER_ERROR,
            f"The {what} was not read: no worker process could be started. See that this Python can run "
            f"`python -m webseam.content.worker`, and that it may use enough memory and processes.",
            dispatched=True,
            retryable=False,
        )
    if exc.reason == "timeout" and deadline.expired:
        return timed_out("fetch", dispatched=True)
    return _refused(_FAILURES[exc.reason], arrived, what)


def _unreadable(trouble: str, arrived: Arrived, *, kind: str = "", what: str = _PDF) -> WebError:
    if trouble == "encrypted":
        return _refused("it is encrypted and opens with a password only", arrived, what)
    if trouble == "missing":
        return WebError(
            Code.UNSUPPORTED_CONTENT_TYPE,
            f"Reading office documents needs an extra that is not installed: {OFFICE_INSTALL}",
        )
    if trouble == "unsupported":
        return _refused(f"documents of the type {one_line(kind, limit=100) or 'unknown'} are not read", arrived, what)
    if arrived.truncated:
        return WebError(
            Code.FETCH_TOO_LARGE,
            f"The {what} has more than {len(arrived.data):,} bytes; the rest was not read, and a part of it cannot be "
            f"opened. Look for a smaller file, or raise fetch.max_pdf_bytes.",
        )
    if not arrived.whole:
        return WebError(
            Code.PROVIDER_ERROR,
            f"The {what} broke off after {len(arrived.data):,} bytes, and a part of it cannot be opened. Try again.",
            dispatched=True,
            retryable=True,
        )
    if trouble == "too_large":
        return _refused("it unpacks to more than is read", arrived, what)
    return _refused(f"it is damaged, or no {what} at all", arrived, what)


def _refused(why: str, arrived: Arrived, what: str) -> WebError:
    sent = parse_media_type(arrived.headers.get("Content-Type")).essence
    named = "application/pdf" if what == _PDF else sent or "type not declared"
    return WebError(
        Code.UNSUPPORTED_CONTENT_TYPE,
        f"The {what} cannot be read ({named}, {len(arrived.data):,} bytes): {why}. "
        f"Look for another copy, or for an HTML version.",
    )


def _picture(arrived: Arrived, kind: str) -> Made:
    """A picture within its caps; half of one is none.

    Raises:
        WebError: `WEB_FETCH_TOO_LARGE`.
    """
    width, height = image_size(arrived.data)
    pixels = f"{width:,} x {height:,} pixels, " if width and height else ""
    size = f"{kind}, {pixels}{len(arrived.data):,} bytes"
    if arrived.truncated or len(arrived.data) > IMAGE_BYTES:
        raise WebError(
            Code.FETCH_TOO_LARGE,
            f"The picture ({size} read) is longer than {min(IMAGE_BYTES, len(arrived.data)):,} bytes. "
            f"Look for a smaller one.",
        )
    if width * height > IMAGE_PIXELS:
        raise WebError(
            Code.FETCH_TOO_LARGE,
            f"The picture ({size}) has more than {IMAGE_PIXELS:,} pixels. Look for a smaller one.",
        )
    return Made(body=ImageBody(data=arrived.data, width=width, height=height))


def _text(arrived: Arrived, *, html: bool) -> Made:
    text = decode(arrived.data, label=arrived.label, html=html, truncated=arrived.truncated)
    notes: tuple[Note, ...] = ()
    if text.unknown_label is not None:
        notes += (Note(code="unknown_charset", detail=text.unknown_label),)
    if text.errors:
        notes += (Note(code="decode_errors", detail=str(text.errors)),)
    if html:
        found = page_notes(text.text, headers=arrived.headers, status=arrived.status)
        notes += tuple(_absolute(note, arrived.url) for note in found)
    elif not text.text.strip():
        notes += (Note(code="empty"),)
    return Made(
        body=HtmlBody(content=text.text) if html else TextBody(content=text.text),
        charset=text.charset,
        charset_source=text.source,
        truncated=arrived.truncated,
        notes=notes,
    )


def _absolute(note: Note, url: Url) -> Note:
    """Some notes name a target as the page wrote it; readers need the URL."""
    if note.code not in ("meta_refresh", "markdown_alternate", "llms_txt") or note.detail is None:
        return note
    try:
        return Note(code=note.code, detail=web_url(note.detail, base=url).href)
    except WebError:
        return Note(code=note.code)
