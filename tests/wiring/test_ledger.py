"""Who keeps the record of calls: never in a call's way, never with a key in it (issue 7.4)."""

import asyncio
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import webseam
from support.core import hits, refused, settle
from support.fleet import HIT, gateway, searches
from support.ledger import Book, Broken, entry, kept
from support.redis import any_server, state_server
from support.wiring import Desk
from webseam.core.call import Call
from webseam.core.errors import Code
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.ledger import Entry, LedgerError
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.stores.ledger import LedgerFile
from webseam.stores.ledger_server import LedgerStream
from webseam.testing import ScriptedSearch
from webseam.testing.vendor_server import VendorServer
from webseam.wiring.build import build
from webseam.wiring.ledger import Keeper

KEY = "sk-recorded/0123456789+abcdef"
OTHER = "sk-of-another-vendor-0123456789"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Two vendors with keys."""
    return Desk(tmp_path).env(SERPAPI_API_KEY=KEY, EXA_API_KEY=OTHER)


def opened(desk: Desk, config: dict[str, Any] | None = None, **more: Any) -> Web:
    settings = {"ledger": {"keep": "file", **(config or {})}}
    web = webseam.open(search="mine", config=settings, environ=desk.environ, cwd=desk.cwd, **more)
    web.register_search(ScriptedSearch("mine", [hits("https://a.test/")]))
    return web


def file_of(desk: Desk) -> Path:
    return desk.home / ".local" / "share" / "webseam" / "ledger.sqlite3"


# Secrets -----------------------------------------------------------------------------------------------


@pytest.mark.req("usage:no-key")
async def test_no_key_is_in_an_entry_whatever_is_asked_for_and_whoever_says_it(desk: Desk) -> None:
    async def tells(request: SearchRequest, _call: Call) -> SearchResult:
        raise webseam.WebError(f"CODE-{KEY}", f"{request.query} {OTHER}", provider=f"mine {OTHER}")

    async def says(_request: AccessRequest, /) -> Verdict:
        return Verdict(allowed=True, rule=f"rule {KEY}", reason=KEY)

    seen: list[Any] = []
    async with opened(desk, {"text": True}, gate=says) as web:
        feed = web.ledger.subscribe()  # type: ignore[union-attr]  # the keeper of a configured one
        web.register_search(ScriptedSearch("other", [tells]))
        await web.search(f"is {KEY} or {quote(OTHER)} a key", call=Call(tags={"tenant": OTHER, "run": KEY}))
        await refused(web.fetch(f"https://user:{KEY}@a.test/"))
        await refused(web.fetch(f"https://a.invalid/{quote(KEY)}?x={OTHER}"))
        telling = Web(search="other", ledger=web.ledger, gate=says)
        telling.register_search(ScriptedSearch("other", [tells]))
        await refused(telling.search(KEY))
    async with feed:
        seen += [one async for one in feed]
    stored = await kept(LedgerFile(file_of(desk)))
    assert len(stored) == len(seen) == 4
    raw = b"".join(one.read_bytes() for one in file_of(desk).parent.iterdir())
    for spelling in (KEY, quote(KEY), quote(KEY, ""), OTHER):
        assert spelling not in str(seen)
        assert spelling not in str(stored)
        assert spelling.encode() not in raw
    assert "[secret]" in str(stored)


@pytest.mark.req("usage:text")
async def test_no_query_and_no_url_is_in_the_file_unless_it_is_asked_for(desk: Desk) -> None:
    for text in (False, True):
        async with opened(desk, {"text": text}) as web:
            await web.search("a private question")
            await refused(web.fetch("https://private-host.invalid/"))
        raw = b"".join(one.read_bytes() for one in file_of(desk).parent.iterdir())
        assert (b"private question" in raw, b"private-host" in raw) == (text, text)


# Configuration -----------------------------------------------------------------------------------------


@pytest.mark.req("usage:config")
async def test_nothing_is_recorded_unless_it_is_asked_for(desk: Desk) -> None:
    async with opened(desk, {"keep": "off"}) as web:
        await web.search("kelp")
        assert web.ledger is None
    assert not file_of(desk).parent.exists()


@pytest.mark.req("usage:config")
async def test_the_file_of_the_configuration_is_used(desk: Desk) -> None:
    desk.user("[ledger]\nkeep = 'file'\nfile = 'mine.db'\nkeep_days = 3\n")
    web = webseam.open(search="mine", environ=desk.environ, cwd=desk.cwd)
    web.register_search(ScriptedSearch("mine", [hits()]))
    async with web:
        await web.search("kelp")
    assert [one.provider for one in await kept(LedgerFile(desk.user_file.parent / "mine.db"))] == ["mine"]


@pytest.mark.req("usage:config")
@pytest.mark.parametrize(
    "setting", ["keep = 'disk'", "keep_days = 0", "keep_days = 99999", "text = 1", "mode = 'file'", "keep = 'fleet'"]
)
def test_a_setting_that_cannot_be_is_refused_with_its_place(desk: Desk, setting: str) -> None:
    desk.user(f"[ledger]\n{setting}\n")
    with pytest.raises(webseam.WebError, match="ledger") as caught:
        webseam.open(environ=desk.environ, cwd=desk.cwd)
    assert caught.value.code == Code.CONFIG_INVALID


@pytest.mark.req("usage:config")
def test_a_project_s_file_may_not_record(desk: Desk) -> None:
    desk.project("[ledger]\nkeep = 'file'\n")
    with pytest.raises(webseam.WebError, match="a project file may not set ledger"):
        webseam.open(environ=desk.environ, cwd=desk.cwd)


@pytest.mark.req("usage:config")
async def test_a_replay_records_nothing_because_it_asks_nobody(desk: Desk, tmp_path: Path) -> None:
    async with opened(desk, record=tmp_path / "tape") as web:
        await web.search("kelp")
    settings = {"ledger": {"keep": "file"}}
    replayed = webseam.open(
        search="mine", config=settings, environ=desk.environ, cwd=desk.cwd, replay=tmp_path / "tape"
    )
    async with replayed as web:
        await web.search("kelp")
    assert len(await kept(LedgerFile(file_of(desk)))) == 1


# Writing behind the call's back ------------------------------------------------------------------------


@pytest.mark.req("usage:behind")
async def test_calls_that_end_together_are_written_together_and_all_by_the_end() -> None:
    store = Broken(None)
    keeper = Keeper(store)
    for _ in range(1_200):
        keeper.add(entry())
    assert store.tries == 0
    await keeper.aclose()
    assert (len(store.kept), store.tries) == (1_200, 2)


@pytest.mark.req("usage:behind")
async def test_entries_are_written_within_a_moment_though_nobody_closes() -> None:
    store = Broken(None)
    keeper = Keeper(store)
    for batch in range(2):
        keeper.add(entry())
        store.tried.clear()
        await asyncio.wait_for(store.tried.wait(), 20)
        assert len(store.kept) == batch + 1
    await keeper.aclose()
    assert store.tries == 2


@pytest.mark.req("usage:behind")
def test_a_loop_that_ends_without_closing_has_everything_written(desk: Desk) -> None:
    async def run() -> None:
        await opened(desk).search("kelp")

    asyncio.run(run())
    assert len(asyncio.run(kept(LedgerFile(file_of(desk))))) == 1


@pytest.mark.req("usage:behind")
def test_a_process_that_is_killed_loses_no_more_than_its_last_second(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "l.db"
    code = (
        "import asyncio, os, signal, sys\nfrom pathlib import Path\n"
        "from webseam.core.ledger import Entry\nfrom webseam.stores.ledger import LedgerFile\n"
        "from webseam.wiring.ledger import Keeper\n"
        "async def main():\n"
        "    keeper = Keeper(LedgerFile(Path(sys.argv[1])))\n"
        "    def add(at):\n"
        "        keeper.add(Entry(id=str(at), at=1.8e9, elapsed=1, capability='search', outcome='ok'))\n"
        "    [add(at) for at in range(300)]\n"
        "    await asyncio.sleep(1)\n"
        "    [add(at) for at in range(300, 310)]\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(file)], check=False, env=desk.environ)  # noqa: S603 - ours
    assert killed.returncode == -9
    found = {int(one.id) for one in asyncio.run(kept(LedgerFile(file)))}
    assert set(range(300)) <= found


@pytest.mark.req("usage:unwritable")
async def test_a_record_that_cannot_be_written_ends_no_call_and_is_told_once(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    file_of(desk).parent.mkdir(parents=True)
    file_of(desk).write_bytes(b"a diary, not a database\n" * 200)
    with caplog.at_level(logging.WARNING, "webseam.ledger"):
        async with opened(desk) as web:
            for _ in range(5):
                assert (await web.search("kelp")).provider == "mine"
    first, second = [one.getMessage() for one in caplog.records]
    assert "cannot be written: its file is no SQLite database" in first
    assert second == "webseam: 5 calls are missing in the record of calls."


@pytest.mark.req("usage:unwritable")
async def test_entries_wait_for_a_record_that_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.wiring.ledger.LEDGER_RETRY_SECONDS", 0.001)
    monkeypatch.setattr("webseam.wiring.ledger.LEDGER_SECONDS", 0.001)
    monkeypatch.setattr("webseam.wiring.ledger.LEDGER_QUEUE", 10)
    store, said = Broken(), list[str]()
    keeper = Keeper(store)
    keeper.told = said.append
    for _ in range(13):
        keeper.add(entry())
    await asyncio.wait_for(store.tried.wait(), 20)
    store.why = None
    store.tried.clear()
    await asyncio.wait_for(store.tried.wait(), 20)
    assert len(store.kept) == 10
    await keeper.aclose()
    assert (len(store.kept), store.told_lost, len(said)) == (10, 3, 1)


@pytest.mark.req("usage:once")
async def test_a_batch_that_may_have_been_taken_is_tried_again_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.wiring.ledger.LEDGER_RETRY_SECONDS", 0.001)
    monkeypatch.setattr("webseam.wiring.ledger.LEDGER_SECONDS", 0.001)
    store, given, said, thrice = Broken(None), list[list[str]](), list[str](), asyncio.Event()

    class Deaf:
        """Takes a batch, and says that it did not."""

        sums, entries, recent, lost = store.sums, store.entries, store.recent, store.lost
        whole_since = store.whole_since

        async def append(self, entries: Sequence[Entry], *, lost: int = 0) -> None:
            given.append([one.id for one in entries])
            await store.append(entries, lost=lost)
            if len(given) == 1:
                keeper.add(entry(id="meanwhile"))
                raise LedgerError("the shared server does not answer in time")
            if len(given) == 3:
                thrice.set()

    keeper = Keeper(Deaf())
    keeper.told = said.append
    keeper.add(entry(id="one"))
    keeper.add(entry(id="two"))
    await asyncio.wait_for(thrice.wait(), 20)
    await keeper.aclose()
    assert len(said) == 1
    assert given == [["one", "two"], ["one", "two"], ["meanwhile"]]


@pytest.mark.req("usage:unwritable")
async def test_a_file_that_stays_locked_keeps_no_call_and_no_end_waiting(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webseam.stores.ledger.LEDGER_BUSY_SECONDS", 0.01)
    async with opened(desk) as web:
        await web.search("one")
    other = sqlite3.connect(file_of(desk), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    async with opened(desk) as web:
        web.ledger.told = [].append  # type: ignore[union-attr]  # the keeper of a configured one
        await web.search("two")
    other.execute("ROLLBACK")
    other.close()
    assert len(await kept(LedgerFile(file_of(desk)))) == 1


@pytest.mark.req("usage:unwritable")
async def test_a_call_after_the_end_is_refused_as_ever(desk: Desk) -> None:
    web = opened(desk)
    await web.aclose()
    assert (await refused(web.search("kelp"))).code == Code.PROVIDER_UNAVAILABLE


# The live feed -----------------------------------------------------------------------------------------


@pytest.mark.req("usage:feed")
async def test_a_feed_tells_each_call_as_it_ends_and_ends_with_the_record() -> None:
    keeper = Keeper(Broken(None))
    keeper.add(entry(id="before"))
    async with keeper.subscribe() as feed, keeper.subscribe() as other:
        reading = asyncio.create_task(anext(feed))
        await settle()
        assert not reading.done()
        keeper.add(entry(id="one"))
        assert (await reading).id == "one"
        keeper.add(entry(id="two"))
        await keeper.aclose()
        assert [one.id async for one in feed] == ["two"]
        assert [one.id async for one in other] == ["one", "two"]
    assert [one async for one in keeper.subscribe()] == []


@pytest.mark.req("usage:feed")
async def test_a_slow_reader_misses_the_oldest_and_is_told_how_many() -> None:
    keeper = Keeper(Broken(None))
    async with keeper.subscribe(3) as feed:
        for number in range(10):
            keeper.add(entry(id=str(number)))
        assert [(await anext(feed)).id for _ in range(3)] == ["7", "8", "9"]
        assert feed.missed == 7
    keeper.add(entry())
    assert [one async for one in feed] == []
    await keeper.aclose()


# Fleet -------------------------------------------------------------------------------------------------


@pytest.mark.req("usage:fleet")
async def test_gateways_of_a_fleet_write_one_record_and_go_on_without_its_server(tmp_path: Path) -> None:
    with state_server(tmp_path, any_server()) as server:
        async with VendorServer(HIT, HIT, HIT) as vendor:
            sections = {"fleet": {"url": server.url}, "ledger": {"keep": "fleet"}}
            config = searches(vendor, cache="off", **sections)
            async with gateway(tmp_path, config) as one, gateway(tmp_path, config) as two:
                await one.search("kelp", call=Call(tags={"tenant": "acme"}))
                await two.search("kelp", call=Call(tags={"tenant": "zoo"}))
            async with gateway(tmp_path, config) as web:
                store = web.ledger.store  # type: ignore[union-attr]  # the keeper of a configured one
                assert isinstance(store, LedgerStream)
                assert {one.tenant for one in await kept(store)} == {"acme", "zoo"}
                assert (await store.sums("tenant")).whole.calls == 2
                server.stop()
                web.ledger.told = [].append  # type: ignore[union-attr]  # the same
                assert (await web.search("kelp")).provider == "kelp"


@pytest.mark.req("usage:fleet")
async def test_an_offline_run_of_a_fleet_records_nowhere(desk: Desk) -> None:
    settings = {"ledger": {"keep": "fleet"}, "fleet": {"url": "redis://127.0.0.1:1"}}
    async with webseam.open(config=settings, environ=desk.environ, cwd=desk.cwd, offline=True) as web:
        assert web.ledger is None


@pytest.mark.req("usage:entry")
def test_whatever_is_built_hands_out_its_keeper(desk: Desk) -> None:
    built = build(desk.load({"ledger": {"keep": "file"}}))
    assert built.keeper is built.web.ledger
    assert build(desk.load()).keeper is None
    assert isinstance(Web(ledger=Book()).ledger, Book)
