"""What a server does with one connection: whole answers, floods, drips, stalls and resets, to the byte.

A `Play` is called once for each connection. Those made here read a request, then misbehave; `greets` does not wait.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from webseam.testing.web.answers import page

DRIP_SECONDS: Final = 0.05
"""Pause of a drip: far below any timeout of a single read, so that only a deadline ends it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request as it came; header names in lower case, each value as sent."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]

    @property
    def names(self) -> frozenset[str]:
        """Names of the header fields."""
        return frozenset(name for name, _ in self.headers)


@dataclass(slots=True)
class Visit:
    """One connection, as a play sees it; `log` is the server's record of requests."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    secure: bool
    log: list[Asked] = field(default_factory=list)
    again: Asked | None = None

    async def asked(self) -> Asked | None:
        """The next request, recorded; None when the client has gone. One that was put into `again` comes again."""
        if self.again is not None:
            put_back, self.again = self.again, None
            return put_back
        try:
            raw = await self.reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return None
        line, *rest = raw.decode("latin-1").strip().split("\r\n")
        method, target, _ = line.split(" ", 2)
        pairs = (one.partition(":") for one in rest)
        fields = tuple((name.lower(), value.strip()) for name, _, value in pairs)
        self.log.append(Asked(method=method, target=target, headers=fields))
        return self.log[-1]

    async def send(self, data: bytes) -> None:
        """Write, as fast as the client reads."""
        self.writer.write(data)
        await self.writer.drain()

    async def gone(self) -> None:
        """Wait until the client has closed its side."""
        with contextlib.suppress(ConnectionError):
            while await self.reader.read(65_536):
                continue


Play: TypeAlias = Callable[[Visit], Awaitable[None]]
Data: TypeAlias = bytes | Callable[[], bytes]
"""Bytes, or what makes them when they are needed."""


def _made(data: Data) -> bytes:
    return data if isinstance(data, bytes) else data()


def sends(data: Data) -> Play:
    """The same answer to every request, over a connection that stays open."""

    async def play(visit: Visit) -> None:
        while await visit.asked() is not None:
            await visit.send(_made(data))

    return play


def ends(data: Data) -> Play:
    """One answer, then the connection is closed."""

    async def play(visit: Visit) -> None:
        if await visit.asked() is not None:
            await visit.send(_made(data))

    return play


def site(pages: Mapping[str, bytes]) -> Play:
    """Answers by target; anything else is a 404."""

    async def play(visit: Visit) -> None:
        while (asked := await visit.asked()) is not None:
            await visit.send(pages.get(asked.target, page(b"<p>No such page.</p>", status=404)))

    return play


def by_scheme(plain: Play, secure: Play) -> Play:
    """One play without TLS, another with."""

    async def play(visit: Visit) -> None:
        await (secure if visit.secure else plain)(visit)

    return play


def by_target(target: str, first: Play, other: Play) -> Play:
    """One play for connections whose first request is for `target`, another for the rest."""

    async def play(visit: Visit) -> None:
        visit.again = await visit.asked()
        if visit.again is not None:
            await (first if visit.again.target == target else other)(visit)

    return play


def stalls(first: bytes = b"") -> Play:
    """Some bytes, then nothing more until the client gives up."""

    async def play(visit: Visit) -> None:
        if await visit.asked() is not None:
            await visit.send(first)
            await visit.gone()

    return play


def bits(first: bytes, piece: bytes, count: int, last: bytes) -> Play:
    """Some bytes, then so many pieces, each written alone (over TLS a record of its own), then the end."""

    async def play(visit: Visit) -> None:
        if await visit.asked() is not None:
            await visit.send(first)
            for _ in range(count):
                await visit.send(piece)
            await visit.send(last)

    return play


def floods(first: bytes, piece: Data) -> Play:
    """Some bytes, then a piece over and over, as fast as it is taken."""

    async def play(visit: Visit) -> None:
        if await visit.asked() is not None:
            await visit.send(first)
            again = _made(piece)
            while True:
                await visit.send(again)

    return play


def drips(first: bytes, piece: bytes) -> Play:
    """Some bytes, then a piece after each pause, for ever."""

    async def play(visit: Visit) -> None:
        if await visit.asked() is not None:
            await visit.send(first)
            while True:
                await asyncio.sleep(DRIP_SECONDS)
                await visit.send(piece)

    return play


def resets(first: bytes) -> Play:
    """Some bytes, then RST instead of an orderly close."""

    async def play(visit: Visit) -> None:
        if await visit.asked() is not None:
            await visit.send(first)
            made: socket.socket = visit.writer.get_extra_info("socket")
            made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            visit.writer.transport.abort()

    return play


def greets(data: bytes) -> Play:
    """Speaks before it is asked, and holds the connection."""

    async def play(visit: Visit) -> None:
        await visit.send(data)
        await visit.gone()

    return play


def answers_bytes(data: bytes) -> Play:
    """Waits for any bytes at all, says `data` to them and hangs up: for what is no HTTP."""

    async def play(visit: Visit) -> None:
        await visit.reader.read(65_536)
        await visit.send(data)

    return play


async def hangs_up(visit: Visit) -> None:
    """Takes the request and closes without a word."""
    await visit.asked()


async def holds(visit: Visit) -> None:
    """Takes whatever comes and says nothing."""
    await visit.gone()
