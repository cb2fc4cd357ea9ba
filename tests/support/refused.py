"""Where no redirect may lead: an address of every refused class, and ports, schemes, credentials and names."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_network

from webseam.net.special import BEYOND, METADATA, REGISTRY

PRIVATE: tuple[IPv4Address, ...] = tuple(
    map(IPv4Address, ("10.0.0.5", "100.64.0.1", "127.0.0.1", "169.254.169.254", "192.168.1.1", "224.0.0.1"))
)
"""What is hidden in the forms below."""


def _blocks() -> Iterator[tuple[str, str]]:
    """The last address of every block, which no block inside it holds."""
    for block, name, reachable in (*REGISTRY, *BEYOND):
        if not reachable:
            yield f"{name} {block}", str(ip_network(block)[-1])
    for block in METADATA:
        yield f"metadata {block}", str(ip_network(block)[0])


def _hidden() -> Iterator[tuple[str, str]]:
    """A refused IPv4 address in every form that carries one (RFC 4291, 6052, 3056, 4380, 5214, 2765)."""
    for address in PRIVATE:
        value = int(address)
        forms = {
            "mapped": 0xFFFF << 32 | value,
            "compatible": value,
            "translated": 0xFFFF << 48 | value,
            "NAT64": 0x64_FF9B << 96 | value,
            "6to4": 0x2002 << 112 | value << 80 | 1,
            "Teredo": 0x2001_0000 << 96 | 0x5DB8_D70E << 64 | (value ^ 0xFFFF_FFFF),
            "ISATAP": 0x2606_4700 << 96 | 0x0000_5EFE << 32 | value,
        }
        for name, number in forms.items():
            yield f"{name} of {address}", str(IPv6Address(number))


ADDRESSES: dict[str, str] = {**dict(_blocks()), **dict(_hidden())}
"""What it is -> the address."""

SCHEMES = (
    *("file:///etc/passwd", "ftp://a.example/", "gopher://a.example/_x", "dict://a.example/d:x", "ldap://a.example/"),
    *("data:text/html,x", "javascript:alert(1)", "about:blank", "blob:http://a.example/1", "ws://a.example/"),
    *("wss://a.example/", "view-source:http://a.example/", "jar:http://a.example/x!/", "mailto:a@a.example"),
)
CREDENTIALS = (
    *("http://user@a.example/b", "http://user:pw@a.example/b", "http://:pw@a.example/b", "//user:pw@a.example/b"),
    *(
        "/\\user:pw@a.example/b",
        "http:/\\%20@a.example/b",
        "https://user:pw@a.example/b",
        "http://a.example:80@b.test/",
    ),
)
NAMES = (
    *("localhost", "a.localhost", "LOCALHOST.", "%6cocalhost", "x.localdomain", "printer.local", "db.internal"),
    *("a.home.arpa", "x.onion", "x.alt", "x.invalid", "router.lan", "nas.home", "db.corp", "x.mail", "x.private"),
    *("x.intranet", "a.default.svc", "x.consul", "intranet", "nas", "metadata", "instance-data"),
    *("metadata.google.internal", "metadata.goog", "x.metadata.goog", "metadata.tencentyun.com"),
    *(
        "metadata.platformequinix.com",
        "metadata.packet.net",
        "metadata.service.consul",
        "\uff4c\uff4f\uff43\uff41\uff4c",
    ),
)
