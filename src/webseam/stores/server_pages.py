"""Pages kept on a Valkey or Redis server, for all gateways of a fleet."""

import time
from typing import Final

from webseam.core.deadline import Clock
from webseam.core.limits import SHARED_PAGE_BYTES, SHARED_PAGE_SECONDS, SHARED_PAGES_BYTES, SHARED_PAGES_KEPT
from webseam.core.pages import PageStoreError, StoredPage
from webseam.core.shared import SharedError
from webseam.stores import scripts
from webseam.stores.pages import page_size
from webseam.stores.rows import checksum, facts_of, page_of
from webseam.stores.server import Server
from webseam.stores.steps import MICRO

_FACTS: Final = 4  # what a kept page consists of


class ServerPages:
    """Pages on the server, at most `max_bytes` and `max_pages`; the one kept longest ago goes first.

    How long a page has lain there is told by the server's clock: those of the gateways may differ. Each goes by itself
    after `seconds`, or sooner when nobody could make use of it.

    Args:
        server: where.
        kind: tells pages from other things that are kept in the same way.
        seconds: longest time that a page is kept.
        max_bytes: of all pages together, about.
        max_pages: in number.
        clock: monotonic seconds, in which `stored_at` is told.
    """

    def __init__(
        self,
        server: Server,
        *,
        kind: str = "page",
        seconds: float = SHARED_PAGE_SECONDS,
        max_bytes: int = SHARED_PAGES_BYTES,
        max_pages: int = SHARED_PAGES_KEPT,
        clock: Clock = time.monotonic,
    ) -> None:
        self.clock = clock
        self._server = server
        self._kind = kind
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._max_pages = max_pages

    async def get(self, key: str, /) -> StoredPage | None:
        """See `PageStore`."""
        try:
            held = await self._server.run(scripts.GET_PAGE, [self._server.key(self._kind, key)])
        except SharedError as exc:
            raise PageStoreError(str(exc)) from exc
        if not isinstance(held, list) or len(held) != _FACTS:
            return None
        return page_of(held[1], held[2], held[3], now=self.clock() - int(held[0]) / MICRO)

    async def put(self, key: str, page: StoredPage, /) -> None:
        """See `PageStore`."""
        if page_size(page) > min(self._max_bytes, SHARED_PAGE_BYTES):
            await self.drop(key)
            return
        facts = facts_of(page, lag=max(0.0, self.clock() - page.stored_at))
        try:
            await self._server.run(
                scripts.PUT_PAGE,
                self._keys(key),
                facts,
                page.body,
                checksum(facts, page.body),
                page_size(page),
                int(self._seconds * 1_000),
                self._max_bytes,
                self._max_pages,
            )
        except SharedError as exc:
            raise PageStoreError(str(exc)) from exc

    async def drop(self, key: str, /) -> None:
        """See `PageStore`."""
        try:
            await self._server.run(scripts.DROP_PAGE, self._keys(key))
        except SharedError as exc:
            raise PageStoreError(str(exc)) from exc

    def _keys(self, key: str) -> list[str]:
        """The page, the index of all, and their sizes."""
        own = self._server.key(self._kind, key)
        return [own, self._server.key(f"{self._kind}s", "order"), self._server.key(f"{self._kind}s", "sizes")]
