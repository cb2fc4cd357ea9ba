"""A recording proxy on loopback: forwards absolute requests, tunnels CONNECT to where a test says, or refuses."""

import asyncio
import contextlib
from collections.abc import Mapping

from support.net import Handler, Request, answer


def forwarding(
    pages: Mapping[str, bytes], tunnels: Mapping[str, int] | None = None, *, early: bytes = b"", apart: bool = False
) -> Handler:
    """Answers `GET http://host/path` by that URL, and tunnels `CONNECT host:port` to a loopback port.

    `early` are bytes that a dishonest proxy puts before those of the tunnel, `apart` so that they come by themselves.
    """

    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.method != "CONNECT":
            writer.write(pages.get(request.target, answer(b"<p>missing</p>", status=404)))
            return
        port = (tunnels or {}).get(request.target)
        if port is None:
            writer.write(answer(b"<h1>secret words of the proxy</h1>", status=403))
            await writer.drain()
            writer.close()
            return
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        if apart:
            await writer.drain()
            for _ in range(5):
                await asyncio.sleep(0)  # lets the client read the answer alone
        writer.write(early)
        far, to_far = await asyncio.open_connection("127.0.0.1", port)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_pump(request.reader, to_far))
                group.create_task(_pump(far, writer))
        finally:
            to_far.close()
            with contextlib.suppress(ConnectionError):
                await to_far.wait_closed()

    return handler


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
    finally:
        writer.close()
