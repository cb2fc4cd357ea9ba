"""What each step on shared state does, as pure functions: old state and the time in, new state and answer out.

The server's scripts do the same in its own language. Time is in whole microseconds since 1970. A clock that is put back
moves what it has seen with it (R169), so that nobody waits for the hours that it lost.
"""

from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

from webseam.core.limits import BUDGET_SECONDS, FLIGHT_TOLD_SECONDS
from webseam.core.shared import Budget, FlightEnd, Rate, Spent, Turn

R = TypeVar("R")
State: TypeAlias = "dict[str, Any] | None"
"""Plain data of one key; None where nothing is kept."""

MICRO: Final = 1_000_000
_DAY: Final = 86_400 * MICRO


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """The answer, the state after it, and until when that must be kept."""

    answer: R
    state: State
    until: int = 0


# Flights ------------------------------------------------------------------------------------------------


def lead(state: State, now: int, *, lease: int) -> Done[tuple[int, bool]]:
    """The token of who leads, and whether that is the one who asks."""
    known = _moved(state or {"token": 0, "until": 0}, now, ("until",))
    if known["until"] > now:
        return _flight((known["token"], False), known, now, lease)
    token = max(known["token"] + 1, now)  # grows even after the state was forgotten
    return _flight((token, True), {"token": token, "until": now + lease, "how": None}, now, lease)


def renew(state: State, now: int, *, token: int, lease: int) -> Done[bool]:
    """Whether the lease still held."""
    known = _moved(state or {"token": 0, "until": 0}, now, ("until",))
    holds = known["token"] == token and known["until"] > now
    return _flight(holds, known | {"until": now + lease} if holds else known, now, lease)


def end(state: State, now: int, *, token: int, how: FlightEnd) -> Done[None]:
    """The lease is over; nothing changes when a later one began."""
    known = _moved(state or {"token": 0, "until": 0}, now, ("until",))
    if known["token"] == token:
        known = known | {"until": 0, "how": how}
    return _flight(None, known, now, 0)


def look(state: State, now: int, *, token: int) -> Done[FlightEnd | None]:
    """How the flight with this token ended."""
    known = _moved(state or {"token": 0, "until": 0}, now, ("until",))
    ended: FlightEnd | None = "given up"
    if known["token"] == token:
        ended = known.get("how") or ("given up" if known["until"] <= now else None)
    return Done(ended, state, 0)


def _flight(answer: R, state: dict[str, Any], now: int, lease: int) -> Done[R]:
    return Done(answer, state | {"seen": now}, max(now + lease, state["until"]) + int(FLIGHT_TOLD_SECONDS * MICRO))


# Rates --------------------------------------------------------------------------------------------------


def take(state: State, now: int, *, rate: Rate, patience: int) -> Done[Turn]:
    """The next turn: when the window behind it has room, and no pause holds."""
    known = _moved(state or {"given": [], "paused": 0}, now, ("given", "paused"))
    period = int(rate.seconds * MICRO)
    given = [moment for moment in known["given"] if moment > now - period]
    due = max(now, known["paused"], *given[-1:])  # never before somebody who came earlier
    if len(given) >= rate.calls:
        due = max(due, given[-rate.calls] + period)
    taken = due - now <= patience
    turn = Turn(wait=(due - now) / MICRO, moment=due if taken else None)
    given = [*given, due] if taken else given
    last = max(given[-1] + period if given else 0, known["paused"])
    return Done(turn, {"given": given, "paused": known["paused"], "seen": now}, last)


def give_back(state: State, now: int, *, moment: int) -> Done[None]:
    """The turn of this moment was not used."""
    if state is None or moment not in state["given"]:
        return Done(None, state, 0)
    given = [*state["given"]]
    given.remove(moment)
    return Done(None, state | {"given": given}, now + _DAY)


def pause(state: State, now: int, *, length: int) -> Done[None]:
    """No turn for so long."""
    known = _moved(state or {"given": [], "paused": 0}, now, ("given", "paused"))
    paused = max(known["paused"], now + length)
    return Done(None, known | {"paused": paused, "seen": now}, paused + _DAY)


def paused(state: State, now: int) -> Done[float]:
    """Seconds until the pause ends."""
    known = _moved(state or {"given": [], "paused": 0}, now, ("paused",))
    return Done(max(0, known["paused"] - now) / MICRO, state, 0)


# Budgets ------------------------------------------------------------------------------------------------


def spend(state: State, now: int, *, budget: Budget, cost: int) -> Done[bool]:
    """Whether a call that costs so many millionths fits into the day; it is counted when it does."""
    calls, paid = _of_day(state, now)
    most = None if budget.cost is None else micros(budget.cost)
    over_calls = budget.calls is not None and calls + 1 > budget.calls
    over_cost = most is not None and (paid >= most or paid + cost > most)
    if over_calls or over_cost:
        return Done(False, state, 0)
    return _day(state, now, (calls + 1, paid + cost), True)


def settle(state: State, now: int, *, difference: int) -> Done[None]:
    """The cost of the day by so many millionths more, or less; never below 0."""
    calls, paid = _of_day(state, now)
    return _day(state, now, (calls, max(0, paid + difference)), None)


def spent(state: State, now: int) -> Done[Spent]:
    """The day's sums."""
    calls, paid = _of_day(state, now)
    return Done(Spent(calls=calls, cost=paid / MICRO), state, 0)


def micros(amount: float) -> int:
    """Millionths, so that sums stay exact.

    Raises:
        ValueError: `amount` is no finite number.
    """
    try:
        return round(amount * MICRO)
    except OverflowError as exc:
        raise ValueError("an amount must be a finite number") from exc


def _of_day(state: State, now: int) -> tuple[int, int]:
    calls, paid = (state or {}).get(str(now // _DAY), (0, 0))
    return calls, paid


def _day(state: State, now: int, sums: tuple[int, int], answer: R) -> Done[R]:
    """The sums of today, beside those of yesterday and of a clock that was put back."""
    today = now // _DAY
    kept = {day: held for day, held in (state or {}).items() if int(day) >= today - 1}
    return Done(answer, kept | {str(today): list(sums)}, now + int(BUDGET_SECONDS * MICRO))


# Time ---------------------------------------------------------------------------------------------------


def _moved(state: dict[str, Any], now: int, names: tuple[str, ...]) -> dict[str, Any]:
    """The state as it is when the clock was put back: its moments by as much."""
    back = state.get("seen", 0) - now
    if back <= 0:
        return state
    return state | {name: _earlier(state[name], back) for name in names}


def _earlier(moment: Any, back: int) -> Any:
    return [one - back for one in moment] if isinstance(moment, list) else max(0, moment - back)
