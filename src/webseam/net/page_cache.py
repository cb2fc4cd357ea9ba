"""The page cache between a fetcher and its client: a private cache (RFC 9111) over whichever store it is given."""

import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.events import CacheFailed
from webseam.core.leading import Leading, Led
from webseam.core.limits import URLS_REMEMBERED
from webseam.core.pages import PageStore, StoredPage
from webseam.core.shared import SharedError
from webseam.core.types import FetchResult, PdfBody
from webseam.core.url import Url
from webseam.net.cache_rules import (
    NOT_MODIFIED,
    conditions,
    confirms,
    is_server_fault,
    kept_headers,
    storable,
)
from webseam.net.kept_pages import KeptPages, why
from webseam.net.replies import Outcome, RecordedReply, Reply

if TYPE_CHECKING:
    from webseam.net.answer import Answer

    Ask: TypeAlias = Callable[[Mapping[str, str]], Awaitable[Answer]]

_UNREACHED: Final = frozenset({str(Code.PROVIDER_ERROR), str(Code.FETCH_TIMEOUT)})
"""How a server that cannot be asked shows (RFC 5861 section 4); a refusal of ours is no reason for a stale page."""
_NOT_WHOLE: Final = frozenset({"incomplete", "partial_content", "bot_challenge"})


class _Flight:
    """One request to a server that other calls for the same page wait for."""

    def __init__(self, end: Callable[[], object]) -> None:
        self._end = end
        self.led: Led | None = None
        self.outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

    def finish(self, outcome: Outcome) -> None:
        """Let those who wait go on; only the first call counts."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)
            self._end()
            if self.led is not None:
                self.led.end(outcome)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked for, by whom, and what is known of it."""

    key: str
    call: Call
    ask: "Ask"
    page: StoredPage | None


class PageCache:
    """Answers from a store while they are fresh, asks their servers again when not, and keeps what they say.

    A failing store is told as a `CacheFailed` event, and the fetch goes on without it. Calls of one event loop for the
    same page wait for one request.

    Args:
        store: where pages are kept.
        scope: everything besides the URL that shapes an answer or decides whether it may be had: the request's headers
            and the policy. Pages of one scope are never seen in another.
        leading: other processes that use this store, with whom a page is asked for once; None: there are none.
        stale_seconds: how long beyond its time a page may stand in for a server that cannot be asked; 0: never.
        now: seconds since 1970, for dates of servers.
    """

    def __init__(
        self,
        store: PageStore,
        *,
        scope: Mapping[str, Any],
        leading: Leading | None = None,
        stale_seconds: float = 0.0,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._pages = KeptPages(store, stale_seconds=stale_seconds, now=now)
        self._scope = hashlib.sha256(json.dumps(scope, sort_keys=True).encode())
        self._leading = leading
        self._now = now
        self._key = lru_cache(URLS_REMEMBERED)(self._digest)
        self._flights: dict[tuple[asyncio.AbstractEventLoop, str], _Flight] = {}

    async def send(self, url: Url, call: Call, ask: "Ask") -> Reply:
        """The answer to a GET for `url`, kept or fresh; the caller closes it.

        Args:
            url: judged and permitted by the caller.
            call: whose deadline bounds this.
            ask: sends the request with these headers besides the usual ones.

        Raises:
            WebError: what `ask` raises.
        """
        key = self._key(url.document, call.tags.get("tenant", ""))
        page = await self._pages.look(key, call)
        if page is not None and self._pages.is_fresh(page):
            return self._pages.reply(page)
        place = asyncio.get_running_loop(), key
        while page is None or not self._pages.is_fresh(page):
            flight = self._flights.get(place)
            if flight is None:
                return await self._lead(place, _Asked(key, call, ask, page))
            outcome = await asyncio.shield(flight.outcome)
            page = await self._pages.look(key, call)
            if outcome == "answered" and (page is None or not self._pages.is_fresh(page)):
                return await self._request(_Asked(key, call, ask, page), _Flight(lambda: None))
        return self._pages.reply(page)

    async def keep(self, reply: Reply, call: Call, page: FetchResult | None) -> None:
        """Keep what a reply was, once it is read to its end and made into `page`; a redirect has none."""
        if not isinstance(reply, RecordedReply):
            return
        whole = page is None or (reply.ended() and _is_whole(page))
        headers = kept_headers(reply.headers.items())
        stored = self._pages.received(reply, headers)
        if reply.led is not None and not await self._still_leads(reply.led, call):
            return  # another process asked anew meanwhile, and knows better
        if whole and storable(reply.status, headers) and self._pages.is_useful(stored):
            await self._pages.put(reply.key, stored, call)
        elif reply.replaces and not is_server_fault(reply.status):
            await self._pages.drop(reply.key, call)

    async def superseded(self, reply: Reply, call: Call, refused: WebError) -> None:
        """Forget what was kept, where a reply that was refused is its server's word; a failure on the way is none."""
        is_word = refused.code not in _UNREACHED and not is_server_fault(reply.status)
        if isinstance(reply, RecordedReply) and reply.replaces and is_word:
            await self._pages.drop(reply.key, call)

    def _digest(self, document: str, tenant: str) -> str:
        """The page without its fragment (R168), in this scope (R167) and for this tenant (R207).

        A digest, which tells nobody what was read.
        """
        digest = self._scope.copy()
        if tenant:
            digest.update(f"{tenant}\n".encode())
        digest.update(document.encode())
        return digest.hexdigest()

    # Asking --------------------------------------------------------------------------------------------

    async def _lead(self, place: tuple[asyncio.AbstractEventLoop, str], asked: _Asked) -> Reply:
        flight = self._flights[place] = _Flight(lambda: self._flights.pop(place, None))
        try:
            return await (self._request(asked, flight) if self._leading is None else self._with_others(asked, flight))
        except asyncio.CancelledError:
            flight.finish("given up")
            raise
        except BaseException:
            flight.finish("answered")
            raise

    async def _with_others(self, asked: _Asked, flight: _Flight) -> Reply:
        """As other processes do: whoever leads asks, and the others look at what is kept then."""
        flight.led = await self._entered(asked)
        page = await self._pages.look(asked.key, asked.call)
        if page is not None and self._pages.is_fresh(page):
            return self._done(flight, self._pages.reply(page))
        return await self._request(replace(asked, page=page), flight)

    async def _entered(self, asked: _Asked) -> Led | None:
        assert self._leading is not None  # noqa: S101 - asked by the caller
        try:
            return await self._leading.enter(asked.key)
        except SharedError as exc:
            asked.call.emit(CacheFailed(reason=str(exc)))
            return None

    async def _request(self, asked: _Asked, flight: _Flight) -> Reply:
        """Ask the server, with conditions where a page is kept."""
        page = asked.page
        terms = {} if page is None else conditions(page.headers)
        requested = self._now()
        try:
            answer = await asked.ask(terms)
        except WebError as exc:
            if exc.code in _UNREACHED and page is not None and self._pages.may_stand_in(page):
                return self._done(flight, self._pages.reply(page, stale=True))
            raise
        if page is not None and answer.status == NOT_MODIFIED and terms:
            answer.close()
            if confirms(page.headers, kept_headers(answer.headers.items())):
                return self._done(flight, await self._confirm(asked, page, answer, requested))
            requested = self._now()
            answer = await asked.ask({})
        elif page is not None and is_server_fault(answer.status) and self._pages.may_stand_in(page):
            answer.close()
            return self._done(flight, self._pages.reply(page, stale=True))
        return RecordedReply(
            answer,
            flight.finish,
            key=asked.key,
            requested=requested,
            received=self._now(),
            replaces=page is not None,
            led=flight.led,
        )

    def _done(self, flight: _Flight, reply: Reply) -> Reply:
        flight.finish("answered")
        return reply

    async def _confirm(self, asked: _Asked, page: StoredPage, answer: "Answer", requested: float) -> Reply:
        """What a 304 confirms, which is kept anew where it may be."""
        renewed = self._pages.renewed(page, answer, requested)
        kept = storable(renewed.status, renewed.headers)
        if kept:
            await self._pages.put(asked.key, renewed, asked.call)
        else:
            await self._pages.drop(asked.key, asked.call)
        return self._pages.reply(renewed, revalidated=True, kept=kept)

    async def _still_leads(self, led: Led, call: Call) -> bool:
        try:
            return await led.holds()
        except (SharedError, WebError) as exc:
            call.emit(CacheFailed(reason=why(exc)))
            return False


def _is_whole(page: FetchResult) -> bool:
    """Whether the page is all that its server means it to be; a bot challenge is meant for one visit (R170)."""
    cut = page.truncated and not isinstance(page.body, PdfBody)  # a part of a PDF cannot be read: it has come whole
    return not cut and _NOT_WHOLE.isdisjoint(note.code for note in page.notes)
