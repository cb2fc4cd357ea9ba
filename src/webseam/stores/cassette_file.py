"""The file of a cassette, written: lines are added to its end, and to nothing that is no cassette."""

import io
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from webseam.core.errors import Code, WebError

FORMAT: Final = 1
"""Raised when a reader of the number before could not read a line."""

START: Final = b'{"cassette": '
"""How every session begins."""


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
    if file.read(len(START)) != START:
        raise foreign(path)
    file.seek(size - 1)
    if file.read(1) == b"\n":
        return b""
    return b"\n" if data.startswith(START) else b"\n" + START + f"{FORMAT}}}\n".encode()


def write_all(file: io.FileIO, data: bytes) -> None:
    """All of `data` into a file that was opened for appending: a full disk takes a part, and is told at the next one.

    Raises:
        OSError: it cannot be written, or not to its end.
    """
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def foreign(path: Path) -> WebError:
    """The refusal of a file that is something else."""
    return WebError(
        Code.CONFIG_INVALID, f"{path}: line 1 is not the start of a cassette. Give a file that --record made."
    )
