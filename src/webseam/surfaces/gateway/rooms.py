"""MCP behind one token: a server and sessions of its own, so that no session id opens another token's."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from mcp.server.context import ServerRequestContext
from starlette.types import ASGIApp, Receive, Scope, Send

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.limits import GATEWAY_TIMEOUT_SECONDS
from webseam.surfaces.gateway.desk import Desk
from webseam.surfaces.gateway.discretion import reworded
from webseam.surfaces.gateway.exchange import seconds_of
from webseam.surfaces.gateway.header_fields import HeaderFields
from webseam.surfaces.gateway.problems import Problem
from webseam.surfaces.gateway.sessions import Sessions
from webseam.surfaces.mcp.ask import ask_client
from webseam.surfaces.mcp.door import Door
from webseam.surfaces.mcp.http import asgi_app
from webseam.surfaces.mcp.runs import Seat
from webseam.surfaces.mcp.server import make_server
from webseam.tools.result import ToolResult, failed
from webseam.tools.run import Consent, Question, Run


class McpRoom:
    """The MCP application of one desk; it lives in a task of its own, which its sessions belong to.

    Args:
        desk: whose tools are served, under its one run. Several people may stand behind a token, so nobody is offered
            to allow a site for good.
        hosts: further names under which the gateway is reached.
        sessions: counts those of all rooms.
    """

    def __init__(self, desk: Desk, hosts: frozenset[str], sessions: Sessions) -> None:
        self._holder = desk.holder
        self._sessions = sessions
        server = make_server(_Tools(desk), run=partial(_seat, desk.run))
        self._app = asgi_app(server, door=Door(hosts=hosts))
        self._ready = asyncio.Event()
        self._leave = asyncio.Event()
        self._life = asyncio.create_task(self._live())
        self._calls = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        app: ASGIApp = self._app
        with self._running(1 if scope["method"] == "POST" else 0):
            await self._ready.wait()
            own = self._holder
            await self._sessions.answer(app, scope, receive, send, token=own.token, tenant=own.tenant)

    async def aclose(self) -> None:
        """End all sessions, once the calls that run are answered; streams that wait for nothing end with them."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GATEWAY_TIMEOUT_SECONDS):
                await self._idle.wait()
        self._leave.set()
        await asyncio.wait([self._life])
        self._sessions.left(self._holder.token)

    @contextmanager
    def _running(self, calls: int) -> Iterator[None]:
        self._calls += calls
        if calls:
            self._idle.clear()
        try:
            yield
        finally:
            self._calls -= calls
            if not self._calls:
                self._idle.set()

    async def _live(self) -> None:
        try:
            async with self._app.router.lifespan_context(self._app):
                self._ready.set()
                await self._leave.wait()
        finally:
            self._ready.set()


def _seat(run: Run, ctx: ServerRequestContext[Any, Any]) -> Seat:
    """The one run of the token, and the time that this request gives its call."""
    seconds = None if ctx.request is None else seconds_of(HeaderFields(ctx.request.headers.raw))
    return Seat(run=run, personal=False, seconds=seconds)


class _Tools:
    """The desk's tools as an MCP server calls them: a refusal of the gateway is an answer too."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def definitions(self, style: str) -> list[dict[str, Any]]:
        """As `Toolset.definitions`."""
        return self._desk.definitions(style)

    def prompt(self) -> str:
        """As `Toolset.prompt`."""
        return self._desk.prompt()

    async def call(
        self,
        name: str,
        args: object,
        *,
        call: Call | None = None,
        run: Run | None = None,
        timeout: float | None = None,
    ) -> ToolResult:
        """As `Toolset.call`."""
        try:
            return await self._desk.call(name, args, call=call, run=run, timeout=timeout)
        except Problem as refusal:
            problem = refusal
        except asyncio.CancelledError as exc:
            problem = self._desk.places.told_of_cut(exc)
        return failed(WebError(problem.code, problem.detail, retry_after=problem.retry_after), lambda: "")


async def ask_whoever_is_there(question: Question) -> Consent:
    """Ask the person at an MCP client that can ask; behind every other request is nobody.

    Raises:
        WebError: `WEB_DENIED`.
    """
    try:
        return await ask_client(question)
    except WebError as error:
        raise WebError(
            Code.DENIED,
            f"{question.reason} Only a person could allow it, and nobody can be asked here: an MCP client that "
            "declares elicitation could.",
        ) from error


async def ask_discreetly(question: Question) -> Consent:
    """The same, in words for a tenant: no setting of the gateway is named.

    Raises:
        WebError: `WEB_DENIED`.
    """
    return await ask_whoever_is_there(replace(question, reason=reworded(question.reason, asking=False)))
