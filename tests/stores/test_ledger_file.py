"""The file of the record of calls: retention, versions, damage, a full disk, a lock (issue 7.4)."""

import sqlite3
import stat
from pathlib import Path

import pytest

from support.ledger import DAY, START, entry, kept
from webseam.core.ledger import LedgerError
from webseam.stores.ledger import APPLICATION_ID, VERSION, LedgerFile


class Now:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.seconds = START

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.req("usage:retention")
async def test_entries_that_are_too_old_are_forgotten_at_the_next_look_of_an_hour(tmp_path: Path) -> None:
    now = Now()
    store = LedgerFile(tmp_path / "l.sqlite3", keep_days=7, now=now)
    await store.append([entry(id="old", at=START - 8 * DAY), entry(id="new")], lost=2)
    assert [one.id for one in await kept(store)] == ["new"]
    now.seconds = START + 8 * DAY
    await store.append([entry(id="newer", at=now.seconds)])
    assert [one.id for one in await kept(store)] == ["newer"]
    assert (await store.sums("tool")).lost == 0


@pytest.mark.req("usage:retention")
async def test_entries_of_a_record_that_is_read_alone_stay(tmp_path: Path) -> None:
    await LedgerFile(tmp_path / "l.sqlite3", now=lambda: START).append([entry()])
    later = LedgerFile(tmp_path / "l.sqlite3", now=lambda: START + 4_000 * DAY)
    assert len(await kept(later)) == (await later.sums("tool")).whole.calls == 1


@pytest.mark.req("usage:private")
async def test_the_file_is_its_user_s_alone_and_a_look_makes_none(tmp_path: Path) -> None:
    store = LedgerFile(tmp_path / "new" / "folder" / "l.sqlite3")
    assert await kept(store) == []
    assert (await store.sums("day")).rows == ()
    assert not store.path.parent.exists()
    await store.append([entry()])
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700


@pytest.mark.req("usage:version")
@pytest.mark.parametrize("version", [0, VERSION + 1])
async def test_a_file_of_another_version_is_left_alone_and_refused(tmp_path: Path, version: int) -> None:
    store = LedgerFile(tmp_path / "l.sqlite3")
    await store.append([entry()])
    with sqlite3.connect(store.path) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = store.path.read_bytes()
    with pytest.raises(LedgerError, match="another version of webseam"):
        await store.append([entry()])
    with pytest.raises(LedgerError, match="another version of webseam"):
        await kept(store)
    assert store.path.read_bytes() == before


@pytest.mark.req("usage:version")
async def test_a_file_is_marked_as_ours_with_its_version(tmp_path: Path) -> None:
    store = LedgerFile(tmp_path / "l.sqlite3")
    await store.append([entry()])
    connection = sqlite3.connect(store.path)
    marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    assert [*marks, connection.execute("PRAGMA journal_mode").fetchone()[0]] == [APPLICATION_ID, VERSION, "wal"]
    connection.close()


@pytest.mark.req("usage:unwritable")
@pytest.mark.parametrize(
    ("content", "why"), [(b"a diary, not a database\n" * 200, "no SQLite database"), (None, "another program's")]
)
async def test_what_is_not_ours_is_never_written(tmp_path: Path, content: bytes | None, why: str) -> None:
    file = tmp_path / "l.sqlite3"
    if content is None:
        with sqlite3.connect(file) as connection:
            connection.execute("CREATE TABLE theirs(a)")
        connection.close()
    else:
        file.write_bytes(content)
    before = file.read_bytes()
    store = LedgerFile(file)
    with pytest.raises(LedgerError, match=why):
        await store.append([entry()])
    with pytest.raises(LedgerError, match=why):
        await store.sums("day")
    assert file.read_bytes() == before


@pytest.mark.req("usage:unwritable")
async def test_a_file_that_another_program_keeps_locked_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webseam.stores.ledger.LEDGER_BUSY_SECONDS", 0.01)
    store = LedgerFile(tmp_path / "l.sqlite3")
    await store.append([entry()])
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match="keeps it locked"):
        await store.append([entry()])
    assert (await store.sums("day")).whole.calls == 1
    other.execute("COMMIT")
    other.close()
    await store.append([entry()])
    assert len(await kept(store)) == 2


@pytest.mark.req("usage:unwritable")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without a device that is always full")
async def test_a_place_that_takes_nothing_is_told(tmp_path: Path) -> None:
    link = tmp_path / "l.sqlite3"
    link.symlink_to("/dev/full")
    with pytest.raises(LedgerError, match=r"its file|the disk"):
        await LedgerFile(link).append([entry()])
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    for path in (file / "l.sqlite3", tmp_path, Path("/proc/no/l.sqlite3"), Path("a\0b")):
        with pytest.raises(LedgerError, match="cannot be opened"):
            await LedgerFile(path).append([entry()])


@pytest.mark.req("usage:unwritable")
async def test_a_full_disk_is_told_and_what_was_written_before_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = LedgerFile(tmp_path / "l.sqlite3")
    await store.append([entry(id="before")])
    connect = sqlite3.connect

    def full(*place: object, **how: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*place, **how)  # type: ignore[call-overload]  # handed on as it came
        connection.execute("PRAGMA max_page_count = 1")  # it may grow no more, which SQLite tells as a full disk
        return connection

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", full)
        with pytest.raises(LedgerError, match="the disk is full"):
            await store.append([entry(target="x" * 200_000)])
    assert [one.id for one in await kept(store)] == ["before"]


@pytest.mark.req("usage:entries")
async def test_a_file_that_is_moved_away_begins_anew(tmp_path: Path) -> None:
    store = LedgerFile(tmp_path / "l.sqlite3")
    await store.append([entry(id="one")])
    for file in tmp_path.iterdir():  # noqa: ASYNC240 - a folder of one file
        file.rename(file.with_name("old-" + file.name))
    await store.append([entry(id="two")])
    assert [one.id for one in await kept(store)] == ["two"]
    assert [one.id for one in await kept(LedgerFile(tmp_path / "old-l.sqlite3"))] == ["one"]
