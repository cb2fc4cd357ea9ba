"""The server of `webseam mcp`, with the tools, prompts and resources besides that the suite's scenarios call by name.

`python -m conformance.fixture_server PORT` serves it on loopback.
"""

import asyncio
import sys
from contextlib import aclosing
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

import webseam
from conformance.pages import HANDLERS, accepted
from conformance.plain_tools import PLAIN
from conformance.round_tools import ROUNDS
from conformance.talking_tools import TALKING
from webseam.surfaces.mcp.door import Door
from webseam.surfaces.mcp.http import asgi_app, bound, serve_http
from webseam.surfaces.mcp.runs import session_runs
from webseam.surfaces.mcp.server import NAME, Extra, Tools, make_server


def fixture_server(tools: Tools) -> Server[Any]:
    """Ours, and the fixtures after it."""
    fixtures = tuple((one.listed, one.run) for one in (*PLAIN, *TALKING, *ROUNDS))
    server = make_server(tools, extra=Extra(tools=fixtures, handlers=HANDLERS), run=session_runs())
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, accepted)
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=NAME))
    return server


async def main(port: int) -> None:
    """Serve until the process is ended."""
    async with webseam.open() as web, aclosing(webseam.Toolset(web)) as tools:
        app = asgi_app(fixture_server(tools), door=Door())
        await serve_http(app, bound("127.0.0.1", port))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
