"""A fetch of a page that is kept, through the gateway, beside a bare starlette application that returns the same bytes.

Both run in this process on uvicorn, each on a socket of its own, and take turns. The client sends raw bytes over
connections that stay open, in a process of its own. Rates are the medians of the turns.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import site_pages
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webseam.surfaces.gateway.opening import make_app
from webseam.surfaces.mcp.http import bound
from webseam.wiring.build import build
from webseam.wiring.config import load

ROUNDS: Final = 9
REQUESTS: Final = 480
CLIENT: Final = str(Path(__file__).parent / "gateway_client.py")
PROMISED: Final = 0.5
SIZES: Final = (20_000, 105_000)
CONFIG: Final = {"fetch": {"cache": "memory", "private_networks": ["127.0.0.0/8"], "robots": "off"}}


# The servers -------------------------------------------------------------------------------------------


@contextmanager
def origin(body: bytes) -> Iterator[str]:
    """A page that may be kept; yields its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Answer."""
            self.send_response(200)
            for name, value in (
                ("Content-Type", "text/html; charset=utf-8"),
                ("Cache-Control", "max-age=86400"),
                ("Content-Length", str(len(body))),
            ):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@asynccontextmanager
async def listening(app: Any) -> AsyncIterator[int]:
    """The application on uvicorn in this loop; yields its port."""
    with bound("127.0.0.1", 0) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="on", ws="none"))
        task = asyncio.create_task(server.serve(sockets=[listener]))
        yield listener.getsockname()[1]
        server.should_exit = True
        await task


async def _turn(port: int, body: str) -> float:
    """Requests in a second."""
    command = (sys.executable, CLIENT, str(port), body, str(REQUESTS))
    client = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    told, _ = await client.communicate()
    assert client.returncode == 0
    return REQUESTS / float(told)


async def measure(size: int) -> tuple[float, float]:
    """Rates of the gateway and of the bare application, for a page of so many bytes."""
    page = site_pages.page(0)[:size]
    with tempfile.TemporaryDirectory() as home, origin(page) as url:
        loaded = load(arguments=CONFIG, environ={"HOME": home}, cwd=Path(home))
        gateway = make_app(build(loaded), loaded, log=lambda _access: None, open_here=True)
        body = json.dumps({"url": url})
        async with listening(gateway) as port:
            bare = await _answer(port, body)

            async def same(_request: Request) -> Response:
                return Response(bare, media_type="application/json")

            async with listening(Starlette(routes=[Route("/v1/fetch", same, methods=["POST"])])) as other:
                rates = [(await _turn(port, body), await _turn(other, body)) for _ in range(ROUNDS)]
    return statistics.median(ours for ours, _ in rates), statistics.median(theirs for _, theirs in rates)


async def _answer(port: int, body: str) -> bytes:
    """What the gateway answers once the page is kept."""
    for _ in range(2):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = "POST /v1/fetch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        _, _, answer = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
    assert "cache" in json.loads(answer)
    return answer


def main() -> None:
    """Print the figures."""
    for size in SIZES:
        ours, bare = asyncio.run(measure(size))
        print(
            f"a kept page of {size:,} bytes through the gateway: {ours:,.0f} a second, bare starlette {bare:,.0f}: "
            f"{ours / bare:.2f} of it ({PROMISED} promised)"
        )


if __name__ == "__main__":
    main()
