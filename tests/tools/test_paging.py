"""Reading on with `offset`: one snapshot, every character once (design 8, R067 to R069, R168)."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.tools import URL, ListedGate, ScriptedFetch, html, inside, outside, plain, reading
from webseam.core.call import Call
from webseam.core.settings import ToolSettings
from webseam.core.snapshots import MemorySnapshots
from webseam.core.types import FetchResult, Redirect
from webseam.core.web import Web
from webseam.tools.result import ToolResult
from webseam.tools.run import Run
from webseam.tools.toolset import Toolset

SMALL = ToolSettings(fetch_chars=600)
LONG = "\n\n".join(f"Paragraph {number} says something." for number in range(200))


async def get(tools: Toolset, url: str = URL, **args: Any) -> dict[str, Any]:
    result = await tools.call("web_fetch", {"url": url, **args})
    assert result.structured is not None, result.text
    return {"text": result.text, **result.structured}


async def walk(tools: Toolset, limit: int = 10_000) -> list[dict[str, Any]]:
    """All views of a page, each from where the last one said to continue."""
    views = [await get(tools)]
    while views[-1]["view"]["next_offset"] is not None:
        assert len(views) < limit
        views.append(await get(tools, offset=views[-1]["view"]["next_offset"]))
    return views


@pytest.mark.req("tools:paging:every-character-once")
async def test_the_views_of_a_page_join_to_exactly_its_text() -> None:
    tools, scripted = reading(plain(LONG), tools=SMALL)
    views = await walk(tools)
    assert "".join(one["content"] for one in views) == LONG
    assert len(views) > 5
    assert scripted.asked == [URL]
    assert {one["view"]["total"] for one in views} == {len(LONG)}


@pytest.mark.req("tools:paging:every-character-once")
@settings(max_examples=40, deadline=None)
@given(
    text=st.text(st.sampled_from("ab \n\t#`|\u00e9\u0301\u4e2d\U0001f600\u200d\r\u2028"), max_size=3_000),
    cap=st.integers(400, 1_200),
)
async def test_any_text_and_any_cap_read_on_without_gap_or_overlap(text: str, cap: int) -> None:
    tools, _ = reading(plain(text), tools=ToolSettings(fetch_chars=cap))
    views = await walk(tools)
    assert [one["view"]["offset"] for one in views[1:]] == [one["view"]["end"] for one in views[:-1]]
    assert views[0]["view"]["offset"] == 0
    assert views[-1]["view"]["end"] == views[0]["view"]["total"]
    assert all(len(one["text"]) <= cap for one in views)
    whole = await get(Toolset(reading(plain(text))[0]._web))
    assert "".join(one["content"] for one in views) == whole["content"]


@pytest.mark.req("tools:paging:hint")
async def test_a_cut_page_says_where_it_stands_and_how_to_continue() -> None:
    tools, _ = reading(plain("x" * 2_000), tools=SMALL)
    first = await get(tools)
    end = first["view"]["end"]
    assert f"(Characters 0-{end:,} of 2,000. Continue with offset={end}.)" in outside(first["text"])
    assert first["view"] == {"offset": 0, "end": end, "total": 2_000, "next_offset": end}


@pytest.mark.req("tools:paging:hint")
async def test_nothing_is_offered_when_nothing_is_left() -> None:
    tools, _ = reading(plain("x" * 2_000), tools=SMALL)
    last = (await walk(tools))[-1]
    assert "Continue" not in last["text"]
    assert ": the end of the page.)" in outside(last["text"])
    whole, _ = reading(plain("x"))
    assert "Characters" not in (await get(whole))["text"]


@pytest.mark.req("tools:paging:past-the-end")
@pytest.mark.parametrize("offset", [5, 6, 10**15])
async def test_at_or_past_the_end_is_the_end_of_content_and_no_error(offset: int) -> None:
    tools, _ = reading(plain("12345"))
    page = await get(tools, offset=offset)
    assert "(End of content: the page has 5 characters.)" in outside(page["text"])
    assert page["content"] == ""
    assert page["view"] == {"offset": 5, "end": 5, "total": 5, "next_offset": None}
    assert page["truncated"] is False


@pytest.mark.req("tools:paging:thin")
async def test_without_offset_a_cut_asks_for_a_more_specific_url() -> None:
    tools, _ = reading(plain("x" * 2_000), tools=ToolSettings(fetch_chars=600, fetch_arguments=("url",)))
    result = await tools.call("web_fetch", {"url": URL})
    assert "Ask for a more specific URL." in outside(result.text)
    assert "offset" not in result.text
    refused = await tools.call("web_fetch", {"url": URL, "offset": 3})
    assert refused.error is not None
    assert refused.error["code"] == "INVALID_ARGS"


@pytest.mark.req("tools:paging:snapshot")
async def test_reading_on_stays_in_the_text_that_was_begun() -> None:
    tools, scripted = reading(plain("a" * 2_000), plain("b" * 2_000), tools=SMALL)
    first = await get(tools)
    second = await get(tools, offset=first["view"]["next_offset"])
    assert set(second["content"]) == {"a"}
    assert scripted.asked == [URL]
    assert second["fetched_again"] is False


@pytest.mark.req("tools:paging:snapshot")
async def test_a_fragment_and_the_final_url_read_the_same_snapshot() -> None:
    hop = (Redirect(status_code=301, url="https://a.test/new"),)
    tools, scripted = reading(plain("x" * 2_000, url="https://a.test/new", redirects=hop), tools=SMALL)
    await get(tools)
    assert (await get(tools, f"{URL}#part", offset=1_990))["content"] == "x" * 10
    assert (await get(tools, "https://a.test/new", offset=1_990))["content"] == "x" * 10
    assert scripted.asked == [URL]


@pytest.mark.req("tools:paging:fresh-start")
async def test_asking_from_the_top_fetches_anew_and_says_when_the_page_changed() -> None:
    tools, scripted = reading(plain("old"), plain("old"), plain("new"))
    assert (await get(tools))["changed"] is False
    assert (await get(tools, offset=0))["changed"] is False
    third = await get(tools)
    assert third["changed"] is True
    assert "The page has changed since it was last fetched." in outside(third["text"])
    assert len(scripted.asked) == 3


def forgetful(*pages: FetchResult) -> tuple[Toolset, ScriptedFetch]:
    """A toolset that keeps no page."""
    scripted = ScriptedFetch(pages={URL: list(pages)})
    web = Web(snapshots=MemorySnapshots(max_bytes=0), tools=SMALL)
    web.register_fetch(scripted)
    return Toolset(web), scripted


@pytest.mark.req("tools:paging:refetched")
async def test_a_page_that_had_to_be_fetched_again_says_so() -> None:
    tools, scripted = forgetful(plain("a" * 2_000))
    first = await get(tools)
    second = await get(tools, offset=first["view"]["next_offset"])
    assert "The page was fetched again." in outside(second["text"])
    assert (second["fetched_again"], second["changed"]) == (True, False)
    assert second["digest"] == first["digest"]
    assert len(scripted.asked) == 2


@pytest.mark.req("tools:paging:refetched")
async def test_a_page_that_changed_in_between_says_so() -> None:
    tools, _ = forgetful(plain("a" * 2_000), plain("b" * 2_000))
    first = await get(tools)
    second = await get(tools, offset=first["view"]["next_offset"])
    assert "The page was fetched again and has changed since." in outside(second["text"])
    assert (second["fetched_again"], second["changed"]) == (True, True)
    assert second["digest"] != first["digest"]


@pytest.mark.req("tools:paging:refetched")
async def test_an_offset_into_a_page_never_read_here_claims_nothing_about_before() -> None:
    tools, _ = reading(plain("a" * 2_000), tools=SMALL)
    first = await get(tools, offset=700)
    assert "No earlier answer for this page is kept: it was fetched now" in outside(first["text"])
    assert "again" not in outside(first["text"])
    assert first["fetched_again"] is True
    assert "changed" not in first


@pytest.mark.req("tools:paging:replaced")
@pytest.mark.parametrize(
    ("mine", "other"),
    [
        ({"call": Call(tags={"run": "1", "traceparent": "a"})}, {"call": Call(tags={"run": "2", "traceparent": "a"})}),
        ({"run": Run()}, {"run": Run()}),
        ({"run": Run(), "call": Call(tags={"tenant": "t"})}, {"run": Run(), "call": Call(tags={"tenant": "t"})}),
    ],
    ids=["tags", "runs", "both"],
)
async def test_a_run_is_told_when_another_one_has_replaced_the_text_its_offset_is_for(
    mine: dict[str, Any], other: dict[str, Any]
) -> None:
    tools, scripted = reading(plain("a" * 2_000), plain("b" * 2_000), tools=SMALL)
    first = await tools.call("web_fetch", {"url": URL}, **mine)
    await tools.call("web_fetch", {"url": URL}, **other)
    assert first.structured is not None
    onward = {"url": URL, "offset": first.structured["view"]["next_offset"]}
    if "run" not in mine:  # the next span of the same run
        mine = {"call": Call(tags={**mine["call"].tags, "traceparent": "b", "tracestate": "c", "baggage": "d"})}
    second = await tools.call("web_fetch", onward, **mine)
    assert second.structured is not None
    assert "The page was fetched again and has changed since." in outside(second.text)
    assert (second.structured["fetched_again"], second.structured["changed"]) == (True, True)
    third = await tools.call("web_fetch", onward, **mine)
    theirs = await tools.call("web_fetch", onward, **other)
    assert third.structured is not None
    assert theirs.structured is not None
    assert third.structured["changed"] is theirs.structured["changed"] is False
    assert len(scripted.asked) == 2


@pytest.mark.req("tools:paging:replaced")
async def test_a_shared_store_of_pages_tells_a_second_toolset_too() -> None:
    tools, _ = reading(plain("a" * 2_000), plain("b" * 2_000), tools=SMALL, snapshots=MemorySnapshots())
    beside = Toolset(tools._web, settings=SMALL)
    first = await get(tools)
    await get(beside)
    assert (await get(tools, offset=first["view"]["next_offset"]))["changed"] is True


@pytest.mark.req("tools:paging:one-hygiene")
async def test_offsets_count_in_the_cleaned_text() -> None:
    tools, _ = reading(html("<p>" + "a\u200bb" * 1_000 + "</p>"), tools=SMALL)
    text = "".join(one["content"] for one in await walk(tools))
    assert re.fullmatch(r"(ab){1000}\n?", text)


@pytest.mark.req("tools:permission:before-snapshot")
async def test_a_denied_url_is_denied_though_its_snapshot_is_there() -> None:
    gate = ListedGate()
    tools, scripted = reading(plain("secret " * 300), tools=SMALL, gate=gate)
    first = await get(tools)
    assert gate.asked == [("fetch", URL)]
    gate.denied.add(URL)
    result: ToolResult = await tools.call("web_fetch", {"url": URL, "offset": first["view"]["next_offset"]})
    assert result.error is not None
    assert result.error["code"] == "WEB_DENIED"
    assert "block list" in result.text
    assert "secret" not in result.text
    assert scripted.asked == [URL]


@pytest.mark.req("tools:permission:before-snapshot")
async def test_a_denied_final_url_is_denied_though_its_snapshot_is_there() -> None:
    gate = ListedGate()
    final = "https://b.test/end"
    tools, _ = reading(plain("x" * 2_000, url=final), tools=SMALL, gate=gate)
    await get(tools)
    gate.denied.add(final)
    result = await tools.call("web_fetch", {"url": URL, "offset": 10})
    assert result.error is not None
    assert result.error["code"] == "WEB_DENIED"


@pytest.mark.req("tools:permission:before-snapshot")
@pytest.mark.parametrize(
    ("url", "code"), [("ftp://a.test/", "WEB_INVALID_URL"), ("https://u:p@a.test/page", "WEB_BLOCKED_URL")]
)
async def test_the_url_rules_hold_for_reading_on(url: str, code: str) -> None:
    tools, scripted = reading(plain("x" * 2_000), tools=SMALL)
    await get(tools)
    result = await tools.call("web_fetch", {"url": url, "offset": 10})
    assert result.error is not None
    assert result.error["code"] == code
    assert "u:p" not in result.text
    assert scripted.asked == [URL]


@pytest.mark.req("tools:fetch:layout")
async def test_a_later_view_has_the_same_header() -> None:
    tools, _ = reading(plain("x" * 2_000), tools=SMALL)
    await get(tools)
    assert inside((await get(tools, offset=1_999))["text"]).startswith(f"Fetched {URL} (HTTP 200)\n")
