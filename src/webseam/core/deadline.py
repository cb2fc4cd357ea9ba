"""Deadlines as points in time, and the one scope that ends work on time, on abort, or on cancellation."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from math import inf
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar

from webseam.core.limits import CANCEL_AGAIN_SECONDS
from webseam.core.waiting import Begun

R = TypeVar("R")

Clock: TypeAlias = Callable[[], float]
"""Monotonic seconds; `time.monotonic` outside tests."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on `clock`, made once at the edge and passed down; never a number of seconds.

    The clock must run as the event loop's does (monotonic seconds); only a test's stands still.
    """

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
    cancellation, and `fired` is True; which of the two it was is told by `abort`, not by the exception (dsh-30).
    A block that goes on after its cancellation is cancelled again, every `CANCEL_AGAIN_SECONDS`, until it ends.
    Cancelling the task from outside passes through untouched, and is raised when the block swallowed it. A block
    that ends in a cancellation nobody asked for has failed.

    Raises:
        TimeoutError: a signal fired.
        CancelledError: the task was cancelled from outside.
        RuntimeError: the block was cancelled from inside.
    """

    __slots__ = ("_abort", "_cancelling", "_deadline", "_fires", "_handle", "_task", "_watcher", "fired")

    def __init__(self, deadline: Deadline, abort: asyncio.Event | None = None) -> None:
        self._deadline = deadline
        self._abort = abort
        self._handle: asyncio.TimerHandle | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._task: asyncio.Task[Any] | None = None
        self._cancelling = 0
        self._fires = 0
        self.fired = False

    async def of(self, work: Coroutine[Any, Any, R]) -> R:
        """What `work` comes to, bounded as a block is; work that never waits is spared what that takes."""
        self._enter()
        try:
            begun = Begun(work)
            if begun.waits:
                self._heed()
                value = await begun.rest()
            else:
                value = begun.value
        except BaseException as exc:
            self._leave(exc)
            raise
        self._leave(None)
        return value

    async def __aenter__(self) -> None:
        self._enter()
        self._heed()

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave(value)

    def _enter(self) -> None:
        """From here on a cancellation is one from outside, be it the block's first step that asks for it."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a bounded block must run in a task")
        self._task = task
        self._cancelling = task.cancelling()

    def _heed(self) -> None:
        """Have the signals cancel the task."""
        if self._deadline.at != inf:
            self._handle = asyncio.get_running_loop().call_later(self._deadline.remaining, self._fire)
        if self._abort is not None:
            self._watcher = asyncio.create_task(self._fire_on(self._abort))

    def _leave(self, value: BaseException | None) -> None:
        """Raise what the block came to, where that is not what it raised."""
        if self._handle is not None:
            self._handle.cancel()
        if self._watcher is not None:
            self._watcher.cancel()
        self.fired = self._fires > 0 or (value is not None and self._signalled())
        task = self._task
        assert task is not None  # noqa: S101 - set on entering
        for _ in range(self._fires):
            task.uncancel()  # takes back our own request, as asyncio.timeout does
        if value is not None and not isinstance(value, Exception | asyncio.CancelledError):
            return
        if task.cancelling() > self._cancelling:
            if not isinstance(value, asyncio.CancelledError):
                raise asyncio.CancelledError from value
        elif self.fired:
            raise TimeoutError from value
        elif isinstance(value, asyncio.CancelledError):
            raise RuntimeError("cancelled from inside") from value

    def _fire(self) -> None:
        if self._fires == 0 and self._task is not None:
            self._cancel(self._task)

    def _cancel(self, task: asyncio.Task[Any]) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._handle = asyncio.get_running_loop().call_later(CANCEL_AGAIN_SECONDS, self._cancel, task)
        self._fires += 1
        task.cancel()

    async def _fire_on(self, abort: asyncio.Event) -> None:
        await abort.wait()
        self._fire()

    def _signalled(self) -> bool:
        return self._deadline.expired or (self._abort is not None and self._abort.is_set())
