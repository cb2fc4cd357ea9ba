"""Who may speak to the server over HTTP: by Host, Origin and bearer token, before a body is read."""

import hmac
import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, Protocol

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_LOCAL: Final = "localhost"
_SCHEME: Final = "bearer"
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[1-9][0-9]{0,4})?", re.ASCII)
_ORIGIN: Final = re.compile(rf"https?://{_HOST.pattern}", re.ASCII)


class Fields(Protocol):
    """Header fields, by names in lower case."""

    def getlist(self, name: str, /) -> Sequence[str]:
        """All values of a name."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """What a request must show.

    A page in a browser reaches a server on the same machine under a name of its own (DNS rebinding), and says in
    `Origin` where it comes from. So the Host is this machine, an address, or one of `hosts`; an Origin is this machine,
    the Host itself, or one of `hosts`. Ports do not count.

    Args:
        token: what `Authorization: Bearer` must hold; without one nothing is asked for.
        hosts: further names under which this server is reached, in lower case.
    """

    token: str | None = field(default=None, repr=False)
    hosts: frozenset[str] = frozenset()

    def refusal(self, headers: Headers) -> Response | None:
        """Why this request is turned away; None when it may pass."""
        turned_away = self.turned_away(headers)
        if turned_away == "host":
            return Response("This Host is not allowed. Name it with --allow-host.\n", status_code=403)
        if turned_away == "origin":
            return Response("This Origin is not allowed.\n", status_code=403)
        if self.token is not None and not _same(_bearer(_only(headers, "authorization")), self.token):
            challenge = {"WWW-Authenticate": 'Bearer realm="webseam"'}
            return Response("A bearer token is needed.\n", status_code=401, headers=challenge)
        return None

    def turned_away(self, headers: Fields) -> Literal["host", "origin"] | None:
        """Which header a request may not come with; None when both are as they must be."""
        return _turned_away(self.hosts, _only(headers, "host"), tuple(headers.getlist("origin")))


@lru_cache(maxsize=16)
def _turned_away(hosts: frozenset[str], host: str | None, origins: tuple[str, ...]) -> Literal["host", "origin"] | None:
    """See `Door.turned_away`; nearly all requests come under the same few names."""
    name = _name_of(host, _HOST)
    if name is None or not (_is_ours(name, hosts) or _is_address(name)):
        return "host"
    foreign = origins and not (len(origins) == 1 and _may_come_from(origins[0], name, hosts))
    return "origin" if foreign else None


def _is_ours(name: str, hosts: frozenset[str]) -> bool:
    return is_local(name) or name in hosts


def _may_come_from(origin: str, host: str, hosts: frozenset[str]) -> bool:
    name = _name_of(origin, _ORIGIN)
    return name is not None and (name == host or _is_ours(name, hosts))


class Guarded:
    """An ASGI application behind a door."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the application answer."""
        refusal = self._door.refusal(Headers(scope=scope)) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)


def is_local(name: str) -> bool:
    """Whether a host of a URL is this machine: `localhost` or a loopback address."""
    return name == _LOCAL or (_is_address(name) and ipaddress.ip_address(name.strip("[]")).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _name_of(header: str | None, form: re.Pattern[str]) -> str | None:
    """The host in a header, in lower case and without its last dot; None where it is not of that form."""
    found = form.fullmatch((header or "").lower())
    return None if found is None else found[1].removesuffix(".")


def _only(headers: Fields, name: str) -> str | None:
    """A header that stands once."""
    found = headers.getlist(name)
    return found[0] if len(found) == 1 else None


def _bearer(header: str | None) -> str:
    scheme, _, token = (header or "").partition(" ")
    return token.strip() if scheme.lower() == _SCHEME else ""


def _same(given: str, token: str) -> bool:
    """Compared in a time that tells nothing of the token."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode())
