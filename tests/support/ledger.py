"""Entries of the record of calls, and ledgers to look into."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from webseam.core.ledger import EVER, By, Entry, LedgerError, LedgerStore, Span, Sum, Sums, added, ordered, sum_of
from webseam.core.types import Attempt
from webseam.core.web import Web
from webseam.stores.ledger_server import key_of

BYS: tuple[By, ...] = ("provider", "tenant", "tool", "code", "day", "outcome", "capability")
DAY = 86_400.0
START = 1_790_000_000.0
_NUMBERS = itertools.count()


@dataclass
class Book:
    """A ledger in memory."""

    text: bool = False
    now: Callable[[], float] = lambda: START
    entries: list[Entry] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)

    @property
    def only(self) -> Entry:
        (entry,) = self.entries
        return entry


@dataclass
class Patient(Book):
    """A ledger in memory that has most of its entries made at its end."""

    makes: list[Callable[[], Entry]] = field(default_factory=list)

    def add_later(self, make: Callable[[], Entry]) -> None:
        self.makes.append(make)

    def end(self) -> None:
        self.entries += [make() for make in self.makes]


class Broken:
    """A store that cannot be written while `why` is set, and counts its tries."""

    def __init__(self, why: str | None = "the disk is full") -> None:
        self.why = why
        self.tries = 0
        self.tried = asyncio.Event()
        self.kept: list[Entry] = []
        self.told_lost = 0

    async def append(self, entries: Sequence[Entry], *, lost: int = 0) -> None:
        self.tries += 1
        self.tried.set()
        if self.why is not None:
            raise LedgerError(self.why)
        self.kept += entries
        self.told_lost += lost

    async def sums(self, by: By, span: Span = EVER) -> Sums:
        return expected(self.kept, by, span)

    async def lost(self, span: Span = EVER) -> int:
        return self.told_lost if span == EVER else 0

    async def whole_since(self) -> float:
        return 0.0

    async def entries(self, span: Span = EVER) -> AsyncIterator[Entry]:
        for one in filter(span.holds, self.kept):
            yield one

    async def recent(self, span: Span = EVER) -> AsyncIterator[Entry]:
        for one in filter(span.holds, reversed(self.kept)):
            yield one


def booking(*, text: bool = False, **options: Any) -> tuple[Web, Book]:
    """A seam whose calls are recorded in memory."""
    book = Book(text=text)
    return Web(ledger=book, **options), book


def entry(**facts: Any) -> Entry:
    """A call that went well; every one has an id of its own."""
    usual: dict[str, Any] = {"id": f"e{next(_NUMBERS)}", "at": START, "elapsed": 1_000, "capability": "search"}
    return Entry(**{**usual, "outcome": "ok", **facts})


def expected(entries: Sequence[Entry], by: By, span: Span = EVER) -> Sums:
    """The sums as they are defined: one entry at a time."""
    found: dict[str | None, list[Sum]] = {}
    for one in entries:
        if span.holds(one):
            key = key_of(one, by)
            found.setdefault(key, []).append(sum_of(one, key))
    return ordered([added(key, parts) for key, parts in found.items()], by)


async def kept(store: LedgerStore, span: Span = EVER) -> list[Entry]:
    """All entries of a store."""
    return [one async for one in store.entries(span)]


_units = st.none() | st.integers(0, 10**12)
_names = (
    st.none() | st.sampled_from(["exa", "brave+exa", "", "caf\u00e9", "\U0001f41f", "a\ud800b"]) | st.text(max_size=8)
)
attempts = st.builds(
    Attempt,
    provider=st.text(max_size=5),
    outcome=st.sampled_from(["ok", "ungrounded", "failed", "skipped"]),
    code=st.none() | st.just("WEB_PROVIDER_ERROR"),
    dispatched=st.booleans(),
    elapsed=st.integers(0, 90).map(float),
    free=st.none() | st.booleans(),
)
made = st.builds(
    entry,
    at=st.floats(START - 40 * DAY, START + 40 * DAY),
    elapsed=st.integers(0, 10**9),
    capability=st.sampled_from(["search", "fetch", "extract", None]),
    outcome=st.sampled_from(["ok", "ungrounded", "failed", "cancelled"]),
    tool=st.sampled_from([None, "web_search", "web_fetch", "unknown"]),
    tenant=st.sampled_from([None, "acme", "zoo"]),
    provider=_names,
    code=st.sampled_from([None, "WEB_DENIED", "cancelled"]),
    dispatched=st.booleans(),
    cache=st.sampled_from([None, "fresh", "stale", "revalidated", "kept", "partly"]),
    bytes=_units,
    calls=_units,
    input_tokens=_units,
    output_tokens=_units,
    costs=st.dictionaries(st.sampled_from(["USD", "EUR", "credits"]), st.integers(0, 10**15), max_size=3),
    cost_known=st.booleans(),
    permission=st.sampled_from([None, "allowed", "denied"]),
    rule=_names,
    parts=st.integers(0, 10),
    attempts=st.lists(attempts, max_size=3).map(tuple),
    target=st.none() | st.text(max_size=20),
)
