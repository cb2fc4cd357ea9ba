"""A reader of a gateway's live calls, on a socket of its own."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from support.gateway import Served

STREAM = "/v1/activity/stream"


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it came; a comment has no name."""

    name: str
    id: str
    data: Any


@dataclass(slots=True)
class Live:
    """A stream that is open."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: int
    head: str
    _held: bytes = b""

    async def event(self) -> Event | None:
        """The next event, comments left out; None at the end."""
        while True:
            while b"\n\n" not in self._held:
                piece = await self._piece()
                if not piece:
                    return None
                self._held += piece
            block, _, self._held = self._held.partition(b"\n\n")
            if not block.startswith(b":"):
                return _event(block.decode())

    async def comment(self) -> str:
        """The next block, whatever it is."""
        while b"\n\n" not in self._held:
            self._held += await self._piece()
        block, _, self._held = self._held.partition(b"\n\n")
        return block.decode()

    async def records(self, count: int) -> list[Any]:
        """The data of so many calls."""
        found: list[Any] = []
        while len(found) < count:
            event = await self.event()
            assert event is not None, "the stream has ended"
            found += [event.data] if event.name == "call" else []
        return found

    async def _piece(self) -> bytes:
        """A chunk (RFC 9112 section 7.1)."""
        size = int((await self.reader.readline()).strip() or b"0", 16)
        data = await self.reader.readexactly(size + 2)
        return data[:size]


def _event(block: str) -> Event:
    facts = dict(line.split(": ", 1) for line in block.split("\n"))
    return Event(facts["event"], facts.get("id", ""), json.loads(facts["data"]))


@asynccontextmanager
async def live(served: Served, token: str = "", **headers: str) -> AsyncIterator[Live]:
    """The stream, once it has begun or was refused."""
    told = {"Host": f"127.0.0.1:{served.port}", **({"Authorization": f"Bearer {token}"} if token else {}), **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in told.items())
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port, limit=1 << 20)
    try:
        writer.write(f"GET {STREAM} HTTP/1.1\r\n{lines}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        yield Live(reader, writer, int(head.split()[1]), head.lower())
    finally:
        writer.close()
