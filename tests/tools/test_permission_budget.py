"""What a run may spend: issue 6, design 8."""

import asyncio

import pytest

from support.permission import Bench, Person, code
from support.tools import found, plain
from webseam import (
    Permission,
    PermissionSettings,
    Run,
    Toolset,
    ToolSettings,
    Usage,
    WebError,
)


@pytest.mark.req("permission:budget:calls")
async def test_a_run_ends_at_its_calls_also_when_they_run_at_once() -> None:
    bench = Bench(max_calls=3)
    results = await asyncio.gather(bench.ask(), *(bench.fetch(f"https://a.test/{number}") for number in range(4)))
    assert sorted(str(code(one)) for one in results) == ["None"] * 3 + ["WEB_BUDGET_EXHAUSTED"] * 2
    assert (bench.reached, bench.run.calls) == (3, 3)
    spent = await bench.ask()
    assert "This run has made 3 calls; permission.max_calls allows no more." in spent.text
    assert spent.meta["permission"] == [
        {
            "kind": "search",
            "target": "kelp",
            "allowed": False,
            "rule": "max_calls",
            "reason": spent.meta["permission"][0]["reason"],
        }
    ]


@pytest.mark.req("permission:budget:calls")
async def test_a_call_that_is_refused_counts_as_none_and_consent_does_not_lift_the_bound() -> None:
    person = Person("allow", "allow")
    bench = Bench(Run(ask=person), max_calls=1, fetch="ask", deny_hosts=("bad.test",))
    await bench.fetch("https://bad.test/")
    both = await asyncio.gather(bench.fetch("https://a.test/"), bench.fetch("https://b.test/"))
    assert sorted(str(code(one)) for one in both) == ["None", "WEB_BUDGET_EXHAUSTED"]
    assert (bench.run.calls, bench.reached) == (1, 1)
    assert code(await bench.fetch("https://bad.test/")) == "WEB_DENIED"  # whatever is left: the lists come first
    await bench.fetch("https://c.test/")
    assert len(person.asked) == 1  # nobody is asked for what could not be paid


@pytest.mark.req("permission:budget:calls")
async def test_nobody_is_asked_about_calls_that_others_have_spent_meanwhile() -> None:
    person = Person("allow", "allow")
    bench = Bench(Run(ask=person), max_calls=2, fetch="ask")
    results = await asyncio.gather(*(bench.fetch(f"https://a.test/{number}") for number in range(9)))
    assert sorted(str(code(one)) for one in results) == ["None"] * 2 + ["WEB_BUDGET_EXHAUSTED"] * 7
    assert (len(person.asked), bench.run.calls, bench.reached) == (2, 2, 2)


@pytest.mark.req("permission:budget:calls")
async def test_each_query_of_one_call_is_a_call() -> None:
    bench = Bench(max_calls=2)
    tools = Toolset(bench.web, settings=ToolSettings(max_queries=5))
    result = await tools.call("web_search", {"queries": ["a", "b", "c"]})
    assert code(result) == "WEB_BUDGET_EXHAUSTED"
    assert "permission.max_calls" in result.text.partition("\n")[0]
    assert len(bench.search.asked) <= 2


@pytest.mark.req("permission:budget:cost")
async def test_a_run_ends_when_its_reported_cost_is_reached() -> None:
    priced = found("https://hit.test/", usage=Usage(calls=1, cost=0.02, currency="USD"))
    bench = Bench(max_calls=100, max_cost=0.04, result=priced)
    assert [code(await bench.ask()) for _ in range(3)] == [None, None, "WEB_BUDGET_EXHAUSTED"]
    assert dict(bench.run.costs) == {"USD": 0.04}

    unpriced = Bench(max_calls=2, max_cost=0.01, result=found(usage=Usage(cost=5.0, currency="credits")))
    assert [code(await unpriced.ask()) for _ in range(3)] == [None, None, "WEB_BUDGET_EXHAUSTED"]
    assert unpriced.run.unpriced == 0


@pytest.mark.req("permission:budget:cost", "permission:config:strict")
def test_a_bound_on_cost_needs_one_on_calls() -> None:
    with pytest.raises(WebError, match="Set both") as caught:
        Permission(PermissionSettings(max_cost=1.0))
    assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.mark.req("permission:budget:kept", "permission:ask:person")
async def test_reading_on_is_no_call_and_no_new_question() -> None:
    person = Person("allow")
    bench = Bench(Run(ask=person), max_calls=1, fetch="ask")
    bench.pages.pages["https://a.test/"] = [plain("word " * 20_000, url="https://a.test/")]
    first = await bench.fetch("https://a.test/")
    onward = await bench.fetch("https://a.test/", offset=first.meta["view"]["next_offset"])
    matches = await bench.fetch("https://a.test/", find="word")
    assert [code(one) for one in (first, onward, matches)] == [None] * 3
    assert (bench.run.calls, len(person.asked), bench.reached) == (1, 1, 1)
