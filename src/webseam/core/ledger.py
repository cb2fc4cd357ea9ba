"""The record of calls: an entry for each call of a tool or of the library, where it goes, what entries sum up to."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from webseam.core.types import Attempt

End: TypeAlias = Literal["ok", "ungrounded", "failed", "cancelled"]
Permitted: TypeAlias = Literal["allowed", "denied"]
CacheState: TypeAlias = Literal["fresh", "stale", "revalidated", "kept", "partly"]
By: TypeAlias = Literal["provider", "tenant", "tool", "code", "day", "outcome", "capability"]

UNKNOWN_TOOL: Final = "unknown"
"""The tool of a call that named none of ours: what a model wrote there is text, and not kept."""

NANO: Final = 1_000_000_000
"""Costs are whole billionths of a unit of their currency, so that sums are exact in any order."""


class LedgerError(Exception):
    """The record cannot be read or written now; says why in one clause, and names no content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One call that is over. It holds no key, and no query or URL unless that is configured (`target`).

    `at` is its begin in seconds since 1970, `elapsed` whole microseconds. `tool` is None for a call of the library,
    `capability` for a tool that there is not. `provider` is whose answer or failure it was, several joined by `+`.
    `parts` are the searches, fetches and extractions below a tool call; none means that it was answered from what is
    here, or refused. `cache` "kept" is a page that the conversation has already, "partly" several parts that differ.
    `dispatched` says that a request may have left. `bytes` are those of pages on the wire, None where nobody counts.
    Usage is what vendors reported: `costs` in billionths by currency; `cost_known` is False where a request left to
    somebody who charges and did not say how much. `rule` decided the permission.
    """

    id: str
    at: float
    elapsed: int
    capability: str | None
    outcome: End
    tool: str | None = None
    tenant: str | None = None
    run: str | None = None
    provider: str | None = None
    code: str | None = None
    dispatched: bool = False
    cache: CacheState | None = None
    bytes: int | None = None
    calls: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    costs: Mapping[str, int] = field(default_factory=dict)
    cost_known: bool = True
    permission: Permitted | None = None
    rule: str | None = None
    parts: int = 0
    attempts: tuple[Attempt, ...] = ()
    target: str | None = None


class Ledger(Protocol):
    """Takes entries. `text` says whether queries and URLs are kept; `now` tells seconds since 1970."""

    @property
    def text(self) -> bool:
        """Whether `Entry.target` is wanted."""
        ...

    @property
    def now(self) -> Callable[[], float]:
        """The time of entries."""
        ...

    def add(self, entry: Entry) -> None:
        """Take an entry; waits for nothing and raises nothing."""
        ...


class LaterLedger(Ledger, Protocol):
    """A `Ledger` that makes entries itself, where they are in no hurry; another one is given all of them made."""

    def add_later(self, make: Callable[[], Entry]) -> None:
        """As `add`, for a call that sent nothing and cost nothing: its entry may be made when there is time for it.

        Args:
            make: makes it, whenever and wherever it is called; is to be called once.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Which entries are meant: those that began from `since` to before `until`, perhaps of one `tenant`."""

    since: float = 0.0
    until: float = float("inf")
    tenant: str | None = None

    def holds(self, entry: Entry) -> bool:
        """Whether the entry is one of them."""
        return self.since <= entry.at < self.until and (self.tenant is None or self.tenant == entry.tenant)


EVER: Final = Span()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """What the entries of one `key` add up to; the key is None for those that have none.

    `calls` counts entries, `requests` what vendors counted, `unpriced` entries whose cost is not known.
    """

    key: str | None = None
    calls: int = 0
    failed: int = 0
    denied: int = 0
    dispatched: int = 0
    cached: int = 0
    elapsed: int = 0
    slowest: int = 0
    bytes: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    unpriced: int = 0
    costs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """The sums by key, the most calls first, and the `whole`; `lost` calls could not be recorded at their time."""

    rows: tuple[Sum, ...]
    whole: Sum
    lost: int = 0


class LedgerStore(Protocol):
    """Where entries are kept, for several processes at once."""

    async def append(self, entries: Sequence[Entry], *, lost: int = 0) -> None:
        """Keep entries, each once however often it is given; `lost` are calls that nobody could record.

        Raises:
            LedgerError: the record cannot be written now.
        """
        ...

    async def sums(self, by: By, span: Span = EVER) -> Sums:
        """What is kept, added up.

        Raises:
            LedgerError: the record cannot be read now.
        """
        ...

    def entries(self, span: Span = EVER) -> AsyncIterator[Entry]:
        """The entries themselves, in the order they were written.

        Raises:
            LedgerError: as `sums`.
        """
        ...

    async def lost(self, span: Span = EVER) -> int:
        """How many calls could not be recorded in this time, whosever they were.

        Raises:
            LedgerError: as `sums`.
        """
        ...

    async def whole_since(self) -> float:
        """From when on no entry went for want of room, in seconds since 1970; 0 where none did.

        Raises:
            LedgerError: as `sums`.
        """
        ...

    def recent(self, span: Span = EVER) -> AsyncIterator[Entry]:
        """The same, the newest first: for whoever reads as far as it wants.

        Raises:
            LedgerError: as `sums`.
        """
        ...


def added(key: str | None, sums: Sequence[Sum]) -> Sum:
    """Sums of parts as one."""
    costs: dict[str, int] = {}
    for one in sums:
        for currency, cost in one.costs.items():
            costs[currency] = costs.get(currency, 0) + cost
    return Sum(
        key=key,
        calls=sum(one.calls for one in sums),
        failed=sum(one.failed for one in sums),
        denied=sum(one.denied for one in sums),
        dispatched=sum(one.dispatched for one in sums),
        cached=sum(one.cached for one in sums),
        elapsed=sum(one.elapsed for one in sums),
        slowest=max((one.slowest for one in sums), default=0),
        bytes=sum(one.bytes for one in sums),
        requests=sum(one.requests for one in sums),
        input_tokens=sum(one.input_tokens for one in sums),
        output_tokens=sum(one.output_tokens for one in sums),
        unpriced=sum(one.unpriced for one in sums),
        costs=costs,
    )


def sum_of(entry: Entry, key: str | None) -> Sum:
    """One entry as a sum."""
    return Sum(
        key=key,
        calls=1,
        failed=int(entry.outcome in ("failed", "cancelled")),
        denied=int(entry.permission == "denied"),
        dispatched=int(entry.dispatched),
        cached=int(entry.cache is not None),
        elapsed=entry.elapsed,
        slowest=entry.elapsed,
        bytes=entry.bytes or 0,
        requests=entry.calls or 0,
        input_tokens=entry.input_tokens or 0,
        output_tokens=entry.output_tokens or 0,
        unpriced=int(not entry.cost_known),
        costs=entry.costs,
    )


def ordered(rows: Sequence[Sum], by: By, *, lost: int = 0) -> Sums:
    """Rows as they are shown: days in their order, everything else by its calls; nothing first of equal ones."""
    if by == "day":
        found = sorted(rows, key=lambda one: one.key or "")
    else:
        found = sorted(rows, key=lambda one: (-one.calls, one.key is not None, one.key or ""))
    return Sums(rows=tuple(found), whole=added(None, found), lost=lost)
