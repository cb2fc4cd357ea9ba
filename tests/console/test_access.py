"""For everybody: keyboard, screen reader, small screens, light and dark, the browser's own buttons."""

import re
from itertools import product
from typing import TYPE_CHECKING

import pytest

from support.cli import Shell
from support.console import COLOURS, CONFIG, Console, console, contrast
from support.gateway import Served, serving

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser

TABS = ("Playground", "Activity", "Providers", "Usage", "Policy")
TEXTS = ("text", "muted", "accent", "good", "bad", "warn")
BACKS = ("back", "card", "sunk")
DRAWN = ("edge", "plot-1", "plot-2", "plot-3", "plot-good", "plot-kept", "plot-bad", "plot-cost")
NEEDED = 4.5
DRAWN_NEEDED = 3.0
"""Of text, and of what is drawn (WCAG 2.2, 1.4.3 and 1.4.11)."""
MOVING = """
[...document.querySelectorAll('*')].filter((one) => parseFloat(getComputedStyle(one).transitionDuration) > 0).length
"""
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
UNNAMED = """
() => [...document.querySelectorAll('button, input, select, textarea, a[href], summary, [role=region], [role=img]')]
  .filter((one) => one.checkVisibility())
  .filter((one) => !(one.ariaLabel || one.labels?.length || one.textContent.trim()))
  .filter((one) => !one.hasAttribute('aria-labelledby'))
  .map((one) => one.outerHTML)
"""
DOUBLE = """
() => [...document.querySelectorAll('[id]')].map((one) => one.id).filter((one, at, all) => all.indexOf(one) !== at)
"""
BROKEN = """
() => ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'].flatMap((name) =>
  [...document.querySelectorAll(`[${name}]`)].flatMap((one) => one.getAttribute(name).split(' ')))
  .filter((id) => !document.getElementById(id))
"""


async def used(served: Served) -> None:
    """So that every part has something to show."""
    for query in ("kelp", "other", "fail"):
        await served.ask("/v1/tools/web_search", {"query": query})


async def settled(made: Console, name: str) -> None:
    """Until the part shows what it has."""
    told = {
        "Playground": "Query",
        "Activity": "web_search",
        "Providers": "atlas",
        "Usage": "Left this machine",
        "Policy": "This gateway",
    }[name]
    await expect(made.page.get_by_role("tabpanel", name=name)).to_contain_text(told)


@pytest.mark.req("console:tabs")
async def test_the_arrows_move_between_tabs_and_the_address_names_the_tab(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.tab("Playground").focus()
        for key, name in (
            ("ArrowRight", "Activity"),
            ("End", "Policy"),
            ("ArrowRight", "Playground"),
            ("ArrowLeft", "Policy"),
            ("Home", "Playground"),
        ):
            await made.page.keyboard.press(key)
            await expect(made.tab(name)).to_be_focused()
            await expect(made.tab(name)).to_have_attribute("aria-selected", "true")
            await expect(made.page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()
            assert made.page.url.endswith(f"#{name.lower()}")
        assert await made.page.locator("[role=tab][tabindex='0'], [role=tab]:not([tabindex])").count() == 1


@pytest.mark.req("console:tabs")
async def test_back_and_forward_and_an_address_show_its_tab(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open("usage")
        await expect(made.page).to_have_title(re.compile("^Usage"))
        await made.go("Policy")
        await made.go("Providers")
        await made.page.go_back()
        await expect(made.tab("Policy")).to_have_attribute("aria-selected", "true")
        await made.page.go_back()
        await expect(made.tab("Usage")).to_have_attribute("aria-selected", "true")
        await made.page.go_forward()
        await expect(made.tab("Policy")).to_have_attribute("aria-selected", "true")
        await made.page.evaluate("location.hash = '#activity'")
        await expect(made.tab("Activity")).to_have_attribute("aria-selected", "true")
        await made.page.evaluate("location.hash = '#<script>'")
        await expect(made.tab("Playground")).to_have_attribute("aria-selected", "true")


@pytest.mark.req("console:names")
async def test_every_control_has_a_name_and_every_reference_its_target(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await used(served)
        await made.open()
        for name in TABS:
            await made.go(name)
            await settled(made, name)
            if name == "Playground":
                await made.run("Search the web", Query="other", Country="NO")
            assert await made.page.evaluate(UNNAMED) == []
            assert await made.page.evaluate(DOUBLE) == []
            assert await made.page.evaluate(BROKEN) == []
            snapshot = await made.page.locator("body").aria_snapshot()
            assert re.search(r"- (button|textbox|combobox|radio|link|img|tab)( \[|:?$)", snapshot, re.MULTILINE) is None
            assert f'heading "{name}" [level=2]' in snapshot
        await made.go("Usage")
        charts = made.page.get_by_role("img")
        assert await charts.count() >= len(("Calls", "Latency", "Cache hits"))
        await expect(made.page.get_by_text("Show as a table: Calls")).to_be_visible()


@pytest.mark.req("console:narrow")
@pytest.mark.parametrize("width", [400, 320])
@pytest.mark.parametrize("name", TABS)
async def test_nothing_is_wider_than_a_small_screen(shell: Shell, browser: "Browser", name: str, width: int) -> None:
    async with (
        serving(shell, CONFIG) as served,
        console(browser, served, viewport={"width": width, "height": 800}) as made,
    ):
        await used(served)
        await made.open(name.lower())
        await settled(made, name)
        if name == "Playground":
            await made.run("Search the web", Query="other", Country="NO")
        if name == "Activity":
            await made.page.get_by_role("region", name="Calls").get_by_role("button").first.click()
            await expect(made.page.get_by_role("dialog")).to_be_visible()
        assert await made.page.evaluate(FITS)


@pytest.mark.req("console:contrast")
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_text_stands_out_from_what_is_behind_it(shell: Shell, browser: "Browser", scheme: str) -> None:
    async with serving(shell, CONFIG) as served, console(browser, served, color_scheme=scheme) as made:
        await made.open()
        found = await made.page.evaluate(COLOURS, [*TEXTS, *BACKS, *DRAWN, "on-accent", "quoted"])
        pairs = [*product(TEXTS, BACKS), ("on-accent", "accent"), ("text", "quoted"), ("warn", "quoted")]
        low = {pair: contrast(found[pair[0]], found[pair[1]]) for pair in pairs}
        assert {pair: ratio for pair, ratio in low.items() if ratio < NEEDED} == {}
        drawn = {pair: contrast(found[pair[0]], found[pair[1]]) for pair in product(DRAWN, ("card",))}
        assert {pair: ratio for pair, ratio in drawn.items() if ratio < DRAWN_NEEDED} == {}
        body = await made.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert body == found["back"]
        assert (contrast(body, "rgb(0, 0, 0)") > contrast(body, "rgb(255, 255, 255)")) is (scheme == "light")


@pytest.mark.req("console:contrast")
async def test_the_chosen_tab_and_a_pressed_button_stand_out_in_forced_colours(
    shell: Shell, browser: "Browser"
) -> None:
    async with serving(shell, CONFIG) as served, console(browser, served, forced_colors="active") as made:
        await made.open("activity")
        below = "(node) => getComputedStyle(node).borderBlockEndColor"
        lines = {name: await made.tab(name).evaluate(below) for name in TABS}
        back = await made.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert [name for name, colour in lines.items() if colour != back] == ["Activity"]
        pause = made.page.locator("button[aria-pressed]")
        before = await pause.evaluate("(node) => getComputedStyle(node).borderTopWidth")
        await pause.click()
        assert await pause.evaluate("(node) => getComputedStyle(node).borderTopWidth") != before


@pytest.mark.req("console:motion")
async def test_nothing_moves_for_people_who_asked_for_that(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served, reduced_motion="reduce") as made:
        await made.open()
        await expect(made.page.get_by_role("button", name="Run", exact=True)).to_be_visible()
        moving = await made.page.evaluate(MOVING)
        assert moving == 0
        assert await made.page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


@pytest.mark.req("console:names")
async def test_results_and_states_are_said(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.run("Search the web", Query="kelp")
        await expect(made.page.locator("#live")).to_contain_text("Answered in")
        await expect(made.page.locator("#live")).to_have_attribute("aria-live", "polite")


@pytest.mark.req("console:print")
async def test_a_printed_page_holds_all_of_it(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await made.run("Search the web", Query="kelp")
        await made.page.emulate_media(media="print")
        cut = "(all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.className)"
        assert await made.page.locator(".long, .tree").evaluate_all(cut) == []
        await expect(made.page.get_by_role("button", name="Run", exact=True)).to_be_hidden()
