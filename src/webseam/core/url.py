"""The one URL parser: WHATWG through can_ada, copied into a frozen value; nothing else decides what a URL means."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import can_ada

from webseam.core.errors import Code, WebError
from webseam.core.limits import URL_CHARS, URLS_REMEMBERED

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_LABEL_CHARS: Final = 63  # RFC 1035 section 2.3.4
_NAME_CHARS: Final = 253  # RFC 1035 section 2.3.4, without the root's dot
_NAME: Final = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}")
"""Letters, digits and hyphens (RFC 1123 section 2.1), and the underscore that real hosts have."""


@dataclass(frozen=True, slots=True)
class Url:
    """A parsed absolute URL; `href` is canonical and the only spelling that goes on.

    `host` is ASCII and lower case, IPv6 in brackets; `port` is the effective one, 0 where the scheme has none.
    `name` is the host as TLS and DNS want it: no brackets, no trailing dot.
    """

    href: str
    scheme: str
    host: str
    port: int
    path: str
    query: str
    fragment: str
    credentials: bool
    name: str

    @property
    def origin(self) -> str:
        """Scheme, host and port (RFC 6454), default ports left out; equal text is the same origin."""
        shown = "" if DEFAULT_PORTS.get(self.scheme) == self.port else f":{self.port}"
        return f"{self.scheme}://{self.host}{shown}"

    @property
    def document(self) -> str:
        """`href` without the fragment: what a server is asked for, and the key of a page."""
        return self.href.partition("#")[0]

    @staticmethod
    def parse(text: str, *, base: "Url | None" = None) -> "Url":
        """Parse `text`, relative to `base` where given.

        Raises:
            WebError: `WEB_INVALID_URL` for anything the WHATWG parser refuses.
        """
        if base is None and len(text) <= URL_CHARS:
            return _known(text)
        return _parsed(text, None if base is None else base.href)


@lru_cache(URLS_REMEMBERED)
def _known(text: str) -> Url:
    """The seam, the provider and the snapshot each parse the same URL within one call."""
    return _parsed(text, None)


def _parsed(text: str, base: str | None) -> Url:
    try:
        parsed = can_ada.parse(text) if base is None else can_ada.parse(base) + text
    except (ValueError, TypeError) as exc:  # TypeError: a lone surrogate, which argv can carry
        raise WebError(
            Code.INVALID_URL,
            "This is not a URL. Give an absolute http or https URL, such as https://example.com/.",
        ) from exc
    scheme, host = parsed.protocol[:-1], parsed.hostname
    return Url(
        href=parsed.href,
        scheme=scheme,
        host=host,
        port=int(parsed.port) if parsed.port else DEFAULT_PORTS.get(scheme, 0),
        path=parsed.pathname,
        query=parsed.search,
        fragment=parsed.hash,
        credentials=bool(parsed.username or parsed.password),
        name=host.strip("[]").removesuffix("."),
    )


def web_url(text: str, *, base: Url | None = None) -> Url:
    """A URL that may be asked of the web: at most 2,048 code points, http(s), no credentials, a possible host.

    The order of the checks is dsh-27's. Nothing is resolved and nothing is dialled.

    Raises:
        WebError: `WEB_INVALID_URL`, or `WEB_BLOCKED_URL` for credentials in the URL.
    """
    if len(text) > URL_CHARS:
        raise WebError(
            Code.INVALID_URL, f"The URL has {len(text):,} characters; at most {URL_CHARS:,} are sent. Shorten it."
        )
    return _checked(text) if base is None else _held_to_rules(Url.parse(text, base=base))


@lru_cache(URLS_REMEMBERED)
def _checked(text: str) -> Url:
    """The seam and the provider each check the same URL within one call."""
    return _held_to_rules(_known(text))


def _held_to_rules(url: Url) -> Url:
    if url.scheme not in DEFAULT_PORTS:
        raise WebError(Code.INVALID_URL, f"Only http and https URLs can be fetched, not {url.scheme[:20]!r}.")
    if url.credentials:
        raise WebError(
            Code.BLOCKED_URL, "The URL carries a user name or password, which is never sent. Take it out of the URL."
        )
    _check_name(url)
    return url


def _check_name(url: Url) -> None:
    """WHATWG lets host strings through that are no DNS names (RFC 1035): empty or over-long labels."""
    if url.host.startswith("["):
        return
    name = url.name
    labels = name.split(".")
    if not name or len(name) > _NAME_CHARS or any(not label or len(label) > _LABEL_CHARS for label in labels):
        raise WebError(Code.INVALID_URL, "The host of the URL is not a possible DNS name. Check its spelling.")


def is_web_url(text: str) -> bool:
    """Whether a vendor's result URL is an absolute http(s) URL with a host.

    Reads the parser directly: a `Url` for each hit of a search costs ten times as much (measured).
    """
    try:
        parsed = can_ada.parse(text)
    except (ValueError, TypeError):
        return False
    return parsed.protocol in ("http:", "https:") and bool(parsed.hostname)


def without_credentials(text: str) -> str:
    """A URL without its user name and password, canonical then; any other text as it is, to the letter.

    Nobody sends them, and `https://bank.example@elsewhere.example/` passes for a page that it does not lead to.
    """
    if "@" not in text:
        return text
    try:
        url = Url.parse(text)
    except WebError:
        return text
    return f"{url.origin}{url.path}{url.query}{url.fragment}" if url.credentials else text


def host_of(text: str) -> str | None:
    """ASCII host of a URL without a trailing dot, or None when it does not parse."""
    try:
        return Url.parse(text).name or None
    except WebError:
        return None


def ascii_host(text: str) -> str | None:
    """A host name in WHATWG ASCII form, without a trailing dot; None for what cannot be one, a port or `*` included.

    Both sides of every host comparison go through here (IDN, case, width and dot variants). WHATWG lets `.example.org`
    and `a.example,b.example` through, which no host has: such a rule would hold nothing back, and nobody would know.
    """
    bare = text.strip()
    if not bare or any(c in bare for c in "/?#@\\*") or (":" in bare and not bare.endswith("]")):
        return None
    try:
        url = Url.parse(f"http://{bare}/")
    except WebError:
        return None
    is_name = _NAME.fullmatch(url.name) is not None and len(url.name) <= _NAME_CHARS
    return url.name if is_name or url.host.startswith("[") else None


def in_domain(host: str, domain: str) -> bool:
    """Whether `host` is `domain` or a subdomain of it; both in ASCII form. The boundary is a dot."""
    return host == domain or host.endswith("." + domain)
