"""Providers, Usage and Policy; and a gateway that does not answer."""

import re
from typing import TYPE_CHECKING

import pytest

from support.cli import Shell
from support.console import CONFIG, console, restartable
from support.gateway import serving
from webseam.wiring.tenants import Policy

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser

DASH = "\N{EN DASH}"
NOBODY = CONFIG.replace('route = ["atlas", "beacon"]', 'provider = "nobody"')


@pytest.mark.req("console:providers")
async def test_providers_shows_what_would_be_selected_and_how_it_went(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        for query in ("kelp", "other"):
            await served.ask("/v1/tools/web_search", {"query": query})
        await made.open("providers")
        search = made.page.get_by_role("region", name="Search", exact=True)
        await expect(search).to_contain_text("Selected: atlas, then beacon")
        (told,) = [
            one for one in (await served.ask("/v1/providers")).json["capabilities"] if one["capability"] == "search"
        ]
        for why in told["why"]:
            await expect(search).to_contain_text(why)
        atlas = search.get_by_role("row").filter(has_text="atlas")
        await expect(atlas).to_contain_text("selected")
        await expect(atlas).to_contain_text("WEB_RATE_LIMITED 1")
        await served.ask("/v1/tools/web_search", {"query": "third"})
        await made.page.get_by_role("button", name="Load anew").click()
        await expect(atlas).to_contain_text("WEB_RATE_LIMITED 2")


@pytest.mark.req("console:providers")
async def test_providers_tells_why_a_call_would_be_refused(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, NOBODY) as served, console(browser, served) as made:
        await made.open("providers")
        search = made.page.get_by_role("region", name="Search", exact=True)
        await expect(search).to_contain_text("WEB_PROVIDER_CONFIGURED_MISSING")


@pytest.mark.req("console:usage")
async def test_usage_draws_and_tabulates_the_same_numbers(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open("usage")
        usage = made.page.get_by_role("tabpanel", name="Usage")
        await expect(usage).to_contain_text("No call of this time is kept.")
        for query in ("kelp", "other", "fail"):
            await served.ask("/v1/tools/web_search", {"query": query})
        for period, hours in (("The last hour", 1), ("The last 7 days", 168), ("The last 30 days", 720)):
            await made.page.get_by_label("Period").select_option(period)
            await expect(usage.get_by_role("img")).to_have_count(4)
            told = (await served.ask("/v1/usage", {"hours": hours})).json
            await made.page.get_by_text("Show as a table: Calls").click()
            rows = made.page.get_by_role("group", name="Calls", exact=True).get_by_role("row")
            assert abs(await rows.count() - 1 - len(told["buckets"])) <= 1
            cells = await rows.locator("td").all_inner_texts()
            assert cells[0] == DASH  # the process did not run then
            assert sum(int(cell) for cell in cells if cell != DASH) == told["whole"]["calls"] == 3
        await expect(usage).to_contain_text("0.008 USD")
        await expect(made.page.get_by_role("region", name="Errors by code").first).to_contain_text(
            "WEB_ROUTE_EXHAUSTED"
        )
        await expect(made.page.get_by_role("img", name="Calls, ")).to_have_accessible_name(
            re.compile("answered: at most 2, from a cache: at most 0, failed: at most 1")
        )
        for width in (500, 1200):
            await made.page.set_viewport_size({"width": width, "height": 800})
            await expect(made.page.get_by_role("img", name="Calls, ")).not_to_have_attribute("width", "0")


@pytest.mark.req("console:policy")
async def test_policy_says_every_rule_with_its_origin(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        token = served.token("coast", Policy(calls_per_day=7, deny_hosts=("bad.example",)))
        await made.open("policy")
        await made.page.get_by_label("Token").fill(token)
        await made.page.get_by_role("button", name="Sign in").click()
        panel = made.page.get_by_role("tabpanel", name="Policy")
        sections = (await served.ask("/v1/policy", token=token)).json["sections"]
        assert sections
        for section in sections:
            await expect(panel.get_by_role("heading", name=section["title"], exact=True)).to_be_visible()
            for rule in section["rules"]:
                await expect(panel).to_contain_text(rule["text"])
                await expect(panel).to_contain_text(rule["origin"])
        await expect(panel).to_contain_text("bad.example")


@pytest.mark.req("console:trouble")
async def test_a_gateway_that_went_away_is_told_and_asked_again(shell: Shell, browser: "Browser") -> None:
    async with restartable(shell) as gateway, console(browser, gateway.served) as made:
        await made.open("providers")
        panel = made.page.get_by_role("tabpanel", name="Providers")
        await expect(panel).to_contain_text("Selected: ")
        await made.page.route("**/v1/providers", lambda route: route.abort())
        await made.page.get_by_role("button", name="Load anew").click()
        await expect(panel).to_contain_text("The gateway cannot be reached")
        await made.page.unroute("**/v1/providers")
        await made.page.get_by_role("button", name="Load anew").click()
        await expect(panel).to_contain_text("Selected: ")
        made.errors.clear()  # a request that failed is told in the browser's console, and is what this is about


@pytest.mark.req("console:trouble")
async def test_a_gateway_that_cannot_say_who_it_is_can_be_asked_again(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.page.route("**/v1/console", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
        await made.open()
        await expect(made.page.get_by_role("heading", name="The gateway did not answer")).to_be_visible()
        await expect(made.page.get_by_text("HTTP_502")).to_be_visible()
        await made.page.unroute("**/v1/console")
        await made.page.get_by_role("button", name="Try again").click()
        await expect(made.page.get_by_role("tabpanel", name="Playground")).to_be_visible()
