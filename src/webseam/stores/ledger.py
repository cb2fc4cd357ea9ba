"""The record of calls in a SQLite file that several processes write at once."""

import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from webseam.core.ledger import EVER, By, Entry, LedgerError, Span, Sum, Sums, ordered
from webseam.core.limits import LEDGER_BUSY_SECONDS, LEDGER_KEEP_DAYS, LEDGER_PAGE, LEDGER_PRUNE_SECONDS
from webseam.core.usage import Adder, Look, Totals
from webseam.stores.blocking import Stop, in_thread, patiently, primary_code
from webseam.stores.ledger_rows import NAMES, insert, of_row
from webseam.stores.ledger_usage import totals
from webseam.stores.private_file import private_database

R = TypeVar("R")

LEDGER_FILE: Final = "ledger.sqlite3"
"""Name of the file in the data folder."""
APPLICATION_ID: Final = 0x77734C67  # "wsLg": tells our file from any other SQLite database
VERSION: Final = 1
"""Of tables and fields; a file of another version is left alone and refused: it is nobody's to throw away."""

_DAY: Final = 86_400.0
_COLUMNS: Final = ", ".join(NAMES)
_TABLES: Final = (
    """CREATE TABLE entries(
    turn INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at REAL NOT NULL, elapsed INTEGER NOT NULL,
    capability TEXT, outcome TEXT NOT NULL, tool TEXT, tenant TEXT, run TEXT, provider TEXT, code TEXT,
    dispatched INTEGER NOT NULL, cache TEXT, bytes INTEGER, calls INTEGER, input_tokens INTEGER, output_tokens INTEGER,
    costs TEXT NOT NULL, cost_known INTEGER NOT NULL, permission TEXT, rule TEXT, parts INTEGER NOT NULL,
    attempts TEXT NOT NULL, target TEXT)""",
    "CREATE INDEX by_time ON entries(at, tenant)",  # a look at one tenant passes over others' rows without reading them
    "CREATE TABLE lost(at REAL NOT NULL, calls INTEGER NOT NULL)",
)
_INSERT: Final = f"INSERT OR IGNORE INTO entries({_COLUMNS}) VALUES "  # noqa: S608 - ours
_KEYS: Final[dict[By, str]] = {
    "provider": "provider",
    "tenant": "tenant",
    "tool": "tool",
    "code": "code",
    "outcome": "outcome",
    "capability": "capability",
    "day": "date(CAST(at AS INTEGER), 'unixepoch')",
}
_MEANT: Final = "at >= ? AND at < ? AND (? IS NULL OR tenant = ?)"
_SUMS: Final = """SELECT {key}, count(*), sum(outcome IN ('failed', 'cancelled')), sum(permission IS 'denied'),
    sum(dispatched), sum(cache IS NOT NULL), sum(elapsed), max(elapsed), sum(coalesce(bytes, 0)),
    sum(coalesce(calls, 0)), sum(coalesce(input_tokens, 0)), sum(coalesce(output_tokens, 0)), sum(NOT cost_known)
    FROM entries WHERE {meant} GROUP BY 1"""
_COSTS: Final = """SELECT {key}, one.key, sum(one.value) FROM entries, json_each(entries.costs) AS one
    WHERE {meant} AND costs != '{{}}' GROUP BY 1, 2"""
_REASONS: Final[dict[int, str]] = {
    sqlite3.SQLITE_BUSY: "another process keeps it locked",
    sqlite3.SQLITE_LOCKED: "another process keeps it locked",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "its file cannot be written",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
    sqlite3.SQLITE_PERM: "its file cannot be opened",
    sqlite3.SQLITE_IOERR: "the disk does not answer",
    sqlite3.SQLITE_CORRUPT: "its file is damaged: move it away, and a new one is made",
    sqlite3.SQLITE_NOTADB: "its file is no SQLite database: move it away, and a new one is made",
}


class LedgerFile:
    """The record in the file at `path`; entries older than `keep_days` are forgotten, by the hour.

    The file and its folder are made for the user alone, when the first entry comes. Every step opens it anew, so that
    it may be moved away at any time. What is written outlasts the process; a power failure may take the last seconds.
    """

    def __init__(self, path: Path, *, keep_days: int = LEDGER_KEEP_DAYS, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._keep_days = keep_days
        self._now = now
        self._pruned = float("-inf")

    async def append(self, entries: Sequence[Entry], *, lost: int = 0) -> None:
        """See `LedgerStore`."""
        now = self._now()
        prune = not 0 <= now - self._pruned < LEDGER_PRUNE_SECONDS

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            insert(connection, _INSERT, entries)
            if lost:
                connection.execute("INSERT INTO lost VALUES(?, ?)", (now, lost))
            if prune:
                _forget(connection, now - self._keep_days * _DAY)
            connection.execute("COMMIT")

        await self._run(work)
        self._pruned = now if prune else self._pruned

    async def sums(self, by: By, span: Span = EVER) -> Sums:
        """See `LedgerStore`; without a file there is nothing, and none is made."""
        if not self.path.exists():
            return ordered((), by)

        def work(connection: sqlite3.Connection) -> Sums:
            connection.execute("BEGIN")  # both questions are about one moment
            return ordered(_added(connection, by, span), by, lost=_lost(connection, span))

        return await self._run(work)

    async def entries(self, span: Span = EVER) -> AsyncIterator[Entry]:
        """See `LedgerStore`."""
        turn = 0
        while self.path.exists():
            page = await self._run(partial(_page, after=turn, span=span))
            for turn, entry in page:  # noqa: B007 - the last turn is where the next page begins
                if entry is not None:
                    yield entry
            if len(page) < LEDGER_PAGE:
                return

    async def lost(self, span: Span = EVER) -> int:
        """See `LedgerStore`."""
        return await self._run(partial(_lost, span=span)) if self.path.exists() else 0

    async def whole_since(self) -> float:
        """See `LedgerStore`; a file has room for all, and forgets by their age alone."""
        return 0.0

    async def recent(self, span: Span = EVER) -> AsyncIterator[Entry]:
        """See `LedgerStore`; those that began last come first."""
        last: tuple[float, int] = (span.until, 0)
        while self.path.exists():
            page = await self._run(partial(_page_back, before=last, span=span))
            for at, turn, entry in page:
                last = at, turn
                if entry is not None:
                    yield entry
            if len(page) < LEDGER_PAGE:
                return

    async def totals(self, look: Look, also: Sequence[Entry] = ()) -> Totals:
        """See `Adds`."""
        if not self.path.exists():
            adder = Adder(look)
            adder.add_all(filter(look.span.holds, reversed(also)))
            return adder.totals()
        return await self._run(partial(totals, look=look, also=also))

    # The file ----------------------------------------------------------------------------------------

    async def _run(self, work: Callable[[sqlite3.Connection], R]) -> R:
        return await in_thread(lambda stop: self._attempt(work, stop))

    def _attempt(self, work: Callable[[sqlite3.Connection], R], stop: Stop) -> R:
        try:
            with self._opened(stop) as connection:
                return work(connection)
        except sqlite3.Error as exc:
            code = primary_code(exc)
            raise LedgerError(_REASONS.get(code, "its file cannot be used")) from exc
        except (OSError, ValueError) as exc:  # ValueError: a path with a NUL in it
            why = getattr(exc, "strerror", None) or "not a possible path"
            raise LedgerError(f"its file cannot be opened ({why})") from exc

    @contextmanager
    def _opened(self, stop: Stop) -> Iterator[sqlite3.Connection]:
        with private_database(self.path, stop, busy_seconds=LEDGER_BUSY_SECONDS) as connection:
            _prepare(connection, stop)
            yield connection


def _prepare(connection: sqlite3.Connection, stop: Stop) -> None:
    """Make the tables of a new file.

    Raises:
        LedgerError: the file is somebody else's database, or another version's.
    """
    connection.execute("PRAGMA synchronous = NORMAL")
    if _is_ours(connection):
        return
    patiently(connection, "PRAGMA journal_mode = WAL", stop, seconds=LEDGER_BUSY_SECONDS)
    connection.execute("BEGIN IMMEDIATE")
    if not _is_ours(connection):  # else another process was faster
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the tables are there. Mark and tables are read as of one moment: another process may be making them."""
    within = connection.in_transaction
    if not within:
        connection.execute("BEGIN")
    found = connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()  # the first read fixes the moment
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if not within:
        connection.execute("COMMIT")
    if application == APPLICATION_ID and version != VERSION:
        raise LedgerError(f"another version of webseam wrote it (schema {version}, this one reads {VERSION})")
    if application != APPLICATION_ID and (application or found):
        raise LedgerError("its file is another program's database")
    return bool(application == APPLICATION_ID)


def _forget(connection: sqlite3.Connection, before: float) -> None:
    connection.execute("DELETE FROM entries WHERE at < ?", (before,))
    connection.execute("DELETE FROM lost WHERE at < ?", (before,))


def _meant(span: Span) -> tuple[Any, ...]:
    return span.since, span.until, span.tenant, span.tenant


def _added(connection: sqlite3.Connection, by: By, span: Span) -> list[Sum]:
    costs: dict[str | None, dict[str, int]] = {}
    for key, currency, cost in connection.execute(_COSTS.format(key=_KEYS[by], meant=_MEANT), _meant(span)):
        costs.setdefault(key, {})[str(currency)] = int(cost)
    rows = connection.execute(_SUMS.format(key=_KEYS[by], meant=_MEANT), _meant(span))
    return [_sum(found, costs.get(found[0], {})) for found in rows]


def _sum(found: tuple[Any, ...], costs: dict[str, int]) -> Sum:
    key, calls, failed, denied, dispatched, cached, elapsed, slowest, received, *usage = found
    requests, input_tokens, output_tokens, unpriced = usage
    return Sum(
        key=key,
        calls=calls,
        failed=failed,
        denied=denied,
        dispatched=dispatched,
        cached=cached,
        elapsed=elapsed,
        slowest=slowest,
        bytes=received,
        requests=requests,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        unpriced=unpriced,
        costs=costs,
    )


def _lost(connection: sqlite3.Connection, span: Span) -> int:
    found = connection.execute(
        "SELECT coalesce(sum(calls), 0) FROM lost WHERE at >= ? AND at < ?", (span.since, span.until)
    )
    return int(found.fetchone()[0])


def _page(connection: sqlite3.Connection, *, after: int, span: Span) -> list[tuple[int, Entry | None]]:
    found = connection.execute(
        f"SELECT turn, {_COLUMNS} FROM entries WHERE turn > ? AND {_MEANT} ORDER BY turn LIMIT ?",  # noqa: S608 - ours
        (after, *_meant(span), LEDGER_PAGE),
    )
    return [(turn, of_row(tuple(values))) for turn, *values in found]


def _page_back(
    connection: sqlite3.Connection, *, before: tuple[float, int], span: Span
) -> list[tuple[float, int, Entry | None]]:
    found = connection.execute(
        f"SELECT at, turn, {_COLUMNS} FROM entries WHERE (at, turn) < (?, ?) AND {_MEANT} "  # noqa: S608 - ours
        "ORDER BY at DESC, turn DESC LIMIT ?",
        (*before, *_meant(span), LEDGER_PAGE),
    )
    return [(at, turn, of_row(tuple(values))) for at, turn, *values in found]
