"""Flights, rates and budgets on a Valkey or Redis server: each step is one script."""

from typing import Final, cast

from webseam.core.limits import BUDGET_SECONDS, FLIGHT_LEASE_SECONDS, FLIGHT_TOLD_SECONDS
from webseam.core.shared import Budget, FlightEnd, Lease, Rate, Spent, Turn
from webseam.stores import scripts
from webseam.stores.cells import cost_of
from webseam.stores.server import Server
from webseam.stores.steps import MICRO, micros

_TOLD: Final = int(FLIGHT_TOLD_SECONDS * MICRO)
_BUDGET_MILLIS: Final = int(BUDGET_SECONDS * 1_000)
_NO_BOUND: Final = -1


class ServerFlights:
    """`Flights` on the server."""

    def __init__(self, server: Server, *, lease_seconds: float = FLIGHT_LEASE_SECONDS) -> None:
        self.lease_seconds = lease_seconds
        self._server = server
        self._lease = int(lease_seconds * MICRO)

    async def lead(self, key: str, /) -> Lease:
        """See `Flights`."""
        token, mine = await self._server.run(scripts.LEAD, self._keys(key), self._lease, _TOLD)
        return Lease(key=key, token=int(token), mine=bool(mine))

    async def renew(self, lease: Lease, /) -> bool:
        """See `Flights`."""
        if not lease.mine:
            return False
        return bool(await self._server.run(scripts.RENEW, self._keys(lease.key), self._lease, _TOLD, lease.token))

    async def end(self, lease: Lease, how: FlightEnd, /) -> None:
        """See `Flights`."""
        if lease.mine:
            await self._server.run(scripts.END, self._keys(lease.key), _TOLD, lease.token, how)

    async def look(self, lease: Lease, /) -> FlightEnd | None:
        """See `Flights`."""
        told = await self._server.run(scripts.LOOK, self._keys(lease.key), lease.token)
        return None if told is None else cast("FlightEnd", told.decode())

    def _keys(self, key: str) -> list[str]:
        return [self._server.key("flight", key)]


class ServerRates:
    """`Rates` on the server."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def take(self, key: str, rate: Rate, patience: float, /) -> Turn:
        """See `Rates`."""
        period, most = int(rate.seconds * MICRO), int(max(0.0, patience) * MICRO)
        wait, moment = await self._server.run(scripts.TAKE, self._keys(key), rate.calls, period, most)
        return Turn(wait=int(wait) / MICRO, moment=int(moment) or None)

    async def give_back(self, key: str, turn: Turn, /) -> None:
        """See `Rates`."""
        if turn.moment is not None:
            await self._server.run(scripts.GIVE_BACK, self._keys(key), turn.moment)

    async def pause(self, key: str, seconds: float, /) -> None:
        """See `Rates`."""
        await self._server.run(scripts.PAUSE, self._keys(key), int(seconds * MICRO))

    async def paused(self, key: str, /) -> float:
        """See `Rates`."""
        return int(await self._server.run(scripts.PAUSED, self._keys(key))) / MICRO

    def _keys(self, key: str) -> list[str]:
        return [self._server.key("rate", key), self._server.key("pause", key)]


class ServerBudgets:
    """`Budgets` on the server."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def spend(self, key: str, budget: Budget, cost: float = 0.0, /) -> bool:
        """See `Budgets`."""
        calls = _NO_BOUND if budget.calls is None else budget.calls
        most = _NO_BOUND if budget.cost is None else micros(budget.cost)
        fits = await self._server.run(scripts.SPEND, self._keys(key), _BUDGET_MILLIS, cost_of(cost), calls, most)
        return bool(fits)

    async def settle(self, key: str, difference: float, /) -> None:
        """See `Budgets`."""
        await self._server.run(scripts.SETTLE, self._keys(key), _BUDGET_MILLIS, micros(difference))

    async def spent(self, key: str, /) -> Spent:
        """See `Budgets`."""
        calls, paid = await self._server.run(scripts.SPENT, self._keys(key))
        return Spent(calls=int(calls), cost=int(paid) / MICRO)

    def _keys(self, key: str) -> list[str]:
        return [self._server.key("budget", key)]
