"""What stands between a client and an honest TLS server."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final, TypeAlias

from webseam.testing.web.plays import Play, Visit

Relay: TypeAlias = Callable[[int], Play]
"""Makes a play of the loopback port of the server behind it."""

_RECORD_HEAD: Final = 5  # RFC 8446 section 5.1: type, version, length
_HANDSHAKE: Final = 22
_CHANGE_CIPHER_SPEC: Final = 20


def splinters(port: int) -> Play:
    """Hands the server's handshake on in records of one byte each, as long as it is not encrypted."""

    async def play(visit: Visit) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        forth = asyncio.create_task(_hand_on(visit.reader, writer))
        try:
            with contextlib.suppress(asyncio.IncompleteReadError):
                await _splinter(reader, visit)
        finally:
            forth.cancel()
            writer.close()

    return play


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def _splinter(reader: asyncio.StreamReader, visit: Visit) -> None:
    """Record by record, until the server closes."""
    clear = True
    while True:
        head = await reader.readexactly(_RECORD_HEAD)
        body = await reader.readexactly(int.from_bytes(head[3:]))
        clear = clear and head[0] != _CHANGE_CIPHER_SPEC
        if clear and head[0] == _HANDSHAKE:
            await visit.send(b"".join(head[:3] + b"\0\1" + bytes((byte,)) for byte in body))
        else:
            await visit.send(head + body)
