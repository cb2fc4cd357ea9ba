"""What HTTP caching allows a private cache (RFC 9111), as pure functions over status, headers and times.

Our requests are always a GET with the same few headers, all of which are in a page's key. So one answer is kept for a
key, `Vary` is kept to by the key alone, and `s-maxage`, `proxy-revalidate` and `Authorization` do not come up.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from webseam.core.limits import (
    PAGE_HEURISTIC_SECONDS,
    PAGE_LIFETIME_SECONDS,
    PAGE_NEGATIVE_SECONDS,
    VALIDATOR_CHARS,
)
from webseam.core.pages import Headers
from webseam.net.http_date import http_date

NOT_MODIFIED: Final = 304
_UNDERSTOOD_APART: Final = frozenset({206, NOT_MODIFIED})  # parts and confirmations: no answers of their own
_HEURISTIC: Final = frozenset({200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501})  # RFC 9110 section 15.1
_MISSING: Final = frozenset({404, 410})
_ERRORS: Final = 400
_SERVER_FAULTS: Final = frozenset({500, 502, 503, 504})  # RFC 5861 section 4
_HEURISTIC_SHARE: Final = 0.1  # RFC 9111 section 4.2.2
_DIGITS: Final = 10  # more than any honest time has; int() of a long string is quadratic

_NOT_KEPT: Final = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authentication-info",
        "proxy-authorization",
        "proxy-connection",
        "set-cookie",  # nothing here reads it, and it is nobody else's business
        "set-cookie2",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""RFC 9111 section 3.1."""
_OF_THE_BODY: Final = frozenset({"content-encoding", "content-length", "content-range", "content-type"})
"""What a 304 does not change (RFC 9111 section 3.2, RFC 9110 section 15.4.5)."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How long an answer is fresh, and how old it was when it came; seconds."""

    lifetime: float
    age: float


def storable(status: int, headers: Headers) -> bool:
    """Whether a complete answer to a GET may be kept (RFC 9111 section 3)."""
    told = directives(headers)
    if status in _UNDERSTOOD_APART or "no-store" in told or "*" in _members(headers, "vary"):
        return False
    explicit = not told.keys().isdisjoint({"public", "private", "max-age"}) or _first(headers, "expires") is not None
    return explicit or status in _HEURISTIC


def freshness(status: int, headers: Headers, *, requested: float, received: float) -> Freshness:
    """Lifetime and initial age (RFC 9111 sections 4.2.1 to 4.2.3).

    Args:
        status: of the answer.
        headers: of the answer.
        requested: when the request left, seconds since 1970.
        received: when the answer's headers were here.
    """
    date = http_date(_first(headers, "date"))
    made = received if date is None else date
    delay = max(0.0, received - requested)
    told = _seconds((_first(headers, "age") or "").partition(",")[0].strip()) or 0.0  # section 5.1
    age = max(0.0, received - made, told + delay)
    return Freshness(lifetime=_lifetime(status, headers, made), age=age)


def _lifetime(status: int, headers: Headers, made: float) -> float:
    told = directives(headers)
    if "no-cache" in told:  # with fields named, too: section 5.2.2.4 says that this is usual
        return 0.0
    explicit = _explicit(headers, made)
    if explicit is None:
        explicit = _guessed(status, headers, made, public="public" in told)
    if status >= _ERRORS:
        return min(explicit, PAGE_NEGATIVE_SECONDS)
    return explicit


def _explicit(headers: Headers, made: float) -> float | None:
    """What the server says; one that contradicts itself or says no number says zero (section 4.2.1)."""
    ages = [value for name, value in _directives(headers) if name == "max-age"]
    if ages:
        return 0.0 if len(set(ages)) > 1 else _seconds(ages[0]) or 0.0
    expires = [value for name, value in headers if name.lower() == "expires"]
    if not expires:
        return None
    until = http_date(expires[0]) if len(set(expires)) == 1 else None
    return 0.0 if until is None else min(max(0.0, until - made), PAGE_LIFETIME_SECONDS)


def _guessed(status: int, headers: Headers, made: float, *, public: bool) -> float:
    """Section 4.2.2."""
    if status in _MISSING:
        return PAGE_NEGATIVE_SECONDS
    changed = http_date(_first(headers, "last-modified"))
    if changed is None or not (public or status in _HEURISTIC):
        return 0.0
    return min(max(0.0, made - changed) * _HEURISTIC_SHARE, PAGE_HEURISTIC_SECONDS)


def may_be_stale(headers: Headers) -> bool:
    """Whether the server leaves it to us to use its answer beyond its time (section 4.2.4)."""
    return directives(headers).keys().isdisjoint({"must-revalidate", "no-cache"})


def is_server_fault(status: int) -> bool:
    """Whether an answer says that the server cannot answer now."""
    return status in _SERVER_FAULTS


# Asking again ------------------------------------------------------------------------------------------


def conditions(headers: Headers) -> dict[str, str]:
    """The headers that ask a server whether the kept answer still holds (section 4.3.1); empty where nothing can.

    A validator goes back only when it is short, printable ASCII.
    """
    asked = {"If-None-Match": _first(headers, "etag"), "If-Modified-Since": _first(headers, "last-modified")}
    return {name: value for name, value in asked.items() if value and _fit_to_send(value)}


def _fit_to_send(value: str) -> bool:
    return value.isascii() and value.isprintable() and len(value) <= VALIDATOR_CHARS


def confirms(kept: Headers, answer: Headers) -> bool:
    """Whether a 304 is about the kept answer (section 4.3.4): its own validator, where it names one, is the same."""
    tag = _first(answer, "etag")
    if tag is not None:
        return _weak(tag) == _weak(_first(kept, "etag") or "")
    changed = _first(answer, "last-modified")
    return changed is None or changed == _first(kept, "last-modified")


def _weak(tag: str) -> str:
    """For the weak comparison of RFC 9110 section 8.8.3.2, which `If-None-Match` takes."""
    return tag.strip().removeprefix("W/")


def confirmed(kept: Headers, answer: Headers) -> Headers:
    """The kept headers as a 304 has updated them (section 3.2)."""
    fresh = tuple((name, value) for name, value in kept_headers(answer) if name.lower() not in _OF_THE_BODY)
    replaced = {name.lower() for name, _ in fresh}
    return tuple((name, value) for name, value in kept if name.lower() not in replaced) + fresh


def kept_headers(headers: Iterable[tuple[str, str]]) -> Headers:
    """Headers without those of the connection (section 3.1), what `Connection` lists included, and cookies."""
    given = tuple(headers)
    listed = _NOT_KEPT | _members(given, "connection")
    return tuple((name, value) for name, value in given if name.lower() not in listed)


# Fields ------------------------------------------------------------------------------------------------

_DIRECTIVE: Final = re.compile(r'([^\s,=";]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]*))?')  # linear: section 5.2


def directives(headers: Headers) -> dict[str, str]:
    """Cache-Control directives by lower-case name; a directive that stands twice counts as it stood first."""
    found: dict[str, str] = {}
    for name, value in _directives(headers):
        found.setdefault(name, value)
    return found


def _directives(headers: Headers) -> list[tuple[str, str]]:
    """Every directive of every line: names are case-insensitive, values may be quoted; stray marks are passed over."""
    line = ", ".join(value for name, value in headers if name.lower() == "cache-control")
    return [(match[1].lower(), (match[2] or "").strip('"')) for match in _DIRECTIVE.finditer(line)]


def _first(headers: Headers, name: str) -> str | None:
    return next((value.strip() for key, value in headers if key.lower() == name), None)


def _members(headers: Headers, name: str) -> frozenset[str]:
    """A list field's members, lower-case (RFC 9110 section 5.6.1)."""
    lines = (value for key, value in headers if key.lower() == name)
    return frozenset(member.strip().lower() for line in lines for member in line.split(","))


def _seconds(text: str | None) -> float | None:
    """Delta-seconds (section 1.2.2); None for what is none."""
    if not text or not (text.isascii() and text.isdigit()):
        return None
    if len(text.lstrip("0")) > _DIGITS:
        return PAGE_LIFETIME_SECONDS
    return min(float(text), PAGE_LIFETIME_SECONDS)
