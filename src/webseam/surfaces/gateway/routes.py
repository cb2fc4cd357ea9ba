"""What the gateway answers, path by path: calls, looks at it, and the console's files."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from starlette.types import Message

from webseam.core.errors import WebError
from webseam.core.version import VERSION
from webseam.surfaces.gateway import activity, meters
from webseam.surfaces.gateway.body import ClientGoneError, read_object
from webseam.surfaces.gateway.console import Asset, assets
from webseam.surfaces.gateway.desk import Desk
from webseam.surfaces.gateway.entry import Entry
from webseam.surfaces.gateway.exchange import Exchange, seconds_of, while_there
from webseam.surfaces.gateway.house import House
from webseam.surfaces.gateway.openapi import document
from webseam.surfaces.gateway.policy_words import policy_words
from webseam.surfaces.gateway.problems import Problem
from webseam.surfaces.gateway.providers_report import providers_report
from webseam.surfaces.gateway.reply import REQUEST_ID, Reply, to_json
from webseam.tools.schema import definitions, enabled_tools
from webseam.wiring.ledger import kept_by_gateway

MCP: Final = "/mcp"
TOOLS: Final = "/v1/tools"
USAGE: Final = "/v1/usage"
PROBES: Final = frozenset({"/healthz", "/readyz"})
CONSOLE: Final = "/console"
"""The route of all its files, in the log and the metrics."""

_LOOK: Final = ("GET", "HEAD")
_CALL: Final = ("POST",)
_ANY: Final = ("GET", "POST", "DELETE")

Answer: TypeAlias = Callable[[Exchange], Awaitable[Reply | None]]
"""Answers a request; None where the answer was sent already."""
_Work: TypeAlias = Callable[[Desk, dict[str, Any], "float | None"], Coroutine[Any, Any, Any]]


@dataclass(frozen=True, slots=True)
class Route:
    """What is under a path: `name` stands for it in log and metrics."""

    name: str
    methods: tuple[str, ...]
    answer: Answer


def routes(house: House, entry: Entry) -> Mapping[str, Route]:
    """All paths of a gateway."""
    return {one.name: one for one in _Calls(house, entry).routes()} | dict(_Looks(house, entry).routes())


@dataclass(frozen=True, slots=True)
class _Calls:
    """What is asked of the web."""

    house: House
    entry: Entry

    def routes(self) -> list[Route]:
        """All of them."""
        works: dict[str, _Work] = {
            "/v1/search": Desk.search,
            "/v1/fetch": Desk.fetch,
            "/v1/extract": Desk.extract,
            **{f"{TOOLS}/{name}": _tool(name) for name in enabled_tools(self.house.web.tools)},
        }
        calls = [Route(path, _CALL, partial(self._worked, work)) for path, work in works.items()]
        return [*calls, Route(MCP, _ANY, self._mcp)]

    async def _worked(self, work: _Work, exchange: Exchange) -> Reply:
        desk = self._desk(exchange)
        seconds = seconds_of(exchange.headers)
        given = await read_object(exchange.headers, exchange.receive)
        result = await while_there(exchange.receive, work(desk, given, seconds))
        return Reply(status=200, body=self.house.encoder.json(result))

    async def _mcp(self, exchange: Exchange) -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
                told = [*message.get("headers", ()), (REQUEST_ID.encode(), exchange.id.encode())]
                message = {**message, "headers": told}
            await exchange.send(message)

        desk = self._desk(exchange)
        seconds_of(exchange.headers)  # one that is none is refused here; the call reads it for itself
        await self.house.room(desk)(exchange.scope, exchange.receive, send)

    def _desk(self, exchange: Exchange) -> Desk:
        desk = desk_of(self.house, self.entry, exchange)
        self.house.places.check_open()
        return desk


def desk_of(house: House, entry: Entry, exchange: Exchange) -> Desk:
    """The desk of whoever asks, who is named in the log from here on.

    Raises:
        Problem: `GATEWAY_UNAUTHORIZED`.
        WebError: `WEB_CONFIG_INVALID`.
    """
    exchange.holder = entry.holder(exchange.headers)
    return house.desk(exchange.holder)


def _tool(name: str) -> _Work:
    async def work(desk: Desk, given: dict[str, Any], seconds: float | None) -> Any:
        return await desk.call(name, given, timeout=seconds)

    return work


class _Looks:
    """What can be looked at: nothing leaves the machine, and nothing takes a place among the calls."""

    def __init__(self, house: House, entry: Entry) -> None:
        self._house = house
        self._entry = entry
        settings = house.web.tools
        self._openapi = Reply(status=200, body=to_json(document(settings)))
        self._tools = Reply(status=200, body=to_json({"tools": definitions(settings, "mcp")}))

    def routes(self) -> dict[str, Route]:
        """By path."""
        named: dict[str, Answer] = {
            "/healthz": self._health,
            "/readyz": self._readiness,
            "/openapi.json": self._document,
            TOOLS: self._definitions,
            "/metrics": self._metrics,
            "/v1/console": self._console,
            "/v1/activity": self._activity,
            "/v1/activity/stream": self._stream,
            "/v1/providers": self._providers,
            "/v1/policy": self._policy,
        }
        files = {
            path: Route("/" if path == "/" else CONSOLE, _LOOK, partial(_file, asset))
            for path, asset in assets().items()
        }
        looks = {path: Route(path, _LOOK, answer) for path, answer in named.items()}
        return {**looks, **files, USAGE: Route(USAGE, _CALL, self._usage)}

    async def _health(self, _exchange: Exchange) -> Reply:
        return Reply(status=200, body=b'{"status":"alive"}')

    async def _readiness(self, _exchange: Exchange) -> Reply:
        self._house.places.check_open()
        return Reply(status=200, body=b'{"status":"ready"}')

    async def _document(self, _exchange: Exchange) -> Reply:
        return self._openapi

    async def _definitions(self, exchange: Exchange) -> Reply:
        self._desk(exchange)
        return self._tools

    async def _metrics(self, exchange: Exchange) -> Reply:
        whole = self._desk(exchange).holder.policy.admin
        return Reply(status=200, body=self._house.meters.exposed(whole=whole), media_type=meters.MEDIA_TYPE)

    async def _console(self, exchange: Exchange) -> Reply:
        holder = self._desk(exchange).holder
        told = {
            "version": VERSION,
            "tenant": holder.tenant,
            "admin": holder.policy.admin,
            "tools": list(enabled_tools(self._house.web.tools)),
            "ledger": "off" if self._house.keeper is None else kept_by_gateway(self._house.loaded.config),
            "text": self._house.board.text,
            "now": self._house.board.now(),
        }
        return Reply(status=200, body=to_json(told))

    async def _activity(self, exchange: Exchange) -> Reply:
        holder = self._desk(exchange).holder
        return Reply(status=200, body=to_json(activity.recent(self._house.board, holder)))

    async def _stream(self, exchange: Exchange) -> Reply | None:
        holder = self._desk(exchange).holder
        self._house.places.check_open()
        board = self._house.board
        if exchange.is_head:
            await exchange.send(activity.begin(exchange.id))
            await exchange.send({"type": "http.response.body", "body": b""})
            exchange.status = 200
            return None
        async with board.subscribe(activity.seen_by(holder), holder.tenant) as feed:
            before = activity.resumed(board, holder, exchange.headers.get("last-event-id", ""))
            holds = partial(self._still, exchange)
            events = activity.Events(feed, before, admin=holder.policy.admin, holds=holds)
            exchange.status = 200
            await exchange.send(activity.begin(exchange.id))
            try:
                await while_there(exchange.receive, activity.written(events, exchange.send))
            except ClientGoneError:  # how most streams end
                return None
        return None

    def _still(self, exchange: Exchange) -> bool:
        """Whether the token still opens the same."""
        try:
            return self._entry.holder(exchange.headers) == exchange.holder
        except (Problem, WebError):
            return False

    async def _providers(self, exchange: Exchange) -> Reply:
        return Reply(status=200, body=to_json(providers_report(self._house, self._desk(exchange))))

    async def _policy(self, exchange: Exchange) -> Reply:
        return Reply(status=200, body=to_json(await policy_words(self._house.loaded, self._desk(exchange))))

    async def _usage(self, exchange: Exchange) -> Reply:
        holder = self._desk(exchange).holder
        given = await read_object(exchange.headers, exchange.receive)
        plain = await while_there(exchange.receive, self._house.usage.made(given, holder))
        return Reply(status=200, body=to_json(plain))

    def _desk(self, exchange: Exchange) -> Desk:
        return desk_of(self._house, self._entry, exchange)


async def _file(asset: Asset, exchange: Exchange) -> Reply:
    return asset.reply(exchange.headers.get("if-none-match", ""))
