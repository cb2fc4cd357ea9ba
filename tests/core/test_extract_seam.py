"""What the seam holds every extractor to, also one that keeps no rules of its own; and who is said to be billed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import webseam
from support.core import extract, page
from support.tools import URL, ScriptedFetch
from webseam import Toolset, ToolSettings, Web, testing
from webseam.core.errors import Code, WebError
from webseam.core.settings import FetchSettings
from webseam.core.types import Attempt
from webseam.testing import STALLED, ScriptedExtract
from webseam.wiring.room_settings import host_rules

ON = ToolSettings(extract=True)
RULES = host_rules(FetchSettings())
PRIVATE = ["http://10.0.0.8/plan", "http://wiki.corp/", "http://[fd00::8]/", "https://a.test:25/", "http://2130706433/"]


def judged(*outcomes: Any, **settings: Any) -> tuple[Web, ScriptedExtract]:
    """A seam with the rules of a fetch, over a plugin that keeps none."""
    web, plugin = Web(judge=host_rules(FetchSettings(**settings))), ScriptedExtract("plugin", outcomes)
    web.register_extract(plugin)
    return web, plugin


@pytest.mark.req("extract:judge")
@pytest.mark.parametrize("url", PRIVATE)
async def test_a_plugin_is_told_of_no_page_that_a_fetch_refuses(url: str) -> None:
    web, plugin = judged(extract(url))
    with pytest.raises(WebError, match="plugin is not told of it") as caught:
        await web.extract(url)
    assert (caught.value.code, caught.value.dispatched, plugin.script.requests) == (Code.BLOCKED_URL, False, [])


@pytest.mark.req("extract:judge")
@pytest.mark.parametrize("url", PRIVATE)
async def test_a_plugin_brings_back_no_page_that_a_fetch_refuses(url: str) -> None:
    web, _ = judged(extract(url, "# Secrets"))
    with pytest.raises(WebError, match="not to be reached") as caught:
        await web.extract(URL)
    assert (caught.value.code, caught.value.dispatched, caught.value.provider) == (Code.BLOCKED_URL, True, "plugin")
    assert url not in caught.value.message


@pytest.mark.req("extract:judge")
async def test_what_the_operator_opened_is_open_to_plugins_too() -> None:
    web, _ = judged(extract("http://10.0.0.8/plan"), private_networks=("10.0.0.0/8",))
    assert (await web.extract("http://10.0.0.8/plan")).url == "http://10.0.0.8/plan"


@pytest.mark.req("extract:judge")
async def test_a_plugin_that_fetches_is_held_to_the_same() -> None:
    web = Web(judge=RULES)
    fetch = ScriptedFetch(pages={URL: [page(PRIVATE[0])]})
    web.register_fetch(fetch)
    for url in (PRIVATE[0], URL):
        with pytest.raises(WebError) as caught:
            await web.fetch(url)
        assert caught.value.code == Code.BLOCKED_URL
    assert fetch.asked == [URL]


@pytest.mark.req("extract:judge")
async def test_what_is_configured_gives_the_seam_its_rules(tmp_path: Path) -> None:
    for networks, code in (([], Code.BLOCKED_URL), (["10.0.0.0/8"], None)):
        config = {"fetch": {"private_networks": networks}, "extract": {"provider": "plugin"}}
        async with webseam.open(config=config, environ={}, cwd=tmp_path) as web:
            web.register_extract(ScriptedExtract("plugin", [extract("http://10.0.0.8/")]))
            try:
                told: str | None = (await web.extract("http://10.0.0.8/")).url and None
            except WebError as error:
                told = error.code
        assert told == code


@pytest.mark.req("extract:blank")
@pytest.mark.parametrize("text", ["\u200b\u200d", "\x00 \x07", "\u2800\u3164"])
async def test_the_seam_takes_no_text_that_nobody_would_see(text: str) -> None:
    web, _ = judged(extract(URL, text))
    with pytest.raises(WebError, match="found no text"):
        await web.extract(URL)


@pytest.mark.req("extract:blank")
@pytest.mark.parametrize("text", ["\x1b[2J", "<script src=https://x.test/a.js>", "\x1b[31m\x1b[0m"])
async def test_a_text_of_which_cleaning_leaves_nothing_is_an_error_of_the_tool(text: str) -> None:
    web, _ = judged(extract(URL, text))
    result = await Toolset(web, settings=ON).call("web_extract", {"url": URL})
    assert result.is_error
    assert "found no text" in result.text
    assert result.error is not None
    assert (result.error["dispatched"], result.error["attempts"][0]["outcome"]) == (True, "ok")


# Who is billed -----------------------------------------------------------------------------------------


@pytest.mark.req("extract:free")
@pytest.mark.parametrize("bills", [True, False])
async def test_a_failed_try_is_free_where_its_provider_bills_nobody(bills: bool) -> None:  # noqa: FBT001 - a row
    provider: Any = ScriptedExtract("first", [WebError(Code.RATE_LIMITED, "Slow down.", dispatched=True)])
    provider.bills = bills
    web = Web(extract=["first", "second"])
    web.register_extract(provider)
    second = ScriptedExtract("second", [WebError(Code.PROVIDER_ERROR, "No.")])
    web.register_extract(second)
    text = (await Toolset(web, settings=ON).call("web_extract", {"url": URL})).text
    assert ("may have been billed" in text) is bills
    with pytest.raises(WebError) as caught:
        await web.extract(URL)
    assert [one.free for one in caught.value.attempts] == [None if bills else True, None]
    assert caught.value.dispatched
    second.script.outcomes = (extract(URL),)
    text = (await Toolset(web, settings=ON).call("web_extract", {"url": URL})).text
    assert ("first failed (WEB_RATE_LIMITED, may have been billed)" in text) is bills
    assert "first failed" in text


@pytest.mark.req("extract:free")
async def test_who_bills_nobody_but_asks_one_that_does_is_not_free() -> None:
    async def nested(request: Any, call: Any) -> Any:
        await web.page_for(request.url, call=call)
        raise WebError(Code.PROVIDER_ERROR, "It has no text.", dispatched=True)

    provider: Any = ScriptedExtract("here", [nested])
    provider.bills = False
    for paid in (True, False):
        fetch: Any = testing.ScriptedFetch("pages", [page(URL)])
        fetch.bills = paid
        web = Web()
        web.register_extract(provider)
        web.register_fetch(fetch)
        with pytest.raises(WebError) as caught:
            await web.extract(URL)
        assert caught.value.attempts[0].may_be_billed is paid


@pytest.mark.req("extract:free")
async def test_the_hosts_time_over_a_free_try_bills_nobody() -> None:
    provider: Any = ScriptedExtract("here", [STALLED])
    provider.bills = False
    web = Web()
    web.register_extract(provider)
    result = await Toolset(web, settings=ON).call("web_extract", {"url": URL}, timeout=0.05)
    assert "TOOL_TIMEOUT" in result.text
    assert "The request had been sent." in result.text


@pytest.mark.req("extract:free")
def test_a_free_try_is_told_in_plain_data_and_absent_otherwise() -> None:
    one = Attempt(provider="x", outcome="failed", dispatched=True)
    assert "free" not in one.to_dict()
    assert replace(one, free=True).to_dict()["free"] is True
    assert (one.may_be_billed, replace(one, free=True).may_be_billed) == (True, False)


@pytest.mark.req("tools:extract:huge")
async def test_the_largest_text_is_kept_to_be_read_on() -> None:
    text = "\U0001f33f" + "Kelp grows. " * 833_000  # four bytes a character, and 10,000,000 of them
    web, plugin = judged(extract(URL, text))
    tools = Toolset(web, settings=ON)
    for offset in (0, 100, 9_000_000):
        assert not (await tools.call("web_extract", {"url": URL, "offset": offset})).is_error
    assert len(plugin.script.requests) == 1
