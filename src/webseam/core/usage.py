"""What the calls of a time add up to: by time, tool, provider and tenant, with percentiles of how long they took."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, runtime_checkable

from webseam.core.ledger import Entry, LedgerStore, Span

SHARES: Final = (50, 95, 99)
"""Percentiles that are told, in percent."""

_FAILED: Final = ("failed", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is to be added up: the newest `most` calls of `span`, and how many there are in each `width` seconds of it.

    Calls after the last of `size` buckets count in that one.
    """

    span: Span
    width: int
    size: int
    most: int

    def bucket(self, at: float) -> int:
        """The number of the bucket that a moment lies in."""
        return min(self.size - 1, int((at - self.span.since) / self.width))


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """Calls added up; `times` are whole microseconds by share, none where there is no call."""

    calls: int = 0
    failed: int = 0
    denied: int = 0
    cached: int = 0
    dispatched: int = 0
    unpriced: int = 0
    costs: Mapping[str, int] = field(default_factory=dict)
    times: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """All groupings of the same calls; `cut` says that there were more, `oldest` when the first of these began.

    A tool is the one that was called, or the library's path in a gateway, `/v1/` and its capability.
    """

    whole: Total
    buckets: Mapping[int, Total]
    tools: Mapping[str | None, Total]
    providers: Mapping[str | None, Total]
    tenants: Mapping[str | None, Total]
    codes: Mapping[str, int]
    bytes: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    oldest: float | None = None
    cut: bool = False


@runtime_checkable
class Adds(Protocol):
    """A store of the record that adds calls up by itself, for less than reading them takes."""

    async def totals(self, look: Look, also: Sequence[Entry] = ()) -> Totals:
        """What the calls add up to, exactly as if each had been added.

        Args:
            look: which of them.
            also: calls that may not be kept yet, the oldest first; each counts once, and before those that are.

        Raises:
            LedgerError: the record cannot be read now.
        """
        ...


async def totals_of(store: LedgerStore, look: Look, also: Sequence[Entry] = ()) -> Totals:
    """See `Adds`; a store that does not add is read, entry by entry.

    Raises:
        LedgerError: the record cannot be read now.
    """
    if isinstance(store, Adds):
        return await store.totals(look, also)
    adder = Adder(look)
    if adder.add_all(filter(look.span.holds, reversed(also))):
        known = {one.id for one in also}  # may be written meanwhile
        async for entry in store.recent(look.span):
            if entry.id not in known and not adder.add(entry):
                break
    return await asyncio.to_thread(adder.totals)  # up to half a second, in which the loop goes on


def rank(share: int, calls: int) -> int:
    """Which of so many times, from the shortest on, `share` percent do not exceed: the nearest rank, from 1 on."""
    return max(1, -(-share * calls // 100))


class Adder:
    """Adds up entries, the newest first.

    Each is added to one part, of those that are alike, and parts make up the groups: as there are five of them, that
    is several times cheaper.
    """

    def __init__(self, look: Look) -> None:
        self._look = look
        self._parts: dict[tuple[int, str | None, str | None, str | None], _Part] = {}
        self._codes: Counter[str] = Counter()
        self._oldest: float | None = None
        self._count = 0
        self._cut = False

    def add_all(self, entries: Iterable[Entry]) -> bool:
        """As `add`, one after the other as long as they are taken."""
        return all(map(self.add, entries))

    def add(self, entry: Entry) -> bool:
        """Count a call; False where it is one more than is looked at."""
        if self._count == self._look.most:
            self._cut = True
            return False
        self._count += 1
        if self._oldest is None or entry.at < self._oldest:
            self._oldest = entry.at
        if entry.code is not None:
            self._codes[entry.code] += 1
        key = (self._look.bucket(entry.at), _tool(entry), entry.provider, entry.tenant)
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = _Part()
        part.add(entry)
        return True

    def totals(self) -> Totals:
        """The sums."""
        whole = _Part()
        groups: tuple[dict[Any, _Part], ...] = ({}, {}, {}, {})
        for keys, part in self._parts.items():
            whole.join(part)
            for group, key in zip(groups, keys, strict=True):
                group.setdefault(key, _Part()).join(part)
        buckets, tools, providers, tenants = ({key: one.total() for key, one in group.items()} for group in groups)
        return Totals(
            whole=whole.total(),
            buckets=buckets,
            tools=tools,
            providers=providers,
            tenants=tenants,
            codes=self._codes,
            bytes=whole.bytes,
            input_tokens=whole.input_tokens,
            output_tokens=whole.output_tokens,
            oldest=self._oldest,
            cut=self._cut,
        )


def _tool(entry: Entry) -> str | None:
    return entry.tool or (None if entry.capability is None else f"/v1/{entry.capability}")


@dataclass(slots=True)
class _Part:
    """Calls that are alike; a hundred thousand times for one answer, so most steps are left out for most calls."""

    failed: int = 0
    denied: int = 0
    cached: int = 0
    dispatched: int = 0
    unpriced: int = 0
    bytes: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    costs: Counter[str] = field(default_factory=Counter)
    times: list[int] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        """Count a call."""
        self.times.append(entry.elapsed)
        if entry.outcome in _FAILED:
            self.failed += 1
        if entry.permission == "denied":
            self.denied += 1
        if entry.cache is not None:
            self.cached += 1
        if entry.dispatched:
            self.dispatched += 1
        if entry.bytes:
            self.bytes += entry.bytes
        if not entry.cost_known:
            self.unpriced += 1
        if entry.costs or entry.input_tokens or entry.output_tokens:
            self._paid(entry)

    def _paid(self, entry: Entry) -> None:
        self.input_tokens += entry.input_tokens or 0
        self.output_tokens += entry.output_tokens or 0
        for currency, cost in entry.costs.items():
            self.costs[currency] += cost

    def join(self, other: "_Part") -> None:
        """Count the calls of another part."""
        self.failed += other.failed
        self.denied += other.denied
        self.cached += other.cached
        self.dispatched += other.dispatched
        self.unpriced += other.unpriced
        self.bytes += other.bytes
        self.input_tokens += other.input_tokens
        self.output_tokens += other.output_tokens
        for currency, cost in other.costs.items():
            self.costs[currency] += cost
        self.times += other.times

    def total(self) -> Total:
        """The sums."""
        ordered = sorted(self.times)
        return Total(
            calls=len(ordered),
            failed=self.failed,
            denied=self.denied,
            cached=self.cached,
            dispatched=self.dispatched,
            unpriced=self.unpriced,
            costs=dict(self.costs),
            times={share: ordered[rank(share, len(ordered)) - 1] for share in SHARES} if ordered else {},
        )
