"""The dial guard: a connector that resolves once, dials judged addresses only, and reuses clean connections only.

How aiohttp is led (each measured, see docs/decisions.md):
- Its resolver is skipped for literals, its socket factory is not; so the resolver judges names and the factory
  judges every socket address just before connect, literals too.
- An exception that is no OSError is lost between several addresses, and several OSErrors are merged; so both hooks
  write their verdict into the hop, which the caller reads.
- A pooled connection may hold bytes that nobody asked for; `connect` passes over such a one.
"""

import asyncio
import errno
import socket
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from ipaddress import IPv6Network
from typing import TYPE_CHECKING, Any, Final

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from webseam.core.call import Dispatch
from webseam.core.errors import Code, WebError
from webseam.core.limits import (
    CONNECT_SECONDS,
    CONNECT_STAGGER_SECONDS,
    DNS_SECONDS,
    HEADER_BYTES,
    INFORMATIONAL_BYTES,
)
from webseam.net.addresses import Address, parse_address
from webseam.net.nat64 import Nat64
from webseam.net.policy import AddressPolicy
from webseam.net.resolver import Resolver, dial_order, look_up

if TYPE_CHECKING:
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.client_reqrep import ClientRequest
    from aiohttp.connector import Connection
    from aiohttp.tracing import Trace

KEEP_ALIVE_SECONDS: Final = 15.0
"""Idle life of a connection: servers' own defaults lie between 5 and 75 s."""

CONNECTIONS: Final = 256
"""Open connections of one client: a fourth of the usual 1,024 file descriptors."""

CONNECTIONS_PER_HOST: Final = 16
"""Connections to one host, so that one slow host does not hold them all."""

RECEIVED_BYTES: Final = 120_000
"""Most bytes of one read: asyncio asks for 256 kB, which the allocator maps and unmaps anew each time (measured)."""

EXHAUSTED: Final = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS))
"""This process or machine can make no socket: the host's addresses have no part in it."""

HEAD_BYTES: Final = HEADER_BYTES + INFORMATIONAL_BYTES
"""Bytes taken from a socket before the final header block is complete."""


class DialRefusedError(OSError):
    """A guard's no, in the shape that aiohttp passes on."""


@dataclass(slots=True)
class Hop:
    """What one request may dial, and what became of it; `policy` None trusts the operator's own endpoint.

    `proxy` is the section of the settings whose proxy is dialled in the host's place.
    """

    host: str
    port: int
    policy: AddressPolicy | None
    resolver: Resolver
    dns_seconds: float
    dispatch: Dispatch
    judged: tuple[Address, ...] = ()
    nat64: tuple[IPv6Network, ...] = ()
    dialled: set[str] = field(default_factory=set)
    proxy: str | None = None
    socket: "CountedSocket | None" = None
    verdict: WebError | None = None
    exhausted: OSError | None = None
    begun: int = 0
    ended: int | None = None

    def take(self, made: "CountedSocket") -> None:
        """This request has the connection, whose budget is now that of a head."""
        made.budget = HEAD_BYTES
        self.socket, self.begun, self.ended = made, made.taken, None

    def give_back(self, made: "CountedSocket") -> None:
        """The request has its answer, or has given up; the connection idles or is closed."""
        if self.socket is made:
            self.ended = made.taken
        made.rest()

    @property
    def received(self) -> int:
        """Bytes that came for this request: its head, body and framing."""
        if self.socket is None:
            return 0
        return (self.socket.taken if self.ended is None else self.ended) - self.begun


HOP: ContextVar[Hop | None] = ContextVar("webseam_hop", default=None)


class CountedSocket(socket.socket):
    """A socket that stops giving bytes when its budget is spent: ends floods that the parser does not bound."""

    budget: int = HEAD_BYTES
    taken: int = 0

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """As `socket.recv`."""
        self._check()
        data = super().recv(min(size, RECEIVED_BYTES), flags)
        self.budget -= len(data)
        self.taken += len(data)
        return data

    def recv_into(self, buffer: Any, size: int = 0, flags: int = 0, /) -> int:
        """As `socket.recv_into`: how TLS reads."""
        self._check()
        count = super().recv_into(buffer, size, flags)
        self.budget -= count
        self.taken += count
        return count

    def rest(self) -> None:
        """Nobody reads from here on: whatever arrives on an idle connection ends it."""
        self.budget = 0

    def _check(self) -> None:
        if self.budget <= 0:
            raise DialRefusedError(errno.EMSGSIZE, "the server sent more than a response may hold")


SocketFactory = Callable[[Any], CountedSocket]
"""Makes the socket for an `AddrInfoType`; tests map judged public addresses to loopback with one of their own."""


def plain_socket(info: Any) -> CountedSocket:
    """The real thing."""
    family, kind, proto, _, _ = info
    return CountedSocket(family=family, type=kind, proto=proto)


class JudgingResolver(AbstractResolver):
    """Resolves the announced host of the running hop, once, and judges all its answers as a set."""

    def __init__(self, nat64: Nat64 | None = None) -> None:
        self._nat64 = nat64 or Nat64()

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 - the interface's
    ) -> list[ResolveResult]:
        """Answers for the connector; see `Hop`."""
        hop = _announced(host)
        if not hop.judged:
            try:
                found = await look_up(hop.resolver, hop.host, hop.dns_seconds)
                if hop.policy is not None:
                    hop.nat64 = await self._nat64.prefixes(hop.resolver, found)
                    hop.policy.judge_all(hop.host, found, hop.nat64)
            except WebError as exc:
                if hop.proxy is not None:
                    exc.message += f" It is the host of the proxy in {hop.proxy}.proxy."
                hop.verdict = exc
                raise DialRefusedError(errno.EHOSTUNREACH, exc.code) from exc
            hop.judged = dial_order(found)
        return [_row(host, str(address), port) for address in hop.judged]

    async def close(self) -> None:
        """Nothing is held."""


def _announced(host: str) -> Hop:
    hop = HOP.get()
    if hop is None or host.rstrip(".") != hop.host:
        raise DialRefusedError(errno.EHOSTUNREACH, "no running request announced this host")
    return hop


def _row(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=socket.AI_NUMERICHOST)


class GuardedConnector(aiohttp.TCPConnector):
    """aiohttp's connector with the guard's hooks; one per policy, so reuse never crosses policies.

    `dial_seconds` bounds look-up, TCP and TLS of one request together; waiting for one of the host's connections to
    come free is no failure of the network, and only the call's deadline bounds it. `nat64` is what else asks for the
    prefixes of the same network in the same loop.
    """

    def __init__(
        self,
        make_socket: SocketFactory = plain_socket,
        *,
        dial_seconds: float = DNS_SECONDS + CONNECT_SECONDS,
        nat64: Nat64 | None = None,
    ) -> None:
        self._nat64 = nat64 or Nat64()
        super().__init__(
            resolver=JudgingResolver(self._nat64),
            use_dns_cache=False,
            happy_eyeballs_delay=CONNECT_STAGGER_SECONDS,
            keepalive_timeout=KEEP_ALIVE_SECONDS,
            limit=CONNECTIONS,
            limit_per_host=CONNECTIONS_PER_HOST,
            socket_factory=self._dial,
        )
        self._make_socket = make_socket
        self._dial_seconds = dial_seconds

    def _dial(self, info: Any) -> socket.socket:
        """Judge the socket address that is about to be dialled; the last look before connect."""
        hop = HOP.get()
        address = parse_address(str(info[4][0]))
        if hop is None or address is None or address not in hop.judged or info[4][1] != hop.port:
            raise DialRefusedError(errno.EACCES, "this address was not judged for the running request")
        if str(address) in hop.dialled:
            raise DialRefusedError(errno.EALREADY, "this address was tried already")
        hop.dialled.add(str(address))
        if hop.policy is not None:
            try:
                hop.policy.judge(hop.host, address, hop.nat64)
            except WebError as exc:
                hop.verdict = exc
                raise DialRefusedError(errno.EACCES, exc.code) from exc
        try:
            return self._make_socket(info)
        except OSError as exc:
            if exc.errno in EXHAUSTED:  # else it is one of several addresses' own failure
                hop.exhausted = exc
            raise

    async def connect(
        self, req: "ClientRequest", traces: "list[Trace]", timeout: aiohttp.ClientTimeout
    ) -> "Connection":
        """A connection whose peer was judged and that holds no unasked bytes; marks the dispatch."""
        hop = HOP.get()
        if hop is None:
            raise DialRefusedError(errno.EACCES, "no running request announced itself")
        hop.dialled.clear()
        while True:
            connection = await self._take(req, traces, timeout)
            protocol = connection.protocol
            if protocol is not None and not protocol.should_close:
                break
            connection.close()
        self._check_peer(connection, hop)
        hop.dispatch.mark()
        return connection

    async def _take(self, req: "ClientRequest", traces: "list[Trace]", timeout: aiohttp.ClientTimeout) -> "Connection":
        """A free or new connection; aiohttp itself would dial once more after closing, or wait for ever."""
        if self.closed:
            raise _closed()
        try:
            return await super().connect(req, traces, timeout)
        except asyncio.CancelledError as exc:
            task = asyncio.current_task()
            if self.closed and (task is None or not task.cancelling()):  # how aiohttp tells those who wait
                raise _closed() from exc
            raise

    async def _create_connection(
        self, req: "ClientRequest", traces: "list[Trace]", timeout: aiohttp.ClientTimeout
    ) -> "ResponseHandler":
        async with asyncio.timeout(self._dial_seconds):
            hop = HOP.get()
            if hop is not None and hop.policy is not None:  # a literal is judged already, but for what lies behind it
                hop.nat64 = await self._nat64.prefixes(hop.resolver, hop.judged)
            return await super()._create_connection(req, traces, timeout)

    def _check_peer(self, connection: "Connection", hop: Hop) -> None:
        """The peer's name must be one of the judged addresses: a new connection is held to its own hop's."""
        transport = connection.transport
        made = transport.get_extra_info("socket") if transport is not None else None
        raw = getattr(made, "_sock", made)
        if isinstance(raw, CountedSocket):
            hop.take(raw)
            connection.add_callback(partial(hop.give_back, raw))
        if not hop.dialled or transport is None:
            return
        peer = transport.get_extra_info("peername")
        address = parse_address(str(peer[0])) if peer else None
        if address is None or address not in hop.judged:
            connection.close()
            hop.verdict = WebError(Code.PROVIDER_ERROR, "The connection ended at an address that was not judged.")
            raise DialRefusedError(errno.EACCES, "peer mismatch")


def _closed() -> DialRefusedError:
    return DialRefusedError(errno.ESHUTDOWN, "the client is closed")
