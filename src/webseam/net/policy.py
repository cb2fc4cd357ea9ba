"""Address policy: host and port rules before a name is resolved, and the judgement of every answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv6Network, ip_network
from typing import Final, Self

from webseam.core.errors import Code, WebError
from webseam.core.settings import FetchSettings
from webseam.core.url import Url, ascii_host
from webseam.net.addresses import Address, Network, Refusal, parse_address
from webseam.net.nat64 import refusal_behind

_METADATA_NAMES: Final = (
    "metadata.google.internal",
    "metadata.goog",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata.tencentyun.com",
    "metadata.platformequinix.com",
    "metadata.packet.net",
    "metadata.service.consul",
    "metadata",
)
"""Names that only reach a platform's credentials; no setting opens them."""

_LOCAL_SUFFIXES: Final = (
    "localhost",  # RFC 6761
    "localdomain",
    "local",  # RFC 6762
    "internal",  # ICANN board, 2024-07-29
    "home.arpa",  # RFC 8375
    "onion",  # RFC 7686
    "alt",  # RFC 9476
    "invalid",  # RFC 6761
    "lan",
    "home",  # ICANN collision study, 2014: never delegated, as corp and mail
    "corp",
    "mail",
    "private",
    "intranet",
    "svc",  # Kubernetes
    "consul",
)
"""Top labels that never name a public host."""

_UNDER_METADATA: Final = tuple(f".{name}" for name in _METADATA_NAMES)
_UNDER_LOCAL: Final = tuple(f".{name}" for name in _LOCAL_SUFFIXES)

BAD_PORTS: Final = frozenset(
    (
        *(0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104),
        *(109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515),
        *(526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049),
        *(3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
    )
)
"""Ports of other protocols (Fetch Standard, "bad port"): an HTTP request there is an attack on something else."""


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """What may be dialled: public addresses, and the exceptions an operator named; metadata never."""

    networks: tuple[Network, ...] = ()
    hosts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, settings: FetchSettings) -> Self:
        """The policy of the settings.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a network or host that does not parse.
        """
        return cls(
            tuple(_network(text) for text in settings.private_networks),
            frozenset(_host(text) for text in settings.private_hosts),
        )

    def check_target(self, url: Url) -> Address | None:
        """Host and port rules of one hop; returns the address when the host is a literal.

        Raises:
            WebError: `WEB_BLOCKED_URL`, before any name is resolved.
        """
        if url.port in BAD_PORTS:
            raise WebError(
                Code.BLOCKED_URL,
                f"Port {url.port} belongs to another protocol and is never fetched from. Use the site's web port.",
            )
        address = parse_address(url.host)
        if address is not None:
            self.judge(url.name, address)
            return address
        self._check_name(url.name)
        return None

    def judge(self, host: str, address: Address, nat64: tuple[IPv6Network, ...] = ()) -> None:
        """Refuse an address that is neither public nor excepted for `host`.

        Args:
            host: name or literal.
            address: what would be dialled.
            nat64: prefixes by which the network translates; behind them the IPv4 address counts.

        Raises:
            WebError: `WEB_BLOCKED_URL` naming the class of the address and the setting, never the address.
        """
        verdict = refusal_behind(address, nat64)
        if verdict is None or (verdict.liftable and self._excepted(host, address, verdict.inside)):
            return
        raise WebError(Code.BLOCKED_URL, _reason(verdict))

    def judge_all(self, host: str, addresses: Iterable[Address], nat64: tuple[IPv6Network, ...] = ()) -> None:
        """Judge every answer of one look-up; one that is refused refuses the set (dsh-41)."""
        for address in addresses:
            self.judge(host, address, nat64)

    def _excepted(self, host: str, *judged: Address | None) -> bool:
        if host in self.hosts:
            return True
        return any(
            one is not None and one.version == block.version and one in block
            for block in self.networks
            for one in judged
        )

    def _check_name(self, name: str) -> None:
        if name in _METADATA_NAMES or name.endswith(_UNDER_METADATA):
            raise WebError(
                Code.BLOCKED_URL, f"The host names a cloud metadata service, which is never fetched from. {_FINAL}"
            )
        if name in self.hosts:
            return
        if "." not in name:
            raise WebError(Code.BLOCKED_URL, f"The host has no dot, so it is a local name. {_HOSTS_REMEDY}")
        if name.endswith(_UNDER_LOCAL):
            raise WebError(Code.BLOCKED_URL, f"The host is a special or private name. {_HOSTS_REMEDY}")


_FINAL: Final = "No setting opens it; use another source."
_HOSTS_REMEDY: Final = "If it is yours and should be reachable, list it in fetch.private_hosts."


def _reason(verdict: Refusal) -> str:
    said = f"The host is, or resolves to, {verdict.name} address ({verdict.block}), not a public one."
    if not verdict.liftable:
        return f"{said} {_FINAL}"
    return f"{said} If it is yours and should be reachable, add its range to fetch.private_networks."


def _network(text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError as exc:
        raise WebError(
            Code.CONFIG_INVALID, f"fetch.private_networks: {text!r} is not a network such as 10.0.0.0/8."
        ) from exc


def _host(text: str) -> str:
    host = ascii_host(text)
    if host is None:
        raise WebError(Code.CONFIG_INVALID, f"fetch.private_hosts: {text!r} is not a host name.")
    return host
