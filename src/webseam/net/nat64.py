"""NAT64: an IPv6 address that a translator turns into IPv4 is judged by the IPv4 address inside (RFC 6052, RFC 7050).

A network's own prefix is learned from its resolver, once for a while, and only before an IPv6 address is dialled.
Without it such an address would look public, or private, for what the prefix is and not for where it leads.
"""

import asyncio
import socket
import time
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from typing import Final

from webseam.core.limits import NAT64_KEPT_SECONDS, NAT64_PREFIXES, NAT64_RETRY_SECONDS, NAT64_SECONDS
from webseam.net.addresses import Address, Refusal, is_metadata, parse_address, refusal, refusal_of_inside
from webseam.net.resolver import Resolver

DISCOVERY_NAME: Final = "ipv4only.arpa"
"""Has IPv4 addresses only; an IPv6 answer was made by the network's DNS64 (RFC 7050 section 3)."""

_KNOWN: Final = frozenset((IPv4Address("192.0.0.170"), IPv4Address("192.0.0.171")))  # RFC 7050 section 2.2
_LENGTHS: Final = (96, 64, 56, 48, 40, 32)  # RFC 6052 section 2.2
_WHOLE: Final = 96
_UNIQUE_LOCAL: Final = IPv6Network("fc00::/7")
_GROUNDS: Final = (IPv6Network("2000::/3"), IPv6Network("64:ff9b::/32"), _UNIQUE_LOCAL)
"""Where a prefix may lie: loopback, link-local and multicast addresses never lead to a translator."""


def embedded(address: IPv6Address, length: int) -> IPv4Address:
    """The IPv4 address behind a prefix of `length` bits; bits 64 to 71 are never part of it."""
    value = int(address)
    if length == _WHOLE:
        return IPv4Address(value & 0xFFFFFFFF)
    joined = (value >> 64 << 56) | (value & 0x00FFFFFFFFFFFFFF)  # the 120 bits without the octet between
    return IPv4Address((joined >> (88 - length)) & 0xFFFFFFFF)


def prefixes_in(answers: Iterable[Address]) -> tuple[IPv6Network, ...]:
    """The prefixes by which a network translates, from its answers for the discovery name.

    An answer in which a known address stands at several places tells nothing (RFC 7050 section 3). A unique local
    prefix counts when it is as narrow as can be, so that it opens no more of a private network than the translator.
    """
    found: dict[IPv6Network, None] = {}
    for answer in answers:
        if isinstance(answer, IPv6Address) and (prefix := _prefix_of(answer)) is not None:
            found[prefix] = None
    return tuple(found)[:NAT64_PREFIXES]


def _prefix_of(answer: IPv6Address) -> IPv6Network | None:
    lengths = [length for length in _LENGTHS if embedded(answer, length) in _KNOWN]
    if len(lengths) != 1 or (int(answer) >> 56) & 0xFF:
        return None
    if answer in _UNIQUE_LOCAL and lengths[0] != _WHOLE:
        return None
    if not any(answer in ground for ground in _GROUNDS):
        return None
    return IPv6Network((answer, lengths[0]), strict=False)


def refusal_behind(address: Address, prefixes: tuple[IPv6Network, ...]) -> Refusal | None:
    """As `addresses.refusal`, where `prefixes` lead to IPv4."""
    if not isinstance(address, IPv6Address) or is_metadata(address):
        return refusal(address)
    for prefix in prefixes:
        if address in prefix:
            return refusal_of_inside("NAT64", embedded(address, prefix.prefixlen))
    return refusal(address)


class Nat64:
    """The prefixes of the network that one event loop runs in.

    Args:
        now: monotonic seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._asking = asyncio.Lock()
        self._known: tuple[IPv6Network, ...] = ()
        self._until: float | None = None

    async def prefixes(self, resolver: Resolver, addresses: Iterable[Address]) -> tuple[IPv6Network, ...]:
        """What is known, asked for anew when it is old; nothing is asked where none of `addresses` is IPv6.

        When the resolver does not answer, what was known holds until the next try; in the beginning that is nothing.
        """
        if not any(address.version == 6 for address in addresses):  # noqa: PLR2004 - the protocol's number
            return ()
        async with self._asking:
            if self._until is None or self._now() >= self._until:
                kept = NAT64_KEPT_SECONDS if await self._discover(resolver) else NAT64_RETRY_SECONDS
                self._until = self._now() + kept
            return self._known

    async def _discover(self, resolver: Resolver) -> bool:
        try:
            async with asyncio.timeout(NAT64_SECONDS):
                answers = await resolver.resolve(DISCOVERY_NAME)
        except (OSError, UnicodeError) as exc:  # TimeoutError too
            absent = isinstance(exc, socket.gaierror) and exc.errno == socket.EAI_NONAME
            self._known = () if absent else self._known
            return absent
        self._known = prefixes_in(one for one in map(parse_address, answers) if one is not None)
        return True
