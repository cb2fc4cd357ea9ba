"""Activity: calls made elsewhere appear here, whole, and only to whom they belong."""

from typing import TYPE_CHECKING

import pytest

from support.cli import Shell
from support.console import CONFIG, Console, console, restartable
from support.gateway import Served, serving
from webseam.wiring.tenants import Policy

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator


async def search(served: Served, *queries: str, token: str = "") -> None:
    """Calls that are not made in the page."""
    for query in queries:
        await served.ask("/v1/tools/web_search", {"query": query}, token=token)


def rows(made: Console) -> "Locator":
    """What each row opens with."""
    return made.page.get_by_role("region", name="Calls").get_by_role("button")


async def live(made: Console) -> None:
    """Until the stream is read."""
    await expect(made.page.get_by_text("Live", exact=True)).to_be_visible()


@pytest.mark.req("console:activity:live")
async def test_calls_made_elsewhere_appear_by_themselves(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await search(served, "kelp")
        await made.open("activity")
        await live(made)
        await expect(rows(made)).to_have_count(1)
        await search(served, "fail", "other")
        await expect(rows(made)).to_have_count(3)
        await expect(made.page.get_by_role("row").nth(2)).to_contain_text("WEB_ROUTE_EXHAUSTED")


@pytest.mark.req("console:activity:record")
async def test_a_row_opens_to_the_whole_record_and_escape_goes_back(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await search(served, "other")
        await made.open("activity")
        await rows(made).first.focus()
        await made.page.keyboard.press("Enter")
        record = made.page.get_by_role("dialog", name="Call web_search")
        await expect(record.get_by_role("listitem").filter(has_text="atlas").first).to_contain_text("WEB_RATE_LIMITED")
        for told in ("Outcome", "Left this machine", "0.004 USD", "Permission", "local"):
            await expect(record).to_contain_text(told)
        (entry,) = (await served.ask("/v1/activity")).json["records"]
        await expect(record).to_contain_text(entry["id"])
        await made.page.keyboard.press("Escape")
        await expect(record).to_have_count(0)
        await expect(rows(made).first).to_be_focused()


@pytest.mark.req("console:activity:live")
async def test_what_comes_takes_the_focus_from_no_row(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await search(served, "kelp", "fail", "other")
        await made.open("activity")
        await expect(rows(made)).to_have_count(3)
        row = rows(made).nth(2)
        await row.evaluate(
            "(node) => { node.focus(); node.addEventListener('blur', () => { window.blurred = true; }); }"
        )
        await search(served, "kelp")
        await expect(rows(made)).to_have_count(4)
        await expect(rows(made).nth(3)).to_be_focused()
        assert await made.page.evaluate("window.blurred") is None


@pytest.mark.req("console:activity:live")
async def test_a_part_that_is_not_shown_reads_no_stream(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open("activity")
        await live(made)
        async with made.page.expect_event("requestfailed", lambda one: one.url.endswith("/v1/activity/stream")):
            await made.go("Policy")
        await search(served, "kelp")
        await made.go("Activity")
        await live(made)
        await expect(rows(made)).to_have_count(1)


@pytest.mark.req("console:activity:filters")
async def test_filters_hold_for_what_is_there_and_what_comes(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await search(served, "kelp", "other", "fail")
        await served.ask("/v1/tools/web_fetch", {"url": "http://10.0.0.1/"})
        await made.open("activity")
        await expect(rows(made)).to_have_count(4)
        for label, value, left in (
            ("Tool", "web_fetch", 1),
            ("Provider", "atlas", 1),
            ("Outcome", "failed", 2),
            ("Code", "WEB_BLOCKED_URL", 1),
            ("Tenant", "local", 4),
        ):
            await made.page.get_by_label(label, exact=True).select_option(value)
            await expect(rows(made)).to_have_count(left)
            await made.page.get_by_role("button", name="Clear filters").click()
            await expect(rows(made)).to_have_count(4)
        await made.page.get_by_label("Text").fill("blocked_URL")
        await expect(rows(made)).to_have_count(1)
        await search(served, "kelp")
        await made.page.get_by_label("Text").fill("no such word")
        await expect(made.page.get_by_text("None of 5 calls is like that.")).to_be_visible()


@pytest.mark.req("console:activity:pause")
async def test_while_paused_nothing_moves_and_nothing_is_lost(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open("activity")
        await live(made)
        await made.page.get_by_role("button", name="Pause").click()
        await search(served, "kelp", "other")
        await expect(made.page.get_by_text("2 came while paused")).to_be_visible()
        await expect(rows(made)).to_have_count(0)
        await made.page.get_by_role("button", name="Go on").click()
        await expect(rows(made)).to_have_count(2)


@pytest.mark.req("console:activity:reconnect")
async def test_it_connects_again_when_the_gateway_comes_back(shell: Shell, browser: "Browser") -> None:
    async with restartable(shell) as gateway, console(browser, gateway.served) as made:
        await search(gateway.served, "kelp")
        await made.open("activity")
        await live(made)
        await gateway.stop()
        await expect(made.page.get_by_text("Live", exact=True)).to_have_count(0)
        await gateway.start()
        await live(made)
        await search(gateway.served, "other")
        await expect(rows(made)).to_have_count(2)
        made.errors.clear()  # a stream that was cut is told in the browser's console, and is what this is about


@pytest.mark.req("console:activity:bound")
async def test_however_many_calls_end_the_page_holds_two_hundred_rows(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open("activity")
        await live(made)
        for _ in range(220):
            await search(served, "kelp")
        await expect(made.page.get_by_text("220 calls; the newest 200 shown.")).to_be_visible()
        await expect(made.page.locator("tbody tr")).to_have_count(200)


@pytest.mark.req("console:tenants")
async def test_a_tenant_sees_nothing_of_another_and_an_admin_sees_all(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served:
        mine, other = served.token("coast"), served.token("harbour")
        boss = served.token("office", Policy(admin=True))
        for token, count in ((mine, 2), (boss, 3)):
            async with console(browser, served) as made:
                await made.open("activity")
                await made.page.get_by_label("Token").fill(token)
                await made.page.get_by_role("button", name="Sign in").click()
                await live(made)
                if token == mine:
                    await search(served, "fail", token=other)
                    await search(served, "kelp", "other", token=mine)
                await expect(rows(made)).to_have_count(count)
                shown = await made.page.get_by_role("tabpanel").inner_text()
                assert ("harbour" in shown) is (token == boss)
                assert ("WEB_ROUTE_EXHAUSTED" in shown) is (token == boss)
                await expect(made.page.get_by_label("Tenant", exact=True)).to_have_count(int(token == boss))
                usage = await made.go("Usage")
                await expect(usage).to_contain_text("Left this machine")
                assert ("harbour" in await usage.inner_text()) is (token == boss)


@pytest.mark.req("console:activity:stream")
async def test_events_are_read_however_they_are_cut(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        text = (
            ': hello\n\nevent: call\nid: 1\ndata: {"a":\ndata: "日"}\n\ndata: x\r\n\r\nevent: none\n\n: \n\ndata: half'
        )
        found = await made.page.evaluate(
            """async (text) => {
              const { events } = await import('/console/sse.js');
              const found = [];
              for (const size of [1, 2, 3, 7, 1000]) {
                const bytes = new TextEncoder().encode(text);
                let at = 0;
                const next = () => bytes.slice(at, (at += size));
                const pull = (to) => (at < bytes.length ? to.enqueue(next()) : to.close());
                const body = new ReadableStream({ pull });
                const told = [];
                for await (const one of events(body)) told.push([one.event, one.id, one.data]);
                found.push(told);
              }
              return found;
            }""",
            text,
        )
        assert found == [[["call", "1", '{"a":\n"日"}'], ["message", "", "x"]]] * 5
