"""A cassette: what passed the seam's edge, a JSON object a line, so that it can be played again.

The first line of every session says `{"cassette": 1, ...}`. A call is one line with what was asked and what came of it:
`result`, `error` or `cancelled`. A draw is a line with a random text under its name. Each line names its session, for
two processes may record into one file; one that does not is of the session that began last. Lines are ASCII.
"""

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from webseam.core.errors import Code, WebError
from webseam.core.limits import CASSETTE_BYTES
from webseam.stores.cassette_entry import Entry, read_entry
from webseam.stores.cassette_file import FORMAT, START, foreign


@dataclass(frozen=True, slots=True, kw_only=True)
class Cassette:
    """What a file holds, in its order; `notes` tell what was passed over: the cut end of a session that was killed."""

    entries: tuple[Entry, ...] = ()
    draws: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sessions: int = 0
    notes: tuple[str, ...] = ()


def read_cassette(path: Path) -> Cassette:
    """Everything that the file holds.

    Raises:
        WebError: `WEB_CONFIG_INVALID` with the line, for a file that is no cassette, or damaged.
    """
    lines = _lines(path)
    if not lines or not lines[0].startswith(START):
        raise foreign(path)
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
                self.entries.append(read_entry(number, session, plain))

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
    return not line.endswith(b"\n") if after is None else after.startswith(START)


def _check_version(path: Path, number: int, version: Any) -> None:
    if version != FORMAT:
        raise WebError(
            Code.CONFIG_INVALID,
            f"{path}: line {number} is of cassette format {version!r}, and this webseam reads {FORMAT}. Update it.",
        )


def _damaged(path: Path, number: int, what: str) -> WebError:
    return WebError(
        Code.CONFIG_INVALID,
        f"{path}: line {number} {what}, so the recording is damaged. Delete that line to play the rest.",
    )
