"""OpenTelemetry as configured, tracers of one's own, and the blocking twins: issue 6.7, 6.9."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import webseam
from support.cli import Answer, site
from support.core import hits
from support.telemetry import Collector, facts
from support.wiring import Desk
from webseam.core.call import Call
from webseam.core.events import Event, RequestRecorded
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing import ScriptedSearch
from webseam.wiring.telemetry import OpenTelemetry

KEY = "sk-observed/0123456789+abcdef"
OTHER = "sk-of-another-vendor-0123456789"
LOCAL = {"fetch": {"private_networks": ["127.0.0.0/8"]}}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Two vendors with keys."""
    return Desk(tmp_path).env(SERPAPI_API_KEY=KEY, EXA_API_KEY=OTHER)


@pytest.fixture
def vendor() -> Iterator[str]:
    """SerpApi on loopback."""

    def answer(path: str) -> Answer:
        assert quote(KEY, "") in path
        found = {"organic_results": [{"link": f"https://a.test/?k={KEY}", "title": "A"}]}
        return 200, {"Content-Type": "application/json"}, json.dumps(found).encode()

    with site(answer) as url:
        yield url


async def tells_a_key(request: SearchRequest, call: Call) -> SearchResult:
    call.emit(RequestRecorded(provider="mine", endpoint=f"https://v.test/{KEY}", body={"q": [request.query], KEY: KEY}))
    return hits()


async def no(request: AccessRequest, /) -> Verdict:
    return Verdict(allowed=request.kind != "fetch", reason=f"not {OTHER}", flags=(KEY,))


def opened(desk: Desk, config: dict[str, Any] | None = None, **more: Any) -> Web:
    web = webseam.open(search="mine", config=config, environ=desk.environ, cwd=desk.cwd, **more)
    web.register_search(ScriptedSearch("mine", [tells_a_key] * 3))
    return web


# OpenTelemetry as configured ---------------------------------------------------------------------------


@pytest.mark.req("telemetry:no-key")
@pytest.mark.parametrize("content", [False, True])
async def test_no_span_holds_a_key_even_where_content_is_told(desk: Desk, vendor: str, content: bool) -> None:  # noqa: FBT001 - a case
    told = Collector(content=content)
    config = {"providers": {"serpapi": {"base_url": vendor}}}
    web = webseam.open(search="serpapi", config=config, environ=desk.environ, cwd=desk.cwd, tracer=told.tracer)
    async with web:
        result = await webseam.Toolset(web).call("web_search", {"query": f"who has {KEY} and {OTHER}"})
    assert not result.is_error
    assert told.tree() == ["execute_tool web_search", "  retrieval serpapi", "    GET"]
    for spelling in (KEY, quote(KEY), quote(KEY, ""), OTHER):
        assert spelling not in told.everything()
    url = facts(told.spans[-1])["url.full"]
    assert url.startswith(f"{vendor}/search")
    assert "api_key=REDACTED" in url
    assert ("who" in url) is content


@pytest.mark.req("telemetry:no-key")
async def test_no_span_holds_a_key_that_comes_back_in_an_answer(desk: Desk) -> None:
    told = Collector(content=True)
    async with webseam.open(search="mine", environ=desk.environ, cwd=desk.cwd, tracer=told.tracer) as web:
        web.register_search(ScriptedSearch("mine", [hits(f"https://a.test/{OTHER}", content=f"It is {OTHER}.")]))
        await webseam.Toolset(web).call("web_search", {"query": "kelp"})
    assert OTHER not in told.everything()
    assert facts(told.spans[1])["gen_ai.retrieval.documents"] == '[{"id": "https://a.test/[secret]"}]'


GLOBAL = """
import asyncio, json, sys
import webseam
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

exporter = InMemorySpanExporter()
trace.set_tracer_provider(TracerProvider())
trace.get_tracer_provider().add_span_processor(SimpleSpanProcessor(exporter))
try:
    webseam.fetch("http://127.0.0.1:1/")
except webseam.WebError:
    pass
print(json.dumps([[one.name, dict(one.attributes)] for one in exporter.get_finished_spans()]))
"""


def run(code: str, folder: Path, config: str) -> subprocess.CompletedProcess[str]:
    file = folder / "config.toml"
    file.write_text(config, encoding="utf-8")
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-W", "error", "-c", code],
        env={"HOME": str(folder), "WEBSEAM_CONFIG": str(file)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.req("telemetry:config")
@pytest.mark.parametrize(("settings", "told"), [("", 0), ("enabled = false", 0), ("enabled = true", 1)])
def test_the_configuration_turns_spans_of_the_global_provider_on(tmp_path: Path, settings: str, told: int) -> None:
    done = run(GLOBAL, tmp_path, f"[telemetry]\n{settings}\n")
    assert done.stderr == ""
    spans = json.loads(done.stdout)
    assert len(spans) == told
    if told:
        assert spans[0][0] == "retrieval http"
        assert spans[0][1]["error.type"] == "WEB_BLOCKED_URL"


@pytest.mark.req("telemetry:config")
def test_content_is_a_setting_of_its_own(tmp_path: Path) -> None:
    done = run(GLOBAL, tmp_path, "[telemetry]\nenabled = true\ncontent = true\n")
    (span,) = json.loads(done.stdout)
    assert span[1]["gen_ai.retrieval.query.text"] == "http://127.0.0.1:1/"


@pytest.mark.req("telemetry:config")
def test_without_the_package_the_setting_says_what_to_install(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["opentelemetry"] = None
import webseam
try:
    webseam.open()
except webseam.WebError as error:
    print(error)
"""
    done = run(code, tmp_path, "[telemetry]\nenabled = true\n")
    assert done.stdout.startswith("WEB_CONFIG_INVALID: OpenTelemetry needs opentelemetry-api: pip install ")
    assert "webseam[telemetry]" in done.stdout
    assert run(code, tmp_path, "").stdout == ""


@pytest.mark.req("telemetry:costs-nothing")
def test_without_telemetry_its_package_is_not_loaded(tmp_path: Path) -> None:
    code = """
import sys
import webseam
try:
    webseam.fetch("http://127.0.0.1:1/")
except webseam.WebError:
    print(sorted(name for name in sys.modules if name.startswith("opentelemetry")))
"""
    assert run(code, tmp_path, "").stdout == "[]\n"


@pytest.mark.req("telemetry:spans:outgoing")
async def test_no_header_of_a_trace_is_sent_to_anybody(desk: Desk) -> None:
    from support.net import answer, serve  # noqa: PLC0415 - one test asks for raw requests

    told, heads = Collector(), []

    async def handler(request: Any, writer: Any) -> None:
        heads.append(str(request))
        writer.write(answer(b"<p>hello</p>"))

    async with serve(handler) as server:
        web = webseam.open(config=LOCAL, environ=desk.environ, cwd=desk.cwd, tracer=told.tracer)
        async with web:
            with told.spans_of.get_tracer("host").start_as_current_span("agent"):
                await web.fetch(server.url)
    assert told.tree() == ["agent", "  retrieval http", "    GET"]
    assert heads
    for word in ("traceparent", "tracestate", "baggage", "b3"):
        assert word not in str(heads).lower()


@pytest.mark.req("telemetry:own-tracer")
async def test_a_tracer_of_ones_own_is_told_each_step_and_how_it_ended(desk: Desk) -> None:
    steps: list[Any] = []

    class Mine:
        def begin(self, step: webseam.Step) -> webseam.Span:
            steps.append(step)
            return self

        def refused(self, code: str, kind: str) -> None:
            steps.append((code, kind))

        def __enter__(self) -> None:
            steps.append("enter")

        def __exit__(self, *_: object) -> None:
            steps.append("exit")

        def end(self, outcome: webseam.Outcome) -> None:
            steps.append(outcome)

    async with opened(desk, tracer=Mine()) as web:
        await web.search(f"kelp {KEY}")
        with pytest.raises(webseam.WebError):
            await web.fetch("ftp://a.test/")
    request = webseam.SearchRequest(query="kelp [secret]", max_results=8)
    assert steps == [
        webseam.ProviderStep(capability="search", provider="mine", request=request),
        "enter",
        webseam.Outcome(documents=(), grounding="searched"),
        "exit",
        ("WEB_INVALID_URL", "fetch"),
    ]


@pytest.mark.req("telemetry:own-tracer")
@pytest.mark.parametrize("where", ["begin", "end"])
async def test_a_tracer_that_fails_ends_a_tool_call_as_an_error(where: str, caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def begin(self, _step: webseam.Step) -> webseam.Span:
            if where == "begin":
                raise RuntimeError("broken")
            return self

        def refused(self, code: str, kind: str) -> None:
            """Not asked here."""

        def __enter__(self) -> None:
            """Nothing."""

        def __exit__(self, *_: object) -> None:
            """Nothing."""

        def end(self, _outcome: webseam.Outcome) -> None:
            raise RuntimeError("broken")

    web = Web(tracer=Broken())
    web.register_search(ScriptedSearch("mine", [hits()]))
    result = await webseam.Toolset(web).call("web_search", {"query": "kelp"})
    assert result.is_error
    assert result.error is not None
    assert result.error["code"] == "WEB_PROVIDER_ERROR"
    assert "The tracer failed" in caplog.text


@pytest.mark.req("audit:every-call")
async def test_a_provider_that_hands_its_call_on_to_the_seam_is_written_down_once(desk: Desk) -> None:
    seen: list[Event] = []
    told = Collector()
    file = desk.home / "audit.jsonl"
    async with opened(desk, {"log": {"file": str(file)}}, emit=seen.append, tracer=told.tracer) as web:

        async def onwards(_request: SearchRequest, call: Call) -> SearchResult:
            with pytest.raises(webseam.WebError):
                await web.fetch("http://127.0.0.1:1/", call=call)
            return hits()

        web.register_search(ScriptedSearch("onwards", [onwards]))
        web._registries = replace(web._registries, choices={**web._registries.choices, "search": "onwards"})
        await web.search("kelp")
    names = [json.loads(line)["event"] for line in file.read_text(encoding="ascii").splitlines()]
    assert names == ["selected", "selected", "attempt_ended", "attempt_ended"]
    assert len(seen) == len(names)
    assert told.tree() == ["retrieval onwards", "  retrieval http"]


# The twins ---------------------------------------------------------------------------------------------


@pytest.mark.req("wiring:blocking:opening")
def test_the_twins_take_what_open_takes(desk: Desk, vendor: str) -> None:
    seen: list[Event] = []
    told = Collector()
    tape = desk.home / "run.jsonl"
    config = {"providers": {"serpapi": {"base_url": vendor}}}
    where: Any = {"environ": desk.environ, "cwd": desk.cwd}
    live = webseam.search(
        "kelp",
        provider="serpapi",
        config=config,
        emit=seen.append,
        tracer=told.tracer,
        gate=None,
        run=webseam.Run(),
        record=tape,
        **where,
    )
    assert seen
    assert told.tree() == ["retrieval serpapi", "  GET"]
    again = webseam.search("kelp", provider="serpapi", replay=tape, **where)
    assert [one.url.partition("?")[0] for one in again.sources] == [one.url.partition("?")[0] for one in live.sources]
    with pytest.raises(webseam.WebError) as caught:
        webseam.fetch("https://a.test/", offline=True, **where)
    assert caught.value.code == "WEB_OFFLINE"
    with pytest.raises(webseam.WebError) as caught:
        webseam.fetch("https://a.test/", gate=no, **where)
    assert caught.value.code == "WEB_DENIED"
    with pytest.raises(TypeError, match="'capabilities'; allowed: provider, timeout, config, "):
        webseam.fetch("https://a.test/", capabilities=("search",))  # type: ignore[call-arg]  # the twin's own matter


@pytest.mark.req("wiring:blocking:opening")
async def test_a_twin_beside_a_running_loop_stands_below_the_span_of_its_cell(desk: Desk, vendor: str) -> None:
    told = Collector()
    config = {"providers": {"serpapi": {"base_url": vendor}}}
    with told.spans_of.get_tracer("notebook").start_as_current_span("cell"):
        webseam.search(
            "kelp", provider="serpapi", config=config, environ=desk.environ, cwd=desk.cwd, tracer=told.tracer
        )
    assert told.tree() == ["cell", "  retrieval serpapi", "    GET"]
    assert isinstance(told.tracer, OpenTelemetry)


# Logging -----------------------------------------------------------------------------------------------


@pytest.mark.req("audit:quiet")
def test_the_library_prints_nothing_of_what_it_logs(tmp_path: Path) -> None:
    code = 'import logging, webseam\nwebseam.open()\nlogging.getLogger("webseam.x").warning("not on stderr")'
    done = run(code, tmp_path, "")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
