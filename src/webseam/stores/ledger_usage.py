"""The record's file adds up its own calls: nothing but sums leaves SQLite, which runs beside the event loop."""

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from webseam.core.ledger import NANO, Entry
from webseam.core.usage import SHARES, Look, Total, Totals, rank
from webseam.stores.ledger_rows import NAMES, insert

_COLUMNS: Final = ", ".join(NAMES)
_FLAGS: Final = ("failed", "denied", "cached", "dispatched", "unpriced")
_FACTS: Final = """SELECT at, elapsed, min(:last, CAST((at - :since) / :width AS INTEGER)) AS bucket,
    coalesce(nullif(tool, ''), '/v1/' || capability) AS tool, provider, tenant, NULL AS whole, code,
    outcome IN ('failed', 'cancelled') AS failed, permission IS 'denied' AS denied, cache IS NOT NULL AS cached,
    dispatched != 0 AS dispatched, cost_known = 0 AS unpriced, coalesce(bytes, 0) AS bytes,
    coalesce(input_tokens, 0) AS input_tokens, coalesce(output_tokens, 0) AS output_tokens, costs"""
_MEANT: Final = "at >= :since AND at < :until AND (:tenant IS NULL OR tenant = :tenant) AND typeof(elapsed) = 'integer'"
_WAITING: Final = f"CREATE TEMP TABLE waiting AS SELECT {_COLUMNS} FROM main.entries LIMIT 0"  # noqa: S608 - ours
_SEEN: Final = f"""CREATE TEMP TABLE seen AS {_FACTS} FROM temp.waiting
    WHERE {_MEANT} ORDER BY temp.waiting.rowid LIMIT :most"""
_KEPT: Final = f"""INSERT INTO temp.seen {_FACTS} FROM main.entries
    WHERE {_MEANT} AND id NOT IN (SELECT id FROM temp.waiting)
    ORDER BY at DESC, turn DESC LIMIT :most"""  # noqa: S608 - ours
_PAID: Final = """CREATE TEMP TABLE paid AS SELECT seen.bucket, seen.tool, seen.provider, seen.tenant, NULL AS whole,
    one.key AS currency, one.value / 1000000000 AS units, one.value % 1000000000 AS nanos
    FROM temp.seen AS seen, json_each(CASE WHEN json_valid(seen.costs) THEN seen.costs ELSE '{}' END) AS one
    WHERE seen.costs != '{}' AND one.type = 'integer'"""
"""Whole units apart from their billionths: the most that a hundred thousand calls may cost does not fit 64 bits."""


def totals(connection: sqlite3.Connection, look: Look, also: Sequence[Entry]) -> Totals:
    """See `Adds`; the connection is used for nothing else any more.

    Raises:
        sqlite3.Error: the file cannot be read.
    """
    connection.execute("PRAGMA temp_store = MEMORY")  # where the disk is full, or another's, too
    cut = _gathered(connection, look, also)
    counts = ", ".join(f"coalesce(sum({name}), 0)" for name in ("bytes", "input_tokens", "output_tokens"))
    found = connection.execute(f"SELECT {counts}, min(at) FROM temp.seen").fetchone()  # noqa: S608 - ours
    received, input_tokens, output_tokens, oldest = found
    codes = connection.execute("SELECT code, count(*) FROM temp.seen WHERE code IS NOT NULL GROUP BY 1").fetchall()
    return Totals(
        whole=_by(connection, "whole").get(None, Total()),
        buckets=_by(connection, "bucket"),
        tools=_by(connection, "tool"),
        providers=_by(connection, "provider"),
        tenants=_by(connection, "tenant"),
        codes=dict(codes),
        bytes=int(received),
        input_tokens=int(input_tokens),
        output_tokens=int(output_tokens),
        oldest=oldest,
        cut=cut,
    )


def _gathered(connection: sqlite3.Connection, look: Look, also: Sequence[Entry]) -> bool:
    """Put what is looked at into tables of this connection, the newest first; whether there was more."""
    asked = {
        "since": look.span.since,
        "until": look.span.until,
        "tenant": look.span.tenant,
        "last": look.size - 1,
        "width": look.width,
    }
    connection.execute(_WAITING)
    insert(connection, "INSERT INTO temp.waiting VALUES ", also[::-1])
    connection.execute(_SEEN, asked | {"most": look.most + 1})
    connection.execute(_KEPT, asked | {"most": look.most + 1 - _count(connection)})
    count = _count(connection)
    connection.execute("DELETE FROM temp.seen WHERE rowid > ?", (look.most,))
    connection.execute(_PAID)
    return count > look.most


def _count(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute("SELECT count(*) FROM temp.seen").fetchone()
    return int(count)


def _by(connection: sqlite3.Connection, key: str) -> dict[Any, Total]:
    """The calls of each key, over an index that holds all that is added up: so nothing is sorted twice."""
    connection.execute(f"CREATE INDEX temp.by_key ON seen({key}, elapsed, {', '.join(_FLAGS)})")
    sums = ", ".join(f"sum({name})" for name in _FLAGS)
    rows = connection.execute(f"SELECT {key}, count(*), {sums} FROM temp.seen GROUP BY 1").fetchall()  # noqa: S608
    costs = _costs(connection, key)
    found = {one: _total(connection, key, one, sums, costs.get(one, {})) for one, *sums in rows}
    connection.execute("DROP INDEX temp.by_key")
    return found


def _total(connection: sqlite3.Connection, key: str, value: Any, sums: Sequence[int], costs: dict[str, int]) -> Total:
    calls, *flags = sums
    ordered = f"SELECT elapsed FROM temp.seen WHERE {key} IS ? ORDER BY elapsed LIMIT 1 OFFSET ?"  # noqa: S608 - ours
    times = {share: int(connection.execute(ordered, (value, rank(share, calls) - 1)).fetchone()[0]) for share in SHARES}
    return Total(calls=calls, costs=costs, times=times, **dict(zip(_FLAGS, flags, strict=True)))


def _costs(connection: sqlite3.Connection, key: str) -> dict[Any, dict[str, int]]:
    paid = f"SELECT {key}, currency, sum(units), sum(nanos) FROM temp.paid GROUP BY 1, 2"  # noqa: S608 - ours
    found: dict[Any, dict[str, int]] = {}
    for value, currency, units, nanos in connection.execute(paid):
        found.setdefault(value, {})[str(currency)] = int(units) * NANO + int(nanos)
    return found
