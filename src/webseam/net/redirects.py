"""Where a redirect may lead: the same origin and the same site's own upgrades; everything else is handed back."""

import re
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import URL_CHARS
from webseam.core.url import DEFAULT_PORTS, Url, web_url

REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
"""RFC 9110 section 15.4: the ones with an automatic meaning; 300, 304, 305 and 306 are results (dsh-32)."""


_STRAY_BYTE: Final = re.compile("[\udc80-\udcff]")  # PEP 383


def next_hop(current: Url, status: int, location: str | None, *, followed: int, allowed: int) -> Url:
    """The URL of the next hop, before it is judged; the order of the checks is dsh-32's.

    Raises:
        WebError: `WEB_REDIRECT_BLOCKED` over the budget or for a Location that is too long, `WEB_PROVIDER_ERROR`
            without a Location, and what `web_url` raises for the target.
    """
    if followed >= allowed:
        raise WebError(
            Code.REDIRECT_BLOCKED,
            f"The page redirects more than {allowed} times; the last hop was not followed. Use another source, or "
            f"raise fetch.max_redirects.",
        )
    if location is None or not location.strip():
        raise WebError(
            Code.PROVIDER_ERROR,
            f"The server answered HTTP {status} without saying where to. Use another source.",
            retryable=False,
        )
    if len(location) > URL_CHARS:
        raise WebError(
            Code.REDIRECT_BLOCKED,
            f"The redirect's target has more than {URL_CHARS:,} characters; it was not followed. Use another source.",
        )
    target = web_url(_percent_encoded(location), base=current)
    if "#" not in target.href and current.fragment:  # RFC 9110 section 10.2.2; an empty one is one, too
        target = Url.parse(target.href + current.fragment)
    return target


def _percent_encoded(location: str) -> str:
    """Bytes that are no UTF-8 (the client hands them over as surrogates) as the octets they are, as browsers do."""
    return _STRAY_BYTE.sub(lambda found: f"%{ord(found[0]) - 0xDC00:02X}", location)


def refuse_foreign(current: Url, target: Url, visited: frozenset[str]) -> None:
    """Hand a redirect back that leaves the site or runs in a circle.

    Raises:
        WebError: `WEB_REDIRECT_BLOCKED` with the target, so that it can be asked for on its own.
    """
    if target.document in visited:
        raise WebError(
            Code.REDIRECT_BLOCKED,
            "The page redirects in a circle; it was not followed again. It may want cookies, which are never sent: use "
            "another source.",
        )
    if same_site(current, target):
        return
    why = "from https down to http" if _downgrades(current, target) else "to another site"
    raise WebError(
        Code.REDIRECT_BLOCKED,
        f"The page redirects {why}, which is not followed by itself. Fetch {target.href} instead.",
    )


def same_site(current: Url, target: Url) -> bool:
    """Same origin, or an upgrade http -> https and a step apex <-> `www.` on default ports."""
    if current.origin == target.origin:
        return True
    if _downgrades(current, target) or not (_on_default_port(current) and _on_default_port(target)):
        return False
    return current.name.removeprefix("www.") == target.name.removeprefix("www.")


def _downgrades(current: Url, target: Url) -> bool:
    return current.scheme == "https" and target.scheme == "http"


def _on_default_port(url: Url) -> bool:
    return DEFAULT_PORTS.get(url.scheme) == url.port
