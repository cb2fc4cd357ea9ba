"""The executable over stdio: nothing but protocol, no crash over bad input, and gone as soon as the client is."""

import json
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from support.cli import Shell, site
from support.mcp import CONFIG, HELLO, Raw, spawned
from webseam.core.limits import MCP_MESSAGE_BYTES
from webseam.surfaces.mcp.stdio import Unanswered

PROMISED = 2.0
"""Seconds from the client's end to the server's (R192)."""


class Stalled:
    """A page server that takes one request and never answers."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}/"

    def asked(self) -> socket.socket:
        """The connection, once the request is there."""
        connection, _ = self.listening.accept()
        connection.settimeout(10)
        assert connection.recv(65_536).startswith(b"GET /")
        return connection


@pytest.fixture
def stalled() -> Stalled:
    return Stalled()


def eof(raw: Raw) -> None:
    raw.stdin.close()


def broken_pipe(raw: Raw) -> None:
    raw.stdout.close()


def terminate(raw: Raw) -> None:
    raw.process.send_signal(signal.SIGTERM)


def interrupt(raw: Raw) -> None:
    raw.process.send_signal(signal.SIGINT)


ENDS = [(eof, 0), (broken_pipe, 141), (terminate, 143), (interrupt, 130)]


@pytest.mark.req("mcp:stdio:end", "mcp:cancel:socket")
@pytest.mark.parametrize(("end", "code"), ENDS, ids=[end.__name__ for end, _ in ENDS])
def test_it_ends_with_its_client_while_a_call_runs(
    shell: Shell, stalled: Stalled, end: Callable[[Raw], None], code: int
) -> None:
    shell.desk.user(CONFIG)
    with spawned(shell) as raw, stalled.listening:
        raw.greet()
        raw.call(2, "web_fetch", url=stalled.url)
        with stalled.asked() as connection:
            begun = time.monotonic()
            end(raw)
            assert connection.recv(1) == b""
            ended, told = raw.ended()

    assert ended == code, told
    assert time.monotonic() - begun < PROMISED
    assert "Traceback" not in told


@pytest.mark.req("mcp:stdio:end")
@pytest.mark.parametrize("opening", ["greeted", "before the first message"])
@pytest.mark.parametrize(("end", "code"), ENDS, ids=[end.__name__ for end, _ in ENDS])
def test_it_ends_with_its_client_while_it_waits(
    shell: Shell, end: Callable[[Raw], None], code: int, opening: str
) -> None:
    with spawned(shell) as raw:
        if opening == "greeted":
            raw.greet()
        else:
            raw.send(b"not JSON\n")
            raw.receive()
        begun = time.monotonic()
        end(raw)
        ended, told = raw.ended()

    assert ended == code, told
    assert time.monotonic() - begun < PROMISED
    assert "Traceback" not in told


@pytest.mark.req("mcp:stdio:end")
def test_it_ends_when_a_client_on_sockets_goes_away(shell: Shell) -> None:
    """Node gives its children sockets instead of pipes; one that is closed reports no error, but its end."""
    ours, theirs = socket.socketpair()
    with spawned(shell, streams=theirs) as raw, ours:
        theirs.close()
        ours.sendall(json.dumps(HELLO[0]).encode() + b"\n")
        assert b"2025-11-25" in ours.recv(65_536)
        ours.close()
        assert raw.process.wait(timeout=10) in (0, 141)


@pytest.mark.req("mcp:cancel:socket")
def test_a_cancelled_call_closes_its_connection_and_is_not_answered(shell: Shell, stalled: Stalled) -> None:
    shell.desk.user(CONFIG)
    with spawned(shell) as raw, stalled.listening:
        raw.greet()
        raw.call(2, "web_fetch", url=stalled.url)
        with stalled.asked() as connection:
            raw.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
            assert connection.recv(1) == b""
        raw.send({"jsonrpc": "2.0", "id": 3, "method": "ping"})
        assert raw.receive()["id"] == 3


@pytest.mark.req("mcp:stdio:settle")
@pytest.mark.parametrize("cancelled", [[[1]], [None], [{}], ["b"]])
async def test_the_end_waits_for_no_answer_to_a_call_that_was_cancelled(cancelled: list[object]) -> None:
    waiting = Unanswered()
    for key in (1, "b"):
        waiting.came(JSONRPCRequest(jsonrpc="2.0", id=key, method="tools/call"))
    for named in (*cancelled, 1):
        params = {"requestId": named}
        waiting.came(JSONRPCNotification(jsonrpc="2.0", method="notifications/cancelled", params=params))
    assert waiting.settled is ("b" in cancelled)
    waiting.left(JSONRPCResponse(jsonrpc="2.0", id="b", result={}))
    assert waiting.settled


@pytest.mark.req("mcp:stdio:bad-input")
def test_lines_that_are_no_messages_are_answered_and_the_session_goes_on(shell: Shell) -> None:
    bad = [
        (b"not JSON\n", -32700),
        (b"\xff\xfe\n", -32700),
        (b'{"jsonrpc": "2.0"\n', -32700),
        (b"[" * 100_000 + b"\n", -32700),
        (b'[{"jsonrpc": "2.0", "id": 8, "method": "ping"}]\n', -32600),
        (b'{"id": 8}\n', -32600),
        (b"17\n", -32600),
        (b'{"jsonrpc": "2.0", "id": 8, "method": "' + b"x" * MCP_MESSAGE_BYTES + b'"}\n', -32600),
    ]
    with spawned(shell) as raw:
        raw.greet()
        raw.send(b"\n", b"   \r\n")
        for line, code in bad:
            raw.send(line)
            answer = raw.receive()
            assert (answer["id"] in (None, 8), answer["error"]["code"]) == (True, code), line[:60]
        raw.send(b'{"jsonrpc": "1.0", "id": 8, "method": "ping"}\n')
        assert raw.answer(8)["error"]["code"] == -32600
        raw.send({"jsonrpc": "2.0", "id": 9, "method": "tools/list"})
        assert [one["name"] for one in raw.answer(9)["result"]["tools"]] == ["web_search", "web_fetch"]
        raw.stdin.close()
        code, told = raw.ended()

    assert (code, "Traceback" in told) == (0, False), told


@pytest.mark.req("mcp:stdio:bad-input")
def test_a_message_of_megabytes_and_one_without_a_line_break_are_read(shell: Shell) -> None:
    with spawned(shell) as raw:
        raw.greet()
        raw.call(2, "web_search", query="x" * 4_000_000)
        assert raw.answer(2)["result"]["structuredContent"]["error"]["code"] == "INVALID_ARGS"
        raw.send(b'{"jsonrpc": "2.0", "id": 3, "method": "ping"}')
        raw.stdin.close()
        assert raw.receive()["id"] == 3


@pytest.mark.req("mcp:stdio:bad-input")
@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 5, "method": "no/such"},
        {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {}},
        {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": 7, "arguments": []}},
        {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": []},
        {"jsonrpc": "2.0", "id": 5, "method": "initialize", "params": {"protocolVersion": 3}},
    ],
    ids=["method", "no-name", "types", "list", "version"],
)
def test_a_malformed_request_gets_an_error_of_the_protocol(shell: Shell, message: dict[str, object]) -> None:
    with spawned(shell) as raw:
        raw.greet()
        raw.send(message)
        answer = raw.receive()
        raw.stdin.close()
        _, told = raw.ended()

    assert (answer["error"]["code"] in (-32600, -32601, -32602), "Traceback" in told) == (True, False), (answer, told)


@pytest.mark.req("mcp:eras:version")
def test_a_version_nobody_knows_is_answered_with_ours(shell: Shell) -> None:
    unknown = {**HELLO[0], "params": {**HELLO[0]["params"], "protocolVersion": "1999-01-01"}}  # type: ignore[dict-item] # the parameters are an object
    with spawned(shell) as raw:
        raw.send(unknown)
        assert raw.answer(1)["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.req("mcp:stdio:only-protocol")
def test_what_a_plugin_prints_never_reaches_the_client(shell: Shell, tmp_path: Path) -> None:
    shell.desk.user('[search]\nprovider = "loud"\n')
    info = tmp_path / "loud" / "webseam_loud-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: webseam-loud\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[webseam.search]\nloud = support.loud:SPEC\n", encoding="utf-8")
    with spawned(shell, env={"PYTHONPATH": f"{info.parent}:{shell.desk.environ['PYTHONPATH']}"}) as raw:
        raw.greet()
        raw.call(2, "web_search", query="hits")
        answer = raw.receive()
        raw.stdin.close()
        rest = raw.stdout.read()
        code, told = raw.ended()

    assert (answer["id"], answer["result"]["isError"], rest, code) == (2, False, b"", 0)
    assert "printed while it loads" in told
    assert "printed by a call" in told
    assert "written by a child" in told


@pytest.mark.req("mcp:stdio:quiet-start", "mcp:stdio:default")
def test_nothing_is_sent_before_the_client_speaks(shell: Shell) -> None:
    with spawned(shell) as raw:
        raw.send(HELLO[0])
        assert raw.receive()["id"] == 1
        raw.stdin.close()
        assert raw.stdout.read() == b""


@pytest.mark.req("mcp:stdio:slow-reader")
def test_a_client_that_reads_late_gets_every_answer(shell: Shell) -> None:
    shell.desk.user(CONFIG)
    page = "<p>" + "many words " * 3_000 + "</p>"
    with spawned(shell) as raw, site(lambda _path: (200, {}, page.encode())) as base:
        raw.greet()
        for at in range(40):
            raw.call(10 + at, "web_fetch", url=f"{base}/{at}")
        keys = {raw.receive()["id"] for _ in range(40)}

    assert keys == set(range(10, 50))


@pytest.mark.req("mcp:stdio:deaf")
def test_it_answers_although_nobody_reads_its_notes(shell: Shell) -> None:
    shell.desk.user("[search]\nprovider = 7\n")
    with spawned(shell) as raw:
        assert raw.process.stderr is not None
        raw.process.stderr.close()
        raw.greet()
        raw.call(2, "web_search", query="hits")
        refused = raw.answer(2)["result"]["structuredContent"]["error"]["code"]
        shell.desk.user('[search]\nprovider = "odd"\n[fetch]\nprovider = "nowhere"\n')
        raw.call(3, "web_search", query="hits")
        answered = raw.answer(3)["result"]["isError"]
        raw.stdin.close()
        assert raw.process.wait(timeout=10) in (0, 141)  # not all that it had to say was read

    assert (refused, answered) == ("WEB_CONFIG_INVALID", False)
