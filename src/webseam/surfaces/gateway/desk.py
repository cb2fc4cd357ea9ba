"""What stands behind one token: its view of the seam, its tools, the memory of its run."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Any, Final

from webseam.core.call import Call
from webseam.core.copying import changed
from webseam.core.deadline import Deadline
from webseam.core.errors import WebError
from webseam.core.snapshots import MemorySnapshots
from webseam.core.tally import Tally
from webseam.core.tracing import error_type
from webseam.core.types import Attempt, Capability, ExtractResult, FetchResult, SearchResult, Usage
from webseam.core.web import Web
from webseam.surfaces.gateway.bill import Bill
from webseam.surfaces.gateway.discretion import result_for_tenant
from webseam.surfaces.gateway.meters import Meters
from webseam.surfaces.gateway.places import Places
from webseam.surfaces.gateway.problems import Problem
from webseam.surfaces.gateway.requests import extract_request, fetch_request, search_request
from webseam.tools.booking import begun
from webseam.tools.parameters import EXTRACT, FETCH, SEARCH
from webseam.tools.result import ToolResult
from webseam.tools.run import Run
from webseam.tools.toolset import Toolset
from webseam.wiring.quotas import Quota
from webseam.wiring.tenants import Holder

CAPABILITIES: Final[dict[str, Capability]] = {SEARCH: "search", FETCH: "fetch", EXTRACT: "extract"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One token's own: nothing here is another token's.

    What is shared with others below is the same for all of them: providers, their keys and rates, open connections.
    """

    holder: Holder
    web: Web
    snapshots: MemorySnapshots
    tools: Toolset
    run: Run
    quota: Quota
    meters: Meters
    places: Places
    ledger: Bill

    async def search(self, given: Mapping[str, Any], seconds: float | None) -> SearchResult:
        """As `Web.search`; the run learns the hits."""
        try:
            with self._booked("search", seconds, self.web.settings.search_seconds) as call:
                request = search_request(given, self.web.settings)
                with self.places.taken(self.holder.tenant):
                    result = await self.web.search(request, call=call)
            self.run.found(one.url for one in result.sources)
            self._kept("search", result.cache)
            self._charged("search", result.attempts, result.usage)
        finally:
            await self._paid()
        return result

    async def fetch(self, given: Mapping[str, Any], seconds: float | None) -> FetchResult:
        """As `Web.fetch`; the run learns that it was shown the page."""
        with self._booked("fetch", seconds, self.web.settings.fetch_seconds) as call:
            request = fetch_request(given)
            with self.places.taken(self.holder.tenant):
                page = await self.web.fetch(request, call=call)
        self.run.read(dict.fromkeys((request.url, page.url)))
        if page.redirects:
            self.run.found(hop.url for hop in page.redirects)
        self.meters.tried(self.holder.tenant, "fetch", page.attempts)
        self._kept("fetch", page.cache)
        return page

    async def extract(self, given: Mapping[str, Any], seconds: float | None) -> ExtractResult:
        """As `Web.extract`; the run learns that it was shown the page."""
        try:
            with self._booked("extract", seconds, self.web.settings.extract_seconds) as call:
                request = extract_request(given)
                with self.places.taken(self.holder.tenant):
                    result = await self.web.extract(request, call=call)
            self.run.read([request.url, result.url])
            self._charged("extract", result.attempts, result.usage)
        finally:
            await self._paid()
        return result

    async def call(
        self, name: str, args: object, *, call: Call | None = None, run: Run | None = None, timeout: float | None = None
    ) -> ToolResult:
        """As `Toolset.call`, under this token's run whatever `run` says.

        Raises:
            Problem: the gateway is full or going away.
        """
        del run
        capability = CAPABILITIES.get(name, "fetch")
        own = self._tagged(Call() if call is None else call)
        try:
            with self._refused(name, own), self.places.taken(self.holder.tenant):
                result = await self.tools.call(name, args, call=own, run=self.run, timeout=timeout)
        finally:
            await self._paid()
        told = result.error if result.structured is None else result.structured
        attempts = [_attempt(one) for one in (told or {}).get("attempts", ())]
        self.meters.tried(self.holder.tenant, capability, attempts)
        self._kept(capability, (told or {}).get("cache"))
        return result if self.holder.policy.admin else result_for_tenant(result)

    def definitions(self, style: str) -> list[dict[str, Any]]:
        """As `Toolset.definitions`."""
        return self.tools.definitions(style)

    def prompt(self) -> str:
        """As `Toolset.prompt`."""
        return self.tools.prompt()

    # Inside ------------------------------------------------------------------------------------------

    def _booked(self, capability: Capability, seconds: float | None, default: float) -> "_Booked":
        """A call with its one entry in the record, however it ends: also where the seam never hears of it.

        A failure's tries are counted.
        """
        tags = self._tags({})
        tally = Tally(self.ledger, capability, tags, gated=False)
        limit = default if seconds is None else min(seconds, default)
        call = Call(deadline=Deadline.after(limit, clock=self.web.clock), tags=tags, tally=tally)
        return _Booked(call, tally, partial(self.meters.tried, self.holder.tenant, capability))

    @contextmanager
    def _refused(self, name: str, call: Call) -> Iterator[None]:
        """An entry for a tool call that finds no place: the tools, which write all others, do not hear of it."""
        tally = begun(self.ledger, name, CAPABILITIES, call)
        try:
            yield
        except Problem as problem:
            tally.end(problem.code)
            raise

    def _tagged(self, call: Call) -> Call:
        return changed(call, tags=self._tags(call.tags))

    def _tags(self, tags: Mapping[str, str]) -> dict[str, str]:
        """Named, so that no cache below takes it for another tenant's."""
        return {**tags, "tenant": self.holder.tenant, "run": self.holder.token}

    def _kept(self, capability: Capability, facts: object) -> None:
        if facts is not None:
            self.meters.kept(self.holder.tenant, capability)

    def _charged(self, capability: Capability, attempts: tuple[Attempt, ...], usage: Usage | None) -> None:
        self.meters.tried(self.holder.tenant, capability, attempts)
        self.run.charge(usage)

    async def _paid(self) -> None:
        """Have the tenant's budget hear of every cost that an entry tells, however its call ended."""
        if not self.ledger.is_owed:
            return
        owed = self.ledger.taken()
        for usage in owed:
            self.meters.paid(self.holder.tenant, usage)
        for usage in owed:
            await self.quota.paid(usage)


class _Booked:
    """A call that is in the record once it is left; a class, because every call pays for it."""

    __slots__ = ("_call", "_tally", "_tried")

    def __init__(self, call: Call, tally: Tally, tried: Callable[[Iterable[Attempt]], None]) -> None:
        self._call = call
        self._tally = tally
        self._tried = tried

    def __enter__(self) -> Call:
        return self._call

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if error is None:
            self._tally.end(None)
            return
        if isinstance(error, WebError):
            self._tried(error.attempts)
        self._tally.end(error.code if isinstance(error, Problem) else error_type(error))


def _attempt(told: dict[str, Any]) -> Attempt:
    return Attempt(**told)
