"""A reverse proxy on loopback that serves a gateway below a path, as nginx does with `proxy_pass http://gateway/;`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus


@dataclass(slots=True)
class Below:
    """Where the gateway is found; `elsewhere` are paths that were asked for and are not below it."""

    port: int
    path: str
    elsewhere: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The gateway's own place, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}{self.path}"


@asynccontextmanager
async def below(gateway: int, path: str) -> AsyncIterator[Below]:
    """A proxy to the gateway at this port; each request has a connection of its own, and the Host of its client."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        try:
            await _passed(reader, writer, gateway, told)
        except (ConnectionError, asyncio.IncompleteReadError):  # a browser leaves as it likes
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    told = Below(server.sockets[0].getsockname()[1], path)
    async with server:
        yield told
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _passed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gateway: int, told: Below) -> None:
    method, target, version = (await reader.readuntil(b"\r\n")).split()
    fields = await reader.readuntil(b"\r\n\r\n")
    path = target.decode("ascii")
    if not path.startswith(f"{told.path}/"):
        told.elsewhere.append(path)
        status = HTTPStatus.MOVED_PERMANENTLY if path == told.path else HTTPStatus.NOT_FOUND
        head = f"HTTP/1.1 {status.value} {status.phrase}\r\nLocation: {told.path}/\r\nContent-Length: 0\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode("ascii"))
        await writer.drain()
        return
    first = b" ".join((method, path.removeprefix(told.path).encode("ascii"), version))
    kept = [one for one in fields.split(b"\r\n") if one and not one.lower().startswith(b"connection:")]
    upstream, onward = await asyncio.open_connection("127.0.0.1", gateway)
    try:
        onward.write(b"\r\n".join((first, *kept, b"Connection: close", b"", b"")))
        sending = asyncio.create_task(_copied(reader, onward))
        try:
            await _copied(upstream, writer)
        finally:
            sending.cancel()
            await asyncio.wait([sending])
    finally:
        onward.close()


async def _copied(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while piece := await source.read(65_536):
        target.write(piece)
        await target.drain()
