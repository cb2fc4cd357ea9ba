"""The SDK's own smallest server: low-level, three static tools, stdio. `mcp_start.py` measures ours beside it."""

import asyncio
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

TOOLS = [types.Tool(name=name, description="A tool.", input_schema={"type": "object"}) for name in ("a", "b", "c")]


async def _list(_ctx: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=TOOLS)


async def _serve() -> None:
    server: Server[Any] = Server("smallest", on_list_tools=_list)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(_serve())
