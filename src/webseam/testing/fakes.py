"""Providers that play a script, and a clock that moves by hand. They keep the provider contract and need no network.

web = webseam.Web(search=["first", "second"])
web.register_search(ScriptedSearch("first", [WebError(Code.RATE_LIMITED, "Slow down.", dispatched=True)]))
web.register_search(ScriptedSearch("second", [SearchResult(provider="second", content="42")]))
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Generic, TypeAlias, TypeVar

from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.types import (
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    SearchRequest,
    SearchResult,
)

Q = TypeVar("Q", SearchRequest, FetchRequest, ExtractRequest)
R = TypeVar("R", SearchResult, FetchResult, ExtractResult)


class Stalled(Enum):
    """The outcome of a vendor that takes the request and never answers."""

    FOREVER = "forever"


STALLED: Final = Stalled.FOREVER
"""As an outcome: the request leaves, and only the deadline, the abort signal or cancellation ends the wait."""

Outcome: TypeAlias = R | Exception | Stalled | Callable[[Q, Call], Awaitable[R]]
"""One step of a script: a result, an exception to raise, `STALLED`, or a coroutine function of your own."""


class ManualClock:
    """Monotonic seconds that move only by `advance`; hand it to `Web(clock=...)` or `Deadline.after(clock=...)`.

    The event loop's own timers do not follow it: a wait is still bounded in real time by what was left of the
    deadline when the wait began.
    """

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """The present second."""
        return self.now

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass.

        Raises:
            ValueError: time would run backwards.
        """
        if seconds < 0:
            raise ValueError(f"a monotonic clock cannot go back by {-seconds} s")
        self.now += seconds


@dataclass(slots=True)
class Script(Generic[Q, R]):
    """The steps of one provider: what it was asked so far, what it answers next, and how often it was cancelled."""

    outcomes: tuple[Outcome[R, Q], ...]
    requests: list[Q]
    cancelled: int = 0

    async def play(self, request: Q, call: Call) -> R:
        """Take the next step; the last one repeats."""
        outcome = self.outcomes[min(len(self.requests), len(self.outcomes) - 1)]
        self.requests.append(request)
        if isinstance(outcome, WebError):
            if outcome.dispatched:
                call.dispatch.mark()
            raise outcome
        if callable(outcome):
            return await outcome(request, call)
        call.dispatch.mark()
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, Stalled):
            return await self._stall()
        return outcome

    async def _stall(self) -> R:
        never: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        try:
            return await never
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


def _script(outcomes: Sequence[Outcome[R, Q]]) -> Script[Q, R]:
    if not outcomes:
        raise ValueError("a script needs at least one outcome")
    return Script(tuple(outcomes), [])


class ScriptedSearch:
    """A search provider that plays a script.

    A result comes back under this provider's id. `call.dispatch` is marked as an honest provider would: before every
    outcome but a `WebError` that says it was not dispatched; a function of your own marks it itself.

    Args:
        id: as for any provider.
        outcomes: one per call, in order; the last one repeats.
        available: what `available()` says; the attribute `usable` may change while calls run.
        reason: what `unavailable_reason()` says.
        native_controls: names of `SearchControls` fields that it is to honour itself.

    Attributes:
        script: `script.requests` are the requests seen, `script.cancelled` counts stalls that were cancelled.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 - the vocabulary's own word
        outcomes: Sequence[Outcome[SearchResult, SearchRequest]],
        *,
        available: bool = True,
        reason: str | None = None,
        native_controls: frozenset[str] = frozenset(),
    ) -> None:
        self.id = id
        self.usable = available
        self.reason = reason
        self.native_controls = native_controls
        self.script = _script(outcomes)

    def available(self) -> bool:
        """As scripted."""
        return self.usable

    def unavailable_reason(self) -> str | None:
        """As scripted."""
        return self.reason

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """The next outcome of the script."""
        return replace(await self.script.play(request, call), provider=self.id)


class ScriptedFetch:
    """A fetch provider that plays a script; see `ScriptedSearch`. `asks_gate` leaves the gate to the script."""

    def __init__(
        self,
        id: str,  # noqa: A002 - the vocabulary's own word
        outcomes: Sequence[Outcome[FetchResult, FetchRequest]],
        *,
        available: bool = True,
        reason: str | None = None,
        asks_gate: bool = False,
    ) -> None:
        self.id = id
        self.usable = available
        self.reason = reason
        self.asks_gate = asks_gate
        self.script = _script(outcomes)

    def available(self) -> bool:
        """As scripted."""
        return self.usable

    def unavailable_reason(self) -> str | None:
        """As scripted."""
        return self.reason

    async def fetch(self, request: FetchRequest, *, call: Call) -> FetchResult:
        """The next outcome of the script."""
        return replace(await self.script.play(request, call), provider=self.id)


class ScriptedExtract:
    """An extract provider that plays a script; see `ScriptedSearch`."""

    def __init__(
        self,
        id: str,  # noqa: A002 - the vocabulary's own word
        outcomes: Sequence[Outcome[ExtractResult, ExtractRequest]],
        *,
        available: bool = True,
        reason: str | None = None,
    ) -> None:
        self.id = id
        self.usable = available
        self.reason = reason
        self.script = _script(outcomes)

    def available(self) -> bool:
        """As scripted."""
        return self.usable

    def unavailable_reason(self) -> str | None:
        """As scripted."""
        return self.reason

    async def extract(self, request: ExtractRequest, *, call: Call) -> ExtractResult:
        """The next outcome of the script."""
        return replace(await self.script.play(request, call), provider=self.id)
