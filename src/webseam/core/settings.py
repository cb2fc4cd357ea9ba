"""Plain settings of the rooms, as values with defaults; wiring fills them from configuration."""

from dataclasses import dataclass, field
from typing import Literal

from webseam.core import limits
from webseam.core.types import NO_CONTROLS, SearchControls


@dataclass(frozen=True, slots=True, kw_only=True)
class SeamSettings:
    """Policy of the seam. Seconds and counts.

    `default_controls` hold for every search: a request's own country, language and dates win, excluded domains add
    up, the stricter safe search holds, and included domains are pinned (a request may only narrow within them).
    """

    search_seconds: float = limits.SEARCH_SECONDS
    fetch_seconds: float = limits.FETCH_SECONDS
    extract_seconds: float = limits.EXTRACT_SECONDS
    max_results: int = limits.SEARCH_MAX_RESULTS
    ungrounded: Literal["label", "error"] = "label"
    controls: Literal["strict", "lenient"] = "strict"
    default_controls: SearchControls = NO_CONTROLS


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxySettings:
    """Proxies: URLs, which may hold a user name and password, and the hosts that are reached directly.

    `trusted` leaves looking names up and judging their addresses to the proxy. `section` is the one of the
    configuration that holds the settings, for messages.
    """

    http: str | None = field(default=None, repr=False)
    https: str | None = field(default=None, repr=False)
    no_proxy: tuple[str, ...] = ()
    trusted: bool = False
    section: Literal["fetch", "search"] = "fetch"


NO_PROXY = ProxySettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Policy and limits of fetching; the URL rules themselves are not negotiable.

    A PDF or office document has `max_pdf_bytes`, every other body `max_bytes`.
    `private_networks` (CIDR) and `private_hosts` (names that may resolve there) never open metadata addresses.
    `nameservers` (`ip` or `ip:port`) are asked for names instead of the system's resolver.
    `robots` says which calls keep to a site's robots.txt: none, all, or those that no person asked for
    (`Call.autonomous`).
    `cache` keeps pages as their servers allow (RFC 9111): not at all, in this process, in a file in the data folder, or
    on the server that a fleet shares.
    A kept page stands in for a server that cannot be asked up to `stale_if_error` seconds beyond its time, and says so.
    """

    max_bytes: int = limits.FETCH_BYTES
    max_pdf_bytes: int = limits.PDF_BYTES
    max_redirects: int = limits.MAX_REDIRECTS
    dns_seconds: float = limits.DNS_SECONDS
    connect_seconds: float = limits.CONNECT_SECONDS
    private_networks: tuple[str, ...] = ()
    private_hosts: tuple[str, ...] = ()
    nameservers: tuple[str, ...] = ()
    images: bool = False
    ca_bundle: str | None = None
    robots: Literal["off", "on", "autonomous"] = "autonomous"
    proxy: ProxySettings = NO_PROXY
    cache: Literal["off", "memory", "disk", "fleet"] = "off"
    stale_if_error: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """What the model sees. Characters are Unicode code points.

    `fetch_tokens` and `search_tokens` bound an answer in estimated tokens besides; 0 leaves that out. What bounds an
    answer of `web_fetch` bounds one of `web_extract` too. `fetch_engine` tells main content apart where
    `fetch_view` asks for that; "trafilatura" needs the extra `main`.
    """

    search: bool = True
    fetch: bool = True
    extract: bool = False
    max_queries: int = 1
    search_controls: tuple[str, ...] = ()
    fetch_arguments: tuple[str, ...] = ("url", "offset", "find")
    fetch_view: Literal["page", "main"] = "page"
    fetch_engine: Literal["own", "trafilatura"] = "own"
    fetch_chars: int = limits.FETCH_ANSWER_CHARS
    fetch_tokens: int = 0
    search_chars: int = limits.SEARCH_ANSWER_CHARS
    search_tokens: int = 0
    snippet_chars: int = limits.SEARCH_SNIPPET_CHARS
    search_notice: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionSettings:
    """What a run may search for and fetch; see `webseam.Permission`, which holds to it.

    `search` is for every query, `fetch` for every page, `unseen` for pages whose URL the run has not seen, `flagged`
    for URLs and queries with long parts that look like data. "ask" with nobody to ask is a denial.

    `allow_hosts` is exclusive: a host itself (`docs.example`), its subdomains without itself (`*.docs.example`), or
    `*` alone, which is every host; empty is none. `deny_hosts` come first, and hold for their subdomains too.
    `max_query_chars` bounds the query string of a URL that the run has not seen. `max_calls` and `max_cost`, in US
    dollars, are for one run; 0 is no bound. A cost that is not reported counts as a call only, so `max_cost` needs
    `max_calls`.
    """

    search: Literal["allow", "ask", "deny"] = "allow"
    fetch: Literal["allow", "ask", "deny"] = "allow"
    unseen: Literal["allow", "ask", "deny"] = "allow"
    flagged: Literal["allow", "ask", "deny"] = "allow"
    allow_hosts: tuple[str, ...] = ("*",)
    deny_hosts: tuple[str, ...] = ()
    max_query_chars: int = limits.URL_CHARS
    max_calls: int = 0
    max_cost: float = 0.0
