"""Which requests go through a proxy, and what may be asked of it. Pure but for the one look-up that judges a name."""

from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Final, Self

from webseam.core.errors import Code, WebError
from webseam.core.settings import ProxySettings
from webseam.core.url import DEFAULT_PORTS, Url, ascii_host, in_domain
from webseam.net.addresses import Address, Network, parse_address

_EVERYTHING: Final = "*"


@dataclass(frozen=True, slots=True)
class Exempt:
    """One entry of `NO_PROXY`: a domain with its subdomains, an address, a network, or everything; perhaps one port."""

    domain: str | None = None
    network: Network | None = None
    port: int | None = None

    def covers(self, host: str, address: Address | None, port: int) -> bool:
        """Whether a request to this host and port goes past the proxy."""
        if self.port is not None and self.port != port:
            return False
        if self.network is not None:
            return address is not None and address.version == self.network.version and address in self.network
        return self.domain is None or (address is None and in_domain(host, self.domain))


def exempt(text: str) -> Exempt | None:
    """An entry as people write it; None for what is none of the forms.

    `example.com`, `.example.com` and `*.example.com` all mean the domain and its subdomains: one rule, where tools
    differ. `10.0.0.0/8`, `10.1.2.3`, `[::1]`, `::1` mean addresses in a URL; names are not looked up for them. Any of
    these may end in `:8080`. `*` means every host.
    """
    entry = text.strip()
    if entry == _EVERYTHING:
        return Exempt()
    network = _network(entry)
    if network is not None:
        return Exempt(network=network)
    host, port = _split(entry)
    if host == _EVERYTHING:
        return Exempt(port=port)
    network = _network(host)
    if network is not None:
        return Exempt(network=network, port=port)
    domain = ascii_host(host.removeprefix("*").removeprefix("."))
    return Exempt(domain=domain, port=port) if domain else None


def _split(entry: str) -> tuple[str, int | None]:
    host, colon, digits = entry.rpartition(":")
    if colon and digits.isascii() and digits.isdigit() and len(digits) <= 5 and not host.endswith(":"):  # noqa: PLR2004 - RFC 6335 section 6
        return host, int(digits)
    return entry, None


def _network(text: str) -> Network | None:
    try:
        return ip_network(text.strip("[]"), strict=False)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxies of one client.

    `trusted` says that the proxy alone resolves and judges names; else each name is looked up and judged here first.
    `section` is named in messages.
    """

    http: Url | None = field(default=None, repr=False)
    https: Url | None = field(default=None, repr=False)
    exempts: tuple[Exempt, ...] = ()
    trusted: bool = False
    section: str = "fetch"

    @classmethod
    def of(cls, settings: ProxySettings) -> Self:
        """The proxies of the settings.

        Entries of `no_proxy` that are none are passed over: environments hold what other tools understand.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a proxy that is no http(s) URL with a host.
        """
        read = (exempt(entry) for entry in settings.no_proxy)
        return cls(
            http=_proxy(settings.http, settings.section),
            https=_proxy(settings.https, settings.section),
            exempts=tuple(one for one in read if one is not None),
            trusted=settings.trusted,
            section=settings.section,
        )

    def choose(self, url: Url) -> Url | None:
        """The proxy for a request, or None for a direct one."""
        proxy = self.https if url.scheme == "https" else self.http
        if proxy is None:
            return None
        address = parse_address(url.host)
        return None if any(one.covers(url.name, address, url.port) for one in self.exempts) else proxy

    def described(self) -> str:
        """Which proxies these are, without user names and passwords: the same for the same way to the web."""
        places = [None if one is None else (one.scheme, one.name, one.port) for one in (self.http, self.https)]
        return repr((places, self.exempts, self.trusted))


def _proxy(text: str | None, section: str) -> Url | None:
    if not text:
        return None
    try:
        url = Url.parse(text if "://" in text else f"http://{text}")
    except WebError as exc:
        raise _bad(section) from exc
    if url.scheme not in DEFAULT_PORTS or not url.name:
        raise _bad(section)
    return url


def _bad(section: str) -> WebError:
    return WebError(
        Code.CONFIG_INVALID,
        f"{section}.proxy is no http or https URL of a proxy, such as http://proxy.example:3128. SOCKS is not spoken.",
    )
