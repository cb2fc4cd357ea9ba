"""Blocking SQLite work off the event loop, and ended when the call that wanted it is cancelled."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

R = TypeVar("R")

BUSY_STEP_SECONDS: Final = 0.05
"""How long work waits between two tries at what another process keeps locked."""

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


def patiently(connection: sqlite3.Connection, statement: str, stop: Stop, *, seconds: float) -> None:
    """Run `statement`, tried again for `seconds` while another process keeps the file locked, or until `stop` is set.

    SQLite's own waiting cannot be ended, and it does not wait where it holds a lock itself that others wait for: when
    several change the mode of a new file's journal at once.

    Raises:
        sqlite3.OperationalError: it stayed locked, or failed otherwise.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            connection.execute(statement).fetchone()
        except sqlite3.OperationalError as exc:
            is_busy = primary_code(exc) == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() >= until or stop.wait(BUSY_STEP_SECONDS):
                raise
        else:
            return


def primary_code(exc: sqlite3.Error) -> int:
    """Extended result codes keep the primary one in the low byte; Python's own complaints have none."""
    return int(getattr(exc, "sqlite_errorcode", 0)) & 0xFF
