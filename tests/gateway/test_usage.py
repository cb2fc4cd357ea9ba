"""What a gateway does is in the record of calls, under its tenants (issue 7.4)."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from mcp import Client

from support.cli import Shell, site
from support.gateway import CONFIG, serving

R = TypeVar("R")
RECORDED = CONFIG + '[ledger]\nkeep = "file"\n'


async def usage(shell: Shell, *argv: str) -> Any:
    """Beside the test's own loop: a command starts its own."""
    work: Callable[..., Any] = shell.run
    return (await asyncio.to_thread(work, "usage", "--json", *argv)).json


@pytest.mark.req("usage:gateway")
async def test_every_call_of_every_tenant_is_one_entry_whichever_way_it_came(shell: Shell) -> None:
    with site(lambda _path: (200, {}, b"<p>hello")) as base:
        async with serving(shell, RECORDED) as served:
            one, two = served.token("one"), served.token("two")
            asked = [
                served.ask("/v1/search", {"query": "hits"}, token=one),
                served.ask("/v1/fetch", {"url": f"{base}/a"}, token=one),
                served.ask("/v1/tools/web_fetch", {"url": f"{base}/b"}, token=two),
                served.ask("/v1/tools/web_search", {"query": "hits"}, token=two),
                served.ask("/v1/fetch", {"url": "http://10.0.0.1/"}, token=two),
            ]
            await asyncio.gather(*asked)
    told = await usage(shell, "--by", "tenant")
    assert {row["key"]: (row["calls"], row["failed"]) for row in told["rows"]} == {"one": (2, 0), "two": (3, 1)}
    tools = await usage(shell, "--by", "tool")
    assert {row["key"]: row["calls"] for row in tools["rows"]} == {None: 3, "web_fetch": 1, "web_search": 1}


@pytest.mark.req("usage:gateway")
async def test_a_call_over_mcp_is_one_entry_too(shell: Shell) -> None:
    async with serving(shell, RECORDED) as served, Client(f"http://127.0.0.1:{served.port}/mcp") as client:
        await client.call_tool("web_search", {"query": "hits"})
    told = await usage(shell, "--by", "tool", "--tenant", "local")
    assert [(row["key"], row["calls"]) for row in told["rows"]] == [("web_search", 1)]
