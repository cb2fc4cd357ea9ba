"""Whole loops of two turns with the vendors' own SDKs: a model asks for our tools, and is sent their answers."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pydantic
import pytest

from support.adapters import PICTURE, SENTENCE, SNIPPET, TITLE, Stage, needs, seeing, stage
from support.api_server import MESSAGE, Api, function_call, playing, responses_answer
from webseam.adapters import dispatch

OTHER = "get_weather"


def _answer(name: str, args: Any, number: int) -> dict[str, Any]:
    return {"name": name, "args": args, "id": f"call_{number}"}


def asked(place: Stage) -> list[dict[str, Any]]:
    """A search, a page, a tool of somebody else's, and a page whose arguments are no JSON object."""
    calls = [
        ("web_search", {"query": "kelp"}),
        ("web_fetch", {"url": place.url}),
        (OTHER, {}),
        ("web_fetch", {"find": 1}),
    ]
    return [_answer(name, args, number) for number, (name, args) in enumerate(calls)]


# OpenAI Responses --------------------------------------------------------------------------------------


async def openai_loop(place: Stage, api: Api, *, strict: bool) -> Any:
    openai = needs("openai")
    given: list[Any] = [{"role": "user", "content": "go"}]
    definitions = place.tools.definitions("openai", strict=strict)
    async with openai.AsyncOpenAI(base_url=f"{api.url}/v1", api_key="sk-test", max_retries=0) as client:
        while True:
            response = await client.responses.create(model="m", input=given, tools=definitions)
            items = await dispatch(place.tools, response, "openai")
            if not items:
                return response
            given += [*response.output, *items]


@pytest.mark.req("adapters:openai:loop", "adapters:all:others")
@pytest.mark.parametrize("strict", [False, True])
async def test_an_openai_model_is_sent_what_it_asked_for(*, strict: bool) -> None:
    async with stage() as place:
        calls = [function_call(one) for one in asked(place)]
        calls[3]["arguments"] = '{"url": '
        async with playing(responses_answer(calls), responses_answer([MESSAGE])) as api:
            response = await openai_loop(place, api, strict=strict)

    assert response.output_text == "done"
    first, second = api.received
    assert first["tools"] == place.tools.definitions("openai", strict=strict)
    outputs = [one for one in second["input"] if one.get("type") == "function_call_output"]
    assert [one["call_id"] for one in outputs] == ["call_0", "call_1", "call_3"]
    assert TITLE in outputs[0]["output"]
    assert SENTENCE in outputs[1]["output"]
    assert outputs[2]["output"] == "Error: The arguments are not valid JSON. Send one JSON object. (INVALID_ARGS)"
    assert place.fetched == ["/permits"]


@pytest.mark.req("adapters:openai:loop")
async def test_nulls_of_openai_s_strict_mode_are_left_out_arguments() -> None:
    async with stage() as place:
        call = function_call(_answer("web_fetch", {"url": place.url, "offset": None, "find": None}, 0))
        (item,) = await dispatch(place.tools, responses_answer([call]), "openai")
    assert SENTENCE in item["output"]


# Anthropic Messages ------------------------------------------------------------------------------------


def messages_answer(content: list[dict[str, Any]], *, reason: str = "tool_use") -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def tool_use(one: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_use", "id": one["id"], "name": one["name"], "input": one["args"]}


async def anthropic_loop(place: Stage, api: Api) -> Any:
    anthropic = needs("anthropic")
    given: list[Any] = [{"role": "user", "content": "go"}]
    definitions = place.tools.definitions("anthropic")
    async with anthropic.AsyncAnthropic(base_url=api.url, api_key="sk-test", max_retries=0) as client:
        while True:
            message = await client.messages.create(model="m", max_tokens=9, messages=given, tools=definitions)
            blocks = await dispatch(place.tools, message, "anthropic")
            if not blocks:
                return message
            given += [{"role": "assistant", "content": message.content}, {"role": "user", "content": blocks}]


@pytest.mark.req("adapters:anthropic:loop", "adapters:anthropic:citable", "adapters:all:others")
async def test_an_anthropic_model_is_sent_results_that_it_can_cite() -> None:
    async with stage() as place:
        calls = [{"type": "text", "text": "Let me look."}, *map(tool_use, asked(place))]
        done = messages_answer([{"type": "text", "text": "done"}], reason="end_turn")
        async with playing(messages_answer(calls), done) as api:
            message = await anthropic_loop(place, api)

    assert message.content[0].text == "done"
    first, second = api.received
    assert first["tools"] == place.tools.definitions("anthropic")
    results = second["messages"][2]["content"]
    assert [one["tool_use_id"] for one in results] == ["call_0", "call_1", "call_3"]
    said, hit = results[0]["content"]
    assert hit == {
        "type": "search_result",
        "source": place.url,
        "title": TITLE,
        "content": [{"type": "text", "text": f"{SNIPPET} (2026-05-01)"}],
        "citations": {"enabled": True},
    }
    assert said["text"].startswith("Cite the sources you use")
    assert SENTENCE in results[1]["content"][0]["text"]
    assert [one.get("is_error") for one in results] == [None, None, True]


# Gemini ------------------------------------------------------------------------------------------------


def gemini_answer(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}


async def gemini_loop(place: Stage, api: Api) -> Any:
    genai = needs("google.genai")
    given: list[Any] = [{"role": "user", "parts": [{"text": "go"}]}]
    config = {"tools": [{"function_declarations": place.tools.definitions("gemini")}]}
    client = genai.Client(api_key="test", http_options={"base_url": api.url})
    async with client.aio as asking:
        while True:
            response = await asking.models.generate_content(model="gemini-test", contents=given, config=config)
            parts = await dispatch(place.tools, response, "gemini")
            if not parts:
                return response
            given += [response.candidates[0].content, {"role": "user", "parts": parts}]


@pytest.mark.req("adapters:gemini:loop", "adapters:all:others", "adapters:all:images")
@pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")  # the SDK's own
async def test_a_gemini_model_is_sent_what_it_asked_for() -> None:
    async with stage(fetch=seeing()) as place:
        picture = _answer("web_fetch", {"url": f"{place.site.url}/pixel.png"}, 4)
        calls = [{"functionCall": one} for one in (*asked(place), picture)]
        async with playing(gemini_answer(calls), gemini_answer([{"text": "done"}])) as api:
            response = await gemini_loop(place, api)

    assert response.text == "done"
    first, second = api.received
    assert first["tools"][0]["functionDeclarations"] == place.tools.definitions("gemini")
    answers = [one["functionResponse"] for one in second["contents"][2]["parts"]]
    assert [one["id"] for one in answers] == ["call_0", "call_1", "call_3", "call_4"]
    assert [one["name"] for one in answers] == ["web_search", "web_fetch", "web_fetch", "web_fetch"]
    assert TITLE in answers[0]["response"]["output"]
    assert SENTENCE in answers[1]["response"]["output"]
    assert answers[2]["response"]["error"].startswith("Error: ")
    picture_sent = {"mime_type": "image/png", "data": b64encode(PICTURE).decode()}
    assert answers[3]["parts"] == [{"inline_data": picture_sent}]


# All three ---------------------------------------------------------------------------------------------


@pytest.mark.req("adapters:all:cancel")
async def test_cancelling_a_dispatch_ends_all_of_its_calls() -> None:
    async with stage() as place:
        calls = [function_call(_answer("web_fetch", {"url": f"{place.site.url}/slow"}, n)) for n in range(3)]
        task = asyncio.create_task(dispatch(place.tools, calls, "openai"))
        while len(place.fetched) < 3:  # noqa: ASYNC110 - the requests arrive at a server, not at an event of ours
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while place.site.open:  # noqa: ASYNC110 - the same for their ends
            await asyncio.sleep(0)


@pytest.mark.req("adapters:all:loops")
async def test_a_script_may_run_each_turn_on_an_event_loop_of_its_own() -> None:
    async with stage() as place:
        call = function_call(_answer("web_fetch", {"url": f"{place.site.url}/long"}, 0))
        for _ in range(2):
            turn = dispatch(place.tools, responses_answer([call]), "openai")
            (item,) = await asyncio.to_thread(asyncio.run, turn)
            assert SENTENCE in item["output"]
        while place.site.open:  # noqa: ASYNC110 - the end arrives at a server, not at an event of ours
            await asyncio.sleep(0)


# What the SDKs' own types say --------------------------------------------------------------------------


async def answered(style: Any, make: Callable[[dict[str, Any]], dict[str, Any]]) -> list[dict[str, Any]]:
    """A search, a picture and a failure, as items of that API."""
    async with stage(fetch=seeing()) as place:
        picture = ("web_fetch", {"url": f"{place.site.url}/pixel.png"})
        calls = [("web_search", {"query": "kelp"}), picture, ("web_fetch", {"url": "file:///etc/passwd"})]
        return await dispatch(place.tools, [make(_answer(*one, n)) for n, one in enumerate(calls)], style)


@pytest.mark.req("adapters:openai:loop")
async def test_openai_s_types_take_our_items() -> None:
    types = needs("openai.types.responses.response_input_item_param")
    for item in await answered("openai", function_call):
        assert pydantic.TypeAdapter(types.FunctionCallOutput).validate_python(item) == item
        assert set(item) <= set(types.FunctionCallOutput.__annotations__)


@pytest.mark.req("adapters:anthropic:loop")
async def test_anthropic_s_types_take_our_blocks() -> None:
    types = needs("anthropic.types")
    kinds = {
        "text": types.TextBlockParam,
        "image": types.ImageBlockParam,
        "search_result": types.SearchResultBlockParam,
    }
    met = set()
    for block in await answered("anthropic", tool_use):
        assert set(block) <= set(types.ToolResultBlockParam.__annotations__)
        for part in block["content"]:
            pydantic.TypeAdapter(kinds[part["type"]]).validate_python(part)
            assert set(part) <= set(kinds[part["type"]].__annotations__)
            met.add(part["type"])
    assert met == set(kinds)


@pytest.mark.req("adapters:gemini:loop")
async def test_gemini_s_types_take_our_parts() -> None:
    types = needs("google.genai.types")
    for part in await answered("gemini", lambda one: {"function_call": one}):
        assert types.Part.model_validate(part).function_response.name == part["function_response"]["name"]
