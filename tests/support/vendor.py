"""A raw vendor on loopback: records requests byte for byte, plays scripted replies, breaks off where told."""

import asyncio
import json
import tomllib
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self
from urllib.parse import parse_qsl, urlsplit

import msgspec

from support.net import ScriptedResolver
from webseam.core.plugin import Kit, ProviderSpec, Seams
from webseam.core.providers import SearchProvider
from webseam.core.settings import FetchSettings, SeamSettings
from webseam.core.transport import Transport
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport

ROOT: Final = Path(__file__).parent.parent.parent
FIXTURES: Final = ROOT / "tests" / "providers" / "fixtures"
NO_VENDOR: Final = frozenset({"local", "model"})
"""Kinds without a vendor's wire of their own; each has tests of its own."""


def _installed() -> dict[str, ProviderSpec]:
    """Every search vendor that the project declares: read from the declaration, so that a new line is enough."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    found: dict[str, ProviderSpec] = {}
    for kind, place in declared["webseam.search"].items():
        module, name = place.split(":")
        if kind not in NO_VENDOR:
            found[kind] = getattr(import_module(module), name)
    return found


SPECS: Final[Mapping[str, ProviderSpec]] = _installed()
KEY: Final = "sk-kelp-0123456789abcdef"

Ending = Literal["whole", "half", "stall", "stall-body", "drop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One scripted response and where it ends: whole, half a body and closed, held back, or no answer at all."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    ending: Ending = "whole"


def says(value: Any, status: int = 200, headers: Mapping[str, str] | None = None, *, ending: Ending = "whole") -> Reply:
    """A JSON reply."""
    return Reply(
        status=status,
        headers={"content-type": "application/json"} | dict(headers or {}),
        body=json.dumps(value).encode(),
        ending=ending,
    )


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request as it came; header names in lower case, in order."""

    line: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def path(self) -> str:
        return self.line.split(" ")[1]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def told(self, key: str | None = None) -> dict[str, Any]:
        """Method, path, query and body as a fixture writes them down; a parameter that holds `key` reads `{key}`."""
        split = urlsplit(self.path)
        query = {
            name: value.replace(key, "{key}") if key else value
            for name, value in parse_qsl(split.query, keep_blank_values=True)
        }
        facts: dict[str, Any] = {"path": split.path}
        method = self.line.split(" ")[0]
        if method != "POST":
            facts["method"] = method
        if query:
            facts["query"] = query
        if (self.header("content-type") or "").startswith("application/x-www-form-urlencoded"):
            facts["form"] = dict(parse_qsl(self.body.decode(), keep_blank_values=True))
        elif self.body:
            facts["json"] = self.json
        return facts

    def sent(self) -> Any:
        """The body: a form or JSON; None where there is none."""
        told = self.told()
        return told.get("form", told.get("json"))

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]

    def header(self, name: str) -> str | None:
        return next(iter(self.all(name)), None)


class VendorServer:
    """`async with VendorServer(*replies) as server`: plays one reply per request, in order."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.requests: list[Recorded] = []
        self.connections = 0
        self.held = asyncio.Event()
        self.hung_up = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            while (request := await _read(reader)) is not None:
                self.requests.append(request)
                reply = self.replies.pop(0) if self.replies else Reply(status=500, body=b"the script has ended")
                if not await self._play(reply, reader, writer):
                    break
        except (ConnectionError, asyncio.CancelledError):
            pass  # the client hung up, or the test is over
        finally:
            writer.close()

    async def _play(self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        if reply.ending == "drop":
            return False
        if reply.ending != "stall":
            half = reply.body[: len(reply.body) // 2]
            writer.write(_head(reply) + (reply.body if reply.ending == "whole" else half))
            await writer.drain()
        if reply.ending in ("stall", "stall-body"):
            self.held.set()
            await reader.read()
            self.hung_up.set()
        return reply.ending == "whole"


def _head(reply: Reply) -> bytes:
    fields = {"content-length": str(len(reply.body))} | dict(reply.headers)
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {reply.status} Played\r\n{lines}\r\n".encode("latin-1")


async def _read(reader: asyncio.StreamReader) -> Recorded | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    line, *fields = head.strip().split("\r\n")
    headers = tuple((name.lower(), value.strip()) for name, _, value in (one.partition(":") for one in fields))
    length = int(dict(headers).get("content-length", "0"))
    return Recorded(line, headers, await reader.readexactly(length))


@dataclass(slots=True)
class HeldKey:
    """A credential source whose key a test may change or take away."""

    key: str | None = KEY

    def configured(self) -> bool:
        return self.key is not None

    async def resolve(self) -> str:
        assert self.key is not None
        return self.key


def proof(kind: str, key: str) -> dict[str, str]:
    """The header fields that carry `key` to this vendor, as its fixture says; `{basic}` is the key in Base64."""
    encoded = b64encode(key.encode()).decode()
    return {name: value.format(key=key, basic=encoded) for name, value in fixture(kind).get("key", {}).items()}


def carries(kind: str, request: Recorded, key: str) -> bool:
    """Whether a request carries this key where the vendor wants it."""
    in_query = any("{key}" in one.get("query", {}).values() for one in fixture(kind)["sends"])
    if in_query:
        return "{key}" in request.told(key).get("query", {}).values()
    wanted = proof(kind, key)
    return bool(wanted) and wanted.items() <= dict(request.headers).items()


def build(
    kind: str, transport: Transport, *, secret: Any = None, provider_id: str | None = None, **options: Any
) -> Any:
    """A provider of this kind as wiring would build it."""
    spec = SPECS[kind]
    assert spec.options is not None
    kit = Kit(
        id=provider_id or kind,
        options=msgspec.structs.replace(msgspec.convert(fixture(kind).get("options", {}), spec.options), **options),
        secret=secret or HeldKey(),
        transport=transport,
        fetch=FetchSettings(),
        data_dir=Path("unused"),
        seams=Seams(),
        on_close=lambda _close: None,
    )
    return spec.build(kit)


@dataclass(frozen=True, slots=True)
class Stage:
    """A provider, the vendor behind it, and the seam before it."""

    server: VendorServer
    provider: SearchProvider
    web: Web


@asynccontextmanager
async def staged(
    kind: str, *replies: Reply, settings: SeamSettings | None = None, emit: Any = None, **options: Any
) -> AsyncIterator[Stage]:
    """The real seam over the real transport against a scripted vendor; no name resolves, so no link is followed."""
    transport = VendorTransport(resolver=ScriptedResolver({}))
    async with VendorServer(*script(kind, *replies)) as server:
        base_url = server.url + fixture(kind).get("base_path", "")
        provider = build(kind, transport, **{"base_url": base_url, **options})
        more = {} if emit is None else {"emit": emit}
        web = Web(settings=settings, **more)
        web.register_search(provider)
        try:
            yield Stage(server, provider, web)
        finally:
            await transport.aclose()


def script(kind: str, *replies: Reply) -> Sequence[Reply]:
    """The replies as this vendor gives them: the MCP server is greeted before each call."""
    if kind != "exa-mcp":
        return replies
    return [one for reply in replies for one in (*MCP_GREETING, reply)]


MCP_GREETING: Final = (
    says(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "serverInfo": {"name": "x", "version": "1"},
            },
        },
        headers={"mcp-session-id": "a1b2"},
    ),
    Reply(status=202),
)


@cache
def _fixture(kind: str) -> str:
    return (FIXTURES / f"{kind}.json").read_text(encoding="utf-8")


def fixture(kind: str) -> dict[str, Any]:
    """The recorded-shape fixture of a vendor; see `tests/providers/test_fixtures.py` for its fields."""
    loaded: dict[str, Any] = json.loads(_fixture(kind))
    return loaded


def good(kind: str, ending: Ending = "whole") -> Reply:
    """The vendor's fixture as the reply to its search."""
    return _reply(fixture(kind)["replies"][-1], ending)


def replies_of(recorded: Mapping[str, Any]) -> list[Reply]:
    """All replies of a fixture, the greeting of an MCP server included."""
    return [_reply(one) for one in recorded["replies"]]


def _reply(recorded: Mapping[str, Any], ending: Ending = "whole") -> Reply:
    ending = recorded.get("ending", ending)
    body = recorded["text"].encode() if "text" in recorded else json.dumps(recorded["json"]).encode()
    return Reply(status=recorded.get("status", 200), headers=recorded.get("headers", {}), body=body, ending=ending)
