"""What holds for every answer, whatever vendors, pages and models send."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.tools import URL, inside, outside, plain, reading, schema_errors, searching
from webseam.core.settings import ToolSettings
from webseam.core.types import Note, SearchResult, Source
from webseam.tools.links import escape_label, real_host, shown_url, tame_markdown

HOSTILE = st.text(
    st.sampled_from("ab.]/[()<>`|\\!:@#? \n\r\t\u2028\u202e\u200b\U000e0041\U0001f600\ud800"), max_size=80
)
URLS = st.builds("https://{}.test/{}".format, st.sampled_from("abc"), HOSTILE)
SOURCES = st.builds(Source, url=URLS, title=st.none() | HOSTILE, snippet=st.none() | HOSTILE, published_at=HOSTILE)
RESULTS = st.builds(
    SearchResult,
    provider=st.just("p"),
    grounding=st.sampled_from(["searched", "ungrounded"]),
    content=st.none() | HOSTILE,
    sources=st.lists(SOURCES, max_size=5).map(tuple),
    notices=st.lists(HOSTILE, max_size=2).map(tuple),
    truncated=st.booleans(),
)


@pytest.mark.req("tools:always:search")
@settings(max_examples=150, deadline=None)
@given(result=RESULTS, cap=st.integers(1, 2_000))
async def test_every_search_answer_fits_stays_inside_and_is_utf8(result: SearchResult, cap: int) -> None:
    tools, _ = searching(result, tools=ToolSettings(search_chars=cap))
    answer = await tools.call("web_search", {"query": "a"})
    assert not answer.is_error, answer.text
    assert len(answer.text) <= cap
    answer.text.encode()
    assert answer.structured is not None
    schema = tools.definitions("mcp")[0]["outputSchema"]
    assert schema_errors(answer.structured, schema) == []
    json.dumps(answer.structured, ensure_ascii=False).encode()
    json.dumps(answer.meta, ensure_ascii=False).encode()
    sources = answer.structured["sources"]
    if sources:
        listed = inside(answer.text).partition("Sources:\n")[2].split("\n")[: len(sources)]
        assert all(line.startswith("- [") for line in listed)
        assert "](" not in outside(answer.text)


@pytest.mark.req("tools:always:fetch")
@settings(max_examples=100, deadline=None)
@given(text=HOSTILE, detail=HOSTILE, code=HOSTILE, offset=st.integers(0, 100), cap=st.integers(1, 2_000))
async def test_every_page_fits_stays_inside_and_is_utf8(
    text: str, detail: str, code: str, offset: int, cap: int
) -> None:
    page = plain(text, notes=(Note(code=code, detail=detail),), media_type=detail, charset=code)
    tools, _ = reading(page, tools=ToolSettings(fetch_chars=cap))
    answer = await tools.call("web_fetch", {"url": URL, "offset": offset})
    assert not answer.is_error, answer.text
    assert len(answer.text) <= cap
    answer.text.encode()
    assert answer.structured is not None
    assert schema_errors(answer.structured, tools.definitions("mcp")[1]["outputSchema"]) == []
    json.dumps(answer.structured, ensure_ascii=False).encode()
    if answer.structured["content"]:
        assert answer.structured["content"] in inside(answer.text)


ARGUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | HOSTILE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["url", "query", "offset"]), inner),
    max_leaves=6,
)


@pytest.mark.req("tools:always:arguments")
@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(["web_search", "web_fetch", "x"]), args=ARGUMENTS)
async def test_whatever_a_model_sends_comes_back_as_a_result(name: str, args: Any) -> None:
    tools, _ = searching()
    answer = await tools.call(name, args)
    assert answer.text
    assert answer.is_error == (answer.error is not None)
    assert answer.is_error == (answer.structured is None)
    answer.text.encode()


@pytest.mark.req("tools:always:links")
@given(text=HOSTILE)
def test_no_label_holds_a_mark_that_counts(text: str) -> None:
    escaped = escape_label(text)
    while escaped:
        assert escaped[0] not in "[]()`|<"
        escaped = escaped[2:] if escaped[0] == "\\" else escaped[1:]


@pytest.mark.req("tools:always:links")
@given(text=URLS | HOSTILE)
def test_no_shown_url_holds_what_ends_a_link_and_showing_it_again_changes_nothing(text: str) -> None:
    shown = shown_url(text)
    assert not set("\n\r\t <>`|\\") & set(shown)
    assert shown_url(shown) == shown
    depth = 0
    for mark in shown:
        depth += {"(": 1, ")": -1}.get(mark, 0)
        assert depth >= 0
    assert depth == 0


@pytest.mark.req("tools:always:links")
@pytest.mark.parametrize(
    "hostile",
    ["![" * 20_000, "[a](" * 20_000, "![a](b" * 10_000, "[" * 50_000, "![a]" * 20_000, "a." * 20_000, "[a\\." * 20_000],
)
def test_hostile_markdown_is_tamed_in_one_pass_over_bounded_stretches(hostile: str) -> None:
    assert tame_markdown(hostile)
    assert real_host(hostile[:300], "https://a.test/") in ("", " (on a.test)")
