"""Client-side rates: at most so many calls in any window of a period, turns taken in the order of arrival."""

import asyncio
import re
from collections import deque
from dataclasses import dataclass
from typing import Final

from webseam.core.deadline import Clock
from webseam.core.limits import RATE_CALLS_MAX
from webseam.core.shared import PERIODS, Rate

_WRITTEN: Final = re.compile(r"([1-9]\d{0,5})/(s|min|hour|day)", re.ASCII)
RATE_FORM: Final = f'a rate such as "60/min": 1 to {RATE_CALLS_MAX:,} calls per s, min, hour or day'


def parse_rate(text: str) -> Rate | None:
    """The rate that `text` writes, such as `60/min`; None for anything else."""
    found = _WRITTEN.fullmatch(text)
    if found is None or int(found[1]) > RATE_CALLS_MAX:
        return None
    return Rate(int(found[1]), PERIODS[found[2]])


@dataclass(slots=True, eq=False)
class _Waiter:
    """Somebody in the queue: `turn` becomes the moment of the grant, or None when it would come after `latest`."""

    latest: float
    turn: "asyncio.Future[float | None]"


class Turns:
    """The turns of one key: an exact sliding window, first come, first served.

    The window is exact where a token bucket is not: a full bucket lets twice its size through in one period. Belongs to
    one event loop at a time.

    Args:
        rate: how many calls in any window.
        clock: monotonic seconds. Waiting itself runs on the event loop's timers.
    """

    __slots__ = ("_clock", "_given", "_paused", "_queue", "_timer", "rate")

    def __init__(self, rate: Rate, clock: Clock) -> None:
        self.rate = rate
        self._clock = clock
        self._given: deque[float] = deque(maxlen=rate.calls)
        self._queue: deque[_Waiter] = deque()
        self._paused = float("-inf")
        self._timer: asyncio.TimerHandle | None = None

    def wait(self) -> float:
        """Seconds until somebody who came now would have a turn; 0 when at once."""
        now = self._clock()
        return max(0.0, self._time_of(len(self._queue), now) - now)

    async def take(self, patience: float) -> float | None:
        """Wait for a turn; returns its moment on the clock, or None as soon as it would come later than `patience`.

        A caller that is cancelled leaves the queue, or gives back the turn that it was just given.
        """
        now = self._clock()
        latest = now + patience
        if self._time_of(len(self._queue), now) > latest:
            return None
        waiter = _Waiter(latest, asyncio.get_running_loop().create_future())
        self._queue.append(waiter)
        self._serve()
        try:
            return await waiter.turn
        except asyncio.CancelledError:
            self._forget(waiter)
            raise

    def give_back(self, turn: float) -> None:
        """Undo a turn that was not used: nothing left the process."""
        if turn in self._given:
            self._given.remove(turn)
            self._serve()

    def pause(self, seconds: float) -> None:
        """Give no turn for so long, because the vendor asked; whoever would wait too long by that is told now."""
        now = self._clock()
        self._paused = max(self._paused, now + seconds)
        patient: deque[_Waiter] = deque()
        for waiter in self._queue:
            if self._time_of(len(patient), now) <= waiter.latest:
                patient.append(waiter)
            elif not waiter.turn.done():
                waiter.turn.set_result(None)
        self._queue = patient
        self._serve()

    def _time_of(self, place: int, now: float) -> float:
        """When the turn of this place in the queue comes, if nobody before it leaves.

        Each turn frees its place one period later, so the queue goes round the last `calls` turns.
        """
        rounds, slot = divmod(place, self.rate.calls)
        first = max(now, self._paused)
        index = slot - (self.rate.calls - len(self._given))
        if index >= 0:
            first = max(first, self._given[index] + self.rate.seconds)
        return first + rounds * self.rate.seconds

    def _serve(self) -> None:
        """Give the turns whose time has come, and set the timer for the next one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now = self._clock()
        while self._queue:
            due = self._time_of(0, now)
            if due > now and not self._queue[0].turn.done():
                self._timer = asyncio.get_running_loop().call_later(due - now, self._serve)
                return
            waiter = self._queue.popleft()
            if not waiter.turn.done():  # a cancelled one has not left the queue yet
                self._given.append(now)
                waiter.turn.set_result(now)

    def _forget(self, waiter: _Waiter) -> None:
        if waiter in self._queue:
            self._queue.remove(waiter)  # the timer stays right: whoever is first now has the same turn
        elif not waiter.turn.cancelled():
            given = waiter.turn.result()
            if given is not None:
                self.give_back(given)
