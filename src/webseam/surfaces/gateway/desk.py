"""What stands behind one token: its view of the seam, its tools, the memory of its run."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import WebError
from webseam.core.types import (
    Attempt,
    Capability,
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    SearchRequest,
    SearchResult,
    Usage,
)
from webseam.core.web import Web
from webseam.surfaces.gateway.meters import Meters
from webseam.surfaces.gateway.places import Places
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
    tools: Toolset
    run: Run
    quota: Quota
    meters: Meters
    places: Places

    async def search(self, request: SearchRequest, seconds: float | None) -> SearchResult:
        """As `Web.search`; the run learns the hits."""
        with self._place("search"):
            result = await self.web.search(request, call=self._call(seconds, self.web.settings.search_seconds))
        self.run.found(one.url for one in result.sources)
        await self._charged("search", result.attempts, result.usage)
        return result

    async def fetch(self, request: FetchRequest, seconds: float | None) -> FetchResult:
        """As `Web.fetch`; the run learns that it was shown the page."""
        with self._place("fetch"):
            page = await self.web.fetch(request, call=self._call(seconds, self.web.settings.fetch_seconds))
        self.run.read([request.url, page.url])
        self.run.found(hop.url for hop in page.redirects)
        self.meters.tried(self.holder.tenant, "fetch", page.attempts)
        return page

    async def extract(self, request: ExtractRequest, seconds: float | None) -> ExtractResult:
        """As `Web.extract`; the run learns that it was shown the page."""
        with self._place("extract"):
            result = await self.web.extract(request, call=self._call(seconds, self.web.settings.extract_seconds))
        self.run.read([request.url, result.url])
        await self._charged("extract", result.attempts, result.usage)
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
        with self.places.taken(self.holder.tenant):
            result = await self.tools.call(name, args, call=own, run=self.run, timeout=timeout)
        told = result.error if result.structured is None else result.structured
        usage = (told or {}).get("usage")
        attempts = [_attempt(one) for one in (told or {}).get("attempts", ())]
        self.meters.tried(self.holder.tenant, capability, attempts)
        await self._paid(None if usage is None else Usage(**usage))
        return result

    def definitions(self, style: str) -> list[dict[str, Any]]:
        """As `Toolset.definitions`."""
        return self.tools.definitions(style)

    def prompt(self) -> str:
        """As `Toolset.prompt`."""
        return self.tools.prompt()

    # Inside ------------------------------------------------------------------------------------------

    @contextmanager
    def _place(self, capability: Capability) -> Iterator[None]:
        """A place among the calls that run; a failure's tries are counted."""
        with self.places.taken(self.holder.tenant):
            try:
                yield
            except WebError as error:
                self.meters.tried(self.holder.tenant, capability, error.attempts)
                raise

    def _call(self, seconds: float | None, default: float) -> Call:
        limit = default if seconds is None else min(seconds, default)
        return self._tagged(Call(deadline=Deadline.after(limit, clock=self.web.clock)))

    def _tagged(self, call: Call) -> Call:
        """Named, so that no cache below takes it for another tenant's."""
        return replace(call, tags={**call.tags, "tenant": self.holder.tenant, "run": self.holder.token})

    async def _charged(self, capability: Capability, attempts: tuple[Attempt, ...], usage: Usage | None) -> None:
        self.meters.tried(self.holder.tenant, capability, attempts)
        self.run.charge(usage)
        await self._paid(usage)

    async def _paid(self, usage: Usage | None) -> None:
        self.meters.paid(self.holder.tenant, usage)
        await self.quota.paid(usage)


def _attempt(told: dict[str, Any]) -> Attempt:
    return Attempt(**told)
