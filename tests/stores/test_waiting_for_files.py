"""Work on a SQLite file waits for other processes where SQLite itself does not, and no longer than it may."""

import sqlite3
from pathlib import Path

import pytest

from webseam.stores.blocking import Stop, patiently, primary_code

WAL = "PRAGMA journal_mode = WAL"


class Freeing(Stop):
    """Lets go of the file at the first wait."""

    def __init__(self, holder: sqlite3.Connection) -> None:
        super().__init__()
        self.waits = 0
        self._holder = holder

    def wait(self, seconds: float) -> bool:
        self.waits += 1
        self._holder.close()
        return super().wait(seconds)


def held(path: Path) -> sqlite3.Connection:
    """Somebody who reads the file, and so keeps the mode of its journal."""
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("CREATE TABLE t(x)")
    holder.execute("BEGIN")
    holder.execute("SELECT * FROM t").fetchone()
    return holder


def writer(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=0.01)


@pytest.mark.req("usage:processes")
def test_a_change_of_the_journals_mode_is_tried_again_until_the_file_is_free(tmp_path: Path) -> None:
    file = tmp_path / "one.sqlite3"
    stop = Freeing(held(file))
    connection = writer(file)
    patiently(connection, WAL, stop, seconds=60)
    assert (stop.waits, connection.execute("PRAGMA journal_mode").fetchone()) == (1, ("wal",))
    connection.close()


@pytest.mark.req("usage:processes")
def test_it_gives_up_when_its_time_is_over_and_when_its_call_was_cancelled(tmp_path: Path) -> None:
    file = tmp_path / "one.sqlite3"
    holder, connection = held(file), writer(file)
    cancelled = Stop()
    cancelled.set()
    for stop, seconds in ((Stop(), 0.0), (cancelled, 60.0)):
        with pytest.raises(sqlite3.OperationalError) as caught:
            patiently(connection, WAL, stop, seconds=seconds)
        assert primary_code(caught.value) == sqlite3.SQLITE_BUSY
    connection.close()
    holder.close()


@pytest.mark.req("usage:processes")
def test_another_failure_is_told_at_once(tmp_path: Path) -> None:
    connection = writer(tmp_path / "one.sqlite3")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        patiently(connection, "SELECT * FROM missing", Stop(), seconds=60)
    connection.close()
