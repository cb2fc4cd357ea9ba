"""Answers within estimated tokens, and the outline of a page that is cut."""

from dataclasses import dataclass
from threading import get_ident
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.tools import URL, html, inside, plain, reading, schema_errors, searching
from webseam.content.convert import Converted
from webseam.content.outline import Heading
from webseam.content.tokens import estimated_tokens
from webseam.core.deadline import Deadline
from webseam.core.settings import SeamSettings, ToolSettings
from webseam.core.types import FetchResult, SearchResult, Source
from webseam.core.web import Web
from webseam.tools.budget import Budget
from webseam.tools.output import fetch_output
from webseam.tools.page_outline import outline_text
from webseam.tools.toolset import Toolset

SITE = "".join(
    f"<h2>Day {day}</h2><p>{'High water at the skerry. ' * 20}</p><h3>Notes of {day}</h3><p>None.</p>"
    for day in range(1, 101)
)
PAGE = f"<h1>Tide <i>log</i></h1>{SITE}"


async def get(tools: Toolset, **args: Any) -> dict[str, Any]:
    result = await tools.call("web_fetch", {"url": URL, **args})
    assert result.structured is not None, result.text
    assert schema_errors(dict(result.structured), fetch_output()) == []
    return {"text": result.text, **result.structured}


async def walk(tools: Toolset) -> list[dict[str, Any]]:
    views = [await get(tools)]
    while views[-1]["view"]["next_offset"] is not None:
        views.append(await get(tools, offset=views[-1]["view"]["next_offset"]))
    return views


@pytest.mark.req("tools:budget:tokens")
@settings(max_examples=40, deadline=None)
@given(
    text=st.text(st.sampled_from("ab \n#`|\u00e9\u4e2d\U0001f6001"), max_size=2_000),
    tokens=st.integers(300, 900),
    chars=st.sampled_from([700, 40_000]),
)
async def test_an_answer_keeps_to_both_bounds_and_offsets_reach_everything(text: str, tokens: int, chars: int) -> None:
    tools, _ = reading(plain(text), tools=ToolSettings(fetch_chars=chars, fetch_tokens=tokens))
    views = await walk(tools)
    assert all(len(one["text"]) <= chars and estimated_tokens(one["text"]) <= tokens for one in views)
    assert "".join(one["content"] for one in views) == (await get(reading(plain(text))[0]))["content"]


@pytest.mark.req("tools:budget:tokens")
async def test_tokens_are_used_and_not_only_kept_to() -> None:
    tools, _ = reading(html(PAGE), tools=ToolSettings(fetch_tokens=2_000))
    first = await get(tools)
    assert 1_600 < estimated_tokens(first["text"]) <= 2_000
    found = await get(tools, find="high water")
    assert 1_200 < estimated_tokens(found["text"]) <= 2_000


@pytest.mark.req("tools:budget:tokens")
async def test_tokens_too_few_for_any_page_are_said_to_be_so() -> None:
    tools, _ = reading(html(PAGE), tools=ToolSettings(fetch_tokens=60))
    result = await tools.call("web_fetch", {"url": URL})
    assert "tools.fetch_tokens is too small" in result.text
    assert estimated_tokens(result.text) <= 60


@pytest.mark.req("tools:budget:search-tokens")
@pytest.mark.parametrize("tokens", [1, 50, 200, 500, 2_000, 8_000])
async def test_a_search_answer_keeps_to_its_tokens(tokens: int) -> None:
    sources = tuple(
        Source(url=f"https://a.test/{number}", title="Kelp", snippet="\u6d77\u85fb" * 40) for number in range(20)
    )
    most = SeamSettings().max_results
    tools, _ = searching(
        SearchResult(provider="scripted", sources=sources, content="Kelp grows. " * 30),
        tools=ToolSettings(search_tokens=tokens),
    )
    result = await tools.call("web_search", {"query": "kelp"})
    assert result.structured is not None
    assert estimated_tokens(result.text) <= tokens
    if tokens >= 500:
        assert result.structured["sources"]
        assert estimated_tokens(result.text) > tokens // 2 or len(result.structured["sources"]) == most


@pytest.mark.req("tools:outline:cut")
async def test_a_cut_page_has_its_outline_with_offsets_that_can_be_read_on_from() -> None:
    tools, _ = reading(html(PAGE), tools=ToolSettings(fetch_chars=12_000))
    first = await get(tools)
    quoted = inside(first["text"])
    assert "\n\n51 of 101 headings (offset: heading):\n- 0: Tide log\n  - " in quoted
    assert len(first["outline"]) == 201
    assert first["outline"][0] == {"level": 1, "title": "Tide log", "offset": 0}
    day = next(one for one in first["outline"] if one["title"] == "Day 77")
    assert (await get(tools, offset=day["offset"]))["content"].startswith("## Day 77\n")


@pytest.mark.req("tools:outline:share")
@pytest.mark.parametrize(("chars", "deepest"), [(40_000, 3), (20_000, 2), (12_000, 2), (2_000, 2), (90_000, 0)])
async def test_the_model_sees_the_levels_that_fit_their_share(chars: int, deepest: int) -> None:
    tools, _ = reading(html(PAGE), tools=ToolSettings(fetch_chars=chars))
    page = await get(tools)
    lines = [line for line in inside(page["text"]).split("\n") if line.lstrip().startswith("- ")]
    assert max(((len(line) - len(line.lstrip())) // 2 + 1 for line in lines), default=0) == deepest
    assert sum(map(len, lines)) <= chars // 8
    assert ("outline" in page) is bool(deepest)


@pytest.mark.req("tools:outline:cut")
async def test_the_outline_stands_before_the_page_once_and_not_again_later() -> None:
    tools, _ = reading(html(PAGE), tools=ToolSettings(fetch_chars=5_000))
    views = await walk(tools)
    assert ["headings (offset: heading):" in one["text"] for one in views] == [True] + [False] * (len(views) - 1)


@pytest.mark.req("tools:outline:share")
def test_an_outline_keeps_to_any_budget_and_says_what_it_leaves_out() -> None:
    headings = [Heading(level=1, title="Top", offset=0)]
    headings += [Heading(level=2, title=f"Part {number}", offset=number * 100) for number in range(1, 41)]
    for chars in range(1_000):
        text = outline_text(headings, Budget(chars=chars))
        assert len(text) <= chars
        said, _, rest = text.partition("\n")
        shown = rest.count("\n") + 1 if rest else 0
        if shown > 1:
            assert (
                said
                == ("Outline of the whole page" if shown == 41 else f"{shown} of 41 headings") + " (offset: heading):"
            )
    assert outline_text((), Budget(chars=1_000)) == ""


@pytest.mark.req("tools:outline:text")
@pytest.mark.parametrize(
    ("page", "titles"),
    [
        (plain("# comment\n\n" * 3_000), None),
        (plain("# Title\n\n" * 10_000, media_type="text/markdown"), "Title"),
        (plain("# Title\n\n" * 10_000, url="https://a.test/README.md"), "Title"),
        (plain('{"a": 1}\n' * 8_000, media_type="application/json"), None),
    ],
    ids=["source code", "markdown", "markdown by name", "json"],
)
async def test_only_texts_that_have_headings_get_an_outline(page: Any, titles: str | None) -> None:
    tools, _ = reading(page, tools=ToolSettings(fetch_chars=10_000))
    found = await get(tools)
    assert {one["title"] for one in found.get("outline", ())} == ({titles} if titles else set())


@pytest.mark.req("tools:long:beside")
@pytest.mark.parametrize(("words", "beside"), [(100_000, True), (1_000, False)], ids=["long", "short"])
@pytest.mark.parametrize("args", [{}, {"offset": 500}, {"find": "word"}], ids=["read", "read on", "find"])
async def test_a_long_page_is_shown_beside_the_event_loop(words: int, beside: bool, args: dict[str, Any]) -> None:  # noqa: FBT001 - a row
    threads: list[int] = []

    def nonce() -> str:
        threads.append(get_ident())
        return "0" * 32

    _, scripted = reading(plain("word " * words))
    web = Web()
    web.register_fetch(scripted)
    await Toolset(web, nonce=nonce).call("web_fetch", {"url": URL, **args})
    assert [one != get_ident() for one in threads] == [beside]


class Watched(Converted):
    """Remembers in which thread each of its fields was read last."""

    def __getattribute__(self, name: str) -> Any:
        READ_IN[name] = get_ident()
        return super().__getattribute__(name)


READ_IN: dict[str, int] = {}


@dataclass(frozen=True)
class Watching:
    """A converter whose pages are `text`."""

    text: str

    async def convert(self, page: FetchResult, *, deadline: Deadline) -> Converted:  # noqa: ARG002 - the protocol's
        return Watched(text=self.text)


@pytest.mark.req("tools:long:beside")
@pytest.mark.parametrize(("words", "beside"), [(100_000, True), (1_000, False)], ids=["long", "short"])
async def test_a_long_page_is_cleaned_beside_the_event_loop(words: int, beside: bool) -> None:  # noqa: FBT001 - a row
    _, scripted = reading(plain(""))
    web = Web()
    web.register_fetch(scripted)
    page = await get(Toolset(web, converter=Watching("word " * words)))
    assert page["content"].startswith("word word")
    assert (READ_IN["hidden"] != get_ident()) is beside
