"""Where the seam's events go for a record: a file of JSON lines, or Python's `logging`."""

import json
import logging
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.events import Emit, Event
from webseam.core.plain import to_plain
from webseam.stores.cassette import private, write_all
from webseam.wiring.hiding import scrubbed

_log: Final = logging.getLogger("webseam.events")
_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def log_events(event: Event) -> None:
    """An observer for `webseam.open(emit=...)`: tells logger `webseam.events` each event, at level INFO, as JSON."""
    if _log.isEnabledFor(logging.INFO):
        _log.info("%s", json.dumps(plain_event(event)))


def plain_event(event: Event) -> dict[str, Any]:
    """The event as plain data, its name first: `{"event": "attempt_ended", ...}`."""
    return {"event": _CAPITAL.sub("_", type(event).__name__).lower(), **to_plain(event)}


def audited(emit: Emit, path: Path, now: Callable[[], float], hidden: Callable[[], Iterable[str]]) -> Emit:
    """`emit` and, before it, a line in the file without what is `hidden`: what cannot be written does not happen.

    The file is made for the user alone, and opened for each line, so that it may be moved away at any time.
    """
    whole = True

    def both(event: Event) -> None:
        nonlocal whole
        at = datetime.fromtimestamp(now(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = json.dumps(scrubbed({"at": at, **plain_event(event)}, hidden())).encode("ascii") + b"\n"
        before, whole = whole, False
        _append(path, line if before else b"\n" + line)  # a full disk may have taken a part of the last one
        whole = True
        emit(event)

    return both


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
