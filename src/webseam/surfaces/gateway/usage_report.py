"""What was called in a time and what it cost: for the console, from the record of calls or from memory."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.ledger import LedgerError, Span
from webseam.core.limits import (
    GATEWAY_REFUSED_RETRY_SECONDS,
    USAGE_BUCKETS,
    USAGE_ENTRIES,
    USAGE_HOURS_MOST,
    USAGE_LOOKS,
)
from webseam.core.usage import Adder, Look, Total, Totals, totals_of
from webseam.surfaces.gateway.activity import seen_by
from webseam.surfaces.gateway.board import Board
from webseam.surfaces.gateway.problems import GatewayCode, Problem
from webseam.surfaces.gateway.quantiles import in_milliseconds
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


_BUCKET: Final = ("failed", "cached")
_ROW: Final = ("failed", "denied", "cached", "dispatched", "unpriced")
_NO_CALLS: Final = Total()


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
        look = Look(span=span, width=width, size=max(1, ceil((until - since) / width)), most=USAGE_ENTRIES)
        admin = holder.policy.admin
        async with self._turn:
            found = await self._recorded(look, until, admin=admin)
        totals, facts = found or self._remembered(look)
        return {"since": since, "until": until, **facts, **_plain(totals, look, whole=facts["complete"], admin=admin)}

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

    async def _recorded(self, look: Look, until: float, *, admin: bool) -> tuple[Totals, dict[str, Any]] | None:
        """What the record adds up to, and facts about it; None where it gives nothing."""
        keeper = self._keeper
        if keeper is None:
            return None
        self._board.settle()
        try:
            totals = await totals_of(keeper.store, look, keeper.waiting)
            lost = await keeper.store.lost(look.span) + keeper.unrecorded
            kept_since = max(until - self._keep, await keeper.store.whole_since())
        except LedgerError as exc:
            _log.warning("The record of calls cannot be read: %s", exc)
            return None
        complete = not totals.cut and not lost and kept_since <= look.span.since
        return totals, {"source": "ledger", "complete": complete, "lost": lost if admin else 0}

    def _remembered(self, look: Look) -> tuple[Totals, dict[str, Any]]:
        adder = Adder(look)
        adder.add_all(filter(look.span.holds, self._board.recent(look.span.tenant)))
        complete = self._board.whole_since(look.span.tenant) <= look.span.since
        return adder.totals(), {"source": "memory", "complete": complete, "lost": 0}


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


def _plain(totals: Totals, look: Look, *, whole: bool, admin: bool) -> dict[str, Any]:
    tokens = {name: getattr(totals, name) for name in ("bytes", "input_tokens", "output_tokens")}
    codes = sorted(totals.codes.items(), key=lambda one: (-one[1], one[0]))
    told = {
        "buckets": _buckets(totals, look),
        "tools": _rows(totals.tools),
        "providers": _rows(totals.providers),
        "codes": [{"code": code, "calls": calls} for code, calls in codes],
        "whole": {**_total(totals.whole, _ROW), **tokens},
    }
    told |= {"tenants": _rows(totals.tenants)} if admin else {}
    return told | ({} if whole or totals.oldest is None else {"counted_from": totals.oldest})


def _buckets(totals: Totals, look: Look) -> list[dict[str, Any]]:
    """All of them, those without a call too."""
    begins = (look.span.since + number * look.width for number in range(look.size))
    return [{"at": at, **_total(totals.buckets.get(number, _NO_CALLS), _BUCKET)} for number, at in enumerate(begins)]


def _rows(group: Mapping[str | None, Total]) -> list[dict[str, Any]]:
    """The rows of a grouping, the most calls first; without a `key` where there is none."""
    rows = [({} if key is None else {"key": key}) | _total(total, _ROW) for key, total in group.items()]
    return sorted(rows, key=lambda one: (-one["calls"], one.get("key", "")))


def _total(total: Total, names: Sequence[str]) -> dict[str, Any]:
    """The counts of these names, and what always stands there."""
    return {
        "calls": total.calls,
        **{name: getattr(total, name) for name in names},
        **{f"p{share}_ms": in_milliseconds(time) for share, time in total.times.items()},
        "costs": dict(total.costs),
    }
