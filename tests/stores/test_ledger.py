"""The record of calls: one contract over the file and the server (issue 7.4)."""

import asyncio
import json
import random
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.ledger import BYS, DAY, START, attempts, entry, expected, kept, made
from support.redis import installed
from webseam.core.ledger import Entry, LedgerStore, Span
from webseam.core.types import Attempt
from webseam.stores.ledger import LedgerFile
from webseam.stores.ledger_rows import from_json, of_row, row, to_json
from webseam.stores.ledger_server import LedgerStream
from webseam.stores.server import Server

KINDS = ("file", *(installed() or ("redis",)))


@pytest.fixture(params=KINDS)
def view(request: pytest.FixtureRequest, tmp_path: Path, opened: Callable[..., Server]) -> Callable[[], LedgerStore]:
    """A view of one record, as each process has its own."""

    def make() -> LedgerStore:
        if request.param == "file":
            return LedgerFile(tmp_path / "l.sqlite3", now=lambda: START, keep_days=3_650)
        return LedgerStream(opened(request.param), keep_days=3_650)

    return make


def mixed(number: int, seed: int = 7) -> list[Entry]:
    """Entries of all sorts, the same at each call."""
    draw = random.Random(seed)  # noqa: S311 - data, not secrets
    return [
        entry(
            at=START + draw.randrange(0, int(20 * DAY)) + 0.25,
            elapsed=draw.randrange(10**7),
            capability=draw.choice(["search", "fetch", "extract"]),
            outcome=draw.choice(["ok", "ok", "failed", "cancelled", "ungrounded"]),
            tool=draw.choice([None, "web_search", "web_fetch"]),
            tenant=draw.choice([None, "acme", "zoo"]),
            provider=draw.choice(["exa", "brave", "http", None]),
            code=draw.choice([None, "WEB_DENIED", "WEB_RATE_LIMITED"]),
            dispatched=draw.random() < 0.5,
            cache=draw.choice([None, None, "fresh", "kept"]),
            bytes=draw.choice([None, draw.randrange(10**8)]),
            calls=draw.choice([None, 1, 3]),
            input_tokens=draw.choice([None, draw.randrange(10**6)]),
            costs={one: draw.randrange(10**10) for one in draw.sample(["USD", "CNY", "credits"], draw.randrange(3))},
            cost_known=draw.random() < 0.8,
            permission=draw.choice([None, "allowed", "denied"]),
            attempts=(Attempt(provider="exa", outcome="ok", dispatched=True, elapsed=0.5),),
        )
        for _ in range(number)
    ]


@pytest.mark.req("usage:recent")
async def test_the_newest_come_first_page_after_page_each_once(view: Callable[[], LedgerStore]) -> None:
    entries = [entry(at=START + number // 3, tenant=("acme", "zoo")[number % 2]) for number in range(2_300)]
    for start in range(0, len(entries), 500):
        await view().append(entries[start : start + 500])
    assert [one async for one in view().recent()] == entries[::-1]
    span = Span(since=START + 100, until=START + 500, tenant="zoo")
    assert [one async for one in view().recent(span)] == [one for one in entries if span.holds(one)][::-1]
    assert [one async for one in view().recent(Span(since=START + 10**6))] == []


@pytest.mark.req("usage:recent")
async def test_lost_calls_are_counted_alone(view: Callable[[], LedgerStore]) -> None:
    assert await view().lost() == 0
    assert [one async for one in view().recent()] == []
    await view().append([entry()], lost=3)
    await view().append([], lost=4)
    assert await view().lost() == 7 == (await view().sums("tool")).lost
    assert await view().lost(Span(since=1.0, until=2.0)) == 0
    assert len([one async for one in view().recent()]) == 1


@pytest.mark.req("usage:sums")
async def test_ten_thousand_mixed_calls_add_up_to_the_unit_by_every_grouping(view: Callable[[], LedgerStore]) -> None:
    entries = mixed(10_000)
    for start in range(0, len(entries), 500):
        await view().append(entries[start : start + 500])
    found = [await view().sums(by) for by in BYS]

    assert found == [expected(entries, by) for by in BYS]
    assert len({json.dumps([one.whole.calls, dict(sorted(one.whole.costs.items()))]) for one in found}) == 1
    span = Span(since=START + 3 * DAY, until=START + 9 * DAY, tenant="acme")
    assert await view().sums("day", span) == expected(entries, "day", span)
    assert len((await view().sums("day", span)).rows) in (6, 7)


@pytest.mark.req("usage:sums")
@given(st.lists(made, max_size=30), st.sampled_from(BYS), st.sampled_from(BYS))
def test_the_sums_of_any_grouping_are_those_of_the_whole(entries: list[Entry], one: Any, other: Any) -> None:
    first, second = expected(entries, one).whole, expected(entries, other).whole
    assert (first, first.calls) == (second, len(entries))
    assert sum(row.calls for row in expected(entries, one).rows) == len(entries)


@pytest.mark.req("usage:sums")
@settings(max_examples=40)
@given(entries=st.lists(made, max_size=30), by=st.sampled_from(BYS))
def test_the_file_adds_up_as_the_definition_does(
    entries: list[Entry], by: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = LedgerFile(tmp_path_factory.mktemp("sums") / "l.sqlite3", now=lambda: START, keep_days=3_650)
    written = [of_row(row(one)) for one in entries]

    async def run() -> Any:
        await store.append(entries)
        return await store.sums(by), await kept(store)

    assert asyncio.run(run()) == (expected([one for one in written if one], by), written)


@pytest.mark.req("usage:entries")
async def test_entries_come_back_as_they_were_in_the_order_they_were_written(view: Callable[[], LedgerStore]) -> None:
    entries = mixed(2_300)
    for start in range(0, len(entries), 500):
        await view().append(entries[start : start + 500])
    assert await kept(view()) == entries
    span = Span(since=START + DAY, until=START + 2 * DAY)
    assert await kept(view(), span) == [one for one in entries if START + DAY <= one.at < START + 2 * DAY]


@pytest.mark.req("usage:once")
async def test_a_batch_that_is_given_twice_is_kept_once(view: Callable[[], LedgerStore]) -> None:
    store, batch = view(), mixed(20)
    await store.append(batch, lost=2)
    again = batch if isinstance(store, LedgerStream) else [*batch, entry()]
    await store.append(again, lost=2 if isinstance(store, LedgerStream) else 0)
    sums = await view().sums("tool")
    assert (sums.whole.calls, sums.lost) == (20 if isinstance(store, LedgerStream) else 21, 2)


@pytest.mark.req("usage:lost")
async def test_calls_that_nobody_could_record_are_counted_beside_the_sums(view: Callable[[], LedgerStore]) -> None:
    await view().append([entry()], lost=3)
    await view().append([], lost=4)
    sums = await view().sums("provider")
    assert (sums.lost, sums.whole.calls) == (7, 1)


@pytest.mark.req("usage:processes")
async def test_writers_at_once_lose_nothing(view: Callable[[], LedgerStore]) -> None:
    batches = [mixed(25, seed) for seed in range(12)]
    await asyncio.gather(*(view().append(batch) for batch in batches))
    assert {one.id for one in await kept(view())} == {one.id for batch in batches for one in batch}


@pytest.mark.req("usage:processes")
async def test_separate_processes_write_one_file(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys\nfrom pathlib import Path\n"
        "from webseam.core.ledger import Entry\nfrom webseam.stores.ledger import LedgerFile\n"
        "async def main(name):\n"
        "    store = LedgerFile(Path(sys.argv[1]))\n"
        "    for at in range(40):\n"
        "        one = Entry(id=f'{name}-{at}', at=1.8e9, elapsed=1, capability='search', outcome='ok', tenant=name)\n"
        "        await store.append([one])\n"
        "asyncio.run(main(sys.argv[2]))\n"
    )
    file = tmp_path / "l.sqlite3"
    import sys  # noqa: PLC0415 - for the children alone

    running = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(file), f"p{number}") for number in range(4)
    ]
    assert [await one.wait() for one in running] == [0] * 4
    sums = await LedgerFile(file).sums("tenant")
    assert [(one.key, one.calls) for one in sums.rows] == [(f"p{number}", 40) for number in range(4)]


@pytest.mark.req("usage:sums")
@pytest.mark.parametrize("fraction", [0.4, 0.9996, 0.999999])
async def test_the_last_moment_of_a_day_is_still_that_day(view: Callable[[], LedgerStore], fraction: float) -> None:
    midnight = START - START % DAY + DAY
    await view().append([entry(at=midnight - 1 + fraction), entry(at=midnight)])
    assert [one.key for one in (await view().sums("day")).rows] == ["2026-09-21", "2026-09-22"]


# JSON and rows -----------------------------------------------------------------------------------------


@pytest.mark.req("usage:entries")
@given(made)
def test_an_entry_comes_back_from_its_line(one: Entry) -> None:
    assert from_json(to_json(one)) == one
    assert to_json(one).isascii()
    assert "\n" not in to_json(one)


class _Named(str):
    """A name as a framework may have it."""

    __slots__ = ()


@pytest.mark.req("usage:entries")
async def test_half_a_character_stops_no_row_whatever_kind_of_text_it_is_in(tmp_path: Path) -> None:
    store = LedgerFile(tmp_path / "l.sqlite3", now=lambda: START)
    await store.append([entry(tenant=_Named("a\ud800")), entry(tenant="b\ud800"), entry(tenant=_Named("caf\u00e9"))])
    assert [one.tenant for one in await kept(store)] == ["a?", "b?", "caf\u00e9"]


@pytest.mark.req("usage:entries")
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda more: st.lists(more) | st.dictionaries(st.text(), more),
    )
)
def test_what_is_no_entry_is_left_out(value: Any) -> None:
    assert from_json(json.dumps(value)) is None


@pytest.mark.req("usage:entries")
@given(made, st.data())
def test_an_entry_with_a_fact_of_another_kind_is_left_out(one: Entry, data: st.DataObject) -> None:
    plain = json.loads(to_json(one))
    name = data.draw(st.sampled_from(sorted(plain)))
    plain[name] = {"another": "kind"} if name == "attempts" else [["another", "kind"]]
    assert from_json(json.dumps(plain)) is None


@pytest.mark.req("usage:entries")
@pytest.mark.parametrize(
    "facts", [{"at": 1e300}, {"at": -1.0}, {"elapsed": -1}, {"calls": 2**70}, {"costs": {"USD": 0.5}}, {"costs": []}]
)
def test_a_number_that_cannot_be_makes_no_entry(facts: dict[str, Any]) -> None:
    assert from_json(json.dumps(json.loads(to_json(entry())) | facts)) is None


@pytest.mark.req("usage:entries")
@given(attempts)
def test_a_try_comes_back_with_everything(one: Attempt) -> None:
    written = from_json(to_json(entry(attempts=(one,))))
    assert written is not None
    assert written.attempts == (one,)


@pytest.mark.req("usage:entries")
def test_facts_of_a_later_version_are_left_out() -> None:
    one = entry()
    assert from_json(json.dumps(json.loads(to_json(one)) | {"mood": "good"})) == one
    tried = replace(one, attempts=(Attempt(provider="exa", outcome="ok", elapsed=0.5),))
    later = json.loads(to_json(tried))
    later["attempts"][0]["region"] = "eu"
    assert from_json(json.dumps(later)) == tried
    assert from_json("{" * 100_000) is None
    assert of_row((*row(one)[:-1], sqlite3)) is None


# The stream alone --------------------------------------------------------------------------------------


@pytest.mark.req("usage:fleet")
async def test_what_lies_under_our_key_and_is_not_ours_is_left_out(opened: Callable[..., Server]) -> None:
    server = opened()
    store = LedgerStream(server)
    await store.append([entry(tenant="acme")])
    script = "return redis.call('XADD', KEYS[1], '*', ARGV[1], ARGV[2])"
    for name, value in (("e", b"\xff\xfe"), ("e", "{}"), ("what", "ever")):
        await server.run(script, [server.key("ledger", "calls")], name, value)
    await store.append([entry(tenant="zoo")])
    assert [one.tenant for one in await kept(store)] == ["acme", "zoo"]


@pytest.mark.req("usage:retention")
async def test_a_stream_keeps_about_as_many_as_it_may(opened: Callable[..., Server]) -> None:
    store = LedgerStream(opened(), max_entries=300)
    for batch in range(20):
        await store.append(mixed(100, batch))
    assert 300 <= len(await kept(store)) < 600


@pytest.mark.req("usage:whole")
async def test_a_record_tells_from_when_on_it_had_room_for_all(view: Callable[[], LedgerStore]) -> None:
    assert await view().whole_since() == 0.0
    await view().append(mixed(300))
    assert await view().whole_since() == 0.0


@pytest.mark.req("usage:whole")
async def test_a_stream_that_has_let_some_go_tells_since_when_all_are_there(opened: Callable[..., Server]) -> None:
    store = LedgerStream(opened(), max_entries=300)
    for batch in range(20):
        await store.append(mixed(100, batch))
    since = await store.whole_since()
    assert since > 0
    left = len(await kept(store))
    await store.append([entry(at=since)])
    assert len(await kept(store, Span(since=since))) == 1, "what began later came later, and is there"
    assert left < 2_000


@pytest.mark.req("usage:entries")
def test_an_entry_is_a_value() -> None:
    one = entry()
    assert replace(one) == one
