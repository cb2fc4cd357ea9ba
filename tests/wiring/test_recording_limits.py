"""A recording where things go wrong: a file that takes no more, odd payloads, keys in every spelling, two at once."""

import asyncio
import base64
import json
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

import webseam
from support.core import hits, page
from support.wiring import Desk
from webseam.core.call import Call, ModelRef
from webseam.core.errors import Code, WebError
from webseam.core.types import CacheFacts, SearchRequest, SearchResult, Usage
from webseam.core.web import Web
from webseam.stores.cassette import read_cassette
from webseam.testing import ScriptedFetch, ScriptedSearch
from webseam.tools.toolset import Toolset
from webseam.wiring.hiding import REMOVED


@pytest.fixture
def file(desk: Desk) -> Path:
    """Where the recording goes."""
    return desk.home / "run.jsonl"


def opened(desk: Desk, **more: Any) -> Web:
    return webseam.open(environ=desk.environ, cwd=desk.cwd, **{"search": "mine", "fetch": "mine", **more})


def recording(desk: Desk, file: Path, *script: Any, **more: Any) -> Web:
    web = opened(desk, record=file, **more)
    web.register_search(ScriptedSearch("mine", list(script)))
    return web


def written(file: Path) -> str:
    return file.read_text(encoding="ascii")


def blocked(file: Path) -> None:
    """From here on nothing can be written there."""
    file.unlink(missing_ok=True)
    file.mkdir(exist_ok=True)


# A file that takes no more -----------------------------------------------------------------------------


@pytest.mark.req("replay:unwritten")
async def test_a_call_that_left_and_cannot_be_written_down_says_that_it_left(desk: Desk, file: Path) -> None:
    async def answer(_request: SearchRequest, call: Call) -> SearchResult:
        call.dispatch.mark()
        blocked(file)
        return hits()

    async with recording(desk, file, answer) as web:
        with pytest.raises(WebError, match="cannot be written") as caught:
            await web.search("kelp")
    assert caught.value.dispatched
    assert [one.outcome for one in caught.value.attempts] == ["ok"]


@pytest.mark.req("replay:unwritten")
async def test_a_tool_call_that_cannot_be_written_down_is_an_error_result(desk: Desk, file: Path) -> None:
    async def answer(_request: SearchRequest, call: Call) -> SearchResult:
        call.dispatch.mark()
        blocked(file)
        return hits()

    async with recording(desk, file, answer) as web:
        tools = Toolset(web)
        for result in [await tools.call("web_search", {"query": "kelp"}) for _ in range(2)]:
            assert result.error is not None
            assert (result.error["code"], result.error["dispatched"]) == (Code.CONFIG_INVALID, True)
            assert "may have been billed" in result.text
        wrong = await tools.call("web_search", {"question": "kelp"})
    assert wrong.is_error


@pytest.mark.req("replay:unwritten", "replay:cancelled")
async def test_a_cancellation_passes_though_it_cannot_be_written_down(desk: Desk, file: Path) -> None:
    begun = asyncio.Event()

    async def stall(_request: SearchRequest, _call: Call) -> SearchResult:
        blocked(file)
        begun.set()
        await asyncio.Event().wait()
        return hits()

    async with recording(desk, file, stall) as web:
        task = asyncio.create_task(web.search("kelp"))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
    assert "cannot be written" in str(getattr(caught.value, "__notes__", []))


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """As on a full disk: a write takes what still fits, and the next one fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.req("audit:file")
async def test_a_line_of_which_the_disk_took_a_part_stops_the_call_and_spoils_no_other(desk: Desk) -> None:
    log = desk.home / "audit.jsonl"
    script = ScriptedSearch("mine", [hits()])
    async with opened(desk, config={"log": {"file": str(log)}}) as web:
        web.register_search(script)
        with no_file_above(20), pytest.raises(WebError, match="cannot be written"):
            await web.search("kelp")
        assert script.script.requests == []
        assert log.stat().st_size == 20
        await web.search("kelp")
    cut, *whole = written(log).splitlines()
    assert len(cut) == 20
    assert [json.loads(one)["event"] for one in whole] == ["selected", "attempt_dispatched", "attempt_ended"]


@pytest.mark.req("audit:file")
async def test_an_audit_that_fails_after_the_request_left_says_that_it_left(desk: Desk) -> None:
    log = desk.home / "audit.jsonl"

    async def answer(_request: SearchRequest, call: Call) -> SearchResult:
        call.dispatch.mark()
        blocked(log)
        return hits()

    async with opened(desk, config={"log": {"file": str(log)}}) as web:
        web.register_search(ScriptedSearch("mine", [answer]))
        with pytest.raises(WebError, match=r"log\.file") as caught:
            await web.search("kelp")
    assert caught.value.dispatched


# Payloads ----------------------------------------------------------------------------------------------


@pytest.mark.req("replay:values")
@pytest.mark.parametrize("raw", [{}, [], (1, 2), b"x", {1: {2: ()}}, "\ud83d\ude00", {"a": None}, 0, ""])
async def test_a_raw_payload_is_the_same_in_the_run_and_in_its_replay(desk: Desk, file: Path, raw: Any) -> None:
    async with recording(desk, file, SearchResult(provider="mine", raw=raw)) as web:
        recorded = await web.search("kelp", call=Call(raw=True))
    async with opened(desk, replay=file) as web:
        replayed = await web.search("kelp", call=Call(raw=True))
    assert repr(replayed) == repr(recorded)
    assert recorded.raw is not None


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.req("replay:values")
@pytest.mark.parametrize("raw", [date(2026, 1, 2), object(), nested(100_000)], ids=["date", "object", "deep"])
async def test_a_raw_payload_that_no_json_holds_is_a_recorded_error(desk: Desk, file: Path, raw: Any) -> None:
    said = []
    async with recording(desk, file, SearchResult(provider="mine", raw=raw)) as web:
        with pytest.raises(WebError, match="cannot be recorded") as caught:
            await web.search("kelp", call=Call(raw=True))
        said.append(caught.value.to_dict())
    async with opened(desk, replay=file) as web:
        with pytest.raises(WebError) as caught:
            await web.search("kelp", call=Call(raw=True))
        said.append(caught.value.to_dict())
    assert said[0] == said[1]
    assert said[0]["dispatched"]
    del raw


@pytest.mark.req("replay:unwritten")
async def test_an_outcome_that_no_replay_could_read_does_not_spoil_the_file(desk: Desk, file: Path) -> None:
    wrong: Any = {"status": "x"}
    count: Any = "many"
    odd = SearchResult(provider="mine", usage=Usage(calls=count))
    async with recording(
        desk, file, hits("https://a.test/"), odd, WebError("X", "No.", dispatched=True, **wrong)
    ) as web:
        await web.search("kelp")
        for place in (r"SearchResult\.usage\.calls", "status"):
            with pytest.raises(WebError, match=f"cannot be recorded.*{place}") as caught:
                await web.search("kelp")
            assert caught.value.dispatched
    async with opened(desk, replay=file) as web:
        assert (await web.search("kelp")).sources


@pytest.mark.req("replay:values")
async def test_a_whole_number_of_seconds_stays_whole(desk: Desk, file: Path) -> None:
    shown = page("https://a.test/", retry_after=5, cache=CacheFacts(age=3))
    async with opened(desk, record=file) as web:
        web.register_fetch(ScriptedFetch("mine", [shown]))
        recorded = await web.fetch("https://a.test/")
    async with opened(desk, replay=file) as web:
        assert repr(await web.fetch("https://a.test/")) == repr(recorded)


# Secrets -----------------------------------------------------------------------------------------------

KEY = 'me:abc+/= d"ef&x1'


@pytest.mark.req("replay:secrets")
async def test_a_key_is_hidden_in_every_spelling_that_an_answer_may_echo(desk: Desk, file: Path) -> None:
    told = [
        KEY,
        KEY.partition(":")[2],
        quote(KEY),
        quote(KEY, ""),
        quote_plus(KEY),
        json.dumps(KEY)[1:-1],
        base64.b64encode(KEY.encode()).decode(),
        "bearer-token-01",
        base64.b64encode(b"us er:pass word").decode(),
        "address-pass-02",
        "query-token-03",
        "parameter-key-04",
        "body-secret-05",
    ]
    config = {
        "providers": {
            "exa": {"key": KEY},
            "custom": {
                "base_url": "https://me:address-pass-02@api.example/?token=query-token-03",
                "headers": {"Authorization": "Bearer bearer-token-01"},
                "params": {"api_key": "parameter-key-04", "engine": "kelp"},
                "body": {"auth": {"clientSecret": "body-secret-05", "token": "{query}"}},
                "method": "POST",
                "rows": "results",
            },
        },
        "fetch": {"proxy": "http://us%20er:pass%20word@127.0.0.1:9"},
    }
    async with recording(
        desk, file, SearchResult(provider="mine", notices=(*told, "kelp {query}")), config=config
    ) as web:
        await web.search("kelp")
    [entry] = read_cassette(file).entries
    assert isinstance(entry.result, SearchResult)
    assert [one.replace("Bearer ", "") for one in entry.result.notices] == [*[REMOVED] * len(told), "kelp {query}"]


@pytest.mark.req("replay:secrets")
async def test_a_token_of_the_hosts_model_and_a_key_of_another_capability_are_hidden(desk: Desk, file: Path) -> None:
    desk.env(BRAVE_API_KEY="brave-key-0001", EXA_API_KEY="schlüssel-0002")

    async def auth() -> str:
        return "model-token-0003"

    async def answer(_request: SearchRequest, call: Call) -> SearchResult:
        assert call.model is not None
        assert call.model.auth is not None
        return SearchResult(provider="mine", content=f"{await call.model.auth()} schlüssel-0002")

    async with recording(desk, file, answer) as web:
        model = ModelRef(provider="a", api="b", id="c", auth=auth)
        assert "model-token-0003" in str((await web.search("kelp", call=Call(model=model))).content)
    async with opened(desk, record=file, capabilities=("fetch",)) as web:
        web.register_fetch(ScriptedFetch("mine", [page("https://a.test/", "brave-key-0001")]))
        await web.fetch("https://a.test/?k=brave-key-0001")
    found = [one.result for one in read_cassette(file).entries]
    assert f"content='{REMOVED} {REMOVED}'" in repr(found[0])
    assert "-000" not in written(file)


@pytest.mark.req("audit:file")
async def test_a_key_in_a_question_does_not_reach_the_audit_file(desk: Desk) -> None:
    log = desk.home / "audit.jsonl"
    desk.env(BRAVE_API_KEY="brave-key-0001")
    config = {"log": {"file": str(log)}, "permission": {"deny_hosts": ["b.test"]}}
    async with opened(desk, config=config, capabilities=("fetch",)) as web:
        web.register_fetch(ScriptedFetch("mine", [page("https://a.test/")]))
        await web.fetch("https://a.test/?k=brave-key-0001")
    assert f"https://a.test/?k={REMOVED}" in written(log)
    assert "brave-key" not in written(log)


# Files -------------------------------------------------------------------------------------------------


@pytest.mark.req("replay:two")
async def test_two_recordings_into_one_file_at_once_replay_as_the_two_runs(desk: Desk, file: Path) -> None:
    webs = [recording(desk, file, *[SearchResult(provider="mine", content=name)] * 3) for name in "AB"]
    tools = [Toolset(web) for web in webs]
    recorded: list[list[str]] = [[], []]
    for turn in range(3):
        for which in (turn % 2, 1 - turn % 2):
            recorded[which].append((await tools[which].call("web_search", {"query": "kelp"})).text)
    for web in webs:
        await web.aclose()
    async with opened(desk, replay=file) as web:
        again = [Toolset(web), Toolset(web)]
        replayed = [[(await one.call("web_search", {"query": "kelp"})).text for _ in range(3)] for one in again]
    assert replayed == recorded


@pytest.mark.req("replay:damage")
def test_a_pipe_or_a_device_is_refused_at_once(desk: Desk, file: Path) -> None:
    os.mkfifo(file)
    for place in (file, Path("/dev/zero")):
        with pytest.raises(WebError, match="no regular file") as caught:
            opened(desk, replay=place)
        assert caught.value.code == Code.CONFIG_INVALID
