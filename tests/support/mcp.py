"""The MCP server behind the SDK's own client: in memory, as the executable over stdio, and over HTTP; in both eras."""

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import IO, Any, Final

import httpx2
import uvicorn
from mcp import Client, StdioServerParameters, types
from mcp.server.lowlevel import Server
from mcp.types import CallToolResult

from support.cli import EXECUTABLE, Shell
from webseam.surfaces.mcp.door import Door
from webseam.surfaces.mcp.http import asgi_app
from webseam.surfaces.mcp.runs import RunOf, session_runs
from webseam.surfaces.mcp.server import Tools, make_server
from webseam.surfaces.mcp.stdio import serve_stdio
from webseam.tools.toolset import Toolset
from webseam.wiring.opening import open_web

WAYS: Final = ("memory", "stdio", "http")
ERAS: Final = {"legacy": "2025-11-25", "auto": "2026-07-28"}
"""What `Client(mode=...)` takes for each era, and the version that is then spoken."""

CONFIG: Final = (
    '[search]\nprovider = "odd"\n[fetch]\nprivate_networks = ["127.0.0.0/8"]\nimages = true\n[tools]\nextract = true\n'
)
TOKEN: Final = "c2VjcmV0LXRva2VuLWZvci10ZXN0cw"


@asynccontextmanager
async def connected(
    shell: Shell, way: str, era: str, *, argv: Sequence[str] = (), **options: Any
) -> AsyncIterator[Client]:
    """A client of the server that the desk's configuration makes; `argv` is for the executable.

    The SDK's client holds every result to the tool's output schema, and raises where it does not fit.
    """
    async with AsyncExitStack() as stack:
        if way == "stdio":
            command = StdioServerParameters(
                command=str(EXECUTABLE), args=["mcp", *argv], env=shell.variables(), cwd=shell.desk.cwd
            )
            yield await stack.enter_async_context(Client(command, mode=era, **options))
            return
        web = await stack.enter_async_context(open_web(environ=shell.desk.environ, cwd=shell.desk.cwd))
        tools = Toolset(web)
        web.at_close(tools.aclose)
        yield await stack.enter_async_context(serving(tools, way, era, **options))


@asynccontextmanager
async def serving(
    tools: Tools, way: str, era: str, *, run: RunOf | None = None, **options: Any
) -> AsyncIterator[Client]:
    """A client of a server of these tools, in this process."""
    async with AsyncExitStack() as stack:
        if way == "memory":
            yield await stack.enter_async_context(Client(make_server(tools, run=run), mode=era, **options))
            return
        if way == "stdio":
            relay = await stack.enter_async_context(relayed(make_server(tools, run=run)))
            yield await stack.enter_async_context(Client(relay, mode=era, **options))
            return
        url = await stack.enter_async_context(listening(make_server(tools, run=run or session_runs())))
        yield await stack.enter_async_context(Client(url, mode=era, **options))


@asynccontextmanager
async def listening(server: Server[Any], *, door: Door | None = None) -> AsyncIterator[str]:
    """The server over HTTP in this loop; yields its URL."""
    app = asgi_app(server, door=door or Door())
    with socket.create_server(("127.0.0.1", 0)) as bound:
        http = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="on", ws="none"))
        task = asyncio.create_task(http.serve(sockets=[bound]))
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}/mcp"
        finally:
            http.should_exit = True
            http.force_exit = True
            await task


_RELAY: Final = """
import os, socket, sys, threading
line = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def back():
    while data := line.recv(65536):
        os.write(1, data)
threading.Thread(target=back, daemon=True).start()
while data := os.read(0, 65536):
    line.sendall(data)
"""


@asynccontextmanager
async def relayed(server: Server[Any]) -> AsyncIterator[StdioServerParameters]:
    """The server over stdio in this process: what a client starts is a relay between its own pipes and it."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        accepting = asyncio.create_task(asyncio.to_thread(bound.accept))
        port = str(bound.getsockname()[1])

        async def serve() -> None:
            line, _ = await accepting
            with line:
                await serve_stdio(server, source=line.fileno(), target=line.fileno())

        task = asyncio.create_task(serve())
        try:
            yield StdioServerParameters(command=sys.executable, args=["-c", _RELAY, port])
        finally:
            await task


def text(result: CallToolResult) -> str:
    """What the model reads."""
    first = result.content[0]
    assert isinstance(first, types.TextContent)
    return first.text


# The executable, spoken to in raw lines ------------------------------------------------------------------


HELLO: Final = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
)


class Raw:
    """The executable with pipes that a test closes as it likes."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    @property
    def stdin(self) -> IO[bytes]:
        """What the server reads."""
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        """What it writes."""
        assert self.process.stdout is not None
        return self.process.stdout

    def send(self, *messages: object) -> None:
        """Messages as lines; bytes as they are."""
        for one in messages:
            self.stdin.write(one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n")
        self.stdin.flush()

    def receive(self) -> Any:
        """The next line."""
        return json.loads(self.stdout.readline())

    def answer(self, key: int) -> Any:
        """The next message with this id."""
        while (message := self.receive()).get("id") != key:
            pass
        return message

    def greet(self) -> None:
        """The handshake."""
        self.send(*HELLO)
        assert self.answer(1)["result"]["protocolVersion"] == "2025-11-25"

    def call(self, key: int, name: str, /, **arguments: object) -> None:
        """Call a tool without waiting."""
        self.send(
            {"jsonrpc": "2.0", "id": key, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        )

    def ended(self) -> tuple[int, str]:
        """Exit code and stderr; the server must be on its way out."""
        code = self.process.wait(timeout=10)
        assert self.process.stderr is not None
        return code, self.process.stderr.read().decode()


@contextmanager
def spawned(
    shell: Shell, *argv: str, streams: socket.socket | None = None, env: Mapping[str, str] | None = None
) -> Iterator[Raw]:
    """`webseam mcp` on pipes, or on a socket; killed at the end where it still runs."""
    ends = subprocess.PIPE if streams is None else streams.fileno()
    process = subprocess.Popen(  # noqa: S603 - our own executable
        [EXECUTABLE, "mcp", *argv],
        stdin=ends,
        stdout=ends,
        stderr=subprocess.PIPE,
        env=shell.variables(env or {}),
        cwd=shell.desk.cwd,
    )
    try:
        yield Raw(process)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None and not stream.closed:
                _close(stream.close)


def _close(close: Callable[[], None]) -> None:
    try:
        close()
    except BrokenPipeError:
        return  # what was not written has nobody to read it


@contextmanager
def spawned_http(shell: Shell, *argv: str, env: Mapping[str, str] | None = None) -> Iterator[tuple[Raw, str]]:
    """`webseam mcp --http`, and the URL that it tells."""
    with spawned(shell, "--http", *argv, env=env) as raw:
        assert raw.process.stderr is not None
        for line in iter(raw.process.stderr.readline, b""):
            if b"MCP at " in line:
                yield raw, line.decode().split("MCP at ")[1].strip()
                return
        raise AssertionError(f"it did not start: {raw.process.wait()}")


async def posted(url: str, body: bytes | dict[str, Any], **headers: str) -> httpx2.Response:
    """One POST, as an MCP client sends it unless `headers` say otherwise."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    usual = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with httpx2.AsyncClient(trust_env=False) as client:
        return await client.post(url, content=content, headers={**usual, **named})
