"""Runs that meet: a double click, a call while another runs, a network that goes, a gateway that ends."""

import re
from typing import TYPE_CHECKING

import pytest

from support.cli import Shell
from support.console import CONFIG, Console, console, stalled
from support.gateway import serving

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator

LOST = "a request that had left may be billed"


def go(made: Console) -> "Locator":
    """The button that runs."""
    return made.page.get_by_role("button", name="Run", exact=True)


async def begin_fetch(made: Console, url: str) -> None:
    """Fill the form for a page."""
    await made.page.get_by_role("radio", name="Read a web page").check()
    await made.page.get_by_label("URL").fill(url)


@pytest.mark.req("console:playground:once")
async def test_a_double_click_makes_one_call_and_does_not_cancel_it(shell: Shell, browser: "Browser") -> None:
    async with stalled() as server, serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.page.get_by_label("Query").fill("kelp")
        await go(made).dblclick()
        await expect(made.page.get_by_role("heading", name="Answered in")).to_be_visible()
        assert len([one for one in made.requests if one.endswith("/web_search")]) == 1
        await begin_fetch(made, server.url)
        await go(made).dblclick()
        await server.asked.wait()
        await expect(made.page.get_by_role("button", name="Cancel")).to_be_visible()
        await expect(made.page.locator(".result")).to_have_attribute("aria-busy", "true")
        await made.page.get_by_label("URL").press("Enter")
        assert len([one for one in made.requests if one.endswith("/web_fetch")]) == 1
        assert not server.left.is_set()
        await made.page.get_by_role("button", name="Cancel").click()
        await server.left.wait()


@pytest.mark.req("console:playground:once", "console:playground:cancel")
async def test_a_source_that_is_read_takes_the_place_of_the_call_that_runs(shell: Shell, browser: "Browser") -> None:
    async with stalled() as server, serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.run("Search the web", Query="kelp")
        await begin_fetch(made, server.url)
        await go(made).click()
        await server.asked.wait()
        await made.page.get_by_role("button", name="Read Kelp farming permits").click()
        await server.left.wait()
        await expect(made.page.get_by_label("URL")).to_have_value("https://coast.example/permits/kelp")
        await expect(made.page.get_by_role("heading", name="Failed in")).to_be_visible()
        await expect(made.page.get_by_role("button", name="Cancel")).to_have_count(0)
        assert len([one for one in made.requests if one.endswith("/web_fetch")]) == 2


@pytest.mark.req("console:playground:lost")
async def test_a_call_whose_answer_was_lost_is_not_told_as_one_that_was_not_made(
    shell: Shell, browser: "Browser"
) -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.page.get_by_label("Query").fill("kelp")
        await made.page.route("**/web_search", lambda route: route.abort())
        await go(made).click()
        await expect(made.page.locator(".result")).to_contain_text(LOST)
        await made.page.route("**/web_search", lambda route: route.fulfill(status=504, body="<h1>Timeout"))
        await go(made).click()
        await expect(made.page.locator(".result")).to_contain_text("HTTP_504")
        await expect(made.page.locator(".result")).to_contain_text(LOST)
        refused = {"code": "GATEWAY_DRAINING", "title": "Ending", "detail": "Ask another one."}
        await made.page.route(
            "**/web_search", lambda route: route.fulfill(status=503, headers={"Retry-After": "7"}, json=refused)
        )
        await go(made).click()
        await expect(made.page.locator(".result")).to_contain_text("Wait 7.00 s before trying again.")
        assert LOST not in await made.page.locator(".result").inner_text()
        await expect(made.page.get_by_label("Query")).to_have_value("kelp")
        made.errors.clear()  # a request that failed is told in the browser's console, and is what this is about


@pytest.mark.req("console:trouble")
async def test_tools_that_could_not_be_read_are_asked_for_again(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.page.route("**/v1/tools", lambda route: route.fulfill(status=503, body=""))
        await made.open()
        await expect(made.page.get_by_role("heading", name="The tools could not be read")).to_be_visible()
        await expect(go(made)).to_have_count(0)
        await made.page.unroute("**/v1/tools")
        await made.page.get_by_role("button", name="Try again").click()
        await expect(go(made)).to_be_visible()
        await expect(made.page.get_by_role("heading", name="The tools could not be read")).to_have_count(0)


@pytest.mark.req("console:trouble", "console:token:keep")
async def test_trouble_while_signing_in_forgets_neither_the_token_nor_where_the_focus_was(
    shell: Shell, browser: "Browser"
) -> None:
    date = {"Date": "Mon, 30 Nov 2026 20:00:00 GMT", "Retry-After": "Mon, 30 Nov 2026 20:02:00 GMT"}
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        token = served.token("coast")
        await made.open()
        await expect(made.page.get_by_label("Token")).to_be_focused()
        await made.page.route("**/v1/console", lambda route: route.fulfill(status=503, headers=date, body=""))
        await made.page.get_by_label("Token").fill(token)
        await made.page.get_by_role("checkbox").check()
        await made.page.get_by_role("button", name="Sign in").click()
        again = made.page.get_by_role("button", name="Try again")
        await expect(again).to_be_focused()
        await expect(made.page.locator("#trouble-text")).to_contain_text("Wait 120 s before trying again.")
        assert await made.page.evaluate("sessionStorage.length") == 0
        await made.page.unroute("**/v1/console")
        await again.click()
        await expect(made.page.get_by_text("Tenant coast")).to_be_visible()
        await expect(made.tab("Playground")).to_be_focused()
        await made.page.reload()
        await expect(made.page.get_by_text("Tenant coast")).to_be_visible()


@pytest.mark.req("console:playground:arguments")
async def test_half_a_character_in_a_field_is_refused_as_any_other_word(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.page.get_by_label("Query").fill("kelp")
        deadline = made.page.get_by_label("Deadline in seconds")
        await deadline.evaluate("(node) => { node.value = '\\ud800'; }")
        await go(made).click()
        await expect(made.page.locator(".notice.bad")).to_contain_text("Webseam-Timeout")
        await expect(go(made)).not_to_have_attribute("aria-disabled", re.compile("true"))
