"""Who may come in: by Host, Origin and token, before a body is read."""

import asyncio
import logging
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.surfaces.gateway.header_fields import HeaderFields
from webseam.surfaces.gateway.house import LOCAL
from webseam.surfaces.gateway.problems import GatewayCode, Problem
from webseam.surfaces.mcp.door import Door
from webseam.wiring.tenants import Holder
from webseam.wiring.token_book import TokenBook

_log = logging.getLogger("webseam")

_CHALLENGE: Final = 'Bearer realm="webseam"'
_MISSING: Final = "Send a token in `Authorization: Bearer`. Ask whoever runs this gateway for one."
_REFUSED: Final = "This token is not accepted: revoked, run out or unknown. Ask whoever runs this gateway for one."


class Entry:
    """The entry of one gateway.

    Args:
        book: the tokens. From the first one on every request needs one, whatever the address, and also after the last
            one is revoked, a new start included: a proxy on this machine would let everybody in.
        hosts: further names under which the gateway is reached, in lower case.
        open_here: whether requests need no token while there is none.
    """

    def __init__(self, book: TokenBook, *, hosts: frozenset[str], open_here: bool) -> None:
        self._book = book
        self._door = Door(hosts=hosts)
        self._open = open_here
        self._looked = False

    def check(self, headers: HeaderFields) -> None:
        """Hold a request to its Host and Origin; there is no CORS, so a page of another site gets nothing.

        Raises:
            Problem: `GATEWAY_HOST_REFUSED` or `GATEWAY_ORIGIN_REFUSED`.
        """
        turned_away = self._door.turned_away(headers)
        if turned_away == "host":
            raise Problem(GatewayCode.HOST_REFUSED, "This Host is not allowed. Name it in serve.hosts or --allow-host.")
        if turned_away == "origin":
            raise Problem(GatewayCode.ORIGIN_REFUSED, "A page of this Origin may not call the gateway.")

    def holder(self, headers: HeaderFields) -> Holder:
        """Whose request this is.

        Raises:
            Problem: `GATEWAY_UNAUTHORIZED`.
            WebError: `WEB_CONFIG_INVALID` when the tokens cannot be read; where they are and why is for the log alone.
        """
        given = _bearer(headers)
        try:
            holder = self._holder(given)
        except WebError as error:
            _log.error("%s", error.message)
            raise WebError(
                Code.CONFIG_INVALID, "The tokens of this gateway cannot be used; its log says why."
            ) from error
        if holder is None:
            told, message = ("", _MISSING) if given is None else (', error="invalid_token"', _REFUSED)
            raise Problem(GatewayCode.UNAUTHORIZED, message, headers=(("www-authenticate", _CHALLENGE + told),))
        return holder

    def _holder(self, given: str | None) -> Holder | None:
        self._look()
        if self._open and self._book.is_unused(looked=True):
            return LOCAL
        self._open = False
        return None if given is None else self._book.holder(given, looked=True)

    def _look(self) -> None:
        """Look at the tokens once for all requests of this turn of the loop: each had come before that look."""
        if not self._looked:
            self._book.look()
            self._looked = True
            asyncio.get_running_loop().call_soon(self._turned)

    def _turned(self) -> None:
        self._looked = False


def _bearer(headers: HeaderFields) -> str | None:
    """The token, where there is exactly one (RFC 6750 section 2.1)."""
    found = headers.getlist("authorization")
    scheme, _, token = (found[0] if len(found) == 1 else "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None
