"""What a server writes on stderr while it serves: where nobody reads that any more, it answers all the same."""

import asyncio
import io
import logging
import select
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

from webseam.core.limits import GATEWAY_LOG_SECONDS
from webseam.core.text import one_line
from webseam.surfaces.cli.output import CannotWriteError, Output

if TYPE_CHECKING:
    from webseam.surfaces.gateway.exchange import Access

_PORTION: Final = 3_800  # bytes: of a pipe's 4,096, the rest is for a note
_LINE: Final = 900  # characters of a warning's line: four bytes each are a portion


class ServerLog:
    """Requests and warnings on stderr.

    Lines that a full pipe or a stopped terminal would make everybody wait for are left out, and counted.
    """

    def __init__(self, out: Output) -> None:
        self._out: Output | None = out
        self._held: list[Access] = []
        self._left_out = 0
        self._writing = threading.RLock()  # a finalizer may warn in the midst of it

    def request(self, access: "Access") -> None:
        """A request is over; must be called in the event loop. Its line waits a moment for others."""
        if self._out is None:
            return
        self._held.append(access)
        if len(self._held) == 1:
            asyncio.get_running_loop().call_later(GATEWAY_LOG_SECONDS, self.flush)

    def warning(self, text: str) -> None:
        """Something that people should know, of as many lines as it has; from any thread."""
        self._tell([_shown(line) for line in text.splitlines()])

    def flush(self) -> None:
        """Write what waits."""
        if not self._held:
            return
        from webseam.surfaces.gateway.opening import access_line  # noqa: PLC0415 - loaded already

        held, self._held = self._held, []
        self._tell([access_line(one) for one in held])

    def _tell(self, lines: Sequence[str]) -> None:
        with self._writing:
            try:
                for portion in _portions(lines):
                    self._write(portion)
            except (OSError, CannotWriteError):
                self._out = None

    def _write(self, lines: Sequence[str]) -> None:
        if self._out is None:
            return
        if not _takes_a_page(self._out.stderr):
            self._left_out += len(lines)
            return
        if self._left_out:
            self._out.note(f"webseam: {self._left_out:,} lines of the log were left out: nobody read them in time.")
            self._left_out = 0
        self._out.log("".join(f"{line}\n" for line in lines))


@contextmanager
def warnings_told(log: ServerLog) -> Iterator[None]:
    """Have `log` tell what Python's logging holds for a warning or worse, which logging itself would wait to write."""
    handler = _Handler(log)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


class _Handler(logging.Handler):
    def __init__(self, log: ServerLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler`."""
        try:
            text = self.format(record)
        except (TypeError, ValueError):  # of a message and arguments that do not fit, as a plugin's may
            text = str(record.msg)
        self._log.warning(text)


def _shown(line: str) -> str:
    """A line without what a terminal would obey; a traceback keeps its shape."""
    told = line.lstrip(" ")
    return " " * min(len(line) - len(told), _LINE) + one_line(told, limit=_LINE)


def _portions(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many together as a pipe surely takes, a note before them too."""
    begin, size = 0, 0
    for number, line in enumerate(lines):
        length = len(line.encode("utf-8", "replace")) + 1
        size += length
        if size > _PORTION and number > begin:
            yield lines[begin:number]
            begin, size = number, length
    if lines:
        yield lines[begin:]


def _takes_a_page(stream: TextIO) -> bool:
    """Whether a write returns at once: a pipe that says so has room for 4,096 bytes.

    Raises:
        OSError: nobody is at the other end.
    """
    try:
        number = stream.fileno()
    except io.UnsupportedOperation:  # text in memory
        return True
    poll = select.poll()
    poll.register(number, select.POLLOUT)
    return bool(poll.poll(0))
