"""How much a tenant may use: calls in a period, calls and cost in a day."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Final, TypeVar

from webseam.core.errors import Code, WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.shared import Budget, Budgets, Rate, Rates, SharedError, Spent, Turn
from webseam.core.types import Usage
from webseam.tools.permission import CURRENCY
from webseam.wiring.rates import parse_rate
from webseam.wiring.tenants import Policy

_log = logging.getLogger("webseam")

T = TypeVar("T")
RATE_RULE: Final = "rate"
DAY_RULE: Final = "budget_of_day"
"""The rules that a denial names."""
_DAY: Final = 86_400.0
_ALLOWED: Final = Verdict(allowed=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """Where calls and cost are counted."""

    rates: Rates
    budgets: Budgets


class Quota:
    """The gate that counts: each search, page and extraction is a call, a redirect or a page that is here is none.

    A call that is under way when a bound is reached ends normally: what it costs is known only then.

    Args:
        tenant: whose calls these are.
        policy: how many.
        counters: where they are counted, over all gateways where these share a server.
        local: where they are counted while those are away.
        now: seconds since 1970, to tell when the day ends.
    """

    def __init__(
        self,
        tenant: str,
        policy: Policy,
        *,
        counters: Counters,
        local: Counters,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._key = f"tenant:{tenant}"
        self._rate: Rate | None = parse_rate(policy.rate)
        self._budget = Budget(calls=policy.calls_per_day or None, cost=policy.cost_per_day or None)
        self._counters = counters
        self._local = local
        self._now = now
        self._settling: set[asyncio.Task[None]] = set()

    @property
    def is_bounded(self) -> bool:
        """Whether a day is counted at all."""
        return self._budget != Budget()

    @property
    def counts(self) -> bool:
        """Whether anything is bounded."""
        return self.is_bounded or self._rate is not None

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        """Count the call; `WEB_RATE_LIMITED` or `WEB_BUDGET_EXHAUSTED`, with the seconds to wait, for one too many.

        Raises:
            WebError: `WEB_CONFIG_INVALID` where calls cannot be counted.
        """
        if request.kept or request.kind == "redirect":
            return _ALLOWED
        turn = None if self._rate is None else await self._take(self._rate)
        if turn is not None and turn.moment is None:
            return self._too_fast(turn)
        if self.is_bounded and not await self._fits():
            if turn is not None:
                await self._counted(lambda one: one.rates.give_back(self._key, turn))
            return self._spent_up()
        return _ALLOWED

    async def paid(self, usage: Usage | None) -> None:
        """A counted call has ended: what its vendor reported. It is counted also when the caller leaves meanwhile."""
        cost = 0.0 if usage is None or usage.currency != CURRENCY or usage.cost is None else usage.cost
        if self.is_bounded and isfinite(cost) and cost > 0:
            settling = asyncio.create_task(self._settle(cost))
            self._settling.add(settling)
            settling.add_done_callback(self._settling.discard)
            await asyncio.shield(settling)

    async def _settle(self, cost: float) -> None:
        try:
            await self._counted(lambda one: one.budgets.settle(self._key, cost))
        except WebError as error:  # the answer is there and paid for; the next call is refused
            _log.error("A cost of $%g was not counted: %s", cost, error.message)

    async def spent(self) -> Spent:
        """The day so far."""
        return await self._counted(lambda one: one.budgets.spent(self._key))

    async def _take(self, rate: Rate) -> Turn:
        return await self._counted(lambda one: one.rates.take(self._key, rate, 0.0))

    def _too_fast(self, turn: Turn) -> Verdict:
        return Verdict(
            allowed=False,
            reason=f"You may make {self._rate} calls. Try again in {ceil(turn.wait)} s, or ask for a higher rate.",
            code=Code.RATE_LIMITED,
            rule=RATE_RULE,
            retry_after=turn.wait,
        )

    async def _fits(self) -> bool:
        return await self._counted(lambda one: one.budgets.spend(self._key, self._budget))

    def _spent_up(self) -> Verdict:
        return Verdict(
            allowed=False,
            reason=f"The budget of this day is spent ({self._bounds()}). A new day begins at 00:00 UTC.",
            code=Code.BUDGET_EXHAUSTED,
            rule=DAY_RULE,
            retry_after=_DAY - self._now() % _DAY,
        )

    def _bounds(self) -> str:
        calls, cost = self._budget.calls, self._budget.cost
        told = [f"{calls:,} calls"] if calls is not None else []
        return " or ".join([*told, *([f"${cost:g}"] if cost is not None else [])])

    async def _counted(self, count: Callable[[Counters], Awaitable[T]]) -> T:
        try:
            return await count(self._counters)
        except SharedError:  # told by whoever looks after that state; a tenant is bounded here meanwhile
            return await self._counted_here(count)

    async def _counted_here(self, count: Callable[[Counters], Awaitable[T]]) -> T:
        try:
            return await count(self._local)
        except SharedError as exc:
            raise WebError(
                Code.CONFIG_INVALID,
                f"Calls cannot be counted now, so none is made: {exc}. Tell whoever runs this gateway.",
            ) from exc
