"""Connections: none holds the gateway for longer than its time, and none that is left open loses a call."""

import asyncio
import json
import resource
import socket

import pytest

from support.cli import Shell, site
from support.gateway import CONFIG, JSON, serving, spawned, terminate
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
            async with asyncio.timeout(4):  # no call is made, so nothing follows the head
                await loop.sock_sendall(client, b"GET /v1/activity/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
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
