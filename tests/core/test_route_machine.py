"""Any route over any script, held against a plain model of design 4 and enso-16."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import bare, failing, hits, outcome, told
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing import ManualClock, ScriptedSearch

MOVES_ON = [Code.PROVIDER_ERROR, Code.RATE_LIMITED, Code.QUOTA_EXHAUSTED, Code.PROVIDER_BLOCKED, Code.SEARCH_TIMEOUT]
ENDS = [Code.DENIED, Code.INVALID_ARGS, Code.BUDGET_EXHAUSTED]
BUDGET = 10


@dataclass(frozen=True)
class Step:
    """What one member does: its end, the seconds it takes, and whether its request leaves."""

    end: str
    seconds: int
    dispatched: bool


STEPS = st.builds(
    Step,
    end=st.sampled_from(["searched", "ungrounded", "foreign", "off", "missing", *MOVES_ON, *ENDS]),
    seconds=st.sampled_from([0, 1, 4, BUDGET, 2 * BUDGET]),
    dispatched=st.booleans(),
)


@dataclass(frozen=True)
class Expected:
    """What design 4 says comes of it: the provider that answers or the code that fails, and each try."""

    end: str
    grounding: str | None
    tries: list[tuple[str, str, str | None, bool]]


def model(steps: list[Step]) -> Expected:
    """The route rule, written down once more without any of the seam's code."""
    tries: list[tuple[str, str, str | None, bool]] = []
    held: str | None = None
    ended: str | None = None
    now = 0
    for number, step in enumerate(steps):
        name = f"m{number}"
        if now >= BUDGET:
            tries.append((name, "skipped", "WEB_SEARCH_TIMEOUT", False))
            ended = "WEB_SEARCH_TIMEOUT"
            break
        if step.end in ("off", "missing"):
            code = "UNAVAILABLE" if step.end == "off" else "MISSING"
            tries.append((name, "skipped", f"WEB_PROVIDER_CONFIGURED_{code}", False))
            continue
        now += step.seconds
        if step.end == "searched":
            return Expected(name, "searched", [*tries, (name, "ok", None, step.dispatched)])
        if step.end == "ungrounded":
            tries.append((name, "ungrounded", None, step.dispatched))
            held = held or name
            continue
        code = "WEB_PROVIDER_ERROR" if step.end == "foreign" else str(step.end)
        code = "WEB_SEARCH_TIMEOUT" if now >= BUDGET else code
        tries.append((name, "failed", code, step.dispatched))
        if step.end in ENDS or now >= BUDGET:
            ended = code
            break
    if held is not None:
        return Expected(held, "ungrounded", tries)
    return Expected(ended or "WEB_ROUTE_EXHAUSTED", None, tries)


@dataclass
class Stage:
    """The seam, set up to play the steps."""

    web: Web
    asked: list[str]
    late: list[str]


def stage(steps: list[Step]) -> Stage:
    clock, asked, late = ManualClock(), [], []
    web = Web(
        search=[f"m{number}" for number in range(len(steps))],
        clock=clock,
        settings=SeamSettings(search_seconds=BUDGET),
    )

    def member(name: str, step: Step) -> ScriptedSearch:
        async def run(_request: SearchRequest, call: Call) -> SearchResult:
            asked.append(name)
            if call.deadline.expired:
                late.append(name)
            clock.advance(step.seconds)
            if step.dispatched:
                call.dispatch.mark()
            if step.end == "foreign":
                raise OSError("reset")
            if step.end in (*MOVES_ON, *ENDS):
                raise failing(step.end)
            return bare() if step.end == "ungrounded" else hits(f"https://{name}.test/")

        return ScriptedSearch(name, [run], available=step.end != "off")

    for number, step in enumerate(steps):
        if step.end != "missing":
            web.register_search(member(f"m{number}", step))
    return Stage(web, asked, late)


@pytest.mark.req("core:route:any-script", "core:deadline:route", "core:route:order")
@given(steps=st.lists(STEPS, min_size=1, max_size=6))
async def test_a_route_does_what_the_rule_says_whatever_its_members_do(steps: list[Step]) -> None:
    played = stage(steps)
    expected = model(steps)
    result = await outcome(played.web.search("kelp"))
    assert told(result.attempts) == expected.tries
    assert len(result.attempts) <= len(steps)
    assert played.late == []
    assert len(played.asked) == len(set(played.asked))
    if isinstance(result, WebError):
        assert (result.code, expected.grounding) == (expected.end, None)
        assert result.dispatched is any(one.dispatched for one in result.attempts)
        assert ("billed" in result.message) is (result.code == Code.ROUTE_EXHAUSTED and result.dispatched)
    else:
        assert (result.provider, result.grounding) == (expected.end, expected.grounding)
        assert (result.sources == ()) is (result.grounding == "ungrounded")


@pytest.mark.req("core:route:any-script")
@given(steps=st.lists(STEPS, min_size=1, max_size=4), again=st.lists(st.integers(0, 3), max_size=4))
async def test_a_member_named_twice_is_tried_once(steps: list[Step], again: list[int]) -> None:
    played = stage(steps)
    names = [f"m{number}" for number in range(len(steps))]
    repeats = [names[number % len(names)] for number in again]
    twice = Web(search=[*names, *repeats], clock=played.web.clock, settings=played.web.settings)
    for provider in dict(played.web._registries.search.items()).values():
        twice.register_search(provider)
    result = await outcome(twice.search("kelp"))
    assert told(result.attempts) == model(steps).tries
    assert len(played.asked) == len(set(played.asked))
