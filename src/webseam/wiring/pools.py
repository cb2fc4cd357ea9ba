"""Key and rate pools around a provider: several keys in turn, each within a rate of its own.

The seam sees one provider. Which key answered is told nowhere: not in attempts, errors, events or `repr`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, TypeAlias, TypeVar

from webseam.core.attempts import record_of
from webseam.core.call import Call
from webseam.core.deadline import Clock
from webseam.core.errors import Code, WebError
from webseam.core.providers import bills, is_available
from webseam.core.types import (
    Attempt,
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    SearchRequest,
    SearchResult,
)
from webseam.wiring.members import Member, rotates

R = TypeVar("R", SearchResult, FetchResult, ExtractResult)
_Run: TypeAlias = Callable[[Any, Call], Awaitable[R]]


class Pool:
    """A provider over several keys of one vendor, or over one with a rate; registered for one capability.

    A call starts with the key that last worked and moves to the next one at once when the vendor refuses the key, its
    quota or its rate. A key that did so rests; when all rest, the one that comes free first is waited for, or tried.

    Args:
        members: one per key, at least one; all with the same id.
        patience: most seconds that one call waits for turns and resting keys; its deadline bounds it too.
        clock: monotonic seconds.
    """

    __slots__ = ("_clock", "_first", "_members", "_patience", "id")

    def __init__(self, members: Sequence[Member], *, patience: float, clock: Clock) -> None:
        self.id: str = members[0].provider.id
        self._members = tuple(members)
        self._patience = patience
        self._clock = clock
        self._first = 0

    def __repr__(self) -> str:
        return f"Pool({self.id!r})"

    @property
    def native_controls(self) -> frozenset[str]:
        """What the vendor honours, whichever key is used."""
        controls: frozenset[str] = getattr(self._members[0].provider, "native_controls", frozenset())
        return controls

    @property
    def asks_gate(self) -> bool:
        """Whether the provider asks the gate for every hop itself."""
        return bool(getattr(self._members[0].provider, "asks_gate", False))

    @property
    def bills(self) -> bool:
        """Whether anybody is charged, whichever key is used."""
        return bills(self._members[0].provider)

    def available(self) -> bool:
        """Whether any key could be used; one that rests can."""
        return any(is_available(member.provider)[0] for member in self._members)

    def unavailable_reason(self) -> str | None:
        """Why none can."""
        return is_available(self._members[0].provider)[1]

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """See `SearchProvider.search`; `attempts` tells every try when there was more than one.

        Raises:
            WebError: the last key's, with the smallest wait that is known; `WEB_RATE_LIMITED` before anything left when
                no turn comes in time.
        """
        return await self._call(lambda provider, own: provider.search(request, call=own), call)

    async def fetch(self, request: FetchRequest, *, call: Call) -> FetchResult:
        """See `FetchProvider.fetch`, and `search` here."""
        return await self._call(lambda provider, own: provider.fetch(request, call=own), call)

    async def extract(self, request: ExtractRequest, *, call: Call) -> ExtractResult:
        """See `ExtractProvider.extract`, and `search` here."""
        return await self._call(lambda provider, own: provider.extract(request, call=own), call)

    # One call ----------------------------------------------------------------------------------------

    async def _call(self, run: _Run[R], call: Call) -> R:
        """Try key after key, each at most once."""
        one = _Round(self._usable(), self._patience)
        failed: WebError | None = None
        while (picked := await self._next(one, call)) is not None:
            member, turn = picked
            own, started = call.attempt(), call.deadline.clock()
            try:
                result = await _within(member, turn, run, own)
            except WebError as error:
                failed = error
            else:
                self._first = self._members.index(member)
                member.worked()
                return _told(result, one.tries, record_of(self.id, own, result, None, call.deadline.clock() - started))
            member.learn(failed, self._clock())
            one.tries.append(_failure(self.id, own, failed, call.deadline.clock() - started))
            if not rotates(failed) or not one.left or call.aborted or call.deadline.expired:
                break
            call.dispatch.tell(one.tries)  # also when a signal ends the next one
        raise self._no_turn() if failed is None else self._last(failed, one.tries)

    def _usable(self) -> list[Member]:
        """Keys in the order of trying: the one that last worked, then those behind it.

        A source that yields no key is passed over: a vendor that also works without one would be called that way. When
        none yields one, the first member says so in its own words, or goes without.
        """
        order = [*self._members[self._first :], *self._members[: self._first]]
        return [member for member in order if member.usable()] or [self._members[0]]

    async def _next(self, one: "_Round", call: Call) -> tuple[Member, Any] | None:
        """The next key and its turn, waited for as long as there is patience; a resting one only as the first try."""
        while True:
            started = self._clock()
            patience = min(one.patience, call.deadline.remaining)
            near = [member for member in one.left if member.turn_in() <= patience]
            awake = [member for member in near if member.rests <= started]
            if not awake and (one.tries or not near):
                return None
            member = min(awake, key=Member.turn_in) if awake else min(near, key=lambda each: each.free_in(started))
            one.left.remove(member)
            if 0 < member.rests - started <= patience:
                await asyncio.sleep(member.rests - started)
            turn = None
            if member.turns is not None:
                turn = await member.turns.take(max(0.0, patience - (self._clock() - started)))
            one.patience = max(0.0, one.patience - (self._clock() - started))
            if member.turns is None or turn is not None:
                return member, turn  # else its vendor asked for a pause meanwhile

    # How a call ends ---------------------------------------------------------------------------------

    def _last(self, failed: WebError, tries: Sequence[Attempt]) -> WebError:
        """The last key's error with every try in it; a key that is known to come free sooner shortens the wait."""
        if len(self._members) == 1 or (len(tries) == 1 and not rotates(failed)):
            return failed
        waits = [failed.retry_after]
        if rotates(failed):
            waits += [member.known_wait(self._clock()) for member in self._members]
        wait = min((each for each in waits if each is not None), default=None)
        told = WebError(
            failed.code,
            failed.message,
            provider=failed.provider or self.id,
            dispatched=any(each.dispatched for each in tries),
            retryable=failed.retryable or wait is not None,
            retry_after=wait,
            attempts=tries,
            status=failed.status,
        )
        told.__cause__ = failed
        return told

    def _no_turn(self) -> WebError:
        """Nothing left: every key that could be used has its next turn too late."""
        limited = [member for member in self._members if member.turns is not None and member.usable()]
        limited = limited or [self._members[0]]
        wait = min(member.turn_in() for member in limited)
        rate = "" if limited[0].turns is None else f" {limited[0].turns.rate} for each key"
        return WebError(
            Code.RATE_LIMITED,
            f"{self.id} has no turn left for this call: its rate is{rate}, or its vendor asked for a pause. The next "
            f"turn comes in {ceil(wait)} s. Try again then, or raise providers.{self.id}.rate or rate_wait.",
            provider=self.id,
            retry_after=wait,
        )


@dataclass(slots=True)
class _Round:
    """One call's way through the keys: those not tried yet, seconds it may still wait, and the tries that failed."""

    left: list[Member]
    patience: float
    tries: list[Attempt] = field(default_factory=list)


async def _within(member: Member, turn: Any, run: _Run[R], own: Call) -> R:
    """One try; when it ends in a failure before anything left, the turn is given back."""
    try:
        return await run(member.provider, own)
    except BaseException as exc:
        sent = own.dispatch.sent or bool(getattr(exc, "dispatched", False))
        if member.turns is not None and turn is not None and not sent:
            member.turns.give_back(turn)
        raise


def _failure(provider: str, own: Call, error: WebError, elapsed: float) -> Attempt:
    dispatched = error.dispatched or own.dispatch.sent
    return Attempt(
        provider=provider,
        outcome="failed",
        code=error.code,
        dispatched=dispatched,
        elapsed=elapsed,
        free=True if dispatched and own.dispatch.free else None,
    )


def _told(result: R, tries: Sequence[Attempt], last: Attempt) -> R:
    """The result with every try in it, where there was more than one."""
    return replace(result, attempts=(*tries, *(result.attempts or (last,)))) if tries else result
