"""The public fakes keep the provider contract: style 4.11."""

import asyncio

import pytest

import webseam.testing
from support.core import DISPATCHED, bare, extract, failing, hits, page, refused, searching
from webseam.core.call import Call
from webseam.core.errors import Code
from webseam.core.types import FetchRequest, SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing import STALLED, ManualClock, ScriptedExtract, ScriptedFetch, ScriptedSearch


@pytest.mark.req("testing:fakes:script")
async def test_outcomes_come_in_order_under_the_fakes_own_id_and_the_last_repeats() -> None:
    one = ScriptedSearch("mine", [hits("https://a.test/"), failing(Code.RATE_LIMITED), bare()])
    web = searching(one)
    assert (await web.search("one")).provider == "mine"
    assert (await refused(web.search("two"))).code == Code.RATE_LIMITED
    assert [(await web.search("more")).grounding for _ in range(2)] == ["ungrounded", "ungrounded"]
    assert [request.query for request in one.script.requests] == ["one", "two", "more", "more"]


@pytest.mark.req("testing:fakes:script")
async def test_all_three_capabilities_have_a_fake() -> None:
    web = Web()
    web.register_fetch(ScriptedFetch("f", [page(text="body")]))
    web.register_extract(ScriptedExtract("e", [extract(text="# Title")]))
    assert (await web.fetch("https://a.test/")).provider == "f"
    assert (await web.extract("https://a.test/")).markdown == "# Title"


@pytest.mark.req("testing:fakes:honest")
@pytest.mark.parametrize(
    ("end", "dispatched"),
    [
        (hits(), True),
        (failing(), False),
        (failing(dispatched=DISPATCHED), True),
        (OSError("reset"), True),
    ],
)
async def test_a_fake_marks_its_dispatch_as_an_honest_provider_does(
    end: SearchResult | Exception, *, dispatched: bool
) -> None:
    call = Call()
    try:
        await ScriptedSearch("x", [end]).search(SearchRequest(query="kelp"), call=call)
    except Exception as raised:  # noqa: BLE001 - whatever the script says
        assert raised is end  # noqa: PT017 - both ways out are looked at
    assert call.dispatch.sent is dispatched


@pytest.mark.req("testing:fakes:honest")
async def test_a_step_of_your_own_sees_the_request_and_the_call_and_marks_for_itself() -> None:
    seen: list[tuple[FetchRequest, Call]] = []

    async def step(request: FetchRequest, call: Call) -> object:
        seen.append((request, call))
        return page(request.url)

    call, request = Call(), FetchRequest(url="https://a.test/x")
    result = await ScriptedFetch("f", [step]).fetch(request, call=call)  # type: ignore[list-item]
    assert (result.url, seen, call.dispatch.sent) == ("https://a.test/x", [(request, call)], False)


@pytest.mark.req("testing:fakes:honest")
async def test_a_stalled_vendor_ends_by_cancellation_alone_and_counts_it() -> None:
    one = ScriptedExtract("e", [STALLED])
    web = Web()
    web.register_extract(one)
    task = asyncio.ensure_future(web.extract("https://a.test/"))
    for _ in range(3):
        await asyncio.sleep(0)
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert one.script.cancelled == 1


@pytest.mark.req("testing:fakes:script")
def test_availability_and_its_reason_are_scripted_for_each() -> None:
    fakes = (
        ScriptedSearch("s", [hits()], available=False, reason="no key"),
        ScriptedFetch("f", [page()], available=False, reason="no key"),
        ScriptedExtract("e", [extract()], available=False, reason="no key"),
    )
    for one in fakes:
        assert (one.available(), one.unavailable_reason()) == (False, "no key")
        one.usable = True
        assert one.available()


@pytest.mark.req("testing:fakes:script")
def test_a_script_without_outcomes_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one outcome"):
        ScriptedSearch("x", [])


@pytest.mark.req("testing:fakes:clock")
def test_a_manual_clock_moves_by_hand_and_never_back() -> None:
    clock = ManualClock(5.0)
    assert (clock(), clock()) == (5.0, 5.0)
    clock.advance(2.5)
    assert clock() == 7.5
    with pytest.raises(ValueError, match="cannot go back"):
        clock.advance(-1.0)


@pytest.mark.req("testing:fakes:script")
def test_all_names_what_is_there() -> None:
    assert all(hasattr(webseam.testing, name) for name in webseam.testing.__all__)


@pytest.mark.req("core:web:close")
async def test_closing_runs_what_was_added_last_first_and_only_once() -> None:
    steps: list[str] = []

    def closer(name: str) -> object:
        async def close() -> None:
            steps.append(name)

        return close

    async with Web() as web:
        for name in ("one", "two"):
            web.at_close(closer(name))  # type: ignore[arg-type]
    await web.aclose()
    assert steps == ["two", "one"]
