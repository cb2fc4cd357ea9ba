"""Names to addresses: once per hop, bounded in time and number, judged as a set before anything is dialled."""

import asyncio
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, zip_longest
from typing import Final, Protocol

from webseam.core.errors import Code, WebError
from webseam.core.limits import ADDRESSES_DIALLED, ADDRESSES_JUDGED
from webseam.net.addresses import Address, parse_address

RESOLVER_THREADS: Final = 16
"""Look-ups at once: getaddrinfo cannot be cancelled, so its threads are counted and its own."""


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

    Names in `relative` are asked as written (an intranet name may live in the hosts file).
    """

    def __init__(self, relative: frozenset[str] = frozenset()) -> None:
        self._relative = relative
        self._threads: ThreadPoolExecutor | None = None

    async def resolve(self, host: str, /) -> Sequence[str]:
        """See `Resolver`."""
        asked = host if host in self._relative or "." not in host else f"{host}."
        if self._threads is None:
            self._threads = ThreadPoolExecutor(RESOLVER_THREADS, thread_name_prefix="webseam-dns")
        return await asyncio.get_running_loop().run_in_executor(self._threads, _ask, asked)

    def close(self) -> None:
        """Let the threads end; one that hangs in the system's resolver is not waited for."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None


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
        raise WebError(
            Code.FETCH_TIMEOUT, f"The name of the host did not resolve within {seconds:g} s. Try again."
        ) from exc
    except UnicodeError as exc:
        raise WebError(Code.INVALID_URL, "The host of the URL is not a possible DNS name.") from exc
    except OSError as exc:
        raise _unresolved(exc) from exc
    if len(answers) > ADDRESSES_JUDGED:
        raise WebError(Code.PROVIDER_ERROR, f"The name has more than {ADDRESSES_JUDGED} addresses; none was dialled.")
    addresses = tuple(parse_address(answer) for answer in answers)
    known = tuple(address for address in addresses if address is not None)
    if not known or len(known) != len(addresses):
        raise WebError(Code.PROVIDER_ERROR, "The resolver's answer for the host holds no usable address.")
    return known


def _unresolved(exc: OSError) -> WebError:
    again = isinstance(exc, socket.gaierror) and exc.errno == socket.EAI_AGAIN
    detail = "the resolver failed; try again" if again else "no such host is known; check the spelling"
    return WebError(Code.PROVIDER_ERROR, f"The host name did not resolve: {detail}.", retryable=again)


def dial_order(addresses: Sequence[Address]) -> tuple[Address, ...]:
    """At most four judged addresses, families interleaved from the first answer's on (RFC 8305 section 4)."""
    first = addresses[0].version
    same = [one for one in addresses if one.version == first]
    other = [one for one in addresses if one.version != first]
    mixed = (one for one in chain.from_iterable(zip_longest(same, other)) if one is not None)
    return tuple(dict.fromkeys(mixed))[:ADDRESSES_DIALLED]
