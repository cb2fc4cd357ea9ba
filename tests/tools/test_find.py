"""`find`: the passages of a page that hold what is looked for, from the same snapshot as its windows."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.tools import URL, ListedGate, html, inside, outside, plain, reading, schema_errors
from webseam.core.settings import ToolSettings
from webseam.tools.output import fetch_output
from webseam.tools.toolset import Toolset

GUIDE = "".join(
    f"<h2>Part {part}</h2>" + "".join(f"<p>Paragraph {part}.{number} tells of tides.</p>" for number in range(40))
    for part in range(1, 6)
)
PAGE = f"<h1>Guide</h1>{GUIDE}<h2>Permits</h2><p>A <b>permit</b> costs 40.</p><p>The permit office is open.</p>"


PIECES = ["kelp ", "a\n", "\n\n", "# ", "```\n", "word ", "\u00e9", "| "]


async def get(tools: Toolset, **args: Any) -> dict[str, Any]:
    result = await tools.call("web_fetch", {"url": URL, **args})
    assert result.structured is not None, result.text
    assert schema_errors(dict(result.structured), fetch_output()) == []
    return {"text": result.text, **result.structured}


async def whole(tools: Toolset) -> str:
    """The text of the page, by following its offsets."""
    page = await get(tools)
    text = page["content"]
    while page["view"]["next_offset"] is not None:
        page = await get(tools, offset=page["view"]["next_offset"])
        text += page["content"]
    return str(text)


@pytest.mark.req("tools:find:passages")
async def test_the_passages_that_match_are_shown_with_offset_and_headings() -> None:
    tools, scripted = reading(html(PAGE))
    text = await whole(tools)
    page = await get(tools, find="PERMIT costs")
    at = text.index("A **permit**")
    assert inside(page["text"]).endswith(f"\n\nAt offset {at}, under Guide > Permits:\nA **permit** costs 40.")
    assert page["passages"] == [
        {"offset": at, "text": "A **permit** costs 40.", "headings": ["Guide", "Permits"], "matches": 1}
    ]
    assert page["matches"] == [{"phrase": "PERMIT costs", "total": 1, "shown": 1}]
    assert f"(Showing 1 of 1 match in the page's {len(text):,} characters.)" in outside(page["text"])
    assert (page["truncated"], page["view"]["next_offset"]) == (False, None)
    assert scripted.asked == [URL]


@pytest.mark.req("tools:find:offsets")
async def test_every_passage_stands_at_its_offset_and_following_next_shows_every_match() -> None:
    tools, _ = reading(html(PAGE), tools=ToolSettings(fetch_chars=1_500))
    text = await whole(tools)
    seen, offset, calls = 0, 0, 0
    while offset is not None:
        page = await get(tools, find="tells of tides", offset=offset)
        assert len(page["text"]) <= 1_500
        assert page["passages"]
        for one in page["passages"]:
            assert text[one["offset"] : one["offset"] + len(one["text"])] == one["text"]
            seen += one["matches"]
        assert page["truncated"] is (page["view"]["next_offset"] is not None)
        offset, calls = page["view"]["next_offset"], calls + 1
        if offset is not None:
            assert f"Continue with the same find and offset={offset}." in outside(page["text"])
    assert seen == text.count("tells of tides") == 200
    assert calls > 3


@pytest.mark.req("tools:find:offsets")
@settings(max_examples=60, deadline=None)
@given(
    text=st.lists(st.sampled_from(PIECES), max_size=200).map("".join),
    cap=st.integers(500, 1_500),
    phrases=st.lists(st.sampled_from(["kelp", "word kelp", "a", "nothing"]), min_size=1, max_size=3, unique=True),
)
async def test_any_text_is_searched_to_its_end(text: str, cap: int, phrases: list[str]) -> None:
    tools, _ = reading(plain(text, media_type="text/markdown"), tools=ToolSettings(fetch_chars=cap))
    shown = {phrase: set[int]() for phrase in phrases}
    first = await get(tools, find="\n".join(phrases))
    page, offset = first, 0
    while True:
        for one in page["passages"]:
            assert text[one["offset"] : one["offset"] + len(one["text"])] == one["text"]
            shown[phrases[0]].add(one["offset"])
        following = page["view"]["next_offset"]
        if following is None:
            break
        assert following > offset
        offset = following
        page = await get(tools, find="\n".join(phrases), offset=offset)
    assert bool(shown[phrases[0]]) == any(one["total"] for one in first["matches"])


@pytest.mark.req("tools:find:passages")
async def test_a_very_long_page_is_searched_like_any_other() -> None:
    text = "word " * 80_000 + "\n\nkelp\n\n" + "word " * 80_000
    tools, _ = reading(plain(text))
    page = await get(tools, find="KELP")
    assert [(one["offset"], one["text"]) for one in page["passages"]] == [(text.index("kelp"), "kelp")]


@pytest.mark.req("tools:find:share")
async def test_several_phrases_share_an_answer() -> None:
    tools, _ = reading(html(PAGE), tools=ToolSettings(fetch_chars=1_500))
    page = await get(tools, find="tides\npermit office\nnothing of it")
    counts = [(one["total"], one["shown"]) for one in page["matches"]]
    assert counts[0][0] == 200
    assert 0 < counts[0][1] < 200
    assert counts[1:] == [(1, 1), (0, 0)]
    assert f"(Showing, phrase by phrase, {counts[0][1]} of 200, 1 of 1, 0 of 0 matches" in outside(page["text"])
    offsets = [one["offset"] for one in page["passages"]]
    assert offsets == sorted(offsets)


@pytest.mark.req("tools:find:none")
async def test_no_match_is_said_with_the_outline_and_is_no_error() -> None:
    tools, _ = reading(html(PAGE))
    text = await whole(tools)
    result = await tools.call("web_fetch", {"url": URL, "find": "seaweed soup"})
    assert not result.is_error
    assert f"(No match in the page's {len(text):,} characters. " in outside(result.text)
    assert f"- {text.index('## Permits')}: Permits" in inside(result.text)
    assert result.structured is not None
    assert [one["title"] for one in result.structured["outline"]][-1] == "Permits"
    assert result.structured["passages"] == []
    assert result.structured["matches"] == [{"phrase": "seaweed soup", "total": 0, "shown": 0}]


@pytest.mark.req("tools:find:from")
@pytest.mark.parametrize("offset", [9, 10**9])
async def test_no_match_behind_an_offset_is_told_with_the_way_to_look_everywhere(offset: int) -> None:
    tools, _ = reading(plain("kelp and tides"))
    page = await get(tools, find="kelp", offset=offset)
    assert page["text"].endswith(
        f"(No match in the page's 14 characters from offset {offset} on. Leave out offset to look in all of it.)"
    )
    assert (await get(tools, find="kelp"))["matches"][0]["total"] == 1


@pytest.mark.req("tools:find:arguments")
@pytest.mark.parametrize("wrong", [" \n ", "x" * 2_001, "\n".join(map(str, range(9)))], ids=["blank", "long", "many"])
async def test_impossible_phrases_are_refused_before_anything_leaves(wrong: str) -> None:
    tools, scripted = reading(html(PAGE))
    result = await tools.call("web_fetch", {"url": URL, "find": wrong})
    assert result.error is not None
    assert result.error["code"] == "INVALID_ARGS"
    assert "find" in result.text
    assert scripted.asked == []


@pytest.mark.req("tools:find:snapshot")
async def test_a_page_is_fetched_once_for_all_views_and_anew_where_it_is_not_kept() -> None:
    tools, scripted = reading(plain("old kelp"), plain("new kelp"))
    assert (await get(tools, find="kelp"))["content"] == "old kelp"
    assert (await get(tools, find="old"))["content"] == "old kelp"
    assert scripted.asked == [URL]
    assert (await get(tools))["content"] == "new kelp"
    assert (await get(tools, find="kelp"))["content"] == "new kelp"
    assert len(scripted.asked) == 2


@pytest.mark.req("tools:permission:before-snapshot")
async def test_a_denied_url_is_not_searched_though_its_snapshot_is_there() -> None:
    gate = ListedGate()
    tools, _ = reading(plain("secret kelp"), gate=gate)
    await get(tools)
    gate.denied.add(URL)
    result = await tools.call("web_fetch", {"url": URL, "find": "kelp"})
    assert result.error is not None
    assert result.error["code"] == "WEB_DENIED"
    assert "secret" not in result.text


@pytest.mark.req("tools:find:arguments")
async def test_without_offset_the_answer_asks_for_better_words() -> None:
    tools, _ = reading(html(PAGE), tools=ToolSettings(fetch_chars=900, fetch_arguments=("url", "find")))
    result = await tools.call("web_fetch", {"url": URL, "find": "tides"})
    assert "Look for more specific words.)" in outside(result.text)
    assert "offset=" not in outside(result.text)
