"""Many inputs in one run: so many in flight together, so many to one host, each told as it ends."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from webseam.core.limits import BATCH_AHEAD, BATCH_CONCURRENCY, BATCH_PAUSE_SECONDS, BATCH_PER_HOST
from webseam.core.url import host_of

In = TypeVar("In", bound=Hashable)
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a batch goes: calls in flight together, and calls in flight together to one host."""

    concurrency: int = BATCH_CONCURRENCY
    per_host: int = BATCH_PER_HOST


class HostLine(Generic[In]):
    """Inputs in the order of hosts that are free: a slow host holds up nothing but its own inputs (R195).

    Each step costs the same however many inputs wait. Hosts take turns; the inputs of one keep their order.

    Args:
        inputs: what to do; `put` adds to it.
        per_host: inputs of one host that may be out together.
        host: the host of an input; None for inputs that are nobody's, which are not held to `per_host`. Takes an input
            for a URL unless told otherwise.

    Attributes:
        waiting: how many inputs are not taken yet.
    """

    __slots__ = ("_free", "_host", "_out", "_per_host", "_resting", "_waiting", "waiting")

    def __init__(self, inputs: Iterable[In], *, per_host: int, host: Callable[[Any], str | None] = host_of) -> None:
        self._host = host
        self._per_host = per_host
        self._waiting: dict[str | None, deque[In]] = {}
        self._out: dict[str | None, int] = {}
        self._free: deque[str | None] = deque()
        self._resting: set[str | None] = set()
        self.waiting = 0
        for one in inputs:
            self.put(one)

    def put(self, one: In) -> None:
        """One more, behind the others of its host."""
        host = self._host(one)
        self.waiting += 1
        if host in self._waiting:
            self._waiting[host].append(one)
            return
        self._waiting[host] = deque([one])
        self._keep(host)

    def take(self) -> In | None:
        """The next input of a host that is free; None when there is none now."""
        if not self._free:
            return None
        host = self._free.popleft()
        waiting = self._waiting[host]
        one = waiting.popleft()
        self.waiting -= 1
        self._out[host] = self._out.get(host, 0) + 1
        self._keep(host)
        return one

    def done(self, one: In) -> None:
        """An input that was taken has ended: its host may be asked again."""
        host = self._host(one)
        stood = self._has_room(host)
        self._out[host] -= 1
        if not self._out[host]:
            del self._out[host]
        if not stood:
            self._keep(host)

    def rest(self, host: str) -> bool:
        """Hold back the inputs of this host until `wake`; False when it rests already."""
        if host in self._resting:
            return False
        if host in self._waiting and self._has_room(host):
            self._free.remove(host)
        self._resting.add(host)
        return True

    def wake(self, host: str) -> None:
        """The inputs of this host go on."""
        self._resting.remove(host)
        self._keep(host)

    def _keep(self, host: str | None) -> None:
        """Put the host at the end of the line while it has inputs and room; forget it when it has no inputs."""
        if not self._waiting.get(host):
            self._waiting.pop(host, None)
        elif self._has_room(host):
            self._free.append(host)

    def _has_room(self, host: str | None) -> bool:
        return host is None or (host not in self._resting and self._out.get(host, 0) < self._per_host)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(Generic[In, T]):
    """One input and what came of it."""

    input: In
    outcome: T


async def run_batch(
    inputs: Iterable[In] | AsyncIterator[Sequence[In]],
    work: Callable[[In], Awaitable[T]],
    *,
    ended: Callable[[Ended[In, T]], None],
    pace: Pace | None = None,
    host: Callable[[Any], str | None] = host_of,
    pause: Callable[[T], float | None] = lambda _: None,
) -> None:
    """Do all inputs and tell each as it ends, which is not the order they came in.

    Args:
        inputs: what to do, at once or as it arrives; one that is there twice is done twice. While `BATCH_AHEAD` wait,
            no more are asked for.
        work: does one input; its failures are outcomes. What it raises ends the batch.
        ended: told of each outcome, in this task.
        pace: how many together.
        host: tells whose input it is; takes it for a URL unless told otherwise.
        pause: seconds for which the host of this outcome wants to be left alone; at most `BATCH_PAUSE_SECONDS` count.

    Whatever ends the batch early (a cancellation, a failure of `ended` or of `inputs`), nothing runs on afterwards.
    """
    run = _Run(inputs if isinstance(inputs, AsyncIterator) else at_once(inputs), work, pace or Pace(), host)
    try:
        while run.start():
            for one in await run.step():
                run.rest(one.input, pause(one.outcome))
                ended(one)
    finally:
        await run.stop()


async def at_once(inputs: Iterable[In]) -> AsyncIterator[Sequence[In]]:
    """Inputs that are all there, as `run_batch` takes those that arrive."""
    yield tuple(inputs)


class _Run(Generic[In, T]):
    """What is under way: the work, the hosts that rest, and the next inputs."""

    def __init__(
        self,
        inputs: AsyncIterator[Sequence[In]],
        work: Callable[[In], Awaitable[T]],
        pace: Pace,
        host: Callable[[Any], str | None],
    ) -> None:
        self._inputs: AsyncIterator[Sequence[In]] | None = inputs
        self._work = work
        self._most = pace.concurrency
        self._host = host
        self._line: HostLine[In] = HostLine((), per_host=pace.per_host, host=host)
        self._running: dict[asyncio.Future[T], In] = {}
        self._resting: dict[asyncio.Future[None], str] = {}
        self._next: asyncio.Future[Sequence[In] | None] | None = None

    def start(self) -> bool:
        """Fill the free places; False when nothing is under way, because nothing is left."""
        while len(self._running) < self._most and (one := self._line.take()) is not None:
            self._running[asyncio.ensure_future(self._work(one))] = one
        if self._next is None and self._inputs is not None and self._line.waiting < BATCH_AHEAD:
            self._next = asyncio.ensure_future(anext(self._inputs, None))
        return bool(self._running or self._next or (self._resting and self._line.waiting))

    async def step(self) -> list[Ended[In, T]]:
        """Wait until something happened; what has ended."""
        over, _ = await asyncio.wait(self._under_way(), return_when=asyncio.FIRST_COMPLETED)
        if self._next in over:
            self._take_in()
        for each in [one for one in self._resting if one in over]:
            self._line.wake(self._resting.pop(each))
        ended = [(each, self._running.pop(each)) for each in list(self._running) if each in over]
        for _, one in ended:
            self._line.done(one)
        return [Ended(input=one, outcome=task.result()) for task, one in ended]

    def _take_in(self) -> None:
        assert self._next is not None  # noqa: S101 - it has ended, so it was there
        found = self._next.result()
        self._next = None
        if found is None:
            self._inputs = None
        for one in found or ():
            self._line.put(one)

    def rest(self, one: In, seconds: float | None) -> None:
        """Leave the host of this input alone for a while; inputs that are nobody's have none."""
        host = self._host(one)
        if seconds is not None and seconds > 0 and host is not None and self._line.rest(host):
            self._resting[asyncio.ensure_future(asyncio.sleep(min(seconds, BATCH_PAUSE_SECONDS)))] = host

    async def stop(self) -> None:
        """End what is under way."""
        left = self._under_way()
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _under_way(self) -> list[asyncio.Future[Any]]:
        found: list[asyncio.Future[Any]] = [*self._running, *self._resting]
        return found if self._next is None else [*found, self._next]
