"""`Web`: the seam. Registries, one selection per call, one deadline, and the guarantees on every answer."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self, TypeVar

from webseam.core.attempts import attempt, permitted
from webseam.core.call import NEVER, Call, Dispatch
from webseam.core.checks import check_search, check_url, seconds_of
from webseam.core.controlled import controlled_search
from webseam.core.controls import check_defaults, in_force
from webseam.core.deadline import Clock, Deadline
from webseam.core.describe import Description, describe
from webseam.core.errors import Code, WebError, closed
from webseam.core.events import Emit, Selected, observed, refusals, silent
from webseam.core.gate import Gate, Once
from webseam.core.guarantees import guarantee
from webseam.core.providers import ExtractProvider, FetchProvider, Provider, SearchProvider, is_available
from webseam.core.registry import Registry
from webseam.core.routes import Member, run_fanout, run_route
from webseam.core.selection import Choice, FanOut, Route, normalise_choice, select
from webseam.core.settings import SeamSettings, ToolSettings
from webseam.core.snapshots import Snapshots
from webseam.core.tape import Tape, taped
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
from webseam.core.url import web_url

P = TypeVar("P", SearchProvider, FetchProvider, ExtractProvider)
R = TypeVar("R", SearchResult, FetchResult, ExtractResult)


class Web:
    """Web access through whichever providers are registered.

    Args:
        search: a provider id, a route (ordered ids), a `FanOut`, or None to take the only one available.
        fetch: the same for pages; no fan-out.
        extract: the same for extraction; no fan-out.
        settings: times, bounds and policy of the seam.
        gate: permission for calls that bring none of their own.
        emit: observer for calls that bring none of their own.
        clock: monotonic seconds.
        tools: what `Toolset(web)` starts from.
        snapshots: where `Toolset(web)` keeps pages; memory when None.
        known: ids that could be registered here, for the suggestion when one is misspelt.
        tape: records every call, or answers it from a recording.

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
        clock: Clock = time.monotonic,
        tools: ToolSettings | None = None,
        snapshots: Snapshots | None = None,
        known: Mapping[Capability, tuple[str, ...]] | None = None,
        tape: Tape | None = None,
    ) -> None:
        self.settings = settings or SeamSettings()
        check_defaults(self.settings.default_controls)
        self.tools = tools or ToolSettings()
        self.snapshots = snapshots
        self.tape = tape
        self.clock = clock
        self._gate = gate
        self._emit = emit
        self._known = dict(known or {})
        self._search: Registry[SearchProvider] = Registry("search")
        self._fetch: Registry[FetchProvider] = Registry("fetch")
        self._extract: Registry[ExtractProvider] = Registry("extract")
        self._choices: dict[Capability, str | Route | FanOut | None] = {
            "search": normalise_choice(search),
            "fetch": _no_fanout(normalise_choice(fetch)),
            "extract": _no_fanout(normalise_choice(extract)),
        }
        self._closing = AsyncExitStack()
        self._closed = False

    # Registration ------------------------------------------------------------------------------------

    def register_search(self, provider: SearchProvider) -> Callable[[], None]:
        """Add a search provider; returns its disposer (idempotent, removes only this registration).

        Raises:
            WebError: `WEB_DUPLICATE_PROVIDER` at once; the first registration stays.
        """
        return self._search.register(provider)

    def register_fetch(self, provider: FetchProvider) -> Callable[[], None]:
        """Add a fetch provider; as `register_search`."""
        return self._fetch.register(provider)

    def register_extract(self, provider: ExtractProvider) -> Callable[[], None]:
        """Add an extract provider; as `register_search`."""
        return self._extract.register(provider)

    # Calls -------------------------------------------------------------------------------------------

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
        with refusals("search", self._watcher(call)):
            check_search(request)
            request, configured = in_force(request, self.settings.default_controls)
        whole = self._call(call, seconds_of(timeout, self.settings.search_seconds), abort)
        whole.check("search")
        await permitted("search", request.query, whole)

        async def run(provider: SearchProvider, own: Call) -> SearchResult:
            mode = self.settings.controls
            return await controlled_search(provider, request, call=own, mode=mode, configured=configured)

        async def live(own: Call) -> SearchResult:
            choice = self._choices["search"]
            if not isinstance(choice, FanOut):
                return await self._dispatch(self._search, run, own)
            merged = await run_fanout(choice.ids, self._looker(self._search, run), own)
            return guarantee(merged, request, {})

        result = await taped(self.tape, "search", request, live, whole)
        if result.grounding == "ungrounded" and self.settings.ungrounded == "error":
            raise _ungrounded(result)
        return result

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
        with refusals("fetch", self._watcher(call)):
            check_url(request.url)
        whole = self._call(call, seconds_of(timeout, self.settings.fetch_seconds), abort)
        whole.check("fetch")
        with refusals("fetch", whole.emit):
            target = web_url(request.url)
        canonical, asked = FetchRequest(url=target.href), False
        whole = replace(whole, gate=None if whole.gate is None else Once(whole.gate))

        async def run(provider: FetchProvider, own: Call) -> FetchResult:
            nonlocal asked
            if getattr(provider, "asks_gate", False):
                return await provider.fetch(request, call=own)
            if not asked:
                await own.permit("fetch", target.href)
                asked = True
            return await provider.fetch(canonical, call=own)

        return await taped(self.tape, "fetch", canonical, lambda own: self._dispatch(self._fetch, run, own), whole)

    async def permit_fetch(self, url: str, *, final: str | None = None, call: Call | None = None) -> None:
        """Hold a page that is already here to the rules of `fetch`: URL rules and the gate, before it is shown.

        Args:
            url: as asked.
            final: where the page came from, when redirects led elsewhere.
            call: execution control, as for `fetch`.

        Raises:
            WebError: `WEB_INVALID_URL`, `WEB_BLOCKED_URL`, `WEB_DENIED`, or the call is over.
        """
        whole = self._call(call, self.settings.fetch_seconds, None)
        whole.check("fetch")
        check_url(url)
        target = web_url(url)
        await permitted("fetch", target.href, whole, kept=True)
        if final is not None and web_url(final).document != target.document:
            await permitted("redirect", web_url(final).href, whole, kept=True)

    async def extract(
        self,
        url: str | ExtractRequest,
        *,
        call: Call | None = None,
        timeout: float | None = None,
        abort: asyncio.Event | None = None,
    ) -> ExtractResult:
        """Have a page read by an extractor; see `fetch`."""
        request = url if isinstance(url, ExtractRequest) else ExtractRequest(url=url)
        with refusals("extract", self._watcher(call)):
            check_url(request.url)
        whole = self._call(call, seconds_of(timeout, self.settings.extract_seconds), abort)
        whole.check("extract")
        with refusals("extract", whole.emit):
            target = web_url(request.url)
        await permitted("extract", target.href, whole)
        canonical = ExtractRequest(url=target.href)

        async def run(provider: ExtractProvider, own: Call) -> ExtractResult:
            return await provider.extract(canonical, call=own)

        return await taped(self.tape, "extract", canonical, lambda own: self._dispatch(self._extract, run, own), whole)

    # For people --------------------------------------------------------------------------------------

    @property
    def gate(self) -> Gate | None:
        """The permission of calls that bring none of their own."""
        return self._gate

    def describe(self) -> tuple[Description, ...]:
        """The present selection of each capability, derived now; nothing is dialled and nothing is kept."""
        return (
            describe(self._search, self._choices["search"], self._known.get("search", ())),
            describe(self._fetch, self._choices["fetch"], self._known.get("fetch", ())),
            describe(self._extract, self._choices["extract"], self._known.get("extract", ())),
        )

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

    def _call(self, call: Call | None, seconds: float, abort: asyncio.Event | None) -> Call:
        """Fill in what the caller left open; a deadline in `call` wins over `seconds`."""
        self._check_open()
        if call is None:
            return Call(
                deadline=Deadline.after(seconds, clock=self.clock),
                abort=abort,
                gate=self._gate,
                emit=observed(self._emit),
            )
        deadline = Deadline.after(seconds, clock=self.clock) if call.deadline is NEVER else call.deadline
        return replace(
            call,
            deadline=deadline,
            abort=call.abort if abort is None else abort,
            gate=call.gate or self._gate,
            emit=observed(self._watcher(call)),
            dispatch=Dispatch(above=call.dispatch),
        )

    def _watcher(self, call: Call | None) -> Emit:
        """Who is told of this call."""
        return self._emit if call is None or call.emit is silent else call.emit

    async def _dispatch(self, registry: Registry[P], run: Callable[[P, Call], Awaitable[R]], call: Call) -> R:
        choice = self._choices[registry.capability]
        if isinstance(choice, Route):
            return await run_route(registry.capability, choice.ids, self._looker(registry, run), call)
        assert not isinstance(choice, FanOut)  # noqa: S101 - the constructor refuses it, search has taken its own
        present = dict(registry.items())
        picked = self._select(registry.capability, choice, present)
        provider = present[picked]
        if call.emit is not silent:
            call.emit(Selected(capability=registry.capability, provider=picked, configured=choice is not None))
        tried = await attempt(registry.capability, picked, lambda own: run(provider, own), call)
        if tried.error is not None:
            tried.error.attempts = tried.attempts
            raise tried.error
        assert tried.result is not None  # noqa: S101 - one of the two is always set
        return replace(tried.result, attempts=tried.attempts)

    def _looker(self, registry: Registry[P], run: Callable[[P, Call], Awaitable[R]]) -> Callable[[str], Member[R]]:
        """Find members of a route or fan-out at the moment each is tried."""

        def look(member: str) -> Member[R]:
            present = dict(registry.items())
            provider = present[self._select(registry.capability, member, present)]
            return lambda own: run(provider, own)

        return look

    def _select(self, capability: Capability, choice: str | None, present: Mapping[str, Provider]) -> str:
        """Pick among the providers that are present now; only those that matter are asked for their availability."""
        self._check_open()
        asked = present if choice is None else {key: one for key, one in present.items() if key == choice}
        states = {key: is_available(one) for key, one in asked.items()}
        return select(
            capability,
            choice,
            dict.fromkeys(present, False) | {key: usable for key, (usable, _) in states.items()},
            known=self._known.get(capability, ()),
            reason=states[choice][1] if choice in states else None,
        )

    def _check_open(self) -> None:
        if self._closed:
            raise closed()


def _no_fanout(choice: str | Route | FanOut | None) -> str | Route | None:
    if isinstance(choice, FanOut):
        raise WebError(Code.CONFIG_INVALID, "Only search can fan out; give fetch and extract a provider or a route.")
    return choice


def _ungrounded(result: SearchResult) -> WebError:
    return WebError(
        Code.SEARCH_UNGROUNDED,
        f"{result.provider} answered without searching the web. Ask again, or add a second provider to search.route.",
        provider=result.provider,
        dispatched=any(one.dispatched for one in result.attempts),
        attempts=result.attempts,
    )
