"""SQLite files that are their user's alone: folder and file are made for nobody else."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webseam.stores.blocking import Stop


def make_private(path: Path) -> None:
    """Make an empty file with mode 0600, and its folder with 0700, where there is none.

    Raises:
        OSError: it cannot be made.
        ValueError: there can be no such path.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # SQLite's own files take over its mode


@contextmanager
def private_database(path: Path, stop: Stop, *, busy_seconds: float) -> Iterator[sqlite3.Connection]:
    """The database at `path`, made where missing; what is not committed when the block ends is undone.

    Args:
        path: the file.
        stop: ends its statements.
        busy_seconds: how long a statement waits for another writer.

    Raises:
        OSError: as `make_private`; ValueError too.
        sqlite3.Error: it cannot be opened or used.
    """
    make_private(path)
    connection = sqlite3.connect(path, isolation_level=None, timeout=busy_seconds)
    try:
        stop.watch(connection)
        yield connection
    finally:
        connection.close()  # rolls back what was not committed
