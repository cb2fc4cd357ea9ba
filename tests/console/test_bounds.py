"""Answers that no vendor gives: endless, deep, with names of the language itself."""

from typing import TYPE_CHECKING

import pytest

from support.cli import Shell
from support.console import CONFIG, console
from support.gateway import serving

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser

UNSEEN = "\u034f\u115f\u3164\uffa0\u180f\u2028\u2029\u2800\ufe01\U000e0100\U000e0041\U0001d173\x7f\x85"
SEEN = "a\tb\n👩\u200d🚀 ❤\ufe0f م\u200cن e\u0301 日本"

HOSTILE = """async (built) => {
  const { resultView } = await import('/console/result.js');
  const made = JSON.parse(built);
  const nodes = resultView(made, { took: 5, requestId: 'r' });
  const root = document.getElementById('panel-playground');
  root.replaceChildren(...nodes);
  return [root.innerText, root.querySelectorAll('*').length];
}"""
NAMES = """{"text": "t", "is_error": false, "structured": {"provider": "constructor", "charset": "x",
  "charset_source": "constructor", "cut_by": ["toString", "__proto__"], "mostly_hidden": "valueOf", "hidden": 1,
  "controls": {"__proto__": "constructor", "hasOwnProperty": "toString"}, "removed": {"__proto__": 2},
  "attempts": [{"provider": "__proto__", "outcome": "constructor", "dispatched": true, "elapsed": 1}]}}"""


@pytest.mark.req("console:hostile")
async def test_names_of_the_language_are_names_like_any_other(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await expect(made.page.get_by_role("button", name="Run", exact=True)).to_be_visible()
        text, _ = await made.page.evaluate(HOSTILE, NAMES)
        assert "x, by constructor" in text
        assert "toString, __proto__" in text
        assert "function" not in text
        assert "[object" not in text
        assert "[native code]" not in text


@pytest.mark.req("console:large:data")
async def test_deep_and_endless_data_costs_only_what_is_opened(shell: Shell, browser: "Browser") -> None:
    deep = '{"a":' * 10_000 + "1" + "}" * 10_000
    wide = "[" + ",".join(["1"] * 100_000) + "]"
    answer = f'{{"text": "t", "is_error": false, "structured": {{"{"k" * 5_000}": {deep}, "wide": {wide}}}}}'
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        await expect(made.page.get_by_role("button", name="Run", exact=True)).to_be_visible()
        text, nodes = await made.page.evaluate(HOSTILE, answer)
        assert "100,000 items" in text
        assert "4,600 more characters" in text
        assert nodes < 200
        data = made.page.get_by_role("group", name="Structured result")
        await data.get_by_text("100,000 items").click()
        await data.get_by_role("button", name="Show more: 99,800 are left out here").click()
        await expect(data.locator("li li")).to_have_count(402)  # 400 numbers, the field of the other, and the button
        assert await made.page.evaluate("document.activeElement.textContent") == "200: 1"


@pytest.mark.req("console:hostile:unseen", "console:hostile:marks")
async def test_all_that_cannot_be_seen_is_a_number_and_no_pile_of_marks_leaves_its_line(
    shell: Shell, browser: "Browser"
) -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        found = await made.page.evaluate(
            "async (all) => { const { visible } = await import('/console/dom.js'); return all.map(visible); }",
            [UNSEEN, SEEN, "a" + "\u0300" * 500 + "b"],
        )
        assert found[0] == "".join(f"⟨U+{ord(one):04X}⟩" for one in UNSEEN)
        assert found[1] == SEEN
        assert found[2] == "a" + "\u0300" * 8 + "⟨492 more marks⟩b"


@pytest.mark.req("console:large")
async def test_a_cut_parts_no_character_and_adds_no_line_and_counts_as_people_do(
    shell: Shell, browser: "Browser"
) -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        short, blocks, shown, left = await made.page.evaluate(
            """async () => {
              const { longText, shortened } = await import('/console/text.js');
              const node = longText([{ kind: 'quoted', text: 'a' + '🌊'.repeat(100000) }], { label: 'Waves' });
              const box = node.firstChild;
              const short = shortened('a' + '🌊'.repeat(9), 4);
              return [short, box.childElementCount, box.textContent, node.lastChild.textContent];
            }"""
        )
        assert short == "a🌊🌊… (7 more characters)"
        assert blocks == 1
        assert "⟨" not in shown
        assert left == f"Show all: {100_001 - len(shown):,} of 100,001 characters are left out here"


@pytest.mark.req("console:playground:errors")
async def test_no_wait_is_no_number(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open()
        text = await made.page.evaluate(
            """async () => (await import('/console/result.js')).problem(
              { code: 'WEB_X', message: 'No.', retry_after: 0 }).textContent"""
        )
        assert text == "WEB_XNo."
