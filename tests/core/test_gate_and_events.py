"""Permission is asked once and fails closed; observers hear everything in order: design 2, dsh-68."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from support.core import bare, extract, failing, hits, page, refused, searching
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.events import AccessDecided, AttemptDispatched, AttemptEnded, Event, RequestRecorded, Selected
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.selection import FanOut
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing import ManualClock, ScriptedExtract, ScriptedFetch, ScriptedSearch


class Doorman:
    """A gate that remembers what it was asked."""

    def __init__(self, *, allowed: bool = True, reason: str | None = None) -> None:
        self.asked: list[AccessRequest] = []
        self.verdict = Verdict(allowed=allowed, reason=reason)

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        self.asked.append(request)
        return self.verdict


def pages(*providers: ScriptedFetch, **options: object) -> Web:
    web = Web(**options)  # type: ignore[arg-type]
    for one in providers:
        web.register_fetch(one)
    return web


@pytest.mark.req("core:gate:once")
@pytest.mark.parametrize("choice", [None, ["x", "y"], FanOut(("x",))])
async def test_a_search_asks_the_gate_once(choice: list[str] | FanOut | None) -> None:
    gate = Doorman()
    web = searching(ScriptedSearch("x", [bare()]), search=choice, gate=gate)
    await web.search(" kelp ", call=Call(autonomous=True))
    assert gate.asked == [AccessRequest(kind="search", target=" kelp ", autonomous=True)]


@pytest.mark.req("core:gate:once")
async def test_a_fetch_asks_the_gate_once_over_a_whole_route_about_the_canonical_url() -> None:
    gate, last = Doorman(), ScriptedFetch("y", [page()])
    web = pages(ScriptedFetch("x", [failing()]), last, fetch=["x", "y"], gate=gate)
    await web.fetch("HTTP://EXAMPLE.test:80/a/../b#f")
    assert gate.asked == [AccessRequest(kind="fetch", target="http://example.test/b#f")]
    assert last.script.requests[0].url == "http://example.test/b#f"


@pytest.mark.req("core:gate:once")
async def test_a_provider_that_asks_for_each_hop_itself_is_not_asked_for() -> None:
    gate, http = Doorman(), ScriptedFetch("http", [page()], asks_gate=True)
    await pages(http, gate=gate).fetch("HTTP://EXAMPLE.test/")
    assert gate.asked == []
    assert http.script.requests[0].url == "HTTP://EXAMPLE.test/"


@pytest.mark.req("core:gate:once")
async def test_an_extraction_is_asked_for_under_its_own_kind() -> None:
    gate, one = Doorman(), ScriptedExtract("x", [extract()])
    web = Web(gate=gate)
    web.register_extract(one)
    await web.extract("https://EXAMPLE.test")
    assert [(asked.kind, asked.target) for asked in gate.asked] == [("extract", "https://example.test/")]
    assert one.script.requests[0].url == "https://example.test/"


@pytest.mark.req("core:gate:denied")
async def test_what_the_gate_denies_never_reaches_a_provider() -> None:
    gate = Doorman(allowed=False, reason="Only docs.test may be read.")
    search, fetch, spare = ScriptedSearch("s", [hits()]), ScriptedFetch("x", [page()]), ScriptedFetch("y", [page()])
    web = pages(fetch, spare, fetch=["x", "y"], gate=gate)
    web.register_search(search)
    for work in (web.search("kelp"), web.fetch("https://a.test/")):
        error = await refused(work)
        assert (error.code, error.message, error.dispatched) == (Code.DENIED, "Only docs.test may be read.", False)
    assert (search.script.requests, fetch.script.requests, spare.script.requests) == ([], [], [])
    assert "permission policy" in (await refused(searching(search, gate=Doorman(allowed=False)).search("x"))).message


@pytest.mark.req("core:gate:denied")
async def test_the_gate_of_the_call_wins_over_the_seams() -> None:
    web = searching(ScriptedSearch("s", [hits()]), gate=Doorman(allowed=False))
    assert (await web.search("kelp", call=Call(gate=Doorman()))).provider == "s"


@pytest.mark.req("core:gate:fails-closed")
@pytest.mark.parametrize("fault", [RuntimeError("secret path"), TimeoutError()], ids=repr)
async def test_a_gate_that_fails_is_a_denial(fault: Exception) -> None:
    async def broken(_request: AccessRequest, /) -> Verdict:
        raise fault

    search, fetch = ScriptedSearch("s", [hits()]), ScriptedFetch("x", [page()])
    web = pages(fetch, fetch=["x", "y"], gate=broken)
    web.register_search(search)
    for work in (web.search("kelp"), web.fetch("https://a.test/")):
        error = await refused(work)
        assert (error.code, error.__cause__) == (Code.DENIED, fault)
        assert "secret path" not in error.message
    assert (search.script.requests, fetch.script.requests) == ([], [])


@pytest.mark.req("core:gate:bounded")
async def test_a_gate_that_waits_for_a_person_waits_no_longer_than_the_call() -> None:
    async def nobody_home(_request: AccessRequest, /) -> Verdict:
        await asyncio.Event().wait()
        return Verdict(allowed=True)

    web = searching(ScriptedSearch("s", [hits()]), gate=nobody_home)
    web.register_fetch(ScriptedFetch("f", [page()]))
    web.register_extract(ScriptedExtract("e", [extract()]))
    late = [
        await refused(web.search("kelp", timeout=0.02)),
        await refused(web.fetch("https://a.test/", timeout=0.02)),
        await refused(web.extract("https://a.test/", timeout=0.02)),
    ]
    assert [one.code for one in late] == [Code.SEARCH_TIMEOUT, Code.FETCH_TIMEOUT, Code.EXTRACT_TIMEOUT]
    assert not any(one.dispatched for one in late)
    abort = asyncio.Event()
    asyncio.get_running_loop().call_soon(abort.set)
    assert (await refused(web.search("kelp", abort=abort))).code == Code.ABORTED


@pytest.mark.req("core:gate:bounded")
@pytest.mark.parametrize("choice", [None, ["x"]])
async def test_a_gate_that_used_up_the_time_leaves_none_to_the_provider(choice: list[str] | None) -> None:
    clock = ManualClock()

    async def slow(_request: AccessRequest, /) -> Verdict:
        clock.advance(60.0)
        return Verdict(allowed=True)

    one = ScriptedSearch("x", [hits()])
    error = await refused(searching(one, search=choice, gate=slow, clock=clock).search("kelp"))
    assert (error.code, error.dispatched, one.script.requests) == (Code.SEARCH_TIMEOUT, False, [])


@pytest.mark.req("core:gate:held-page")
async def test_a_page_already_here_is_held_to_the_same_rules() -> None:
    gate = Doorman()
    web = Web(gate=gate)
    await web.permit_fetch("HTTPS://a.test", final="https://www.a.test/#x")
    await web.permit_fetch("https://a.test/", final="https://a.test/#x")
    assert [(one.kind, one.target) for one in gate.asked] == [
        ("fetch", "https://a.test/"),
        ("redirect", "https://www.a.test/#x"),
        ("fetch", "https://a.test/"),
    ]
    assert (await refused(web.permit_fetch("https://u:p@a.test/"))).code == Code.BLOCKED_URL
    assert (await refused(Web(gate=Doorman(allowed=False)).permit_fetch("https://a.test/"))).code == Code.DENIED


def recorder(seen: list[Event]) -> Callable[[Event], None]:
    return seen.append


@pytest.mark.req("core:events:order")
async def test_an_observer_hears_permission_selection_request_and_end_in_order() -> None:
    seen: list[Event] = []

    async def run(_request: SearchRequest, call: Call) -> SearchResult:
        call.emit(RequestRecorded(provider="x", endpoint="https://api.test/search", body={"q": "kelp"}))
        call.dispatch.mark()
        return hits()

    web = searching(ScriptedSearch("x", [run]), gate=Doorman(), emit=recorder(seen))
    result = await web.search("kelp")
    assert seen == [
        AccessDecided(kind="search", target="kelp", allowed=True),
        Selected(capability="search", provider="x", configured=False),
        RequestRecorded(provider="x", endpoint="https://api.test/search", body={"q": "kelp"}),
        AttemptDispatched(capability="search", provider="x"),
        AttemptEnded(capability="search", attempt=result.attempts[0]),
    ]


@pytest.mark.req("core:events:order")
async def test_each_member_of_a_route_is_selected_and_ends() -> None:
    seen: list[Event] = []
    web = searching(ScriptedSearch("x", [failing()]), ScriptedSearch("y", [hits()]), search=["ghost", "x", "y"])
    await web.search("kelp", call=Call(emit=recorder(seen)))
    assert [
        one.provider if isinstance(one, Selected) else one.attempt.outcome
        for one in seen
        if isinstance(one, Selected | AttemptEnded)
    ] == ["x", "failed", "y", "ok"]


class ObserverError(Exception):
    """What an observer raises."""


@pytest.mark.req("core:events:stops")
@pytest.mark.parametrize("mapped", [False, True], ids=["plain", "mapped by the provider"])
@pytest.mark.parametrize("at", [AccessDecided, Selected, RequestRecorded])
@pytest.mark.parametrize("choice", ["x", ["x", "y"], FanOut(("x", "y"))], ids=["one", "route", "fanout"])
async def test_an_observer_that_raises_stops_the_call_before_dispatch(
    choice: str | list[str] | FanOut, at: type[Event], *, mapped: bool
) -> None:
    sent: list[str] = []

    def tell(event: Event) -> None:
        if isinstance(event, at):
            raise ObserverError

    async def run(_request: SearchRequest, call: Call) -> SearchResult:
        try:
            call.emit(RequestRecorded(provider="x", endpoint="https://api.test/", body=None))
        except Exception as exc:
            if mapped:
                raise WebError(Code.PROVIDER_ERROR, "It failed.") from exc
            raise
        sent.append("x")
        return hits()

    spare = ScriptedSearch("y", [run])
    web = searching(ScriptedSearch("x", [run]), spare, search=choice, gate=Doorman(), emit=tell)
    with pytest.raises(ObserverError):
        await web.search("kelp")
    assert sent == []
    assert spare.script.requests == [] or isinstance(choice, FanOut)


@pytest.mark.req("core:events:stops")
async def test_an_observer_that_failed_once_is_heard_again_at_the_next_call() -> None:
    fail = [True, False]

    def tell(_event: Event) -> None:
        if fail.pop(0):
            raise ObserverError
        fail.append(False)

    web = searching(ScriptedSearch("x", [hits()]), emit=tell)
    with pytest.raises(ObserverError):
        await web.search("kelp")
    assert (await web.search("kelp")).provider == "x"


@pytest.mark.req("core:progress:stops")
@pytest.mark.parametrize("mapped", [False, True], ids=["plain", "mapped by the provider"])
@pytest.mark.parametrize("choice", ["x", ["x", "y"]], ids=["one", "route"])
async def test_a_progress_that_raises_ends_the_call_and_blames_nobody(choice: Any, *, mapped: bool) -> None:
    async def run(_request: SearchRequest, call: Call) -> SearchResult:
        try:
            call.attempt().tell("Kelp")
        except Exception as exc:
            if mapped:
                raise WebError(Code.PROVIDER_ERROR, "It failed.") from exc
            raise
        return hits()

    def show(text: str) -> None:
        raise ObserverError(text)

    spare = ScriptedSearch("y", [run])
    mine = Call(progress=show)
    web = searching(ScriptedSearch("x", [run]), spare, search=choice)
    error = await refused(web.search("kelp", call=mine))
    assert (error.code, isinstance(error.__cause__, ObserverError)) == (Code.ABORTED, True)
    assert "progress callback failed (ObserverError)" in error.message
    assert spare.script.requests == []
    assert (await web.search("kelp", call=replace(mine, progress=None))).provider == "x"


@pytest.mark.req("core:progress:route")
async def test_each_member_of_a_route_tells_its_own_text() -> None:
    def telling(*texts: str, then: SearchResult | WebError) -> Callable[..., Awaitable[SearchResult]]:
        async def run(_request: SearchRequest, call: Call) -> SearchResult:
            for text in texts:
                call.tell(text)
            if isinstance(then, WebError):
                raise then
            return then

        return run

    told: list[str] = []
    first = ScriptedSearch("x", [telling("Ke", "Kelp", then=WebError(Code.UPSTREAM_FAILED, "It broke."))])
    second = ScriptedSearch("y", [telling("S", "Sea", then=hits())])
    await searching(first, second, search=["x", "y"]).search("kelp", call=Call(progress=told.append))
    assert told == ["Ke", "Kelp", "S", "Sea"]


@pytest.mark.req("core:dispatch:above")
async def test_who_made_the_call_knows_of_the_dispatch_even_when_it_was_cancelled() -> None:
    async def run(_request: SearchRequest, call: Call) -> SearchResult:
        call.attempt().dispatch.mark()
        await asyncio.Event().wait()
        return hits()

    mine = Call()
    task = asyncio.ensure_future(searching(ScriptedSearch("x", [run]), search=["x"]).search("kelp", call=mine))
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert mine.dispatch.sent
    assert not Call().dispatch.sent
