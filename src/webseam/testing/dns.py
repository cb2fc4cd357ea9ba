"""A real DNS server on loopback, over UDP and TCP, that plays a script for each name over successive look-ups.

    async with DnsServer({"a.example": [("93.184.215.14",), DnsStep(rcode="SERVFAIL")]}) as server:
        settings = FetchSettings(nameservers=(server.address,))

It reads and writes messages by dnspython (extra `testing`), so that it shares no line with the client it tests.
The last step of a script repeats; A and AAAA questions step on separately. A name without a script does not exist.
`"a.example AAAA"` is a script for one record type; it goes before `"a.example"`.
"""

import asyncio
import fnmatch
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias

import dns.flags
import dns.message
import dns.rcode
import dns.rrset

_HOST: Final = "127.0.0.1"
_LENGTH_BYTES: Final = 2  # RFC 1035 section 4.2.2
_PORT_TRIES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class DnsStep:
    """One answer of a script.

    Args:
        answers: addresses; each question gets those of its family.
        aliases: CNAME targets that lead from the name to the addresses.
        rcode: response code, such as `NXDOMAIN` or `SERVFAIL`.
        silent: nothing is ever answered.
        delay: seconds before the answer, over UDP.
        truncated: over UDP the answer is said to be cut, so that the client asks by TCP. True by itself when it is too
            long for the client.
        forged: datagrams that come first and lead to 127.0.0.1: with another id, for another question, without a
            question, or no message at all.
        by_tcp: what TCP does: answers, closes at once, or answers another question.
    """

    answers: Sequence[str] = ()
    aliases: Sequence[str] = ()
    rcode: str = "NOERROR"
    silent: bool = False
    delay: float = 0.0
    truncated: bool = False
    forged: Sequence[Literal["id", "question", "bare", "garbage"]] = ()
    by_tcp: Literal["answer", "close", "forged"] = "answer"


Script: TypeAlias = Sequence[DnsStep | Sequence[str]]
"""Steps of one name; a bare sequence of addresses is the step that answers them."""


class DnsServer:
    """Plays scripts by name; `*` in a name stands for anything.

    Attributes:
        asked: how often each (name, record type) was asked for, repeats over TCP not counted.
        names: every name as it was asked for, dots and all.
    """

    def __init__(self, scripts: Mapping[str, Script]) -> None:
        self._scripts = scripts
        self.asked: Counter[tuple[str, str]] = Counter()
        self.names: list[str] = []
        self.tcp_questions = 0
        self._port = 0
        self._udp: asyncio.DatagramTransport | None = None
        self._tcp: asyncio.Server | None = None

    @property
    def address(self) -> str:
        """As `fetch.nameservers` takes it."""
        return f"{_HOST}:{self._port}"

    async def __aenter__(self) -> Self:
        """Listen on one free port, by UDP and TCP.

        Raises:
            OSError: no port was free for both.
        """
        for left in reversed(range(_PORT_TRIES)):
            self._tcp = await asyncio.start_server(self._connection, _HOST, 0)
            self._port = self._tcp.sockets[0].getsockname()[1]
            try:
                self._udp, _ = await asyncio.get_running_loop().create_datagram_endpoint(
                    lambda: _Datagrams(self), local_addr=(_HOST, self._port)
                )
            except OSError:
                self._tcp.close()
                if not left:
                    raise
            else:
                break
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening."""
        if self._udp is not None:
            self._udp.close()
        if self._tcp is not None:
            self._tcp.close()

    def by_udp(self, data: bytes) -> tuple[float, list[bytes]]:
        """The datagrams that answer `data`, in order, and the seconds until they are sent."""
        query = dns.message.from_wire(data)
        name, kind = _asked(query)
        self.names.append(name)
        self.asked[name.rstrip(".").lower(), kind] += 1
        step = self._step(name, kind)
        if step.silent:
            return 0.0, []
        wire = _reply(query, step).to_wire(max_size=65_535)
        if step.truncated or len(wire) > query.payload:
            cut = dns.message.make_response(query)
            cut.flags |= dns.flags.TC
            wire = cut.to_wire()
        return step.delay, [*(_forgery(query, way) for way in step.forged), wire]

    def by_tcp(self, data: bytes) -> bytes:
        """The message that answers `data`; empty to close the connection."""
        query = dns.message.from_wire(data)
        self.tcp_questions += 1
        step = self._step(*_asked(query))
        if step.by_tcp == "close":
            return b""
        return _forgery(query, "id") if step.by_tcp == "forged" else _reply(query, step).to_wire(max_size=65_535)

    def _step(self, name: str, kind: str) -> DnsStep:
        plain = name.rstrip(".").lower()
        matches = [known for known in self._scripts if fnmatch.fnmatchcase(f"{plain} {kind}", known)]
        matches += [known for known in self._scripts if fnmatch.fnmatchcase(plain, known)]
        script = self._scripts[matches[0]] if matches else None
        if script is None:
            return DnsStep(rcode="NXDOMAIN")
        step = script[min(max(self.asked[plain, kind], 1), len(script)) - 1]
        return step if isinstance(step, DnsStep) else DnsStep(answers=step)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            size = int.from_bytes(await reader.readexactly(_LENGTH_BYTES))
            reply = self.by_tcp(await reader.readexactly(size))
            writer.write(len(reply).to_bytes(_LENGTH_BYTES) + reply if reply else b"")
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client went away
        finally:
            writer.close()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, server: DnsServer) -> None:
        self._server = server
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override] # what UDP gives
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        delay, datagrams = self._server.by_udp(data)
        if delay:
            asyncio.get_running_loop().call_later(delay, self._send, datagrams, addr)
        else:
            self._send(datagrams, addr)

    def _send(self, datagrams: Sequence[bytes], addr: tuple[str, int]) -> None:
        for datagram in datagrams:
            if self._transport is not None and not self._transport.is_closing():
                self._transport.sendto(datagram, addr)


def _asked(query: dns.message.Message) -> tuple[str, str]:
    question = query.question[0]
    return question.name.to_text(), question.to_text().split()[-1]


def _reply(query: dns.message.Message, step: DnsStep) -> dns.message.Message:
    reply = dns.message.make_response(query, recursion_available=True)
    reply.set_rcode(dns.rcode.from_text(step.rcode))
    name, kind = _asked(query)
    for alias in step.aliases:
        target = f"{alias.rstrip('.')}."
        reply.answer.append(dns.rrset.from_text(name, 60, "IN", "CNAME", target))
        name = target
    wanted = [one for one in step.answers if ip_address(one).version == (4 if kind == "A" else 6)]
    if wanted:
        reply.answer.append(dns.rrset.from_text(name, 60, "IN", kind, *wanted))
    return reply


def _forgery(query: dns.message.Message, way: str) -> bytes:
    if way == "garbage":
        return query.to_wire()[:_LENGTH_BYTES] + b"\xff" * 40
    name, kind = _asked(query)
    if way == "question":
        name = "evil.example."
        query = dns.message.make_query(name, kind, id=query.id)
    forged = dns.message.make_response(query)
    if way == "id":
        forged.id ^= 0x5A5A
    if way == "bare":
        forged.question = []
        forged.set_rcode(dns.rcode.SERVFAIL)
    else:
        forged.answer.append(dns.rrset.from_text(name, 60, "IN", kind, "127.0.0.1" if kind == "A" else "::1"))
    return forged.to_wire()
