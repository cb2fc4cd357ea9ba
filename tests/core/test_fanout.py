"""Several providers at once, merged by reciprocal rank: design 4."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import DISPATCHED, bare, failing, hits, refused, searching, told
from webseam.core.call import Call
from webseam.core.deadline import Bounded, Deadline
from webseam.core.errors import Code
from webseam.core.events import AttemptEnded, Event
from webseam.core.routes import RANK_CONSTANT, fuse
from webseam.core.selection import FanOut
from webseam.core.types import SearchRequest, SearchResult, Source, Usage
from webseam.core.web import Web
from webseam.testing import STALLED, ScriptedSearch

A, B, C, D = (f"https://{letter}.test/" for letter in "abcd")
SHORT = 0.02


def fanned(*outcomes: object, **options: object) -> Web:
    keys = ("x", "y", "z")[: len(outcomes)]
    scripts = (ScriptedSearch(key, [one]) for key, one in zip(keys, outcomes, strict=True))  # type: ignore[list-item]
    return searching(*scripts, search=FanOut(keys), **options)


@pytest.mark.req("core:fanout:rank")
async def test_hits_that_several_found_come_first_and_each_url_once() -> None:
    result = await fanned(hits(A, B, C), hits(D, B), hits(B)).search("kelp")
    assert [one.url for one in result.sources] == [B, A, D, C]
    assert (result.provider, result.grounding, result.dropped) == ("x+y+z", "searched", {})


@pytest.mark.req("core:fanout:rank")
def test_of_one_url_the_fuller_source_is_shown() -> None:
    first, second = Source(url=A, title="From x"), Source(url=A, title="From y", snippet="s", published_at="2026")
    assert fuse([(first,), (second,)]) == (Source(url=A, title="From x", snippet="s", published_at="2026"),)


RANKINGS = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6), min_size=1, max_size=4)


def score(url: str, rankings: list[list[str]]) -> float:
    return sum(1 / (RANK_CONSTANT + ranking.index(url) + 1) for ranking in rankings if url in ranking)


@pytest.mark.req("core:fanout:rank")
@given(rankings=RANKINGS, data=st.data())
def test_the_order_of_the_members_decides_only_ties(rankings: list[list[str]], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(rankings))
    for parts in (rankings, shuffled):
        merged = [one.url for one in fuse([tuple(Source(url=url) for url in ranking) for ranking in parts])]
        assert sorted(merged) == sorted({url for ranking in parts for url in ranking})
        scores = [score(url, rankings) for url in merged]
        assert all(ahead >= behind - 1e-12 for ahead, behind in pairwise(scores))


@pytest.mark.req("core:fanout:partial")
async def test_parts_that_failed_are_told_and_do_not_spoil_the_rest() -> None:
    result = await fanned(failing(Code.RATE_LIMITED, DISPATCHED), hits(A), OSError("reset")).search("kelp")
    assert (result.provider, [one.url for one in result.sources]) == ("y", [A])
    assert told(result.attempts) == [
        ("x", "failed", Code.RATE_LIMITED, True),
        ("y", "ok", None, True),
        ("z", "failed", Code.PROVIDER_ERROR, True),
    ]


@pytest.mark.req("core:fanout:partial")
async def test_members_that_cannot_be_asked_are_told_too() -> None:
    web = searching(
        ScriptedSearch("x", [hits(A)]),
        ScriptedSearch("off", [hits()], available=False),
        search=FanOut(("x", "off", "ghost")),
    )
    assert told((await web.search("kelp")).attempts) == [
        ("x", "ok", None, True),
        ("off", "skipped", Code.PROVIDER_CONFIGURED_UNAVAILABLE, False),
        ("ghost", "skipped", Code.PROVIDER_CONFIGURED_MISSING, False),
    ]


@pytest.mark.req("core:fanout:all-fail")
async def test_when_all_fail_the_error_names_each() -> None:
    error = await refused(fanned(failing(Code.QUOTA_EXHAUSTED), failing(dispatched=DISPATCHED)).search("kelp"))
    assert error.code == Code.ROUTE_EXHAUSTED
    assert "x: WEB_QUOTA_EXHAUSTED, y: WEB_PROVIDER_ERROR" in error.message
    assert "may have been billed" in error.message
    assert [one.provider for one in error.attempts] == ["x", "y"]


@pytest.mark.req("core:fanout:all-fail")
async def test_a_denial_among_failures_is_the_denial() -> None:
    error = await refused(fanned(failing(), failing(Code.DENIED)).search("kelp"))
    assert (error.code, len(error.attempts)) == (Code.DENIED, 2)


@pytest.mark.req("core:fanout:ungrounded")
async def test_an_ungrounded_part_adds_nothing_to_a_searched_one() -> None:
    result = await fanned(bare("Memory.", sources=(Source(url=B),)), hits(A, content="Found.")).search("kelp")
    assert (result.grounding, result.provider, result.content) == ("searched", "y", "Found.")
    assert [one.url for one in result.sources] == [A]
    assert result.dropped == {"ungrounded": 1}
    assert [one.outcome for one in result.attempts] == ["ungrounded", "ok"]


@pytest.mark.req("core:fanout:ungrounded")
async def test_when_no_part_searched_the_whole_is_ungrounded() -> None:
    result = await fanned(bare("One."), bare("Two.")).search("kelp")
    assert (result.grounding, result.sources) == ("ungrounded", ())
    assert result.content == "### x\n\nOne.\n\n### y\n\nTwo."


@pytest.mark.req("core:fanout:merge")
async def test_what_the_parts_said_is_kept_and_the_bound_holds_for_the_whole() -> None:
    web = fanned(
        hits(A, B, notices=("n1", "n2"), usage=Usage(calls=1, cost=0.5, currency="USD", input_tokens=7)),
        hits(C, D, notices=("n2",), usage=Usage(calls=2, cost=0.25, currency="USD"), raw={"k": 1}),
    )
    result = await web.search("kelp", max_results=3, call=Call(raw=True))
    assert ([one.url for one in result.sources], result.truncated) == ([A, C, B], True)
    assert result.notices == ("n1", "n2")
    assert result.usage == Usage(calls=3, cost=0.75, currency="USD", input_tokens=7)
    assert result.raw == {"y": {"k": 1}}


@pytest.mark.req("core:fanout:merge")
@pytest.mark.parametrize("other", [Usage(calls=1), Usage(calls=1, cost=1.0, currency="EUR")])
async def test_a_cost_that_not_all_report_in_one_currency_is_not_summed(other: Usage) -> None:
    web = fanned(hits(usage=Usage(calls=1, cost=0.5, currency="USD")), hits(usage=other))
    assert (await web.search("kelp")).usage == Usage(calls=2)


@pytest.mark.req("core:fanout:time")
async def test_a_part_that_stalls_is_cut_off_and_the_others_answers_stay() -> None:
    result = await fanned(hits(A), STALLED).search("kelp", timeout=SHORT)
    assert [one.url for one in result.sources] == [A]
    assert told(result.attempts)[1] == ("y", "failed", Code.SEARCH_TIMEOUT, True)


@pytest.mark.req("core:fanout:time")
async def test_when_all_stall_or_fail_the_deadline_is_the_error() -> None:
    error = await refused(fanned(failing(), STALLED).search("kelp", timeout=SHORT))
    assert (error.code, error.dispatched, len(error.attempts)) == (Code.SEARCH_TIMEOUT, True, 2)


@pytest.mark.req("core:fanout:time")
async def test_the_callers_abort_ends_it_although_a_part_has_answered() -> None:
    abort = asyncio.Event()

    async def run(_request: SearchRequest, _call: Call) -> SearchResult:
        await asyncio.sleep(0)
        abort.set()
        await asyncio.Event().wait()
        return hits()

    error = await refused(fanned(hits(A), run, failing()).search("kelp", abort=abort))
    assert (error.code, error.dispatched) == (Code.ABORTED, True)
    assert [one.outcome for one in error.attempts] == ["ok", "failed", "failed"]


@pytest.mark.req("core:fanout:at-once")
async def test_members_are_asked_at_once_and_none_reports_progress() -> None:
    met = asyncio.Event()
    seen: list[object] = []

    async def first(_request: SearchRequest, call: Call) -> SearchResult:
        seen.append(call.progress)
        await met.wait()
        return hits(A)

    async def second(_request: SearchRequest, call: Call) -> SearchResult:
        seen.append(call.progress)
        met.set()
        return hits(B)

    result = await fanned(first, second).search("kelp", call=Call(progress=lambda _text: None))
    assert [one.url for one in result.sources] == [A, B]
    assert seen == [None, None]


@pytest.mark.req("core:events:stops")
async def test_an_observer_that_raises_in_a_fan_out_leaves_no_cancellation_behind() -> None:
    def stop(event: Event) -> None:
        if isinstance(event, AttemptEnded):
            raise KeyError("audit file is full")

    web = fanned(hits(A), hits(B))
    with pytest.raises(KeyError, match="audit"):
        async with Bounded(Deadline.after(30)):
            await web.search("kelp", call=Call(emit=stop))

    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
