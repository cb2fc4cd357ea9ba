"""Where the seam's events go for a record: a file of JSON lines, or Python's `logging`."""

import json
import logging
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.events import Emit, Event
from webseam.core.plain import to_plain
from webseam.stores.cassette_file import private, write_all

_log: Final = logging.getLogger("webseam.events")
_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def log_events(event: Event) -> None:
    """An observer for `webseam.open(emit=...)`: tells logger `webseam.events` each event, at level INFO, as JSON."""
    if _log.isEnabledFor(logging.INFO):
        _log.info("%s", json.dumps(plain_event(event)))


def plain_event(event: Event) -> dict[str, Any]:
    """The event as plain data, its name first: `{"event": "attempt_ended", ...}`."""
    return {"event": _CAPITAL.sub("_", type(event).__name__).lower(), **to_plain(event)}


def audit_file(path: Path, now: Callable[[], float]) -> Emit:
    """An observer that adds a line to the file for each event.

    The file is made for the user alone, and opened for each line, so that it may be moved away at any time.
    """
    whole: bool | None = None

    def write(event: Event) -> None:
        nonlocal whole
        if whole is None:
            whole = _ends_a_line(path)
        at = datetime.fromtimestamp(now(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = json.dumps({"at": at, **plain_event(event)}).encode("ascii") + b"\n"
        before, whole = whole, False
        _append(path, line if before else b"\n" + line)  # a full disk, or a kill, may have cut the last one
        whole = True

    return write


def _ends_a_line(path: Path) -> bool:
    """Whether a new line may follow; what cannot be read is told by whoever writes to it."""
    try:
        with path.open("rb") as file:
            return file.seek(0, os.SEEK_END) == 0 or (file.seek(-1, os.SEEK_END) >= 0 and file.read(1) == b"\n")
    except (OSError, ValueError):
        return True


def _append(path: Path, line: bytes) -> None:
    """One write where the disk has room, so that processes that share the file do not mix their lines.

    Raises:
        WebError: `WEB_CONFIG_INVALID`, which stops the call.
    """
    try:
        with open(path, "ab", buffering=0, opener=private) as file:
            write_all(file, line)
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else "not a possible path"
        raise WebError(
            Code.CONFIG_INVALID, f"log.file: {path} cannot be written ({reason}). Set another file, or none."
        ) from exc
