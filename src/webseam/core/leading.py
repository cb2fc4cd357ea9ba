"""One of several processes asks, the others wait: how a caller takes part in flights that are shared."""

import asyncio

from webseam.core.behind import Behind
from webseam.core.errors import WebError
from webseam.core.limits import FLIGHT_LOOK_SECONDS
from webseam.core.shared import FlightEnd, Flights, Lease, SharedError

_FIRST_LOOK = 0.005  # a page from nearby takes about so long
_RENEWALS = 3  # in the time of a lease: two may be lost on the way


class Led:
    """The lead for one key: renewed by itself until it ends."""

    def __init__(self, leading: "Leading", lease: Lease) -> None:
        self._leading = leading
        self._lease = lease
        self._ended = False
        self._renewing = asyncio.ensure_future(leading.renewed(lease))

    async def holds(self) -> bool:
        """Whether nobody else leads by now; asked before something is kept that a later leader may know better.

        Raises:
            SharedError: nobody can tell.
        """
        return not self._ended and await self._leading.flights.renew(self._lease)

    def end(self, how: FlightEnd) -> None:
        """Tell those who wait; only the first call counts."""
        if not self._ended:
            self._ended = True
            self._renewing.cancel()
            self._leading.behind.do(self._leading.flights.end(self._lease, how))


class Leading:
    """Takes part in shared flights, in one event loop at a time."""

    def __init__(self, flights: Flights) -> None:
        self.flights = flights
        self.behind = Behind()

    async def enter(self, key: str) -> Led | None:
        """The lead for `key`, or None when somebody else had it and is answered; waits as long as that takes.

        A leader that gives up, or dies, is followed by one of those who wait. Who is cancelled just leaves.

        Raises:
            SharedError: the flights cannot be used.
        """
        while True:
            leading = asyncio.ensure_future(self.flights.lead(key))
            try:
                lease = await asyncio.shield(leading)
            except asyncio.CancelledError:
                self.behind.do(self._undone(leading))
                raise
            if lease.mine:
                return Led(self, lease)
            if await self._ended(lease) == "answered":
                return None

    async def _undone(self, leading: "asyncio.Future[Lease]") -> None:
        """The caller was cancelled while the lead was on its way: nobody may have to wait for it."""
        await self.flights.end(await leading, "given up")

    async def _ended(self, lease: Lease) -> FlightEnd:
        pause = _FIRST_LOOK
        while (how := await self.flights.look(lease)) is None:
            await asyncio.sleep(pause)
            pause = min(pause * 2, FLIGHT_LOOK_SECONDS)
        return how

    async def renewed(self, lease: Lease) -> None:
        """Renew `lease` until it is lost; a state that is away for a moment may come back in time."""
        while True:
            await asyncio.sleep(self.flights.lease_seconds / _RENEWALS)
            try:
                if not await self.flights.renew(lease):
                    return
            except (SharedError, WebError):
                continue

    async def aclose(self) -> None:
        """Wait till others have been told what ended."""
        await self.behind.aclose()
