"""What a telemetry backend raises: told once, and no call pays for it."""

import logging
from types import TracebackType
from typing import Final

from webseam.core.tracing import Outcome

_log: Final = logging.getLogger("webseam.telemetry")


class Faults:
    """A `with` in which an exception ends what is being told, not the call that it is told of.

    A processor, sampler or meter of the application may be broken; an answer that was paid for is not lost for that.
    The first fault is logged with its traceback, the others are not: a broken backend fails at every span.
    """

    __slots__ = ("_told",)

    def __init__(self) -> None:
        self._told = False

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None, /
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        if not self._told:
            self._told = True
            _log.warning("OpenTelemetry failed; calls go on, and what it should have been told is lost", exc_info=error)
        return True


class Untold:
    """The span of a step that could not be begun."""

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None, /
    ) -> None:
        return None

    def end(self, outcome: Outcome) -> None:
        """See `Span.end`."""
