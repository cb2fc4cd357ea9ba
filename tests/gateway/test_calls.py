"""What the gateway answers: the library's own results and the tools', as plain JSON."""

import asyncio
import json
import threading

import pytest

from support.cli import Answer, Shell, site
from support.gateway import Served, serving
from support.mcp import HELLO
from webseam.core.errors import Code
from webseam.core.plain import to_plain
from webseam.surfaces.gateway.problems import KINDS

PAGE = b"<title>Kelp</title><p>Kelp grows <a href='/next'>fast</a>."


def kelp(path: str) -> Answer:
    if path == "/moved":
        return 302, {"Location": "https://elsewhere.test/"}, b""
    return (404 if path == "/gone" else 200), {}, PAGE


@pytest.mark.req("gateway:search")
async def test_a_search_answers_with_the_library_s_result(shell: Shell) -> None:
    async with serving(shell) as served:
        got = await served.ask("/v1/search", {"query": "hits"})
        assert got.status == 200
        assert got.headers["content-type"] == "application/json"
        assert served.app is not None
        same = to_plain(await served.app.house.web.search("hits"))
        for one in (got.json, same):
            for tried in one["attempts"]:
                tried.pop("elapsed")
        assert got.json == {**same, "attempts": got.json["attempts"]}
        assert got.json["sources"][0] == {
            "url": "https://a.test/",
            "title": "A ● ✓ 、",
            "snippet": "s\nt",
            "published_at": "2026-01-02",
        }


@pytest.mark.req("gateway:fetch")
async def test_a_fetch_answers_with_the_page_and_any_status_is_a_result(shell: Shell) -> None:
    with site(kelp) as base:
        async with serving(shell) as served:
            got = await served.ask("/v1/fetch", {"url": f"{base}/"})
            assert (got.status, got.json["status_code"]) == (200, 200)
            assert got.json["body"] == {"content": PAGE.decode(), "kind": "html"}
            gone = await served.ask("/v1/fetch", {"url": f"{base}/gone"})
            assert (gone.status, gone.json["status_code"]) == (200, 404)


@pytest.mark.req("gateway:extract")
async def test_an_extraction_answers_with_the_main_text(shell: Shell) -> None:
    with site(kelp) as base:
        async with serving(shell) as served:
            got = await served.ask("/v1/extract", {"url": f"{base}/"})
            assert got.status == 200
            assert "Kelp grows" in got.json["markdown"]


@pytest.mark.req("gateway:tools")
async def test_a_tool_answers_with_text_data_and_meta(shell: Shell) -> None:
    with site(kelp) as base:
        async with serving(shell) as served:
            got = await served.ask("/v1/tools/web_fetch", {"url": f"{base}/"})
            assert got.status == 200
            assert set(got.json) == {"text", "structured", "is_error", "meta"}
            assert got.json["structured"]["content"].startswith("Kelp grows")
            assert not got.json["is_error"]


@pytest.mark.req("gateway:tools")
async def test_a_tool_s_failure_is_an_answer_that_the_model_reads(shell: Shell) -> None:
    async with serving(shell) as served:
        got = await served.ask("/v1/tools/web_fetch", {"url": "ftp://a.test/"})
        assert (got.status, got.json["is_error"]) == (200, True)
        assert got.json["error"]["code"] == Code.INVALID_URL
        assert got.json["text"].startswith("Error: ")
        wrong = await served.ask("/v1/tools/web_search", {"q": "x"})
        assert wrong.json["error"]["code"] == Code.INVALID_ARGS
        assert (await served.ask("/v1/tools/web_dig", {"url": "https://a.test/"})).code == "GATEWAY_NOT_FOUND"


@pytest.mark.req("gateway:tools")
async def test_the_definitions_are_those_that_mcp_lists(shell: Shell) -> None:
    async with serving(shell) as served:
        got = await served.ask("/v1/tools")
        assert [one["name"] for one in got.json["tools"]] == ["web_search", "web_fetch", "web_extract"]
        assert "inputSchema" in got.json["tools"][0]


@pytest.mark.req("gateway:tools")
async def test_a_tool_that_is_off_is_not_there(shell: Shell) -> None:
    async with serving(shell, '[search]\nprovider = "odd"\n') as served:
        assert (await served.ask("/v1/tools/web_extract", {"url": "https://a.test/"})).status == 404


@pytest.mark.req("gateway:problems")
async def test_every_code_has_its_status_and_is_a_problem(shell: Shell) -> None:
    async with serving(shell) as served:
        for code in map(str, Code):
            got = await served.ask("/v1/search", {"query": code})
            assert got.code == code
            assert (got.status, got.json["title"]) == KINDS[code]
            assert got.json["detail"] == "Do this."
            assert got.json["type"].endswith(f"#{code.lower()}")
            assert served.log[-1].code == code


@pytest.mark.req("gateway:problems")
async def test_a_wait_that_is_known_is_told(shell: Shell) -> None:
    async with serving(shell) as served:
        got = await served.ask("/v1/search", {"query": "anything"})
        assert (got.status, got.headers["retry-after"], got.json["retry_after"]) == (429, "3", 3.0)
        assert got.json["provider"] == "odd"
        assert got.json["attempts"][0]["code"] == "WEB_RATE_LIMITED"
        endless = await served.ask("/v1/search", {"query": "endless"})
        assert (endless.code, endless.headers["retry-after"]) == ("WEB_RATE_LIMITED", "86400")


@pytest.mark.req("gateway:problems")
async def test_half_a_character_of_a_vendor_is_still_json(shell: Shell) -> None:
    async with serving(shell) as served:
        got = await served.ask("/v1/search", {"query": "surrogate"})
        assert got.json["sources"][0]["title"] == "half \ufffd"


UNMEANT: list[tuple[dict[str, object], str]] = [
    ({"query": "hits", "max_result": 3}, "max_result"),
    ({}, "query is missing"),
    ({"query": None}, "query is missing"),
    ({"query": 3}, "query"),
    ({"query": ""}, "blank"),
    ({"query": "x" * 5_000}, "at most 4,096"),
    ({"query": "hits", "max_results": 0}, "1 or more"),
    ({"query": "hits", "max_results": 101}, "100 at most"),
    ({"query": "hits", "max_results": "3"}, "whole number"),
    ({"query": "hits", "max_results": True}, "whole number"),
    ({"query": "hits", "controls": []}, "controls must be an object"),
    ({"query": "hits", "controls": {"countri": "DE"}}, "countri"),
    ({"query": "hits", "controls": {"country": 7}}, "country"),
    ({"query": "hits", "controls": {"include_domains": "a.test"}}, "include_domains"),
    ({"query": "hits", "controls": {"include_domains": [1]}}, "include_domains"),
]


@pytest.mark.req("gateway:search")
async def test_a_request_that_cannot_be_meant_is_refused_with_what_is_wrong(shell: Shell) -> None:
    async with serving(shell) as served:
        for body, said in UNMEANT:
            got = await served.ask("/v1/search", body)
            assert (got.status, got.code) == (422, Code.INVALID_ARGS), body
            assert said in got.json["detail"], body


@pytest.mark.req("gateway:search")
async def test_what_is_null_is_left_out(shell: Shell) -> None:
    async with serving(shell) as served:
        body = {"query": "hits", "max_results": None, "controls": None}
        assert (await served.ask("/v1/search", body)).status == 200


@pytest.mark.req("gateway:timeout")
async def test_a_call_has_the_time_that_its_client_gives_it(shell: Shell) -> None:
    async with serving(shell) as served:
        got = await served.ask("/v1/search", {"query": "slow"}, webseam_timeout="0.05")
        assert (got.status, got.code) == (504, Code.SEARCH_TIMEOUT)
        tool = await served.ask("/v1/tools/web_search", {"query": "slow"}, webseam_timeout="0.05")
        assert tool.json["error"]["code"] == Code.TOOL_TIMEOUT


@pytest.mark.req("gateway:timeout")
async def test_a_call_over_mcp_has_that_time_too(shell: Shell) -> None:
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
    call |= {"params": {"name": "web_search", "arguments": {"query": "slow"}}}
    accept = {"Accept": "application/json, text/event-stream"}
    async with serving(shell) as served:
        session = (await served.ask("/mcp", HELLO[0], **accept)).headers["mcp-session-id"]
        more = {**accept, "Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25"}
        got = await served.ask("/mcp", call, webseam_timeout="0.05", **more)
        assert Code.TOOL_TIMEOUT in got.body.decode()
        wrong = await served.ask("/mcp", call, webseam_timeout="soon", **more)
        assert wrong.code == "GATEWAY_MALFORMED"


@pytest.mark.req("gateway:timeout")
async def test_a_client_cannot_lengthen_the_configured_time(shell: Shell) -> None:
    async with serving(shell, '[search]\nprovider = "odd"\ntimeout = 0.05\n') as served:
        got = await served.ask("/v1/search", {"query": "slow"}, webseam_timeout="500")
        assert got.code == Code.SEARCH_TIMEOUT


@pytest.mark.req("gateway:timeout")
async def test_a_time_that_is_none_is_refused(shell: Shell) -> None:
    async with serving(shell) as served:
        for given in ("0", "-1", "nan", "inf", "601", "1e3", "1,5", "soon", "1" * 400, "\xb2"):
            got = await served.ask("/v1/search", {"query": "hits"}, webseam_timeout=given)
            assert got.code == "GATEWAY_MALFORMED", given


@pytest.mark.req("gateway:disconnect")
async def test_a_client_that_leaves_ends_its_call_and_the_socket_to_the_page(shell: Shell) -> None:
    asked, left = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    async def stall(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await reader.read()
        left.set()
        writer.close()

    page = await asyncio.start_server(stall, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{page.sockets[0].getsockname()[1]}/"
    async with page, serving(shell) as served:
        data = json.dumps({"url": url}).encode()
        _, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(
            b"POST /v1/fetch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + f"Content-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        await loop.run_in_executor(None, asked.wait, 10)
        writer.close()
        await asyncio.wait_for(left.wait(), 10)
        await _ended(served)
        assert served.log[-1].status == 499


async def _ended(served: Served) -> None:
    async with asyncio.timeout(10):
        while not served.log:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0)


@pytest.mark.req("gateway:disconnect")
async def test_a_call_that_takes_longer_than_a_look_is_answered_all_the_same(shell: Shell) -> None:
    def slowly(_path: str) -> Answer:
        threading.Event().wait(0.15)
        return 200, {}, PAGE

    with site(slowly) as base:
        async with serving(shell) as served:
            got = await served.ask("/v1/fetch", {"url": f"{base}/"})
            assert got.status == 200
