"""The record of calls as a stream on a Valkey or Redis server, for all gateways of a fleet."""

import secrets
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.core.ledger import EVER, By, Entry, LedgerError, Span, Sum, Sums, added, ordered, sum_of
from webseam.core.limits import LEDGER_KEEP_DAYS, LEDGER_PAGE, LEDGER_STREAM_ENTRIES
from webseam.core.shared import SharedError
from webseam.stores.ledger_rows import from_json, to_json
from webseam.stores.server import Server

_SLACK_MS: Final = 3_600_000  # a gateway's clock may differ from the server's by as much
_DAY_MS: Final = 86_400_000
_WRITER_MS: Final = 3_600_000  # how long a batch is known, so that a second try of it adds nothing

APPEND: Final = """
local writer, batch, most, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if redis.call('GET', KEYS[2]) == batch then return 0 end
for at = 7, #ARGV do redis.call('XADD', KEYS[1], 'MAXLEN', '~', most, '*', 'e', ARGV[at]) end
if tonumber(ARGV[6]) > 0 then redis.call('XADD', KEYS[1], 'MAXLEN', '~', most, '*', 'lost', ARGV[6]) end
local t = redis.call('TIME')
redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f', math.max(0, t[1] * 1000 - keep)))
redis.call('SET', KEYS[2], batch, 'PX', ARGV[5])
return 1
"""
READ: Final = "return redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])"
READ_BACK: Final = "return redis.call('XREVRANGE', KEYS[1], ARGV[1], ARGV[2], 'COUNT', ARGV[3])"

OLDEST: Final = "return {redis.call('XLEN', KEYS[1]), redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)}"


class LedgerStream:
    """The record of a fleet, at most `max_entries` of the last `keep_days`; both bounds are about.

    Entries are added up here and not on the server, which does nothing else meanwhile.
    """

    def __init__(
        self, server: Server, *, keep_days: int = LEDGER_KEEP_DAYS, max_entries: int = LEDGER_STREAM_ENTRIES
    ) -> None:
        self._server = server
        self._keep = keep_days * _DAY_MS
        self._most = max_entries
        self._writer = secrets.token_hex(8)

    async def append(self, entries: Sequence[Entry], *, lost: int = 0) -> None:
        """See `LedgerStore`. A batch that the server took, though nobody heard of it, is not taken again."""
        batch = f"{entries[0].id}:{len(entries)}:{lost}" if entries else secrets.token_hex(8)
        keys = [self._key, self._server.key("ledger-writer", self._writer)]
        bounds = (self._writer, batch, self._most, self._keep, _WRITER_MS, lost)
        await self._run(APPEND, keys, *bounds, *map(to_json, entries))

    async def sums(self, by: By, span: Span = EVER) -> Sums:
        """See `LedgerStore`."""
        found: dict[str | None, list[Sum]] = {}
        lost = 0
        async for entry, missing in self._read(span):
            lost += missing
            if entry is not None:
                key = key_of(entry, by)
                parts = found.setdefault(key, [])
                parts.append(sum_of(entry, key))
                if len(parts) > LEDGER_PAGE:  # an addition of many costs little more than one of two
                    parts[:] = [added(key, parts)]
        return ordered([added(key, parts) for key, parts in found.items()], by, lost=lost)

    async def entries(self, span: Span = EVER) -> AsyncIterator[Entry]:
        """See `LedgerStore`."""
        async for entry, _ in self._read(span):
            if entry is not None:
                yield entry

    async def lost(self, span: Span = EVER) -> int:
        """See `LedgerStore`."""
        total, start = 0, _from(span)
        while True:
            page = await self._run(READ, [self._key], start, LEDGER_PAGE)
            if not isinstance(page, list):
                return total
            for number, facts in page:
                start = f"({number.decode()}"
                total += _missing(number, facts, span)
            if len(page) < LEDGER_PAGE:
                return total

    async def whole_since(self) -> float:
        """See `LedgerStore`; by the server's clock, at which its oldest entry came."""
        length, oldest = await self._run(OLDEST, [self._key])
        if length < self._most or not oldest:
            return 0.0
        return _moment(oldest[0][0])

    async def recent(self, span: Span = EVER) -> AsyncIterator[Entry]:
        """See `LedgerStore`; those that the server took last come first."""
        last = "+"
        while True:
            page = await self._run(READ_BACK, [self._key], last, _from(span), LEDGER_PAGE)
            if not isinstance(page, list):
                return
            for number, facts in page:
                last = f"({number.decode()}"
                entry = from_json(dict(zip(facts[::2], facts[1::2], strict=False)).get(b"e", b""))
                if entry is not None and span.holds(entry):
                    yield entry
            if len(page) < LEDGER_PAGE:
                return

    # Inside ------------------------------------------------------------------------------------------

    @property
    def _key(self) -> str:
        return self._server.key("ledger", "calls")

    async def _read(self, span: Span) -> AsyncIterator[tuple[Entry | None, int]]:
        """Entries, and how many calls are missing beside them."""
        start = _from(span)
        while True:
            page = await self._run(READ, [self._key], start, LEDGER_PAGE)
            if not isinstance(page, list):
                return
            for number, facts in page:
                start = f"({number.decode()}"
                entry = from_json(dict(zip(facts[::2], facts[1::2], strict=False)).get(b"e", b""))
                held = entry is not None and span.holds(entry)
                yield (entry if held else None), _missing(number, facts, span)
            if len(page) < LEDGER_PAGE:
                return

    async def _run(self, script: str, keys: Sequence[str], *arguments: str | int) -> Any:
        try:
            return await self._server.run(script, keys, *arguments)
        except SharedError as exc:
            raise LedgerError(str(exc)) from exc
        except WebError as exc:  # a server that refuses calls while it is away does not refuse their record
            raise LedgerError("the shared server cannot be used") from exc


def _from(span: Span) -> str:
    """The number in the stream where it begins; clocks differ."""
    return str(max(0, int(span.since * 1_000) - _SLACK_MS))


def _missing(number: bytes, facts: Sequence[bytes], span: Span) -> int:
    """How many calls an item of the stream says are missing, in this time."""
    if facts[:1] != [b"lost"]:
        return 0
    return int(facts[1]) if span.since <= _moment(number) < span.until else 0


def _moment(number: bytes) -> float:
    """When the server took an item, in seconds since 1970."""
    return int(number.partition(b"-")[0]) / 1_000


def key_of(entry: Entry, by: By) -> str | None:
    """What an entry is counted under; a day is one in UTC."""
    if by == "day":
        return datetime.fromtimestamp(int(entry.at), UTC).date().isoformat()
    key: str | None = getattr(entry, by)
    return key
