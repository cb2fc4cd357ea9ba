"""Cells of plain data that a step changes at once, in this process; flights, rates and budgets over any cells."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar

from webseam.core.limits import FLIGHT_LEASE_SECONDS
from webseam.core.shared import Budget, FlightEnd, Lease, Rate, Spent, Turn
from webseam.stores import steps
from webseam.stores.steps import MICRO, Done, State, micros

R = TypeVar("R")
Step: TypeAlias = Callable[[State, int], Done[R]]
"""From the state of a cell and the time to what is done."""

_SWEPT: Final = 1_000  # writes between two looks for cells that are over: each costs a pass over all


class Cells(Protocol):
    """Plain data by key; one step at a time changes a cell."""

    async def update(self, key: str, step: Step[R], /) -> R:
        """Do `step` on what is kept under `key`.

        Raises:
            SharedError: the cells cannot be used.
        """
        ...


class MemoryCells:
    """Cells in this process; `now` is seconds since 1970."""

    def __init__(self, *, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._kept: dict[str, tuple[State, int]] = {}
        self._writes = 0

    async def update(self, key: str, step: Step[R], /) -> R:
        """See `Cells`."""
        now = int(self._now() * MICRO)
        state, until = self._kept.get(key, (None, 0))
        done = step(state if until > now else None, now)
        if done.until:
            self._kept[key] = done.state, done.until
            self._writes += 1
            if self._writes % _SWEPT == 0:
                self._kept = {key: cell for key, cell in self._kept.items() if cell[1] > now}
        return done.answer


class CellFlights:
    """`Flights` over cells."""

    def __init__(self, cells: Cells, *, lease_seconds: float = FLIGHT_LEASE_SECONDS) -> None:
        self.lease_seconds = lease_seconds
        self._cells = cells
        self._lease = int(lease_seconds * MICRO)

    async def lead(self, key: str, /) -> Lease:
        """See `Flights`."""
        token, mine = await self._cells.update(f"flight:{key}", partial(steps.lead, lease=self._lease))
        return Lease(key=key, token=token, mine=mine)

    async def renew(self, lease: Lease, /) -> bool:
        """See `Flights`."""
        step = partial(steps.renew, token=lease.token, lease=self._lease)
        return lease.mine and await self._cells.update(f"flight:{lease.key}", step)

    async def end(self, lease: Lease, how: FlightEnd, /) -> None:
        """See `Flights`."""
        if lease.mine:
            await self._cells.update(f"flight:{lease.key}", partial(steps.end, token=lease.token, how=how))

    async def look(self, lease: Lease, /) -> FlightEnd | None:
        """See `Flights`."""
        return await self._cells.update(f"flight:{lease.key}", partial(steps.look, token=lease.token))


class CellRates:
    """`Rates` over cells."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def take(self, key: str, rate: Rate, patience: float, /) -> Turn:
        """See `Rates`."""
        step = partial(steps.take, rate=rate, patience=int(max(0.0, patience) * MICRO))
        return await self._cells.update(f"rate:{key}", step)

    async def give_back(self, key: str, turn: Turn, /) -> None:
        """See `Rates`."""
        if turn.moment is not None:
            await self._cells.update(f"rate:{key}", partial(steps.give_back, moment=turn.moment))

    async def pause(self, key: str, seconds: float, /) -> None:
        """See `Rates`."""
        await self._cells.update(f"rate:{key}", partial(steps.pause, length=int(seconds * MICRO)))

    async def paused(self, key: str, /) -> float:
        """See `Rates`."""
        return await self._cells.update(f"rate:{key}", steps.paused)


class CellBudgets:
    """`Budgets` over cells."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def spend(self, key: str, budget: Budget, cost: float = 0.0, /) -> bool:
        """See `Budgets`."""
        step = partial(steps.spend, budget=budget, cost=cost_of(cost))
        return await self._cells.update(f"budget:{key}", step)

    async def settle(self, key: str, difference: float, /) -> None:
        """See `Budgets`."""
        await self._cells.update(f"budget:{key}", partial(steps.settle, difference=micros(difference)))

    async def spent(self, key: str, /) -> Spent:
        """See `Budgets`."""
        return await self._cells.update(f"budget:{key}", steps.spent)


def cost_of(cost: float) -> int:
    """A cost in millionths.

    Raises:
        ValueError: it is negative or no number: it would make room for others.
    """
    amount = micros(cost)
    if amount < 0:
        raise ValueError("a cost must not be negative")
    return amount
