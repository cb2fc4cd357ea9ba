"""Permission through the tools, as a model, a person and a host meet it: issue 6, design 8, R036."""

import asyncio
from typing import Any

import pytest

from support.core import extract, refused
from support.permission import SECRET, AnyPage, Bench, Person, code
from support.tools import ListedGate, plain
from webseam import (
    AccessDecided,
    AccessRequest,
    Call,
    Code,
    Permission,
    PermissionSettings,
    Question,
    Route,
    Run,
    Toolset,
    Web,
    WebError,
)
from webseam.testing import ScriptedExtract, ScriptedFetch
from webseam.tools.run import Consent


@pytest.mark.req("permission:off")
async def test_without_settings_everything_is_allowed_and_nothing_is_said() -> None:
    pages = AnyPage()
    web = Web()
    web.register_fetch(pages)
    result = await Toolset(web).call("web_fetch", {"url": f"https://a.test/?d={SECRET}"})
    assert (code(result), "permission" in result.meta) == (None, False)
    assert Toolset(web).run is None
    run = Run()
    await Toolset(web, run=run).call("web_fetch", {"url": "https://a.test/"})
    assert (run.has_seen("https://a.test/"), run.calls) == (True, 0)

    bench = Bench()
    assert [code(await bench.fetch(f"https://a.test/?d={SECRET}")), code(await bench.ask())] == [None, None]


@pytest.mark.req("permission:actions")
async def test_searches_and_pages_are_denied_each_by_itself() -> None:
    no_search, no_pages = Bench(search="deny"), Bench(fetch="deny")
    denied = await no_search.ask()
    assert (code(denied), code(await no_search.fetch("https://a.test/"))) == ("WEB_DENIED", None)
    assert "permission.search" in denied.text
    denied = await no_pages.fetch("https://a.test/")
    assert (code(denied), code(await no_pages.ask())) == ("WEB_DENIED", None)
    assert "permission.fetch" in denied.text
    assert (no_search.search.asked, no_pages.pages.asked) == ([], [])


@pytest.mark.req("permission:actions", "permission:budget:calls")
async def test_an_extraction_is_held_to_the_rules_of_pages() -> None:
    gate = Permission(PermissionSettings(allow_hosts=("a.test",), max_calls=1))
    web, one = Web(gate=gate), ScriptedExtract("x", [extract(url="https://a.test/")] * 2)
    web.register_extract(one)
    assert (await refused(web.extract("https://b.test/"))).code == "WEB_DENIED"
    await web.extract("https://a.test/")
    assert (await refused(web.extract("https://a.test/"))).code == "WEB_BUDGET_EXHAUSTED"
    assert len(one.script.requests) == 1


@pytest.mark.req("permission:actions")
async def test_the_gate_takes_no_target_that_is_no_web_url() -> None:
    verdict = await Permission()(AccessRequest(kind="extract", target="file:///etc/passwd"))
    assert not verdict.allowed


@pytest.mark.req("permission:ask:nobody")
@pytest.mark.parametrize("setting", ["fetch", "unseen"])
async def test_a_question_with_nobody_to_ask_is_a_denial(setting: str) -> None:
    settings: dict[str, Any] = {setting: "ask"}
    bench = Bench(**settings)
    result = await bench.fetch("https://a.test/")
    assert (code(result), bench.reached) == ("WEB_DENIED", 0)
    assert "nobody can be asked" in result.text
    assert f"permission.{setting}" in result.text


@pytest.mark.req("permission:ask:person")
async def test_the_person_is_asked_for_this_one_and_shown_what_always_would_allow() -> None:
    person = Person("allow", "deny", "allow")
    bench = Bench(Run(ask=person), unseen="ask", search="ask")
    url = f"https://a.test:8443/x?d={SECRET}"
    assert code(await bench.fetch(url)) is None
    denied = await bench.fetch("https://b.test/")
    assert (code(denied), "did not allow" in denied.text) == ("WEB_DENIED", True)
    assert code(await bench.ask()) is None
    assert [(one.site, one.flags) for one in person.asked] == [
        ("https://a.test:8443", ("unseen", "query", "data")),
        ("https://b.test", ("unseen",)),
        ("search", ()),
    ]
    assert person.asked[0].request.target == url
    assert code(await bench.fetch(url)) is None  # read once, it is seen
    assert len(person.asked) == 3


@pytest.mark.req("permission:ask:person")
@pytest.mark.parametrize("said", ["yes", True, None, "*"])
async def test_an_answer_that_is_none_of_the_three_is_a_denial(said: Any) -> None:
    bench = Bench(Run(ask=Person(said)), fetch="ask")
    assert code(await bench.fetch("https://a.test/")) == "WEB_DENIED"


@pytest.mark.req("permission:ask:person")
async def test_a_question_that_fails_or_that_nobody_answers_in_time_allows_nothing() -> None:
    async def broken(_question: Question) -> Consent:
        raise OSError("the window is gone")

    async def silent(_question: Question) -> Consent:
        await asyncio.Event().wait()
        return "allow"

    failed = Bench(Run(ask=broken), fetch="ask")
    assert code(await failed.fetch("https://a.test/")) == "WEB_DENIED"
    waiting = Bench(Run(ask=silent), fetch="ask")
    late = await waiting.tools.call("web_fetch", {"url": "https://a.test/"}, timeout=0.05)
    assert (code(late), waiting.reached, waiting.run.calls) == ("TOOL_TIMEOUT", 0, 0)
    again = await waiting.tools.call("web_fetch", {"url": "https://a.test/"}, timeout=0.05)
    assert code(again) == "TOOL_TIMEOUT"  # the first question holds nobody up


@pytest.mark.req("permission:ask:always", "permission:ask:person")
async def test_always_allows_the_origin_and_asks_each_once() -> None:
    person = Person("always", "deny", "deny")
    bench = Bench(Run(ask=person), fetch="ask", unseen="ask")
    same = [bench.fetch(f"https://a.test/{number}?q={number}") for number in range(5)]
    assert [code(one) for one in await asyncio.gather(*same)] == [None] * 5
    assert (len(person.asked), bench.run.allowed) == (1, ("https://a.test",))
    for url in ("https://b.test/", "https://w.a.test/"):
        assert code(await bench.fetch(url)) == "WEB_DENIED"
    assert len(person.asked) == 3
    later = Bench(Run(allowed=bench.run.allowed), fetch="ask")
    assert [code(await later.fetch(url)) for url in ("https://a.test/z", "http://a.test/z")] == [None, "WEB_DENIED"]


@pytest.mark.req("permission:policy")
async def test_a_policy_of_the_host_is_asked_about_what_the_rules_allow() -> None:
    mine = ListedGate(denied={"https://a.test/no"})
    bench = Bench(also=mine, deny_hosts=("bad.test",), max_calls=1)
    urls = ("https://bad.test/", "https://a.test/no", "https://a.test/yes")
    assert [code(await bench.fetch(url)) for url in urls] == ["WEB_DENIED", "WEB_DENIED", None]
    assert mine.asked == [("fetch", "https://a.test/no"), ("fetch", "https://a.test/yes")]
    assert bench.run.calls == 1


@pytest.mark.req("permission:policy")
async def test_a_gate_of_the_call_stands_in_place_of_the_seams() -> None:
    bench = Bench(fetch="deny")
    own = Run()
    allowed = Call(gate=Permission(PermissionSettings(max_calls=1), run=own))
    for wanted in (None, "WEB_BUDGET_EXHAUSTED"):
        result = await bench.tools.call("web_fetch", {"url": "https://a.test/"}, call=allowed)
        assert code(result) == wanted
    assert (own.calls, own.has_seen("https://a.test/"), bench.run.has_seen("https://a.test/")) == (1, True, False)


@pytest.mark.req("permission:told")
async def test_every_decision_is_an_event_and_stands_in_the_meta() -> None:
    bench = Bench(unseen="deny")
    await bench.ask()
    result = await bench.fetch("https://a.test/?q=1")
    decided = [one for one in bench.events if isinstance(one, AccessDecided)]
    assert [(one.kind, one.allowed, one.rule, one.flags) for one in decided] == [
        ("search", True, None, ()),
        ("fetch", False, "unseen", ("unseen", "query")),
    ]
    (told,) = result.meta["permission"]
    assert told == {
        "kind": "fetch",
        "target": "https://a.test/?q=1",
        "allowed": False,
        "rule": "unseen",
        "reason": decided[1].reason,
        "flags": ["unseen", "query"],
    }
    assert (result.error or {})["message"] == decided[1].reason
    read = await bench.fetch("https://hit.test/?id=1")
    assert read.meta["permission"] == [{"kind": "fetch", "target": "https://hit.test/?id=1", "allowed": True}]
    assert (bench.tools.view("web_fetch", {"url": "https://hit.test/?id=1"}, read.meta) or {})["status_code"] == 200


@pytest.mark.req("permission:run:own")
async def test_runs_that_share_a_toolset_share_neither_sight_nor_budget() -> None:
    bench = Bench(unseen="deny", max_calls=1)
    one, other = Run(), Run()
    one.saw("https://a.test/")
    args = {"url": "https://a.test/"}
    results = [await bench.tools.call("web_fetch", args, run=run) for run in (other, one, one)]
    assert [code(result) for result in results] == ["WEB_DENIED", None, "WEB_BUDGET_EXHAUSTED"]
    assert [run.calls for run in (bench.run, one, other)] == [0, 1, 0]
    await bench.tools.call("web_search", {"query": "kelp"}, run=other)
    assert [run.has_seen("https://hit.test/?id=1") for run in (bench.run, one, other)] == [False, False, True]


@pytest.mark.req("permission:run:own")
async def test_a_toolset_serves_the_run_that_it_was_given_else_the_seams() -> None:
    bench, mine = Bench(unseen="deny"), Run()
    assert bench.tools.run is bench.run
    mine.saw("https://a.test/")
    tools = Toolset(bench.web, run=mine)
    assert code(await tools.call("web_fetch", {"url": "https://a.test/"})) is None
    assert (mine.calls, bench.run.calls) == (1, 0)


@pytest.mark.req("permission:actions")
async def test_the_seam_by_itself_keeps_to_the_same_rules() -> None:
    bench = Bench(unseen="deny", search="deny")
    for work in (bench.web.search("kelp"), bench.web.fetch("https://a.test/")):
        assert (await refused(work)).code == "WEB_DENIED"
    assert bench.reached == 0


@pytest.mark.req("permission:ask:kept", "permission:run:own")
@pytest.mark.parametrize("args", [{"offset": 2}, {"find": "text"}])
async def test_what_one_run_was_allowed_to_read_another_one_is_asked_about(args: dict[str, Any]) -> None:
    first, other = Person("allow"), Person("deny", "allow")
    bench = Bench(Run(ask=first), fetch="ask", unseen="ask")
    await bench.fetch("https://a.test/")
    assert code(await bench.fetch("https://a.test/", **args)) is None
    second = Run(ask=other)
    call = {"url": "https://a.test/", **args}
    read = [await bench.tools.call("web_fetch", call, run=second) for _ in range(3)]
    assert [code(one) for one in read] == ["WEB_DENIED", None, None]
    assert (len(first.asked), len(other.asked), bench.reached) == (1, 2, 1)


@pytest.mark.req("permission:run:own")
async def test_a_gate_of_the_call_is_held_to_the_run_that_the_call_is_of() -> None:
    bench, run = Bench(), Run()
    run.saw("https://a.test/")
    call = Call(gate=Permission(PermissionSettings(unseen="deny")))
    assert code(await bench.tools.call("web_fetch", {"url": "https://a.test/"}, call=call, run=run)) is None
    assert code(await bench.tools.call("web_fetch", {"url": "https://b.test/"}, call=call, run=run)) == "WEB_DENIED"
    assert run.calls == 1


@pytest.mark.req("permission:ask:person")
async def test_a_dialog_that_is_closed_is_a_denial_and_ends_nothing_else() -> None:
    async def closed(_question: Question) -> Consent:
        window = asyncio.ensure_future(asyncio.Event().wait())
        asyncio.get_running_loop().call_soon(window.cancel)
        await window
        return "allow"

    bench = Bench(Run(ask=closed), fetch="ask", search="ask")
    assert [code(await bench.ask()), code(await bench.fetch("https://a.test/"))] == ["WEB_DENIED"] * 2
    assert bench.reached == 0


@pytest.mark.req("permission:ask:route", "permission:budget:calls")
@pytest.mark.parametrize("asks", [(True, True), (True, False), (False, True), (False, False)])
async def test_the_members_of_a_route_are_one_fetch_and_one_question(asks: tuple[bool, bool]) -> None:
    async def asked(request: Any, call: Call) -> Any:
        await call.permit("fetch", request.url)
        return plain("text", url=request.url)

    async def broken(request: Any, call: Call) -> Any:
        await asked(request, call)
        raise WebError(Code.PROVIDER_ERROR, "It broke.")

    person = Person("allow", "deny")
    gate = Permission(PermissionSettings(fetch="ask", max_calls=1), run=Run(ask=person))
    web = Web(gate=gate, fetch=Route(("one", "two")))
    for id_, own, work in zip(("one", "two"), asks, (broken, asked), strict=True):
        web.register_fetch(ScriptedFetch(id_, [work], asks_gate=own))
    await web.fetch("https://a.test/")
    assert (len(person.asked), gate.run.calls) == (1, 1)


@pytest.mark.req("permission:policy", "permission:budget:calls")
@pytest.mark.parametrize("again", [False, True])
async def test_a_permission_beside_another_one_shares_its_run_and_counts_once(*, again: bool) -> None:
    run = Run()
    run.saw("https://a.test/")
    first = PermissionSettings(unseen="deny", max_calls=2)
    gate = Permission(PermissionSettings(deny_hosts=("b.test",)), also=Permission(first, run=run))
    pages = AnyPage()
    web = Web(gate=gate)
    web.register_fetch(pages)
    if again:  # another conversation over the same object
        run = Run()
        run.saw("https://a.test/")
    tools = Toolset(web, run=run)
    assert tools.run is run
    wanted = ["https://c.test/", "https://b.test/", "https://a.test/", "https://a.test/", "https://a.test/"]
    codes = [code(await tools.call("web_fetch", {"url": url})) for url in wanted]
    assert codes == ["WEB_DENIED", "WEB_DENIED", None, None, "WEB_BUDGET_EXHAUSTED"]
    assert (run.calls, len(pages.asked)) == (2, 2)
    assert Permission(also=Permission(run=run)).run is run
