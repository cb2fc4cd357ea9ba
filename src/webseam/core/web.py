"""`Web`: the seam. Registries, one selection per call, one deadline, and the guarantees on every answer."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self

from webseam.core.attempts import permit_elsewhere, permit_kept, permitted
from webseam.core.call import Call
from webseam.core.callers import Callers
from webseam.core.checks import check_search, check_url, seconds_of
from webseam.core.controls import check_defaults, in_force
from webseam.core.copying import changed
from webseam.core.deadline import Clock
from webseam.core.describe import Description
from webseam.core.errors import closed
from webseam.core.events import Emit, refusals, silent
from webseam.core.gate import Gate, Granted, Once
from webseam.core.guarantees import Judge, anywhere, ungrounded
from webseam.core.ledger import Ledger
from webseam.core.page_calls import extracted, fetched
from webseam.core.providers import ExtractProvider, FetchProvider, SearchProvider
from webseam.core.registries import Registries
from webseam.core.search_calls import searched
from webseam.core.selection import Choice, normalise_choice, without_fanout
from webseam.core.settings import SeamSettings, ToolSettings
from webseam.core.snapshots import Snapshots
from webseam.core.tally import asked_of, booked
from webseam.core.tape import Tape, taped
from webseam.core.tracing import Trace, Tracer
from webseam.core.types import (
    NO_CONTROLS,
    Capability,
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    SearchControls,
    SearchRequest,
    SearchResult,
)
from webseam.core.url import Url, web_url


class Web:
    """Web access through whichever providers are registered.

    Args:
        search: a provider id, a route (ordered ids), a `FanOut`, or None to take the only one available.
        fetch: the same for pages; no fan-out.
        extract: the same for extraction; no fan-out.
        settings: times, bounds and policy of the seam.
        gate: permission for calls that bring none of their own.
        emit: observer for calls that bring none of their own.
        watch: stands around every observer, a call's own too; what it makes of nobody (`silent`) may listen as well.
        tracer: follows every call.
        ledger: gets an entry of every call; what is a part of a tool call is in that call's.
        overhear: gets each token of a host's model that a call brings, so that it can be kept from observers.
        clock: monotonic seconds.
        tools: what `Toolset(web)` starts from.
        snapshots: where `Toolset(web)` keeps pages; memory when None.
        known: ids that could be registered here, for the suggestion when one is misspelt.
        tape: records every call, or answers it from a recording.
        judge: raises for a page that is not to be reached, by its host and port: no provider is told of it, and none
            may bring it back. Addresses behind names are the fetcher's own matter.

    Safe for concurrent use within one event loop; registrations may come and go while calls run.
    """

    def __init__(
        self,
        *,
        search: Choice = None,
        fetch: Choice = None,
        extract: Choice = None,
        settings: SeamSettings | None = None,
        gate: Gate | None = None,
        emit: Emit = silent,
        watch: Callable[[Emit], Emit] | None = None,
        tracer: Tracer | None = None,
        ledger: Ledger | None = None,
        overhear: Callable[[str], object] | None = None,
        clock: Clock = time.monotonic,
        tools: ToolSettings | None = None,
        snapshots: Snapshots | None = None,
        known: Mapping[Capability, tuple[str, ...]] | None = None,
        tape: Tape | None = None,
        judge: Judge = anywhere,
    ) -> None:
        self.settings = settings or SeamSettings()
        check_defaults(self.settings.default_controls)
        self.tools = tools or ToolSettings()
        self.snapshots = snapshots
        self.tape = tape
        self._judge = judge
        self.clock = clock
        self.tracer = tracer
        self.ledger = ledger
        self._callers = Callers(gate=gate, emit=emit, watch=watch, overhear=overhear, clock=clock)
        self._registries = Registries(
            choices={
                "search": normalise_choice(search),
                "fetch": without_fanout(normalise_choice(fetch)),
                "extract": without_fanout(normalise_choice(extract)),
            },
            known=dict(known or {}),
        )
        self._closing = AsyncExitStack()
        self._closed = False

    # Registration ------------------------------------------------------------------------------------

    def register_search(self, provider: SearchProvider) -> Callable[[], None]:
        """Add a search provider; returns its disposer (idempotent, removes only this registration).

        Raises:
            WebError: `WEB_DUPLICATE_PROVIDER` at once; the first registration stays.
        """
        return self._registries.search.register(provider)

    def register_fetch(self, provider: FetchProvider) -> Callable[[], None]:
        """Add a fetch provider; as `register_search`."""
        return self._registries.fetch.register(provider)

    def register_extract(self, provider: ExtractProvider) -> Callable[[], None]:
        """Add an extract provider; as `register_search`."""
        return self._registries.extract.register(provider)

    # Calls -------------------------------------------------------------------------------------------

    @booked("search")
    async def search(
        self,
        query: str | SearchRequest,
        *,
        max_results: int | None = None,
        controls: SearchControls = NO_CONTROLS,
        call: Call | None = None,
        timeout: float | None = None,
        abort: asyncio.Event | None = None,
    ) -> SearchResult:
        """Search once, by the configured provider, route or fan-out.

        Args:
            query: the question, or a whole request (then `max_results` and `controls` are the request's).
            max_results: at most so many sources; the configured default when None.
            controls: limits on the search.
            call: execution control; its deadline wins over `timeout`.
            timeout: seconds for the whole call, fallbacks included; the configured default when None.
            abort: ends the call with `WEB_ABORTED` when set.

        Raises:
            WebError: see `Code`; the result itself says when an answer is not backed by a search.
        """
        request = query
        if not isinstance(request, SearchRequest):
            bound = self.settings.max_results if max_results is None else max_results
            request = SearchRequest(query=request, max_results=bound, controls=controls)
        with refusals("search", self._callers.watcher(call), self.tracer):
            check_search(request)
            request, configured = in_force(request, self.settings.default_controls)
        whole = self._call(call, request, seconds_of(timeout, self.settings.search_seconds), abort)
        whole.check("search")
        await permitted("search", request.query, whole)

        def live(own: Call) -> Awaitable[SearchResult]:
            offer = self._registries.offer(self._registries.search, self._check_open)
            return searched(offer, request, own, mode=self.settings.controls, configured=configured)

        result = await taped(self.tape, "search", request, live, whole)
        if result.grounding == "ungrounded" and self.settings.ungrounded == "error":
            raise ungrounded(result)
        return result

    @booked("fetch")
    async def fetch(
        self,
        url: str | FetchRequest,
        *,
        call: Call | None = None,
        timeout: float | None = None,
        abort: asyncio.Event | None = None,
    ) -> FetchResult:
        """Fetch one page. Any HTTP status is a result; see `search` for the arguments.

        The URL is checked before a provider sees it: at most 2,048 code points, http(s), no credentials.

        Raises:
            WebError: see `Code`.
        """
        request = url if isinstance(url, FetchRequest) else FetchRequest(url=url)
        seconds = seconds_of(timeout, self.settings.fetch_seconds)
        whole, target = self._page_call("fetch", request, call, seconds, abort)
        if self.tape is None and whole.emit is silent:  # nobody listens: as `taped`, without its price
            return await self._fetched(request, target, whole)
        canonical = request if request.url == target.href else FetchRequest(url=target.href)
        return await taped(self.tape, "fetch", canonical, lambda own: self._fetched(request, target, own), whole)

    async def page_for(self, url: str, *, call: Call) -> FetchResult:
        """A page for a provider of this `Web` that is to read it: as `fetch`, but a part of that provider's own call.

        That call is what is recorded, and what the gate was asked about: it is asked about redirects alone.
        """
        target = web_url(url)
        request = FetchRequest(url=target.href)
        gate = None if call.gate is None else Granted(call.gate, target.href)
        trace = None if call.trace is None else Trace(call.trace.tracer, request, nested=True)
        page = await self._fetched(request, target, replace(call.attempt(), gate=gate, trace=trace))
        if call.tally is not None:
            call.tally.received(page)
        return page

    def _fetched(self, request: FetchRequest, target: Url, call: Call) -> Awaitable[FetchResult]:
        offer = self._registries.offer(self._registries.fetch, self._check_open)
        return fetched(offer, request, target, call, judge=self._judge)

    async def permit_fetch(self, url: str, *, final: str | None = None, call: Call | None = None) -> None:
        """Hold a page that is already here to the rules of `fetch`: URL rules and the gate, before it is shown.

        Args:
            url: as asked.
            final: where the page came from, when redirects led elsewhere.
            call: execution control, as for `fetch`.

        Raises:
            WebError: `WEB_INVALID_URL`, `WEB_BLOCKED_URL`, `WEB_DENIED`, or the call is over.
        """
        whole = self._call(call, FetchRequest(url=url), self.settings.fetch_seconds, None)
        asked_of(whole, url)
        await permit_kept("fetch", url, final, whole)

    async def permit_extract(self, url: str, *, final: str | None = None, call: Call | None = None) -> None:
        """The same for a page that was extracted."""
        whole = self._call(call, ExtractRequest(url=url), self.settings.extract_seconds, None)
        asked_of(whole, url)
        await permit_kept("extract", url, final, whole)

    @booked("extract")
    async def extract(
        self,
        url: str | ExtractRequest,
        *,
        call: Call | None = None,
        timeout: float | None = None,
        abort: asyncio.Event | None = None,
    ) -> ExtractResult:
        """Have a page read by an extractor; see `fetch`.

        Rules and gate as for `fetch`; the gate is also asked about the page that the extractor ended on. A page without
        text is an error, never an empty result.
        """
        request = url if isinstance(url, ExtractRequest) else ExtractRequest(url=url)
        seconds = seconds_of(timeout, self.settings.extract_seconds)
        whole, target = self._page_call("extract", request, call, seconds, abort)
        await permitted("extract", target.href, whole)

        def live(own: Call) -> Awaitable[ExtractResult]:
            offer = self._registries.offer(self._registries.extract, self._check_open)
            return extracted(offer, target, own, judge=self._judge)

        result = await taped(self.tape, "extract", ExtractRequest(url=target.href), live, whole)
        await permit_elsewhere(result.url, target, whole, attempts=result.attempts)
        return result

    # For people --------------------------------------------------------------------------------------

    @property
    def gate(self) -> Gate | None:
        """The permission of calls that bring none of their own."""
        return self._callers.gate

    def describe(self) -> tuple[Description, ...]:
        """The present selection of each capability, derived now; nothing is dialled and nothing is kept.

        A recording that answers in place of all providers has no error of them: a call would not get it.
        """
        found = self._registries.describe()
        replays = self.tape is not None and self.tape.replays
        return tuple(replace(one, error=None) for one in found) if replays else found

    # Life --------------------------------------------------------------------------------------------

    def at_close(self, close: Callable[[], Awaitable[None]]) -> None:
        """Run `close` when this `Web` closes; the last one added runs first."""
        self._closing.push_async_callback(close)

    async def aclose(self) -> None:
        """Close what was built for this `Web`; idempotent.

        A call that runs meanwhile ends in a `WebError`, and so does every later one: nothing is opened anew.
        """
        self._closed = True
        await self._closing.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # Inside ------------------------------------------------------------------------------------------

    def _call(
        self,
        call: Call | None,
        request: SearchRequest | FetchRequest | ExtractRequest,
        seconds: float,
        abort: asyncio.Event | None,
    ) -> Call:
        """See `Callers.whole`; a `Web` that is closed begins nothing."""
        self._check_open()
        return self._callers.whole(call, request, seconds, abort, self.tracer)

    def _page_call(
        self,
        capability: Capability,
        request: FetchRequest | ExtractRequest,
        call: Call | None,
        seconds: float,
        abort: asyncio.Event | None,
    ) -> tuple[Call, Url]:
        """The call for a page, and its URL once it is known to be one; a refusal is told to whoever watches."""
        with refusals(capability, self._callers.watcher(call), self.tracer):
            check_url(request.url)
        whole = self._call(call, request, seconds, abort)
        whole.check(capability)
        with refusals(capability, whole.emit, self.tracer):
            target = web_url(request.url)
        return whole if whole.gate is None else changed(whole, gate=Once(whole.gate)), target

    def _check_open(self) -> None:
        if self._closed:
            raise closed()
