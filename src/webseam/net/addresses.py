"""Which addresses are public: a table of ours, embedded IPv4 judged in every form (not `ipaddress.is_global`)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from webseam.net.special import BEYOND, METADATA, REGISTRY

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an address is not public: the class and block it lies in, never the address itself.

    `liftable` is False for metadata addresses, which no setting opens. `inside` is what was judged in the place of an
    address that leads to it: an exception for it holds; never shown.
    """

    name: str
    block: str
    liftable: bool = True
    inside: IPv4Address | None = field(default=None, repr=False)


def _table(rows: Iterable[tuple[str, str, bool]]) -> tuple[tuple[Network, str, bool], ...]:
    parsed = [(ip_network(block), name, reachable) for block, name, reachable in rows]
    return tuple(sorted(parsed, key=lambda row: -row[0].prefixlen))


_BLOCKS: Final = _table((*REGISTRY, *BEYOND))
_METADATA: Final = tuple(ip_network(block) for block in METADATA)
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")  # all that IANA has delegated (RFC 4291 section 2.4)
_NAT64: Final = IPv6Network("64:ff9b::/96")  # RFC 6052 section 2.1
_ISATAP: Final = (0x00005EFE, 0x02005EFE)  # RFC 5214 section 6.1
_LOW_FORMS: Final = tuple(map(IPv6Network, ("::ffff:0:0/96", "::/96", "::ffff:0:0:0/96", "64:ff9b::/96")))


@lru_cache(maxsize=1024)
def parse_address(text: str) -> Address | None:
    """A literal without its scope id; None for what is no address. Brackets are taken off."""
    try:
        return ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def refusal(address: Address) -> Refusal | None:
    """Why `address` may not be dialled by default; None when it is public."""
    if is_metadata(address):
        return Refusal("a cloud metadata or link-local", _block_of(address), liftable=False)
    if isinstance(address, IPv4Address):
        return _listed(address)
    return _refused_v6(address)


def _refused_v6(address: IPv6Address) -> Refusal | None:
    if address in _NAT64:
        return refusal_of_inside("NAT64", IPv4Address(int(address) & 0xFFFFFFFF))
    listed = _listed(address)
    if listed is not None:
        return listed
    if address not in _GLOBAL_UNICAST:
        return Refusal("an unallocated", "outside 2000::/3")
    return _isatap(address)


def _isatap(address: IPv6Address) -> Refusal | None:
    low = int(address) & 0xFFFFFFFFFFFFFFFF
    if low >> 32 not in _ISATAP:
        return None
    return refusal_of_inside("ISATAP", IPv4Address(low & 0xFFFFFFFF))


def refusal_of_inside(form: str, inside: IPv4Address) -> Refusal | None:
    """The verdict on an address that leads to `inside`: that of `inside`, and its block, which a setting may open."""
    inner = refusal(inside)
    return None if inner is None else Refusal(f"{form} of {inner.name}", inner.block, inner.liftable, inside)


def _listed(address: Address) -> Refusal | None:
    for block, name, reachable in _BLOCKS:
        if block.version == address.version and address in block:
            return None if reachable else Refusal(_named(name), str(block))
    return None


def _named(name: str) -> str:
    """The registry's name as it stands before the word "address"."""
    plain = name.removesuffix(" Address Block").removesuffix(" Address").removesuffix(" address")
    if plain.startswith("This "):  # a sentence's subject, not an adjective
        return f'a "{plain}"'
    return f"{'an' if plain[0] in 'AEIOU' and not plain.startswith('Uni') else 'a'} {plain}"


def _block_of(address: Address) -> str:
    for block in _METADATA:
        if block.version == address.version and address in block and block.num_addresses > 1:
            return str(block)
    return "platform addresses"


@lru_cache(maxsize=4096)
def is_metadata(address: Address) -> bool:
    """Whether this is, or embeds in any form, an address that hands out a platform's credentials."""
    if any(block.version == address.version and address in block for block in _METADATA):
        return True
    if isinstance(address, IPv4Address):
        return False
    if any(is_metadata(inner) for inner in _wrapped(address)):
        return True
    return any(inner in _ENDPOINTS for inner in _translated(address))


_ENDPOINTS: Final = frozenset(
    map(
        IPv4Address,
        (
            "169.254.169.254",
            "169.254.170.2",
            "169.254.170.23",
            "168.63.129.16",
            "100.100.100.200",
            "192.0.0.192",
        ),
    )
)
"""The well-known endpoints, looked for at every place where an operator's NAT64 prefix may put an IPv4 address."""


def _wrapped(address: IPv6Address) -> Iterable[IPv4Address]:
    """The IPv4 address inside a well-known form: mapped, compatible, translated, NAT64, 6to4, Teredo."""
    if any(address in block for block in _LOW_FORMS):
        yield IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield address.teredo[1]


def _translated(address: IPv6Address) -> Iterable[IPv4Address]:
    """What stands at each place of RFC 6052 section 2.2; bits 64 to 71 are skipped by the translators."""
    value = int(address)
    yield IPv4Address(value & 0xFFFFFFFF)
    yield IPv4Address((value >> 64) & 0xFFFFFFFF)
    for prefix in (40, 48, 56, 64):
        before = 64 - prefix
        head = (value >> 64) & ((1 << before) - 1)
        tail = (value >> (24 + before)) & ((1 << (32 - before)) - 1)
        yield IPv4Address((head << (32 - before)) | tail)
