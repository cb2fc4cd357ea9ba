"""Bodies and headers: bounded, in time, and JSON that means one thing only."""

import asyncio
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.cli import Shell
from support.gateway import Served, read_answer, serving
from webseam.core.limits import GATEWAY_BODY_BYTES
from webseam.surfaces.gateway import body
from webseam.surfaces.gateway.body import parsed
from webseam.surfaces.gateway.problems import Problem

AMBIGUOUS = {
    "no body": b"",
    "no JSON": b"{query: 1}",
    "two values": b"{} {}",
    "trailing comma": b'{"query": "hits",}',
    "a list": b"[]",
    "a text": b'"hits"',
    "null": b"null",
    "a name twice": b'{"query": "hits", "query": "none"}',
    "a name twice inside": b'{"query": "hits", "controls": {"country": "DE", "country": "FR"}}',
    "a name twice by escape": rb'{"query": "hits", "\u0071uery": "none"}',
    "NaN": b'{"query": "hits", "max_results": NaN}',
    "infinity": b'{"query": "hits", "max_results": -Infinity}',
    "a number beyond all": b'{"query": "hits", "max_results": 1e999}',
    "digits without end": b'{"query": "hits", "max_results": ' + b"1" * 5_000 + b"}",
    "deep": b'{"query": ' + b"[" * 20 + b"]" * 20 + b"}",
    "very deep": b'{"query": ' + b"[" * 30_000,
    "half a character": rb'{"query": "half \ud83d"}',
    "half a character in a name": rb'{"\udfff": 1}',
    "no UTF-8": b'{"query": "\xff"}',
    "UTF-16": '{"query": "hits"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"query": "hits"}',
    "a control character": b'{"query": "a\x00b"}',
}


@pytest.mark.req("gateway:body")
async def test_a_body_that_could_mean_anything_is_refused(shell: Shell) -> None:
    async with serving(shell) as served:
        for name, data in AMBIGUOUS.items():
            got = await served.ask("/v1/search", data)
            assert (got.status, got.code) == (400, "GATEWAY_MALFORMED"), name
            tool = await served.ask("/v1/tools/web_search", data)
            assert tool.code == "GATEWAY_MALFORMED", name


@pytest.mark.req("gateway:body")
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
def test_what_is_an_object_in_json_is_read_as_json_reads_it(value: object) -> None:
    def depth(one: object) -> int:
        inner = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        return 1 + max(map(depth, inner), default=0) if isinstance(one, dict | list) else 0

    data = json.dumps({"value": value}, ensure_ascii=False).encode()
    if depth(value) < 8:
        assert parsed(data) == {"value": value}
    else:
        with pytest.raises(Problem):
            parsed(data)


@pytest.mark.req("gateway:body")
@given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_a_problem(data: bytes) -> None:
    try:
        value = parsed(data)
    except Problem:
        return
    assert value == json.loads(data)
    assert not any(isinstance(one, float) and not math.isfinite(one) for one in value.values())


@pytest.mark.req("gateway:body:size")
async def test_a_body_that_is_too_large_is_not_read(shell: Shell) -> None:
    async with serving(shell) as served:
        declared = (
            b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 99999999999999999999\r\n\r\n"
        )
        assert (await served.raw(declared)).code == "GATEWAY_BODY_TOO_LARGE"
        data = json.dumps({"query": "x" * GATEWAY_BODY_BYTES}).encode()
        assert (await served.ask("/v1/search", data)).status == 413
        chunk = f"{len(data):x}\r\n".encode() + data + b"\r\n0\r\n\r\n"
        chunked = (
            b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        assert (await served.raw(chunked + chunk)).status == 413


@pytest.mark.req("gateway:body:size")
async def test_a_body_that_does_not_arrive_is_given_up(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "GATEWAY_BODY_SECONDS", 0.05)
    async with serving(shell) as served:
        head = (
            b"POST /v1/search HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        )
        got = await served.raw(head)
        assert (got.status, got.code, got.headers["connection"]) == (408, "GATEWAY_BODY_TIMEOUT", "close")


@pytest.mark.req("gateway:body:type")
async def test_only_json_is_taken(shell: Shell) -> None:
    async with serving(shell) as served:
        for kind in (
            "",
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/jsonp",
            "application/json; x=1",
        ):
            got = await served.ask("/v1/search", {"query": "hits"}, **{"Content-Type": kind})
            assert (got.status, got.code) == (415, "GATEWAY_MEDIA_TYPE"), kind
        for kind in ("application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"'):
            got = await served.ask("/v1/search", {"query": "hits"}, **{"Content-Type": kind})
            assert got.status == 200, kind
        packed = await served.ask("/v1/search", {"query": "hits"}, Content_Encoding="gzip")
        assert packed.status == 415


@pytest.mark.req("gateway:method")
async def test_a_path_takes_its_own_methods_alone(shell: Shell) -> None:
    async with serving(shell) as served:
        for path, method, allowed in (
            ("/v1/search", "GET", "POST"),
            ("/v1/fetch", "OPTIONS", "POST"),
            ("/v1/tools", "POST", "GET, HEAD"),
            ("/healthz", "DELETE", "GET, HEAD"),
            ("/mcp", "PUT", "GET, POST, DELETE"),
        ):
            got = await served.ask(path, method=method)
            assert (got.status, got.code, got.headers["allow"]) == (405, "GATEWAY_METHOD_NOT_ALLOWED", allowed)
        head = await served.ask("/healthz", method="HEAD")
        assert (head.status, head.body, head.headers["content-length"]) == (200, b"", "18")


@pytest.mark.req("gateway:method")
async def test_other_paths_are_not_there(shell: Shell) -> None:
    async with serving(shell) as served:
        for path in ("/v1", "/v1/search/", "//v1/search", "/v1/tools/", "/V1/search", "/v1/%73earch/x", "/mcp/"):
            assert (await served.ask(path, {"query": "hits"})).code == "GATEWAY_NOT_FOUND", path


@pytest.mark.req("gateway:token:query")
async def test_nothing_is_taken_from_a_query_string(shell: Shell) -> None:
    async with serving(shell) as served:
        token = served.token("one")
        for path in ("/v1/search", "/v1/tools/web_search", "/mcp"):
            got = await served.ask(f"{path}?access_token={token}", {"query": "hits"})
            assert got.code == "GATEWAY_MALFORMED"
            assert token not in got.body.decode()
            assert token not in str(served.log)


@pytest.mark.req("gateway:request_id")
async def test_a_sane_request_id_is_kept_and_any_other_is_made(shell: Shell) -> None:
    async with serving(shell) as served:
        kept = await served.ask("/v1/tools", X_Request_Id="7f3a/b:c-1")
        assert kept.headers["x-request-id"] == served.log[-1].request_id == "7f3a/b:c-1"
        for given_id in ("two words", "x" * 129, '"quoted"', "\xe4", "{}"):
            made = await served.ask("/v1/tools", X_Request_Id=given_id)
            assert len(made.headers["x-request-id"]) == 32, given_id


@pytest.mark.req("gateway:log")
async def test_the_log_holds_nothing_of_what_was_asked_for(shell: Shell) -> None:
    async with serving(shell) as served:
        token = served.token("one")
        await served.ask("/v1/search", {"query": "hits of a private matter"}, token=token)
        await served.ask("/secret-path/9f8e", {"query": "hits"}, token=token)
        told = str(served.log)
        assert "private" not in told
        assert "9f8e" not in told
        assert token not in told
        assert [(one.tenant, one.route, one.status) for one in served.log] == [
            ("one", "/v1/search", 429),
            ("", "other", 404),
        ]


@pytest.mark.req("gateway:method")
async def test_two_requests_on_one_connection_are_answered_in_turn(shell: Shell) -> None:
    async with serving(shell) as served:
        data = await _both(served)
        assert data.count(b"HTTP/1.1 200 OK") == 2
        assert read_answer(data[data.rindex(b"HTTP/1.1") :]).json["sources"]


async def _both(served: Served) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    content = json.dumps({"query": "hits"}).encode()
    head = f"Host: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    for last in ("", "Connection: close\r\n"):
        writer.write(f"POST /v1/search HTTP/1.1\r\n{head}{last}\r\n".encode() + content)
    data = await reader.read()
    writer.close()
    return data


@pytest.mark.req("gateway:framing")
async def test_a_request_that_could_end_in_two_places_is_refused_and_its_connection_closed(shell: Shell) -> None:
    content = json.dumps({"query": "hits"}).encode()
    chunked = f"{len(content):x}\r\n".encode() + content + b"\r\n0\r\n\r\n"
    next_one = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    both = f"Content-Length: {len(chunked) + len(next_one)}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    async with serving(shell) as served:
        for version, framing in (
            (b"1.1", both),
            (b"1.0", b"Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"),
        ):
            head = b"POST /v1/search HTTP/" + version + b"\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            got = await served.raw(head + framing + chunked + next_one)
            assert (got.status, got.code, got.headers["connection"]) == (400, "GATEWAY_MALFORMED", "close")
        assert [one.route for one in served.log] == ["other", "other"]


@pytest.mark.req("gateway:log")
async def test_a_method_that_a_stranger_made_up_is_not_in_the_log(shell: Shell) -> None:
    async with serving(shell) as served:
        assert (await served.ask("/healthz", method="wst_" + "a" * 5_000)).status == 405
        assert served.log[-1].method == "other"
