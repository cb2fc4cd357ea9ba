"""Cells in a SQLite file that several processes of one machine share. A file that cannot be read is made anew."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from webseam.core.limits import FLEET_SECONDS
from webseam.core.shared import SharedError
from webseam.stores.blocking import Stop, in_thread, primary_code
from webseam.stores.cells import Step
from webseam.stores.private_file import private_database
from webseam.stores.steps import MICRO

R = TypeVar("R")

CELLS_FILE: Final = "shared.sqlite3"
"""Name of the file in the data directory."""
APPLICATION_ID: Final = 0x77735363  # "wsSc": tells our file from any other SQLite database
VERSION: Final = 1
"""Of the table and of what stands in it; a file of another version is emptied."""

_TABLES: Final = (
    "DROP TABLE IF EXISTS cells",
    "CREATE TABLE cells(key TEXT PRIMARY KEY, state TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX by_until ON cells(until)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)
_RUINED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class DiskCells:
    """Cells in the file at `path`, made for the user alone; `now` is seconds since 1970. Each step opens it anew."""

    def __init__(self, path: Path, *, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._now = now

    async def update(self, key: str, step: Step[R], /) -> R:
        """See `Cells`."""
        return await in_thread(lambda stop: self._attempt(key, step, stop))

    def _attempt(self, key: str, step: Step[R], stop: Stop) -> R:
        """Once more on a new file, where this one turns out to be ruined."""
        try:
            try:
                return self._once(key, step, stop)
            except sqlite3.DatabaseError as exc:
                if primary_code(exc) not in _RUINED:
                    raise
                for suffix in ("-wal", "-shm", ""):
                    self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            return self._once(key, step, stop)
        except sqlite3.Error as exc:
            raise SharedError("its file cannot be used, or another process writes it for too long") from exc
        except OSError as exc:
            raise SharedError(f"its file cannot be opened ({exc.strerror or type(exc).__name__})") from exc

    def _once(self, key: str, step: Step[R], stop: Stop) -> R:
        with self._opened(stop) as connection:
            now = int(self._now() * MICRO)  # within the transaction: no step sees a time before that of the last one
            row = connection.execute("SELECT state FROM cells WHERE key = ? AND until > ?", (key, now)).fetchone()
            done = step(_read(row), now)
            if done.until:
                connection.execute("DELETE FROM cells WHERE until <= ?", (now,))
                connection.execute(
                    "INSERT OR REPLACE INTO cells(key, state, until) VALUES(?, ?, ?)",
                    (key, json.dumps(done.state), done.until),
                )
            connection.execute("COMMIT")
            return done.answer

    @contextmanager
    def _opened(self, stop: Stop) -> Iterator[sqlite3.Connection]:
        """The file in a transaction of its own, which is undone unless it is committed."""
        with private_database(self._path, stop, busy_seconds=FLEET_SECONDS) as connection:
            connection.execute("PRAGMA synchronous = OFF")  # what a power failure takes is minutes old at most
            connection.execute("BEGIN IMMEDIATE")
            _prepare(connection)
            yield connection


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the table, also in the place of one of another version.

    Raises:
        SharedError: the file is somebody else's database.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) == (APPLICATION_ID, VERSION):
        return
    tables = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    if application != APPLICATION_ID and (application or tables):
        raise SharedError("its file is another program's database")
    for statement in _TABLES:
        connection.execute(statement)


def _read(row: "tuple[str] | None") -> "dict[str, object] | None":
    """The state of a row; None for one that is damaged."""
    try:
        state = None if row is None else json.loads(row[0])
    except (TypeError, ValueError):  # a bit that fell over
        return None
    return state if isinstance(state, dict) else None
