"""Random keys, answers and pauses: the rules of a pool hold for all of them."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.core import DISPATCHED, failing, hits, outcome, searching
from support.pools import SetKey, in_jumping_time
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.limits import KEY_REST_SECONDS, KEY_SPENT_SECONDS
from webseam.core.types import SearchRequest, SearchResult
from webseam.testing import ManualClock, ScriptedSearch
from webseam.wiring.members import Member
from webseam.wiring.pools import Pool

ANSWERS: dict[str, Any] = {
    "ok": hits("https://kelp.test/"),
    "refused": failing(status=401, dispatched=DISPATCHED),
    "unpaid": failing(Code.QUOTA_EXHAUSTED, DISPATCHED, status=402),
    "fast": failing(Code.RATE_LIMITED, DISPATCHED, status=429),
    "told": failing(Code.RATE_LIMITED, DISPATCHED, status=429, retry_after=30.0),
    "missing": failing(Code.PROVIDER_CREDENTIAL_MISSING),
    "broken": failing(status=500, dispatched=DISPATCHED),
}
RESTS = {"refused": KEY_SPENT_SECONDS, "unpaid": KEY_SPENT_SECONDS, "fast": KEY_REST_SECONDS, "told": 30.0}


@dataclass(slots=True)
class Vendor:
    """Keys that answer as told for each call, and what they were asked."""

    clock: ManualClock
    keys: int
    answers: tuple[str, ...] = ()
    asked: list[int] = field(default_factory=list)
    rests: dict[int, float] = field(default_factory=dict)

    def key(self, index: int) -> Member:
        async def run(_request: SearchRequest, call: Call) -> SearchResult:
            self.asked.append(index)
            answer = ANSWERS[self.answers[index]]
            if isinstance(answer, WebError):
                if answer.dispatched:
                    call.dispatch.mark()
                raise answer
            call.dispatch.mark()
            return answer  # type: ignore[no-any-return]

        return Member(provider=ScriptedSearch("kelp", [run]), secret=SetKey())

    def resting(self) -> set[int]:
        return {index for index, until in self.rests.items() if until > self.clock()}

    def learn(self) -> None:
        for index in self.asked:
            answer = self.answers[index]
            if answer in RESTS:
                self.rests[index] = self.clock() + RESTS[answer]
            elif answer == "ok":
                self.rests.pop(index, None)


CALLS = st.tuples(st.lists(st.sampled_from(sorted(ANSWERS)), min_size=4, max_size=4), st.sampled_from([0, 29, 60, 600]))


@pytest.mark.req("wiring:keys:property")
@settings(deadline=None)
@given(keys=st.integers(1, 4), calls=st.lists(CALLS, min_size=1, max_size=6))
def test_the_rules_of_a_pool_hold_whatever_its_keys_answer(keys: int, calls: list[tuple[list[str], int]]) -> None:
    async def run() -> None:
        vendor = Vendor(ManualClock(), keys)
        pool = Pool([vendor.key(index) for index in range(keys)], patience=0.0, clock=vendor.clock)
        web = searching(pool, clock=vendor.clock)
        for answers, pause in calls:
            vendor.answers = tuple(answers)
            vendor.asked.clear()
            resting = vendor.resting()
            ended = await outcome(web.search("kelp"))
            _check(vendor, ended, resting)
            vendor.learn()
            vendor.clock.advance(pause)

    in_jumping_time(run())


def _check(vendor: Vendor, ended: SearchResult | WebError, resting: set[int]) -> None:
    asked = [vendor.answers[index] for index in vendor.asked]
    all_rest = len(resting) == vendor.keys
    assert len(set(vendor.asked)) == len(asked) >= 1
    assert len(ended.attempts) == len(asked)
    assert [one.dispatched for one in ended.attempts] == [answer != "missing" for answer in asked]
    assert len(asked) == 1 if all_rest else resting.isdisjoint(vendor.asked)
    assert not {"ok", "broken"} & set(asked[:-1])
    assert isinstance(ended, SearchResult) == (asked[-1] == "ok")
    if isinstance(ended, WebError):
        assert ended.code == ANSWERS[asked[-1]].code
        assert all_rest or asked[-1] == "broken" or len(asked) == vendor.keys - len(resting)
