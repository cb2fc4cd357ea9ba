"""Connections: none holds the gateway for longer than its time, and none that is left open loses a call."""

import asyncio
import json
import resource
import socket
from contextlib import suppress

import pytest

from support.cli import Shell, site
from support.gateway import CONFIG, JSON, Served, serving, spawned, terminate
from support.mcp import HELLO
from webseam.core.limits import GATEWAY_FILES
from webseam.surfaces.gateway import server
from webseam.surfaces.mcp import http

ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.mark.req("gateway:connections")
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: loc",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    ],
)
async def test_a_request_that_trickles_in_is_cut_off(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(http, "MCP_REQUEST_SECONDS", 0.05)
    async with serving(shell) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(sent)
        async with asyncio.timeout(4):  # an idle connection has 75 s
            await reader.read()
        writer.close()


@pytest.mark.req("gateway:connections:idle")
async def test_a_connection_rests_longer_than_clients_and_balancers_keep_one(shell: Shell) -> None:
    async with serving(shell) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")
        (connection,) = served.connections
        ends = vars(connection)["timeout_keep_alive_task"].when()
        assert ends - asyncio.get_running_loop().time() > 60, "a balancer would send a call into a socket that closes"
        writer.close()


@pytest.mark.req("gateway:connections:packets")
async def test_head_and_body_leave_together_and_a_stream_s_head_at_once(shell: Shell) -> None:
    loop = asyncio.get_running_loop()
    async with serving(shell) as served:
        with socket.create_connection(("127.0.0.1", served.port)) as client:
            client.setblocking(False)
            for _ in range(20):
                await loop.sock_sendall(client, b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
                head, _, body = (await loop.sock_recv(client, 262_144)).partition(b"\r\n\r\n")
                size = int(head.lower().partition(b"content-length: ")[2].split()[0])
                assert body
                while len(body) < size:
                    body += await loop.sock_recv(client, 262_144)
                assert json.loads(body)["openapi"] == "3.1.0"
            async with asyncio.timeout(20):  # nothing follows the head of the first, and no call is made for the second
                for asked in (b"HEAD /openapi.json", b"GET /v1/activity/stream"):
                    await loop.sock_sendall(client, asked + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    assert (await loop.sock_recv(client, 65_536)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.req("gateway:connections")
async def test_a_client_that_does_not_read_its_answer_is_cut_off(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "GATEWAY_UNREAD_SECONDS", 0.05)
    page = b"<p>" + b"word " * 900_000
    with site(lambda _path: (200, {}, page)) as base:
        async with serving(shell) as served:
            body = json.dumps({"url": base}).encode()
            head = f"POST /v1/fetch HTTP/1.1\r\nHost: localhost\r\nContent-Type: {JSON['Content-Type']}\r\n"
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
                client.connect(("127.0.0.1", served.port))
                client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                async with asyncio.timeout(20):
                    while not served.log or served.connections:  # noqa: ASYNC110 - the server tells nobody
                        await asyncio.sleep(0)
            assert served.log[-1].status == 200


@pytest.mark.req("gateway:connections:rest")
@pytest.mark.parametrize("ends", ["answered", "half closed", "nearly read"])
async def test_the_rest_of_an_answer_is_not_waited_for_without_end(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    monkeypatch.setattr(server, "GATEWAY_UNREAD_SECONDS", 0.5)
    chars = 400_000 if ends == "nearly read" else 30_000  # the rest of either is too small to pause an answer
    loop = asyncio.get_running_loop()
    with site(lambda _path: (200, {}, b"x" * chars)) as base:
        async with serving(shell) as served:
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
                client.connect(("127.0.0.1", served.port))
                client.setblocking(False)
                async with asyncio.timeout(20):
                    while not served.connections:  # noqa: ASYNC110 - the server tells nobody
                        await asyncio.sleep(0)
                    _hold_little(served)
                    body = json.dumps({"url": base}).encode()
                    more = "" if ends == "half closed" else "Connection: close\r\n"
                    head = f"POST /v1/fetch HTTP/1.1\r\nHost: localhost\r\n{more}Content-Type: application/json\r\n"
                    await loop.sock_sendall(client, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                    with suppress(ConnectionError):  # a machine so slow that its time was over before
                        await _until_left(served, client, ends, chars)
                    assert not served.connections
            assert served.log[-1].status == 200


def _hold_little(served: Served) -> None:
    """Let the system hold little of what a client has not read."""
    (connection,) = served.connections
    there = vars(connection)["transport"].get_extra_info("socket")
    there.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)


async def _until_left(served: Served, client: socket.socket, ends: str, chars: int) -> None:
    """Read as much as this client reads, and wait for the end of the connection."""
    rest = chars - 15_000 if ends == "nearly read" else 0
    while rest > 0 and (data := await asyncio.get_running_loop().sock_recv(client, min(rest, 4_096))):
        rest -= len(data)
    while not served.log:  # noqa: ASYNC110 - the server tells nobody
        await asyncio.sleep(0)
    if ends == "half closed":
        client.shutdown(socket.SHUT_WR)
    while served.connections:  # noqa: ASYNC110 - the server tells nobody
        await asyncio.sleep(0)


@pytest.mark.req("gateway:drain")
async def test_an_mcp_call_that_is_cut_off_is_told_so_and_an_open_stream_is_no_fault(shell: Shell) -> None:
    arrived, free = asyncio.Event(), asyncio.Event()

    async def stall(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        arrived.set()
        await free.wait()
        writer.close()

    page = await asyncio.start_server(stall, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{page.sockets[0].getsockname()[1]}/"
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "web_fetch", "arguments": {"url": url}},
    }
    async with page:
        with spawned(shell, config=CONFIG + "[serve]\ndrain_seconds = 0.1\n") as (process, served):
            session = (await served.ask("/mcp", HELLO[0], **ACCEPT)).headers["mcp-session-id"]
            more = {**ACCEPT, "Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25"}
            reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
            told = "".join(f"{name}: {value}\r\n" for name, value in more.items())
            writer.write(f"GET /mcp HTTP/1.1\r\nHost: localhost\r\n{told}\r\n".encode())
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
            running = asyncio.create_task(served.ask("/mcp", call, **more))
            await arrived.wait()
            terminate(process)
            assert "GATEWAY_DRAINING" in (await running).body.decode()
            assert await asyncio.to_thread(process.wait, 20) == 0
            assert process.stderr is not None
            assert "Traceback" not in process.stderr.read()
            writer.close()
        free.set()


@pytest.mark.req("gateway:log:full")
async def test_a_log_that_nobody_reads_holds_no_request_up(shell: Shell) -> None:
    with spawned(shell) as (process, served):
        named = {"X-Request-Id": "x" * 128}
        for _ in range(700):  # twice what a pipe holds: the last lines of all may still wait to be written
            assert (await served.ask("/v1/tools", **named)).status == 200
        assert process.stderr is not None
        process.stderr.read(30_000)
        assert (await served.ask("/v1/tools")).status == 200
        terminate(process)
        assert await asyncio.to_thread(process.wait, 20) == 0
        assert "lines of the log were left out" in process.stderr.read()


@pytest.mark.req("gateway:connections:files")
def test_the_process_takes_as_many_files_as_its_calls_may_need() -> None:
    before = soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = GATEWAY_FILES if hard == resource.RLIM_INFINITY else min(hard, GATEWAY_FILES)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most - 1, hard))
        server.allow_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        server.allow_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard), "more than that stays"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before


@pytest.mark.req("gateway:log:full")
async def test_what_is_told_of_each_step_and_nobody_reads_holds_no_request_up(shell: Shell) -> None:
    with spawned(shell, "--verbose", config=CONFIG + "[serve]\naccess_log = false\n") as (process, served):
        async with asyncio.timeout(120):  # of some five seconds
            for _ in range(900):  # two lines and more of 40 bytes each: more than a pipe holds
                assert (await served.ask("/v1/search", {"query": "hits"})).status == 200
        assert process.stderr is not None
        assert "webseam: search by odd" in process.stderr.read(30_000)
        assert (await served.ask("/v1/search", {"query": "hits"})).status == 200
        terminate(process)
        assert await asyncio.to_thread(process.wait, 20) == 0
        assert "lines of the log were left out" in process.stderr.read()


@pytest.mark.req("gateway:log:warnings")
@pytest.mark.parametrize("fault", ["tokens that are damaged", "no HTTP"])
async def test_warnings_that_nobody_reads_hold_no_request_up(shell: Shell, fault: str) -> None:
    with spawned(shell, config=CONFIG + "[serve]\naccess_log = false\n") as (process, served):
        token = served.token("one")
        written = served.book.path.read_bytes()
        async with asyncio.timeout(120):  # of some five seconds
            if fault == "no HTTP":
                for _ in range(2_500):  # a line of 31 bytes each: more than a pipe holds
                    assert (await served.raw(b"no HTTP\r\n\r\n")).status == 400
            else:
                served.book.path.write_bytes(b"{")
                for _ in range(800):
                    assert (await served.ask("/v1/tools", token=token)).code == "WEB_CONFIG_INVALID"
                served.book.path.write_bytes(written)
        assert process.stderr is not None
        told = process.stderr.read(30_000)
        assert ("Invalid HTTP request" if fault == "no HTTP" else "the tokens cannot be used") in told
        await served.raw(b"no HTTP\r\n\r\n")
        assert (await served.ask("/v1/tools", token=token)).status == 200
        terminate(process)
        assert await asyncio.to_thread(process.wait, 20) == 0
        assert "lines of the log were left out" in process.stderr.read()
