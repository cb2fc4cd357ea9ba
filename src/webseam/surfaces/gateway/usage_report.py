"""What was called in a time and what it cost: for the console, from the record of calls or from memory."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.ledger import Entry, LedgerError, Span
from webseam.core.limits import (
    GATEWAY_REFUSED_RETRY_SECONDS,
    USAGE_BUCKETS,
    USAGE_ENTRIES,
    USAGE_HOURS_MOST,
    USAGE_LOOKS,
)
from webseam.surfaces.gateway.activity import seen_by
from webseam.surfaces.gateway.board import Board
from webseam.surfaces.gateway.problems import GatewayCode, Problem
from webseam.surfaces.gateway.quantiles import percentile
from webseam.wiring.ledger import Keeper
from webseam.wiring.tenants import Holder

_log = logging.getLogger("webseam")

HOURS: Final = 24
"""Looked at where a request does not say."""

_HOUR: Final = 3_600.0
_DAY: Final = 86_400.0
_WIDTHS: Final = (120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400)
"""Seconds of a bucket. Each divides a day, so that buckets begin at full hours, and they are so close to each other
that every number of hours has 24 buckets or more."""


@dataclass(slots=True)
class _Total:
    """Calls added up; a hundred thousand times for one answer, so most steps are left out for most calls."""

    failed: int = 0
    denied: int = 0
    cached: int = 0
    dispatched: int = 0
    unpriced: int = 0
    bytes: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    costs: Counter[str] = field(default_factory=Counter)
    times: list[int] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        """Count a call."""
        self.times.append(entry.elapsed)
        if entry.outcome in _FAILED:
            self.failed += 1
        if entry.permission == "denied":
            self.denied += 1
        if entry.cache is not None:
            self.cached += 1
        if entry.dispatched:
            self.dispatched += 1
        if entry.bytes:
            self.bytes += entry.bytes
        if not entry.cost_known:
            self.unpriced += 1
        if entry.costs or entry.input_tokens or entry.output_tokens:
            self._paid(entry)

    def _paid(self, entry: Entry) -> None:
        self.input_tokens += entry.input_tokens or 0
        self.output_tokens += entry.output_tokens or 0
        for currency, cost in entry.costs.items():
            self.costs[currency] += cost

    def plain(self, *names: str) -> dict[str, Any]:
        """The counts of these names, and what always stands there."""
        ordered = sorted(self.times)
        times = {f"p{share}_ms": percentile(ordered, share / 100) for share in (50, 95, 99)}
        return {
            "calls": len(ordered),
            **{name: getattr(self, name) for name in names},
            **{name: time for name, time in times.items() if time is not None},
            "costs": dict(self.costs),
        }


_FAILED: Final = ("failed", "cancelled")
_BUCKET: Final = ("failed", "cached")
_ROW: Final = ("failed", "denied", "cached", "dispatched", "unpriced")
_WHOLE: Final = (*_ROW, "bytes", "input_tokens", "output_tokens")


@dataclass(slots=True)
class _Sums:
    """All groupings of the calls from `since` on, in buckets of `width` seconds."""

    since: float
    width: int
    size: int
    whole: _Total = field(default_factory=_Total)
    groups: dict[str, dict[str | None, _Total]] = field(default_factory=dict)
    codes: Counter[str] = field(default_factory=Counter)
    oldest: float | None = None

    def add(self, entry: Entry) -> None:
        """Count a call everywhere."""
        self.oldest = entry.at if self.oldest is None else min(self.oldest, entry.at)
        self.whole.add(entry)
        bucket = min(self.size - 1, int((entry.at - self.since) // self.width))
        tool = entry.tool or (None if entry.capability is None else f"/v1/{entry.capability}")
        keys = {"buckets": str(bucket), "tools": tool, "providers": entry.provider, "tenants": entry.tenant}
        for group, key in keys.items():
            self.groups.setdefault(group, {}).setdefault(key, _Total()).add(entry)
        if entry.code is not None:
            self.codes[entry.code] += 1

    def buckets(self) -> list[dict[str, Any]]:
        """All of them, those without a call too."""
        found = self.groups.get("buckets", {})
        empty = _Total()
        return [
            {"at": self.since + at * self.width, **found.get(str(at), empty).plain(*_BUCKET)} for at in range(self.size)
        ]

    def rows(self, group: str) -> list[dict[str, Any]]:
        """The rows of a grouping, the most calls first; without a `key` where there is none."""
        rows = [
            ({} if key is None else {"key": key}) | total.plain(*_ROW)
            for key, total in self.groups.get(group, {}).items()
        ]
        return sorted(rows, key=lambda one: (-one["calls"], one.get("key", "")))


class UsageReport:
    """Adds up what a token may see; one look at a time, as each reads up to a hundred thousand entries.

    Args:
        board: the recent calls.
        keeper: who keeps the record of calls; None where none is kept.
        keep_days: how long that keeps them.
    """

    def __init__(self, board: Board, keeper: Keeper | None, keep_days: int) -> None:
        self._board = board
        self._keeper = keeper
        self._keep = keep_days * _DAY
        self._turn = asyncio.Lock()
        self._looks: Counter[str] = Counter()

    async def made(self, given: Mapping[str, Any], holder: Holder) -> dict[str, Any]:
        """The usage of the last hours; a record that cannot be read is told in the log, and memory stands in.

        Raises:
            WebError: `INVALID_ARGS` for anything but a whole number of `hours` from 1 to 720.
            Problem: the tenant looks so often already.
        """
        hours = hours_of(given)
        with self._looking(holder.tenant):
            return await self._made(hours, holder)

    async def _made(self, hours: int, holder: Holder) -> dict[str, Any]:
        until = self._board.now()
        width = width_of(hours)
        since = (until - hours * _HOUR) // width * width
        span = Span(since=since, until=until + width, tenant=seen_by(holder))  # a call of this very moment too
        sums = _Sums(since, width, max(1, ceil((until - since) / width)))
        async with self._turn:
            facts = await self._recorded(span, sums, until, admin=holder.policy.admin)
        if facts is None:
            sums = _Sums(since, width, sums.size)
            facts = self._remembered(span, sums)
        return _plain(sums, until, facts, admin=holder.policy.admin)

    @contextmanager
    def _looking(self, tenant: str) -> Iterator[None]:
        """A place in the line, of which one tenant gets a few, so that others' turn comes too."""
        if self._looks[tenant] >= USAGE_LOOKS:
            raise Problem(
                GatewayCode.BUSY,
                f"{USAGE_LOOKS} looks of this tenant at its usage are not answered yet. Wait for them.",
                retry_after=GATEWAY_REFUSED_RETRY_SECONDS,
            )
        self._looks[tenant] += 1
        try:
            yield
        finally:
            self._looks[tenant] -= 1
            if not self._looks[tenant]:
                del self._looks[tenant]

    async def _recorded(self, span: Span, sums: _Sums, until: float, *, admin: bool) -> dict[str, Any] | None:
        """Facts about what the record has given; None where it gives nothing."""
        keeper = self._keeper
        if keeper is None:
            return None
        self._board.settle()
        try:
            whole = await _added(_newest(keeper, span), sums)
            lost = await keeper.store.lost(span) + keeper.unrecorded
            kept_since = max(until - self._keep, await keeper.store.whole_since())
        except LedgerError as exc:
            _log.warning("The record of calls cannot be read: %s", exc)
            return None
        complete = whole and not lost and kept_since <= span.since
        return {"source": "ledger", "complete": complete, "lost": lost if admin else 0}

    def _remembered(self, span: Span, sums: _Sums) -> dict[str, Any]:
        for entry in self._board.recent(span.tenant):
            if span.holds(entry):
                sums.add(entry)
        return {"source": "memory", "complete": self._board.whole_since(span.tenant) <= span.since, "lost": 0}


async def _newest(keeper: Keeper, span: Span) -> AsyncIterator[Entry]:
    """What is to be recorded, and what is: also while the record can be read and not written."""
    waiting = keeper.waiting
    for entry in filter(span.holds, reversed(waiting)):
        yield entry
    given = {one.id for one in waiting}  # may be written meanwhile
    async for entry in keeper.store.recent(span):
        if entry.id not in given:
            yield entry


async def _added(entries: AsyncIterator[Entry], sums: _Sums) -> bool:
    """Add the entries up; False where there are more than are read."""
    count = 0
    async for entry in entries:
        if count == USAGE_ENTRIES:
            return False
        sums.add(entry)
        count += 1
    return True


def hours_of(given: Mapping[str, Any]) -> int:
    """The hours that a request asks for.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    hours = given.get("hours")
    hours = HOURS if hours is None else hours
    if given.keys() - {"hours"} or type(hours) is not int or not 1 <= hours <= USAGE_HOURS_MOST:
        raise WebError(Code.INVALID_ARGS, f'Send {{"hours": n}}, a whole number from 1 to {USAGE_HOURS_MOST}.')
    return hours


def width_of(hours: int) -> int:
    """Seconds of a bucket: the shortest that does not take too many."""
    return next(width for width in _WIDTHS if hours * _HOUR <= width * USAGE_BUCKETS)


def _plain(sums: _Sums, until: float, facts: dict[str, Any], *, admin: bool) -> dict[str, Any]:
    told = {
        "since": sums.since,
        "until": until,
        **facts,
        "buckets": sums.buckets(),
        "tools": sums.rows("tools"),
        "providers": sums.rows("providers"),
        "codes": [{"code": code, "calls": calls} for code, calls in sums.codes.most_common()],
        "whole": sums.whole.plain(*_WHOLE),
    }
    told |= {"tenants": sums.rows("tenants")} if admin else {}
    return told | ({"counted_from": sums.oldest} if not facts["complete"] and sums.oldest is not None else {})
