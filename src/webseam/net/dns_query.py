"""One DNS question to one server: UDP, and TCP when the answer was cut (RFC 1035 section 4.2, RFC 7766).

An answer counts only when it comes from the address that was asked, to the port that asked, with the id and the
question that were sent (RFC 5452 section 9.1).
"""

import asyncio
import secrets
import socket
from typing import Final

from webseam.core.limits import DNS_STRAYS, DNS_TCP_BYTES
from webseam.net.dns_wire import NOERROR, NXDOMAIN, Kind, Reply, make_query, read_reply

_LENGTH_BYTES: Final = 2  # RFC 1035 section 4.2.2
_ID_BITS: Final = 16


async def ask(address: str, port: int, host: str, kind: Kind) -> tuple[str, ...]:
    """The addresses of one family that a server gives for the absolute name `host`, at the end of its aliases.

    Raises:
        socket.gaierror: the name does not exist.
        UnicodeError: the name cannot be asked for.
        OSError: the server cannot be reached, fails, or gives an answer that cannot be used.
    """
    query = make_query(host, kind, number=secrets.randbits(_ID_BITS))
    reply = await _by_udp(address, port, query)
    if reply.cut:
        reply = await _by_tcp(address, port, query)
    if reply.code == NXDOMAIN:
        raise socket.gaierror(socket.EAI_NONAME, "there is no such name")
    if reply.code != NOERROR:
        raise OSError(f"the nameserver answered with code {reply.code}")
    if reply.addresses is None:
        raise OSError("the nameserver's answer is too long, or a chain of aliases without end")
    return reply.addresses


class _Datagrams(asyncio.DatagramProtocol):
    """What arrives from the one server that the socket is connected to."""

    def __init__(self) -> None:
        self.arrived: asyncio.Queue[bytes | Exception] = asyncio.Queue()

    def datagram_received(self, data: bytes, addr: object) -> None:  # noqa: ARG002 - the interface's
        self._keep(data)

    def error_received(self, exc: Exception) -> None:
        self._keep(exc)

    def _keep(self, arrived: bytes | Exception) -> None:
        if self.arrived.qsize() < DNS_STRAYS:
            self.arrived.put_nowait(arrived)


async def _by_udp(address: str, port: int, query: bytes) -> Reply:
    loop = asyncio.get_running_loop()
    transport, datagrams = await loop.create_datagram_endpoint(_Datagrams, remote_addr=(address, port))
    try:
        transport.sendto(query)
        for _ in range(DNS_STRAYS):
            data = await datagrams.arrived.get()
            if isinstance(data, Exception):
                raise OSError("the nameserver cannot be reached") from data
            reply = read_reply(data, query)
            if reply is not None:
                return reply
    finally:
        transport.close()
    raise OSError("the nameserver's port is flooded with answers that nobody asked for")


async def _by_tcp(address: str, port: int, query: bytes) -> Reply:
    reader, writer = await asyncio.open_connection(address, port)
    try:
        writer.write(len(query).to_bytes(_LENGTH_BYTES) + query)
        size = int.from_bytes(await reader.readexactly(_LENGTH_BYTES))
        if size > DNS_TCP_BYTES:
            raise OSError("the nameserver's answer is too long")
        reply = read_reply(await reader.readexactly(size), query)
    except asyncio.IncompleteReadError as exc:
        raise OSError("the nameserver closed the connection") from exc
    finally:
        writer.close()
    if reply is None or reply.cut:
        raise OSError("the nameserver's answer over TCP is to another question, or no whole message")
    return reply
