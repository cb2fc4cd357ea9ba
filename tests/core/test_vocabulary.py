"""The words of the seam are frozen values, and a call is handed on whole: design 2, dsh-1 to dsh-6, dsh-16."""

import asyncio
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any, get_args

import pytest

import webseam.core.types as vocabulary
from support.core import hits, page, searching
from webseam.core.call import Call, ModelRef
from webseam.core.deadline import Deadline
from webseam.core.types import (
    Body,
    ExtractRequest,
    FetchRequest,
    FetchResult,
    SearchControls,
    SearchRequest,
    SearchResult,
    Source,
    TextBody,
)
from webseam.core.web import Web
from webseam.testing import ScriptedFetch, ScriptedSearch

WORDS = sorted(
    (one for one in vars(vocabulary).values() if isinstance(one, type) and is_dataclass(one)),
    key=lambda one: one.__name__,
)


@pytest.mark.req("core:vocabulary:values")
@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.__name__)
def test_every_word_is_a_frozen_slotted_keyword_only_value(word: Any) -> None:
    assert word.__dataclass_params__.frozen
    assert "__dict__" not in dir(word)
    assert set(word.__slots__) == {field.name for field in fields(word)}
    assert all(field.kw_only for field in fields(word))


@pytest.mark.req("core:vocabulary:values")
def test_a_value_cannot_be_changed() -> None:
    source = Source(url="https://a.test/")
    with pytest.raises(FrozenInstanceError):
        source.url = "https://b.test/"  # type: ignore[misc]
    assert source == Source(url="https://a.test/")


@pytest.mark.req("core:vocabulary:requests")
def test_a_fetch_or_extract_request_is_a_url_and_nothing_else() -> None:
    assert [field.name for field in fields(FetchRequest)] == ["url"]
    assert [field.name for field in fields(ExtractRequest)] == ["url"]
    assert [field.name for field in fields(SearchRequest)] == ["query", "max_results", "controls"]


@pytest.mark.req("core:vocabulary:requests")
def test_the_controls_asked_are_those_that_are_set() -> None:
    assert SearchControls().asked() == ()
    assert SearchControls(country="SE", include_domains=("a.test",)).asked() == ("include_domains", "country")


@pytest.mark.req("core:vocabulary:body")
def test_a_body_is_told_apart_by_its_kind() -> None:
    kinds = [one.__dataclass_fields__["kind"].default for one in get_args(Body)]
    assert kinds == ["html", "text", "pdf", "document", "image"]


@pytest.mark.req("core:vocabulary:absent")
def test_what_a_vendor_did_not_give_is_absent() -> None:
    fetched = FetchResult(provider="x", url="https://a.test/", status_code=200, body=TextBody(content=""))
    assert (fetched.media_type, fetched.charset, fetched.retry_after, fetched.cache) == (None, None, None, None)
    assert (fetched.truncated, fetched.redirects, fetched.notes, fetched.attempts) == (False, (), (), ())
    found = SearchResult(provider="x")
    assert (found.content, found.sources, found.usage, found.raw, found.truncated) == (None, (), None, None, False)


@pytest.mark.req("core:call:handed-on")
async def test_what_the_caller_gave_reaches_the_provider_as_it_is() -> None:
    seen: list[Call] = []

    async def look(_request: SearchRequest, call: Call) -> SearchResult:
        seen.append(call)
        return hits()

    async def key() -> str:
        return "invented"

    given = Call(
        deadline=Deadline.after(30),
        abort=asyncio.Event(),
        progress=lambda _text: None,
        model=ModelRef(provider="anthropic", api="anthropic-messages", id="m", auth=key),
        autonomous=True,
        raw=True,
        tags={"tenant": "t", "run": "r"},
    )
    for choice in (None, ["x"]):
        await searching(ScriptedSearch("x", [look]), search=choice).search("kelp", call=given)
    names = ("deadline", "abort", "progress", "model", "autonomous", "raw", "tags", "gate")
    for call in seen:
        assert all(getattr(call, name) is getattr(given, name) for name in names)
        assert call.dispatch is not given.dispatch


@pytest.mark.req("core:call:handed-on")
async def test_an_abort_given_beside_the_call_is_the_one_that_counts() -> None:
    seen: list[Call] = []

    async def look(_request: SearchRequest, call: Call) -> SearchResult:
        seen.append(call)
        return hits()

    mine = asyncio.Event()
    await searching(ScriptedSearch("x", [look])).search("kelp", call=Call(abort=asyncio.Event()), abort=mine)
    assert seen[0].abort is mine


@pytest.mark.req("core:call:handed-on")
async def test_a_request_object_is_taken_as_it_is() -> None:
    one, http = ScriptedSearch("x", [hits()]), ScriptedFetch("http", [page()], asks_gate=True)
    web = Web()
    web.register_search(one)
    web.register_fetch(http)
    request, fetch = SearchRequest(query="kelp", max_results=3), FetchRequest(url="https://a.test/#x")
    await web.search(request, max_results=99)
    await web.fetch(fetch)
    assert one.script.requests[0] is request
    assert http.script.requests[0] is fetch
