"""The stores of the page cache, in memory, on disk and on a server: one contract (issue point 7)."""

import asyncio
import sqlite3
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.pages import stored
from webseam.core.pages import PageStore, PageStoreError, StoredPage
from webseam.stores.pages import MemoryPages, page_size, page_store
from webseam.stores.pages_disk import DiskPages

Make = Callable[..., PageStore]
SIZE = page_size(stored(b"x" * 1_000))


async def _as_of(store: PageStore, put: StoredPage) -> StoredPage | None:
    """What is kept; a server tells when it was stored by its own clock, so not to the microsecond."""
    page = await store.get("k")
    assert page is not None
    assert page.stored_at == pytest.approx(put.stored_at, abs=10)
    return replace(page, stored_at=put.stored_at)


async def _kept(store: PageStore, *keys: str) -> str:
    return "".join([key for key in keys if await store.get(key) is not None])


@pytest.mark.req("cache:bytes:derived")
async def test_what_was_kept_comes_back_as_it_was(make: Make) -> None:
    odd = stored(
        bytes(range(256)),
        status=404,
        headers=(("X", "a\udcff"), ("x", "é"), ("Y", "")),
        age=1.5,
        lifetime=2.5,
        proxied=True,
    )
    store = make()
    assert await store.get("k") is None
    await store.put("k", odd)

    assert await _as_of(store, odd) == odd
    await store.put("k", stored(b""))
    assert await _as_of(store, stored(b"")) == stored(b"")
    await store.drop("k")
    await store.drop("k")
    assert await store.get("k") is None


@pytest.mark.req("cache:bounds")
async def test_bytes_are_bounded_and_the_oldest_page_goes(make: Make) -> None:
    store = make(max_bytes=3 * SIZE)
    for key in "abcd":
        await store.put(key, stored(b"x" * 1_000))
    assert await _kept(store, *"abcd") == "bcd"

    await store.put("b", stored(b"x" * 1_001))
    assert await _kept(store, *"abcd") == "bd"


@pytest.mark.req("cache:bounds")
async def test_pages_are_counted_and_one_larger_than_the_store_is_not_kept(make: Make) -> None:
    store = make(max_pages=2, max_bytes=2 * SIZE)
    for key in "abc":
        await store.put(key, stored(b""))
    assert await _kept(store, *"abc") == "bc"

    await store.put("b", stored(b"x" * 9_000))
    assert await _kept(store, *"abc") == "c"


@pytest.mark.req("cache:bounds")
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 3_000)), max_size=30))
@settings(max_examples=50, deadline=None)
async def test_no_order_of_writes_breaks_the_bounds(writes: list[tuple[str, int]]) -> None:
    store = MemoryPages(max_bytes=3 * SIZE, max_pages=4)
    for key, size in writes:
        await store.put(key, stored(b"x" * size))
        kept = [page for each in "abcdef" if (page := await store.get(each)) is not None]
        assert sum(map(page_size, kept)) <= 3 * SIZE
        assert len(kept) <= 4
        assert any(len(page.body) == size for page in kept) or page_size(stored(b"x" * size)) > 3 * SIZE


@pytest.mark.req("cache:disk:shared")
async def test_many_writers_and_readers_share_one_file(tmp_path: Path) -> None:
    stores = [DiskPages(tmp_path / "new" / "p.sqlite3") for _ in range(4)]

    async def work(store: DiskPages, name: str) -> None:
        for at in range(5):
            await store.put(f"{name}{at}", stored(name.encode()))
            page = await store.get(f"{name}{at}")
            assert page is not None
            assert page.body == name.encode()

    await asyncio.gather(*(work(store, name) for store, name in zip(stores, "abcd", strict=True)))
    assert await _kept(stores[0], "a0", "b1", "c2", "d4") == "a0b1c2d4"


@pytest.mark.req("cache:disk:rebuilt")
@pytest.mark.parametrize("damage", [b"no database at all" * 300, b"SQLite format 3\0" + b"\xff" * 4_080, b"x"])
async def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "p.sqlite3"
    path.write_bytes(damage)
    store = DiskPages(path)

    assert await store.get("k") is None
    await store.put("k", stored())
    assert await store.get("k") == stored()


@pytest.mark.req("cache:disk:rebuilt")
async def test_damage_in_the_middle_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "p.sqlite3"
    store = DiskPages(path)
    for at in range(20):
        await store.put(f"k{at}", stored(b"x" * 5_000))
    data = bytearray(path.read_bytes())
    data[4_096 : len(data)] = b"\x07" * (len(data) - 4_096)
    path.write_bytes(data)

    assert await store.get("k3") is None
    await store.put("k", stored())
    assert await store.get("k") == stored()


@pytest.mark.req("cache:disk:rebuilt")
async def test_a_row_that_is_not_what_was_written_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "p.sqlite3"
    store = DiskPages(path)
    await store.put("k", stored())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE pages SET body = X'00'")
    connection.close()

    assert await store.get("k") is None


@pytest.mark.req("cache:disk:rebuilt")
async def test_a_file_of_another_version_is_emptied_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "p.sqlite3"
    store = DiskPages(path)
    await store.put("k", stored())
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE pages; CREATE TABLE pages(other); PRAGMA user_version = 99")
    connection.close()

    assert await store.get("k") is None
    await store.put("k", stored())
    assert await store.get("k") == stored()


@pytest.mark.req("cache:disk:rebuilt")
async def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "p.sqlite3"
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE mine(x); INSERT INTO mine VALUES(1)")
    with pytest.raises(PageStoreError, match="another program"):
        await DiskPages(path).put("k", stored())

    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]
    connection.close()


@pytest.mark.req("cache:disk:trouble")
async def test_a_file_that_another_process_holds_is_not_waited_for_long(tmp_path: Path) -> None:
    path = tmp_path / "p.sqlite3"
    store = DiskPages(path)
    await store.put("k", stored())
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    with pytest.raises(PageStoreError, match="another process"):
        await store.put("k", replace(stored(), status=404))

    assert await store.get("k") == stored()
    connection.close()


@pytest.mark.req("cache:disk:own")
async def test_file_and_folder_are_their_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "p.sqlite3"
    await DiskPages(path).put("digest", stored())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.req("cache:off")
def test_a_setting_chooses_the_store_and_nothing_is_made_yet(tmp_path: Path) -> None:
    folder = tmp_path / "data"

    def made(mode: Literal["off", "memory", "disk"]) -> PageStore | None:
        return page_store(mode, folder, clock=lambda: 1.0, now=lambda: 2.0)

    memory, disk = made("memory"), made("disk")
    assert made("off") is None
    assert memory is not None
    assert disk is not None
    assert (memory.clock(), disk.clock()) == (1.0, 2.0)
    assert not folder.exists()
