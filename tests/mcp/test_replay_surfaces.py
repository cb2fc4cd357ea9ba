"""An agent run through any surface replays to the byte with the network unplugged: issue 6.6."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeAlias

import pytest

import webseam
from support.cli import Answer, Shell, site
from support.mcp import connected, serving
from webseam.adapters import dispatch
from webseam.core.web import Web
from webseam.tools.toolset import Toolset

Ask: TypeAlias = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""A tool call through a surface: what its host gets, as plain data."""

PROSE: Final = "<p>Kelp farms need a permit, which takes six weeks, and there is no exception to it anywhere.</p>"


def answer(path: str) -> Answer:
    if path == "/old":
        return 301, {"Location": "/long"}, b""
    if path == "/none":
        return 404, {}, b"<title>Nothing</title><p>There is nothing here.</p>"
    body = f"<title>Permits</title><nav>Menu</nav><article><h1>Permits</h1>{PROSE * 400}</article>"
    return 200, {}, body.encode()


def steps(base: str) -> list[list[tuple[str, dict[str, Any]]]]:
    """What an agent does, turn by turn; the calls of one turn run beside each other."""
    long = f"{base}/long"
    return [
        [("web_search", {"query": "kelp"}), ("web_search", {"query": "kelp"}), ("web_search", {"query": "WEB_DENIED"})],
        [("web_fetch", {"url": long}), ("web_fetch", {"url": f"{base}/none"}), ("web_fetch", {"url": f"{base}/old"})],
        [("web_fetch", {"url": long, "offset": 30_000}), ("web_fetch", {"url": long, "find": "six weeks"})],
        [("web_extract", {"url": long}), ("web_extract", {"url": f"{base}/none"}), ("web_extract", {"url": "x:"})],
        [("web_extract", {"url": long}), ("web_fetch", {"url": "http://10.0.0.1/"}), ("web_fetch", {"link": "x"})],
    ]


async def run(ask: Ask, turns: list[list[tuple[str, dict[str, Any]]]]) -> list[Any]:
    """All that the host gets, in the order of asking."""
    return [one for turn in turns for one in await asyncio.gather(*(ask(name, args) for name, args in turn))]


# Surfaces ----------------------------------------------------------------------------------------------


@asynccontextmanager
async def library(web: Web, _way: str) -> AsyncIterator[Ask]:
    """The toolset itself: text, structure, error and meta."""
    tools = Toolset(web)

    async def ask(name: str, args: dict[str, Any]) -> Any:
        got = await tools.call(name, args)
        return got.text, got.structured, got.error, got.meta

    yield ask
    await tools.aclose()


@asynccontextmanager
async def vendor_api(web: Web, style: Any) -> AsyncIterator[Ask]:
    """The dispatcher of a vendor's API."""
    tools = Toolset(web)

    async def ask(name: str, args: dict[str, Any]) -> Any:
        return await dispatch(tools, [asked(style, name, args)], style)

    yield ask
    await tools.aclose()


def asked(style: str, name: str, args: dict[str, Any]) -> dict[str, Any]:
    """A call as a model writes it."""
    if style == "openai":
        return {"type": "function_call", "call_id": "c", "name": name, "arguments": json.dumps(args)}
    if style == "anthropic":
        return {"type": "tool_use", "id": "c", "name": name, "input": args}
    return {"function_call": {"id": "c", "name": name, "args": args}}


@asynccontextmanager
async def mcp(web: Web, way: str) -> AsyncIterator[Ask]:
    """The MCP server, through the SDK's own client."""
    tools = Toolset(web)
    transport, era = way.split("-")
    async with serving(tools, transport, era) as client:

        async def ask(name: str, args: dict[str, Any]) -> Any:
            return plain(await client.call_tool(name, args))

        yield ask
    await tools.aclose()


def plain(result: Any) -> Any:
    return result.model_dump(mode="json")


SURFACES: Final = {
    "library": (library, ""),
    **{style: (vendor_api, style) for style in ("openai", "anthropic", "gemini")},
    **{f"mcp-{way}": (mcp, way) for way in ("memory-auto", "memory-legacy", "http-auto", "http-legacy")},
}


@pytest.mark.req("replay:surfaces")
@pytest.mark.parametrize("surface", SURFACES)
async def test_a_run_through_a_surface_replays_to_the_byte_when_its_site_is_gone(shell: Shell, surface: str) -> None:
    opened, way = SURFACES[surface]
    desk = shell.desk
    config: dict[str, Any] = {
        "search": {"provider": "odd"},
        "fetch": {"private_networks": ["127.0.0.0/8"]},
        "tools": {"extract": True},
    }
    file = desk.home / "run.jsonl"

    async def session(base: str, **edge: Any) -> list[Any]:
        web = webseam.open(config=config, environ=desk.environ, cwd=desk.cwd, **edge)
        async with web, opened(web, way) as ask:
            return await run(ask, steps(base))

    with site(answer) as base:
        recorded = await session(base, record=file)
    assert "six weeks" in str(recorded[6])
    assert "WEB_BLOCKED_URL" in str(recorded[-2])
    assert await session(base, replay=file) == recorded


@pytest.mark.req("replay:surfaces")
async def test_a_session_of_the_installed_server_replays_to_the_byte_when_its_site_is_gone(shell: Shell) -> None:
    table = '[search]\nprovider = "odd"\n[fetch]\nprivate_networks = ["127.0.0.0/8"]\n[tools]\nextract = true\n'
    shell.desk.user(table)

    async def session(base: str, option: str) -> list[Any]:
        async with connected(shell, "stdio", "auto", argv=(option, "run.jsonl")) as client:

            async def ask(name: str, args: dict[str, Any]) -> Any:
                return plain(await client.call_tool(name, args))

            return await run(ask, steps(base))

    with site(answer) as base:
        recorded = await session(base, "--record")
    assert await session(base, "--replay") == recorded
