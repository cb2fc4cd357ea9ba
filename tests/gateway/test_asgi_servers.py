"""`create_app` under ASGI servers that are not ours: granian and uvicorn, as processes of their own."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from support.cli import Answer, Shell, site
from support.gateway import CONFIG, Served
from support.mcp import text

APP: Final = "webseam.surfaces.gateway.opening:create_app"
PAGE: Final = b"<h1>Kelp</h1><p>It grows."
BIN: Final = Path(sys.executable).parent
COMMANDS: Final[Mapping[str, Callable[[int], list[str]]]] = {
    "granian": lambda port: [
        *(f"{BIN}/granian", "--interface", "asgi", "--factory"),
        *("--host", "127.0.0.1", "--port", str(port), "--workers-kill-timeout", "20", APP),
    ],
    "uvicorn": lambda port: [f"{BIN}/uvicorn", "--factory", "--host", "127.0.0.1", "--port", str(port), APP],
}
"""As docs/gateway.md has them."""

TRIES: Final = 3
"""Between the choice of a free port and its use another process may take it."""

pytestmark = pytest.mark.timeout(120)


@dataclass(frozen=True, slots=True)
class Hosted:
    """The application under a server of somebody else's."""

    process: "subprocess.Popen[bytes]"
    served: Served
    token: str
    said: Path

    async def end(self) -> tuple[int, str]:
        """What it ended with after SIGTERM, and all that it said."""
        self.process.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(self.process.wait, 60)
        return code, self.said.read_text(encoding="utf-8")


@pytest.fixture(params=COMMANDS)
def server(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if find_spec(name) is None:
        pytest.skip(f"{name} is not installed: it comes with the dependency group `outside`")
    return name


@asynccontextmanager
async def hosted(shell: Shell, server: str, folder: Path) -> AsyncIterator[Hosted]:
    """The server with our application, on a free port; killed at the end where it still runs."""
    shell.desk.user(CONFIG)
    token = Served(0, shell).token("one")
    for number in range(TRIES):
        said = folder / f"said-{number}"
        port = _free_port()
        with said.open("wb") as output:
            process = subprocess.Popen(  # noqa: S603, ASYNC220 - a program of this environment
                COMMANDS[server](port),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=shell.variables({"PYTHONUNBUFFERED": "1"}),
                cwd=shell.desk.cwd,
            )
        try:
            if await _answers(process, port):
                yield Hosted(process, Served(port, shell), token, said)
                return
        finally:
            await asyncio.to_thread(_end, process)
    raise AssertionError(said.read_text(encoding="utf-8"))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        port: int = bound.getsockname()[1]
        return port


async def _answers(process: "subprocess.Popen[bytes]", port: int) -> bool:
    """Wait until it listens; False where it ended instead."""
    async with asyncio.timeout(60):
        while process.poll() is None:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0)
                continue
            writer.close()
            return True
    return False


def _end(process: "subprocess.Popen[bytes]") -> None:
    """It, and the workers of its own, where the test did not end it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.mark.req("gateway:servers")
async def test_it_is_well_asks_for_a_token_and_reads_a_page(shell: Shell, server: str, tmp_path: Path) -> None:
    with site(lambda _path: (200, {}, PAGE)) as base:
        async with hosted(shell, server, tmp_path) as there:
            ask = there.served.ask
            assert (await ask("/healthz")).json == {"status": "alive"}
            assert (await ask("/readyz")).json == {"status": "ready"}
            assert (await ask("/v1/fetch", {"url": base})).code == "GATEWAY_UNAUTHORIZED"
            page = await ask("/v1/fetch", {"url": base}, token=there.token)
            assert page.status == 200, page.body
            assert page.json["body"]["content"] == PAGE.decode()
            found = await ask("/v1/search", {"query": "hits"}, token=there.token)
            assert [one["url"] for one in found.json["sources"]][:1] == ["https://a.test/"]
            assert (await ask("/v1/fetch", {"url": "http://10.0.0.1/"}, token=there.token)).code == "WEB_BLOCKED_URL"
            assert (await ask("/v1/nothing", token=there.token)).code == "GATEWAY_NOT_FOUND"
            assert (await ask("/v1/search", {"query": "hits"}, token=there.token, Host="evil.test")).status == 403
            code, said = await there.end()
    assert code in (0, -signal.SIGTERM), said
    assert "Traceback" not in said
    assert there.token not in said


@pytest.mark.req("gateway:servers")
async def test_the_sdk_s_client_drives_the_tools(shell: Shell, server: str, tmp_path: Path) -> None:
    with site(lambda _path: (200, {}, PAGE)) as base:
        async with hosted(shell, server, tmp_path) as there:
            url = f"http://127.0.0.1:{there.served.port}/mcp"
            bearer = {"Authorization": f"Bearer {there.token}"}
            async with (
                httpx2.AsyncClient(headers=bearer, timeout=50) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                names = [one.name for one in (await client.list_tools()).tools]
                read = await client.call_tool("web_fetch", {"url": base})
                refused = await client.call_tool("web_fetch", {"url": "http://10.0.0.1/"})
            code, said = await there.end()
    assert names == ["web_search", "web_fetch", "web_extract"]
    assert "It grows." in text(read)
    assert (refused.is_error, "WEB_BLOCKED_URL" in text(refused)) == (True, True)
    assert code in (0, -signal.SIGTERM), said
    assert "Traceback" not in said


@pytest.mark.req("gateway:servers")
async def test_on_sigterm_a_call_that_runs_is_answered(shell: Shell, server: str, tmp_path: Path) -> None:
    asked, free = threading.Event(), threading.Event()

    def slow(_path: str) -> Answer:
        asked.set()
        free.wait(50)
        return 200, {}, PAGE

    with site(slow) as base:
        async with hosted(shell, server, tmp_path) as there:
            running = asyncio.create_task(there.served.ask("/v1/fetch", {"url": base}, token=there.token))
            await asyncio.to_thread(asked.wait, 50)
            ending = asyncio.create_task(there.end())
            await _closed(there.served.port)
            assert not running.done()
            free.set()
            got = await running
            code, said = await ending
    assert (got.status, got.json["body"]["content"]) == (200, PAGE.decode())
    assert code in (0, -signal.SIGTERM), said
    assert "Traceback" not in said


async def _closed(port: int) -> None:
    """Wait until nobody takes a new connection."""
    async with asyncio.timeout(50):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                return
            writer.close()
            await asyncio.sleep(0)


@pytest.mark.req("gateway:servers")
async def test_a_client_that_leaves_ends_its_call(shell: Shell, server: str, tmp_path: Path) -> None:
    asked, left = asyncio.Event(), asyncio.Event()

    async def stall(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await reader.read()
        left.set()
        writer.close()

    page = await asyncio.start_server(stall, "127.0.0.1", 0)
    data = json.dumps({"url": f"http://127.0.0.1:{page.sockets[0].getsockname()[1]}/"}).encode()
    async with page, hosted(shell, server, tmp_path) as there:
        _, writer = await asyncio.open_connection("127.0.0.1", there.served.port)
        head = f"POST /v1/fetch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {there.token}\r\n"
        kind = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        writer.write(head.encode() + kind.encode() + data)
        async with asyncio.timeout(50):
            await asked.wait()
            writer.close()
            await left.wait()
        code, said = await there.end()
    assert code in (0, -signal.SIGTERM), said
