"""State that several processes share: who asks for a page, whose turn it is, what a day has cost. Protocols only.

Every method of every protocol here may raise `SharedError`: the state cannot be used now. Keys are texts that the
caller makes; no secret belongs into one.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias

from webseam.core.pages import PageStore


class SharedError(Exception):
    """The shared state cannot be used now; the message says why, in one clause without its place."""


# Requests in flight -------------------------------------------------------------------------------------

FlightEnd: TypeAlias = Literal["answered", "given up"]
"""How a request ended: whoever was asked has said what it had to say, or nobody knows what it would have said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Who asks for `key` now: this caller (`mine`), or somebody else, whose `token` it is then.

    Tokens of one key grow: of two callers that believe to lead, the one with the smaller token does not.
    """

    key: str
    token: int
    mine: bool


class Flights(Protocol):
    """One of all callers asks, the others wait for it. A lease runs out by itself unless it is renewed."""

    lease_seconds: float
    """How long a lease holds."""

    async def lead(self, key: str, /) -> Lease:
        """Take the lead for `key`, or learn who has it."""
        ...

    async def renew(self, lease: Lease, /) -> bool:
        """Hold a lease of ours for its time anew; False when it has run out, and perhaps is somebody else's."""
        ...

    async def end(self, lease: Lease, how: FlightEnd, /) -> None:
        """Give up a lease of ours and tell those who wait; nothing when it has run out."""
        ...

    async def look(self, lease: Lease, /) -> FlightEnd | None:
        """How the flight of somebody else's lease ended; None while it goes on. One whose time ran out is given up."""
        ...


# Rates --------------------------------------------------------------------------------------------------

PERIODS: Final = {"s": 1.0, "min": 60.0, "hour": 3_600.0, "day": 86_400.0}
"""Seconds by the name of a rate's period."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `calls` in any `seconds`."""

    calls: int
    seconds: float

    def __str__(self) -> str:
        period = next((name for name, seconds in PERIODS.items() if seconds == self.seconds), f"{self.seconds:g} s")
        return f"{self.calls}/{period}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn that comes in `wait` seconds, or that would have come then.

    `moment` is its name in the shared state, None when it would come too late and was not taken.
    """

    wait: float
    moment: int | None


class Rates(Protocol):
    """Turns within a rate, over all callers that name the same key: an exact sliding window, first come, first served.

    All time is that of the state itself; a caller's clock counts nowhere.
    """

    async def take(self, key: str, rate: Rate, patience: float, /) -> Turn:
        """Take the next turn, unless it comes later than in `patience` seconds."""
        ...

    async def give_back(self, key: str, turn: Turn, /) -> None:
        """Undo a turn that was not used."""
        ...

    async def pause(self, key: str, seconds: float, /) -> None:
        """Give no turn for so long, because the vendor asked; turns taken already are for their owners to look at."""
        ...

    async def paused(self, key: str, /) -> float:
        """Seconds until a pause ends; 0 where there is none."""
        ...


class TurnTaker(Protocol):
    """The turns of one key, wherever they are counted."""

    @property
    def rate(self) -> Rate:
        """How many there are."""
        ...

    def wait(self) -> float:
        """Seconds until somebody who came now would have a turn, as far as is known here; 0 when at once."""
        ...

    async def take(self, patience: float) -> Any:
        """Wait for a turn; returns what `give_back` takes, or None when it would come later than `patience`."""
        ...

    def give_back(self, turn: Any) -> None:
        """Undo a turn that was not used."""
        ...

    def pause(self, seconds: float) -> None:
        """Give no turn for so long, because the vendor asked."""
        ...


# Budgets ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a day has seen so far; `cost` in US dollars, to the millionth."""

    calls: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Most calls and most US dollars of one day in UTC; None is no bound."""

    calls: int | None = None
    cost: float | None = None


class Budgets(Protocol):
    """Calls and cost by day; days are those of UTC on the clock of the state."""

    async def spend(self, key: str, budget: Budget, cost: float = 0.0, /) -> bool:
        """Count a call that may cost so much, in one step with the check that it fits; False, and nothing is counted.

        Raises:
            ValueError: `cost` is negative or no number.
        """
        ...

    async def settle(self, key: str, difference: float, /) -> None:
        """Correct the cost of the day: by what a call cost beyond what `spend` was told, or below it.

        Raises:
            ValueError: `difference` is no number.
        """
        ...

    async def spent(self, key: str, /) -> Spent:
        """What the day has seen so far."""
        ...


# All of it ----------------------------------------------------------------------------------------------


class Shared(Protocol):
    """The state that the gateways of a fleet have in common."""

    @property
    def pages(self) -> PageStore:
        """Pages as received."""
        ...

    @property
    def flights(self) -> Flights:
        """Who asks for what."""
        ...

    @property
    def rates(self) -> Rates:
        """Turns."""
        ...

    @property
    def budgets(self) -> Budgets:
        """Calls and cost by day."""
        ...
