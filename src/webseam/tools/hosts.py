"""Lists of hosts as permission compares them: WHATWG ASCII form on both sides, whole labels, no port (R038)."""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.core.text import one_line
from webseam.core.url import ascii_host

ANY: Final = "*"
"""Stands for every host, and stands alone."""

_UNDER: Final = "*."
FORM: Final = 'host names such as docs.example, no scheme, no port; "*.docs.example" is its subdomains without itself'


@dataclass(frozen=True, slots=True)
class HostList:
    """Hosts by `names`, and those below the names in `under`; `every` holds any."""

    names: frozenset[str] = frozenset()
    under: frozenset[str] = frozenset()
    every: bool = False

    @staticmethod
    def allowing(entries: Iterable[str]) -> "HostList":
        """`a.test` is that host alone, `*.a.test` its subdomains alone, a lone `*` every host; no entry, none.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for an entry that could never match: such a rule would hold nothing.
        """
        given = tuple(entries)
        if given == (ANY,):
            return HostList(every=True)
        names, under = _parsed(given, "permission.allow_hosts")
        return HostList(names, under)

    @staticmethod
    def denying(entries: Iterable[str]) -> "HostList":
        """`a.test` is that host and its subdomains, `*.a.test` its subdomains alone.

        Raises:
            WebError: as for `allowing`.
        """
        names, under = _parsed(entries, "permission.deny_hosts")
        return HostList(names, under | names)

    def holds(self, name: str) -> bool:
        """Whether `name`, in ASCII form and without a trailing dot (`Url.name`), is one of them."""
        if self.every or name in self.names:
            return True
        return bool(self.under) and any(parent in self.under for parent in _parents(name))

    def within(self, other: "HostList") -> bool:
        """Whether every host of this list is one of `other`."""
        if self.every or other.every:
            return other.every
        return all(other.holds(name) for name in self.names) and all(
            name in other.under or other.holds_all_under(name) for name in self.under
        )

    def holds_all_under(self, name: str) -> bool:
        """Whether all subdomains of `name` are below one of `under`."""
        return any(parent in self.under for parent in _parents(name))


def embedded_address(name: str) -> str:
    """The IPv4 address at the end of an IPv6 one, which a translator leads to (RFC 6052); any other name itself."""
    if ":" not in name:
        return name
    return str(IPv4Address(IPv6Address(name).packed[-4:]))


def host_entry(text: str) -> str | None:
    """An entry in the form it is compared in; None for what no host could match."""
    bare = text.strip()
    wild = bare.startswith(_UNDER)
    name = ascii_host(bare.removeprefix(_UNDER))
    if name is None or (wild and _is_address(name)):
        return None
    return _UNDER + name if wild else name


def _parsed(entries: Iterable[str], setting: str) -> tuple[frozenset[str], frozenset[str]]:
    known = []
    for entry in entries:
        found = host_entry(entry)
        if found is None:
            raise WebError(Code.CONFIG_INVALID, f'{setting}: found "{one_line(entry, limit=60)}"; allowed: {FORM}.')
        known.append(found)
    wild = frozenset(one.removeprefix(_UNDER) for one in known if one.startswith(_UNDER))
    return frozenset(one for one in known if not one.startswith(_UNDER)), wild


def _is_address(name: str) -> bool:
    return name.startswith("[") or ":" in name or name.rpartition(".")[2].isdigit()


def _parents(name: str) -> Iterable[str]:
    while "." in name:
        name = name.partition(".")[2]
        yield name
