"""The file of the local index: opening it, its tables, and what SQLite's failures mean to a person."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import INDEX_BUSY_SECONDS
from webseam.core.text import one_line
from webseam.stores.blocking import BUSY_STEP_SECONDS, Stop, patiently, primary_code
from webseam.stores.place import NOTHING_INDEXED
from webseam.stores.private_file import make_private

APPLICATION_ID: Final = 0x77734978  # "wsIx": tells our file from any other SQLite database
VERSION: Final = 1

_TABLES: Final = (
    """CREATE TABLE documents(
        id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, host TEXT NOT NULL, title TEXT,
        published_at TEXT, indexed_at TEXT NOT NULL)""",
    # Beside, not inside: ranking reads `documents` for every match, and pages would make its rows long.
    "CREATE TABLE texts(id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
    # `ascii` takes ready-made tokens as they are: it parts at spaces and lets all other scripts through.
    "CREATE VIRTUAL TABLE words USING fts5(title, text, tokenize='ascii')",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)


@contextmanager
def reading(path: Path, stop: Stop) -> Iterator[sqlite3.Connection]:
    """A read transaction on an existing index: one state of it, whatever writers do meanwhile.

    Raises:
        WebError: `WEB_PROVIDER_UNAVAILABLE` when nothing is indexed yet; else as `faults`.
    """
    if not path.exists():
        raise nothing_indexed()
    with faults(path):
        connection = _open_for_reading(path, stop)
        try:
            if _is_blank(connection, path):
                raise nothing_indexed()
            yield connection
        finally:
            connection.close()


@contextmanager
def writing(path: Path, stop: Stop) -> Iterator[sqlite3.Connection]:
    """A write transaction, the file and its tables made where missing; committed only when the block ends well.

    A new file is its user's alone: what was read for them stands in it.

    Waits up to `INDEX_BUSY_SECONDS` for another writer.

    Raises:
        WebError: as `faults`.
    """
    with faults(path):
        make_private(path)
        connection = _connect(path, "rwc", stop)
        try:
            _begin_reading(connection, stop)
            _is_blank(connection, path)  # before WAL: nothing is changed in a file that is not ours
            connection.execute("COMMIT")
            patiently(connection, "PRAGMA journal_mode = WAL", stop, seconds=INDEX_BUSY_SECONDS)
            connection.execute("PRAGMA synchronous = NORMAL")
            patiently(connection, "BEGIN IMMEDIATE", stop, seconds=INDEX_BUSY_SECONDS)
            if _is_blank(connection, path):
                for statement in _TABLES:
                    connection.execute(statement)
            yield connection
            connection.execute("COMMIT")
        finally:
            connection.close()  # rolls back what was not committed


def nothing_indexed() -> WebError:
    """There is no index to search."""
    return WebError(Code.PROVIDER_UNAVAILABLE, NOTHING_INDEXED)


@contextmanager
def faults(path: Path) -> Iterator[None]:
    """Failures of SQLite and of the file system in words for a person.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a file that is not our index, is damaged, or cannot be read or written;
            `WEB_PROVIDER_ERROR` for a busy or failing disk.
    """
    try:
        yield
    except sqlite3.Error as exc:
        code, advice = (Code.CONFIG_INVALID, _UNOPENED) if path.is_dir() else _meaning(exc)
        busy = advice == _BUSY[1]
        raise WebError(code, f"The local index {_named(path)} {advice}", retryable=busy or None) from exc
    except OSError as exc:
        raise WebError(
            Code.CONFIG_INVALID, f"The local index {_named(path)} {_UNOPENED} ({exc.strerror or type(exc).__name__})"
        ) from exc


_FOREIGN: Final = "is not a webseam index. Nothing was changed in it; choose another path, or move that file away."
_DAMAGED: Final = "is damaged. Move the file away and run `webseam index` again."
_UNOPENED: Final = "cannot be opened. Check the path and its permissions, or choose another path."
_BUSY: Final = (Code.PROVIDER_ERROR, "is being written by another process. Try again when that has ended.")
_MEANINGS: Final[dict[int, tuple[Code, str]]] = {
    sqlite3.SQLITE_NOTADB: (Code.CONFIG_INVALID, _FOREIGN),
    sqlite3.SQLITE_CORRUPT: (Code.CONFIG_INVALID, _DAMAGED),
    sqlite3.SQLITE_CANTOPEN: (Code.CONFIG_INVALID, _UNOPENED),
    sqlite3.SQLITE_PERM: (Code.CONFIG_INVALID, _UNOPENED),
    sqlite3.SQLITE_READONLY: (Code.CONFIG_INVALID, "cannot be written. Check its permissions, or choose another path."),
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_FULL: (Code.PROVIDER_ERROR, "could not be written: the disk is full. Make room and try again."),
}


def _meaning(exc: sqlite3.Error) -> tuple[Code, str]:
    primary = primary_code(exc)
    if primary in _MEANINGS:
        return _MEANINGS[primary]
    said = one_line(str(exc))
    if "no such module" in said:
        return Code.CONFIG_INVALID, "needs SQLite with FTS5, which this Python lacks. Use another build of Python."
    if "no such table" in said or "no such column" in said:
        return Code.CONFIG_INVALID, _DAMAGED
    return Code.PROVIDER_ERROR, f"failed: {said}. Try again; if it stays so, move the file away and index again."


def _named(path: Path) -> str:
    return one_line(str(path))


def _connect(path: Path, mode: str, stop: Stop) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=BUSY_STEP_SECONDS
    )
    stop.watch(connection)
    return connection


_NO_LOG: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)  # the log's index file could not be made


def _open_for_reading(path: Path, stop: Stop) -> sqlite3.Connection:
    """Where the folder cannot be written, WAL needs help: without a log beside it the file holds everything."""
    connection = _connect(path, "ro", stop)
    try:
        _begin_reading(connection, stop)
    except sqlite3.OperationalError as exc:
        connection.close()
        log = path.with_name(f"{path.name}-wal")
        if primary_code(exc) not in _NO_LOG or log.exists() or not path.is_file():
            raise
        connection = _connect(path, "ro&immutable=1", stop)
        connection.execute("BEGIN")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _begin_reading(connection: sqlite3.Connection, stop: Stop) -> None:
    """`BEGIN` alone takes no lock; the first look does, and from then on all looks see one state."""
    connection.execute("BEGIN")
    patiently(connection, "SELECT 1 FROM sqlite_master", stop, seconds=INDEX_BUSY_SECONDS)


def _is_blank(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file is a database without anything in it.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when it is neither blank nor an index of this version.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) == (APPLICATION_ID, VERSION):
        return False
    if application == APPLICATION_ID:
        maker = "a newer" if version > VERSION else "an older"
        raise WebError(
            Code.CONFIG_INVALID,
            f"The local index {_named(path)} was made by {maker} webseam (format {version}, this one reads {VERSION}). "
            f"Use that version, or move the file away and run `webseam index` again.",
        )
    if application or version or connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise WebError(Code.CONFIG_INVALID, f"The local index {_named(path)} {_FOREIGN}")
    return True
