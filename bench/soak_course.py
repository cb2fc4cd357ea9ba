"""The course of a soak: what breaks when, under load that does not stop."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from soak_check import FILES_MOST
from soak_facts import Death, Growth, Outage
from soak_fleet import Replica, config_of
from soak_load import Load
from soak_origins import Mood, Origins
from soak_state import State

BURST: Final = 64
"""Fetches of one page at once: issue 7's number."""
BOUND_A_SECOND: Final = 3
"""Calls a day of the bounded tenant, for each second of the run."""
_SETTLED: Final = 5.0
"""Seconds after the shared server is back till everybody uses it again: a step's two, a rest's one, and some."""
_NOTICED: Final = 3.0
"""How long the shared server stands still or is away at least: a replica's step waits two seconds for it."""
_LOOK: Final = 0.005
_CALM: Final[dict[str, Mood]] = {}
VENDORS: Final[tuple[dict[str, Mood], ...]] = (
    {"kelp": "limited", "tavily": "limited"},
    {"kelp": "broken", "tavily": "broken"},
    {"kelp": "hanging", "dulse": "slow", "tavily": "slow"},
    {"kelp": "cut", "tavily": "cut"},
    {"kelp": "broken", "dulse": "limited", "tavily": "hanging"},
)
PAGES: Final[tuple[dict[str, Mood], ...]] = ({"http": "hanging"}, {"http": "cut"}, {"http": "broken"})


STEPS: Final = ("vendors", "away", "frozen", "pages", "drain", "kill", "refuse")
"""What breaks, in this order.

Replicas that `drain` and `kill` start anew refuse calls while the shared server is away, so `refuse` needs both.
"""


@dataclass(slots=True)
class Course:
    """Breaks things in turn; keeps when, and how large replicas were."""

    seconds: float
    state: State
    replicas: list[Replica]
    origins: Origins
    load: Load
    steps: Collection[str] = STEPS
    deaths: list[Death] = field(default_factory=list)
    drained: list[str] = field(default_factory=list)
    outages: list[Outage] = field(default_factory=list)
    growth: list[Growth] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)
    _sizes: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    @property
    def bound(self) -> int:
        """Calls a day of the bounded tenant."""
        return max(10, int(self.seconds * BOUND_A_SECOND))

    @property
    def burst(self) -> int:
        """Fetches of one page at once."""
        return BURST if self.seconds >= 30 else BURST // 4

    async def run(self) -> None:
        """The steps in their order, in about `seconds` where all of them are taken."""
        breaks: dict[str, Callable[[], Awaitable[None]]] = {
            "vendors": partial(self._moods, VENDORS),
            "away": partial(self._away, "local"),
            "frozen": self._frozen,
            "pages": partial(self._moods, PAGES),
            "drain": partial(self._replaced, self.replicas[1], killed=False),
            "kill": partial(self._replaced, self.replicas[0], killed=True),
            "refuse": partial(self._away, "refuse"),
        }
        self._say("all replicas serve")
        self._look_at_sizes()
        for name in STEPS:
            if name in self.steps:
                await self._for(0.06)
                self._look_at_sizes()
                await self.load.burst(self.burst)
                await breaks[name]()
        await self._for(0.06)
        await self.load.burst(self.burst)
        await self.load.spend(self.bound + self.burst, self.burst)

    async def end(self) -> None:
        """When clients are gone: what replicas have become, and whether they end in order."""
        for one in self.replicas:
            await self._rested(one)
            self._measured(one)
        for one in self.replicas:
            await self._drain(one)

    async def _rested(self, replica: Replica) -> None:
        """Wait a while till the replica has closed what its clients have closed."""
        for _ in range(100):
            size, known = replica.size(), self._sizes.get(replica.incarnation)
            if size is None or not known or size[1] <= _warm(known)[1] + FILES_MOST:
                return
            await asyncio.sleep(0.1)

    # What breaks -------------------------------------------------------------------------------------

    async def _moods(self, moods: tuple[dict[str, Mood], ...]) -> None:
        for mood in (*moods, _CALM):
            self._say(", ".join(f"{who} is {how}" for who, how in mood.items()) or "all are fine")
            self.origins.moods = dict(mood)
            await self._for(0.03)

    async def _away(self, when_away: str) -> None:
        """The shared server crashes, and is started again."""
        since = time.monotonic()
        self.state.kill()
        self._say(f"the shared server is away, replicas {when_away}")
        await self._noticed()
        await self.state.start()
        await self._back(since, when_away)

    async def _frozen(self) -> None:
        """The shared server stands still, and goes on with all that it was sent meanwhile."""
        since = time.monotonic()
        self.state.freeze()
        self._say("the shared server stands still, replicas local")
        await self._noticed()
        self.state.thaw()
        await self._back(since, "local")

    async def _noticed(self) -> None:
        await asyncio.sleep(max(_NOTICED, 0.05 * self.seconds))

    async def _back(self, since: float, when_away: str) -> None:
        self._say("the shared server is back")
        await asyncio.sleep(_SETTLED)
        self.outages.append(Outage(since=since, until=time.monotonic(), when_away=when_away))

    async def _recorded(self) -> None:
        """Wait till entries of an outage are written: the next try comes as long after it, at most, as it lasted.

        A replica that is killed loses all that waits, and this is about what it loses else.
        """
        for one in self.outages:
            await asyncio.sleep(max(0.0, 2 * one.until - one.since - time.monotonic()))

    async def _replaced(self, replica: Replica, *, killed: bool) -> None:
        """A replica is killed, in the middle of a burst, or told to end; its next incarnation refuses while away."""
        self._measured(replica)
        if killed:
            await self._recorded()
            burst = asyncio.create_task(self.load.burst(self.burst, most=2, first=replica))  # one takes over, and asks
            await self._asked(burst)
            incarnation = replica.incarnation
            self.deaths.append(Death(replica=incarnation, at=replica.kill(), lag=replica.lag))
            self._say(f"{incarnation} was killed")
            await burst
        else:
            await self._drain(replica)
        await replica.start(config_of(self.origins.url, self.state.url, when_away="refuse"))
        self._say(f"{replica.incarnation} serves")
        self._look_at_sizes()

    async def _drain(self, replica: Replica) -> None:
        self._say(f"{replica.incarnation} is told to end")
        code = await replica.drain()
        self.drained.append(replica.incarnation)
        if code:
            self.faults.append(f"{replica.incarnation} ended with exit code {code}")

    async def _asked(self, burst: "asyncio.Task[None]") -> None:
        """Wait until the page server holds a request of the burst."""
        seen = self.origins.bursts
        while self.origins.bursts == seen and not burst.done():  # noqa: ASYNC110 - another process
            await asyncio.sleep(_LOOK)

    def _say(self, told: str) -> None:
        print(f"{time.monotonic() - self._began:6.1f} s  {told}", file=sys.stderr, flush=True)

    async def _for(self, part: float) -> None:
        await asyncio.sleep(part * self.seconds)

    # How large they are ------------------------------------------------------------------------------

    def _look_at_sizes(self) -> None:
        for one in self.replicas:
            if (size := one.size()) is not None:
                self._sizes.setdefault(one.incarnation, []).append(size)

    def _measured(self, replica: Replica) -> None:
        known, size = self._sizes.get(replica.incarnation), replica.size()
        if known and size is not None:
            memory = known[0][0], known[len(known) // 2][0], size[0]
            self.growth.append(Growth(replica=replica.incarnation, memory=memory, files=(_warm(known)[1], size[1])))


def _warm(sizes: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The size of a replica that has had its first calls."""
    return sizes[min(1, len(sizes) - 1)]
