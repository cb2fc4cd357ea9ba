"""The gateway as a plain ASGI application: routes, who may use them, and how each request ends."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from webseam.core.errors import WebError
from webseam.core.limits import GATEWAY_CUT_SECONDS
from webseam.core.plain import to_plain
from webseam.surfaces.gateway import meters
from webseam.surfaces.gateway.body import ClientGoneError, read_object
from webseam.surfaces.gateway.desk import Desk
from webseam.surfaces.gateway.entry import Entry
from webseam.surfaces.gateway.exchange import Access, check_framing, request_id_of, seconds_of, while_there
from webseam.surfaces.gateway.house import House
from webseam.surfaces.gateway.openapi import document
from webseam.surfaces.gateway.problems import GatewayCode, Problem, problem_of
from webseam.surfaces.gateway.reply import REQUEST_ID, Reply, to_json
from webseam.surfaces.gateway.requests import extract_request, fetch_request, search_request
from webseam.tools.schema import definitions, enabled_tools
from webseam.wiring.tenants import Holder

_log = logging.getLogger("webseam")

MCP: Final = "/mcp"
TOOLS: Final = "/v1/tools"
_GONE: Final = 499  # in the log only, as nginx writes it
_ALL_METHODS: Final = ("GET", "POST", "DELETE")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"})
"""Of RFC 9110 and RFC 5789."""

Log: TypeAlias = Callable[[Access], None]
_Work: TypeAlias = Callable[[Desk, dict[str, Any], "float | None"], Awaitable[Any]]


@dataclass(slots=True)
class _Exchange:
    """A request on its way; what becomes known of it is told in the log."""

    scope: Scope
    receive: Receive
    send: Send
    headers: Headers
    id: str
    route: str = "other"
    holder: Holder | None = None
    status: int = 0
    code: str = ""

    @property
    def tenant(self) -> str:
        return "" if self.holder is None else self.holder.tenant


class Gateway:
    """The ASGI application; one event loop, one lifespan.

    Args:
        house: what it serves; closed when the lifespan ends.
        entry: who may use it.
        log: hears of each request when it is over.
    """

    def __init__(self, house: House, entry: Entry, *, log: Log) -> None:
        self.house = house
        self._entry = entry
        self._log = log
        settings = house.web.tools
        self._openapi = to_json(document(settings))
        self._tools = to_json({"tools": definitions(settings, "mcp")})
        self._works: dict[str, _Work] = {
            "/v1/search": _search,
            "/v1/fetch": _fetch,
            "/v1/extract": _extract,
            **{f"{TOOLS}/{name}": _tool(name) for name in enabled_tools(settings)},
        }
        self._looks: dict[str, Callable[[_Exchange], Reply]] = {
            "/healthz": self._health,
            "/readyz": self._readiness,
            "/openapi.json": lambda _exchange: Reply(status=200, body=self._openapi),
            TOOLS: self._definitions,
            "/metrics": self._metrics,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection's event, as ASGI 3 has it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    async def drain(self, seconds: float) -> bool:
        """Take no new work, and wait for what runs; False when that takes longer."""
        return await self.house.places.drain(seconds)

    async def cut_off(self) -> None:
        """End what still runs, each call with an answer that says so."""
        await self.house.places.cut_off(GATEWAY_CUT_SECONDS)

    # Life --------------------------------------------------------------------------------------------

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.house.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    # One request -------------------------------------------------------------------------------------

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        headers = Headers(scope=scope)
        exchange = _Exchange(scope, receive, send, headers, request_id_of(headers))
        try:
            await self._answered(exchange)
        except ClientGoneError:
            exchange.status = _GONE
        finally:
            self._told(exchange, time.perf_counter() - started)

    async def _answered(self, exchange: _Exchange) -> None:
        try:
            check_framing(exchange.headers, exchange.scope["http_version"])
            self._entry.check(exchange.headers)
            reply = await self._routed(exchange)
        except Problem as problem:
            reply = problem.reply(exchange.id)
        except WebError as error:
            reply = problem_of(error).reply(exchange.id)
        except ClientGoneError:
            raise
        except asyncio.CancelledError as exc:
            if exchange.status:  # an answer that has begun is ended by the server
                raise
            reply = self.house.places.told_of_cut(exc).reply(exchange.id)
        except Exception:
            _log.exception("A request failed unexpectedly")
            reply = Problem(GatewayCode.FAULT, "This is a fault of ours or of a plugin; report it.").reply(exchange.id)
            if exchange.status:  # a part of an answer has left, and the server ends the connection
                raise
        if reply is not None:
            exchange.status, exchange.code = reply.status, reply.code
            await reply.send(exchange.send, exchange.id, bodiless=exchange.scope["method"] == "HEAD")

    async def _routed(self, exchange: _Exchange) -> Reply | None:
        """The answer; None where it was sent."""
        path, method = exchange.scope["path"], exchange.scope["method"]
        work, look = self._works.get(path), self._looks.get(path)
        if work is None and look is None and path != MCP:
            raise Problem(GatewayCode.NOT_FOUND, "There is nothing under this path. /openapi.json tells what there is.")
        exchange.route = path
        _check_method(method, ("POST",) if work else ("GET", "HEAD") if look else _ALL_METHODS)
        if exchange.scope["query_string"]:
            raise Problem(
                GatewayCode.MALFORMED,
                "Nothing is taken from a query string. Arguments go into the body, a token into Authorization.",
            )
        if look is not None:
            return look(exchange)
        desk = self._desk(exchange)
        self.house.places.check_open()
        if work is None:
            await self._mcp(exchange, desk)
            return None
        return await _worked(exchange, desk, work)

    def _desk(self, exchange: _Exchange) -> Desk:
        exchange.holder = self._entry.holder(exchange.headers)
        return self.house.desk(exchange.holder)

    async def _mcp(self, exchange: _Exchange, desk: Desk) -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
                told = [*message.get("headers", ()), (REQUEST_ID.encode(), exchange.id.encode())]
                message = {**message, "headers": told}
            await exchange.send(message)

        seconds_of(exchange.headers)  # one that is none is refused here; the call reads it for itself
        await self.house.room(desk)(exchange.scope, exchange.receive, send)

    def _told(self, exchange: _Exchange, seconds: float) -> None:
        self.house.meters.answered(exchange.tenant, exchange.route, exchange.status, seconds)
        self._log(
            Access(
                request_id=exchange.id,
                tenant=exchange.tenant,
                method=_known(exchange.scope["method"]),
                route=exchange.route,
                status=exchange.status,
                code=exchange.code,
                seconds=seconds,
            )
        )

    # What can be looked at ---------------------------------------------------------------------------

    def _health(self, _exchange: _Exchange) -> Reply:
        return Reply(status=200, body=b'{"status":"alive"}')

    def _readiness(self, _exchange: _Exchange) -> Reply:
        self.house.places.check_open()
        return Reply(status=200, body=b'{"status":"ready"}')

    def _definitions(self, exchange: _Exchange) -> Reply:
        self._desk(exchange)
        return Reply(status=200, body=self._tools)

    def _metrics(self, exchange: _Exchange) -> Reply:
        exchange.holder = self._entry.holder(exchange.headers)
        text = self.house.meters.exposed(whole=exchange.holder.policy.admin)
        return Reply(status=200, body=text, media_type=meters.MEDIA_TYPE)


def _known(method: str) -> str:
    """For the log: any other is as long as a client likes, and whatever it likes."""
    return method if method in _METHODS else "other"


def _check_method(method: str, allowed: tuple[str, ...]) -> None:
    if method not in allowed:
        listed = ", ".join(allowed)
        raise Problem(GatewayCode.METHOD_NOT_ALLOWED, f"Use {listed} here.", headers=(("allow", listed),))


async def _worked(exchange: _Exchange, desk: Desk, work: _Work) -> Reply:
    seconds = seconds_of(exchange.headers)
    given = await read_object(exchange.headers, exchange.receive)
    plain = await while_there(exchange.receive, _plain(work(desk, given, seconds)))
    return Reply(status=200, body=to_json(plain))


async def _plain(work: Awaitable[Any]) -> Any:
    return to_plain(await work)


# What is done ------------------------------------------------------------------------------------------


async def _search(desk: Desk, given: dict[str, Any], seconds: float | None) -> Any:
    return await desk.search(search_request(given, desk.web.settings), seconds)


async def _fetch(desk: Desk, given: dict[str, Any], seconds: float | None) -> Any:
    return await desk.fetch(fetch_request(given), seconds)


async def _extract(desk: Desk, given: dict[str, Any], seconds: float | None) -> Any:
    return await desk.extract(extract_request(given), seconds)


def _tool(name: str) -> _Work:
    async def work(desk: Desk, given: dict[str, Any], seconds: float | None) -> Any:
        return await desk.call(name, given, timeout=seconds)

    return work
