"""Deadlines as points in time, and the one scope that ends work on time, on abort, or on cancellation."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from types import TracebackType
from typing import Self, TypeAlias

Clock: TypeAlias = Callable[[], float]
"""Monotonic seconds; `time.monotonic` outside tests."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on `clock`, made once at the edge and passed down; never a number of seconds."""

    at: float
    clock: Clock = time.monotonic

    @classmethod
    def after(cls, seconds: float, *, clock: Clock = time.monotonic) -> Self:
        """The point `seconds` from now; zero or less is already spent."""
        return cls(clock() + seconds, clock)

    @property
    def remaining(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at - self.clock())

    @property
    def expired(self) -> bool:
        """Whether the point has passed."""
        return self.clock() >= self.at

    def sooner(self, seconds: float) -> "Deadline":
        """This deadline, or the point `seconds` from now when that comes first."""
        return Deadline(min(self.at, self.clock() + seconds), self.clock)


class Bounded:
    """Run a block until `deadline` or `abort`, then cancel it: `async with Bounded(deadline, abort): ...`.

    When a signal fired, TimeoutError replaces whatever the block raised, also when the block swallowed the
    cancellation; the caller tells the two apart by looking at `abort` and `deadline`, not at the exception
    (dsh-30). Cancelling the task from outside passes through untouched.

    Raises:
        TimeoutError: a signal fired.
    """

    __slots__ = ("_abort", "_timer", "_watcher")

    def __init__(self, deadline: Deadline, abort: asyncio.Event | None = None) -> None:
        self._timer = asyncio.timeout(None if deadline.at == inf else deadline.remaining)
        self._abort = abort
        self._watcher: asyncio.Task[None] | None = None

    async def __aenter__(self) -> None:
        await self._timer.__aenter__()
        if self._abort is not None:
            self._watcher = asyncio.create_task(_fire_on(self._abort, self._timer))

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
        await self._timer.__aexit__(kind, value, trace)
        signalled = self._timer.expired() or (self._abort is not None and self._abort.is_set() and value is not None)
        if signalled and (value is None or isinstance(value, Exception)):
            raise TimeoutError from value


async def _fire_on(abort: asyncio.Event, timer: asyncio.Timeout) -> None:
    await abort.wait()
    if not timer.expired():
        timer.reschedule(asyncio.get_running_loop().time() - 1)
