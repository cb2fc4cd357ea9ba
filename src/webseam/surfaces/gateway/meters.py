"""What Prometheus reads: counts without queries, URLs or tokens, in registries of their own."""

from collections.abc import Collection, Iterable
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from webseam.core.types import Attempt, Usage
from webseam.core.version import VERSION

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
_SECONDS: Final = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_TOGETHER: Final = 64
"""Requests that wait to be counted: so many take a millisecond."""


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
        self._requests = _Counts(
            Counter("webseam_requests", "Requests answered.", ("tenant", "route", "status"), registry=own)
        )
        self._seconds = Histogram(
            "webseam_request_seconds", "Time to the whole answer.", ("route",), buckets=_SECONDS, registry=own
        )
        self._tries = _Counts(
            Counter(
                "webseam_tries",
                "Tries at providers, those of routes and key pools included.",
                ("tenant", "capability", "provider", "outcome", "code"),
                registry=own,
            )
        )
        self._kept = _Counts(
            Counter(
                "webseam_kept_answers",
                "Searches and fetches answered from what was kept.",
                ("tenant", "capability"),
                registry=own,
            )
        )
        self._cost = _Counts(
            Counter("webseam_cost", "Cost that vendors reported.", ("tenant", "currency"), registry=own)
        )
        self._answered: list[tuple[str, str, int, float]] = []
        self._calls = 0
        running = Gauge("webseam_calls_running", "Calls that run now.", registry=own)
        running.set_function(lambda: self._calls)

    def answered(self, tenant: str, route: str, status: int, seconds: float) -> None:
        """A request is over; many are counted together, in a third of the time."""
        self._answered.append((tenant, route, status, seconds))
        if len(self._answered) >= _TOGETHER:
            self._count()

    def tried(self, tenant: str, capability: str, attempts: Iterable[Attempt]) -> None:
        """Tries at providers have ended."""
        for one in attempts:
            self._tries.add(tenant, capability, one.provider, one.outcome, one.code or "")

    def kept(self, tenant: str, capability: str) -> None:
        """A call was answered from a cache."""
        self._kept.add(tenant, capability)

    def paid(self, tenant: str, usage: Usage | None) -> None:
        """A vendor has reported a cost."""
        if usage is not None and usage.cost is not None and usage.cost > 0 and usage.currency is not None:
            self._cost.add(tenant, usage.currency, by=usage.cost)

    def running(self, calls: int) -> None:
        """So many calls run now."""
        self._calls = calls

    def keep(self, tenants: Collection[str]) -> None:
        """Forget what was counted of all other tenants, as they are no more: names come and go for years."""
        self._count()
        for counts in (self._requests, self._tries, self._kept, self._cost):
            counts.keep(tenants)

    def exposed(self, *, whole: bool) -> bytes:
        """The text of the exposition format."""
        self._count()
        for counts in (self._requests, self._tries, self._kept, self._cost):
            counts.tell()
        text: Any = generate_latest(self._whole if whole else self._public)
        return bytes(text)

    def _count(self) -> None:
        answered, self._answered = self._answered, []
        times = {route: self._seconds.labels(route) for route in {one[1] for one in answered}}
        for tenant, route, status, seconds in answered:
            self._requests.add(tenant, route, status)
            times[route].observe(seconds)


class _Counts:
    """What was counted since it was last told: a counter locks itself and looks its labels up at each step.

    The first label is the tenant.
    """

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._untold: dict[tuple[str | int, ...], float] = {}
        self._told: dict[str, set[tuple[str | int, ...]]] = {}

    def add(self, *labels: str | int, by: float = 1) -> None:
        """One more, or so many."""
        self._untold[labels] = self._untold.get(labels, 0) + by

    def tell(self) -> None:
        """Hand all on to the counter."""
        untold, self._untold = self._untold, {}
        for labels, number in untold.items():
            self._told.setdefault(str(labels[0]), set()).add(labels)
            self._counter.labels(*labels).inc(number)

    def keep(self, tenants: Collection[str]) -> None:
        """Forget what was counted of others."""
        self.tell()
        for gone in self._told.keys() - set(tenants):
            for labels in self._told.pop(gone):
                self._counter.remove(*labels)
