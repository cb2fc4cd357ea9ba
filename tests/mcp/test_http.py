"""MCP over HTTP: who may speak to it, what a body may be, and what stands in its log."""

import asyncio
import json
import signal
import socket
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.routing import Mount

from support.cli import Shell, site
from support.mcp import CONFIG, HELLO, TOKEN, listening, posted, spawned_http, text
from support.tools import ScriptedSearch
from webseam import Toolset, Web
from webseam.core.errors import WebError
from webseam.core.limits import MCP_MESSAGE_BYTES
from webseam.surfaces.mcp.door import Door, is_local
from webseam.surfaces.mcp.http import asgi_app, bound, check_open
from webseam.surfaces.mcp.server import make_server

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
LIST: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": MODERN}}
NAMED = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/list"}


def tools() -> Toolset:
    web = Web()
    web.register_search(ScriptedSearch())
    return Toolset(web)


# The door ------------------------------------------------------------------------------------------------


def refusal(door: Door, **headers: str) -> int | None:
    response = door.refusal(Headers({"host": "127.0.0.1:8000", **{k.replace("_", "-"): v for k, v in headers.items()}}))
    return None if response is None else response.status_code


@pytest.mark.req("mcp:http:host")
@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:1", "localhost:8000", "LOCALHOST", "[::1]:8000", "192.0.2.7:80", "[2001:db8::1]"]
)
def test_this_machine_and_addresses_are_hosts(host: str) -> None:
    assert refusal(Door(), host=host) is None


@pytest.mark.req("mcp:http:host")
@pytest.mark.parametrize(
    "host",
    [
        *(
            "evil.test",
            "localhost.evil.test",
            "127.0.0.1.evil.test:80",
            "",
            "a@localhost",
            "localhost/x",
            "localhost:x",
        ),
        *("[::1", "localhost#", "127.0.0.1:0", "127.0.0.1?", "evil.test\\@localhost", "127.1", "0x7f.0.0.1"),
    ],
)
def test_any_other_name_is_refused_as_a_host(host: str) -> None:
    assert refusal(Door(), host=host) == 403
    assert refusal(Door(token=TOKEN), host=host, authorization=f"Bearer {TOKEN}") == 403


@pytest.mark.req("mcp:http:host")
def test_a_name_that_was_given_is_a_host_and_an_origin() -> None:
    door = Door(hosts=frozenset({"mcp.example"}))
    assert refusal(door, host="MCP.example:443", origin="https://mcp.example") is None
    assert refusal(door, host="sub.mcp.example") == 403


@pytest.mark.req("mcp:http:origin")
@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:1"])
def test_pages_of_this_machine_may_ask(origin: str) -> None:
    assert refusal(Door(), origin=origin) is None


@pytest.mark.req("mcp:http:origin")
@pytest.mark.parametrize(
    "origin",
    ["https://evil.test", "http://192.0.2.1", "null", "", "file://", "http://localhost.evil.test", "localhost"],
)
def test_pages_from_elsewhere_may_not(origin: str) -> None:
    assert refusal(Door(), origin=origin) == 403


@pytest.mark.req("mcp:http:origin")
def test_a_header_that_stands_twice_is_no_header() -> None:
    twice = Headers(raw=[(b"host", b"localhost"), (b"host", b"localhost")])
    answer = Door().refusal(twice)
    assert answer is not None
    assert answer.status_code == 403


@pytest.mark.req("mcp:http:token")
@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN, "Bearer \xe9"],
)
def test_a_wrong_token_is_refused_and_told_which_kind_is_needed(header: str) -> None:
    answer = Door(token=TOKEN).refusal(Headers({"host": "127.0.0.1", "authorization": header}))
    assert answer is not None
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, 'Bearer realm="webseam"')


@pytest.mark.req("mcp:http:token")
def test_the_right_token_passes_and_stands_in_no_repr() -> None:
    assert refusal(Door(token=TOKEN), authorization=f"bearer {TOKEN}") is None
    assert TOKEN not in repr(Door(token=TOKEN))


@pytest.mark.req("mcp:http:host", "mcp:http:origin")
@given(host=st.text(max_size=40), origin=st.text(max_size=40), token=st.text(max_size=40))
def test_no_header_makes_the_door_fail(host: str, origin: str, token: str) -> None:
    raw = [(b"host", host), (b"origin", origin), (b"authorization", token)]
    headers = Headers(raw=[(name, value.encode("utf-8", "surrogatepass")) for name, value in raw])
    answer = Door(token=TOKEN).refusal(headers)
    assert answer is not None
    assert answer.status_code in (401, 403)


@pytest.mark.req("mcp:http:bind")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "mcp.example", "127.0.0.1.evil.test"])
def test_other_machines_need_a_token(host: str) -> None:
    assert not is_local(host)
    with pytest.raises(WebError, match="needs a bearer token"):
        check_open(host, None)
    check_open(host, TOKEN)


@pytest.mark.req("mcp:http:bind")
@pytest.mark.parametrize("token", ["short", "x" * 15, "x" * 20 + "\n", "\u00e9" * 20])
def test_a_token_that_can_be_guessed_or_not_be_sent_is_refused(token: str) -> None:
    with pytest.raises(WebError, match="16 printable ASCII"):
        check_open("127.0.0.1", token)


@pytest.mark.req("mcp:http:bind")
def test_a_port_in_use_is_said_in_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(WebError, match="cannot be listened on"):
        bound("127.0.0.1", taken.getsockname()[1])


# Bodies --------------------------------------------------------------------------------------------------


@pytest.mark.req("mcp:http:bodies")
async def test_a_body_that_is_no_message_is_refused_and_the_next_one_is_answered() -> None:
    bad: list[tuple[bytes, int]] = [
        (b"", 400),
        (b"not JSON", 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b"[]", 400),
        (json.dumps([LIST]).encode(), 400),
        (b'"text"', 400),
        (b'{"id": 1}', 400),
        (json.dumps({**LIST, "params": {}}).encode(), 400),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * MCP_MESSAGE_BYTES + b'"}', 413),
    ]
    async with listening(make_server(tools())) as url:
        for body, status in bad:
            for headers in (NAMED, {}):
                response = await posted(url, body, **headers)
                assert response.status_code in (status, 400), (body[:40], response.text)
                assert "Traceback" not in response.text
        unknown = await posted(url, LIST, MCP_Protocol_Version="1999-01-01", Mcp_Method="tools/list")
        good = await posted(url, LIST, **NAMED)

    assert unknown.status_code == 400
    assert [one["name"] for one in good.json()["result"]["tools"]] == ["web_search", "web_fetch"]


@pytest.mark.req("mcp:http:host", "mcp:http:origin", "mcp:http:token")
async def test_what_the_door_refuses_never_reaches_the_protocol() -> None:
    async with listening(make_server(tools()), door=Door(token=TOKEN)) as url:
        bearer = f"Bearer {TOKEN}"
        rebound = await posted(url, LIST, **NAMED, Host="evil.test", Authorization=bearer)
        foreign = await posted(url, LIST, **NAMED, Origin="https://evil.test", Authorization=bearer)
        unknown = await posted(url, LIST, **NAMED)
        good = await posted(url, LIST, **NAMED, Authorization=bearer)

    assert [one.status_code for one in (rebound, foreign, unknown, good)] == [403, 403, 401, 200]


@pytest.mark.req("mcp:http:mounted")
async def test_another_application_can_hold_it() -> None:
    inner = asgi_app(make_server(tools()), door=Door())
    outer = Starlette(routes=[Mount("/", app=inner)], lifespan=inner.router.lifespan_context)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server = uvicorn.Server(uvicorn.Config(outer, log_config=None, lifespan="on", ws="none"))
        task = asyncio.create_task(server.serve(sockets=[taken]))
        response = await posted(f"http://127.0.0.1:{taken.getsockname()[1]}/mcp", LIST, **NAMED)
        server.should_exit = True
        await task

    assert response.status_code == 200


# The executable ------------------------------------------------------------------------------------------


@pytest.mark.req("mcp:http:serve", "mcp:http:log", "mcp:http:token")
@pytest.mark.parametrize("source", ["file", "variable"])
async def test_the_executable_serves_other_machines_with_a_token_and_logs_none(shell: Shell, source: str) -> None:
    shell.desk.user(CONFIG)
    path = shell.desk.cwd / "token"
    path.write_text(f"{TOKEN}\n", encoding="utf-8")
    path.chmod(0o600)
    argv = ("--token-file", "token") if source == "file" else ()
    env = {} if source == "file" else {"WEBSEAM_MCP_TOKEN": TOKEN}
    with spawned_http(shell, "0.0.0.0:0", *argv, env=env) as (raw, told):
        url = told.replace("0.0.0.0", "127.0.0.1")
        refused = await posted(url, HELLO[0])
        wrong = await posted(url, HELLO[0], Authorization=f"Bearer {TOKEN}x")
        greeted = await posted(url, HELLO[0], Authorization=f"Bearer {TOKEN}")
        raw.process.send_signal(signal.SIGTERM)
        code, log = raw.ended()

    assert [one.status_code for one in (refused, wrong, greeted)] == [401, 401, 200]
    assert (code, TOKEN in log, "Traceback" in log) == (-signal.SIGTERM, False, False), log


@pytest.mark.req("mcp:http:serve")
async def test_the_executable_ends_while_a_call_runs(shell: Shell) -> None:
    shell.desk.user(CONFIG)
    listening_page = socket.create_server(("127.0.0.1", 0))
    listening_page.settimeout(20)
    with spawned_http(shell, "0") as (raw, url), listening_page:
        async with Client(url) as client:
            page = f"http://127.0.0.1:{listening_page.getsockname()[1]}/"
            call = asyncio.create_task(client.call_tool("web_fetch", {"url": page}))
            connection, _ = await asyncio.to_thread(listening_page.accept)
            raw.process.send_signal(signal.SIGTERM)
            code, log = await asyncio.to_thread(raw.ended)
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
        connection.close()

    assert code == -signal.SIGTERM, log


@pytest.mark.req("mcp:http:serve")
async def test_two_clients_with_the_same_ids_get_their_own_answers(shell: Shell) -> None:
    shell.desk.user(CONFIG)
    with site(lambda path: (200, {}, f"<p>This is {path}.</p>".encode())) as base, spawned_http(shell, "0") as (_, url):
        async with Client(url, mode="legacy") as one, Client(url, mode="legacy") as two, Client(url) as three:
            asked = [(client, f"{base}/{name}") for client, name in ((one, "one"), (two, "two"), (three, "three"))]
            results = await asyncio.gather(*(client.call_tool("web_fetch", {"url": url}) for client, url in asked * 5))

    for (_, target), result in zip(asked * 5, results, strict=True):
        assert f"This is /{target.rpartition('/')[2]}." in text(result)


@pytest.mark.req("mcp:http:bind", "mcp:cli:usage")
@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--http", "0.0.0.0:0"), "needs a bearer token"),
        (("--http", "[::]:0"), "needs a bearer token"),
        (("--http", "nope"), "is no address"),
        (("--http", "127.0.0.1:99999"), "is no address"),
        (("--http", "::1:80"), "is no address"),
        (("--http", "host:"), "is no address"),
        (("--http", "0", "--token-file", "none"), "cannot be read"),
        (("--http", "192.0.2.1:0"), "needs a bearer token"),
        (("--token-file", "x"), "are for --http"),
        (("--allow-host", "x"), "are for --http"),
        (("--http",), "requires an argument"),
    ],
)
def test_an_address_that_cannot_be_served_is_refused_in_words(shell: Shell, argv: tuple[str, ...], said: str) -> None:
    done = shell.spawn("mcp", *argv)
    assert done.returncode in (2, 3), done.stderr
    assert said in done.stderr.decode()
    assert done.stdout == b""


@pytest.mark.req("mcp:http:token")
@pytest.mark.parametrize(
    ("mode", "content", "said"), [(0o644, TOKEN, "chmod"), (0o600, "", "is empty"), (0o600, "a", "16")]
)
def test_a_token_file_is_private_and_holds_a_token(shell: Shell, mode: int, content: str, said: str) -> None:
    path = Path(shell.desk.cwd, "token")
    path.write_text(content, encoding="utf-8")
    path.chmod(mode)
    done = shell.spawn("mcp", "--http", "0", "--token-file", "token")
    assert said in done.stderr.decode(), done.stderr
    assert TOKEN not in done.stderr.decode()
