"""The turns of one key over all gateways of a fleet; those of this process alone while the shared state is away."""

import asyncio
import hashlib
from collections.abc import Callable
from typing import Any

from webseam.core.behind import Behind
from webseam.core.deadline import Clock
from webseam.core.shared import Rate, Rates, SharedError, Turn
from webseam.wiring.rates import Turns


class SharedTurns:
    """A `TurnTaker` over shared rates.

    Args:
        rates: the shared state.
        rate: how many calls in any window.
        name: names the key in the shared state; asked at each call, since a key may be rotated.
        clock: monotonic seconds of this process, for how long a call has waited.
        behind: tells the shared state what nobody waits for.
    """

    __slots__ = ("_behind", "_clock", "_local", "_name", "_next", "_rates", "_shared", "rate")

    def __init__(self, rates: Rates, rate: Rate, name: Callable[[], str], *, clock: Clock, behind: Behind) -> None:
        self.rate = rate
        self._rates = rates
        self._name = name
        self._clock = clock
        self._behind = behind
        self._local = Turns(rate, clock)
        self._next = float("-inf")
        self._shared = True

    def wait(self) -> float:
        """See `TurnTaker`; known from the last turn that was refused."""
        return max(0.0, self._next - self._clock()) if self._shared else self._local.wait()

    async def take(self, patience: float) -> Any:
        """See `TurnTaker`.

        Raises:
            WebError: the shared state is away, and is set to refuse then.
        """
        latest = self._clock() + patience
        while True:
            left = max(0.0, latest - self._clock())
            name = self._name()
            taking = asyncio.ensure_future(self._rates.take(name, self.rate, left))
            try:
                turn = await asyncio.shield(taking)
            except asyncio.CancelledError:
                self._behind.do(self._undone(name, taking))
                raise
            except SharedError:
                self._shared = False
                return await self._local.take(left)
            self._shared = True
            if turn.moment is None:
                self._next = self._clock() + turn.wait
                return None
            if turn.wait <= 0 or await self._is_good(name, turn):
                return name, turn

    async def _undone(self, name: str, taking: "asyncio.Future[Turn]") -> None:
        """The caller was cancelled while its turn was on the way: nobody uses it."""
        await self._rates.give_back(name, await taking)

    async def _is_good(self, name: str, turn: Turn) -> bool:
        """Whether no pause came while its moment was waited for; one that did gives it back."""
        used = False
        try:
            await asyncio.sleep(turn.wait)
            used = await self._rates.paused(name) <= 0
        except SharedError:  # nobody knows of a pause
            used = True
        finally:
            if not used:
                self._behind.do(self._rates.give_back(name, turn))
        return used

    def give_back(self, turn: Any) -> None:
        """See `TurnTaker`."""
        if isinstance(turn, tuple):
            self._behind.do(self._rates.give_back(*turn))
        else:
            self._local.give_back(turn)

    def pause(self, seconds: float) -> None:
        """See `TurnTaker`."""
        self._next = max(self._next, self._clock() + seconds)
        self._local.pause(seconds)
        self._behind.do(self._rates.pause(self._name(), seconds))


def name_of_key(kind: str, key: str) -> str:
    """How the shared state knows a vendor's key: not by itself, and the same on every gateway."""
    return hashlib.sha256(f"{kind}\0{key}".encode("utf-8", "surrogatepass")).hexdigest()[:40]
