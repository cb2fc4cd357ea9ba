"""Connections over HTTP: one that a client leaves, one that trickles, and those that are open when the server ends."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from mcp import Client

from support.cli import Shell
from support.mcp import CONFIG, HELLO, posted, spawned_http
from support.tools import ScriptedSearch
from webseam import Toolset, Web
from webseam.surfaces.mcp.door import Door
from webseam.surfaces.mcp.http import asgi_app, http_server
from webseam.surfaces.mcp.server import make_server

HALVES = {
    "nothing": b"",
    "line": b"POST /mcp HT",
    "headers": b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n",
    "body": b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n"
    b"Content-Length: 50\r\n\r\n{",
}


@asynccontextmanager
async def serving_here() -> AsyncIterator[int]:
    """The port of the server as the executable runs it, in this loop."""
    web = Web()
    web.register_search(ScriptedSearch())
    server = http_server(asgi_app(make_server(Toolset(web)), door=Door()))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        task = asyncio.create_task(server.serve(sockets=[taken]))
        try:
            yield taken.getsockname()[1]
        finally:
            server.should_exit = True
            await task


@pytest.mark.req("mcp:http:trickle")
@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
async def test_a_request_that_does_not_come_whole_is_given_up(monkeypatch: pytest.MonkeyPatch, half: bytes) -> None:
    monkeypatch.setattr("webseam.surfaces.mcp.http.MCP_REQUEST_SECONDS", 0.05)
    async with serving_here() as port, asyncio.timeout(4):  # uvicorn's own wait between requests is 5 s
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(half)
        await reader.read()
        writer.close()


@pytest.mark.req("mcp:http:trickle")
async def test_a_second_request_that_does_not_come_whole_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.surfaces.mcp.http.MCP_REQUEST_SECONDS", 0.5)
    async with serving_here() as port, asyncio.timeout(4):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readuntil(b"Not Found")
        writer.write(HALVES["line"])
        await reader.read()
        writer.close()


@pytest.mark.req("mcp:http:trickle")
async def test_a_request_that_has_come_whole_may_be_answered_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving_here() as port:
        greeted = await posted(f"http://127.0.0.1:{port}/mcp", HELLO[0])
        monkeypatch.setattr("webseam.surfaces.mcp.http.MCP_REQUEST_SECONDS", 0.05)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(stream_of(greeted.headers["mcp-session-id"]))
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        await reader.readuntil(b"\r\n\r\n")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.3)
        writer.close()


def stream_of(session: str) -> bytes:
    """The request for a session's stream of notes."""
    return (
        f"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n"
    ).encode()


@pytest.mark.req("mcp:http:stop")
async def test_connections_that_are_open_at_the_end_are_closed_without_a_traceback(shell: Shell) -> None:
    shell.desk.user(CONFIG)
    with spawned_http(shell, "0") as (raw, url):
        greeted = await posted(url, HELLO[0])
        port = int(url.removesuffix("/mcp").rpartition(":")[2])
        stream, streaming = await asyncio.open_connection("127.0.0.1", port)
        streaming.write(stream_of(greeted.headers["mcp-session-id"]))
        await stream.readuntil(b"\r\n\r\n")
        body, trickling = await asyncio.open_connection("127.0.0.1", port)
        trickling.write(HALVES["body"])
        await posted(url, HELLO[0])  # what was written before is read by then
        raw.process.send_signal(signal.SIGTERM)
        code, log = await asyncio.to_thread(raw.ended)
        rest = [await stream.read(), await body.read()]
        for one in (streaming, trickling):
            one.close()

    assert code == -signal.SIGTERM
    assert not [word for word in ("Traceback", "Exception", "ASGI") if word in log], log
    assert (rest[0].endswith(b"0\r\n\r\n"), rest[1].startswith(b"HTTP/1.1 503 ")) == (True, True), rest


@pytest.mark.req("mcp:http:busy")
def test_a_port_that_another_program_holds_is_told_in_a_sentence(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = shell.spawn("mcp", "--http", address)

    said = f"webseam: WEB_CONFIG_INVALID: {address} cannot be listened on (Address already in use). Choose another.\n"
    assert (done.returncode, done.stdout, done.stderr.decode()) == (3, b"", said)


async def asked(page: socket.socket, call: "asyncio.Task[object]") -> socket.socket:
    """The connection of a call to its page; a call that ends before fails with what it said."""
    accept = asyncio.create_task(asyncio.get_running_loop().sock_accept(page))
    await asyncio.wait((accept, call), return_when=asyncio.FIRST_COMPLETED)
    assert accept.done(), call.result()
    return accept.result()[0]


@pytest.mark.req("mcp:cancel:socket")
@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_a_client_that_leaves_over_http_closes_the_connection_to_the_page(shell: Shell, era: str) -> None:
    shell.desk.user(CONFIG)
    loop = asyncio.get_running_loop()
    with spawned_http(shell, "0") as (_, url), socket.create_server(("127.0.0.1", 0)) as page:
        page.setblocking(False)
        async with Client(url, mode=era) as client, asyncio.timeout(30):
            target = f"http://127.0.0.1:{page.getsockname()[1]}/"
            call = asyncio.create_task(client.call_tool("web_fetch", {"url": target}))
            with await asked(page, call) as connection:
                assert (await loop.sock_recv(connection, 65_536)).startswith(b"GET /")
                call.cancel()
                assert await loop.sock_recv(connection, 1) == b""
            await asyncio.gather(call, return_exceptions=True)
            await client.list_tools()  # the answer to what was cancelled is read before the client closes


@pytest.mark.req("mcp:cancel:session")
async def test_a_session_that_its_client_ends_closes_the_connection_to_the_page(shell: Shell) -> None:
    shell.desk.user(CONFIG)
    loop = asyncio.get_running_loop()
    with spawned_http(shell, "0") as (_, url), socket.create_server(("127.0.0.1", 0)) as page:
        page.setblocking(False)
        target = f"http://127.0.0.1:{page.getsockname()[1]}/"
        async with Client(url, mode="legacy") as client, asyncio.timeout(30):
            call = asyncio.create_task(client.call_tool("web_fetch", {"url": target}))
            connection = await asked(page, call)
        with connection:
            async with asyncio.timeout(10):
                assert (await loop.sock_recv(connection, 65_536)).startswith(b"GET /")
                assert await loop.sock_recv(connection, 1) == b""
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)


@pytest.mark.req("mcp:cancel:broken")
async def test_a_broken_connection_of_the_first_era_is_no_cancellation(shell: Shell) -> None:
    shell.desk.user(CONFIG)
    loop = asyncio.get_running_loop()
    with spawned_http(shell, "0") as (_, url), socket.create_server(("127.0.0.1", 0)) as page:
        page.setblocking(False)
        session = (await posted(url, HELLO[0])).headers["mcp-session-id"]
        await posted(url, HELLO[1], mcp_session_id=session)
        target = f"http://127.0.0.1:{page.getsockname()[1]}/"
        call = {"name": "web_fetch", "arguments": {"url": target}}
        leaving = asyncio.create_task(
            posted(url, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}, mcp_session_id=session)
        )
        with await asked(page, leaving) as connection:
            assert (await loop.sock_recv(connection, 65_536)).startswith(b"GET / ")
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
            await posted(url, {"jsonrpc": "2.0", "id": 3, "method": "tools/list"}, mcp_session_id=session)
            await loop.sock_sendall(connection, b"HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
            assert (await loop.sock_recv(connection, 65_536)).startswith(b"GET /next ")


@pytest.mark.req("mcp:http:idle")
def test_a_connection_rests_longer_than_clients_keep_one() -> None:
    app = asgi_app(make_server(Toolset(Web())), door=Door())
    assert http_server(app).config.timeout_keep_alive > 60
