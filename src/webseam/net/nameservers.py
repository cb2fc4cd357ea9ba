"""`fetch.nameservers`: names asked of servers that the configuration names, instead of the system's resolver.

Both address families are asked at once; a server that is silent or fails is followed by the next. What the servers say
is judged like any other answer, so a server that lies gains no address that is not public.
"""

import asyncio
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import cycle, islice
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import DNS_FAMILY_SECONDS, DNS_TRIES, DNS_TRY_SECONDS
from webseam.core.settings import FetchSettings
from webseam.net.dns_query import ask
from webseam.net.dns_wire import Kind
from webseam.net.fair_line import FairLines, site_of
from webseam.net.resolver import Resolver, SystemResolver

_DNS_PORT: Final = 53
_PORTS: Final = 65_535
_FAULTS_TAKEN: Final = 2
"""A server that reports a failure of its own is asked once more at most, unless there are others to ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nameserver:
    """Where a DNS server listens, on UDP and TCP alike."""

    address: str
    port: int = _DNS_PORT


def parse_nameserver(text: str) -> Nameserver | None:
    """`9.9.9.9`, `9.9.9.9:53`, `2620:fe::fe` or `[2620:fe::fe]:53`; None for anything else."""
    host, port = text, ""
    if text.startswith("["):
        host, _, port = text[1:].partition("]")
        if port and not port.startswith(":"):
            return None
        port = port[1:] if port else str(_DNS_PORT)
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    else:
        port = str(_DNS_PORT)
    if not _is_address(host) or not port.isascii() or not port.isdigit() or not 0 < int(port[:6]) <= _PORTS:
        return None
    return Nameserver(address=host, port=int(port))


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


class NameserverResolver:
    """A `Resolver` over DNS servers.

    Args:
        servers: asked in this order, the first again after the last.
        try_seconds: how long one of them may take for one question.
    """

    def __init__(self, servers: Sequence[Nameserver], *, try_seconds: float = DNS_TRY_SECONDS) -> None:
        self._servers = tuple(servers)
        self._try_seconds = try_seconds
        self._lines = FairLines()

    async def resolve(self, host: str, /) -> Sequence[str]:
        """See `Resolver`; IPv6 addresses first. Names are absolute.

        Raises:
            TimeoutError: no server answered.
            socket.gaierror: there is no such name, or every server failed.
            UnicodeError: the name cannot be asked for.
        """
        async with self._lines.here().place(site_of(host)):
            return await self._both(host)

    async def _both(self, host: str) -> tuple[str, ...]:
        tasks = [asyncio.create_task(self._family(host, "AAAA")), asyncio.create_task(self._family(host, "A"))]
        try:
            done, late = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if late:
                await asyncio.wait(late, timeout=DNS_FAMILY_SECONDS if any(map(_found, done)) else None)
            return _merged([task for task in tasks if task.done()])
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _family(self, host: str, kind: Kind) -> tuple[str, ...]:
        """Addresses of one family; empty when the name has none."""
        faults = 0
        last: OSError | None = None
        for server in islice(cycle(self._servers), DNS_TRIES):
            try:
                async with asyncio.timeout(self._try_seconds):
                    return await ask(server.address, server.port, host, kind)
            except socket.gaierror:  # the name's own fate: another server would say the same
                raise
            except OSError as exc:  # TimeoutError too
                last = exc
                faults += not isinstance(exc, TimeoutError)
            if faults >= max(_FAULTS_TAKEN, len(self._servers)):
                break
        if isinstance(last, TimeoutError):
            raise last
        raise socket.gaierror(socket.EAI_AGAIN, "every nameserver failed") from last


def _found(task: "asyncio.Task[tuple[str, ...]]") -> bool:
    return task.exception() is None and bool(task.result())


def _merged(tasks: "Sequence[asyncio.Task[tuple[str, ...]]]") -> tuple[str, ...]:
    """The addresses of all families that answered; a family's failure counts only when there are none."""
    addresses = [one for task in tasks if task.exception() is None for one in task.result()]
    if addresses:
        return tuple(dict.fromkeys(addresses))
    failures = [failure for task in tasks if (failure := task.exception()) is not None]
    raise failures[0] if failures else socket.gaierror(socket.EAI_NONAME, "the name has no address")


def resolver_of(settings: FetchSettings, relative: frozenset[str]) -> Resolver:
    """The resolver that the settings ask for; the system's takes names in `relative` as they are written.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a nameserver that does not parse.
    """
    if not settings.nameservers:
        return SystemResolver(relative)
    return NameserverResolver([_server(text) for text in settings.nameservers])


def _server(text: str) -> Nameserver:
    server = parse_nameserver(text)
    if server is None:
        raise WebError(Code.CONFIG_INVALID, f"fetch.nameservers: {text!r} is no address such as 9.9.9.9 or [::1]:53.")
    return server
