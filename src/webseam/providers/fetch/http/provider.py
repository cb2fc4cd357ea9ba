"""The provider: hop after hop, each judged anew (design: fetch; dsh-24 to dsh-45 as amended)."""

import time
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from webseam.core.call import Call
from webseam.core.deadline import Clock
from webseam.core.errors import WebError, closed
from webseam.core.events import Redirected
from webseam.core.leading import Leading
from webseam.core.limits import URLS_REMEMBERED
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.settings import NO_PROXY, FetchSettings
from webseam.core.shared import Shared
from webseam.core.types import FetchRequest, FetchResult, Redirect
from webseam.core.url import Url, web_url
from webseam.net.agent import USER_AGENT
from webseam.net.decoding import ACCEPT_ENCODING
from webseam.net.nameservers import resolver_of
from webseam.net.policy import AddressPolicy
from webseam.net.politeness import HostTurns, take_turn
from webseam.net.proxy import Proxies
from webseam.net.redirects import REDIRECTS, next_hop, refuse_foreign
from webseam.net.resolver import Resolver
from webseam.net.robots import Robots
from webseam.providers.fetch.http.reading import PageReader
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
        host_turns: the turns of each host, which every request takes one of, robots.txt included; None: none.
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
        host_turns: HostTurns | None = None,
    ) -> None:
        self.id = id
        self._settings = settings or FetchSettings()
        self._policy = AddressPolicy.of(self._settings)
        self._judged = lru_cache(URLS_REMEMBERED)(self._policy.check_target)  # nothing but the URL decides
        self._robots = Robots(
            self._settings.robots,
            policy=self._policy,
            user_agent=user_agent,
            clock=clock,
            host_turns=host_turns,
        )
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
        self._reader = PageReader(id, self._settings, now=now)
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
            literal = self._judged(url)
            await call.permit("redirect" if followed else "fetch", url.href)
            if self._robots.binds(call):
                await self._robots.check(url, call, self._client or self._open())
            if self._cache is None:
                answer: Reply = await self._ask(url, literal, call, len(followed))
            else:
                answer = await self._cached(self._cache, url, literal, call, len(followed))
            try:
                if answer.status not in REDIRECTS:
                    page = await self._reader.page(answer, url, tuple(followed), call)
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
                self._judged(target)
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
        await self._reader.aclose()
        if self._client is not None:
            await self._client.aclose()
        if self._leading is not None:
            await self._leading.aclose()

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
