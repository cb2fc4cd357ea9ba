"""The token: asked for, kept where the person says, never shown, and gone when it is taken back."""

from typing import TYPE_CHECKING

import pytest

from support.cli import Shell
from support.console import CONFIG, SECRET, Console, console
from support.gateway import Served, serving

pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
from playwright.async_api import expect

if TYPE_CHECKING:
    from playwright.async_api import Browser


async def sign_in(made: Console, token: str, *, keep: bool = False) -> None:
    """Give a token."""
    await made.page.get_by_label("Token").fill(token)
    if keep:
        await made.page.get_by_role("checkbox").check()
    await made.page.get_by_role("button", name="Sign in").click()


def revoke(served: Served, token: str) -> None:
    """Take a token back."""
    served.book.revoke(token.split("_")[1])


@pytest.mark.req("console:token")
async def test_a_gateway_with_tokens_asks_for_one_and_shows_nothing_before(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        token = served.token("coast")
        await made.open("usage")
        await expect(made.page.get_by_role("heading", name="Sign in")).to_be_visible()
        await expect(made.page.get_by_label("Token")).to_be_focused()
        await expect(made.page.get_by_role("tab")).to_have_count(0)
        await sign_in(made, token)
        await expect(made.page.get_by_role("tab", name="Usage")).to_have_attribute("aria-selected", "true")
        await expect(made.page.get_by_text("Tenant coast")).to_be_visible()
        assert token not in await made.page.content()
        assert not any(token in url for url in made.requests)
        assert token not in made.page.url
        assert (
            await made.page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])")
            == '[{},{},""]'
        )
        await made.page.reload()
        await expect(made.page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.req("console:token:wrong")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (SECRET, "not accepted"),
        ("a b", "no token"),
        ("日本", "no token"),
        ("", "Paste a token"),
        ("x" * 5_000, "no token"),
    ],
)
async def test_a_wrong_token_is_refused_in_words_and_not_kept(
    shell: Shell, browser: "Browser", given: str, said: str
) -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        served.token("coast")
        await made.open()
        await sign_in(made, given, keep=True)
        await expect(made.page.locator("#sign-in-why")).to_contain_text(said)
        await expect(made.page.get_by_label("Token")).to_have_value("")
        assert await made.page.evaluate("sessionStorage.length") == 0


@pytest.mark.req("console:token:keep")
async def test_a_token_is_kept_for_the_tab_only_on_demand_and_until_sign_out(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        token = served.token("coast")
        await made.open()
        await sign_in(made, token, keep=True)
        await expect(made.page.get_by_text("Tenant coast")).to_be_visible()
        await made.page.reload()
        await expect(made.page.get_by_text("Tenant coast")).to_be_visible()
        await made.page.get_by_role("button", name="Sign out").click()
        await expect(made.page.get_by_role("heading", name="Sign in")).to_be_visible()
        assert await made.page.evaluate("sessionStorage.length") == 0
        await made.page.reload()
        await expect(made.page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.req("console:token:revoked")
@pytest.mark.parametrize("tab", ["playground", "activity", "providers"])
async def test_a_token_that_is_taken_back_clears_what_was_shown(shell: Shell, browser: "Browser", tab: str) -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        token = served.token("coast")
        await made.open(tab)
        await sign_in(made, token, keep=True)
        await expect(made.page.get_by_role("tabpanel")).to_be_visible()
        if tab == "playground":
            await made.run("Search the web", Query="kelp")
        revoke(served, token)
        if tab == "playground":
            await made.page.get_by_role("button", name="Run", exact=True).click()
        elif tab == "providers":
            await made.page.get_by_role("button", name="Load anew").click()
        await expect(made.page.get_by_text("The token is no longer accepted").first).to_be_visible()
        await expect(made.page.get_by_role("tabpanel")).to_have_count(0)
        assert "kelp" not in await made.page.content()
        assert await made.page.evaluate("sessionStorage.length") == 0


@pytest.mark.req("console:token:revoked")
async def test_a_gateway_that_gets_its_first_token_asks_for_it(shell: Shell, browser: "Browser") -> None:
    async with serving(shell, CONFIG) as served, console(browser, served) as made:
        await made.open("providers")
        await expect(made.page.get_by_role("tabpanel")).to_contain_text("Selected: ")
        await expect(made.page.get_by_role("button", name="Sign out")).to_have_count(0)
        token = served.token("coast")
        await made.page.get_by_role("button", name="Load anew").click()
        await expect(made.page.locator("#sign-in-why")).to_contain_text("asks for a token now")
        await sign_in(made, token)
        await expect(made.page.get_by_role("tabpanel", name="Providers")).to_contain_text("Selected: ")
