"""How many MCP sessions of the handshake era are open, over all tokens of one gateway."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webseam.core.limits import (
    GATEWAY_REFUSED_RETRY_SECONDS,
    GATEWAY_SESSIONS,
    GATEWAY_TENANT_SESSIONS,
    MCP_SESSION_SECONDS,
)
from webseam.surfaces.gateway.header_fields import HeaderFields
from webseam.surfaces.gateway.problems import GatewayCode, Problem

_SESSION: Final = "mcp-session-id"
_VERSION: Final = "mcp-protocol-version"
_FAILED: Final = 400
_UNKNOWN: Final = 404


@dataclass(slots=True)
class _Open:
    """A session, or one that is about to be: whose it is, when it was used last, and requests of it that run."""

    token: str
    tenant: str
    used: float
    running: int = 1


class Sessions:
    """Sees each request for MCP and its answer, and lets no session begin where there are as many as may be.

    The transport ends sessions and tells nobody. So one counts as over when it was ended by its client, when the
    transport does not know it, and when it has rested for as long as the transport lets it: never too early.

    Args:
        most: how many may be open.
        most_each: how many of one tenant.
        clock: monotonic seconds.
    """

    def __init__(
        self,
        *,
        most: int = GATEWAY_SESSIONS,
        most_each: int = GATEWAY_TENANT_SESSIONS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = most
        self._most_each = most_each
        self._clock = clock
        self._open: dict[str, _Open] = {}
        self._beginning: dict[int, _Open] = {}

    @property
    def held(self) -> int:
        """How many are open, or were when they were last heard of."""
        return len(self._open) + len(self._beginning)

    async def answer(
        self, app: ASGIApp, scope: Scope, receive: Receive, send: Send, *, token: str, tenant: str
    ) -> None:
        """Have `app` answer a request of this token.

        Raises:
            Problem: it would open a session too many.
        """
        headers = HeaderFields(scope["headers"])
        number = headers.get(_SESSION, "")
        own = self._open.get(number)
        if own is not None:
            own.running += 1
        elif not number and scope["method"] == "POST" and headers.get(_VERSION, "") not in MODERN_PROTOCOL_VERSIONS:
            own = self._begun(token, tenant)

        async def noted(message: Message) -> None:
            if own is not None and message["type"] == "http.response.start":
                self._told(own, number, scope["method"], message)
            await send(message)

        try:
            await app(scope, receive, noted)
        finally:
            if own is not None:
                own.used, own.running = self._clock(), own.running - 1
                self._beginning.pop(id(own), None)

    def left(self, token: str) -> None:
        """All sessions of a token end."""
        self._open = {number: one for number, one in self._open.items() if one.token != token}

    def _begun(self, token: str, tenant: str) -> _Open:
        if self._is_full(tenant):
            self._drop_rested()
            if self._is_full(tenant):
                raise Problem(
                    GatewayCode.BUSY,
                    "So many MCP sessions are open already that no other one is begun. End those that are not used.",
                    retry_after=GATEWAY_REFUSED_RETRY_SECONDS,
                )
        own = _Open(token, tenant, self._clock())
        self._beginning[id(own)] = own
        return own

    def _is_full(self, tenant: str) -> bool:
        each = (one.tenant == tenant for group in (self._open, self._beginning) for one in group.values())
        return self.held >= self._most or sum(each) >= self._most_each

    def _drop_rested(self) -> None:
        since = self._clock() - MCP_SESSION_SECONDS
        self._open = {number: one for number, one in self._open.items() if one.running or one.used > since}

    def _told(self, own: _Open, number: str, method: str, start: Message) -> None:
        """What the head of an answer tells of the session."""
        status: int = start["status"]
        if number:
            if status == _UNKNOWN or (method == "DELETE" and status < _FAILED):
                self._open.pop(number, None)
        elif status < _FAILED and (opened := HeaderFields(start.get("headers", ())).get(_SESSION, "")):
            self._beginning.pop(id(own), None)
            self._open[opened] = own
