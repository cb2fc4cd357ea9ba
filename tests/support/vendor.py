"""Search providers in front of a scripted vendor on loopback, the fixtures they are held to, and what they sent."""

import json
import tomllib
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import msgspec

from support.net import ScriptedResolver
from webseam.core.plugin import Kit, ProviderSpec, Seams
from webseam.core.providers import SearchProvider
from webseam.core.settings import FetchSettings, SeamSettings
from webseam.core.transport import Transport
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport
from webseam.testing.vendor_server import Ending, Reply, VendorCall, VendorServer

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


def says(value: Any, status: int = 200, headers: Mapping[str, str] | None = None, *, ending: Ending = "whole") -> Reply:
    """A JSON reply."""
    return replace(Reply.json(value, status=status, headers=headers), ending=ending)


def facts_of(request: VendorCall, key: str | None = None) -> dict[str, Any]:
    """Method, path, query and body as a fixture writes them down; a parameter that holds `key` reads `{key}`."""
    split = urlsplit(request.target)
    query = {
        name: value.replace(key, "{key}") if key else value
        for name, value in parse_qsl(split.query, keep_blank_values=True)
    }
    facts: dict[str, Any] = {"path": split.path}
    if request.method != "POST":
        facts["method"] = request.method
    if query:
        facts["query"] = query
    if (request.header("content-type") or "").startswith("application/x-www-form-urlencoded"):
        facts["form"] = dict(parse_qsl(request.body.decode(), keep_blank_values=True))
    elif request.body:
        facts["json"] = request.json
    return facts


def body_of(request: VendorCall) -> Any:
    """The body: a form or JSON; None where there is none."""
    facts = facts_of(request)
    return facts.get("form", facts.get("json"))


def values_of(request: VendorCall, header: str) -> list[str]:
    """All values of the headers of this name, which is in lower case."""
    return [value for name, value in request.headers if name == header]


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


def carries(kind: str, request: VendorCall, key: str) -> bool:
    """Whether a request carries this key where the vendor wants it."""
    in_query = any("{key}" in one.get("query", {}).values() for one in fixture(kind)["sends"])
    if in_query:
        return "{key}" in facts_of(request, key).get("query", {}).values()
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
