"""The Messages wire: turns that pause and go on, and streams that become the message they would have been."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.vendor import fixture, says, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.providers.wires.messages_stream import MessagesFold
from webseam.providers.wires.vendor import ROUNDS
from webseam.testing import Reply

SEARCHED: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "Look.", "signature": "EsAB"},
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "kelp"}},
    {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"url": "https://kelp.example/"}]},
]


def turn(*blocks: Any, stop: str = "pause_turn", searches: int | None = 1) -> Reply:
    usage = {"input_tokens": 10, "output_tokens": 2, "server_tool_use": {"web_search_requests": searches}}
    return says({"type": "message", "content": list(blocks), "stop_reason": stop, "usage": usage})


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text, "citations": None}


@pytest.mark.req("search:messages:pause")
async def test_a_paused_turn_is_handed_back_unchanged_with_everything_else_as_before() -> None:
    async with staged("anthropic", turn(*SEARCHED), turn(said("Yes."), stop="end_turn")) as stage:
        await stage.web.search("kelp")

    first, second = (one.json for one in stage.server.requests)
    assert second["messages"] == [*first["messages"], {"role": "assistant", "content": SEARCHED}]
    assert {**second, "messages": first["messages"]} == first


@pytest.mark.req("search:messages:pause")
async def test_several_pauses_are_one_turn_of_the_model_and_one_answer_of_ours() -> None:
    replies = (turn(*SEARCHED), turn(said("One. ")), turn(said("Two."), stop="end_turn", searches=None))
    async with staged("anthropic", *replies) as stage:
        result = await stage.web.search("kelp")

    assert [one["role"] for one in stage.server.requests[-1].json["messages"]] == ["user", "assistant"]
    assert stage.server.requests[-1].json["messages"][1]["content"] == [*SEARCHED, said("One. ")]
    assert (result.content, result.truncated) == ("One. Two.", False)
    assert result.usage is not None
    assert (result.usage.calls, result.usage.input_tokens, result.usage.output_tokens) == (2, 30, 6)


@pytest.mark.req("search:messages:pause")
async def test_a_turn_that_never_ends_is_continued_a_bounded_number_of_times() -> None:
    async with staged("anthropic", *[turn(*SEARCHED)] * (ROUNDS + 3)) as stage:
        result = await stage.web.search("kelp")

    assert len(stage.server.requests) == ROUNDS
    assert result.truncated
    assert [one.url for one in result.sources] == ["https://kelp.example/"]


@pytest.mark.req("search:messages:pause")
async def test_a_pause_with_nothing_said_is_not_continued() -> None:
    async with staged("anthropic", turn(searches=0)) as stage:
        result = await stage.web.search("kelp")

    assert (result.grounding, len(stage.server.requests)) == ("ungrounded", 1)


@pytest.mark.req("search:messages:pause")
async def test_a_turn_that_goes_on_as_something_else_is_an_error() -> None:
    async with staged("anthropic", turn(*SEARCHED), says({"hello": "world"})) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.dispatched) == (Code.PROVIDER_ERROR, True)


@pytest.mark.req("search:messages:pause")
async def test_a_streamed_pause_hands_back_what_the_whole_turn_would_have_been() -> None:
    case = next(one for one in fixture("anthropic")["streams"] if one["name"] == "a paused turn goes on")
    streams = [Reply(headers=one["headers"], body=one["text"].encode()) for one in case["replies"]]
    async with staged("anthropic", *streams) as stage:
        await stage.web.search("kelp", call=Call(progress=lambda _text: None))

    handed = stage.server.requests[1].json["messages"][1]["content"]
    assert [one["type"] for one in handed] == ["text", "server_tool_use", "web_search_tool_result"]
    assert handed[1]["input"] == {"query": "kelp permits"}
    assert stage.server.requests[1].json["stream"] is True


# Folding -----------------------------------------------------------------------------------------------

WORDS = st.text(max_size=20)
CITATIONS = st.lists(st.fixed_dictionaries({"url": WORDS, "cited_text": WORDS}), max_size=3)
BLOCKS = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": WORDS}, optional={"citations": CITATIONS}),
    st.fixed_dictionaries({"type": st.just("thinking"), "thinking": WORDS, "signature": WORDS}),
    st.fixed_dictionaries({"type": st.just("server_tool_use"), "input": st.dictionaries(WORDS, WORDS, max_size=3)}),
    st.fixed_dictionaries({"type": st.just("web_search_tool_result"), "content": st.lists(st.just({"url": "u"}))}),
)
GROWS = {"text": ("text_delta", "text"), "thinking": ("thinking_delta", "thinking")}


def pieces(draw: Any, text: str) -> list[str]:
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def deltas(draw: Any, block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it starts, and what it grows by."""
    start, grown = dict(block), []
    if block["type"] in GROWS:
        kind, name = GROWS[block["type"]]
        start[name] = ""
        grown = [{"type": kind, name: piece} for piece in pieces(draw, block[name])]
    if block["type"] == "server_tool_use":
        start["input"] = {}
        grown = [{"type": "input_json_delta", "partial_json": one} for one in pieces(draw, json.dumps(block["input"]))]
    if "signature" in block:
        start["signature"] = ""
        grown.append({"type": "signature_delta", "signature": block["signature"]})
    if block.get("citations"):
        del start["citations"]
        grown += [{"type": "citations_delta", "citation": one} for one in block["citations"]]
    return start, grown


@st.composite
def streamed(draw: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    content = draw(st.lists(BLOCKS, max_size=5))
    usage = {"input_tokens": draw(st.integers(0, 99)), "output_tokens": 7}
    message = {"type": "message", "content": content, "stop_reason": "end_turn", "usage": usage}
    begun = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for index, block in enumerate(content):
        start, grown = deltas(draw, block)
        events.append({"type": "content_block_start", "index": index, "content_block": start})
        events += [{"type": "content_block_delta", "index": index, "delta": one} for one in grown]
        events.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": "end_turn"}
    return message, [*events, {"type": "message_delta", "delta": end, "usage": {"output_tokens": 7}}]


@pytest.mark.req("search:messages:fold")
@given(case=streamed())
def test_a_stream_becomes_the_message_wherever_its_events_are_cut(
    case: tuple[dict[str, Any], list[dict[str, Any]]],
) -> None:
    message, events = case
    fold = MessagesFold("kelp")
    told = [""]
    for event in events:
        assert not fold.complete
        fold.take("", event)
        assert fold.text.startswith(told[-1].rstrip()), "what was told is never taken back"
        told.append(fold.text)
    fold.take("message_stop", {})

    assert fold.payload() == message
    assert (fold.complete, fold.ended) == (True, True)


@pytest.mark.req("search:messages:fold")
@pytest.mark.parametrize(
    ("kind", "code", "status"),
    [
        ("rate_limit_error", Code.RATE_LIMITED, 429),
        ("billing_error", Code.QUOTA_EXHAUSTED, 402),
        ("overloaded_error", Code.PROVIDER_ERROR, 529),
        ("authentication_error", Code.PROVIDER_ERROR, 401),
        ("timeout_error", Code.PROVIDER_ERROR, 504),
        ("a_new_error", Code.PROVIDER_ERROR, 500),
        (None, Code.PROVIDER_ERROR, 500),
    ],
)
def test_an_error_event_is_the_error_that_its_status_would_have_been(kind: Any, code: Code, status: int) -> None:
    with pytest.raises(WebError) as caught:
        MessagesFold("kelp").take("error", {"error": {"type": kind, "message": "as told"}})

    assert (caught.value.code, caught.value.status, caught.value.dispatched) == (code, status, True)
    assert "as told" in caught.value.message
