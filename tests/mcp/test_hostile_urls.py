"""Every row of the list of hostile URLs through MCP: the verdicts are those of the library."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from support.cli import Shell
from support.mcp import ERAS, connected, serving, text
from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, http_web, serve
from support.url_rows import CODES, REACHED, REFUSED, ROWS, TOLERANT
from webseam import FetchSettings, Toolset

PAGE = answer(b"<p>reached</p>", headers={"Connection": "close"})


def sendable(row: dict[str, Any]) -> bool:
    """Whether the URL can stand in a JSON text of valid Unicode, as a client sends it."""
    try:
        json.dumps(row["url"], ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


async def ended(client: Client, url: str) -> str:
    """`page`, or the code."""
    result = await client.call_tool("web_fetch", {"url": url})
    if not result.is_error:
        assert "reached" in text(result)
        return "page"
    code: str = result.structured_content["error"]["code"]
    return code


@pytest.mark.req("mcp:hostile:refused")
@pytest.mark.parametrize("where", [f"{way}-{era}" for way in ("stdio", "http") for era in ERAS])
async def test_every_refused_url_is_refused(shell: Shell, where: str) -> None:
    way, era = where.split("-")
    async with connected(shell, way, era) as client:
        for row in filter(sendable, REFUSED):
            code = await ended(client, row["url"])
            blank = code == "INVALID_ARGS" and not row["url"].strip()  # the tool says so before the library could
            assert blank or set(row["want"]) & CODES[code], row


@asynccontextmanager
async def wired(where: str, *, secure: bool) -> AsyncIterator[tuple[Client, Wire]]:
    """A client whose server's sockets all lead to one page."""
    way, era = where.split("-")
    async with serve(always(PAGE, close=True)) as server:
        wire = Wire(default=None if secure else server.port)
        resolver = ScriptedResolver({"*": [[PUBLIC]]})
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            tools = Toolset(web)
            async with serving(tools, way, era) as client:
                yield client, wire
            await tools.aclose()


@pytest.mark.req("mcp:hostile:reached")
@pytest.mark.parametrize("where", [f"{way}-{era}" for way in ("memory", "stdio", "http") for era in ERAS])
async def test_every_allowed_url_is_reached(where: str) -> None:
    for secure in (False, True):
        rows = [row for row in REACHED if row.get("href", "").startswith("https") is secure]
        async with wired(where, secure=secure) as (client, wire):
            for row in rows:
                before = len(wire.dialled)
                code = await ended(client, row["url"])
                assert code == ("WEB_PROVIDER_ERROR" if secure else "page"), row
                assert len(wire.dialled) > before or not secure, row


@pytest.mark.req("mcp:hostile:reached")
async def test_urls_that_may_end_either_way_do_so() -> None:
    async with wired("memory-auto", secure=False) as (client, _):
        for row in TOLERANT:
            code = await ended(client, row["url"])
            assert code == "page" or set(row["want"]) & CODES.get(code, set()), (row, code)


@pytest.mark.req("mcp:hostile:refused")
def test_no_row_is_forgotten() -> None:
    assert len(REFUSED) + len(REACHED) + len(TOLERANT) == len(ROWS)
    assert len([row for row in REFUSED if not sendable(row)]) <= 1
