"""Replay: the tape that answers from a cassette. It asks nobody, so there is no key, no name look-up and no socket."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

from webseam.core.attempts import attempt
from webseam.core.call import Call, Dispatch
from webseam.core.errors import Code, WebError
from webseam.core.events import AttemptEnded, silent
from webseam.core.limits import NEAREST_CHARS, NEAREST_KEY_CHARS
from webseam.core.tape import Asked
from webseam.core.text import one_line
from webseam.core.types import Attempt, Capability, ExtractResult, FetchResult, SearchResult
from webseam.stores.cassette import Cassette, read_cassette
from webseam.stores.cassette_entry import Entry, key_of
from webseam.wiring.recording import Choices, call_of

R = TypeVar("R", SearchResult, FetchResult, ExtractResult)


class Player:
    """Answers from a cassette: the first call as the first equal one was answered, the second as the second.

    Nothing is asked of anybody. A call that was cancelled while it was recorded waits until it is cancelled again, or
    its time is over.
    """

    replays: Final = True
    keeps: Final = True

    def __init__(self, cassette: Cassette, *, choices: Choices) -> None:
        self._choices = choices
        self._calls: dict[str, list[Entry]] = {}
        for one in sorted(cassette.entries, key=lambda entry: (entry.session, entry.turn)):
            self._calls.setdefault(key_of(one.call), []).append(one)
        self._turns = {key: iter(entries) for key, entries in self._calls.items()}
        self._draws: dict[str, Iterator[str]] = {name: iter(texts) for name, texts in cassette.draws.items()}

    async def play(self, asked: Asked, live: Callable[[Call], Awaitable[R]], call: Call) -> R:
        """See `Tape`."""
        del live
        wanted = call_of(asked, self._choices)
        entry = next(self._turns.get(key_of(wanted), iter(())), None)
        if entry is None:
            raise self._missed(wanted)
        if any(one.dispatched for one in entry.attempts) or (entry.error is not None and entry.error.dispatched):
            call.dispatch.mark()
        if entry.cancelled is not None:
            await _wait(asked.capability, entry.cancelled, call)
        call.dispatch.ended(entry.attempts)
        if call.emit is not silent:
            for one in entry.attempts:
                call.emit(AttemptEnded(capability=asked.capability, attempt=one))
        if entry.error is not None:
            raise entry.error from entry.error.__cause__
        result: Any = entry.result
        return result  # type: ignore[no-any-return] # the cassette gives each capability's calls its own results

    def draw(self, name: str, live: Callable[[], str]) -> str:
        """See `Tape`."""
        text = next(self._draws.get(name, iter(())), None)
        return live() if text is None else text

    def _missed(self, wanted: Mapping[str, Any]) -> WebError:
        """The error of a call that was not recorded, or not so often."""
        key = key_of(wanted)
        times = len(self._calls.get(key, ()))
        if times:
            return _miss(f"{_shown(wanted)} was recorded {_counted(times)} and is asked once more.")
        same = [one for one in self._calls if f'"capability": "{wanted["capability"]}"' in one]
        if not same:
            return _miss(f"{_shown(wanted)} was not recorded, nor any {wanted['capability']}.")
        closest = self._calls[_nearest(key, same)][0]
        return _miss(f"{_shown(wanted)} was not recorded. The nearest is line {closest.line}: {_shown(closest.call)}.")


async def _wait(capability: Capability, tries: tuple[Attempt, ...], call: Call) -> None:
    """Wait as long as the call may last, for the caller to cancel it as it did.

    Raises:
        WebError: `WEB_ABORTED`, or the capability's timeout code.
    """

    async def forever(_own: Call) -> None:
        await asyncio.get_running_loop().create_future()

    own = replace(call, emit=silent, dispatch=Dispatch())  # the tries are those that were recorded, not this one
    try:
        tried = await attempt(capability, tries[0].provider if tries else "replay", forever, own)
    except asyncio.CancelledError:
        call.dispatch.ended(tries)
        raise
    assert tried.error is not None  # noqa: S101 - what waits forever ends in an error
    tried.error.attempts = tries
    tried.error.dispatched = call.dispatch.sent
    raise tried.error


def _nearest(key: str, others: Iterable[str]) -> str:
    """The one that shares most threes of neighbouring characters by its beginning; in time linear in all of them."""
    wanted = _threes(key)

    def likeness(one: str) -> float:
        own = _threes(one)
        return len(wanted & own) / len(wanted | own)

    return max(others, key=likeness)


def _threes(key: str) -> set[str]:
    start = key[:NEAREST_KEY_CHARS]
    return {start[at : at + 3] for at in range(len(start) - 2)}


def _counted(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def _shown(call: Mapping[str, Any]) -> str:
    return one_line(f"{call['capability']} {key_of({**call['request'], **_besides(call)})}", limit=NEAREST_CHARS)


def _besides(call: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in call.items() if name not in ("capability", "request")}


def _miss(what: str) -> WebError:
    return WebError(Code.REPLAY_MISS, f"{what} Ask as it was recorded, or record anew with --record.")


def player_of(path: Path, choices: Choices) -> tuple[Player, tuple[str, ...]]:
    """The tape of a file, and what there is to tell about it.

    Raises:
        WebError: `WEB_CONFIG_INVALID` with the line, for a file that is no cassette, or damaged.
    """
    cassette = read_cassette(path)
    return Player(cassette, choices=choices), cassette.notes
