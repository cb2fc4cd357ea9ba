"""What a gateway has loaded when it says that it is ready."""

import asyncio
import gzip
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import brotli
import pytest

from support.cli import Answer, Shell, site
from support.gateway import Served, spawned, terminate
from support.mcp import HELLO
from support.redis import any_server, state_server

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CONFIG = """
[search]
provider = "odd"
cache = "memory"
[fetch]
private_networks = ["127.0.0.0/8"]
cache = "memory"
robots = "on"
[tools]
extract = true
"""
TEXT = "<!doctype html><title>Kelp</title><h1>Kelp</h1><p>It grows in caf\u00e9s."
PACKED = {"br": brotli.compress, "gzip": gzip.compress, "zstd": zstd.compress}
LOOKED_FOR = "encodings.whatwg_"
"""Where Python looks for a codec by its name before it asks the parser, which has it: there is no such module."""
MODERN = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call", "Mcp_Name": "web_fetch"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
ACCEPT = {"Accept": "application/json, text/event-stream"}
LOOKS = ("/metrics", "/v1/activity", "/v1/policy", "/v1/providers", "/v1/console", "/", "/openapi.json", "/v1/tools")


def page(path: str) -> Answer:
    """A page packed as its path has it; robots.txt allows all of them."""
    if path == "/robots.txt":
        return 200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /private\n"
    name = path.strip("/")
    if name == "latin":
        return 200, {"Content-Type": "text/html; charset=windows-1252"}, TEXT.encode("cp1252")
    return 200, {"Content-Encoding": name}, PACKED[name](TEXT.encode())


async def everything(served: Served, base: str) -> None:
    """One request of each kind."""
    for name in (*PACKED, "latin"):
        assert (await served.ask("/v1/fetch", {"url": f"{base}/{name}"})).status == 200
    got = await served.ask("/v1/tools/web_fetch", {"url": f"{base}/br"})
    assert "caf\u00e9s" in got.json["text"]
    assert (await served.ask("/v1/search", {"query": "hits"})).status == 200
    assert (await served.ask("/v1/tools/web_search", {"query": "hits"})).status == 200
    assert (await served.ask("/v1/extract", {"url": f"{base}/gzip"})).status == 200
    assert (await served.ask("/v1/fetch", {"url": "http://10.0.0.1/"})).code == "WEB_BLOCKED_URL"
    assert (await served.ask("/mcp", HELLO[0], **ACCEPT)).status == 200
    params = {"name": "web_fetch", "arguments": {"url": f"{base}/br"}, "_meta": META}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert "caf" in (await served.ask("/mcp", call, **ACCEPT, **MODERN)).body.decode()
    for path in LOOKS:
        assert (await served.ask(path)).status == 200
    assert (await served.ask("/v1/usage", {"hours": 1})).status == 200


@contextmanager
def configured(fleet: str, folder: Path) -> Iterator[str]:
    with state_server(folder, any_server()) if fleet else nullcontext() as state:
        shared = "" if state is None else f'[fleet]\nurl = "{state.url}"\n'
        yield (CONFIG.replace('"memory"', '"fleet"') if shared else CONFIG) + shared


@pytest.mark.req("gateway:ready:loaded")
@pytest.mark.parametrize("fleet", ["", "fleet"])
async def test_no_call_imports_anything_once_the_gateway_says_that_it_is_ready(
    shell: Shell, tmp_path: Path, fleet: str
) -> None:
    noted = {"PYTHONPROFILEIMPORTTIME": "1"}  # the interpreter itself tells each import, in its order
    with (
        configured(fleet, tmp_path) as config,
        site(page) as base,
        spawned(shell, config=config, env=noted) as (
            process,
            served,
        ),
    ):
        await everything(served, base)
        terminate(process)
        assert await asyncio.to_thread(process.wait, 60) == 0
        assert process.stderr is not None
        told = [line.rpartition("|")[2].strip() for line in process.stderr if line.startswith("import time:")]
        assert [name for name in told if not name.startswith(LOOKED_FOR)] == []
