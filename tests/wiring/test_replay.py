"""Record and replay at the seam's edge: the same questions, the same answers, and nobody is asked."""

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import webseam
from support.cli import Answer, install_toys, site
from support.core import bare, extract, hits, page
from support.unplugged import no_sockets
from support.wiring import Desk
from webseam.core.call import Call, Dispatch
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.events import AttemptEnded, Event
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.plugin import Seams
from webseam.core.types import (
    FetchResult,
    HtmlBody,
    ImageBody,
    Redirect,
    SearchControls,
    SearchRequest,
    SearchResult,
    Source,
)
from webseam.core.web import Web
from webseam.testing import STALLED, ManualClock, ScriptedExtract, ScriptedFetch, ScriptedSearch
from webseam.tools.toolset import Toolset
from webseam.wiring.hiding import REMOVED
from webseam.wiring.recording import Edge

LOOPBACK = {"private_networks": ["127.0.0.0/8"]}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk with the toy vendors installed."""
    install_toys(tmp_path / "toys")
    monkeypatch.syspath_prepend(tmp_path / "toys")
    return Desk(tmp_path)


class Studio:
    """A desk, and a cassette that webs record into and play from."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.file = desk.home / "run.jsonl"

    def recording(self, **more: Any) -> Web:
        return webseam.open(environ=self.desk.environ, cwd=self.desk.cwd, record=self.file, **more)

    def replaying(self, **more: Any) -> Web:
        return webseam.open(environ={"HOME": str(self.desk.home)}, cwd=self.desk.cwd, replay=self.file, **more)

    @property
    def text(self) -> str:
        return self.file.read_text(encoding="ascii")


@pytest.fixture
def studio(desk: Desk) -> Studio:
    return Studio(desk)


def pages(_path: str) -> Answer:
    return 200, {}, b"<title>Kelp</title><h1>Kelp</h1><p>" + b"Long lines. " * 600


async def missed(web: Web, *question: Any, **more: Any) -> str:
    with pytest.raises(WebError) as caught:
        await web.search(*question, **more)
    assert caught.value.code == Code.REPLAY_MISS
    assert (caught.value.exit_code, caught.value.dispatched) == (8, False)
    return caught.value.message


# What comes back ---------------------------------------------------------------------------------------


@pytest.mark.req("replay:values", "replay:no-network")
async def test_results_and_errors_come_back_whole_with_nobody_asked(studio: Studio) -> None:
    script = ScriptedSearch(
        "mine", [hits("https://a.test/"), bare(), WebError("X", "No.", dispatched=True, status=402)]
    )
    picture = ImageBody(data=b"\x89PNG\r\n\x1a\n\xff\x00", width=3, height=4)
    shown = page("https://a.test/end", redirects=(Redirect(status_code=301, url="https://a.test/end"),))
    async with studio.recording(search="mine", fetch="mine") as web:
        web.register_search(script)
        web.register_fetch(
            ScriptedFetch("mine", [replace(shown, body=picture), WebError(Code.FETCH_TOO_LARGE, "Big.")])
        )
        web.register_extract(ScriptedExtract("mine", [extract(title="T")]))
        recorded = [await told(web, *one) for one in QUESTIONS]
    with no_sockets():
        async with studio.replaying(search="mine", fetch="mine") as web:
            assert [await told(web, *one) for one in QUESTIONS] == recorded
    assert len(script.script.requests) == 3


QUESTIONS = [
    ("search", "one"),
    ("search", "two"),
    ("search", "three"),
    ("fetch", "https://a.test/"),
    ("fetch", "https://b.test/"),
    ("extract", "https://a.test/"),
]


async def told(web: Web, method: str, question: str) -> Any:
    """The result, or all that an error says."""
    try:
        return await getattr(web, method)(question)
    except WebError as error:
        return {**vars(error), "text": str(error)}


@pytest.mark.req("replay:same")
async def test_repeats_come_in_their_order_and_no_more_often(studio: Studio) -> None:
    script = ScriptedSearch("mine", [hits("https://a.test/1"), hits("https://a.test/2")])
    async with studio.recording(search="mine") as web:
        web.register_search(script)
        await web.search("kelp")
        await web.search("kelp")
    async with studio.replaying(search="mine") as web:
        urls = [(await web.search("kelp")).sources[0].url for _ in range(2)]
        assert urls == ["https://a.test/1", "https://a.test/2"]
        assert "was recorded 2 times and is asked once more" in await missed(web, "kelp")


@pytest.mark.req("replay:same")
async def test_calls_that_ran_beside_each_other_replay_in_any_order(studio: Studio) -> None:
    async def slow_first(request: SearchRequest, _call: Call) -> SearchResult:
        await asyncio.sleep(0.02 if request.query == "0" else 0)
        return SearchResult(provider="mine", content=request.query)

    async with studio.recording(search="mine") as web:
        web.register_search(ScriptedSearch("mine", [slow_first]))
        recorded = await asyncio.gather(*(web.search(str(n)) for n in range(4)))
    async with studio.replaying(search="mine") as web:
        assert [await web.search(str(n)) for n in (3, 0, 2, 1)] == [recorded[n] for n in (3, 0, 2, 1)]


@pytest.mark.req("replay:same", "replay:bytes")
async def test_equal_calls_beside_each_other_get_each_its_own_answer_again(studio: Studio) -> None:
    begun: list[int] = []

    async def last_first(_request: SearchRequest, _call: Call) -> SearchResult:
        begun.append(len(begun))
        mine = begun[-1]
        await asyncio.sleep(0.02 * (2 - mine))
        return SearchResult(provider="mine", content=f"answer {mine}")

    async def run(web: Web) -> list[Any]:
        tools = Toolset(web)
        return await asyncio.gather(*(tools.call("web_search", {"query": "kelp"}) for _ in range(3)))

    async with studio.recording(search="mine") as web:
        web.register_search(ScriptedSearch("mine", [last_first]))
        recorded = await run(web)
    assert [f"answer {n}" in one.text for n, one in enumerate(recorded)] == [True] * 3
    async with studio.replaying(search="mine") as web:
        assert await run(web) == recorded


@pytest.mark.req("replay:bytes", "replay:cancelled")
async def test_several_queries_of_one_call_replay_with_the_one_that_failed(studio: Studio) -> None:
    config = {"tools": {"max_queries": 3}}

    async def run(web: Web) -> Any:
        return await Toolset(web).call("web_search", {"queries": ["a", "b", "c"]}, timeout=0.2)

    async def mixed(request: SearchRequest, call: Call) -> SearchResult:
        call.dispatch.mark()
        if request.query == "a":
            raise WebError(Code.RATE_LIMITED, "Slow down.", retry_after=3)
        if request.query == "b":
            await asyncio.Event().wait()
        return hits("https://c.test/")

    async with studio.recording(search="mine", config=config) as web:
        web.register_search(ScriptedSearch("mine", [mixed]))
        recorded = await run(web)
    async with studio.replaying(search="mine", config=config) as web:
        assert await run(web) == recorded


@pytest.mark.req("replay:key")
async def test_another_choice_field_control_or_kind_of_call_is_another_question(studio: Studio) -> None:
    async with studio.recording(search="mine") as web:
        web.register_search(ScriptedSearch("mine", [hits()]))
        await web.search("kelp")
    for choice in (None, "other", ["mine"], webseam.FanOut(("mine",))):
        async with studio.replaying(search=choice) as web:
            await missed(web, "kelp")
    async with studio.replaying(search="mine") as web:
        await missed(web, "Kelp")
        await missed(web, "kelp", max_results=3)
        await missed(web, "kelp", controls=SearchControls(country="NO"))
        await missed(web, "kelp", call=Call(raw=True))
        await missed(web, "kelp", call=Call(autonomous=True))
        await missed(web, "kelp", call=Call(model=webseam.ModelRef(provider="a", api="b", id="c")))
        assert (await web.search("kelp", timeout=5, call=Call(tags={"run": "7"}))).provider == "mine"


@pytest.mark.req("replay:miss")
async def test_a_miss_names_the_nearest_recorded_request_of_its_kind(studio: Studio) -> None:
    async with studio.recording(search="mine") as web:
        web.register_search(ScriptedSearch("mine", [hits()]))
        await web.search("kelp farming permits")
        await web.search("something else")
    async with studio.replaying(search="mine") as web:
        said = await missed(web, "kelp farming permit")
        assert (
            'The nearest is line 3: search {"max_results": 8, "provider": "mine", "query": "kelp farming permits"}'
            in said
        )
        with pytest.raises(WebError, match="nor any fetch") as caught:
            await web.fetch("https://a.test/")
        assert caught.value.code == Code.REPLAY_MISS


@pytest.mark.req("replay:values")
async def test_a_route_replays_with_what_each_member_said(studio: Studio) -> None:
    async with studio.recording(search=["a", "b"]) as web:
        web.register_search(ScriptedSearch("a", [WebError(Code.RATE_LIMITED, "Slow.", dispatched=True)]))
        web.register_search(ScriptedSearch("b", [WebError(Code.PROVIDER_ERROR, "Broken.")]))
        recorded = await told(web, "search", "kelp")
    events: list[Event] = []
    above = Dispatch()
    async with studio.replaying(search=["a", "b"], emit=events.append) as web:
        with pytest.raises(WebError) as caught:
            await web.search("kelp", call=Call(dispatch=above))
    assert {**vars(caught.value), "text": str(caught.value)} == recorded
    assert isinstance(caught.value.__cause__, ExceptionGroup)
    assert [str(one) for one in caught.value.__cause__.exceptions] == [
        "WEB_RATE_LIMITED: Slow.",
        "WEB_PROVIDER_ERROR: Broken.",
    ]
    assert events == [AttemptEnded(capability="search", attempt=one) for one in caught.value.attempts]
    assert above.sent


@pytest.mark.req("replay:gate")
async def test_a_replayed_page_and_its_hops_are_asked_of_the_gate(studio: Studio) -> None:
    hop = Redirect(status_code=302, url="https://a.test/end")
    asked: list[tuple[str, str]] = []

    async def gate(request: AccessRequest, /) -> Verdict:
        asked.append((request.kind, request.target))
        return Verdict(allowed=request.kind == "fetch")

    async with studio.recording(fetch="mine") as web:
        web.register_fetch(ScriptedFetch("mine", [page("https://a.test/end", redirects=(hop,))]))
        await web.fetch("https://a.test")
    async with studio.replaying(fetch="mine", gate=gate) as web:
        with pytest.raises(WebError) as caught:
            await web.fetch("HTTPS://a.test/")
    assert caught.value.code == Code.DENIED
    assert asked == [("fetch", "https://a.test/"), ("redirect", "https://a.test/end")]


@pytest.mark.req("replay:cancelled")
async def test_what_the_host_gave_up_waits_to_be_given_up_again(studio: Studio) -> None:
    async with studio.recording(search="mine") as web:
        web.register_search(ScriptedSearch("mine", [STALLED]))
        recorded = await Toolset(web).call("web_search", {"query": "kelp"}, timeout=0.05)
    assert recorded.error is not None
    assert recorded.error["code"] == Code.TOOL_TIMEOUT
    assert len(recorded.error["attempts"]) == 1
    async with studio.replaying(search="mine") as web:
        assert await Toolset(web).call("web_search", {"query": "kelp"}, timeout=0.05) == recorded
    async with studio.replaying(search="mine") as web:
        with pytest.raises(WebError) as caught:
            await web.search("kelp", call=Call(deadline=Deadline.after(0.01)))
    assert caught.value.code == Code.SEARCH_TIMEOUT
    assert [one.provider for one in caught.value.attempts] == ["mine"]


# To the byte -------------------------------------------------------------------------------------------


@pytest.mark.req("replay:bytes", "replay:no-network")
async def test_a_run_replays_to_the_byte_without_sockets_keys_or_plugins(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = {"search": {"provider": "echo"}, "tools": {"fetch_chars": 2000}}
    studio.desk.env(ECHO_API_KEY="key-that-is-secret")
    with site(pages) as base:

        async def run(web: Web) -> list[Any]:
            tools = Toolset(web)
            try:
                first = [await tools.call("web_search", {"query": "kelp"}) for _ in range(2)]
                wrong = await tools.call("web_search", {"question": {"deep": object()}})
                page = await tools.call("web_fetch", {"url": f"{base}/a"})
                calls = ({"url": f"{base}/a", "offset": 100}, {"url": f"{base}/b"}, {"url": f"{base}/c"}, {"url": "x"})
                beside = await asyncio.gather(*(tools.call("web_fetch", one) for one in calls))
                return [*first, wrong, page, *beside]
            finally:
                await tools.aclose()

        async with studio.recording(config=config | {"fetch": LOOPBACK}) as web:
            recorded = await run(web)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if not one.endswith("toys")])
    with no_sockets():
        async with studio.replaying(config=config) as web:
            assert "Kelp" in recorded[-2].text
            replayed = await run(web)
    assert [one.text.replace("key-that-is-secret", REMOVED) for one in recorded] == [one.text for one in replayed]
    assert recorded[2:] == replayed[2:]
    nonces = [one.text.partition("line with ")[2][:32] for one in recorded if "line with " in one.text]
    assert len(set(nonces)) == len(nonces) == 6


@pytest.mark.req("replay:bytes")
async def test_a_page_that_had_to_be_fetched_again_is_fetched_again(studio: Studio) -> None:
    first, second = page("https://a.test/", "First. " * 100), page("https://a.test/", "Second. " * 100)
    clock = ManualClock()

    async def run(web: Web) -> list[Any]:
        tools = Toolset(web)
        whole = await tools.call("web_fetch", {"url": "https://a.test/"})
        kept = await tools.call("web_fetch", {"url": "https://a.test/", "offset": 10})
        clock.advance(86_400)
        again = await tools.call("web_fetch", {"url": "https://a.test/", "offset": 10})
        await tools.aclose()
        return [whole, kept, again]

    async with studio.recording(fetch="mine", seams=Seams(clock=clock)) as web:
        web.register_fetch(ScriptedFetch("mine", [first, second]))
        recorded = await run(web)
    assert "Second" in recorded[2].text
    async with studio.replaying(fetch="mine") as web:
        assert await run(web) == recorded


@pytest.mark.req("replay:bytes")
async def test_what_is_said_for_want_of_a_key_is_said_again_whatever_keys_are_set_then(studio: Studio) -> None:
    async with studio.recording(offline=True) as web:
        recorded = web.tools
        assert recorded.search_notice is not None
        with pytest.raises(WebError):
            await web.search("kelp")
    async with webseam.open(
        environ={"HOME": str(studio.desk.home), "EXA_API_KEY": "k" * 20}, cwd=studio.desk.cwd, replay=studio.file
    ) as web:
        assert web.tools == recorded
        with pytest.raises(WebError) as caught:
            await web.search("kelp")
        assert (caught.value.code, caught.value.provider) == (Code.OFFLINE, "exa-mcp")


# Secrets -----------------------------------------------------------------------------------------------

SECRETS = {
    "literal": "literal-key-0001",
    "variable": "variable-key-0002",
    "first": "first-of-many-0003",
    "second": "second-of-many-0004",
    "named": "named-variable-0005",
    "filed": 'filed-"key"-0006',
    "fetching": "fetch%20proxy-0007",
    "vendors": "vendor-proxy-0008",
    "header": "header-value-0009",
}


@pytest.mark.req("replay:secrets")
async def test_no_secret_stands_in_a_recording_wherever_an_answer_repeats_it(studio: Studio) -> None:
    keys = studio.desk.home / "keys"
    keys.write_text(f"OTHER_KEY={SECRETS['filed']}\n", encoding="utf-8")
    keys.chmod(0o600)
    studio.desk.env(ECHO_API_KEY=SECRETS["variable"], MANY=SECRETS["named"]).user(f"""
[search]
fanout = ["echo", "one", "two", "three", "four"]
proxy = "http://me:{SECRETS["vendors"]}@127.0.0.1:9"
[fetch]
proxy = "http://me:{SECRETS["fetching"]}@127.0.0.1:9"
[secrets]
file = "{keys}"
[providers.one]
kind = "echo"
key = "{SECRETS["literal"]}"
[providers.two]
kind = "echo"
keys = ["{SECRETS["first"]}", "{SECRETS["second"]}"]
[providers.three]
kind = "echo"
key_env = "MANY"
[providers.four]
kind = "echo"
key_env = "OTHER_KEY"
[providers.custom]
url = "https://api.example/"
headers = {{ "X-Key" = "{SECRETS["header"]}" }}
""")
    leak = " ".join(SECRETS.values())
    hostile = SearchResult(
        provider="custom",
        content=leak,
        sources=(Source(url=f"https://a.test/?{SECRETS['literal']}", title=leak, snippet=leak),),
        notices=(leak,),
        raw={leak: [leak, {"deep": leak}]},
    )
    async with studio.recording() as web:
        for result in (await web.search(leak), await web.search("kelp", call=Call(raw=True))):
            assert SECRETS["literal"] in str(result.content)
        assert (await told(web, "fetch", "http://me:userinfo-0010@a.test/"))["code"] == Code.BLOCKED_URL
        assert (await told(web, "fetch", "http://127.0.0.1:9/"))["code"] != Code.OFFLINE
    async with studio.recording(search="hostile") as web:
        web.register_search(ScriptedSearch("hostile", [hostile, WebError("X", f"Your key {leak} is bad.")]))
        await web.search("kelp", call=Call(raw=True))
        await told(web, "search", leak)
    found = [secret for secret in (*SECRETS.values(), "fetch proxy-0007", "userinfo-0010") if secret in studio.text]
    assert found == []
    assert json.dumps(SECRETS["filed"])[1:-1] not in studio.text
    assert REMOVED in studio.text


@pytest.mark.req("replay:secrets")
async def test_a_key_that_is_rotated_while_a_call_runs_is_no_less_a_secret(studio: Studio) -> None:
    studio.desk.env(ECHO_API_KEY="before-rotation")

    async def rotated(_request: SearchRequest, _call: Call) -> SearchResult:
        studio.desk.env(ECHO_API_KEY="after-rotation")
        return SearchResult(provider="mine", content="before-rotation after-rotation")

    async with studio.recording(search="mine", config={"providers": {"echo": {}}}) as web:
        web.register_search(ScriptedSearch("mine", [rotated]))
        await web.search("kelp")
    assert "rotation" not in studio.text


# Files -------------------------------------------------------------------------------------------------


@pytest.mark.req("replay:one-of")
def test_a_run_is_recorded_or_replayed(studio: Studio) -> None:
    for wrong in (lambda: Edge(record=Path("a"), replay=Path("b")), lambda: studio.recording(replay="b")):
        with pytest.raises(WebError, match="not both") as caught:
            wrong()
        assert caught.value.code == Code.INVALID_ARGS


@pytest.mark.req("replay:damage", "replay:cut")
async def test_a_library_user_is_told_of_a_cut_and_refused_a_damaged_file(
    studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    async with studio.recording(search="mine") as web:
        web.register_search(ScriptedSearch("mine", [hits()]))
        await web.search("kelp")
    studio.file.write_bytes(studio.file.read_bytes() + b'{"call"')
    async with studio.replaying(search="mine") as web:
        assert (await web.search("kelp")).provider == "mine"
    assert "line 4 was cut" in caplog.text
    studio.file.write_bytes(studio.file.read_bytes() + b"\n")
    with pytest.raises(WebError, match="line 4 is no JSON object"):
        studio.replaying()


@pytest.mark.req("replay:append")
async def test_a_recording_that_cannot_be_written_ends_the_call(studio: Studio) -> None:
    async with studio.recording(search="mine") as web:
        web.register_search(ScriptedSearch("mine", [hits()]))
        studio.file.unlink()
        studio.file.mkdir()
        with pytest.raises(WebError, match="cannot be written") as caught:
            await web.search("kelp")
        assert caught.value.code == Code.CONFIG_INVALID


@pytest.mark.req("replay:values")
async def test_html_is_converted_anew_from_the_recorded_body(studio: Studio) -> None:
    body = HtmlBody(content="<h1>\ud800Kelp</h1>")
    shown = FetchResult(provider="mine", url="https://a.test/", status_code=200, body=body, media_type="text/html")
    async with studio.recording(fetch="mine") as web:
        web.register_fetch(ScriptedFetch("mine", [shown]))
        recorded = await web.fetch("https://a.test/")
    async with studio.replaying(fetch="mine") as web:
        assert await web.fetch("https://a.test/") == recorded
