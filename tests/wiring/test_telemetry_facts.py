"""What spans and metrics tell, and what they leave out: issue 6.7."""

import pytest

import webseam
from support.core import hits, page, searching
from support.net import LOOPBACK, http_web
from support.telemetry import Collector, facts, fetching
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.settings import FetchSettings
from webseam.core.types import CacheFacts, SearchControls, Usage
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch
from webseam.testing import ScriptedFetch, ScriptedSearch
from webseam.tools.toolset import Toolset

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
"""The example of W3C Trace Context."""


# Content and secrets -----------------------------------------------------------------------------------


@pytest.mark.req("telemetry:content:off")
async def test_by_default_no_word_of_a_question_an_answer_or_a_page_is_told(address: str) -> None:
    told = Collector()
    answer = hits("https://found.test/page", content="An answer about fjords.")
    async with fetching(told) as web:
        web.register_search(ScriptedSearch("x", [answer]))
        tools = Toolset(web)
        await tools.call("web_search", {"query": "private question"})
        await tools.call("web_fetch", {"url": f"{address}/page?q=private+question#private"})
    for word in ("private", "question", "fjords", "found.test", "secret words", "Kelp"):
        assert word not in told.everything()


@pytest.mark.req("telemetry:content:on")
async def test_content_is_told_when_asked_for_without_secret_parameters(address: str) -> None:
    told = Collector(content=True)
    async with fetching(told) as web:
        web.register_search(ScriptedSearch("x", [hits("https://found.test/page")]))
        tools = Toolset(web)
        await tools.call("web_search", {"query": "my question"}, call=Call(tags={"tool_call_id": "call_1"}))
        await tools.call("web_fetch", {"url": f"{address}/page?q=kelp&api_key=abc&sig=x#part"})
    search, retrieval, _fetch, page_retrieval, request = told.spans
    assert facts(search)["gen_ai.tool.call.arguments"] == '{"query": "my question"}'
    assert facts(search)["gen_ai.tool.call.id"] == "call_1"
    assert "found.test" in facts(search)["gen_ai.tool.call.result"]
    assert facts(retrieval)["gen_ai.retrieval.query.text"] == "my question"
    assert facts(retrieval)["gen_ai.retrieval.documents"] == '[{"id": "https://found.test/page"}]'
    shown = f"{address}/page?q=kelp&api_key=REDACTED&sig=REDACTED"
    assert facts(page_retrieval)["gen_ai.retrieval.query.text"] == shown
    assert facts(request)["url.full"] == shown


@pytest.mark.req("telemetry:content:on")
async def test_content_is_bounded_and_can_always_be_exported() -> None:
    told = Collector(content=True)
    web = searching(ScriptedSearch("x", [hits(), hits()]), tracer=told.tracer)
    await Toolset(web).call("web_search", {"query": "\ud800" + "k" * 300})
    await Toolset(web).call("web_search", '{"query": "' + "k" * 100_000 + '"}')
    for span in told.spans:
        for value in facts(span).values():
            assert len(str(value).encode()) <= 8_000


# Metrics -----------------------------------------------------------------------------------------------


@pytest.mark.req("telemetry:metrics")
async def test_durations_are_told_by_tool_provider_and_host(address: str) -> None:
    told = Collector()
    async with fetching(told) as web:
        tools = Toolset(web)
        for path in ("/page", "/page", "/gone"):
            await tools.call("web_fetch", {"url": address + path})
    metrics = told.metrics()
    assert metrics["gen_ai.execute_tool.duration"] == [
        ({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "web_fetch"}, 3)
    ]
    assert metrics["webseam.provider.duration"] == [({"webseam.provider": "http", "webseam.capability": "fetch"}, 3)]
    requests = {
        row["http.response.status_code"]: (row.get("error.type"), n)
        for row, n in metrics["http.client.request.duration"]
    }
    assert requests == {200: (None, 2), 404: ("404", 1)}


@pytest.mark.req("telemetry:metrics")
async def test_cost_is_counted_by_provider_and_currency() -> None:
    told = Collector()
    answers = [hits(usage=Usage(cost=cost, currency="USD")) for cost in (0.25, 0.5)]
    web = searching(ScriptedSearch("x", [*answers, hits()]), tracer=told.tracer)
    for _ in range(3):
        await web.search("kelp")
    row = {"webseam.provider": "x", "webseam.capability": "search", "webseam.currency": "USD"}
    assert told.metrics()["webseam.provider.cost"] == [(row, 0.75)]


@pytest.mark.req("telemetry:metrics")
async def test_pages_from_the_cache_are_counted_by_how_they_were_used(address: str) -> None:
    told = Collector()
    kept = [CacheFacts(age=1.0, stale=True), CacheFacts(age=1.0, revalidated=True), CacheFacts(age=1.0), None]
    web = Web(tracer=told.tracer)
    web.register_fetch(ScriptedFetch("x", [page(cache=one) for one in kept]))
    for _ in kept:
        await web.fetch("https://a.test/")
    assert {row["webseam.cache"]: n for row, n in told.metrics()["webseam.cache.hits"]} == {
        "stale": 1,
        "revalidated": 1,
        "fresh": 1,
    }
    real = Collector()
    settings = FetchSettings(private_networks=LOOPBACK.private_networks, cache="memory")
    async with http_web(settings) as served:
        served.tracer = real.tracer
        for _ in range(2):
            await served.fetch(f"{address}/cached")
    assert real.tree() == ["retrieval http", "  GET", "retrieval http"]
    assert [row["webseam.cache"] for row, _ in real.metrics()["webseam.cache.hits"]] == ["fresh"]


@pytest.mark.req("telemetry:metrics")
async def test_refusals_are_counted_by_code_once_each() -> None:
    async def no(_request: AccessRequest, /) -> Verdict:
        return Verdict(allowed=False)

    async def broken(_request: AccessRequest, /) -> Verdict:
        raise RuntimeError("broken")

    told = Collector()
    web = Web(tracer=told.tracer)
    web.register_fetch(HttpFetch())
    web.register_search(ScriptedSearch("x", [hits()]))
    for work in (
        web.fetch("ftp://a.test/"),
        web.fetch("http://127.0.0.1/"),
        web.search("kelp", controls=SearchControls(country="Norway")),
        web.search("kelp", call=Call(gate=no)),
        web.fetch("https://a.test/", call=Call(gate=no)),
        web.fetch("https://a.test/", call=Call(gate=broken)),
    ):
        with pytest.raises(WebError):
            await work
    counted = {(row["error.type"], row["webseam.capability"]): n for row, n in told.metrics()["webseam.refusals"]}
    assert counted == {
        ("WEB_INVALID_URL", "fetch"): 1,
        ("WEB_BLOCKED_URL", "fetch"): 1,
        ("INVALID_ARGS", "search"): 1,
        ("WEB_DENIED", "search"): 1,
        ("WEB_DENIED", "fetch"): 2,
    }


@pytest.mark.req("telemetry:public")
def test_the_tracer_and_its_steps_are_public() -> None:
    for name in ("OpenTelemetry", "Tracer", "Span", "Step", "ToolStep", "ProviderStep", "HttpStep", "Outcome"):
        assert name in webseam.__all__
        assert getattr(webseam, name).__module__ != "webseam"
