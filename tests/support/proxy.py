"""A recording proxy on loopback: forwards absolute requests, tunnels CONNECT to where a test says, or refuses."""

import asyncio
import contextlib
from collections.abc import Mapping

from support.net import Handler, Request, answer


def forwarding(pages: Mapping[str, bytes], tunnels: Mapping[str, int] | None = None) -> Handler:
    """Answers `GET http://host/path` by that URL, and tunnels `CONNECT host:port` to a loopback port."""

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
        far, to_far = await asyncio.open_connection("127.0.0.1", port)
        async with asyncio.TaskGroup() as group:
            group.create_task(_pump(request.reader, to_far))
            group.create_task(_pump(far, writer))

    return handler


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()
