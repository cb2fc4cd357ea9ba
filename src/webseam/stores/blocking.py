"""Blocking SQLite work off the event loop, and ended when the call that wanted it is cancelled."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from typing import Final, TypeVar

R = TypeVar("R")

_STEPS: Final = 10_000  # virtual machine steps between two looks at the signal: well under a millisecond


class Stop:
    """The signal of one piece of work: set once, seen by SQLite between steps and by our own loops."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """End the work soon."""
        self._event.set()

    def is_set(self) -> bool:
        """Whether the work should end."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep for `seconds`, or until set; whether it is set."""
        return self._event.wait(seconds)

    def check(self) -> None:
        """Raise when set, in the way that SQLite itself does.

        Raises:
            sqlite3.OperationalError: the work was cancelled.
        """
        if self._event.is_set():
            raise sqlite3.OperationalError("interrupted")

    def watch(self, connection: sqlite3.Connection) -> None:
        """Have statements of `connection` end when set. A handler, unlike `interrupt()`, also ends later statements."""
        connection.set_progress_handler(self._event.is_set, _STEPS)


async def in_thread(work: Callable[[Stop], R]) -> R:
    """Run `work` in a worker thread. A cancelled call ends the work and waits for its end before it passes on."""
    stop = Stop()
    running = asyncio.ensure_future(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        running.add_done_callback(_seen)
        await asyncio.wait([running])
        raise


def _seen(done: "asyncio.Future[R]") -> None:
    """The outcome of cancelled work is of no use to anybody."""
    if not done.cancelled():
        done.exception()
