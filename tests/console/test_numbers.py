"""Numbers, times and costs: some is never told as none, and what is not known is not told as 0."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from support.cli import Shell
from support.console import CONFIG, console
from support.gateway import serving

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser

DASH = "\N{EN DASH}"
TOLD: list[tuple[str, list[Any], str]] = [
    ("share", [0, 0], DASH),
    ("share", [0, 9], "0 %"),
    ("share", [9, 9], "100 %"),
    ("share", [1, 3], "33.3 %"),
    ("share", [1, 100_000], "< 0.1 %"),
    ("share", [99_999, 100_000], "> 99.9 %"),
    ("duration", [0], "0 ms"),
    ("duration", [0.004], "< 0.1 ms"),
    ("duration", [0.26], "0.3 ms"),
    ("duration", [1_500], "1.50 s"),
    ("duration", [None], ""),
    ("amount", [0, "USD"], "0.00 USD"),
    ("amount", [400_000, "USD"], "0.0004 USD"),
    ("amount", [400, "USD"], "0.0000004 USD"),
    ("amount", [1, "USD"], "0.000000001 USD"),
    ("amount", [14_900_000, "USD"], "0.0149 USD"),
    ("amount", [500_000_000, "USD"], "0.50 USD"),
    ("amount", [1_234_567_890_000, "USD"], "1,234.57 USD"),
    ("money", [{"USD": 4_000_000, "EUR": 2_500_000_000}], "0.004 USD + 2.50 EUR"),
    ("money", [None], ""),
    ("costOf", [{"costs": {}, "cost_known": False}], "not reported"),
    ("tokens", [{"output_tokens": 7}], "7 out"),
    ("tokens", [{"input_tokens": 0, "output_tokens": 1_200}], "0 in, 1,200 out"),
    ("tokens", [{}], ""),
]


@pytest.mark.req("console:numbers")
async def test_some_is_never_told_as_none_nor_almost_all_as_all(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        found = await made.page.evaluate(
            """async (asked) => {
              const format = await import('/console/format.js');
              return asked.map(([name, given]) => format[name](...given));
            }""",
            [one[:2] for one in TOLD],
        )
        assert found == [one[2] for one in TOLD]


@pytest.mark.req("console:numbers:day")
async def test_a_time_of_another_day_has_its_day(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        noon, now = 1_790_000_000, "2026-09-21T15:00:00Z"
        found = await made.page.evaluate(
            """async ([noon, now]) => {
              const { timeOfDay } = await import('/console/format.js');
              return [timeOfDay(noon, new Date(now)), timeOfDay(noon - 86400, new Date(now))];
            }""",
            [noon, now],
        )
        assert found == ["14:13:20", "20 Sept, 14:13"]


def bucket(at: int, **told: Any) -> dict[str, Any]:
    """A step of the usage, an hour long."""
    return {"at": at * 3_600, "calls": 0, "failed": 0, "cached": 0, "costs": {}} | told


BUCKETS = [
    bucket(0),
    bucket(1),
    bucket(2, calls=12_345, failed=1, cached=12_344, costs={"USD": 123_456_000_000, "EUR": 400_000}, p50_ms=1.5),
    bucket(3),
]
USAGE = {
    "since": 0,
    "until": 4 * 3_600,
    "source": "memory",
    "complete": False,
    "counted_from": 2.5 * 3_600,
    "lost": 0,
    "buckets": BUCKETS,
    "tools": [],
    "providers": [],
    "codes": [],
    "whole": {"calls": 12_345, "failed": 1, "denied": 0, "cached": 12_344, "dispatched": 1, "costs": {}},
}
CELLS = {
    "Calls": [[DASH] * 3, [DASH] * 3, ["0", "12,344", "1"], ["0", "0", "0"]],
    "Cache hits": [[DASH], [DASH], ["> 99.9 %"], [DASH]],
    "Cost in USD": [[DASH], [DASH], ["123.46"], ["0.00"]],
    "Cost in EUR": [[DASH], [DASH], ["0.0004"], ["0.00"]],
}


@pytest.mark.req("console:usage:gaps", "console:usage")
async def test_a_time_of_which_no_call_is_kept_is_a_gap_and_the_tables_are_exact(
    shell: Shell, browser: "Browser"
) -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.page.route("**/v1/usage", lambda route: route.fulfill(json=USAGE))
        await made.open("usage")
        for title, rows in CELLS.items():
            await made.page.get_by_text(f"Show as a table: {title}").click()
            lines = made.page.get_by_role("group", name=title, exact=True).get_by_role("row")
            found = [await lines.nth(at + 1).locator("td").all_inner_texts() for at in range(len(rows))]
            assert found == rows, title
        await expect(made.page.get_by_role("tabpanel")).to_contain_text("> 99.9 %")
        calls = made.page.get_by_role("figure").filter(has_text="Show as a table: Calls")
        await expect(calls).to_contain_text("Shaded: a time of which no call is kept.")
        await expect(calls.locator(".not-kept")).to_have_count(2)


@pytest.mark.req("console:usage:gaps")
async def test_one_step_is_drawn_and_no_call_kept_is_not_no_call_made(shell: Shell, browser: "Browser") -> None:
    one = USAGE | {"buckets": BUCKETS[2:3], "since": 2 * 3_600, "until": 3 * 3_600, "complete": True}
    none = USAGE | {"whole": {"calls": 0, "failed": 0, "costs": {}}}
    answers = [one, none]
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.page.route("**/v1/usage", lambda route: route.fulfill(body=json.dumps(answers.pop(0))))
        await made.open("usage")
        await expect(made.page.get_by_role("img", name="Latency, 1 steps")).to_be_visible()
        await expect(made.page.locator("circle").first).to_be_visible()
        await made.page.get_by_role("button", name="Load anew").click()
        await expect(made.page.get_by_role("tabpanel")).to_contain_text("No call of this time is kept.")


# Whole numbers beyond 2^53 ---------------------------------------------------------------------------

LONG = '{"a":9007199254740993,"b":[-123456789012345678901234567890,1e21,0.5],"c":{"d":9007199254740992,"e":17}}'
SHOWN = ["9007199254740993", "-123456789012345678901234567890", "1e+21", "0.5", "9007199254740992", "17"]
TREE = """async (text) => {
  const { parsed, textOf } = await import('/console/json.js');
  const { tree } = await import('/console/tree.js');
  const value = parsed(text);
  const shown = tree(value, 'numbers');
  document.body.append(shown);
  shown.querySelectorAll('details').forEach((one) => { one.open = true; });
  await new Promise((resolve) => setTimeout(resolve));
  const told = [...shown.querySelectorAll('.number')].map((one) => one.textContent);
  shown.remove();
  return [told, textOf(value).replace(/\\s/g, ''), value.a + 1];
}"""


@pytest.mark.req("console:numbers:long")
async def test_a_whole_number_beyond_2_to_the_53_is_shown_and_copied_as_it_was_written(
    shell: Shell, browser: "Browser"
) -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        shown, copied, sum_ = await made.page.evaluate(TREE, LONG)
        assert shown == SHOWN
        assert copied == LONG.replace("1e21", "1e+21")
        assert sum_ == float(2**53), "elsewhere it is a number as any other"


@pytest.mark.req("console:numbers:long")
async def test_a_browser_that_does_not_tell_what_was_written_says_about(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.page.add_init_script(
            "const own = JSON.parse; JSON.parse = (text, revive) => own(text, revive && "
            "function (name, value) { return revive.call(this, name, value); });"
        )
        await made.open()
        shown, _, _ = await made.page.evaluate(TREE, LONG)
        assert shown[0] == "about 9007199254740992"
        assert shown[3:] == ["0.5", "about 9007199254740992", "17"]


@pytest.mark.req("console:numbers:long")
async def test_the_answer_of_a_tool_keeps_its_long_numbers(shell: Shell, browser: "Browser") -> None:
    told = {"text": "told", "is_error": False, "structured": {"sources": [], "turn": 2**60 + 1}, "meta": {}}
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.page.route("**/v1/tools/web_search", lambda route: route.fulfill(json=told))
        await made.open()
        await made.run("Search the web", Query="kelp")
        await expect(made.page.get_by_role("group", name="Structured result")).to_contain_text(
            "turn: 1152921504606846977"
        )
