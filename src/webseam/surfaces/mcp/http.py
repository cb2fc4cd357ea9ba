"""MCP over streamable HTTP, by the SDK's own transport: an ASGI application, and a server for it."""

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from webseam.core.errors import Code, WebError
from webseam.core.limits import (
    MCP_IDLE_SECONDS,
    MCP_MESSAGE_BYTES,
    MCP_REQUEST_SECONDS,
    MCP_SESSION_SECONDS,
    MCP_SESSIONS,
    MCP_STOP_SECONDS,
)
from webseam.surfaces.mcp.door import Door, Guarded, is_local

PATH: Final = "/mcp"
TOKEN_CHARS_LEAST: Final = 16
"""A token shorter than this can be guessed: 16 characters of base64 are 96 bits."""


def asgi_app(server: Server[Any], *, door: Door) -> Starlette:
    """The server under `/mcp`, behind `door`, for one event loop and one lifespan.

    An application that mounts it must run its lifespan (`app.router.lifespan_context`): sessions live there. A message
    has at most 4 MiB.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MCP_MESSAGE_BYTES,
        session_idle_timeout=MCP_SESSION_SECONDS,
        max_sessions=MCP_SESSIONS,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # `door` does it
    )
    app.add_middleware(Guarded, door=door)
    return app


def bound(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the address cannot be bound, as when another program listens there.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio sets it on its own sockets alone
    except (OSError, OverflowError) as exc:
        raise WebError(
            Code.CONFIG_INVALID, f"{host}:{port} cannot be listened on ({_reason(exc)}). Choose another."
        ) from exc
    return listening


def _reason(exc: OSError | OverflowError) -> str:
    """The system's own words: `create_server` adds to them; a name that does not resolve has a negative number."""
    number = getattr(exc, "errno", None)
    return os.strerror(number) if number is not None and number > 0 else getattr(exc, "strerror", None) or str(exc)


def check_open(host: str, token: str | None) -> None:
    """Other machines need a token.

    Raises:
        WebError: `INVALID_ARGS` without one, or for one that can be guessed.
    """
    if token is None and not is_local(host):
        raise WebError(
            Code.INVALID_ARGS,
            f"{host} can be reached from other machines, so it needs a bearer token. Give --token-file or set "
            "WEBSEAM_MCP_TOKEN, or listen on 127.0.0.1.",
        )
    if token is not None and (len(token) < TOKEN_CHARS_LEAST or not token.isascii() or not token.isprintable()):
        raise WebError(
            Code.INVALID_ARGS,
            f"A bearer token has at least {TOKEN_CHARS_LEAST} printable ASCII characters. Make one with "
            "`openssl rand -base64 24`.",
        )


def url_of(listening: socket.socket) -> str:
    """Where clients find the server."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}"


class Prompt(H11Protocol):
    """A connection that is closed when a request is not whole in its time: one that trickles in holds it no longer."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._judge()

    def data_received(self, data: bytes) -> None:
        """Wait on, unless the request is whole now."""
        super().data_received(data)
        self._judge()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._stop()

    def _judge(self) -> None:
        if self.cycle is not None and not (self.cycle.response_complete or self.cycle.more_body):  # type: ignore[redundant-expr] # None before the first request
            self._stop()
        elif self._late is None:
            self._late = self.loop.call_later(MCP_REQUEST_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def _never() -> bool:
    return False


class Completed:
    """Ends each answer that the server's stop cuts off: a stop is no fault, and stands in the log as none.

    Args:
        app: answers.
        leaves: whether the server goes away: each connection then ends with its answer, as the next request there would
            meet its close.
    """

    def __init__(self, app: ASGIApp, leaves: Callable[[], bool] = _never) -> None:
        self._app = app
        self._leaves = leaves

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application answer, and end the answer where it did not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = ended = False

        async def noted(message: Message) -> None:
            nonlocal begun, ended
            if begun:
                ended = message["type"] == "http.response.body" and not message.get("more_body", False)
            elif self._leaves():
                message = _last(message)
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except asyncio.CancelledError:  # nobody but uvicorn cancels this task, when its time to stop is over
            if not begun:
                await noted({"type": "http.response.start", "status": 503, "headers": []})
        if begun and not ended:
            await send({"type": "http.response.body", "body": b""})


def _last(start: Message) -> Message:
    """The head of a connection's last answer."""
    others = (one for one in start["headers"] if one[0] != b"connection")
    return {**start, "headers": [*others, (b"connection", b"close")]}


def http_config(
    app: ASGIApp, *, protocol: type[Prompt] = Prompt, leaves: Callable[[], bool] = _never
) -> uvicorn.Config:
    """How `app` is served: without a log of requests; no connection is waited for without end, no proxy believed."""
    return uvicorn.Config(
        Completed(app, leaves),
        http=protocol,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        ws="none",
        timeout_keep_alive=MCP_IDLE_SECONDS,
        timeout_graceful_shutdown=max(1, round(MCP_STOP_SECONDS)),
    )


def http_server(app: ASGIApp) -> uvicorn.Server:
    """A server for `app`, of `http_config`."""
    return uvicorn.Server(http_config(app))


async def serve_http(app: ASGIApp, listening: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM, which is raised again once connections are closed."""
    await http_server(app).serve(sockets=[listening])
