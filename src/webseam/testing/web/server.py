"""A raw server on loopback: plays one play for each connection, and keeps what it was asked."""

import asyncio
import ssl
from types import TracebackType
from typing import Final, Self

from webseam.testing.web.plays import Asked, Play, Visit

_ACCEPT_TURNS: Final = 4
"""Turns of the loop from a connection's accept to its play, with one to spare: the accept's task, then the protocol."""


class RawServer:
    """Serves on 127.0.0.1, on a free port.

    Args:
        play: what to do with each connection.
        tls: a server context; None speaks plain TCP.

    Attributes:
        requests: what was asked, in order.
        connections: how many were opened.
    """

    def __init__(self, play: Play, *, tls: ssl.SSLContext | None = None) -> None:
        self._play = play
        self._tls = tls
        self._serving: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self.requests: list[Asked] = []
        self.connections = 0

    @property
    def port(self) -> int:
        """The TCP port."""
        return int(self._listener.sockets[0].getsockname()[1])

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._accepted, "127.0.0.1", 0, ssl=self._tls)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
        for _ in range(_ACCEPT_TURNS):
            await asyncio.sleep(0)
        serving = dict(self._serving)
        for task, writer in serving.items():
            task.cancel()
            writer.transport.abort()
        ended = (writer.wait_closed() for writer in serving.values())
        await asyncio.gather(*serving, *ended, return_exceptions=True)
        await self._listener.wait_closed()

    async def left(self) -> None:
        """Wait until every connection has ended: what a client that leaves none open brings about."""
        while self._serving:
            await asyncio.wait(tuple(self._serving))
            await asyncio.sleep(0)  # the callbacks that take them off the list

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        visit = Visit(reader, writer, secure=self._tls is not None, log=self.requests)
        task = asyncio.create_task(self._serve(visit))
        self._serving[task] = writer
        task.add_done_callback(self._serving.pop)

    async def _serve(self, visit: Visit) -> None:
        try:
            await self._play(visit)
        except (ConnectionError, ssl.SSLError):
            return  # the client went away in the middle: the point of most plays
        finally:
            visit.writer.close()
