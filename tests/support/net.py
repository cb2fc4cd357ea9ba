"""Loopback stand-ins for the network: those of `webseam.testing.web`, and servers whose handlers a test writes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from webseam.core.settings import FetchSettings, SeamSettings
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch
from webseam.testing.web.network import ScriptedResolver, Wire

__all__ = [
    "LOOPBACK",
    "PUBLIC",
    "Handler",
    "Request",
    "ScriptedResolver",
    "Server",
    "Wire",
    "always",
    "answer",
    "black_hole",
    "http_web",
    "paths",
    "read_request",
    "serve",
]

PUBLIC = "93.184.215.14"


_HOLE = Wire()


def black_hole() -> int:
    """A loopback port whose backlog is full, so that a connect hangs."""
    return _HOLE.black_hole()


Handler = Callable[["Request", asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Request:
    """One request as it came over the wire."""

    method: str
    target: str
    headers: dict[str, str]
    raw: bytes
    reader: asyncio.StreamReader

    async def gone(self) -> None:
        """Wait until the client has closed its side."""
        with contextlib.suppress(ConnectionError):
            await self.reader.read()

    @property
    def host(self) -> str:
        return self.headers.get("host", "")


@dataclass
class Server:
    """A raw server on loopback: `requests` in order, `connections` and how many are `open` now."""

    port: int = 0
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    open: int = 0
    closed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    try:
        raw = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    lines = raw.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ", 2)
    headers = dict(line.lower().split(": ", 1) if i else line.split(": ", 1) for i, line in enumerate(lines[1:-2], 1))
    return Request(method, target, headers, raw, reader)


@asynccontextmanager
async def serve(handler: Handler, **options: Any) -> AsyncIterator[Server]:
    """Run `handler` for each request of each connection; a handler that closes the writer ends the connection.

    Connections that are open at the end are broken off, and gone when this returns: what a loop leaves open when it
    closes is warned of in a later test.
    """
    server = Server()
    taken: dict[asyncio.Task[Any], asyncio.StreamWriter] = {}

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        taken[task] = writer
        server.connections += 1
        server.open += 1
        try:
            while not writer.is_closing():
                request = await read_request(reader)
                if request is None:
                    break
                server.requests.append(request)
                await handler(request, writer)
                await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass  # the client went away, or the test is over
        finally:
            server.open -= 1
            server.closed.set()
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            del taken[task]

    listener = await asyncio.start_server(connection, "127.0.0.1", 0, **options)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()
        await settle()
        await _break_off(taken)


async def settle() -> None:
    """Let connections that were accepted reach their handlers, and broken ones their end, before the loop closes."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)


_TURNS = 4
"""Of the loop, from a connection's accept to its handler: the accept's task, the protocol, the handler's task."""


async def _break_off(taken: Mapping[asyncio.Task[Any], asyncio.StreamWriter]) -> None:
    left = dict(taken)
    for task, writer in left.items():
        writer.transport.abort()
        task.cancel()
    await asyncio.gather(*left, *(writer.wait_closed() for writer in left.values()), return_exceptions=True)


def answer(
    body: bytes = b"",
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    content_type: str | None = "text/html; charset=utf-8",
    length: bool = True,
) -> bytes:
    """The bytes of a well-formed response."""
    lines = [f"HTTP/1.1 {status} Whatever"]
    if content_type is not None:
        lines.append(f"Content-Type: {content_type}")
    if length:
        lines.append(f"Content-Length: {len(body)}")
    lines.extend(f"{name}: {value}" for name, value in (headers or {}).items())
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def always(response: bytes, *, close: bool = False) -> Handler:
    """A handler that gives every request the same bytes."""

    async def handler(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(response)
        if close:
            await writer.drain()
            writer.close()

    return handler


def paths(pages: Mapping[str, bytes]) -> Handler:
    """A handler by path; anything else is a 404."""

    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(pages.get(request.target, answer(b"<p>missing</p>", status=404)))

    return handler


LOOPBACK = FetchSettings(private_networks=("127.0.0.0/8",))


@asynccontextmanager
async def http_web(
    settings: FetchSettings = LOOPBACK, *, seam: SeamSettings | None = None, **provider: Any
) -> AsyncIterator[Web]:
    """A seam with the real HTTP provider, loopback opened by its own settings."""
    fetch = HttpFetch(settings=settings, **provider)
    web = Web(settings=seam)
    web.register_fetch(fetch)
    web.at_close(fetch.aclose)
    async with web:
        yield web
