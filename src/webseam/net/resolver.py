"""Names to addresses: once per hop, bounded in time and number, judged as a set before anything is dialled."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, zip_longest
from threading import Thread
from typing import Final, Protocol

from webseam.core.errors import Code, WebError
from webseam.core.limits import ADDRESSES_DIALLED, ADDRESSES_JUDGED
from webseam.net.addresses import Address, parse_address
from webseam.net.fair_line import FairLines, site_of


class Resolver(Protocol):
    """Resolves a name to textual addresses, in the order of preference."""

    async def resolve(self, host: str, /) -> Sequence[str]:
        """All addresses of `host`.

        Raises:
            OSError: the name does not resolve; `socket.gaierror` where the system says so.
            UnicodeError: the name cannot be asked for.
        """
        ...


class SystemResolver:
    """The system's own resolver, asked for absolute names, so that no search domain applies.

    Each look-up has a thread of its own, which nothing can cancel: it holds its place in line until the system gives
    up, and keeps neither the process nor other sites waiting. Names in `relative` are asked as written (an intranet
    name may live in the hosts file).
    """

    def __init__(self, relative: frozenset[str] = frozenset()) -> None:
        self._relative = relative
        self._lines = FairLines()

    async def resolve(self, host: str, /) -> Sequence[str]:
        """See `Resolver`."""
        asked = host if host in self._relative or "." not in host else f"{host}."
        loop = asyncio.get_running_loop()
        line = self._lines.here()
        site = site_of(host)
        await line.enter(site)
        found: asyncio.Future[tuple[str, ...]] = loop.create_future()
        arguments = (asked, loop, found, partial(line.leave, site))
        try:
            Thread(target=_ask_apart, args=arguments, name="webseam-dns", daemon=True).start()
        except RuntimeError as exc:
            line.leave(site)
            raise socket.gaierror(socket.EAI_AGAIN, "no thread is left for the look-up") from exc
        return await found


def _ask_apart(
    host: str, loop: asyncio.AbstractEventLoop, found: "asyncio.Future[tuple[str, ...]]", leave: Callable[[], None]
) -> None:
    tell: Callable[[], None]
    try:
        tell = partial(found.set_result, _ask(host))
    except Exception as exc:  # noqa: BLE001 - it belongs to whoever awaits the answer
        tell = partial(found.set_exception, exc)
    with contextlib.suppress(RuntimeError):  # the loop is closed, so nobody waits and no line is kept
        loop.call_soon_threadsafe(_end, found, tell, leave)


def _end(found: "asyncio.Future[tuple[str, ...]]", tell: Callable[[], None], leave: Callable[[], None]) -> None:
    leave()
    if not found.done():
        tell()


def _ask(host: str) -> tuple[str, ...]:
    rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(row[4][0]) for row in rows))


async def look_up(resolver: Resolver, host: str, seconds: float) -> tuple[Address, ...]:
    """All answers for `host` within `seconds`.

    Raises:
        WebError: `WEB_PROVIDER_ERROR` when it does not resolve to addresses, `WEB_INVALID_URL` when it cannot be
            asked for, `WEB_FETCH_TIMEOUT` when the resolver does not answer.
    """
    try:
        async with asyncio.timeout(seconds):
            answers = await resolver.resolve(host)
    except TimeoutError as exc:
        raise WebError(Code.FETCH_TIMEOUT, f"The name {host} did not resolve within {seconds:g} s. Try again.") from exc
    except UnicodeError as exc:
        raise WebError(Code.INVALID_URL, "The host of the URL is not a possible DNS name.") from exc
    except OSError as exc:
        raise _unresolved(host, exc) from exc
    if len(answers) > ADDRESSES_JUDGED:
        raise WebError(Code.PROVIDER_ERROR, f"The name has more than {ADDRESSES_JUDGED} addresses; none was dialled.")
    addresses = tuple(parse_address(answer) for answer in answers)
    known = tuple(address for address in addresses if address is not None)
    if not known or len(known) != len(addresses):
        raise WebError(Code.PROVIDER_ERROR, "The resolver's answer for the host holds no usable address.")
    return known


_ABSENT: Final = frozenset(
    getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA", "EAI_ADDRFAMILY") if hasattr(socket, name)
)
"""What says that there is no such name, or no address of it; any other number says that nobody could tell."""


def _unresolved(host: str, exc: OSError) -> WebError:
    again = exc.errno is not None and exc.errno not in _ABSENT
    detail = "the resolver failed; try again" if again else "no such host is known; check its spelling, or the network"
    return WebError(Code.PROVIDER_ERROR, f"The name {host} did not resolve: {detail}.", retryable=again)


def dial_order(addresses: Sequence[Address]) -> tuple[Address, ...]:
    """At most four judged addresses, families interleaved from the first answer's on (RFC 8305 section 4)."""
    first = addresses[0].version
    same = [one for one in addresses if one.version == first]
    other = [one for one in addresses if one.version != first]
    mixed = (one for one in chain.from_iterable(zip_longest(same, other)) if one is not None)
    return tuple(dict.fromkeys(mixed))[:ADDRESSES_DIALLED]
