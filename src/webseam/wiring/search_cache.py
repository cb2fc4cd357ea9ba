"""Answers to searches kept for a short while, under everything that was asked and by whom (R169, R170)."""

import asyncio
import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from webseam.core.call import Call, aborted, timed_out
from webseam.core.deadline import Bounded
from webseam.core.errors import Code, WebError
from webseam.core.events import CacheAnswered, CacheFailed
from webseam.core.guarantees import guarantee
from webseam.core.leading import Leading, Led
from webseam.core.limits import SEARCH_FALLBACK_SECONDS
from webseam.core.pages import PageStore, PageStoreError, StoredPage
from webseam.core.plain import to_plain
from webseam.core.shared import FlightEnd, SharedError
from webseam.core.tape import Asked
from webseam.core.types import CacheFacts, SearchRequest, SearchResult, Usage
from webseam.stores.codec import from_plain
from webseam.wiring.inside import Live
from webseam.wiring.recording import Choices, call_of

TENANT: Final = "tenant"
"""The tag of a call that parts what is kept."""
_VERSION: Final = 1  # of what is kept; another version's answers are never found
_OWN_END: Final = frozenset({str(Code.ABORTED), str(Code.SEARCH_TIMEOUT)})


class SearchCache:
    """A layer that answers a search from a store, and keeps what the providers answer.

    A store that cannot be used is told as a `CacheFailed` event, and the search goes on without it. Equal searches at
    once are one, in this process and, with `leading`, in all that share the store.

    Args:
        store: where answers are kept.
        choices: what the configuration names.
        scope: everything besides the question that shapes an answer, such as the options of providers.
        seconds: how long an answer is used.
        leading: takes part in the flights of other processes.
    """

    def __init__(
        self,
        store: PageStore,
        *,
        choices: Choices,
        scope: Mapping[str, Any],
        seconds: float,
        leading: Leading | None = None,
    ) -> None:
        self._store = store
        self._choices = choices
        self._scope = scope
        self._seconds = seconds
        self._leading = leading
        self._flights: dict[str, asyncio.Future[FlightEnd]] = {}

    async def __call__(self, asked: Asked, live: Live, call: Call, /) -> Any:
        """See `Layer`; only searches without `raw` are kept."""
        if not isinstance(asked.request, SearchRequest) or asked.raw:
            return await live(call)
        return await self._answered(asked.request, self._key(asked, call), live, call)

    def _key(self, asked: Asked, call: Call) -> str:
        """A digest, which tells nobody what was asked."""
        parts = {
            "version": _VERSION,
            "asked": call_of(asked, self._choices),
            "model": None if call.model is None else call.model.base_url,
            "tenant": call.tags.get(TENANT),
            "scope": self._scope,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True, default=repr).encode()).hexdigest()

    async def _answered(self, request: SearchRequest, key: str, live: Live, call: Call) -> SearchResult:
        found = await _in_time(self._kept_or_led(request, key, call), call)
        if isinstance(found, SearchResult):
            call.emit(CacheAnswered(capability="search", age=0.0 if found.cache is None else found.cache.age))
            if found.content is not None:
                call.tell(found.content)
            return found
        how: FlightEnd = "given up"
        own, borrowed = _lending(call)
        try:
            result: SearchResult = await live(own)
            if not borrowed:
                await self._keep(key, result, found, call)
            how = "answered"
        except WebError as error:  # whoever waits asks for itself, unless this call's own time was over
            how = "given up" if error.code in _OWN_END else "answered"
            raise
        finally:
            found.end(how)
        return result

    async def _kept_or_led(self, request: SearchRequest, key: str, call: Call) -> "SearchResult | _Flight":
        """What is kept, or the lead in asking; where an answer could not be kept, everybody asks for itself."""
        while (kept := await self._look(request, key, call)) is None:
            waited = self._flights.get(key)
            if waited is None:
                return await self._lead(request, key, call)
            if await asyncio.shield(waited) == "answered":
                return await self._look(request, key, call) or _Flight()
        return kept

    async def _lead(self, request: SearchRequest, key: str, call: Call) -> "SearchResult | _Flight":
        own = self._flights[key] = asyncio.get_running_loop().create_future()
        flight = _Flight(self._flights, key, own)
        if self._leading is None:
            return flight
        try:
            flight.led = await self._leading.enter(key)
            kept = await self._look(request, key, call)
        except SharedError as exc:
            call.emit(CacheFailed(reason=str(exc)))
            return flight
        except BaseException:
            flight.end("given up")
            raise
        if kept is None:
            return flight
        flight.end("answered")
        return kept

    # The store -----------------------------------------------------------------------------------------

    async def _look(self, request: SearchRequest, key: str, call: Call) -> SearchResult | None:
        try:
            page = await self._store.get(key)
        except PageStoreError as exc:
            call.emit(CacheFailed(reason=str(exc)))
            return None
        age = 0.0 if page is None else self._store.clock() - page.stored_at
        if page is None or not 0 <= age < page.lifetime:  # below 0 its clock was put back, and nobody knows (R169)
            return None
        return _read(page.body, request, age)

    async def _keep(self, key: str, result: SearchResult, flight: "_Flight", call: Call) -> None:
        seconds = kept_seconds(result, self._seconds)
        if seconds <= 0:
            return
        page = StoredPage(
            status=200, headers=(), body=_written(result), stored_at=self._store.clock(), lifetime=seconds
        )
        try:
            if flight.led is None or await flight.led.holds():
                await self._store.put(key, page)
        except (PageStoreError, SharedError) as exc:
            call.emit(CacheFailed(reason=str(exc)))
        except WebError as exc:  # a store may refuse; an answer in hand is not lost by that
            call.emit(CacheFailed(reason=exc.message))


class _Flight:
    """One search that others may wait for; without arguments, one that nobody waits for."""

    def __init__(
        self,
        flights: "dict[str, asyncio.Future[FlightEnd]] | None" = None,
        key: str = "",
        own: "asyncio.Future[FlightEnd] | None" = None,
    ) -> None:
        self._flights = flights or {}
        self._key = key
        self._own = own
        self.led: Led | None = None

    def end(self, how: FlightEnd) -> None:
        """Let those who wait go on."""
        if self._own is not None and not self._own.done():
            self._own.set_result(how)
            self._flights.pop(self._key, None)
        if self.led is not None:
            self.led.end(how)


def _lending(call: Call) -> tuple[Call, list[bool]]:
    """The call, and a list that is filled when its model's credentials are used: what they open is nobody else's."""
    borrowed: list[bool] = []
    if call.model is None or call.model.auth is None:
        return call, borrowed
    resolve = call.model.auth

    async def auth() -> str:
        borrowed.append(True)
        return await resolve()

    return replace(call, model=replace(call.model, auth=auth)), borrowed


def kept_seconds(result: SearchResult, seconds: float) -> float:
    """How long an answer is used again; 0 for one that is not good enough to be asked for only once."""
    empty = not result.sources and not result.content
    broken_off = result.truncated and result.content is not None
    if result.grounding != "searched" or empty or broken_off or result.raw is not None:
        return 0.0
    answered = {one.provider for one in result.attempts if one.outcome == "ok"}
    stands_in = any(one.outcome != "ok" and one.provider not in answered for one in result.attempts)
    return min(seconds, SEARCH_FALLBACK_SECONDS) if stands_in else seconds


def _written(result: SearchResult) -> bytes:
    """The answer without what belongs to the call that got it: its tries, its cost, its notes."""
    return json.dumps(to_plain(replace(result, attempts=(), usage=None, cache=None, notes=()))).encode()


def _read(body: bytes, request: SearchRequest, age: float) -> SearchResult | None:
    """The answer, held to the guarantees anew: others may write where it was kept. None for one that is damaged."""
    try:
        plain = from_plain(SearchResult, json.loads(body))
    except (ValueError, RecursionError):
        return None
    whole = replace(plain, attempts=(), usage=Usage(calls=0), cache=CacheFacts(age=float(int(age))), notes=())
    return guarantee(whole, request, {}, raw=False)


async def _in_time(work: Any, call: Call) -> Any:
    """`work` within the time of the call.

    Raises:
        WebError: the time is over, or the caller has aborted.
    """
    scope = Bounded(call.deadline, call.abort)
    try:
        async with scope:
            return await work
    except TimeoutError as exc:
        if not scope.fired:
            raise
        if call.aborted:
            raise aborted(dispatched=call.dispatch.sent) from exc
        raise timed_out("search", dispatched=call.dispatch.sent) from exc
