"""Arguments are checked before anything leaves (dsh-74, R185, R186)."""

import json
from typing import Any

import pytest

from support.tools import URL, found, plain, reading, searching
from webseam.core.errors import WebError
from webseam.core.settings import ToolSettings
from webseam.core.types import SearchControls
from webseam.tools.arguments import checked_queries
from webseam.tools.result import ToolResult

MANY = ToolSettings(max_queries=2)
CONTROLLED = ToolSettings(
    search_controls=(
        "include_domains",
        "exclude_domains",
        "published_after",
        "published_before",
        "country",
        "language",
        "safe_search",
    )
)


def refusal(result: ToolResult) -> str:
    """The text of an INVALID_ARGS result."""
    assert result.is_error
    assert result.error is not None
    assert result.error["code"] == "INVALID_ARGS"
    assert result.structured is None
    assert result.text.startswith("Error: ")
    assert "INVALID_ARGS" in result.text
    return result.text


@pytest.mark.req("tools:arguments:refused")
@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({}, "'query' is missing"),
        ("", "'query' is missing"),
        ("{}", "'query' is missing"),
        ({"query": None}, "'query' is missing"),
        ({"query": 5}, "must be text"),
        ({"query": ["a"]}, "must be text"),
        ({"query": " \t"}, "blank"),
        ({"query": "a", "count": 3}, "no argument 'count'"),
        ({"queries": ["a"]}, "no argument 'queries'"),
        ({"query": "a\ud800"}, "half of a character"),
        ("{not json", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[1]", "one JSON object"),
        ('"text"', "one JSON object"),
        (None, "one JSON object"),
        (7, "one JSON object"),
        (b'{"query": "a"}', "one JSON object"),
    ],
)
async def test_a_wrong_search_argument_is_an_error_result_and_asks_nobody(args: Any, said: str) -> None:
    tools, scripted = searching()
    assert said in refusal(await tools.call("web_search", args))
    assert scripted.asked == []


@pytest.mark.req("tools:arguments:refused")
@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({}, "'url' is missing"),
        ({"url": ""}, "blank"),
        ({"url": "  "}, "blank"),
        ({"url": 1}, "must be text"),
        ({"url": URL, "format": "html"}, "no argument 'format'"),
        ({"url": URL, "offset": -1}, "0 or more"),
        ({"url": URL, "offset": 1.5}, "integer"),
        ({"url": URL, "offset": True}, "integer"),
        ({"url": URL, "offset": "007"}, "integer"),
        ({"url": URL, "offset": "1e3"}, "integer"),
        ({"url": URL, "offset": " 1"}, "integer"),
        ({"url": URL, "offset": "\u0661"}, "integer"),
        ({"url": URL, "offset": "9" * 5000}, "integer"),
        ({"url": URL, "offset": float("nan")}, "integer"),
        ({"url": URL, "offset": float("inf")}, "integer"),
        ({"url": URL, "offset": "-3"}, "0 or more"),
    ],
)
async def test_a_wrong_fetch_argument_is_an_error_result_and_asks_nobody(args: Any, said: str) -> None:
    tools, scripted = reading(plain("x"))
    assert said in refusal(await tools.call("web_fetch", args))
    assert scripted.asked == []


@pytest.mark.req("tools:arguments:refused")
@pytest.mark.parametrize("name", ["web_extract", "", "WEB_SEARCH", "\x1b[2J"])
async def test_an_unknown_tool_is_an_error_result(name: str) -> None:
    tools, _ = searching()
    text = refusal(await tools.call(name, {"query": "a"}))
    assert "web_search, web_fetch" in text
    assert "\x1b" not in text


@pytest.mark.req("tools:arguments:refused")
async def test_a_disabled_tool_is_an_error_result() -> None:
    tools, scripted = searching(tools=ToolSettings(search=False))
    assert "web_search" not in refusal(await tools.call("web_search", {"query": "a"}))
    assert scripted.asked == []


@pytest.mark.req("tools:arguments:json-text")
async def test_arguments_may_come_as_json_text() -> None:
    tools, scripted = searching()
    result = await tools.call("web_search", json.dumps({"query": "kelp"}))
    assert not result.is_error
    assert [one.query for one in scripted.asked] == ["kelp"]


@pytest.mark.req("tools:arguments:by-type")
@pytest.mark.parametrize("offset", [3, "3", 3.0])
async def test_a_numeral_in_a_string_is_an_integer_where_the_schema_asks_for_one(offset: object) -> None:
    tools, _ = reading(plain("abcdef"))
    result = await tools.call("web_fetch", {"url": URL, "offset": offset})
    assert result.structured is not None
    assert result.structured["content"] == "def"


@pytest.mark.req("tools:arguments:by-type")
async def test_a_query_that_looks_like_a_number_stays_as_it_is() -> None:
    tools, scripted = searching()
    await tools.call("web_search", {"query": "00713"})
    assert [one.query for one in scripted.asked] == ["00713"]


@pytest.mark.req("tools:arguments:null")
async def test_null_for_an_optional_argument_means_absent() -> None:
    tools, _ = reading(plain("abc"))
    result = await tools.call("web_fetch", {"url": URL, "offset": None})
    assert result.structured is not None
    assert result.structured["content"] == "abc"


@pytest.mark.req("tools:arguments:null")
@pytest.mark.parametrize("blank", [None, ""])
async def test_what_a_client_fills_in_for_an_open_control_means_absent(blank: str | None) -> None:
    tools, scripted = searching(tools=CONTROLLED)
    result = await tools.call("web_search", {"query": "kelp", **dict.fromkeys(CONTROLLED.search_controls, blank)})
    assert not result.is_error
    assert [one.controls for one in scripted.asked] == [SearchControls()]


@pytest.mark.req("tools:arguments:queries")
@pytest.mark.parametrize(
    ("queries", "said"),
    [
        ([], "No query"),
        (["a", "a", "a"], "3 queries were given; at most 2 queries are"),
        (["", "", ""], "3 queries were given"),
        (["a", " "], "blank"),
        ("a", "list of strings"),
        (["a", 1], "must be text"),
        ({"a": 1}, "list of strings"),
    ],
)
async def test_queries_are_checked_in_order_empty_too_many_blank(queries: Any, said: str) -> None:
    tools, scripted = searching(tools=MANY)
    assert said in refusal(await tools.call("web_search", {"queries": queries}))
    assert scripted.asked == []


@pytest.mark.req("tools:arguments:queries")
def test_a_cap_of_one_is_worded_in_the_singular() -> None:
    with pytest.raises(WebError, match="at most 1 query is taken"):
        checked_queries(["a", "b"], 1)


@pytest.mark.req("tools:arguments:queries")
async def test_exact_repeats_are_asked_once_and_nothing_is_trimmed() -> None:
    tools, scripted = searching(tools=ToolSettings(max_queries=4))
    await tools.call("web_search", {"queries": ["b", "a", "b", "a "]})
    assert sorted(one.query for one in scripted.asked) == ["a", "a ", "b"]


@pytest.mark.req("tools:arguments:untouched-url")
async def test_what_a_url_means_is_left_to_the_one_parser() -> None:
    tools, scripted = reading(plain("x"))
    assert not (await tools.call("web_fetch", {"url": f"  {URL}\n"})).is_error
    assert scripted.asked == [URL]


@pytest.mark.req("tools:arguments:controls")
async def test_listed_controls_reach_the_search() -> None:
    tools, scripted = searching(tools=CONTROLLED, native_controls=frozenset(CONTROLLED.search_controls))
    result = await tools.call(
        "web_search",
        {
            "query": "kelp",
            "include_domains": ["a.test", "a.test"],
            "published_after": "2026-03-02",
            "country": "DE",
            "language": "pt-BR",
            "safe_search": "strict",
        },
    )
    assert not result.is_error, result.text
    assert scripted.asked[0].controls == SearchControls(
        include_domains=("a.test",),
        published_after="2026-03-02",
        country="DE",
        language="pt-BR",
        safe_search="strict",
    )


@pytest.mark.req("tools:arguments:controls")
@pytest.mark.parametrize(
    ("control", "said"),
    [
        ({"include_domains": ["https://a.test/x"]}, "no domain"),
        ({"exclude_domains": [""]}, "no domain"),
        ({"published_after": "yesterday"}, "YYYY-MM-DD"),
        ({"published_before": "2026-02-30"}, "YYYY-MM-DD"),
        ({"country": "Germany"}, "two letters"),
        ({"language": "??"}, "language tag"),
        ({"safe_search": "on"}, "off, moderate, strict"),
    ],
)
async def test_a_control_that_cannot_be_one_is_refused(control: dict[str, Any], said: str) -> None:
    tools, scripted = searching(tools=CONTROLLED)
    assert said in refusal(await tools.call("web_search", {"query": "kelp", **control}))
    assert scripted.asked == []


@pytest.mark.req("tools:arguments:controls")
async def test_a_control_that_is_not_listed_is_no_argument() -> None:
    tools, _ = searching(found("https://a.test/"))
    assert "no argument 'country'" in refusal(await tools.call("web_search", {"query": "kelp", "country": "DE"}))
