"""Record: the tape that writes a cassette, and what a configuration may put at the seam's edge.

A recording holds what was asked and what came of it, and no secret: every text passes `scrubbed` on its way into the
file.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, TypeVar

from webseam.core.call import Call, Dispatch, overheard
from webseam.core.deadline import Clock
from webseam.core.errors import Code, WebError
from webseam.core.plain import to_plain
from webseam.core.selection import FanOut, Route
from webseam.core.tape import Asked
from webseam.core.text import one_line
from webseam.core.types import Attempt, Capability, ExtractResult, FetchResult, SearchResult
from webseam.core.version import VERSION
from webseam.stores.cassette_entry import check_call, error_to_plain, key_of
from webseam.stores.cassette_file import FORMAT, append_lines
from webseam.wiring.hiding import scrubbed, worth_hiding

R = TypeVar("R", SearchResult, FetchResult, ExtractResult)
Choices = Mapping[Capability, str | Route | FanOut | None]
"""What the configuration names; a provider that is picked because it is the only one, is not named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """What stands at the seam's edge: a file to record into, one to replay, or `offline`: nothing leaves."""

    record: Path | None = None
    replay: Path | None = None
    offline: bool = False

    def __post_init__(self) -> None:
        if self.record is not None and self.replay is not None:
            raise WebError(Code.INVALID_ARGS, "A run is recorded or replayed, not both. Give one of the two files.")


OPEN: Final = Edge()


class Recorder:
    """Asks the providers, and adds what came of it to the file at `path`, a line as each call ends.

    Args:
        path: the cassette; a new session is added to what it holds.
        choices: what the configuration names.
        secrets: what must not stand in the file, read at each call. Tokens of the host's model are overheard besides.
        clock: monotonic seconds.
        now: seconds since 1970.
    """

    replays: Final = False
    keeps: Final = True

    def __init__(
        self,
        path: Path,
        *,
        choices: Choices,
        secrets: Callable[[], Iterable[str]],
        clock: Clock,
        now: Callable[[], float],
    ) -> None:
        self._path = path
        self._choices = choices
        self._secrets = secrets
        self._clock = clock
        self._now = now
        self._begun: Counter[str] = Counter()
        self._session = token_hex(8)
        append_lines(path, [{"cassette": FORMAT, "session": self._session, "webseam": VERSION, "at": self._time()}])

    async def play(self, asked: Asked, live: Callable[[Call], Awaitable[R]], call: Call) -> R:
        """See `Tape`."""
        question = call_of(asked, self._choices)
        key = key_of(question)
        kept = Dispatch(above=call.dispatch, keeps=True)
        take = _Take(call=question, turn=self._begun[key], started=self._clock(), kept=kept, secrets=[*self._secrets()])
        self._begun[key] += 1
        try:
            result = _plainly(await live(overheard(replace(call, dispatch=Dispatch(above=kept)), take.secrets.append)))
        except WebError as error:
            self._keep(take, {"error": error_to_plain(error)}, error.attempts)
            raise
        except asyncio.CancelledError as cancelled:
            try:
                self._keep(take, {"cancelled": to_plain(tuple(kept.tries))}, kept.tries)
            except WebError as unwritten:  # nothing may stand in the way of a cancellation
                cancelled.add_note(str(unwritten))
            raise
        finally:
            call.dispatch.ended(kept.tries)
        raw = getattr(result, "raw", None)  # `to_plain` leaves an empty one out
        self._keep(take, {"result": to_plain(result) | ({} if raw is None else {"raw": raw})}, result.attempts)
        return result

    def draw(self, name: str, live: Callable[[], str]) -> str:
        """See `Tape`."""
        text = live()
        append_lines(self._path, [{"draw": name, "text": text, "session": self._session}])
        return text

    def _keep(self, take: "_Take", outcome: Mapping[str, Any], tries: Sequence[Attempt]) -> None:
        """Write a call down; a key that was rotated meanwhile is as secret as the one before.

        Raises:
            WebError: it cannot be written; what left the process, left it.
        """
        line = {
            "call": take.call,
            "at": self._time(),
            "seconds": round(self._clock() - take.started, 6),
            "turn": take.turn,
            "session": self._session,
            **outcome,
        }
        try:
            _check(line)
            append_lines(self._path, [scrubbed(line, worth_hiding((*take.secrets, *self._secrets())))])
        except WebError as error:
            error.dispatched = take.kept.sent or any(one.dispatched for one in tries)
            error.attempts = tuple(tries)
            raise

    def _time(self) -> str:
        return datetime.fromtimestamp(self._now(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Take:
    """One call while it is recorded."""

    call: Mapping[str, Any]
    turn: int
    started: float
    kept: Dispatch
    secrets: list[str]


def _check(line: Mapping[str, Any]) -> None:
    """One line that no replay can read would cost the whole file.

    Raises:
        WebError: `WEB_PROVIDER_ERROR`.
    """
    try:
        check_call(line)
    except ValueError as exc:
        raise WebError(
            Code.PROVIDER_ERROR,
            f"The outcome cannot be recorded ({one_line(str(exc))}). This is a fault in the provider; report it.",
        ) from exc


def _plainly(result: R) -> R:
    """The result with its `raw` as JSON holds it: what is replayed is what the recorded run saw.

    Raises:
        WebError: `WEB_PROVIDER_ERROR` for a `raw` that JSON cannot hold.
    """
    raw = getattr(result, "raw", None)
    if raw is None:
        return result
    try:
        seen: dict[str, Any] = {"raw": json.loads(json.dumps(scrubbed(to_plain(raw), ())))}
    except (TypeError, ValueError, RecursionError) as exc:
        raise WebError(
            Code.PROVIDER_ERROR,
            f"The answer of {result.provider} cannot be recorded, for its raw payload is no JSON "
            f"({type(exc).__name__}). Ask without raw=True, or do not record.",
            provider=result.provider,
            dispatched=any(one.dispatched for one in result.attempts),
            attempts=result.attempts,
        ) from exc
    return replace(result, **seen)


def call_of(asked: Asked, choices: Choices) -> dict[str, Any]:
    """What was asked as plain data, the same for the same question; what has its default is left out."""
    plain = {name: value for name, value in to_plain(asked).items() if value is not False}
    plain["request"] = {name: value for name, value in plain["request"].items() if value != {}}
    choice = choices.get(asked.capability)
    if choice is None:
        return plain
    name = "provider" if isinstance(choice, str) else "route" if isinstance(choice, Route) else "fanout"
    return {**plain, name: choice if isinstance(choice, str) else list(choice.ids)}
