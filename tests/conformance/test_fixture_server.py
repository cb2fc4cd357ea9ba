"""The server that the suite's scenarios call is the product's own, so what they prove holds for it."""

from contextlib import aclosing
from typing import Any

import pytest
from mcp import Client

import webseam
from conformance.fixture_server import fixture_server
from webseam.surfaces.mcp.server import make_server

FIXTURES = 25


@pytest.mark.req("conformance:fixture")
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_fixture_server_shows_the_products_tools_unchanged_and_first(mode: Any) -> None:
    async with (
        webseam.Web() as web,
        aclosing(webseam.Toolset(web)) as tools,
        Client(make_server(tools), mode=mode) as plain,
        Client(fixture_server(tools), mode=mode) as fixture,
    ):
        ours = (await plain.list_tools()).tools
        all_of_them = (await fixture.list_tools()).tools
        assert plain.instructions == fixture.instructions
    assert ours == all_of_them[: len(ours)]
    assert len(all_of_them) == len(ours) + FIXTURES


@pytest.mark.req("conformance:fixture")
async def test_a_call_of_the_products_tool_goes_to_the_product() -> None:
    async with (
        webseam.Web() as web,
        aclosing(webseam.Toolset(web)) as tools,
        Client(fixture_server(tools)) as client,
    ):
        result = await client.call_tool("web_search", {"query": "kelp"})
    assert result.is_error
    assert result.structured_content["error"]["code"] == "WEB_PROVIDER_UNAVAILABLE"
