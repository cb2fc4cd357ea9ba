"""Server-sent events, as the WHATWG HTML standard parses them (section 9.2.6), whole or as they arrive."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One dispatched event; `name` is `message` where the stream gives none."""

    name: str
    data: str


def events(body: bytes) -> Iterator[ServerEvent]:
    """The events of a stream that is there in full."""
    reader = EventReader()
    yield from reader.feed(body)
    yield from reader.end()


class EventReader:
    """Parses a stream piece by piece. Comments, ids and retry times are skipped, and so is an event without data.

    CRLF, CR and LF end a line; other line separators of Unicode do not. Each byte is looked at once, wherever the
    pieces are cut.
    """

    __slots__ = ("_after_cr", "_data", "_line", "_name", "_started")

    def __init__(self) -> None:
        self._line = bytearray()
        self._after_cr = False
        self._started = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> Iterator[ServerEvent]:
        """The events that this piece completes."""
        if self._after_cr and piece[:1] == b"\n":
            piece = piece[1:]
            self._after_cr = False
        if not piece:
            return
        self._after_cr = piece.endswith(b"\r")
        *lines, rest = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            self._line += line
            yield from self._take(self._decoded())
        self._line += rest

    def end(self) -> Iterator[ServerEvent]:
        """A last event without its blank line: a server that closed after the whole answer meant it."""
        yield from self._take(self._decoded())
        yield from self._take("")

    def _decoded(self) -> str:
        line = self._line.decode("utf-8", errors="replace")
        self._line.clear()
        if not self._started:
            line, self._started = line.removeprefix("\ufeff"), True
        return line

    def _take(self, line: str) -> Iterator[ServerEvent]:
        if not line:
            if self._data:
                yield ServerEvent(self._name or "message", "\n".join(self._data))
            self._name, self._data = "", []
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
