"""How many calls may run at once, in all and for one tenant; and when the last one has ended."""

import asyncio
from collections.abc import Callable
from types import TracebackType

from webseam.core.limits import GATEWAY_CALLS, GATEWAY_REFUSED_RETRY_SECONDS, GATEWAY_TENANT_CALLS
from webseam.surfaces.gateway.problems import GatewayCode, Problem


class Places:
    """The calls that run.

    Args:
        most: how many may at once.
        most_each: how many of one tenant.
        told: hears how many run, whenever that changes.
    """

    def __init__(
        self,
        *,
        most: int = GATEWAY_CALLS,
        most_each: int = GATEWAY_TENANT_CALLS,
        told: Callable[[int], None] = lambda _running: None,
    ) -> None:
        self._most = most
        self._most_each = most_each
        self._told = told
        self._by_tenant: dict[str, int] = {}
        self._running = 0
        self._tasks: set[asyncio.Task[object]] = set()
        self._empty = asyncio.Event()
        self._empty.set()
        self.draining = False
        self.cut = False

    def taken(self, tenant: str) -> "_Place":
        """A place for one call, from here to the end of its `with` block.

        Raises:
            Problem: there is none, or no new call begins any more.
        """
        self.check_open()
        if self._running >= self._most or self._by_tenant.get(tenant, 0) >= self._most_each:
            raise Problem(
                GatewayCode.BUSY,
                "So many calls run already that no other one is begun. Try again in a moment.",
                retry_after=GATEWAY_REFUSED_RETRY_SECONDS,
            )
        place = _Place(self._change, tenant, asyncio.current_task())
        self._change(tenant, 1, place.task)
        return place

    def check_open(self) -> None:
        """Whether new work is taken.

        Raises:
            Problem: the gateway is going away.
        """
        if self.draining:
            raise going_away("This gateway is shutting down. Send the request again: another one may take it.")

    async def drain(self, seconds: float) -> bool:
        """Begin no call any more, and wait till those that run have ended; False when they have not in this time."""
        self.draining = True
        return await self._emptied(seconds)

    async def cut_off(self, seconds: float) -> None:
        """Cancel the calls that still run (`cut` tells them why), and give each the time to say so."""
        self.draining = self.cut = True
        for task in self._tasks:
            task.cancel()
        await self._emptied(seconds)

    def told_of_cut(self, cancelled: asyncio.CancelledError) -> Problem:
        """What a call that `cut_off` ended is told; any other cancellation goes on."""
        task = asyncio.current_task()
        if task is None or not self.cut:
            raise cancelled
        task.uncancel()
        return going_away("This gateway was shut down before the call ended; it may have been billed.")

    async def _emptied(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._empty.wait()
        except TimeoutError:
            return False
        return True

    def _change(self, tenant: str, by: int, task: "asyncio.Task[object] | None") -> None:
        if task is not None:
            (self._tasks.add if by > 0 else self._tasks.discard)(task)
        self._running += by
        own = self._by_tenant.pop(tenant, 0) + by
        if own:
            self._by_tenant[tenant] = own
        if self._running:
            self._empty.clear()
        else:
            self._empty.set()
        self._told(self._running)


class _Place:
    """A place that is taken; leaving it gives it back. A class, because every call pays for it."""

    __slots__ = ("_change", "_tenant", "task")

    def __init__(
        self,
        change: "Callable[[str, int, asyncio.Task[object] | None], None]",
        tenant: str,
        task: "asyncio.Task[object] | None",
    ) -> None:
        self._change = change
        self._tenant = tenant
        self.task = task

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, _kind: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._change(self._tenant, -1, self.task)


def going_away(detail: str) -> Problem:
    """The refusal of a gateway that shuts down."""
    return Problem(
        GatewayCode.DRAINING,
        detail,
        retry_after=GATEWAY_REFUSED_RETRY_SECONDS,
        headers=(("connection", "close"),),
    )
