"""The gateway as a plain ASGI application: routes, who may use them, and how each request ends."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final, TypeAlias

from starlette.types import Receive, Scope, Send

from webseam.core.errors import WebError
from webseam.core.limits import GATEWAY_CUT_SECONDS
from webseam.surfaces.gateway.body import ClientGoneError
from webseam.surfaces.gateway.discretion import for_tenant
from webseam.surfaces.gateway.entry import Entry
from webseam.surfaces.gateway.exchange import Access, Exchange, check_framing, request_id_of
from webseam.surfaces.gateway.header_fields import HeaderFields
from webseam.surfaces.gateway.house import House
from webseam.surfaces.gateway.problems import GatewayCode, Problem, problem_of
from webseam.surfaces.gateway.reply import Reply
from webseam.surfaces.gateway.routes import PROBES, routes

_log = logging.getLogger("webseam")

_OK: Final = 200
_GONE: Final = 499  # in the log only, as nginx writes it
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"})
"""Of RFC 9110 and RFC 5789."""

Log: TypeAlias = Callable[[Access], None]


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
        self._routes = routes(house, entry)

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
        """Take no new work, end the streams, and wait for what runs; False when that takes longer."""
        self.house.board.close()
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
        headers = HeaderFields(scope["headers"])
        exchange = Exchange(scope, receive, send, headers, request_id_of(headers))
        try:
            await self._answered(exchange)
        except ClientGoneError:
            exchange.status = _GONE
        finally:
            self._told(exchange, time.perf_counter() - started)

    async def _answered(self, exchange: Exchange) -> None:
        try:
            check_framing(exchange.headers, exchange.scope["http_version"])
            self._entry.check(exchange.headers)
            reply = await self._routed(exchange)
        except Problem as problem:
            reply = problem.reply(exchange.id)
        except WebError as error:
            reply = problem_of(error if exchange.is_admin else for_tenant(error)).reply(exchange.id)
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
            await reply.send(exchange.send, exchange.id, bodiless=exchange.is_head)

    async def _routed(self, exchange: Exchange) -> Reply | None:
        """The answer; None where it was sent."""
        route = self._routes.get(exchange.path)
        if route is None:
            raise Problem(GatewayCode.NOT_FOUND, "There is nothing under this path. /openapi.json tells what there is.")
        exchange.route = route.name
        _check_method(exchange.scope["method"], route.methods)
        if exchange.scope["query_string"]:
            raise Problem(
                GatewayCode.MALFORMED,
                "Nothing is taken from a query string. Arguments go into the body, a token into Authorization.",
            )
        return await route.answer(exchange)

    def _told(self, exchange: Exchange, seconds: float) -> None:
        self.house.meters.answered(exchange.tenant, exchange.route, exchange.status, seconds)
        if exchange.route in PROBES and exchange.status == _OK:
            return  # a line every few seconds, and each the same
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


def _known(method: str) -> str:
    """For the log: any other is as long as a client likes, and whatever it likes."""
    return method if method in _METHODS else "other"


def _check_method(method: str, allowed: tuple[str, ...]) -> None:
    if method not in allowed:
        listed = ", ".join(allowed)
        raise Problem(GatewayCode.METHOD_NOT_ALLOWED, f"Use {listed} here.", headers=(("allow", listed),))
