"""Server-sent events, as the WHATWG HTML standard parses them (section 9.2.6), over a body that is there in full."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One dispatched event; `name` is `message` where the stream gives none."""

    name: str
    data: str


def events(body: bytes) -> Iterator[ServerEvent]:
    """The events of a stream. Comments, ids and retry times are skipped, and so is an event without data.

    A last block without its blank line is given too: a server that closed after the whole answer meant it.
    """
    name, data = "", list[str]()
    for line in [*_lines(body), ""]:
        if not line:
            if data:
                yield ServerEvent(name or "message", "\n".join(data))
            name, data = "", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
        elif field == "event":
            name = value


def _lines(body: bytes) -> list[str]:
    """CRLF, CR and LF end a line; other line separators of Unicode do not."""
    decoded = body.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return decoded.replace("\r\n", "\n").replace("\r", "\n").split("\n")
