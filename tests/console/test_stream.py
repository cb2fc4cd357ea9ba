"""Activity while the network, the gateway or the person does not hold still."""

import re
from typing import TYPE_CHECKING

import pytest

from support.cli import Shell
from support.console import CONFIG, Console, console, restartable
from support.gateway import Served, serving

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser

THIRD = re.compile("trying again in [23] s")
"""The wait that begins when the third try failed."""
STREAM = "**/v1/activity/stream"
SAID = """
new MutationObserver(() => {
  const text = document.getElementById('live').textContent;
  if (text) (window.said ??= []).push(text);
}).observe(document.getElementById('live'), { childList: true });
"""


async def search(served: Served, *queries: str) -> None:
    """Calls that are not made in the page."""
    for query in queries:
        await served.ask("/v1/tools/web_search", {"query": query})


async def live(made: Console) -> None:
    """Until the stream is read."""
    await expect(made.page.get_by_text("Live", exact=True)).to_be_visible()


@pytest.mark.req("console:activity:pause")
async def test_what_was_there_before_the_pause_did_not_come_while_paused(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await search(served, "kelp", "other")
        await made.open("activity")
        await live(made)
        await expect(made.page.locator("tbody tr")).to_have_count(2)
        await made.page.get_by_role("button", name="Pause").click()
        await made.go("Policy")
        async with made.page.expect_response("**/v1/activity"):
            await made.go("Activity")
        await live(made)
        await search(served, "kelp")
        await expect(made.page.get_by_text("1 came while paused")).to_be_visible()
        await made.page.get_by_role("button", name="Go on").click()
        await expect(made.page.locator("tbody tr")).to_have_count(3)


@pytest.mark.req("console:activity:filters")
async def test_text_is_looked_for_in_what_a_record_says_and_not_in_its_form(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await search(served, "kelp")
        await made.open("activity")
        await expect(made.page.locator("tbody tr")).to_have_count(1)
        for words, found in (("elapsed", 0), ('"', 0), ("atlas", 1), ("usd", 1), ("ATLAS", 1)):
            await made.page.get_by_label("Text").fill(words)
            await expect(made.page.locator("tbody tr")).to_have_count(found)


@pytest.mark.req("console:activity:unread")
async def test_calls_that_could_not_be_read_are_not_told_as_no_calls(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await search(served, "kelp")
        await made.page.route("**/v1/activity", lambda route: route.fulfill(status=503, body=""))
        await made.open("activity")
        panel = made.page.get_by_role("tabpanel", name="Activity")
        await expect(panel).to_contain_text("The recent calls could not be read (HTTP_503).")
        assert "No calls yet" not in await panel.inner_text()
        await search(served, "other")
        await expect(panel).to_contain_text("1 call; The recent calls could not be read (HTTP_503).")


@pytest.mark.req("console:activity:bound")
async def test_a_stream_that_leaves_out_much_is_not_caught_up_with_each_time(shell: Shell, browser: "Browser") -> None:
    flood = 'event: missed\ndata: {"missed": 3}\n\n' * 300
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.page.route(STREAM, lambda route: route.fulfill(content_type="text/event-stream", body=flood))
        await made.open("activity")
        await expect(made.page.get_by_text(THIRD)).to_be_visible()
        assert len([one for one in made.requests if one.endswith("/v1/activity")]) < 30


@pytest.mark.req("console:activity:reconnect")
async def test_a_wait_without_end_is_bounded_and_can_be_ended(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        far = {"Retry-After": "99999999"}
        await made.page.route(STREAM, lambda route: route.fulfill(status=503, headers=far, body=""))
        await made.open("activity")
        await expect(made.page.get_by_text("trying again in 600 s")).to_be_visible()
        assert len([one for one in made.requests if one.endswith("/stream")]) == 1
        await made.page.unroute(STREAM)
        await made.page.get_by_role("button", name="Connect now").click()
        await live(made)


@pytest.mark.req("console:activity:reconnect", "console:activity:said")
async def test_a_screen_reader_hears_once_that_the_gateway_went_and_once_that_it_is_back(
    shell: Shell, browser: "Browser"
) -> None:
    async with restartable(shell) as gateway, console(browser, gateway.served) as made:
        await made.open("activity")
        await live(made)
        await made.page.evaluate(SAID)
        await made.page.route(STREAM, lambda route: route.abort())
        await gateway.stop()
        await expect(made.page.get_by_text(THIRD)).to_be_visible()
        await gateway.start()
        await made.page.unroute(STREAM)
        await made.page.get_by_role("button", name="Connect now").click()
        await live(made)
        await made.page.wait_for_function("window.said?.length >= 2")
        assert await made.page.evaluate("window.said") == [
            "Not connected. The page tries again by itself.",
            "Connected again.",
        ]
        assert await made.page.locator(".state[role], .state[aria-live]").count() == 0
        made.errors.clear()  # a stream that was cut is told in the browser's console, and is what this is about
