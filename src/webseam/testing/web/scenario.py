"""One row of the hostile web: what a server does, and what a caller of `web_fetch` must get."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from webseam.core.errors import Code
from webseam.core.limits import FETCH_BYTES
from webseam.testing.web.certificates import Certificate
from webseam.testing.web.plays import Play
from webseam.testing.web.relays import Relay

SITE: Final = "site.test"
ADDRESS: Final = "93.184.215.14"
"""What every name of the site resolves to: a public address, as the guard asks for; it is never really dialled."""

PAGE: Final = "page"
"""A scenario that ends so gives a page; any other end is an error code."""

BLOCKED: Final = str(Code.BLOCKED_URL)
FAILED: Final = str(Code.PROVIDER_ERROR)
HANDED_BACK: Final = str(Code.REDIRECT_BLOCKED)
INVALID: Final = str(Code.INVALID_URL)
NO_TEXT: Final = str(Code.UNSUPPORTED_CONTENT_TYPE)
TIMEOUT: Final = str(Code.FETCH_TIMEOUT)
TOO_LARGE: Final = str(Code.FETCH_TOO_LARGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What a server does with each connection, and how a fetch of `url` must end.

    Attributes:
        id: of the list this web is made from; several rows may share one.
        what: the server's behaviour in a few words, unique under its id.
        play: the behaviour.
        ends: how it may end: `page`, or an error code; more than one where the network decides.
        says: stands in the page's text, or in the error's message.
        hides: never stands anywhere in what the caller gets.
        notes: codes of notes that the page carries.
        facts: of the structured result, by name; equal to these.
        cut: whether the body is cut at the cap, None for either.
        url: what is fetched.
        certificate: TLS on port 443 besides plain HTTP on port 80; None serves both ports plainly.
        relay: what stands before port 443.
        requests: most requests that the server may see.
        seconds: the caller's deadline.
        cap: bytes of a body.
    """

    id: str
    what: str
    play: Play
    ends: tuple[str, ...]
    says: str = ""
    hides: str = ""
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    cut: bool | None = False
    url: str = f"http://{SITE}/"
    certificate: Certificate | None = None
    relay: Relay | None = None
    requests: int = 2
    seconds: float = 10.0
    cap: int = FETCH_BYTES


def row(id: str, what: str, play: Play, end: str, says: str = "", **more: Any) -> Scenario:  # noqa: A002 - a field
    """A scenario on one line; where the network decides, its ends are joined by a bar: `page|WEB_PROVIDER_ERROR`."""
    return Scenario(id=id, what=what, play=play, ends=tuple(end.split("|")), says=says, **more)
