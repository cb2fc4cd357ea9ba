"""The SDK's own client drives every tool in memory, over stdio and over HTTP, in both eras: one table for all."""

import asyncio
import base64
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # has no stubs
from mcp import Client, MCPError
from mcp.types import ImageContent, Tool

from support.cli import Answer, Shell, site
from support.mcp import CONFIG, ERAS, WAYS, connected, text
from webseam import ToolSettings
from webseam.core.version import VERSION
from webseam.surfaces.mcp.result import ERROR_SCHEMA
from webseam.tools.schema import definitions

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
LONG = "<title>Long</title>" + "".join(f"<p>Paragraph {at} of many, each with words.</p>" for at in range(3_000))


def answer(path: str) -> Answer:
    pages: dict[str, tuple[int, dict[str, str], bytes]] = {
        "/": (200, {}, b"<title>Kelp</title><p>Kelp grows <a href='/more'>fast</a>.</p>"),
        "/long": (200, {}, LONG.encode()),
        "/picture": (200, {"Content-Type": "image/png"}, PNG),
        "/gone": (410, {}, b"<p>It is gone.</p>"),
    }
    return pages.get(path, (404, {}, b"<p>Nothing here.</p>"))


@pytest.fixture(params=[f"{way}-{era}" for way in WAYS for era in ERAS])
async def client(request: pytest.FixtureRequest, shell: Shell) -> AsyncIterator[Client]:
    way, era = request.param.split("-", 1)
    shell.desk.user(CONFIG)
    async with connected(shell, way, era) as one:
        assert one.protocol_version == ERAS[era]
        yield one


def assert_kept(structure: Any, tool: Tool) -> None:
    """The structure satisfies the schema that the client was shown."""
    assert tool.output_schema is not None
    Draft202012Validator.check_schema(tool.output_schema)
    Draft202012Validator(tool.output_schema).validate(structure)


async def schemas_of(client: Client) -> dict[str, Tool]:
    return {one.name: one for one in (await client.list_tools()).tools}


def open_objects(schema: Any) -> Iterator[Any]:
    """The parts that let through what they do not describe."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and schema.get("additionalProperties", True) is True:
            yield schema
        for inner in schema.values():
            yield from open_objects(inner)


@pytest.mark.req(
    "mcp:ways:tools", "mcp:ways:identity", "mcp:ways:cache-hints", "mcp:result:plain-schema", "mcp:result:closed-schema"
)
async def test_the_tools_are_listed_in_their_order_as_everywhere(client: Client) -> None:
    listed = await client.list_tools()

    plain = [one.model_dump(by_alias=True, mode="json", exclude_none=True) for one in listed.tools]
    ours = definitions(ToolSettings(extract=True), "mcp")
    assert [one["name"] for one in plain] == [one["name"] for one in ours]
    for shown, defined in zip(plain, ours, strict=True):
        assert {key: shown[key] for key in ("title", "description", "inputSchema", "annotations")} == {
            key: defined[key] for key in ("title", "description", "inputSchema", "annotations")
        }
        assert {**defined["outputSchema"]["properties"], "error": ERROR_SCHEMA} == shown["outputSchema"]["properties"]
        assert not {"anyOf", "oneOf", "allOf", "not", "if", "$ref"} & set(shown["outputSchema"])
        assert [*open_objects(shown["outputSchema"]), *open_objects(shown["inputSchema"])] == []
    assert client.server_info is not None
    assert (client.server_info.name, client.server_info.version) == ("webseam", VERSION)
    assert "## web_search" in (client.instructions or "")
    if client.protocol_version == "2026-07-28":
        assert (listed.ttl_ms, listed.cache_scope) == (300_000, "private")


@pytest.mark.req("mcp:ways:search", "mcp:result:channels", "mcp:result:schema")
async def test_a_search_answers_in_text_and_in_structure(client: Client) -> None:
    tools = await schemas_of(client)

    result = await client.call_tool("web_search", {"query": "hits"})

    assert not result.is_error
    assert "https://a.test/" in text(result)
    assert [one.type for one in result.content] == ["text"]
    assert [one["url"] for one in result.structured_content["sources"]] == ["https://a.test/", "https://b.test/"]
    assert not text(result).lstrip().startswith("{")
    assert_kept(result.structured_content, tools["web_search"])


@pytest.mark.req("mcp:ways:fetch", "mcp:ways:paging", "mcp:result:schema")
async def test_a_long_page_is_read_to_its_end_by_offsets(client: Client) -> None:
    tools = await schemas_of(client)
    parts, offset = [], 0
    with site(answer) as base:
        while offset is not None:
            result = await client.call_tool("web_fetch", {"url": f"{base}/long", "offset": offset})
            assert not result.is_error, text(result)
            assert_kept(result.structured_content, tools["web_fetch"])
            parts.append(result.structured_content["content"])
            assert "Paragraph" in text(result)
            offset = result.structured_content["view"]["next_offset"]

    whole = "".join(parts)
    assert len(parts) > 2
    assert len(whole) == result.structured_content["view"]["total"]
    assert all(f"Paragraph {at} of many" in whole for at in range(3_000))


@pytest.mark.req("mcp:ways:extract", "mcp:result:schema")
async def test_an_extraction_answers_in_text_and_in_structure(client: Client) -> None:
    tools = await schemas_of(client)
    with site(answer) as base:
        result = await client.call_tool("web_extract", {"url": f"{base}/"})
        refused = await client.call_tool("web_extract", {"url": "http://10.0.0.1/"})

    assert not result.is_error, text(result)
    assert "Kelp grows" in text(result)
    assert refused.structured_content["error"]["code"] == "WEB_BLOCKED_URL"
    for one in (result, refused):
        assert_kept(one.structured_content, tools["web_extract"])


@pytest.mark.req("mcp:ways:find", "mcp:ways:status", "mcp:ways:numerals")
async def test_arguments_reach_the_tool_as_the_model_wrote_them(client: Client) -> None:
    with site(answer) as base:
        found = await client.call_tool("web_fetch", {"url": f"{base}/long", "find": "Paragraph 2999"})
        later = await client.call_tool("web_fetch", {"url": f"{base}/long", "offset": "40000"})
        gone = await client.call_tool("web_fetch", {"url": f"{base}/gone"})

    assert found.structured_content["matches"][0]["total"] == 1
    assert later.structured_content["view"]["offset"] == 40_000
    assert (gone.is_error, gone.structured_content["status_code"]) == (False, 410)


@pytest.mark.req("mcp:ways:images")
async def test_a_picture_is_an_image_block(client: Client) -> None:
    with site(answer) as base:
        result = await client.call_tool("web_fetch", {"url": f"{base}/picture"})

    assert [one.type for one in result.content] == ["text", "image"]
    image = result.content[1]
    assert isinstance(image, ImageContent)
    assert (image.mime_type, base64.b64decode(image.data)) == ("image/png", PNG)


FAILURES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("web_search", {"query": "WEB_QUOTA_EXHAUSTED"}, "WEB_QUOTA_EXHAUSTED"),
    ("web_search", {"query": "anything else"}, "WEB_RATE_LIMITED"),
    ("web_search", {}, "INVALID_ARGS"),
    ("web_search", {"q": "x"}, "INVALID_ARGS"),
    ("web_search", {"query": 7}, "INVALID_ARGS"),
    ("web_search", {"query": "x" * 200_000}, "INVALID_ARGS"),
    ("web_fetch", {"url": "http://192.168.0.1/"}, "WEB_BLOCKED_URL"),
    ("web_fetch", {"url": "file:///etc/passwd"}, "WEB_INVALID_URL"),
    ("web_fetch", {"url": "https://a.test/", "offset": -1}, "INVALID_ARGS"),
    ("web_fetch", {"url": "https://a.test/", "offset": 1.5}, "INVALID_ARGS"),
    ("web_fetch", {"url": {"deep": [[[[[]]]]]}}, "INVALID_ARGS"),
    ("web_fetch", {"url": "https://a.test/", "extra": None}, "INVALID_ARGS"),
)


@pytest.mark.req("mcp:result:errors", "mcp:result:schema")
async def test_a_failure_is_a_result_with_our_code(client: Client) -> None:
    tools = await schemas_of(client)

    for name, arguments, code in FAILURES:
        result = await client.call_tool(name, arguments)

        assert (result.is_error, result.structured_content["error"]["code"]) == (True, code), (name, text(result))
        assert code in text(result)
        assert_kept(result.structured_content, tools[name])


@pytest.mark.req("mcp:result:unknown-tool")
async def test_a_tool_that_is_not_there_is_the_protocols_error(client: Client) -> None:
    with pytest.raises(MCPError) as caught:
        await client.call_tool("web_browse", {"url": "https://a.test/"})

    assert caught.value.code == -32602
    assert "web_search, web_fetch, web_extract" in caught.value.message


@pytest.mark.req("mcp:ways:concurrent")
async def test_calls_run_at_once_and_each_gets_its_own_answer(client: Client) -> None:
    with site(lambda path: (200, {}, f"<p>This is page {path}.</p>".encode())) as base:
        results = await asyncio.gather(
            *(client.call_tool("web_fetch", {"url": f"{base}/{at}"}) for at in range(20)),
            *(client.call_tool("web_search", {"query": "hits"}) for _ in range(5)),
        )

    for at, result in enumerate(results[:20]):
        assert f"This is page /{at}." in text(result)
    assert all("https://a.test/" in text(one) for one in results[20:])
