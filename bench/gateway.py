"""A fetch of a page that is kept, through the gateway, beside a bare starlette application that returns the same bytes.

Both run in this process, each on a socket of its own and on uvicorn with the same parser, and take turns, each long
enough to hold its share of what the gateway writes behind the backs of its calls. The bytes are those of the whole
answer, headers too. The gateway is as `webseam serve` has it: keys in the process's environment, a record of calls in a
file, a log of requests. The client sends raw bytes over connections that stay open, in a process of its own. Rates are
the medians of the turns. Beside them stands the processor time of a request, threads included, which a busy machine
changes less.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, TextIO

import site_pages
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webseam.surfaces.cli.output import Output
from webseam.surfaces.cli.server_log import ServerLog
from webseam.surfaces.gateway.opening import make_app
from webseam.surfaces.gateway.server import server_config, set_aside
from webseam.surfaces.mcp.http import bound
from webseam.wiring.build import build
from webseam.wiring.config import load
from webseam.wiring.ledger import for_gateway

ROUNDS: Final = 9
REQUESTS: Final = 1_600
CLIENT: Final = str(Path(__file__).parent / "gateway_client.py")
PROMISED: Final = 0.5
OF_THE_SERVER: Final = frozenset({"connection", "content-length", "date"})
"""Headers that starlette and uvicorn write by themselves."""
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
async def listening(config: uvicorn.Config) -> AsyncIterator[int]:
    """The application on uvicorn in this loop; yields its port."""
    with bound("127.0.0.1", 0) as listener:
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        yield listener.getsockname()[1]
        server.should_exit = True
        await task


def bare_config(answer: Callable[[Request], Awaitable[Response]]) -> uvicorn.Config:
    """A starlette application that does nothing else, on uvicorn with the same parser, without its log of requests."""
    app = Starlette(routes=[Route("/v1/fetch", answer, methods=["POST"])])
    return uvicorn.Config(app, http="h11", ws="none", log_config=None, access_log=False, server_header=False)


def _nowhere() -> TextIO:
    """Line by line, as stderr."""
    return Path(os.devnull).open("w", buffering=1)


@dataclass(frozen=True, slots=True)
class Turn:
    """Requests in a second, and the microseconds of processor time that one takes here."""

    rate: float
    cpu: float


async def _turn(port: int, body: str) -> Turn:
    """So many requests to one of them."""
    began = time.process_time()
    command = (sys.executable, CLIENT, str(port), body, str(REQUESTS))
    client = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    told, _ = await client.communicate()
    assert client.returncode == 0
    return Turn(REQUESTS / float(told), (time.process_time() - began) / REQUESTS * 1e6)


async def measure(size: int) -> tuple[Turn, Turn]:
    """The gateway and the bare application, for a page of so many bytes."""
    page = site_pages.page(0)[:size]
    with tempfile.TemporaryDirectory() as home, origin(page) as url, _nowhere() as log:
        os.environ["HOME"] = home
        loaded = for_gateway(load(arguments=CONFIG, cwd=Path(home)))
        lines = ServerLog(Output(stdout=log, stderr=log, environ=os.environ))
        gateway = make_app(build(loaded), loaded, log=lines.request, open_here=True)
        body = json.dumps({"url": url})
        set_aside()
        async with listening(server_config(gateway)) as port:
            headers, bare = await _answer(port, body)

            async def same(_request: Request) -> Response:
                return Response(bare, headers=headers)

            async with listening(bare_config(same)) as other:
                turns = [(await _turn(port, body), await _turn(other, body)) for _ in range(ROUNDS)]
    return _median([ours for ours, _ in turns]), _median([theirs for _, theirs in turns])


def _median(turns: list[Turn]) -> Turn:
    return Turn(statistics.median(one.rate for one in turns), statistics.median(one.cpu for one in turns))


async def _answer(port: int, body: str) -> tuple[dict[str, str], bytes]:
    """What the gateway answers once the page is kept: its own headers, and the body."""
    for _ in range(2):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = "POST /v1/fetch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        told, _, answer = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
    assert "cache" in json.loads(answer)
    lines = (line.split(": ", 1) for line in told.decode("latin-1").split("\r\n")[1:])
    return {name: value for name, value in lines if name.lower() not in OF_THE_SERVER}, answer


def main() -> None:
    """Print the figures."""
    for name in [name for name in os.environ if name.startswith(("WEBSEAM_", "XDG_"))]:
        del os.environ[name]  # what is measured is ours, and nobody's configuration
    for size in SIZES:
        ours, bare = asyncio.run(measure(size))
        print(
            f"a kept page of {size:,} bytes through the gateway: {ours.rate:,.0f} a second, "
            f"bare starlette {bare.rate:,.0f}: {ours.rate / bare.rate:.2f} of it ({PROMISED} promised); "
            f"{ours.cpu:,.0f} and {bare.cpu:,.0f} us of processor time: {bare.cpu / ours.cpu:.2f}"
        )


if __name__ == "__main__":
    main()
