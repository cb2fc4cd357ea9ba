"""Exa's keyless MCP server: the session, both kinds of answers, and errors that hide in successes."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.vendor import MCP_GREETING, HeldKey, says, staged
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchResult
from webseam.providers.search.exa_mcp import record
from webseam.providers.wires.sse import events
from webseam.testing import Reply

RECORD = "Title: Kelp\nURL: https://kelp.example/\nPublished: 2026-02-01\nAuthor: A\nHighlights:\nwet"


def told(*texts: str, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": one} for one in texts], **more}}


def stream(*messages: Any) -> Reply:
    body = "".join(f"event: message\ndata: {json.dumps(one)}\n\n" for one in messages)
    return Reply(headers={"content-type": "text/event-stream; charset=utf-8"}, body=body.encode())


async def searched(reply: Reply) -> SearchResult:
    async with staged("exa-mcp", reply, secret=HeldKey(None)) as stage:
        return await stage.web.search("kelp")


async def refused(*replies: Reply) -> WebError:
    async with staged("exa-mcp", secret=HeldKey(None)) as stage:
        stage.server.replies = list(replies)
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")
    return caught.value


@pytest.mark.req("search:exa-mcp:session")
async def test_the_session_and_revision_that_the_server_gave_stand_on_every_later_request() -> None:
    async with staged("exa-mcp", says(told(RECORD))) as stage:
        await stage.web.search("kelp")

    first, *later = stage.server.requests
    assert first.header("mcp-session-id") is None
    assert [one.header("mcp-session-id") for one in later] == ["a1b2", "a1b2"]
    assert [one.header("mcp-protocol-version") for one in later] == ["2025-06-18", "2025-06-18"]
    assert {one.header("accept") for one in stage.server.requests} == {"application/json, text/event-stream"}


@pytest.mark.req("search:exa-mcp:session")
@pytest.mark.parametrize("session", ["", "a b", "k\u00e9lp"])
async def test_a_session_id_that_no_header_may_carry_is_not_sent_back(session: str) -> None:
    greeting = says(json.loads(MCP_GREETING[0].body), headers={"mcp-session-id": session})
    async with staged("exa-mcp") as stage:
        stage.server.replies = [greeting, MCP_GREETING[1], says(told(RECORD))]
        await stage.web.search("kelp")

    assert [one.header("mcp-session-id") for one in stage.server.requests] == [None, None, None]


@pytest.mark.req("search:exa-mcp:session")
@pytest.mark.parametrize("version", [None, 7, "latest", "2025-06-18\r\nx-evil: 1"])
async def test_a_handshake_without_a_revision_ends_before_the_tool_is_called(version: Any) -> None:
    async with staged("exa-mcp") as stage:
        stage.server.replies = [says({"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": version}})]
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert caught.value.code == Code.PROVIDER_ERROR
    assert len(stage.server.requests) == 1


@pytest.mark.req("search:exa-mcp:session-kept")
async def test_without_a_key_the_second_search_is_one_request_in_the_same_session() -> None:
    async with staged("exa-mcp", secret=HeldKey(None)) as stage:
        stage.server.replies = [*MCP_GREETING, says(told(RECORD)), says(told(RECORD) | {"id": 1})]
        await stage.web.search("kelp")
        result = await stage.web.search("kelp again")

    last = stage.server.requests[-1]
    assert len(stage.server.requests) == 4
    assert (last.header("mcp-session-id"), last.header("mcp-protocol-version")) == ("a1b2", "2025-06-18")
    assert last.json["params"]["arguments"]["query"] == "kelp again"
    assert len(result.sources) == 1


@pytest.mark.req("search:exa-mcp:session-kept")
async def test_a_session_that_the_server_has_forgotten_is_opened_anew() -> None:
    async with staged("exa-mcp", secret=HeldKey(None)) as stage:
        stage.server.replies = [
            *MCP_GREETING,
            says(told(RECORD)),
            says({"error": "session not found"}, 404),
            says(
                {"jsonrpc": "2.0", "id": 2, "result": {"protocolVersion": "2025-06-18"}},
                headers={"mcp-session-id": "c3"},
            ),
            MCP_GREETING[1],
            says(told(RECORD) | {"id": 3}),
        ]
        await stage.web.search("kelp")
        result = await stage.web.search("kelp")

    methods = [one.json["method"] for one in stage.server.requests[3:]]
    assert methods == ["tools/call", "initialize", "notifications/initialized", "tools/call"]
    assert [one.header("mcp-session-id") for one in stage.server.requests[3:]] == ["a1b2", None, "c3", "c3"]
    assert len(result.sources) == 1


@pytest.mark.req("search:exa-mcp:session-kept")
async def test_a_session_with_a_key_ends_with_its_call() -> None:
    async with staged("exa-mcp", says(told(RECORD)), says(told(RECORD))) as stage:
        await stage.web.search("kelp")
        await stage.web.search("kelp")

    assert [one.json["method"] for one in stage.server.requests].count("initialize") == 2


@pytest.mark.req("search:exa-mcp:session-kept")
async def test_a_key_that_was_set_meanwhile_does_not_enter_the_keyless_session() -> None:
    secret = HeldKey(None)
    async with staged("exa-mcp", says(told(RECORD)), says(told(RECORD)), secret=secret) as stage:
        await stage.web.search("kelp")
        secret.key = "sk-set-meanwhile"
        await stage.web.search("kelp")

    assert [one.json["method"] for one in stage.server.requests].count("initialize") == 2


@pytest.mark.req("search:exa-mcp:session-kept")
async def test_a_handshake_that_failed_leaves_no_session_behind() -> None:
    async with staged("exa-mcp", secret=HeldKey(None)) as stage:
        stage.server.replies = [MCP_GREETING[0], says({"error": "no"}, 400), *MCP_GREETING, says(told(RECORD))]
        with pytest.raises(WebError):
            await stage.web.search("kelp")
        result = await stage.web.search("kelp")

    assert len(result.sources) == 1
    assert [one.json["method"] for one in stage.server.requests].count("initialize") == 2


@pytest.mark.req("search:exa-mcp:errors")
async def test_a_wrong_endpoint_is_told_as_what_it_is() -> None:
    caught = await refused(says({"error": "no such page"}, 404))

    assert (caught.code, caught.retryable) == (Code.PROVIDER_ERROR, False)
    assert "no such page" in caught.message


NOTE = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
ASKED = {"jsonrpc": "2.0", "id": 2, "method": "ping"}


@pytest.mark.req("search:exa-mcp:transport")
@pytest.mark.parametrize(
    "reply",
    [
        says(told(RECORD)),
        stream(told(RECORD)),
        stream(NOTE, ASKED, told(RECORD)),
        says([NOTE, told(RECORD)]),
        Reply(
            headers={"content-type": "text/event-stream"},
            body=b"data: no json\n\ndata: " + json.dumps(told(RECORD)).encode(),
        ),
        Reply(
            headers={"content-type": "text/event-stream"},
            body=b": hello\r\nid: 7\r\nretry: 10\r\ndata: " + json.dumps(told(RECORD)).encode() + b"\r\n\r\n",
        ),
    ],
    ids=["json", "events", "events among others", "a batch", "an odd event, no end", "crlf and fields"],
)
async def test_the_answer_is_found_whichever_way_it_comes(reply: Reply) -> None:
    assert [one.url for one in (await searched(reply)).sources] == ["https://kelp.example/"]


@pytest.mark.req("search:exa-mcp:errors")
@pytest.mark.parametrize("number", [2, None])
async def test_a_json_rpc_error_counts_with_our_id_or_none(number: int | None) -> None:
    error = {"jsonrpc": "2.0", "id": number, "error": {"code": -32602, "message": "unknown tool"}}

    caught = await refused(*MCP_GREETING, says(error))

    assert (caught.code, caught.retryable) == (Code.PROVIDER_ERROR, False)
    assert "unknown tool" in caught.message


FREE_LIMIT = {
    "jsonrpc": "2.0",
    "error": {"code": -32000, "message": "You've hit Exa's free MCP rate limit. Get a key."},
    "id": None,
}


@pytest.mark.req("search:exa-mcp:rate-limit")
async def test_the_free_limit_is_a_rate_limit_with_its_wait() -> None:
    caught = await refused(*MCP_GREETING, says(FREE_LIMIT, 429, {"retry-after": "30"}))

    assert (caught.code, caught.retry_after, caught.retryable) == (Code.RATE_LIMITED, 30.0, True)
    assert "free MCP rate limit" in caught.message


@pytest.mark.req("search:exa-mcp:rate-limit")
@pytest.mark.parametrize(
    "reply",
    [
        says(FREE_LIMIT),
        says(told("You've hit Exa's free MCP rate limit. Get a key.", isError=True)),
        says(told("web_search_exa error (429): too fast\nTimestamp: now", isError=True)),
    ],
    ids=["a json-rpc error with status 200", "a tool error", "a tool error with a status"],
)
async def test_a_rate_limit_inside_a_success_is_one(reply: Reply) -> None:
    assert (await refused(*MCP_GREETING, reply)).code == Code.RATE_LIMITED


PARSE_ERROR = {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": None}
TOOL_ERRORS = {
    "web_search_exa error (401): invalid key": (Code.PROVIDER_ERROR, False),
    "web_search_exa error (402): no credits": (Code.QUOTA_EXHAUSTED, False),
    "web_search_exa error (500): upstream": (Code.PROVIDER_ERROR, True),
    "something broke": (Code.PROVIDER_ERROR, False),
    "": (Code.PROVIDER_ERROR, False),
}


@pytest.mark.req("search:exa-mcp:errors")
@pytest.mark.parametrize("said", TOOL_ERRORS)
async def test_a_tool_error_is_an_error_by_the_status_it_tells(said: str) -> None:
    caught = await refused(*MCP_GREETING, says(told(said, isError=True)))

    assert (caught.code, caught.retryable) == TOOL_ERRORS[said]
    assert caught.dispatched


@pytest.mark.req("search:exa-mcp:errors")
@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (says(FREE_LIMIT, 429), Code.RATE_LIMITED),
        (says({"error": "sign in"}, 401), Code.PROVIDER_ERROR),
        (says(PARSE_ERROR, 400), Code.PROVIDER_ERROR),
        (Reply(status=200, headers={"content-type": "text/html"}, body=b"<html>"), Code.PROVIDER_ERROR),
        (says({"jsonrpc": "2.0", "id": 9, "result": {"protocolVersion": "2025-06-18"}}), Code.PROVIDER_ERROR),
    ],
)
async def test_a_refused_handshake_is_told_like_any_other_refusal(reply: Reply, code: Code) -> None:
    assert (await refused(reply)).code == code


@pytest.mark.req("search:exa-mcp:errors")
@pytest.mark.parametrize(
    "reply",
    [
        says(told("A sentence in a form that nobody knows.")),
        says(told()),
        says({"jsonrpc": "2.0", "id": 2, "result": {"content": "text"}}),
        says({"jsonrpc": "2.0", "id": 2, "result": {"content": [None, {"type": "image"}]}}),
        says({"jsonrpc": "2.0", "id": 2, "result": "text"}),
        says({"jsonrpc": "2.0", "id": 1, "result": {"content": []}}),
        stream(NOTE),
        Reply(headers={"content-type": "text/event-stream"}),
    ],
)
async def test_an_answer_in_no_known_form_is_an_error_and_no_empty_search(reply: Reply) -> None:
    assert (await refused(*MCP_GREETING, reply)).code == Code.PROVIDER_ERROR


@pytest.mark.req("search:exa-mcp:records")
async def test_a_query_that_reads_like_the_empty_answer_does_not_hide_the_hits() -> None:
    reply = says(told(RECORD.replace("Kelp", "No search results found", 1)))

    assert [one.title for one in (await searched(reply)).sources] == ["No search results found"]


@pytest.mark.req("search:exa-mcp:records")
async def test_older_labels_and_several_text_parts_are_read() -> None:
    old = "Title: Old\nPublished Date: 2020-01-01\nURL: https://old.example/\nText: the page\nURL: https://no.example/"

    result = await searched(says(told(RECORD, old)))

    assert [(one.url, one.published_at) for one in result.sources] == [
        ("https://kelp.example/", "2026-02-01"),
        ("https://old.example/", "2020-01-01"),
    ]
    assert result.sources[1].snippet == "the page\nURL: https://no.example/"


LINE = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=20).map(str.strip)
WORD = LINE.filter(lambda line: bool(line) and line != "N/A")
EXCERPT = st.lists(st.one_of(LINE, st.sampled_from(["---", "Title: x", "", "URL: https://x.example/"])), max_size=6)


@pytest.mark.req("search:exa-mcp:records")
@given(st.lists(st.tuples(WORD, WORD, st.one_of(st.just("N/A"), WORD), EXCERPT), min_size=1, max_size=5))
def test_a_record_gives_back_what_the_server_put_in(rows: list[tuple[str, str, str, list[str]]]) -> None:
    for title, slug, published, lines in rows:
        url = f"https://kelp.example/{slug}"
        excerpt = "\n".join(lines).strip()
        values = record(f"Title: {title}\nURL: {url}\nPublished: {published}\nAuthor: N/A\nHighlights:\n{excerpt}")

        expected = {"Title": title, "URL": url, "Published": published, "Excerpt": excerpt}
        assert values == {name: value for name, value in expected.items() if value not in ("", "N/A")}


@pytest.mark.req("search:exa-mcp:transport")
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1), max_size=5))
def test_an_event_stream_gives_back_the_data_put_in(payloads: list[str]) -> None:
    lines = ["".join(f"data: {line}\n" for line in payload.split("\n")) + "\n" for payload in payloads]

    assert [event.data for event in events("".join(lines).encode())] == payloads


@pytest.mark.req("search:exa-mcp:transport")
@given(st.binary(max_size=200))
def test_any_bytes_are_an_event_stream(body: bytes) -> None:
    assert all(event.data is not None for event in events(body))
