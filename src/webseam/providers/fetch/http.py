"""`http`: fetch a page over HTTP/1.1 through the guarded client (design: fetch; dsh-24 to dsh-45 as amended)."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from webseam.content.bodies import Arrived, Bodies
from webseam.content.kind import Decision, MediaType, decide, may_be_pdf, parse_media_type
from webseam.core.call import Call
from webseam.core.deadline import Clock
from webseam.core.errors import Code, WebError, closed
from webseam.core.events import Redirected
from webseam.core.leading import Leading
from webseam.core.limits import SNIFF_BYTES
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.settings import NO_PROXY, FetchSettings
from webseam.core.shared import Shared, TurnTaker
from webseam.core.text import one_line
from webseam.core.types import FetchRequest, FetchResult, Note, Redirect
from webseam.core.url import Url, web_url
from webseam.net.agent import USER_AGENT
from webseam.net.decoding import ACCEPT_ENCODING, BodyBytes, BodyReader, Stack, decoders_for
from webseam.net.nameservers import resolver_of
from webseam.net.policy import AddressPolicy
from webseam.net.politeness import take_turn
from webseam.net.proxy import Proxies
from webseam.net.redirects import REDIRECTS, next_hop, refuse_foreign
from webseam.net.resolver import Resolver
from webseam.net.retry_after import retry_after
from webseam.net.robots import Robots
from webseam.stores.pages import page_store

if TYPE_CHECKING:
    from webseam.core.pages import PageStore
    from webseam.net.addresses import Address
    from webseam.net.answer import Answer
    from webseam.net.client import GuardedClient
    from webseam.net.guard import SocketFactory
    from webseam.net.page_cache import PageCache
    from webseam.net.replies import Reply

_HEADERS: Final[Mapping[str, str]] = {
    "Accept": "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/*;q=0.8, application/json;q=0.8, "
    "*/*;q=0.1",
    "Accept-Encoding": ACCEPT_ENCODING,
}
_GZIP_TYPES: Final = frozenset({"application/gzip", "application/x-gzip"})
"""RFC 6713. Unpacked like the coding of that name, under the same caps; what is inside decides (`sitemap.xml.gz`)."""
_PARTIAL: Final = 206  # RFC 9110 section 15.3.7
_BODILESS: Final = frozenset((204, 304))  # RFC 9110 sections 6.4.1 and 8.6
_SHOWN_CHARS: Final = 40  # of a coding or range that a server named; honest ones are far shorter


class HttpFetch:
    """Fetches pages; the guard decides every dial.

    Args:
        id: provider id.
        settings: limits and address policy.
        resolver: names to addresses; what the settings ask for when None.
        make_socket: how sockets are made; tests map judged addresses to loopback.
        user_agent: sent with every request.
        now: wall clock, for `Retry-After` dates.
        clock: monotonic seconds, for the age of what is kept of a site's robots.txt, and of pages kept in memory.
        data_dir: where `fetch.cache = "disk"` keeps its file.
        shared: what `fetch.cache = "fleet"` shares with other gateways.
        host_turns: the turns of each host, which every request takes one of; None: none.
    """

    asks_gate = True
    bills = False

    def __init__(
        self,
        *,
        id: str = "http",  # noqa: A002 - the vocabulary's word
        settings: FetchSettings | None = None,
        resolver: Resolver | None = None,
        make_socket: "SocketFactory | None" = None,
        user_agent: str = USER_AGENT,
        now: Callable[[], float] = time.time,
        clock: Clock = time.monotonic,
        data_dir: Path | None = None,
        shared: Shared | None = None,
        host_turns: "Callable[[str], TurnTaker] | None" = None,
    ) -> None:
        self.id = id
        self._settings = settings or FetchSettings()
        self._policy = AddressPolicy.of(self._settings)
        self._robots = Robots(self._settings.robots, policy=self._policy, user_agent=user_agent, clock=clock)
        self._proxies = Proxies.of(self._settings.proxy) if self._settings.proxy != NO_PROXY else None
        self._resolver: Resolver = resolver or resolver_of(self._settings, self._policy.hosts)
        self._make_socket = make_socket
        self._user_agent = user_agent
        self._now = now
        store = page_store(self._settings.cache, data_dir, clock=clock, now=now, shared=shared)
        self._leading = None if shared is None or self._settings.cache != "fleet" else Leading(shared.flights)
        self._cache = None if store is None else self._cache_over(store)
        self._host_turns = host_turns
        self._client: GuardedClient | None = None
        self._bodies = Bodies()
        self._closed = False

    def available(self) -> bool:
        """Always: it needs no key (dsh-26)."""
        return True

    async def fetch(self, request: FetchRequest, *, call: Call) -> FetchResult:
        """Fetch one page, following redirects within its site; each hop is asked of the gate and judged anew.

        Raises:
            WebError: `WEB_INVALID_URL`, `WEB_BLOCKED_URL`, `WEB_REDIRECT_BLOCKED`, `WEB_DENIED`,
                `WEB_ROBOTS_DISALLOWED`, `WEB_FETCH_TOO_LARGE`, `WEB_UNSUPPORTED_CONTENT_TYPE`, `WEB_FETCH_TIMEOUT`
                (name look-up), `WEB_PROVIDER_ERROR`.
        """
        call.check("fetch")
        url = web_url(request.url)
        followed: list[Redirect] = []
        visited = frozenset((url.document,))
        while True:
            literal = self._policy.check_target(url)
            await call.permit("redirect" if followed else "fetch", url.href)
            if self._robots.binds(call):
                await self._robots.check(url, call, self._client or self._open())
            if self._cache is None:
                answer: Reply = await self._ask(url, literal, call, len(followed))
            else:
                answer = await self._cached(self._cache, url, literal, call, len(followed))
            try:
                if answer.status not in REDIRECTS:
                    page = await self._page(answer, url, tuple(followed), call)
                    if self._cache is not None:
                        await self._cache.keep(answer, call, page)
                    return page
                target = next_hop(
                    url,
                    answer.status,
                    answer.header("Location"),
                    followed=len(followed),
                    allowed=self._settings.max_redirects,
                )
                self._policy.check_target(target)
                refuse_foreign(url, target, visited)
                followed.append(Redirect(status_code=answer.status, url=target.href))
                if self._cache is not None:
                    await self._cache.keep(answer, call, None)
            except WebError as exc:
                if self._cache is not None:
                    await self._cache.superseded(answer, call, exc)
                raise
            finally:
                answer.close()
            call.emit(Redirected(provider=self.id, status_code=followed[-1].status_code, url=target.href))
            url, visited = target, visited | {target.document}

    async def _ask(
        self, url: Url, literal: "Address | None", call: Call, hops: int, headers: Mapping[str, str] | None = None
    ) -> "Answer":
        """Send the request of one hop, after so many others, when it is this host's turn."""
        if self._host_turns is not None:
            await take_turn(self._host_turns(url.host), url.host, call)
        client = self._client or self._open()
        return await client.send(
            "GET",
            url,
            judged=literal,
            dispatch=call.dispatch,
            what="The fetch",
            headers=headers,
            trace=call.trace,
            resend=hops,
        )

    async def _cached(self, cache: "PageCache", url: Url, literal: "Address | None", call: Call, hops: int) -> "Reply":
        """The same from what is kept, where that will do."""
        if self._closed:
            raise closed()
        return await cache.send(url, call, partial(self._ask, url, literal, call, hops))

    async def aclose(self) -> None:
        """Close all connections and end all workers; a fetch that goes on is refused, and opens nothing anew."""
        self._closed = True
        await self._bodies.aclose()
        if self._client is not None:
            await self._client.aclose()
        if self._leading is not None:
            await self._leading.aclose()

    def _cap(self, *, pdf: bool) -> int:
        return self._settings.max_pdf_bytes if pdf else self._settings.max_bytes

    def _limit(self, answer: "Reply", reader: BodyReader, *, before: int, pdf: bool) -> None:
        """Hold a body to the cap of its kind, where its header had left that open."""
        cap = self._cap(pdf=pdf)
        if cap != before:
            _refuse_declared(answer, cap, pdf=pdf)
            answer.body(cap)  # as much may arrive
            reader.limit(cap)

    def _open(self) -> "GuardedClient":
        if self._closed:
            raise closed()
        from webseam.net.client import GuardedClient  # noqa: PLC0415 - the HTTP client loads on first use
        from webseam.net.guard import plain_socket  # noqa: PLC0415 - the same

        self._client = GuardedClient(
            policy=self._policy,
            resolver=self._resolver,
            user_agent=self._user_agent,
            connect_seconds=self._settings.connect_seconds,
            dns_seconds=self._settings.dns_seconds,
            ca_bundle=self._settings.ca_bundle,
            make_socket=self._make_socket or plain_socket,
            headers=_HEADERS,
            proxies=self._proxies,
        )
        return self._client

    def _cache_over(self, store: "PageStore") -> "PageCache":
        """What shapes a request or decides whether a page may be had belongs to its key; passwords do not."""
        from webseam.net.page_cache import PageCache  # noqa: PLC0415 - first use

        settings, proxies = self._settings, self._proxies
        scope = {
            "headers": {"User-Agent": self._user_agent, **_HEADERS},
            "max_bytes": [settings.max_bytes, settings.max_pdf_bytes],
            "private": [settings.private_networks, settings.private_hosts, settings.nameservers],
            "trust": settings.ca_bundle,
            "proxy": None if proxies is None else proxies.described(),
        }
        return PageCache(
            store, scope=scope, leading=self._leading, stale_seconds=settings.stale_if_error, now=self._now
        )

    async def _page(self, answer: "Reply", url: Url, redirects: tuple[Redirect, ...], call: Call) -> FetchResult:
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
        return FetchResult(
            provider=self.id,
            url=url.href,
            status_code=answer.status,
            body=made.body,
            truncated=made.truncated,
            media_type=decision.media_type,
            charset=made.charset,
            charset_source=made.charset_source,
            received_bytes=body.received,
            redirects=redirects,
            retry_after=retry_after(
                answer.header("Retry-After"), now=self._now, age=0.0 if answer.cache is None else answer.cache.age
            ),
            cache=answer.cache,
            notes=_transfer_notes(answer, stack, body, decision, broken=broken is not None) + made.notes,
        )


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


def _build(kit: Kit) -> HttpFetch:
    provider = HttpFetch(
        id=kit.id,
        settings=kit.fetch,
        resolver=kit.seams.resolver,
        make_socket=kit.seams.socket_factory,
        now=kit.seams.now,
        clock=kit.seams.clock,
        data_dir=kit.data_dir,
        shared=kit.shared,
        host_turns=kit.host_turns,
    )
    kit.on_close(provider.aclose)
    return provider


SPEC = ProviderSpec(
    kind="http", capability="fetch", build=_build, keyless=True, summary="HTTP/1.1 with the address guard"
)
