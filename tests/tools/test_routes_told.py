"""What a model reads of a route of three, whatever fails at each position: who, why, and what may have been billed."""

import asyncio
from typing import Any

import pytest

from support.core import DISPATCHED, bare, failing, hits
from support.tools import inside, outside
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import FINAL_CODES, TIMEOUT_CODES, Code
from webseam.core.selection import FanOut
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchRequest, SearchResult, Usage
from webseam.core.web import Web
from webseam.testing import STALLED, ManualClock, ScriptedSearch
from webseam.tools.result import ToolResult
from webseam.tools.toolset import Toolset

SHORT = 0.05
A, B, C = "https://a.test/", "https://b.test/", "https://c.test/"
NAMES = ("x", "y", "z")
USUAL = {"x": Code.RATE_LIMITED, "y": Code.UPSTREAM_FAILED, "z": Code.QUOTA_EXHAUSTED}
UNSENT = frozenset({"y"})
"""Of the usual failures one never left."""


def toolset(*providers: ScriptedSearch, choice: list[str] | FanOut, **web: Any) -> Toolset:
    seam = Web(search=choice, **web)
    for one in providers:
        seam.register_search(one)
    return Toolset(seam)


async def asked(tools: Toolset, **how: Any) -> ToolResult:
    return await tools.call("web_search", {"query": "kelp"}, **how)


def remark(name: str, code: str, *, sent: bool) -> str:
    return f"{name} failed ({code}{', may have been billed' if sent else ''})"


def failures(position: int, code: str, *, sent: bool) -> dict[str, tuple[str, bool]]:
    """Code and dispatch of each member: the usual ones, but `code` at `position`."""
    usual: dict[str, tuple[str, bool]] = {name: (str(USUAL[name]), name not in UNSENT) for name in NAMES}
    return usual | {NAMES[position]: (code, sent)}


@pytest.mark.req("tools:search:attempts", "tools:errors:tries")
@pytest.mark.parametrize("sent", [False, True], ids=["unsent", "sent"])
@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("code", [*map(str, Code), "ACME_OVERSLEPT"])
async def test_every_code_at_every_position_is_told_honestly(code: str, position: int, *, sent: bool) -> None:
    planned = failures(position, code, sent=sent)
    script = [ScriptedSearch(name, [failing(*planned[name])]) for name in NAMES]
    result = await asked(toolset(*script, ScriptedSearch("last", [hits(A)]), choice=[*NAMES, "last"]))
    reached = NAMES[: position + 1] if code in FINAL_CODES else NAMES
    told = "; ".join(remark(name, planned[name][0], sent=planned[name][1]) for name in reached)
    facts = [(name, "failed", *planned[name]) for name in reached]

    if code in FINAL_CODES:
        assert result.error is not None
        attempts: Any = result.error.get("attempts", [])
        assert (f"Tried: {told}." in result.text) is (position > 0)
        assert ("billed" in result.text) is any(planned[name][1] for name in reached)
        assert code in result.text
    else:
        assert result.structured is not None
        *attempts, last = result.structured["attempts"]
        assert (last["provider"], last["outcome"]) == ("last", "ok")
        assert f"{told}; answered by last." in outside(result.text).splitlines()
    assert [(one["provider"], one["outcome"], one["code"], one["dispatched"]) for one in attempts] == facts


@pytest.mark.req("tools:errors:tries")
@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("code", sorted(set(map(str, Code)) - FINAL_CODES))
async def test_a_route_that_failed_whole_names_each_member_and_its_code(code: str, position: int) -> None:
    planned = failures(position, code, sent=False)
    result = await asked(toolset(*(ScriptedSearch(n, [failing(*planned[n])]) for n in NAMES), choice=[*NAMES]))
    assert result.error is not None
    assert result.error["code"] == Code.ROUTE_EXHAUSTED
    assert f"({', '.join(f'{name}: {planned[name][0]}' for name in NAMES)})" in result.text
    assert [one["dispatched"] for one in result.error["attempts"]] == [planned[name][1] for name in NAMES]
    assert result.text.count("billed") == 1


@pytest.mark.req("tools:errors:tries")
@pytest.mark.parametrize("code", sorted(TIMEOUT_CODES | {Code.PROVIDER_ERROR}))
async def test_time_that_ends_a_route_does_not_hide_what_failed_before(code: str) -> None:
    clock = ManualClock()

    async def late(_request: SearchRequest, call: Call) -> SearchResult:
        clock.advance(100)
        call.dispatch.mark()
        raise failing(code)

    tools = toolset(
        ScriptedSearch("x", [failing(Code.QUOTA_EXHAUSTED)]),
        ScriptedSearch("y", [late]),
        ScriptedSearch("z", [hits(A)]),
        choice=[*NAMES],
        clock=clock,
    )
    text = (await asked(tools)).text
    told = "x failed (WEB_QUOTA_EXHAUSTED); y failed (WEB_SEARCH_TIMEOUT, may have been billed)"
    assert f"Tried: {told}" in text
    assert "(WEB_SEARCH_TIMEOUT) The failed call may have been billed." in text


@pytest.mark.req("tools:errors:tries", "core:dispatch:tries")
@pytest.mark.parametrize("choice", [[*NAMES], FanOut(NAMES)], ids=["route", "fanout"])
@pytest.mark.parametrize(
    ("how", "code"), [("abort", Code.ABORTED), ("host", Code.SEARCH_TIMEOUT), ("seam", Code.SEARCH_TIMEOUT)]
)
async def test_what_a_signal_ends_tells_every_try_before_it(how: str, code: Code, choice: list[str] | FanOut) -> None:
    abort = asyncio.Event()
    tools = toolset(
        ScriptedSearch("x", [hits()], available=False),
        ScriptedSearch("y", [failing(Code.RATE_LIMITED, DISPATCHED)]),
        ScriptedSearch("z", [STALLED]),
        choice=choice,
    )
    asyncio.get_running_loop().call_later(SHORT, abort.set)
    options: dict[str, dict[str, Any]] = {
        "abort": {"abort": abort},
        "host": {"timeout": SHORT},
        "seam": {"call": Call(deadline=Deadline.after(SHORT))},
    }
    result = await asked(tools, **options[how])

    assert result.error is not None
    assert [(one["provider"], one["outcome"], one["code"], one["dispatched"]) for one in result.error["attempts"]] == [
        ("x", "skipped", Code.PROVIDER_CONFIGURED_UNAVAILABLE, False),
        ("y", "failed", Code.RATE_LIMITED, True),
        ("z", "failed", code, True),
    ]
    assert f"z failed ({code}, may have been billed)." in result.text


@pytest.mark.req("tools:errors:tries", "core:dispatch:tries")
async def test_an_abort_of_a_fan_out_tells_who_had_answered() -> None:
    abort = asyncio.Event()

    async def stop(_request: SearchRequest, _call: Call) -> SearchResult:
        abort.set()
        await asyncio.Event().wait()
        return hits()

    tools = toolset(ScriptedSearch("x", [hits(A)]), ScriptedSearch("y", [stop]), choice=FanOut(("x", "y")))
    text = (await asked(tools, abort=abort)).text
    assert "(WEB_ABORTED) The failed call may have been billed. Tried: x answered; y failed (WEB_ABORTED)." in text


@pytest.mark.req("tools:errors:tries")
async def test_a_route_that_only_answered_from_memory_tells_who_failed_where_that_is_an_error() -> None:
    tools = toolset(
        ScriptedSearch("x", [bare()]),
        ScriptedSearch("y", [failing(Code.RATE_LIMITED)]),
        choice=["x", "y"],
        settings=SeamSettings(ungrounded="error"),
    )
    text = (await asked(tools)).text
    assert "(WEB_SEARCH_UNGROUNDED)" in text
    assert "Tried: x answered without searching; y failed (WEB_RATE_LIMITED)." in text


@pytest.mark.req("tools:search:attempts", "tools:search:controls", "tools:search:usage")
async def test_a_fan_out_of_three_tells_its_failed_part_its_weakest_control_and_what_it_cost() -> None:
    def part(name: str, *urls: str, cost: float, country: Any) -> ScriptedSearch:
        spent = Usage(calls=1, cost=cost, currency="USD")
        return ScriptedSearch(name, [hits(*urls, usage=spent, controls={"country": country})])

    tools = toolset(
        part("x", A, B, cost=0.25, country="native"),
        part("y", B, C, cost=0.5, country="unsupported"),
        ScriptedSearch("z", [failing(Code.PROVIDER_BLOCKED)]),
        choice=FanOut(NAMES),
    )
    result = await asked(tools)

    assert outside(result.text).splitlines()[:2] == [
        "z failed (WEB_PROVIDER_BLOCKED); answered by x+y.",
        "Not honoured by x+y: country.",
    ]
    assert [line for line in inside(result.text).splitlines() if line.startswith("- ")] == [
        "- [b.test](https://b.test/)",
        "- [a.test](https://a.test/)",
        "- [c.test](https://c.test/)",
    ]
    assert result.structured is not None
    assert result.structured["usage"] == {"calls": 2, "cost": 0.75, "currency": "USD"}
    assert [one["outcome"] for one in result.structured["attempts"]] == ["ok", "ok", "failed"]
