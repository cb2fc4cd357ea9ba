"""Pages kept in a SQLite file that several processes may use at once. What cannot be read in it is made anew."""

import json
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from webseam.core.deadline import Clock
from webseam.core.limits import PAGES_BUSY_SECONDS, PAGES_DISK_BYTES, PAGES_KEPT
from webseam.core.pages import PageStoreError, StoredPage
from webseam.stores.blocking import Stop, in_thread, patiently, primary_code
from webseam.stores.pages import page_size
from webseam.stores.private_file import private_database

R = TypeVar("R")

APPLICATION_ID: Final = 0x77735067  # "wsPg": tells our file from any other SQLite database
VERSION: Final = 1
"""Of tables and fields; a file of another version is emptied in silence."""

_TABLE: Final = """CREATE TABLE pages(
    key TEXT PRIMARY KEY, facts TEXT NOT NULL, body BLOB NOT NULL, sum INTEGER NOT NULL,
    size INTEGER NOT NULL, turn INTEGER NOT NULL)"""
_ORDER: Final = "CREATE INDEX by_turn ON pages(turn, size)"  # holds all that keeping within bounds looks at
_RUINED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_REASONS: Final[dict[int, str]] = {
    sqlite3.SQLITE_BUSY: "another process is writing it",
    sqlite3.SQLITE_LOCKED: "another process is writing it",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "its file cannot be written",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
    sqlite3.SQLITE_PERM: "its file cannot be opened",
    sqlite3.SQLITE_IOERR: "the disk does not answer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a store holds: `pages` in number, `bytes` on the disk."""

    pages: int = 0
    bytes: int = 0


class DiskPages:
    """Pages in the file at `path`, at most `max_bytes` and `max_pages`; the one kept longest ago goes first.

    The file and its folder are made for the user alone. Every call opens it anew, so that it may vanish in between.
    """

    def __init__(
        self,
        path: Path,
        *,
        max_bytes: int = PAGES_DISK_BYTES,
        max_pages: int = PAGES_KEPT,
        clock: Clock = time.time,
    ) -> None:
        self.clock = clock
        self._path = path
        self._max_bytes = max_bytes
        self._max_pages = max_pages

    async def get(self, key: str, /) -> StoredPage | None:
        """See `PageStore`."""
        if not self._path.exists():  # nothing was kept yet; a look makes no file
            return None

        def work(connection: sqlite3.Connection) -> StoredPage | None:
            row = connection.execute("SELECT facts, body, sum FROM pages WHERE key = ?", (key,)).fetchone()
            return None if row is None else _page(*row)

        return await self._run(work)

    async def put(self, key: str, page: StoredPage, /) -> None:
        """See `PageStore`."""
        if page_size(page) > self._max_bytes:
            await self.drop(key)
            return

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            self._insert(connection, key, page)
            self._keep_bounds(connection)
            connection.execute("COMMIT")

        await self._run(work)

    async def drop(self, key: str, /) -> None:
        """See `PageStore`."""
        if self._path.exists():
            await self._run(lambda connection: _forget(connection, key))

    async def held(self) -> Held:
        """What is kept; nothing where there is no file, and none is made.

        Raises:
            PageStoreError: the store cannot be read.
        """
        if not self._path.exists():
            return Held()
        pages = await self._run(_count)
        return Held(pages=pages, bytes=sum(file.stat().st_size for file in self._files() if file.exists()))

    async def clear(self) -> int:
        """Forget all pages, and give their room back to the disk; returns how many there were.

        Raises:
            PageStoreError: the store cannot be written.
        """
        return await self._run(_empty) if self._path.exists() else 0

    def _files(self) -> tuple[Path, ...]:
        """The file, last, and those that SQLite keeps beside it."""
        return tuple(self._path.with_name(self._path.name + suffix) for suffix in ("-wal", "-shm", ""))

    def _insert(self, connection: sqlite3.Connection, key: str, page: StoredPage) -> None:
        facts = _facts(page)
        connection.execute(
            "INSERT OR REPLACE INTO pages(key, facts, body, sum, size, turn) "
            "VALUES(?, ?, ?, ?, ?, (SELECT coalesce(max(turn), 0) + 1 FROM pages))",
            (key, facts, page.body, _sum(facts, page.body), page_size(page)),
        )

    def _keep_bounds(self, connection: sqlite3.Connection) -> None:
        """Oldest first, as many as are too many."""
        count, held = connection.execute("SELECT count(*), sum(size) FROM pages").fetchone()
        last = None
        for turn, size in connection.execute("SELECT turn, size FROM pages ORDER BY turn"):
            if held <= self._max_bytes and count <= self._max_pages:
                break
            last, held, count = turn, held - size, count - 1
        if last is not None:
            connection.execute("DELETE FROM pages WHERE turn <= ?", (last,))

    async def _run(self, work: Callable[[sqlite3.Connection], R]) -> R:
        return await in_thread(lambda stop: self._attempt(work, stop))

    def _attempt(self, work: Callable[[sqlite3.Connection], R], stop: Stop) -> R:
        """Run `work`; where the file turns out to be no store of ours, once more on a new one."""
        try:
            try:
                with self._opened(stop) as connection:
                    return work(connection)
            except sqlite3.DatabaseError as exc:
                if primary_code(exc) not in _RUINED:
                    raise
                self._remove()
            with self._opened(stop) as connection:
                return work(connection)
        except sqlite3.Error as exc:
            raise PageStoreError(_REASONS.get(primary_code(exc), "its file cannot be used")) from exc
        except OSError as exc:
            raise PageStoreError(f"its file cannot be opened ({exc.strerror or type(exc).__name__})") from exc

    @contextmanager
    def _opened(self, stop: Stop) -> Iterator[sqlite3.Connection]:
        with private_database(self._path, stop, busy_seconds=PAGES_BUSY_SECONDS) as connection:
            _prepare(connection, stop)
            yield connection

    def _remove(self) -> None:
        for file in self._files():
            file.unlink(missing_ok=True)


def _prepare(connection: sqlite3.Connection, stop: Stop) -> None:
    """Make the tables, also in the place of those of another version.

    Raises:
        PageStoreError: the file is somebody else's database.
    """
    connection.execute("PRAGMA synchronous = OFF")  # what a power failure damages is made anew
    if _marks(connection) == (APPLICATION_ID, VERSION):
        return
    _refuse_foreign(connection)
    patiently(connection, "PRAGMA journal_mode = WAL", stop, seconds=PAGES_BUSY_SECONDS)
    connection.execute("BEGIN IMMEDIATE")
    if _marks(connection) != (APPLICATION_ID, VERSION):  # else another process was faster
        _rebuild(connection)
    connection.execute("COMMIT")


def _refuse_foreign(connection: sqlite3.Connection) -> None:
    """Mark and tables are read as of one moment: another process may be making ours just now."""
    connection.execute("BEGIN")
    tables = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()  # the first read fixes the moment
    application, _ = _marks(connection)
    connection.execute("COMMIT")
    if application != APPLICATION_ID and (application or tables):
        raise PageStoreError("its file is another program's database")


def _rebuild(connection: sqlite3.Connection) -> None:
    for statement in (
        "DROP TABLE IF EXISTS pages",
        _TABLE,
        _ORDER,
        f"PRAGMA application_id = {APPLICATION_ID}",
        f"PRAGMA user_version = {VERSION}",
    ):
        connection.execute(statement)


def _marks(connection: sqlite3.Connection) -> tuple[int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application, version


def _forget(connection: sqlite3.Connection, key: str) -> None:
    connection.execute("DELETE FROM pages WHERE key = ?", (key,))


def _count(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute("SELECT count(*) FROM pages").fetchone()
    return int(count)


def _empty(connection: sqlite3.Connection) -> int:
    """Rewritten, so that no page's bytes stay in the free room of the file, and the log beside it shrinks."""
    count = connection.execute("DELETE FROM pages").rowcount
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return count


# Rows --------------------------------------------------------------------------------------------------


def _facts(page: StoredPage) -> str:
    """All of a page but its body, as ASCII: a header may hold bytes that are no UTF-8."""
    fields = (page.status, page.headers, page.stored_at, page.age, page.lifetime, page.proxied)
    return json.dumps(fields)


def _page(facts: Any, body: Any, kept_sum: Any) -> StoredPage | None:
    """The page of a row; None for one that does not say what was written."""
    if not isinstance(facts, str) or not isinstance(body, bytes) or _sum(facts, body) != kept_sum:
        return None
    status, headers, stored_at, age, lifetime, proxied = json.loads(facts)
    return StoredPage(
        status=status,
        headers=tuple((name, value) for name, value in headers),
        body=body,
        stored_at=stored_at,
        age=age,
        lifetime=lifetime,
        proxied=proxied,
    )


def _sum(facts: str, body: bytes) -> int:
    """CRC-32: SQLite itself does not see a bit that fell over in a row."""
    return zlib.crc32(body, zlib.crc32(facts.encode()))
