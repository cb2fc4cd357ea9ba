"""The index as a store: batches, replacement, removal, many readers, cancellation, damaged and foreign files."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from support.index import filled, found, page, urls
from webseam.core.errors import WebError
from webseam.stores.blocking import Stop, in_thread
from webseam.stores.index import Document, LocalIndex
from webseam.stores.schema import APPLICATION_ID, VERSION, reading


@pytest.mark.req("stores:index:upsert")
async def test_a_page_taken_in_again_replaces_the_old_one(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://A.test:443/x#part", "old kelp", "Old", published_at="2020"))
    await index.add([page("https://a.test/x", "new crab", "New")])
    answer = await index.search("crab", limit=5)
    assert urls(answer) == ["https://a.test/x"]
    assert (answer.hits[0].title, answer.hits[0].published_at) == ("New", None)
    assert await found(index, "kelp") == []
    assert (await index.stats()).documents == 1


@pytest.mark.req("stores:index:own")
async def test_a_new_index_and_its_folder_are_their_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "i.sqlite3"
    await LocalIndex(path, read_only=False).add([page("https://a.test/", "kelp")])

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.req("stores:index:upsert")
async def test_the_same_page_twice_in_a_batch_is_kept_once_as_last_given(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "first"), page("https://a.test/#b", "second"))
    assert await found(index, "second") == ["https://a.test/"]
    assert await found(index, "first") == []


@pytest.mark.req("stores:index:atomic")
async def test_a_batch_with_a_bad_url_takes_in_nothing(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    for bad in ("ftp://a.test/", "/relative", "https://user:pw@a.test/"):
        with pytest.raises(WebError):
            await index.add([page("https://b.test/", "crab"), page(bad, "crab")])
    assert await found(index, "crab") == []


@pytest.mark.req("stores:index:atomic")
async def test_a_batch_that_fails_halfway_leaves_nothing_behind(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    with closing(sqlite3.connect(index.path)) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON texts WHEN new.text = 'last' BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    with pytest.raises(WebError):
        await index.add([page("https://a.test/", "crab"), page("https://b.test/", "last")])
    assert await found(index, "kelp") == ["https://a.test/"]
    assert await found(index, "crab") == []


@pytest.mark.req("stores:index:remove")
async def test_a_removed_page_is_not_found_any_more(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "kelp"), page("https://b.test/", "kelp"))
    assert await index.remove("https://A.test/#x")
    assert not await index.remove("https://a.test/")
    assert await found(index, "kelp") == ["https://b.test/"]


@pytest.mark.req("stores:index:stats")
async def test_stats_count_pages_and_bytes_and_name_the_newest(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    await index.add([Document(url="https://b.test/", text="crab", indexed_at="2027-01-01T00:00:00Z")])
    stats = await index.stats()
    assert (stats.documents, stats.updated_at) == (2, "2027-01-01T00:00:00Z")
    assert stats.bytes == index.path.stat().st_size
    await index.remove("https://a.test/")
    await index.remove("https://b.test/")
    assert ((await index.stats()).documents, (await index.stats()).updated_at) == (0, None)


async def test_odd_text_is_kept_and_found(tmp_path: Path) -> None:
    odd = page("https://a.test/", "before\0after \ud800surrogate", "\ud800 title\n\x1b[31m")
    index = await filled(tmp_path, odd)
    assert await found(index, "after surrogate") == ["https://a.test/"]
    (hit,) = (await index.search("after", limit=1)).hits
    assert hit.title == "title [31m"


@pytest.mark.req("stores:index:read-only")
async def test_an_index_opened_for_reading_is_not_written(tmp_path: Path) -> None:
    written = await filled(tmp_path, page("https://a.test/", "kelp"))
    index = LocalIndex(written.path, read_only=True)
    for change in (index.add([page("https://b.test/", "crab")]), index.remove("https://a.test/")):
        with pytest.raises(WebError, match="opened for reading"):
            await change
    assert await found(index, "kelp") == ["https://a.test/"]


@contextmanager
def _locked(index: LocalIndex) -> Iterator[None]:
    """Nobody may write the index or its folder; root, who may write anywhere, gives its rights up meanwhile."""
    index.path.chmod(0o444)
    index.path.parent.chmod(0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(user)
        index.path.parent.chmod(0o755)


@pytest.mark.req("stores:index:read-only")
async def test_an_index_in_a_folder_without_write_permission_is_searched() -> None:
    with tempfile.TemporaryDirectory() as folder:
        index = await filled(Path(folder), page("https://a.test/", "kelp"))
        with _locked(index):
            assert await found(LocalIndex(index.path, read_only=True), "kelp") == ["https://a.test/"]
            with pytest.raises(WebError, match=r"cannot be (written|opened)") as caught:
                await index.add([page("https://b.test/", "crab")])
    assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.mark.req("stores:index:foreign-file")
async def test_a_file_that_is_no_index_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("my notes " * 500, encoding="utf-8")
    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE mine(x)")
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(WebError, match="not a webseam index") as caught:
            await LocalIndex(path, read_only=True).search("kelp", limit=1)
        assert caught.value.code == "WEB_CONFIG_INVALID"
        with pytest.raises(WebError, match="not a webseam index"):
            await LocalIndex(path, read_only=False).add([page("https://a.test/", "kelp")])
        assert path.read_bytes() == before


@pytest.mark.req("stores:index:foreign-file")
@pytest.mark.parametrize(("version", "word"), [(VERSION + 1, "newer"), (0, "older")])
async def test_another_format_is_refused_with_what_to_do(tmp_path: Path, version: int, word: str) -> None:
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    with closing(sqlite3.connect(index.path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    for call in (index.search("kelp", limit=1), index.add([page("https://b.test/", "crab")]), index.stats()):
        with pytest.raises(WebError, match=f"{word} webseam.*index") as caught:
            await call
        assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.mark.req("stores:index:damaged")
async def test_a_damaged_file_is_told_as_such(tmp_path: Path) -> None:
    index = await filled(tmp_path, *(page(f"https://a.test/{n}", "kelp and crab " * 50) for n in range(200)))
    whole = index.path.read_bytes()
    index.path.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    with pytest.raises(WebError, match="damaged") as caught:
        await index.search("kelp", limit=1)
    assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.mark.req("stores:index:damaged")
async def test_an_index_whose_tables_are_gone_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "hollow.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("CREATE TABLE mine(x)")
    with pytest.raises(WebError, match="damaged"):
        await LocalIndex(path, read_only=True).search("kelp", limit=1)


async def test_a_folder_in_place_of_the_file_is_a_mistake_in_the_path(tmp_path: Path) -> None:
    with pytest.raises(WebError, match="cannot be opened") as caught:
        await LocalIndex(tmp_path, read_only=True).search("kelp", limit=1)
    assert caught.value.code == "WEB_CONFIG_INVALID"
    (tmp_path / "file").touch()
    with pytest.raises(WebError, match="cannot be opened"):
        await LocalIndex(tmp_path / "file" / "x.sqlite3", read_only=False).add([page("https://a.test/", "kelp")])


async def test_an_empty_file_holds_nothing_and_can_be_filled(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    path.touch()
    with pytest.raises(WebError, match="nothing is indexed yet"):
        await LocalIndex(path, read_only=True).search("kelp", limit=1)
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    assert await found(index, "kelp") == ["https://a.test/"]


@pytest.mark.req("stores:index:concurrent")
async def test_readers_see_whole_batches_while_a_writer_writes(tmp_path: Path) -> None:
    index = await filled(tmp_path, *_batch(0))
    writer = asyncio.create_task(_write(index, 12))
    seen = []
    while not writer.done():
        answer = await index.search("kelp", limit=200)
        seen.append(len(answer.hits))
    await writer
    assert all(count % 5 == 0 and count for count in seen)
    assert len((await index.search("kelp", limit=200)).hits) == 65


def _batch(number: int) -> list[Document]:
    return [page(f"https://a.test/{number}/{n}", "kelp") for n in range(5)]


async def _write(index: LocalIndex, batches: int) -> None:
    for number in range(1, batches + 1):
        await index.add(_batch(number))


@pytest.mark.req("stores:index:concurrent")
async def test_many_first_writers_make_one_index(tmp_path: Path) -> None:
    for attempt in range(25):
        index = LocalIndex(tmp_path / str(attempt) / "index.sqlite3", read_only=False)
        await asyncio.gather(*(index.add([page(f"https://a.test/{n}", "kelp")]) for n in range(6)))
        assert (await index.stats()).documents == 6


_WRITER = """
import asyncio, sys
from pathlib import Path
from webseam.stores.index import Document, LocalIndex

async def main(path, host):
    index = LocalIndex(Path(path), read_only=False)
    for n in range(20):
        await index.add([Document(url=f"https://{host}/{n}", text="kelp", indexed_at="2026-11-30T00:00:00Z")])

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.req("stores:index:concurrent")
async def test_two_processes_and_many_tasks_write_one_new_index(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "index.sqlite3"
    others = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", _WRITER, str(path), host, stderr=subprocess.PIPE)
        for host in ("b.test", "c.test")
    ]
    index = LocalIndex(path, read_only=False)
    await asyncio.gather(*(index.add([page(f"https://a.test/{n}", "kelp")]) for n in range(10)))
    for other in others:
        _, complaints = await other.communicate()
        assert other.returncode == 0, complaints.decode()
    assert (await index.stats()).documents == 50


@pytest.mark.req("stores:index:cancel")
async def test_a_cancelled_search_ends_its_work(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    begun, ended = threading.Event(), threading.Event()

    def endless(stop: Stop) -> None:
        try:
            with reading(index.path, stop) as connection:
                begun.set()
                connection.execute(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
                ).fetchone()
        finally:
            ended.set()

    task = asyncio.create_task(in_thread(endless))
    await asyncio.to_thread(begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


@pytest.mark.req("stores:index:cancel")
async def test_a_cancelled_batch_is_not_taken_in(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    task = asyncio.create_task(index.add(page(f"https://b.test/{n}", "crab " * 2_000) for n in range(500)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await index.stats()).documents == 1
    await index.add([page("https://c.test/", "crab")])
    assert await found(index, "crab") == ["https://c.test/"]


async def test_a_writer_that_waits_for_another_one_can_be_cancelled(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    with closing(sqlite3.connect(index.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(index.add([page("https://b.test/", "crab")]))
        await asyncio.sleep(0)
        assert await found(index, "kelp") == ["https://a.test/"]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await found(index, "crab") == []


@pytest.mark.req("stores:index:busy")
async def test_a_writer_gives_up_when_another_one_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    monkeypatch.setattr("webseam.stores.schema.INDEX_BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(index.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(WebError, match="another process") as caught:
            await index.add([page("https://b.test/", "crab")])
    assert (caught.value.code, caught.value.retryable) == ("WEB_PROVIDER_ERROR", True)
