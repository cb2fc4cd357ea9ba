"""From an answer to a page: what is refused, how much is read, what is said of it."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from webseam.content.bodies import Arrived, Bodies
from webseam.content.kind import Decision, MediaType, decide, may_be_pdf, parse_media_type
from webseam.core.call import Call
from webseam.core.copying import changed
from webseam.core.errors import Code, WebError
from webseam.core.limits import SNIFF_BYTES
from webseam.core.settings import FetchSettings
from webseam.core.text import one_line
from webseam.core.types import FetchResult, Note, Redirect
from webseam.core.url import Url
from webseam.net.decoding import BodyBytes, BodyReader, Stack, decoders_for
from webseam.net.retry_after import retry_after
from webseam.providers.fetch.http.made_pages import MadePages

if TYPE_CHECKING:
    from webseam.net.replies import Reply

_GZIP_TYPES: Final = frozenset({"application/gzip", "application/x-gzip"})
"""RFC 6713. Unpacked like the coding of that name, under the same caps; what is inside decides (`sitemap.xml.gz`)."""
_PARTIAL: Final = 206  # RFC 9110 section 15.3.7
_BODILESS: Final = frozenset((204, 304))  # RFC 9110 sections 6.4.1 and 8.6
_SHOWN_CHARS: Final = 40  # of a coding or range that a server named; honest ones are far shorter


class PageReader:
    """Reads answers into pages; what a kept answer was made into is not made again while it stays the same.

    Belongs to one event loop; owns worker processes, until `aclose`.

    Args:
        provider: its id.
        settings: how much is read, and whether pictures are.
        now: seconds since 1970, for `Retry-After`.
    """

    def __init__(self, provider: str, settings: FetchSettings, *, now: Callable[[], float]) -> None:
        self._provider = provider
        self._settings = settings
        self._now = now
        self._bodies = Bodies()
        self._made = MadePages()

    async def page(self, answer: "Reply", url: Url, redirects: tuple[Redirect, ...], call: Call) -> FetchResult:
        """The page that an answer is.

        Raises:
            WebError: `WEB_FETCH_TOO_LARGE`, `WEB_UNSUPPORTED_CONTENT_TYPE`, `WEB_FETCH_TIMEOUT`, `WEB_PROVIDER_ERROR`.
        """
        stored, tenant = answer.stored, call.tags.get("tenant", "")
        if stored is None:
            self._made.drop(url, tenant)
            return await self._read(answer, url, redirects, call)
        made = self._made.get(url, tenant, stored)
        if made is None:
            made = changed(await self._read(answer, url, redirects, call), url="", redirects=())
            self._made.put(url, tenant, stored, made)
        return changed(made, **self._own(answer, url, redirects))

    async def aclose(self) -> None:
        """End all workers; a PDF or document that comes later is refused."""
        await self._bodies.aclose()

    def _own(self, answer: "Reply", url: Url, redirects: tuple[Redirect, ...]) -> dict[str, Any]:
        """What a page does not have of its answer alone: who asked, and when."""
        age = 0.0 if answer.cache is None else answer.cache.age
        waits = retry_after(answer.header("Retry-After"), now=self._now, age=age)
        return {"url": url.href, "redirects": redirects, "retry_after": waits, "cache": answer.cache}

    async def _read(self, answer: "Reply", url: Url, redirects: tuple[Redirect, ...], call: Call) -> FetchResult:
        media = parse_media_type(answer.header("Content-Type"))
        cap = self._cap(pdf=may_be_pdf(media))
        _refuse_declared(answer, cap, pdf=may_be_pdf(media))
        packed = media.essence in _GZIP_TYPES
        stack = decoders_for(answer.listed("Content-Encoding") or ("gzip" if packed else None))
        reader = BodyReader(answer.body(cap), stack, cap=cap, wire_cap=cap, at_end=answer.ended)
        broken = await _fill(reader, SNIFF_BYTES)
        decision = decide(MediaType() if packed else media, reader.head)
        if packed and decision.kind not in ("html", "text"):
            decision = decide(media, reader.head)
        _refuse_kind(decision, media, answer, stack, reader, images=self._settings.images)
        self._limit(answer, reader, before=cap, pdf=decision.kind in ("pdf", "document"))
        if broken is None and not reader.done:
            broken = await _fill(reader, None)
        body = reader.result()
        if broken is not None and not body.data:
            raise broken
        if not body.data and (body.fault is not None or not body.complete):
            raise _undecodable(body.fault or "it breaks off before its first byte")
        arrived = Arrived(
            data=body.data,
            url=url,
            status=answer.status,
            headers=answer.headers,
            label=media.charset,
            truncated=body.truncated,
            whole=broken is None and body.fault is None and body.complete,
        )
        made = await self._bodies.made(decision, arrived, deadline=call.deadline)
        decision = decision if made.media_type is None else replace(decision, media_type=made.media_type)
        notes = _transfer_notes(answer, stack, body, decision, broken=broken is not None)
        return FetchResult(
            provider=self._provider,
            status_code=answer.status,
            body=made.body,
            truncated=made.truncated,
            media_type=decision.media_type,
            charset=made.charset,
            charset_source=made.charset_source,
            received_bytes=body.received,
            notes=notes + made.notes,
            **self._own(answer, url, redirects),
        )

    def _cap(self, *, pdf: bool) -> int:
        return self._settings.max_pdf_bytes if pdf else self._settings.max_bytes

    def _limit(self, answer: "Reply", reader: BodyReader, *, before: int, pdf: bool) -> None:
        """Hold a body to the cap of its kind, where its header had left that open."""
        cap = self._cap(pdf=pdf)
        if cap != before:
            _refuse_declared(answer, cap, pdf=pdf)
            answer.body(cap)  # as much may arrive
            reader.limit(cap)


async def _fill(reader: BodyReader, enough: int | None) -> WebError | None:
    """Read on; a body that breaks off keeps what came, and the failure is told by a note."""
    try:
        await reader.fill(enough)
    except WebError as exc:
        return exc
    return None


def _refuse_declared(answer: "Reply", cap: int, *, pdf: bool = False) -> None:
    """A declared length over the cap is refused before the body is read (dsh-39)."""
    if answer.status in _BODILESS:  # there it tells the size of another answer
        return
    declared = (answer.header("Content-Length") or "").strip()
    if declared.isascii() and declared.isdigit() and int(declared[:20]) > cap:
        raise WebError(
            Code.FETCH_TOO_LARGE,
            f"The body has {int(declared[:20]):,} bytes; at most {cap:,} are read. Look for a smaller page, "
            f"or raise {'fetch.max_pdf_bytes' if pdf else 'fetch.max_bytes'}.",
        )


def _refuse_kind(
    decision: Decision, media: MediaType, answer: "Reply", stack: Stack, reader: BodyReader, *, images: bool
) -> None:
    """Refuse what no text can be made of; the message names type and size."""
    if reader.empty:
        return
    readable = decision.kind in ("html", "text", "pdf", "document") or (decision.kind == "image" and images)
    if readable and stack.unknown is None:
        return
    if stack.unknown is not None and decide(MediaType(essence=None, charset=None), reader.head).kind in (
        "html",
        "text",
    ):
        return
    size = answer.header("Content-Length")
    measure = f"{int(size[:20]):,} bytes" if size and size.isascii() and size.isdigit() else "size not declared"
    named = decision.reason or decision.media_type or media.essence or "unknown"
    advice = " Images are refused unless fetch.images is on." if decision.kind == "image" else ""
    raise WebError(
        Code.UNSUPPORTED_CONTENT_TYPE, f"The answer is no text: {named} ({measure}).{advice} Look for another page."
    )


def _transfer_notes(
    answer: "Reply", stack: Stack, body: BodyBytes, decision: Decision, *, broken: bool
) -> tuple[Note, ...]:
    notes: list[Note] = []
    if answer.proxied:
        notes.append(Note(code="proxied"))
    if stack.unknown is not None:
        notes.append(Note(code="unknown_coding", detail=one_line(stack.unknown, limit=_SHOWN_CHARS) or None))
    if broken or body.fault is not None or not body.complete:
        notes.append(Note(code="incomplete"))
    if answer.status == _PARTIAL:
        part = one_line(answer.header("Content-Range") or "", limit=_SHOWN_CHARS)
        notes.append(Note(code="partial_content", detail=part or None))
    if decision.mismatch:
        notes.append(Note(code="type_mismatch", detail=decision.media_type))
    return tuple(notes)


def _undecodable(fault: str) -> WebError:
    return WebError(
        Code.PROVIDER_ERROR, f"The body cannot be decompressed ({fault}).", dispatched=True, retryable=False
    )
