"""The metrics: how long steps take, what they cost, what the cache saved, what was refused."""

from math import isfinite
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from webseam.core.errors import Code
from webseam.core.tracing import HttpStep, Outcome, ProviderStep, Step, ToolStep
from webseam.core.types import CacheFacts
from webseam.wiring import telemetry_names as names

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter

Attributes: TypeAlias = dict[str, str | int | float]

_REFUSED: Final = frozenset(
    map(
        str,
        (
            Code.INVALID_URL,
            Code.BLOCKED_URL,
            Code.REDIRECT_BLOCKED,
            Code.ROBOTS_DISALLOWED,
            Code.OFFLINE,
        ),
    )
)
"""Refusals by whoever was to do it; those of the seam and of the gate are told as they happen."""


class Meters:
    """Instruments of one meter."""

    __slots__ = ("_cache", "_cost", "_http", "_provider", "_refusals", "_tool")

    def __init__(self, meter: "Meter") -> None:
        slow, fast = list(names.SLOW_BOUNDS), list(names.DURATION_BOUNDS)
        self._tool = meter.create_histogram(
            names.TOOL_DURATION, "s", "Time of tool calls.", explicit_bucket_boundaries_advisory=slow
        )
        self._provider = meter.create_histogram(
            names.PROVIDER_DURATION, "s", "Time of tries at providers.", explicit_bucket_boundaries_advisory=slow
        )
        self._http = meter.create_histogram(
            names.HTTP_DURATION, "s", "Time of HTTP requests.", explicit_bucket_boundaries_advisory=fast
        )
        self._cost = meter.create_counter(names.PROVIDER_COST, "1", "What providers said they charge, by currency.")
        self._cache = meter.create_counter(names.CACHE_HITS, "{page}", "Pages that were answered from the page cache.")
        self._refusals = meter.create_counter(names.REFUSALS, "{refusal}", "Queries and URLs that were refused.")

    def refused(self, code: str, kind: str) -> None:
        """A query or URL was refused before any request."""
        self._refusals.add(1, {names.ERROR_TYPE: code, names.CAPABILITY: kind})

    def ended(self, step: Step, outcome: Outcome, fault: str | None, seconds: float) -> None:
        """A step took so long, and ended so."""
        failed: Attributes = {} if fault is None else {names.ERROR_TYPE: fault}
        match step:
            case ToolStep():
                named: Attributes = {} if step.name is None else {names.TOOL_NAME: step.name}
                self._tool.record(seconds, {names.OPERATION: names.EXECUTE_TOOL, **named, **failed})
            case ProviderStep():
                self._tried(step, outcome, seconds, failed)
            case HttpStep():
                place: Attributes = {names.SERVER: step.host, names.PORT: step.port} if step.to_vendor else {}
                status: Attributes = {} if outcome.status_code is None else {names.STATUS: outcome.status_code}
                self._http.record(seconds, {names.METHOD: step.method, **place, **status, **failed})
            case _:
                assert_never(step)

    def _tried(self, step: ProviderStep, outcome: Outcome, seconds: float, failed: Attributes) -> None:
        tried: Attributes = {names.PROVIDER: step.provider, names.CAPABILITY: step.capability}
        self._provider.record(seconds, tried | failed)
        if outcome.error in _REFUSED and not step.nested:
            self.refused(outcome.error, step.capability)
        if outcome.cache is not None:
            self._cache.add(1, {names.PROVIDER: step.provider, names.CACHE: cache_state(outcome.cache)})
        usage = outcome.usage
        cost = None if usage is None else number(usage.cost)
        if usage is not None and cost is not None:
            self._cost.add(cost, tried | {names.CURRENCY: word(usage.currency) or "unknown"})


def number(value: object) -> int | float | None:
    """A count or an amount, as a vendor or a plugin gave it, where it can be one."""
    return value if isinstance(value, int | float) and isfinite(value) and value >= 0 else None


def word(value: object) -> str | None:
    """A name as a vendor or a plugin gave it, where it is one."""
    return value if isinstance(value, str) else None


def cache_state(cache: CacheFacts) -> str:
    """How a kept page was used."""
    if cache.stale:
        return "stale"
    return "revalidated" if cache.revalidated else "fresh"
