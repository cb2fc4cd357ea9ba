"""A cassette: what passed the seam's edge, a JSON object a line, so that it can be played again.

The first line of every session says `{"cassette": 1, ...}`. A call is one line with what was asked and what came of it:
`result`, `error` or `cancelled`. A draw is a line with a random text under its name. Each line names its session, for
two processes may record into one file; one that does not is of the session that began last. Lines are ASCII.
"""

import io
import json
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from math import inf
from pathlib import Path
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import CASSETTE_BYTES
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

FORMAT: Final = 1
"""Raised when a reader of the number before could not read a line."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Cassette:
    """What a file holds, in its order; `notes` tell what was passed over: the cut end of a session that was killed."""

    entries: tuple[Entry, ...] = ()
    draws: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sessions: int = 0
    notes: tuple[str, ...] = ()


def key_of(call: Mapping[str, Any]) -> str:
    """What was asked, as a text that is equal for equal calls."""
    return json.dumps(call, sort_keys=True)


# Writing -----------------------------------------------------------------------------------------------


def append_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Add lines to the end of the file, made for the user alone where it is new.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when it cannot be written, or holds something else than a cassette.
    """
    data = b"".join(json.dumps(line).encode("ascii") + b"\n" for line in lines)
    try:
        with open(path, "ab+", buffering=0, opener=private) as file:
            write_all(file, _ended(file, path, data) + data)
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else "not a possible path"
        raise WebError(
            Code.CONFIG_INVALID, f"{path}: the recording cannot be written ({reason}). Choose another file."
        ) from exc


def private(path: str, flags: int) -> int:
    """Opens a file that is the user's alone where it is made."""
    return os.open(path, flags, 0o600)


def _ended(file: io.FileIO, path: Path, data: bytes) -> bytes:
    """What must stand before `data`: where the file ends in the middle of a line, its break, and a session's start.

    Raises:
        WebError: `WEB_CONFIG_INVALID`: nothing is added to a file that is no cassette.
    """
    size = file.seek(0, os.SEEK_END)
    if not size:
        return b""
    file.seek(0)
    if file.read(len(_START)) != _START:
        raise _foreign(path)
    file.seek(size - 1)
    if file.read(1) == b"\n":
        return b""
    return b"\n" if data.startswith(_START) else b"\n" + _START + f"{FORMAT}}}\n".encode()


_START: Final = b'{"cassette": '


def write_all(file: io.FileIO, data: bytes) -> None:
    """All of `data` into a file that was opened for appending: a full disk takes a part, and is told at the next one.

    Raises:
        OSError: it cannot be written, or not to its end.
    """
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def error_to_plain(error: WebError) -> dict[str, Any]:
    """All of an error: what `to_dict` tells, its tries in full, and the errors of a route's members."""
    cause = error.__cause__
    inner = cause.exceptions if isinstance(cause, ExceptionGroup) else ()
    members = [error_to_plain(one) for one in inner if isinstance(one, WebError)]
    plain = error.to_dict() | {"attempts": to_plain(error.attempts)}
    return plain | ({"members": members} if members else {})


# Reading -----------------------------------------------------------------------------------------------


def read_cassette(path: Path) -> Cassette:
    """Everything that the file holds.

    Raises:
        WebError: `WEB_CONFIG_INVALID` with the line, for a file that is no cassette, or damaged.
    """
    lines = _lines(path)
    if not lines or not lines[0].startswith(_START):
        raise _foreign(path)
    read = _Read()
    for number, (line, after) in enumerate(zip_longest(lines, lines[1:]), start=1):
        try:
            plain = _object(line)
        except (ValueError, RecursionError) as exc:
            if not _is_cut(line, after):
                raise _damaged(path, number, "is no JSON object") from exc
            if line.strip():  # two processes that write at once may both end the line
                read.notes.append(f"{path}: line {number} was cut when its session was killed; it is passed over.")
            continue
        if "cassette" in plain:
            _check_version(path, number, plain["cassette"])
        try:
            read.take(number, plain)
        except (ValueError, KeyError, TypeError, RecursionError) as exc:
            raise _damaged(path, number, f"does not say what a call was ({exc})") from exc
    return read.whole()


@dataclass(slots=True)
class _Read:
    """What has been read of a file so far; draws are kept by name, and in a name by session."""

    entries: list[Entry] = field(default_factory=list)
    draws: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    named: dict[Any, int] = field(default_factory=dict)
    sessions: int = 0

    def take(self, number: int, plain: dict[str, Any]) -> None:
        """Add one line.

        Raises:
            ValueError, KeyError, TypeError, RecursionError: it is none.
        """
        session = self.named[plain["session"]] if plain.get("session") in self.named else self.sessions
        match plain:
            case {"cassette": _, **session_facts}:
                self.sessions += 1 if session_facts or number == 1 else 0  # a bare one only ends a cut line
                if "session" in plain:
                    self.named[plain["session"]] = self.sessions
            case {"draw": str(name), "text": str(text)}:
                self.draws.setdefault(name, {}).setdefault(session, []).append(text)
            case _:
                self.entries.append(_entry(number, session, plain))

    def whole(self) -> Cassette:
        """All of it."""
        draws = {
            name: tuple(text for session in sorted(own) for text in own[session]) for name, own in self.draws.items()
        }
        return Cassette(entries=tuple(self.entries), draws=draws, sessions=self.sessions, notes=tuple(self.notes))


def _lines(path: Path) -> list[bytes]:
    """The lines, each with its line break.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the file cannot be read or is too long.
    """
    try:
        with open(path, "rb", opener=_unhindered) as file:
            facts = os.fstat(file.fileno())
            data = file.read() if stat.S_ISREG(facts.st_mode) and facts.st_size <= CASSETTE_BYTES else None
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else "not a possible path"
        raise WebError(
            Code.CONFIG_INVALID, f"{path}: the recording cannot be read ({reason}). Make one with --record."
        ) from exc
    if not stat.S_ISREG(facts.st_mode):
        raise WebError(Code.CONFIG_INVALID, f"{path}: is no regular file. Give one that --record made.")
    if data is None:
        raise WebError(Code.CONFIG_INVALID, f"{path}: is longer than {CASSETTE_BYTES:,} bytes. Record into two files.")
    return data.splitlines(keepends=True)


def _unhindered(path: str, flags: int) -> int:
    """Opens even a pipe that nobody writes to, so that it can be refused."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _object(line: bytes) -> dict[str, Any]:
    plain = json.loads(line)
    if not isinstance(plain, dict):
        raise ValueError("not an object")  # noqa: TRY004 - as damaged as a line that is no JSON
    return plain


def _is_cut(line: bytes, after: bytes | None) -> bool:
    """Whether this is where a session was killed: the end of the file, or before the start of the next session."""
    return not line.endswith(b"\n") if after is None else after.startswith(_START)


def _check_version(path: Path, number: int, version: Any) -> None:
    if version != FORMAT:
        raise WebError(
            Code.CONFIG_INVALID,
            f"{path}: line {number} is of cassette format {version!r}, and this webseam reads {FORMAT}. Update it.",
        )


def check_call(line: Mapping[str, Any]) -> None:
    """Hold the line of a call, before it is written, to what a reader will ask of it.

    Raises:
        ValueError: it could not be read; the message names the place.
    """
    try:
        _entry(0, 0, line)
    except (KeyError, TypeError, RecursionError) as exc:
        raise ValueError(f"{type(exc).__name__}: {exc}") from exc


def _entry(number: int, session: int, plain: Mapping[str, Any]) -> Entry:
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


def _foreign(path: Path) -> WebError:
    return WebError(
        Code.CONFIG_INVALID, f"{path}: line 1 is not the start of a cassette. Give a file that --record made."
    )


def _damaged(path: Path, number: int, what: str) -> WebError:
    return WebError(
        Code.CONFIG_INVALID,
        f"{path}: line {number} {what}, so the recording is damaged. Delete that line to play the rest.",
    )
