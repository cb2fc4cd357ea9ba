"""What the record of calls adds up to in its file, and entry by entry: the same (issue 7.5)."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.ledger import DAY, START, Broken, entry, made
from support.redis import any_server
from webseam.core.ledger import Entry, LedgerError, Span
from webseam.core.limits import LEDGER_COST_MOST
from webseam.core.usage import Adder, Look, Totals, rank, totals_of
from webseam.stores.ledger import LedgerFile
from webseam.stores.ledger_rows import of_row, row
from webseam.stores.ledger_server import LedgerStream
from webseam.stores.server import Server

MOST = 100_000
EVERYTHING = Look(span=Span(since=START - 50 * DAY, until=START + 50 * DAY), width=200_000, size=44, most=MOST)

_spans = st.builds(
    Span,
    since=st.floats(START - 50 * DAY, START),
    until=st.floats(START, START + 50 * DAY),
    tenant=st.sampled_from([None, "acme", "zoo", "nobody"]),
)
looks = st.builds(
    Look, span=_spans, width=st.sampled_from([120, 3_600, 86_400]), size=st.integers(1, 60), most=st.integers(1, 12)
)


def by_hand(entries: Sequence[Entry], look: Look) -> Totals:
    """As it is defined: the newest first, one at a time."""
    adder = Adder(look)
    adder.add_all(filter(look.span.holds, entries))
    return adder.totals()


def newest(entries: Sequence[Entry]) -> list[Entry]:
    """As a file has them: of two that began at once, the one that came last first."""
    turned = sorted(enumerate(entries), key=lambda one: (one[1].at, one[0]), reverse=True)
    return [one for _, one in turned]


def as_kept(entries: Sequence[Entry]) -> list[Entry]:
    """SQLite keeps no half of a character."""
    return [one for one in map(of_row, map(row, entries)) if one is not None]


def unlike(entries: Sequence[Entry]) -> list[Entry]:
    """With ids that a test knows."""
    return [replace(one, id=f"u{number}") for number, one in enumerate(entries)]


@pytest.mark.req("looks:usage:file")
@given(st.lists(made, max_size=15).map(unlike), st.integers(0, 15), st.integers(0, 15), looks)
@example(unlike([entry(), entry(tool="", provider="", code="")]), 2, 1, EVERYTHING)
async def test_the_file_adds_up_to_what_its_entries_do(
    entries: list[Entry], kept: int, waiting: int, look: Look
) -> None:
    also = entries[max(0, kept - 2) : kept + waiting]  # two of them may be written already
    with TemporaryDirectory() as folder:
        file = LedgerFile(Path(folder) / "l.sqlite3", keep_days=3_650, now=lambda: START)
        if kept:
            await file.append(entries[:kept])
        told = await file.totals(look, also)
    known = {one.id for one in also}
    older = [one for one in newest(as_kept(entries[:kept])) if one.id not in known]
    assert told == by_hand([*reversed(as_kept(also)), *older], look)


@pytest.mark.req("looks:usage:file")
async def test_file_server_and_memory_add_up_to_the_same(tmp_path: Path, opened: Callable[..., Server]) -> None:
    entries = [
        entry(
            at=START + number,
            elapsed=number * 977 % 10_007,
            tool=(None, "web_search")[number % 2],
            provider=("exa", None, "http")[number % 3],
            tenant=("acme", "zoo")[number % 2],
            code=(None, None, "WEB_DENIED")[number % 3],
            costs={"USD": number} if number % 5 else {"EUR": 2, "USD": 1},
            input_tokens=number,
        )
        for number in range(2_500)
    ]
    file, stream = LedgerFile(tmp_path / "l.sqlite3", now=lambda: START), LedgerStream(opened(any_server()))
    memory = Broken(None)
    for store in (file, stream, memory):
        for first in range(0, 2_500, 1_000):
            await store.append(entries[first : first + 1_000])
        for look in (EVERYTHING, replace(EVERYTHING, most=700), replace(EVERYTHING, span=Span(tenant="zoo"))):
            told = await totals_of(store, look, entries[2_400:])
            assert told == by_hand(newest(entries), look)
            assert told.cut == (look.most == 700)


@pytest.mark.req("looks:usage:file")
async def test_rows_that_are_no_entries_end_no_look(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path / "l.sqlite3", now=lambda: START)
    await file.append([entry(costs={"USD": 5}), entry(costs={"USD": 7}), entry(), entry(costs={"USD": 1})])
    with sqlite3.connect(file.path) as connection:
        connection.execute("UPDATE entries SET elapsed = 'long' WHERE turn = 1")
        connection.execute("UPDATE entries SET costs = 'no JSON' WHERE turn = 2")
        connection.execute("UPDATE entries SET costs = '{\"USD\":\"much\"}', bytes = 'many' WHERE turn = 3")
    connection.close()
    told = await file.totals(EVERYTHING)
    assert (told.whole.calls, dict(told.whole.costs), told.bytes) == (3, {"USD": 1}, 0)


@pytest.mark.req("looks:usage:file")
async def test_sums_of_cost_that_no_integer_of_sqlite_holds_are_exact(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path / "l.sqlite3", now=lambda: START)
    most = int(LEDGER_COST_MOST) * 1_000_000_000 + 999_999_999
    for _ in range(10):
        await file.append([entry(costs={"USD": most}) for _ in range(1_000)])
    told = await file.totals(EVERYTHING)
    assert told.whole.costs == {"USD": 10_000 * most}
    assert told.whole.costs["USD"] > 2**63


@pytest.mark.req("looks:usage:file")
async def test_a_record_that_cannot_be_read_is_said_and_none_is_made(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path / "none" / "l.sqlite3")
    waiting = [entry(), entry(at=START - 90 * DAY)]
    assert (await file.totals(EVERYTHING, waiting)).whole.calls == 1
    assert not file.path.exists()
    file.path.parent.mkdir()
    file.path.write_bytes(b"no database at all" * 100)
    with pytest.raises(LedgerError, match="no SQLite database"):
        await file.totals(EVERYTHING)


@pytest.mark.req("looks:usage")
@given(st.integers(1, 10**6), st.sampled_from([50, 95, 99]))
def test_a_rank_is_the_first_that_so_many_do_not_exceed(calls: int, share: int) -> None:
    found = rank(share, calls)
    assert found * 100 >= share * calls > (found - 1) * 100
    assert 1 <= found <= calls
