"""The pages that a cache keeps: how old they are, what they may still be used for, and a store that may fail."""

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING

from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.events import CacheFailed
from webseam.core.pages import Headers, PageStore, PageStoreError, StoredPage
from webseam.core.types import CacheFacts
from webseam.net.cache_rules import conditions, confirmed, freshness, may_be_stale
from webseam.net.replies import RecordedReply, StoredReply

if TYPE_CHECKING:
    from webseam.net.answer import Answer


class KeptPages:
    """Pages in a store; one that fails is told to the call as a `CacheFailed` event, and costs it nothing else.

    Args:
        store: where pages are kept.
        stale_seconds: how long beyond its time a page may stand in for a server that cannot be asked; 0: never.
        now: seconds since 1970, for dates of servers.
    """

    def __init__(self, store: PageStore, *, stale_seconds: float, now: Callable[[], float]) -> None:
        self._store = store
        self._stale_seconds = stale_seconds
        self._now = now

    async def look(self, key: str, call: Call) -> StoredPage | None:
        """What is kept under `key`; None where the store fails, too."""
        try:
            return await self._store.get(key)
        except PageStoreError as exc:
            call.emit(CacheFailed(reason=str(exc)))
            return None

    async def put(self, key: str, page: StoredPage, call: Call) -> None:
        """Keep `page` in the place of what was there."""
        try:
            await self._store.put(key, page)
        except (PageStoreError, WebError) as exc:  # a store may refuse; an answer in hand is not lost by that
            call.emit(CacheFailed(reason=why(exc)))

    async def drop(self, key: str, call: Call) -> None:
        """Forget what is kept under `key`."""
        try:
            await self._store.drop(key)
        except (PageStoreError, WebError) as exc:
            call.emit(CacheFailed(reason=why(exc)))

    # Time ----------------------------------------------------------------------------------------------

    def is_fresh(self, page: StoredPage) -> bool:
        """Whether its server need not be asked."""
        return self._age(page) < page.lifetime

    def may_stand_in(self, page: StoredPage) -> bool:
        """Whether it may be shown where its server cannot be asked (RFC 5861 section 4)."""
        return may_be_stale(page.headers) and self._age(page) - page.lifetime < self._stale_seconds

    def is_useful(self, page: StoredPage) -> bool:
        """Whether there is a case in which it would be used."""
        return page.age < page.lifetime or bool(conditions(page.headers)) or self.may_stand_in(page)

    def reply(
        self, page: StoredPage, *, stale: bool = False, revalidated: bool = False, kept: bool = True
    ) -> StoredReply:
        """The page as an answer that says how old it is, in whole seconds."""
        age = float(int(page.age + max(0.0, self._store.clock() - page.stored_at)))
        return StoredReply(page, CacheFacts(age=age, stale=stale, revalidated=revalidated), kept=kept)

    def _age(self, page: StoredPage) -> float:
        """RFC 9111 section 4.2.3; infinite when the store's clock was put back, as nobody knows it then (R169)."""
        kept = self._store.clock() - page.stored_at
        return page.age + kept if kept >= 0 else inf

    # What to keep --------------------------------------------------------------------------------------

    def received(self, reply: RecordedReply, headers: Headers) -> StoredPage:
        """The page to keep of a reply that was read, with those of its headers that are kept."""
        fresh = freshness(reply.status, headers, requested=reply.requested, received=reply.received)
        reading = max(0.0, self._now() - reply.received)
        return StoredPage(
            status=reply.status,
            headers=headers,
            body=b"".join(reply.pieces),
            stored_at=self._store.clock(),
            age=fresh.age + reading,
            lifetime=fresh.lifetime,
            proxied=reply.proxied,
        )

    def renewed(self, page: StoredPage, answer: "Answer", requested: float) -> StoredPage:
        """The kept page with the headers of the 304 that confirms it; RFC 9111 section 4.3.4."""
        headers = confirmed(page.headers, tuple(answer.headers.items()))
        fresh = freshness(page.status, headers, requested=requested, received=self._now())
        return StoredPage(
            status=page.status,
            headers=headers,
            body=page.body,
            stored_at=self._store.clock(),
            age=fresh.age,
            lifetime=fresh.lifetime,
            proxied=answer.proxied,
        )


def why(exc: Exception) -> str:
    """The reason that a `CacheFailed` gives."""
    return exc.message if isinstance(exc, WebError) else str(exc)
