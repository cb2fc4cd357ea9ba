"""The console below a path of another host, where a proxy takes the path away (issue 7.5)."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest
from mcp import Client

from support.cli import Shell
from support.console import CONFIG, console
from support.gateway import Served, serving
from support.prefix import below

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser

PATH = "/tools/webseam"


@pytest.mark.req("console:prefix")
async def test_the_whole_console_works_below_a_path(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, below(served.port, PATH) as proxy:
        token = served.token("coast")
        async with console(browser, replace(served, port=proxy.port)) as made:
            made.base = proxy.url
            await made.open()
            await made.page.get_by_label("Token").fill(token)
            await made.page.get_by_role("checkbox").check()
            await made.page.get_by_role("button", name="Sign in").click()
            await made.run("Search the web", Query="kelp")
            activity = await made.go("Activity")
            await expect(activity.get_by_text("Live", exact=True)).to_be_visible()
            await served.ask("/v1/search", {"query": "season 1"}, token=token)
            await expect(activity.get_by_role("row")).to_have_count(3)
            for tab, words in (("Providers", "atlas"), ("Usage", "/v1/search"), ("Policy", "Webseam-Timeout")):
                await expect((await made.go(tab)).get_by_text(words).first).to_be_visible()
            await made.page.reload()
            await expect(made.page.get_by_role("tab", name="Policy")).to_have_attribute("aria-selected", "true")
        assert proxy.elsewhere == []


@pytest.mark.req("console:prefix:token")
async def test_a_token_that_a_tab_keeps_is_for_the_gateway_of_this_path_alone(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        token = served.token("coast")
        await made.open()
        await made.page.evaluate("(token) => sessionStorage.setItem('webseam.token /other/', token)", token)
        await made.page.reload()
        await expect(made.page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.req("gateway:prefix")
async def test_the_document_and_mcp_are_found_below_a_path(shell: Shell) -> None:
    async with serving(shell, CONFIG) as served, below(served.port, PATH) as proxy:
        told = await Served(proxy.port, shell).ask(f"{PATH}/openapi.json")
        (server,) = json.loads(told.body)["servers"]
        assert urljoin(f"{proxy.url}/openapi.json", server["url"]) == f"{proxy.url}/"
        assert (await Served(proxy.port, shell).ask(f"{PATH}/healthz")).status == 200
        async with Client(f"{proxy.url}/mcp") as client:
            assert "web_search" in {one.name for one in (await client.list_tools()).tools}
            found = await client.call_tool("web_search", {"query": "kelp"})
            assert not found.is_error
        assert proxy.elsewhere == []
