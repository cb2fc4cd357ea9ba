"""One line of a cassette: a call with what came of it, to plain data and back."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.core.plain import to_plain
from webseam.core.types import (
    Attempt,
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    SearchRequest,
    SearchResult,
)
from webseam.stores.codec import from_plain

_RESULTS: Final[dict[str, type]] = {"search": SearchResult, "fetch": FetchResult, "extract": ExtractResult}
_REQUESTS: Final[dict[str, type]] = {"search": SearchRequest, "fetch": FetchRequest, "extract": ExtractRequest}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One recorded call: line number, what was asked, when (UTC) and for how many seconds, and what came of it.

    `turn` counts the equal calls that its session had begun before, in the order of their beginning; lines are in the
    order of their ends. Exactly one of the three outcomes is set; `cancelled` holds the tries of a call that its caller
    gave up.
    """

    line: int
    call: Mapping[str, Any]
    at: str
    seconds: float
    session: int = 1
    turn: int = 0
    result: SearchResult | FetchResult | ExtractResult | None = None
    error: WebError | None = None
    cancelled: tuple[Attempt, ...] | None = None

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Every try of the call."""
        if self.cancelled is not None:
            return self.cancelled
        ended = self.result if self.error is None else self.error
        return () if ended is None else ended.attempts


def key_of(call: Mapping[str, Any]) -> str:
    """What was asked, as a text that is equal for equal calls."""
    return json.dumps(call, sort_keys=True)


def error_to_plain(error: WebError) -> dict[str, Any]:
    """All of an error: what `to_dict` tells, its tries in full, and the errors of a route's members."""
    cause = error.__cause__
    inner = cause.exceptions if isinstance(cause, ExceptionGroup) else ()
    members = [error_to_plain(one) for one in inner if isinstance(one, WebError)]
    plain = error.to_dict() | {"attempts": to_plain(error.attempts)}
    return plain | ({"members": members} if members else {})


def check_call(line: Mapping[str, Any]) -> None:
    """Hold the line of a call, before it is written, to what a reader will ask of it.

    Raises:
        ValueError: it could not be read; the message names the place.
    """
    try:
        read_entry(0, 0, line)
    except (KeyError, TypeError, RecursionError) as exc:
        raise ValueError(f"{type(exc).__name__}: {exc}") from exc


def read_entry(number: int, session: int, plain: Mapping[str, Any]) -> Entry:
    """The call of a line.

    Raises:
        ValueError, KeyError, TypeError, RecursionError: it is none.
    """
    call = plain["call"]
    kind = _RESULTS[call["capability"]]
    result, error, cancelled = plain.get("result"), plain.get("error"), plain.get("cancelled")
    if sum(one is not None for one in (result, error, cancelled)) != 1:
        raise ValueError("one outcome is wanted")
    _check_call(call)
    seconds, turn = plain["seconds"], plain.get("turn", 0)
    if type(turn) is not int or type(seconds) not in (int, float) or not 0 <= seconds < inf:
        raise ValueError("its seconds or its turn are no such number")
    return Entry(
        line=number,
        call=call,
        at=str(plain["at"]),
        seconds=float(seconds),
        session=session,
        turn=turn,
        result=None if result is None else from_plain(kind, result),
        error=None if error is None else _error(error),
        cancelled=None if cancelled is None else _attempts(cancelled),
    )


def _check_call(call: Mapping[str, Any]) -> None:
    """Whoever shows or compares a call relies on its shape.

    Raises:
        ValueError: it is no request, or names no providers where it names some.
    """
    from_plain(_REQUESTS[call["capability"]], call["request"])
    routed = [*call.get("route", ()), *call.get("fanout", ())]
    if not all(isinstance(one, str) for one in (call.get("provider", ""), *routed)):
        raise ValueError("its provider is none")


def _attempts(plain: Iterable[Any]) -> tuple[Attempt, ...]:
    return tuple(from_plain(Attempt, one) for one in plain)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """An error as `error_to_plain` writes it, but for its members."""

    code: str
    message: str
    dispatched: bool
    retryable: bool
    provider: str | None = None
    retry_after: float | None = None
    status: int | None = None
    attempts: tuple[Attempt, ...] = ()


def _error(plain: Mapping[str, Any]) -> WebError:
    told = from_plain(_Told, plain)
    error = WebError(
        told.code,
        told.message,
        provider=told.provider,
        dispatched=told.dispatched,
        retryable=told.retryable,
        retry_after=told.retry_after,
        attempts=told.attempts,
        status=told.status,
    )
    members = [_error(one) for one in plain.get("members", ())]
    error.__cause__ = ExceptionGroup("the members of the route", members) if members else None
    return error
