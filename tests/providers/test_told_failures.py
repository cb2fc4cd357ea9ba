"""Failures that model-routed vendors tell inside a success: never an answer, never half an answer told as whole."""

import json
from typing import Any

import pytest

from support.vendor import says, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchControls, SearchResult
from webseam.testing import Reply

PAGE = "https://kelp.example/p"
FAILED = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
HIT = {"type": "web_search_result", "url": PAGE, "title": "Permits"}
SEARCH = {"type": "web_search_call", "status": "failed", "action": {"type": "search"}}
DONE = "[DONE]"


def message(*content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "stop_reason": "end_turn", "content": list(content), **more}


def found(*items: Any) -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": "s", "content": list(items)}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def chat(said: str = "Kelp grows.", reason: str | None = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": reason, "message": {"content": said}}], **more}


def gemini(said: str = "Kelp grows.", **more: Any) -> dict[str, Any]:
    grounding = {"webSearchQueries": ["kelp"]}
    candidate = {"content": {"parts": [{"text": said}]}, "finishReason": "STOP", "groundingMetadata": grounding}
    return {"candidates": [candidate], **more}


def responses(*output: Any, **more: Any) -> dict[str, Any]:
    said = {"type": "message", "content": [{"type": "output_text", "text": "Kelp grows.", "annotations": []}]}
    return {"status": "completed", "output": [*output, said], **more}


def stream(*events: Any) -> Reply:
    data = (one if isinstance(one, str) else json.dumps(one) for one in events)
    body = "".join(f"data: {one}\n\n" for one in data).encode()
    return Reply(headers={"content-type": "text/event-stream"}, body=body)


async def searched(kind: str, reply: Reply, *, streamed: bool = False, **options: Any) -> SearchResult:
    async with staged(kind, reply, **options) as stage:
        return await stage.web.search("kelp", call=Call(progress=lambda _text: None) if streamed else None)


async def code_of(kind: str, reply: Reply, *, streamed: bool = False) -> str:
    with pytest.raises(WebError) as caught:
        await searched(kind, reply, streamed=streamed)
    assert caught.value.dispatched
    return caught.value.code


SLOW = {"code": 429, "message": "slow down"}


@pytest.mark.req("search:vendor:told-failures")
@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        ("anthropic", message(error={"type": "overloaded_error", "message": "busy"}), Code.PROVIDER_ERROR),
        ("anthropic", {"error": {"type": "rate_limit_error", "message": "slow down"}}, Code.RATE_LIMITED),
        ("deepseek-official", {"error": {"code": 402, "message": "no balance"}}, Code.QUOTA_EXHAUSTED),
        ("anthropic", message(found(FAILED), text("Kelp grows.")), Code.UPSTREAM_FAILED),
        ("google", gemini(error={"status": "UNAVAILABLE", "message": "down"}), Code.PROVIDER_ERROR),
        ("google", gemini(error="down"), Code.PROVIDER_ERROR),
        ("google", [{"error": SLOW}], Code.RATE_LIMITED),
        ("perplexity", chat(error={"message": "down"}, search_results=[{"url": PAGE}]), Code.PROVIDER_ERROR),
        ("perplexity", {"error": SLOW}, Code.RATE_LIMITED),
        ("mistral", {"object": "error", **SLOW}, Code.RATE_LIMITED),
        ("openai", responses(SEARCH, tool_usage={"web_search": {"num_requests": 1}}), Code.UPSTREAM_FAILED),
        ("xai", responses(SEARCH, usage={"num_server_side_tools_used": 1}), Code.UPSTREAM_FAILED),
    ],
)
async def test_a_failure_told_in_a_success_is_its_error(kind: str, body: Any, code: str) -> None:
    assert await code_of(kind, says(body)) == code


@pytest.mark.req("search:vendor:told-failures")
@pytest.mark.parametrize(
    ("kind", "events", "code"),
    [
        (
            "anthropic",
            [{"type": "message_start", "message": message()}, {"error": {"type": "rate_limit_error"}}],
            Code.RATE_LIMITED,
        ),
        (
            "anthropic",
            [{"type": "message_start", "message": message()}, {"error": {"message": "down"}}],
            Code.PROVIDER_ERROR,
        ),
        ("google", [{"error": {"status": "UNAVAILABLE", "message": "down"}}, gemini()], Code.PROVIDER_ERROR),
        (
            "openrouter",
            [
                {"choices": [{"delta": {"content": "Kelp"}}]},
                {"choices": [{"delta": {}, "error": SLOW, "finish_reason": "error"}]},
                DONE,
            ],
            Code.RATE_LIMITED,
        ),
    ],
)
async def test_a_failure_told_in_a_stream_is_its_error_in_whichever_form(
    kind: str, events: list[Any], code: str
) -> None:
    assert await code_of(kind, stream(*events), streamed=True) == code


@pytest.mark.req("search:vendor:told-failures")
async def test_hits_beside_a_failure_of_the_same_block_are_kept() -> None:
    result = await searched("anthropic", says(message(found(HIT, FAILED), text("Kelp grows."))))

    assert ([one.url for one in result.sources], result.notices) == (
        [PAGE],
        ("One of its searches failed: unavailable.",),
    )


@pytest.mark.req("search:vendor:told-failures")
async def test_a_search_that_failed_beside_one_that_did_not_is_told() -> None:
    result = await searched("openai", says(responses(SEARCH, {**SEARCH, "status": "completed"}, SEARCH)))

    assert (result.grounding, result.notices) == ("searched", ("One of its searches failed.",))


@pytest.mark.req("search:vendor:told-failures")
async def test_a_count_beyond_the_searches_that_failed_is_still_evidence() -> None:
    body = responses(SEARCH, usage={"num_server_side_tools_used": 2})

    assert (await searched("xai", says(body))).grounding == "searched"


@pytest.mark.req("search:vendor:cut-short")
@pytest.mark.parametrize("reason", ["length", "content_filter", "error"])
@pytest.mark.parametrize(
    ("kind", "proof"),
    [
        ("perplexity", {"search_results": [{"url": PAGE}]}),
        ("openrouter", {"usage": {"server_tool_use_details": {"web_search_requests": 1}}}),
    ],
)
async def test_an_answer_that_did_not_come_to_its_own_end_is_marked(
    kind: str, proof: dict[str, Any], reason: str
) -> None:
    assert (await searched(kind, says(chat("Kelp gr", reason, **proof)))).truncated
    assert not (await searched(kind, says(chat("Kelp grows.", "stop", **proof)))).truncated


@pytest.mark.req("search:vendor:cut-short")
async def test_an_answer_that_the_vendors_own_check_ended_is_marked() -> None:
    body = message(found(HIT), text("Kelp gr"), stop_reason="refusal")

    assert (await searched("anthropic", says(body))).truncated


@pytest.mark.req("search:responses:prose")
@pytest.mark.parametrize(("status", "said"), [("incomplete", None), ("completed", "Kelp grows.")])
async def test_what_announces_a_search_is_no_answer_where_the_answer_was_cut_off(status: str, said: str | None) -> None:
    body = responses(status=status)
    body["output"].append({**SEARCH, "status": "completed"})

    assert (await searched("openai", says(body))).content == said


@pytest.mark.req("search:responses:prose")
async def test_a_stream_that_breaks_off_after_its_search_has_no_answer_in_what_announced_it() -> None:
    page = {"type": "tool_reference", "tool": "web_search", "url": PAGE}
    result = await searched(
        "mistral",
        stream(
            {"type": "message.output.delta", "id": "m1", "content": "I will search."},
            {"type": "tool.execution.done", "id": "t1", "name": "web_search"},
            {"type": "message.output.delta", "id": "m2", "content": page},
        ),
        streamed=True,
    )

    assert (result.content, [one.url for one in result.sources]) == (f"[1]({PAGE})", [PAGE])
    assert (
        await code_of(
            "mistral",
            stream(
                {"type": "message.output.delta", "id": "m1", "content": "I will search."},
                {"type": "tool.execution.done", "id": "t1", "name": "web_search"},
            ),
            streamed=True,
        )
        == Code.PROVIDER_ERROR
    )


@pytest.mark.req("search:vendor:cut-short")
@pytest.mark.parametrize(
    ("kind", "events"),
    [
        (
            "anthropic",
            [
                {"type": "message_start", "message": message(stop_reason=None)},
                {"type": "content_block_start", "index": 0, "content_block": found(HIT)},
            ],
        ),
        (
            "openai",
            [
                {
                    "type": "response.output_item.done",
                    "output_index": 0,
                    "item": {
                        **SEARCH,
                        "status": "completed",
                        "action": {"type": "search", "sources": [{"type": "url", "url": PAGE}]},
                    },
                }
            ],
        ),
    ],
)
async def test_an_end_that_a_gateway_adds_does_not_make_half_an_answer_whole(kind: str, events: list[Any]) -> None:
    result = await searched(kind, stream(*events, DONE), streamed=True)

    assert ([one.url for one in result.sources], result.truncated) == ([PAGE], True)


@pytest.mark.req("search:google:fold")
async def test_grounding_is_waited_for_until_it_names_the_searches() -> None:
    whole = gemini()["candidates"][0]
    early = {**whole, "groundingMetadata": {"searchEntryPoint": {"renderedContent": "<div></div>"}}}
    late = {"groundingMetadata": {"webSearchQueries": ["kelp"]}}

    result = await searched("google", stream({"candidates": [early]}, {"candidates": [late]}), streamed=True)

    assert (result.grounding, result.content) == ("searched", "Kelp grows.")


@pytest.mark.req("search:vendor:mapping")
async def test_a_title_that_only_a_repeat_of_a_page_brings_is_kept() -> None:
    bare = {**HIT, "title": None, "page_age": None}
    again = {**HIT, "page_age": "March 2, 2026"}

    (source,) = (await searched("anthropic", says(message(found(bare), found(again), text("Yes."))))).sources

    assert (source.title, source.published_at) == ("Permits", "March 2, 2026")


@pytest.mark.req("search:vendor:streams")
@pytest.mark.parametrize("pieces", [[], ["Kelp "], ["Kelp ", "grows."]])
async def test_a_stream_that_gives_the_message_so_far_is_read_once(pieces: list[str]) -> None:
    said = [{"choices": [{"delta": {"content": piece}, "message": {"content": piece}}]} for piece in pieces[:1]]
    said += [{"choices": [{"delta": {"content": piece}}]} for piece in pieces[1:]]
    cited = {"type": "url_citation", "url_citation": {"url": PAGE, "content": "Apply"}}
    last = {"finish_reason": "stop", "message": {"content": "Kelp grows.", "annotations": [cited]}}

    result = await searched("openrouter", stream(*said, {"choices": [last]}, DONE), streamed=True)

    assert (result.content, [one.url for one in result.sources]) == ("Kelp grows.", [PAGE])


@pytest.mark.req("search:google:exclusions")
async def test_googles_older_redirects_are_undone_before_domains_are_held() -> None:
    body = gemini()
    wrapped = {"uri": f"https://www.google.com/url?q={PAGE}", "title": "kelp.example"}
    body["candidates"][0]["groundingMetadata"]["groundingChunks"] = [{"web": wrapped}]
    async with staged("google", says(body), says(body)) as stage:
        free = await stage.web.search("kelp")
        held = await stage.web.search("kelp", controls=SearchControls(exclude_domains=("kelp.example",)))

    assert [one.url for one in free.sources] == [PAGE]
    assert (held.sources, held.dropped) == ((), {"domain": 1})
