"""Playground: what a person runs, and what is shown of it."""

import re
from typing import TYPE_CHECKING

import pytest

from support.cli import Shell
from support.console import CONFIG, console, pages, stalled
from support.gateway import serving
from webseam.wiring.tenants import Policy

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser


@pytest.mark.req("console:playground", "console:playground:sides")
async def test_a_search_shows_what_the_model_sees_beside_the_data(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        async with made.page.expect_response("**/v1/tools/web_search") as response:
            await made.run("Search the web", Query="kelp")
        answer = await (await response.value).json()
        model = made.page.get_by_role("region", name="What the model sees", exact=True).last
        parts = await model.locator("span").all_text_contents()
        assert "\n".join(parts) == answer["text"]
        await expect(model.locator(".boundary")).to_have_count(2)
        assert "Sources:" in await model.locator(".quoted").inner_text()
        assert "Cite the sources" in await model.locator(".ours").last.inner_text()
        data = made.page.get_by_role("group", name="Structured result")
        await expect(data).to_contain_text("provider: atlas")
        await expect(made.page.get_by_role("link", name="https://coast.example/permits/kelp")).to_have_attribute(
            "rel", "noopener noreferrer"
        )


@pytest.mark.req("console:playground:tries")
async def test_every_try_is_a_bar_with_who_how_and_how_long(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.run("Search the web", Query="other words", Country="NO", Only_these_domains="coast.example")
        tries = made.page.get_by_role("region", name="Tries").get_by_role("listitem")
        await expect(tries).to_have_count(2)
        await expect(tries.first).to_contain_text("atlas")
        await expect(tries.first).to_contain_text("failed WEB_RATE_LIMITED")
        await expect(tries.first).to_contain_text("may have been billed")
        await expect(tries.last).to_contain_text("beacon")
        await expect(tries.last).to_contain_text("answered")
        assert await tries.locator(".bar").count() == 2
        honoured = made.page.get_by_role("region", name="Controls")
        await expect(honoured).to_contain_text("country")
        await expect(honoured).to_contain_text("by the vendor")
        await expect(honoured).to_contain_text("here, on what came")


@pytest.mark.req("console:playground:facts", "console:playground:on")
async def test_a_page_is_told_about_and_read_on_to_its_end(shell: Shell, browser: "Browser") -> None:
    with pages() as base:
        async with serving(shell, CONFIG) as served, console(browser, served) as made:
            await made.open()
            await made.run("Read a web page", URL=f"{base}/long")
            facts = made.page.get_by_role("region", name="Answered")
            for told in ("HTTP status", "utf-8, by the header", "text/html", "Removed", "hidden elements left out"):
                await expect(facts).to_contain_text(told)
            await expect(facts).to_contain_text("characters 0 to 39,")
            onward = made.page.get_by_role("button", name="Read on from 39,")
            await onward.click()
            await expect(facts).to_contain_text("characters 39,")
            await made.page.get_by_role("button", name="Read on from 7").click()
            await expect(made.page.get_by_role("region", name="What the model sees", exact=True).last).to_contain_text(
                "Paragraph 1499"
            )
            await expect(onward).to_have_count(0)


@pytest.mark.req("console:playground:facts")
async def test_what_was_hidden_and_removed_is_counted(shell: Shell, browser: "Browser") -> None:
    with pages() as base:
        async with serving(shell, CONFIG) as served, console(browser, served) as made:
            await made.open()
            await made.run("Read a web page", URL=f"{base}/")
            await expect(made.page.get_by_role("region", name="Answered")).to_contain_text("1 hidden element left out")
            await made.run("Extract a web page", URL=f"{base}/")
            await expect(made.page.get_by_role("group", name="Structured result")).to_contain_text("content: ")


@pytest.mark.req("console:playground:facts")
async def test_what_the_permission_decided_is_told(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        token = served.token("coast", Policy(deny_hosts=("bad.example",)))
        await made.open()
        await made.page.get_by_label("Token").fill(token)
        await made.page.get_by_role("button", name="Sign in").click()
        await made.run("Search the web", Query="kelp")
        await expect(made.page.get_by_role("region", name="Answered")).to_contain_text("allowed search kelp")
        await made.run("Read a web page", URL="https://bad.example/x")
        failed = made.page.get_by_role("region", name="Failed")
        await expect(failed).to_contain_text("WEB_DENIED")
        await expect(failed).to_contain_text("denied fetch https://bad.example/x")


@pytest.mark.req("console:playground:errors")
async def test_a_failure_is_told_with_its_code_and_what_to_do(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.run("Read a web page", URL="http://10.0.0.1/")
        failed = made.page.get_by_role("region", name="Failed")
        await expect(failed).to_contain_text("WEB_BLOCKED_URL")
        await expect(failed).to_contain_text("fetch.private_networks")
        await expect(made.page.get_by_role("status").filter(has_text="Failed: WEB_BLOCKED_URL")).to_have_count(1)


UNUSABLE = (
    ("URL", "", "url"),
    ("Offset", "-1", "offset"),
    ("Offset", "ten", "offset"),
    ("Offset", "1.5", "offset"),
    ("Offset", "999999999999999999999999", "offset"),
    ("Deadline in seconds", "0", "Webseam-Timeout"),
    ("Deadline in seconds", "soon", "Webseam-Timeout"),
    ("Deadline in seconds", "日", "Webseam-Timeout"),
    ("Deadline in seconds", "1\x0b2", "Webseam-Timeout"),
)


@pytest.mark.req("console:playground:arguments", "console:playground:errors")
async def test_an_argument_that_cannot_be_used_is_refused_in_words(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.page.get_by_role("radio", name="Read a web page").check()
        for label, value, said in UNUSABLE:
            await made.page.get_by_label("URL").fill("http://127.0.0.1:9/")
            await made.page.get_by_label(label).fill(value)
            await made.page.get_by_role("button", name="Run", exact=True).click()
            await expect(made.page.locator(".result")).to_have_attribute("aria-busy", "false")
            await expect(made.page.locator(".notice.bad")).to_contain_text(said)
            await expect(made.page.locator("form [aria-invalid=true]")).to_have_accessible_name(re.compile(f"^{label}"))
            await expect(made.page.get_by_label(label)).to_have_value(value)  # not lost
            await made.page.get_by_label(label).fill("")


@pytest.mark.req("console:playground:arguments")
async def test_every_argument_of_every_tool_has_a_field_with_its_help(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        tools = (await served.ask("/v1/tools")).json["tools"]
        for tool in tools:
            await made.page.get_by_role("radio", name=tool["title"]).check()
            for name, schema in tool["inputSchema"]["properties"].items():
                control = made.page.locator(f"[name={name}]")
                await expect(control).to_be_visible()
                await expect(control).to_have_accessible_name(re.compile(r"\S"))
                words = re.compile(re.escape(schema["description"][:30]))
                await expect(control).to_have_accessible_description(words)


@pytest.mark.req("console:playground:arguments")
async def test_several_queries_are_given_one_a_line(shell: Shell, browser: "Browser") -> None:
    config = CONFIG.replace("[tools]\n", "[tools]\nmax_queries = 3\n")
    async with serving(shell, config) as served, console(browser, served) as made:
        await made.open()
        await made.run("Search the web", Queries=" kelp \n\nother words")
        await expect(made.page.get_by_role("group", name="Structured result")).to_contain_text("0: kelp1: other words")
        await expect(made.page.get_by_role("region", name="Tries").get_by_role("listitem")).to_have_count(3)


@pytest.mark.req("console:playground:cancel")
async def test_a_call_that_is_cancelled_closes_the_page_s_socket(shell: Shell, browser: "Browser") -> None:
    async with stalled() as server, serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.page.get_by_role("radio", name="Read a web page").check()
        await made.page.get_by_label("URL").fill(server.url)
        await made.page.get_by_role("button", name="Run", exact=True).click()
        await server.asked.wait()
        await made.page.get_by_role("button", name="Cancel").click()
        await expect(made.page.get_by_text("Cancelled: the gateway ends the call.").first).to_be_visible()
        await server.left.wait()
        await expect(made.page.get_by_role("button", name="Run", exact=True)).to_be_focused()


@pytest.mark.req("console:keyboard")
async def test_the_playground_works_with_the_keyboard_alone(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await expect(made.page.get_by_label("Query")).to_be_visible()
        press = made.page.keyboard.press
        await press("Tab")
        await expect(made.page.get_by_role("link", name="Skip to content")).to_be_focused()
        await press("Enter")
        await expect(made.page.locator("main")).to_be_focused()
        assert made.page.url.endswith("/")
        for _ in range(2):
            await press("Tab")
        await expect(made.page.get_by_role("radio", name="Search the web")).to_be_focused()
        await press("Tab")
        await made.page.keyboard.type("kelp")
        await press("Enter")
        await expect(made.page.get_by_role("heading", name="Answered in")).to_be_visible()
        await made.page.get_by_role("button", name="Run", exact=True).focus()
        await made.page.keyboard.press("Shift+Tab")
        await expect(made.page.get_by_label("Deadline in seconds")).to_be_focused()


@pytest.mark.req("console:large")
async def test_a_long_text_is_shown_in_part_and_whole_on_demand(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        text = "0123456789" * 100_000
        shown = await made.page.evaluate(
            """async (text) => {
              const { longText } = await import('/console/text.js');
              const node = longText([{ kind: 'quoted', text }], { label: 'A long text' });
              document.getElementById('panel-playground').append(node);
              return node.firstChild.textContent.length;
            }""",
            text,
        )
        assert shown == 60_000
        await made.page.get_by_role("button", name="Show all: 940,000 of 1,000,000 characters are left out").click()
        region = made.page.get_by_role("region", name="A long text")
        await expect(region).to_be_focused()
        assert await region.evaluate("(node) => node.textContent") == text
