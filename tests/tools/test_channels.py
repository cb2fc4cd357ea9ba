"""The structured channel, the meta and the views made of it (dsh-79, dsh-88, dsh-89, R065, R181)."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.tools import (
    URL,
    ScriptedFetch,
    ScriptedSearch,
    found,
    html,
    plain,
    reading,
    schema_errors,
    searching,
)
from webseam.core.errors import Code, WebError
from webseam.core.settings import SeamSettings, ToolSettings
from webseam.core.types import (
    Attempt,
    CacheFacts,
    DocumentBody,
    FetchResult,
    ImageBody,
    Note,
    PdfBody,
    Redirect,
    SearchResult,
    Source,
    Usage,
)
from webseam.core.web import Web
from webseam.tools.toolset import Toolset

SOURCES = (
    Source(url="https://a.test/x", title="T", snippet="S", published_at="2026"),
    Source(url="https://b.test/y"),
)
RESULTS = [
    SearchResult(provider="scripted"),
    found("https://a.test/x", "ftp://b.test/", "https://a.test/x", truncated=True),
    SearchResult(provider="scripted", grounding="ungrounded", content="No."),
    SearchResult(
        provider="scripted",
        content="Yes.",
        sources=SOURCES,
        notices=("n",),
        usage=Usage(calls=1, cost=0.1, currency="USD", input_tokens=3, output_tokens=4),
        attempts=(Attempt(provider="p", outcome="failed", code="X", dispatched=True, elapsed=0.123456),),
        raw={"vendor": object()},
    ),
    SearchResult(provider="scripted", usage=Usage()),
]
PAGES = [
    plain("x"),
    plain(""),
    plain("x" * 50_000, truncated=True),
    html("<p>x</p>", media_type=None, charset=None),
    plain(
        "x",
        status_code=503,
        retry_after=3.5,
        charset_source="bom",
        cache=CacheFacts(age=1.0),
        redirects=(Redirect(status_code=301, url="https://a.test/2"),),
        notes=(Note(code="meta_refresh", detail="d"), Note(code="empty")),
        attempts=(Attempt(provider="p", outcome="ok", dispatched=True),),
    ),
    FetchResult(provider="p", url=URL, status_code=200, body=PdfBody(pages=("a",), page_count=1)),
    FetchResult(provider="p", url=URL, status_code=200, body=DocumentBody(content="a")),
    FetchResult(provider="p", url=URL, status_code=200, body=ImageBody(data=b"x", width=1, height=1)),
]


def output_schema(tools: Toolset, name: str) -> dict[str, Any]:
    schema: dict[str, Any] = next(one["outputSchema"] for one in tools.definitions("mcp") if one["name"] == name)
    return schema


@pytest.mark.req("tools:structured:schema")
@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize("most", [1, 3])
async def test_every_structured_search_satisfies_the_published_schema(result: SearchResult, most: int) -> None:
    settings = ToolSettings(max_queries=most, search_controls=("include_domains", "country"))
    tools, _ = searching(result, tools=settings, seam=SeamSettings(controls="lenient"))
    asked = {"query": "a"} if most == 1 else {"queries": ["a", "b"]}
    answer = await tools.call("web_search", {**asked, "include_domains": ["a.test"], "country": "DE"})
    assert not answer.is_error, answer.text
    assert answer.structured is not None
    assert schema_errors(answer.structured, output_schema(tools, "web_search")) == []
    assert json.loads(json.dumps(answer.structured)) == answer.structured
    assert json.loads(json.dumps(answer.meta)) == answer.meta


@pytest.mark.req("tools:structured:schema")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("offset", [0, 1, 10**6])
async def test_every_structured_page_satisfies_the_published_schema(page: FetchResult, offset: int) -> None:
    tools, _ = reading(page)
    answer = await tools.call("web_fetch", {"url": URL, "offset": offset})
    assert not answer.is_error, answer.text
    assert answer.structured is not None
    assert schema_errors(answer.structured, output_schema(tools, "web_fetch")) == []
    assert json.loads(json.dumps(answer.structured)) == answer.structured
    assert json.loads(json.dumps(answer.meta)) == answer.meta


@pytest.mark.req("tools:structured:schema")
def test_the_schema_checker_sees_what_a_schema_forbids() -> None:
    schema = output_schema(Toolset(Web()), "web_search")
    assert schema_errors({"query": 1, "extra": True}, schema) != []
    good: dict[str, Any] = {
        "query": "a",
        "provider": "p",
        "grounding": "searched",
        "sources": [],
        "truncated": False,
        "dropped": {},
        "controls": {},
        "notices": [],
        "attempts": [],
    }
    assert schema_errors(good, schema) == []
    for broken in (
        {"extra": 1},
        {"grounding": "maybe"},
        {"sources": [{"title": "t"}]},
        {"dropped": {"x": -1}},
        {"truncated": 1},
        {"answer": None},
    ):
        assert schema_errors(good | broken, schema) != []


@pytest.mark.req("tools:structured:raw")
async def test_a_vendors_payload_is_never_rendered() -> None:
    marked = SearchResult(provider="scripted", raw={"secret": "payload-mark"})
    tools, _ = searching(marked)
    answer = await tools.call("web_search", {"query": "a"})
    assert "payload-mark" not in f"{answer.text}{answer.structured}{answer.meta}"


@pytest.mark.req("tools:structured:same-parts")
async def test_absent_facts_are_left_out_and_never_null() -> None:
    tools, _ = reading(html("<p>x</p>", media_type=None, charset=None))
    answer = await tools.call("web_fetch", {"url": URL})
    assert answer.structured is not None
    assert not {"media_type", "charset", "charset_source", "retry_after", "cache"} & set(answer.structured)


@pytest.mark.req("tools:view:finished")
async def test_a_finished_search_is_shown_from_its_meta_alone() -> None:
    tools, _ = searching(RESULTS[3])
    answer = await tools.call("web_search", {"query": "kelp"})
    stored = json.loads(json.dumps(answer.meta))
    assert Toolset(Web()).view("web_search", {"query": "kelp"}, stored) == {
        "card": "web",
        "kind": "search",
        "title": "kelp",
        "sources": [
            {"url": "https://a.test/x", "title": "T", "snippet": "S", "published_at": "2026"},
            {"url": "https://b.test/y"},
        ],
        "truncated": False,
        "answer": "Yes.",
    }


@pytest.mark.req("tools:view:finished")
async def test_a_finished_fetch_is_shown_from_its_meta_without_its_content() -> None:
    tools, scripted = reading(plain("body", status_code=404, truncated=True))
    answer = await tools.call("web_fetch", {"url": URL})
    assert tools.view("web_fetch", json.dumps({"url": URL}), answer.meta) == {
        "card": "web",
        "kind": "fetch",
        "title": URL,
        "url": URL,
        "status_code": 404,
        "truncated": True,
    }
    assert "body" not in json.dumps(answer.meta)
    assert len(scripted.asked) == 1


@pytest.mark.req("tools:view:finished")
async def test_an_empty_list_of_sources_is_a_view() -> None:
    tools, _ = searching(found())
    answer = await tools.call("web_search", {"query": "a"})
    view = tools.view("web_search", {"queries": ["a", "b"]}, answer.meta)
    assert view == {"card": "web", "kind": "search", "title": "a, b", "sources": [], "truncated": False}


@pytest.mark.req("tools:view:malformed")
async def test_an_error_has_no_view() -> None:
    tools, _ = searching(WebError(Code.PROVIDER_ERROR, "down"))
    answer = await tools.call("web_search", {"query": "a"})
    assert tools.view("web_search", {"query": "a"}, answer.meta) is None


MALFORMED: list[Any] = [
    None,
    [],
    "x",
    {},
    {"sources": None, "truncated": False},
    {"sources": [1], "truncated": False},
    {"sources": [{}], "truncated": False},
    {"sources": [{"url": 1}], "truncated": False},
    {"sources": [{"url": "u", "title": 1}], "truncated": False},
    {"sources": [], "truncated": "no"},
    {"sources": [], "truncated": False, "answer": 1},
    {"url": 1, "status_code": 200, "truncated": False},
    {"url": "u", "status_code": "200", "truncated": False},
    {"url": "u", "status_code": True, "truncated": False},
    {"url": "u", "status_code": 200},
]


@pytest.mark.req("tools:view:malformed")
@pytest.mark.parametrize("meta", MALFORMED)
@pytest.mark.parametrize("name", ["web_search", "web_fetch", "other"])
def test_malformed_meta_makes_no_view(name: str, meta: Any) -> None:
    assert Toolset(Web()).view(name, {}, meta) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["sources", "truncated", "answer", "url", "status_code", "x"]), inner)
    ),
    max_leaves=12,
)


@pytest.mark.req("tools:view:malformed")
@given(name=st.sampled_from(["web_search", "web_fetch", "x"]), args=JSON, meta=JSON)
def test_rebuilding_a_view_never_raises(name: str, args: Any, meta: Any) -> None:
    tools = Toolset(Web())
    view = tools.view(name, args, meta)
    assert view is None or view["card"] == "web"
    pending = tools.pending_view(name, args)
    assert (pending is None) == (name == "x")


@pytest.mark.req("tools:view:pending")
def test_a_pending_call_shows_its_queries_or_its_url() -> None:
    tools = Toolset(Web())
    assert tools.pending_view("web_search", {"queries": ["a", "b"]}) == {
        "card": "generic",
        "kind": "search",
        "title": "a, b",
    }
    assert tools.pending_view("web_fetch", {"url": URL}) == {"card": "generic", "kind": "fetch", "title": URL}
    assert tools.pending_view("other", {}) is None


@pytest.mark.req("tools:settings:from-web")
async def test_a_toolset_starts_from_the_settings_of_its_web() -> None:
    tools = Toolset(Web(tools=ToolSettings(fetch=False, max_queries=2)))
    assert [one["name"] for one in tools.definitions("openai")] == ["web_search"]
    assert "queries" in tools.definitions("openai")[0]["parameters"]["properties"]


@pytest.mark.req("tools:life:close")
async def test_closing_is_repeatable_and_leaves_the_web_open() -> None:
    tools, _ = reading(html("<p>x</p>"))
    await tools.call("web_fetch", {"url": URL})
    await tools.aclose()
    await tools.aclose()
    assert not (await tools.call("web_fetch", {"url": URL})).is_error
    await tools.aclose()


@pytest.mark.req("tools:life:registration-change")
async def test_a_provider_that_comes_later_serves_the_next_call() -> None:
    web = Web()
    tools = Toolset(web)
    assert (await tools.call("web_search", {"query": "a"})).is_error
    undo = web.register_search(ScriptedSearch(answer=found("https://a.test/")))
    assert not (await tools.call("web_search", {"query": "a"})).is_error
    undo()
    assert (await tools.call("web_search", {"query": "a"})).is_error
    web.register_fetch(ScriptedFetch(pages={URL: [plain("x")]}))
    assert not (await tools.call("web_fetch", {"url": URL})).is_error


@pytest.mark.req("tools:life:light-import")
def test_importing_the_toolset_loads_nothing_heavy() -> None:
    program = (
        "import sys, webseam.tools.toolset\n"
        "heavy = {'aiohttp', 'turbohtml', 'msgspec', 'rich', 'click', 'platformdirs', 'multiprocessing'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603 - our own program
    assert done.stdout.strip() == "[]"
