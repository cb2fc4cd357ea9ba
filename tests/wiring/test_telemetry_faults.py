"""A broken telemetry backend costs no call, and what vendors and sites choose makes no metric strange: issue 6.7."""

from collections.abc import Iterator
from typing import Any, Self

import pytest
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

import webseam
from support.cli import Answer, site
from support.core import failing, hits, searching
from support.telemetry import Collector, facts
from support.wiring import Desk
from webseam.core.errors import Code, WebError
from webseam.core.types import Usage
from webseam.core.web import Web
from webseam.testing import ScriptedSearch
from webseam.wiring.telemetry import OpenTelemetry


class Broken(SpanProcessor):
    """A processor of the application that raises at one of its two methods."""

    def __init__(self, where: str) -> None:
        self._where = where

    def on_start(self, *_: object, **__: object) -> None:
        if self._where == "start":
            raise RuntimeError("broken")

    def on_end(self, *_: object) -> None:
        if self._where == "end":
            raise RuntimeError("broken")


class BrokenMeters:
    """A meter provider whose instruments raise."""

    def get_meter(self, *_: object, **__: object) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        return self._raise if name in ("add", "record") else lambda *_args, **_more: self

    def _raise(self, *_: object) -> None:
        raise OSError("broken")


def tracer_of(where: str) -> OpenTelemetry:
    spans = TracerProvider()
    spans.add_span_processor(Broken(where))
    meters: Any = BrokenMeters() if where == "meter" else None
    return OpenTelemetry(tracer_provider=spans, meter_provider=meters)


# Backends that fail ------------------------------------------------------------------------------------


@pytest.mark.req("telemetry:backend-fails")
@pytest.mark.parametrize("where", ["start", "end", "meter"])
async def test_a_backend_that_raises_costs_no_call_and_is_told_once(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    web = searching(ScriptedSearch("x", [hits("https://a.test/"), failing()]), tracer=tracer_of(where))
    tools = webseam.Toolset(web)
    assert not (await tools.call("web_search", {"query": "kelp"})).is_error
    with pytest.raises(WebError) as caught:
        await web.search("kelp")
    with pytest.raises(WebError, match="WEB_INVALID_URL"):
        await web.fetch("ftp://a.test/")
    assert caught.value.code == Code.PROVIDER_ERROR
    assert [one.name for one in caplog.records] == ["webseam.telemetry"]
    assert "calls go on" in caplog.text


@pytest.mark.req("telemetry:backend-fails")
@pytest.mark.parametrize(
    "usage",
    [
        Usage(cost=float("inf"), currency="USD"),
        Usage(cost=float("nan"), currency="USD"),
        Usage(cost="5", currency=5, input_tokens="x"),  # type: ignore[arg-type]  # as a plugin may
    ],
)
async def test_what_no_number_can_be_is_told_nowhere(usage: Usage, caplog: pytest.LogCaptureFixture) -> None:
    told = Collector()
    await searching(ScriptedSearch("x", [hits(usage=usage)]), tracer=told.tracer).search("kelp")
    assert caplog.text == ""
    assert "webseam.provider.cost" not in told.metrics()
    (span,) = told.spans
    assert not {"webseam.cost", "gen_ai.usage.input_tokens"} & facts(span).keys()


# Metrics -----------------------------------------------------------------------------------------------


@pytest.fixture
def sites() -> Iterator[str]:
    """A site, and a vendor beside it."""

    def answer(path: str) -> Answer:
        if path == "/away":
            return 302, {"Location": "https://elsewhere.test/"}, b""
        return 200, {"Content-Type": "application/json"}, b'{"organic_results": []}' if "search" in path else b"[]"

    with site(answer) as url:
        yield url


@pytest.mark.req("telemetry:metrics:bounded")
async def test_the_host_of_a_page_is_in_its_span_and_that_of_a_vendor_in_the_metric_too(desk: Desk, sites: str) -> None:
    told = Collector()
    config: dict[str, Any] = {
        "search": {"provider": "serpapi"},
        "providers": {"serpapi": {"base_url": sites, "key": "k" * 20}},
        "fetch": {"private_networks": ["127.0.0.0/8"]},
    }
    async with webseam.open(config=config, environ=desk.environ, cwd=desk.cwd, tracer=told.tracer) as web:
        await web.search("kelp")
        await web.fetch(f"{sites}/page")
    rows = [row for row, _ in told.metrics()["http.client.request.duration"]]
    usual = {"http.request.method": "GET", "http.response.status_code": 200}
    port = int(sites.rpartition(":")[2])
    assert sorted(rows, key=len) == [usual, usual | {"server.address": "127.0.0.1", "server.port": port}]
    assert [facts(one)["server.address"] for one in told.named("GET")] == ["127.0.0.1"] * 2


@pytest.mark.req("telemetry:metrics")
async def test_a_page_that_is_refused_to_an_extractor_is_one_refusal(desk: Desk, sites: str) -> None:
    told = Collector()
    config = {"extract": {"provider": "local"}, "fetch": {"private_networks": ["127.0.0.0/8"]}}
    async with webseam.open(config=config, environ=desk.environ, cwd=desk.cwd, tracer=told.tracer) as web:
        with pytest.raises(WebError, match="WEB_REDIRECT_BLOCKED"):
            await web.extract(f"{sites}/away")
    assert told.tree() == ["retrieval local", "  retrieval http", "    GET"]
    assert [(row["webseam.capability"], n) for row, n in told.metrics()["webseam.refusals"]] == [("extract", 1)]


# What a host sends -------------------------------------------------------------------------------------


def nested(levels: int) -> Any:
    value: Any = "kelp"
    for _ in range(levels):
        value = [value]
    return value


class Pair(tuple[int, int]):
    """A tuple that is not made of an iterable."""

    __slots__ = ()

    def __new__(cls, one: int, two: int) -> Self:
        return super().__new__(cls, (one, two))


@pytest.mark.req("telemetry:backend-fails")
@pytest.mark.parametrize("content", [False, True])
@pytest.mark.parametrize("arguments", [{"query": "kelp", "x": nested(900)}, {"query": Pair(1, 2)}], ids=["deep", "odd"])
async def test_arguments_are_refused_the_same_whether_a_tracer_sees_them(
    desk: Desk, arguments: dict[str, Any], *, content: bool
) -> None:
    told = Collector(content=content)
    config = {"providers": {"exa": {"key": "sk-0123456789"}}}
    async with webseam.open(config=config, environ=desk.environ, cwd=desk.cwd, tracer=told.tracer) as web:
        result = await webseam.Toolset(web).call("web_search", arguments)
    plain = await webseam.Toolset(Web()).call("web_search", arguments)
    assert result.error == plain.error
    assert plain.error is not None
    assert plain.error["code"] == Code.INVALID_ARGS
