"""What Prometheus reads: counts without queries, URLs or tokens, in registries of their own."""

from collections.abc import Iterable
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from webseam.core.types import Attempt, Usage
from webseam.core.version import VERSION

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
_SECONDS: Final = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Meters:
    """The counters of one gateway.

    What tells of tenants, also by sums over them, is for operators alone: of two tenants each would see the other.
    """

    def __init__(self) -> None:
        self._public = CollectorRegistry(auto_describe=True)
        self._whole = CollectorRegistry(auto_describe=True)
        for registry in (self._public, self._whole):
            Info("webseam_build", "The version that runs.", registry=registry).info({"version": VERSION})
        own = self._whole
        self._requests = Counter("webseam_requests", "Requests answered.", ("tenant", "route", "status"), registry=own)
        self._seconds = Histogram(
            "webseam_request_seconds", "Time to the whole answer.", ("route",), buckets=_SECONDS, registry=own
        )
        self._tries = Counter(
            "webseam_tries",
            "Tries at providers, those of routes and key pools included.",
            ("tenant", "capability", "provider", "outcome", "code"),
            registry=own,
        )
        self._cost = Counter("webseam_cost", "Cost that vendors reported.", ("tenant", "currency"), registry=own)
        self._answers: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._running = Gauge("webseam_calls_running", "Calls that run now.", registry=own)

    def answered(self, tenant: str, route: str, status: int, seconds: float) -> None:
        """A request is over."""
        key = tenant, route, status
        if key not in self._answers:  # to look labels up costs more than to count
            self._answers[key] = self._requests.labels(tenant, route, str(status)), self._seconds.labels(route)
        requests, times = self._answers[key]
        requests.inc()
        times.observe(seconds)

    def tried(self, tenant: str, capability: str, attempts: Iterable[Attempt]) -> None:
        """Tries at providers have ended."""
        for one in attempts:
            self._tries.labels(tenant, capability, one.provider, one.outcome, one.code or "").inc()

    def paid(self, tenant: str, usage: Usage | None) -> None:
        """A vendor has reported a cost."""
        if usage is not None and usage.cost is not None and usage.cost > 0 and usage.currency is not None:
            self._cost.labels(tenant, usage.currency).inc(usage.cost)

    def running(self, calls: int) -> None:
        """So many calls run now."""
        self._running.set(calls)

    def exposed(self, *, whole: bool) -> bytes:
        """The text of the exposition format."""
        text: Any = generate_latest(self._whole if whole else self._public)
        return bytes(text)
