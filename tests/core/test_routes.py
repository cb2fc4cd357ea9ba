"""Fallback by configuration, never in silence: design 4, enso-14, enso-15."""

import traceback
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from support.core import DISPATCHED, bare, extract, failing, hits, page, refused, searching, told
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.selection import FanOut
from webseam.core.settings import SeamSettings
from webseam.core.types import Attempt, SearchRequest, SearchResult, Usage
from webseam.core.web import Web
from webseam.testing import ScriptedExtract, ScriptedFetch, ScriptedSearch

A, B = "https://a.test/", "https://b.test/"

ENDS_THE_ROUTE = {
    Code.INVALID_ARGS,  # an invalid request
    Code.INVALID_URL,
    Code.CONFIG_INVALID,
    Code.BLOCKED_URL,  # a policy denial
    Code.REDIRECT_BLOCKED,
    Code.ROBOTS_DISALLOWED,
    Code.DENIED,
    Code.OFFLINE,
    Code.ABORTED,  # the caller
    Code.TOOL_TIMEOUT,
    Code.BUDGET_EXHAUSTED,  # a spent budget
    Code.REPLAY_MISS,  # a replay repeats; it does not improvise
}


@pytest.mark.req("core:route:moves-on")
@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("code", Code)
async def test_every_code_at_every_position_moves_on_or_ends_the_route(code: Code, position: int) -> None:
    script = [ScriptedSearch(key, [failing(dispatched=DISPATCHED)]) for key in ("x", "y", "z")]
    script[position] = ScriptedSearch("xyz"[position], [failing(code)])
    last = ScriptedSearch("last", [hits(A)])
    call = searching(*script, last, search=["x", "y", "z", "last"]).search("kelp")
    if code in ENDS_THE_ROUTE:
        error = await refused(call)
        assert error.code == code
        assert [one.provider for one in error.attempts] == list("xyz"[: position + 1])
        assert error.dispatched is (position > 0)
        assert last.script.requests == []
    else:
        result = await call
        assert result.provider == "last"
        assert [one.code for one in result.attempts] == [
            *(code if place == position else Code.PROVIDER_ERROR for place in range(3)),
            None,
        ]


@pytest.mark.req("core:route:moves-on")
async def test_a_plugins_own_code_moves_on() -> None:
    web = searching(ScriptedSearch("x", [failing("ACME_OVERSLEPT")]), ScriptedSearch("y", [hits()]), search=["x", "y"])
    assert told((await web.search("kelp")).attempts) == [
        ("x", "failed", "ACME_OVERSLEPT", False),
        ("y", "ok", None, True),
    ]


@pytest.mark.req("core:route:members")
async def test_members_that_cannot_be_tried_are_passed_over_and_told() -> None:
    web = searching(
        ScriptedSearch("off", [hits()], available=False),
        ScriptedSearch("keyless", [failing(Code.PROVIDER_CREDENTIAL_MISSING)]),
        ScriptedSearch("good", [hits(A)]),
        search=["ghost", "off", "keyless", "good"],
    )
    result = await web.search("kelp")
    assert told(result.attempts) == [
        ("ghost", "skipped", Code.PROVIDER_CONFIGURED_MISSING, False),
        ("off", "skipped", Code.PROVIDER_CONFIGURED_UNAVAILABLE, False),
        ("keyless", "failed", Code.PROVIDER_CREDENTIAL_MISSING, False),
        ("good", "ok", None, True),
    ]


@pytest.mark.req("core:route:order")
async def test_the_first_good_answer_wins_and_later_members_are_not_asked() -> None:
    first, second = ScriptedSearch("b", [hits(B)]), ScriptedSearch("a", [hits(A)])
    result = await searching(second, first, search=["b", "a"]).search("kelp")
    assert (result.provider, len(result.attempts), second.script.requests) == ("b", 1, [])


@pytest.mark.req("core:route:ungrounded")
async def test_an_ungrounded_answer_moves_on_while_a_later_member_is_available() -> None:
    web = searching(ScriptedSearch("x", [bare()]), ScriptedSearch("y", [hits(A)]), search=["x", "y"])
    result = await web.search("kelp")
    assert (result.provider, result.grounding) == ("y", "searched")
    assert told(result.attempts) == [("x", "ungrounded", None, True), ("y", "ok", None, True)]


LATER = [
    failing(Code.RATE_LIMITED, DISPATCHED),
    failing(Code.DENIED),
    failing(Code.INVALID_ARGS),
    failing(Code.PROVIDER_CREDENTIAL_MISSING),
    OSError("reset"),
]


@pytest.mark.req("core:route:ungrounded")
@pytest.mark.parametrize("later", LATER, ids=lambda one: getattr(one, "code", "foreign"))
async def test_an_ungrounded_answer_in_hand_survives_what_comes_after(later: Exception) -> None:
    web = searching(ScriptedSearch("x", [bare("Kept.")]), ScriptedSearch("y", [later]), search=["x", "y", "ghost"])
    result = await web.search("kelp")
    assert (result.provider, result.grounding, result.content) == ("x", "ungrounded", "Kept.")
    assert [one.outcome for one in result.attempts][:2] == ["ungrounded", "failed"]


@pytest.mark.req("core:route:ungrounded")
async def test_of_two_ungrounded_answers_the_first_is_kept() -> None:
    web = searching(ScriptedSearch("x", [bare("One.")]), ScriptedSearch("y", [bare("Two.")]), search=["x", "y"])
    result = await web.search("kelp")
    assert (result.provider, result.content, len(result.attempts)) == ("x", "One.", 2)


@pytest.mark.req("core:route:ungrounded")
async def test_an_ungrounded_answer_is_kept_when_the_members_after_it_cannot_be_tried() -> None:
    off = ScriptedSearch("off", [hits()], available=False)
    result = await searching(ScriptedSearch("x", [bare()]), off, search=["x", "off"]).search("kelp")
    assert (result.provider, result.grounding) == ("x", "ungrounded")


@pytest.mark.req("core:ungrounded:error")
@pytest.mark.parametrize("route", [None, ["x", "y"]])
async def test_where_configured_an_ungrounded_answer_is_an_error(route: list[str] | None) -> None:
    strict = SeamSettings(ungrounded="error")
    error = await refused(searching(ScriptedSearch("x", [bare()]), search=route, settings=strict).search("kelp"))
    assert (error.code, error.provider, error.dispatched) == (Code.SEARCH_UNGROUNDED, "x", True)
    assert error.attempts[0].outcome == "ungrounded"
    rescued = searching(
        ScriptedSearch("x", [bare()]), ScriptedSearch("y", [hits(A)]), search=["x", "y"], settings=strict
    )
    assert (await rescued.search("kelp")).provider == "y"


ENSO_15: list[tuple[str, SearchResult | WebError | None, bool, str]] = [
    # primary outcome, fallback armed, what comes of it
    ("searched", hits(A), True, "primary"),
    ("searched", hits(A), False, "primary"),
    ("ungrounded", bare(), False, "label"),
    ("ungrounded", bare(), True, "fallback"),
    ("error before dispatch", failing(), True, "fallback"),
    ("error after dispatch", failing(dispatched=DISPATCHED), True, "fallback"),
    ("error before dispatch", failing(), False, "exhausted"),
    ("error after dispatch", failing(dispatched=DISPATCHED), False, "exhausted"),
    ("no native search", None, True, "fallback"),
    ("no native search", None, False, "exhausted"),
]


@pytest.mark.req("core:route:state-machine")
@pytest.mark.parametrize(
    ("name", "primary", "armed", "end"), ENSO_15, ids=lambda one: one if isinstance(one, str) else ""
)
async def test_every_row_of_the_fallback_state_machine(
    name: str, primary: SearchResult | WebError | None, *, armed: bool, end: str
) -> None:
    web = Web(search=["model", "tavily"] if armed else ["model"])
    web.register_search(
        ScriptedSearch("model", [hits() if primary is None else primary], available=primary is not None)
    )
    web.register_search(ScriptedSearch("tavily", [hits(B)]))
    if end == "exhausted":
        error = await refused(web.search("kelp"))
        assert error.code == Code.ROUTE_EXHAUSTED
        assert ("may have been billed" in error.message) is error.dispatched is ("after" in name)
        return
    result = await web.search("kelp")
    assert result.provider == ("tavily" if end == "fallback" else "model")
    assert (result.grounding == "ungrounded") is (end == "label")
    assert result.attempts[0].dispatched is (primary is not None and "before" not in name)


@pytest.mark.req("core:route:state-machine")
async def test_when_the_fallback_fails_too_the_error_names_both_failures() -> None:
    web = searching(
        ScriptedSearch("x", [failing(Code.QUOTA_EXHAUSTED, DISPATCHED)]),
        ScriptedSearch("y", [failing(Code.PROVIDER_BLOCKED)]),
        search=["x", "y", "ghost"],
    )
    error = await refused(web.search("kelp"))
    assert error.code == Code.ROUTE_EXHAUSTED
    assert "x: WEB_QUOTA_EXHAUSTED, y: WEB_PROVIDER_BLOCKED, ghost: WEB_PROVIDER_CONFIGURED_MISSING" in error.message
    assert "A failed call may have been billed." in error.message
    assert told(error.attempts) == [
        ("x", "failed", Code.QUOTA_EXHAUSTED, True),
        ("y", "failed", Code.PROVIDER_BLOCKED, False),
        ("ghost", "skipped", Code.PROVIDER_CONFIGURED_MISSING, False),
    ]


@pytest.mark.req("core:route:exhausted")
async def test_nothing_is_said_of_a_bill_when_nothing_left() -> None:
    web = searching(ScriptedSearch("x", [failing()]), ScriptedSearch("y", [failing()]), search=["x", "y"])
    error = await refused(web.search("kelp"))
    assert "billed" not in error.message
    assert not error.dispatched


@pytest.mark.req("core:attempts:rotation")
async def test_tries_recorded_inside_a_provider_are_told_one_by_one() -> None:
    inner = (
        Attempt(provider="x#1", outcome="failed", code=Code.RATE_LIMITED, dispatched=True),
        Attempt(provider="x#2", outcome="ok", dispatched=True),
    )
    web = searching(ScriptedSearch("x", [hits(A, attempts=inner)]))
    assert (await web.search("kelp")).attempts == inner
    failed = searching(
        ScriptedSearch("x", [failing(attempts=inner[:1])]), ScriptedSearch("y", [hits(A)]), search=["x", "y"]
    )
    assert [one.provider for one in (await failed.search("kelp")).attempts] == ["x#1", "y"]


@pytest.mark.req("core:attempts:own")
async def test_one_error_object_shared_by_two_calls_tells_each_its_own_attempts() -> None:
    shared = failing()
    web = searching(ScriptedSearch("x", [shared]), ScriptedSearch("y", [shared]), search=["x", "y"])
    for _ in range(2):
        assert [one.provider for one in (await refused(web.search("kelp"))).attempts] == ["x", "y"]
    assert (shared.provider, shared.attempts, shared.dispatched) == (None, (), False)


@pytest.mark.req("core:attempts:own")
async def test_an_error_keeps_its_class_cause_and_place_and_names_its_provider() -> None:
    class NarrowError(WebError):
        """A plugin's own, constructed in its own way."""

        def __init__(self) -> None:
            super().__init__(Code.UPSTREAM_FAILED, "The engines failed.", retry_after=7.0)

    async def fail(_request: SearchRequest, call: Call) -> SearchResult:
        call.dispatch.mark()
        raise NarrowError from OSError("reset")

    error = await refused(searching(ScriptedSearch("x", [fail])).search("kelp"))
    assert isinstance(error, NarrowError)
    assert isinstance(error.__cause__, OSError)
    assert (error.provider, error.dispatched, error.retry_after, error.retryable) == ("x", True, 7.0, True)
    assert told(error.attempts) == [("x", "failed", Code.UPSTREAM_FAILED, True)]
    assert "fail" in [frame.name for frame in traceback.extract_tb(error.__traceback__)]


@pytest.mark.req("core:attempts:own")
async def test_a_provider_may_name_a_part_of_itself_as_the_one_that_failed() -> None:
    error = await refused(searching(ScriptedSearch("x", [failing(provider="x#2")])).search("kelp"))
    assert (error.provider, error.attempts[0].provider) == ("x#2", "x")


def fetching(*outcomes: object) -> Callable[[], Awaitable[object]]:
    web = Web(fetch=["x", "y"])
    for key, one in zip("xy", outcomes, strict=True):
        web.register_fetch(ScriptedFetch(key, [one]))  # type: ignore[list-item]
    return lambda: web.fetch("https://example.test/")


def extracting(*outcomes: object) -> Callable[[], Awaitable[object]]:
    web = Web(extract=["x", "y"])
    for key, one in zip("xy", outcomes, strict=True):
        web.register_extract(ScriptedExtract(key, [one]))  # type: ignore[list-item]
    return lambda: web.extract("https://example.test/")


@pytest.mark.req("core:route:capabilities")
@pytest.mark.parametrize(("build", "good"), [(fetching, page()), (extracting, extract())])
async def test_fetch_and_extract_have_the_same_routes(
    build: Callable[..., Callable[[], Awaitable[SearchResult]]], good: object
) -> None:
    result = await build(failing(Code.FETCH_TOO_LARGE, DISPATCHED), good)()
    assert told(result.attempts) == [("x", "failed", Code.FETCH_TOO_LARGE, True), ("y", "ok", None, True)]
    error = await refused(build(failing(Code.BLOCKED_URL), good)())
    assert (error.code, len(error.attempts)) == (Code.BLOCKED_URL, 1)
    error = await refused(build(failing(), failing())())
    assert error.code == Code.ROUTE_EXHAUSTED


@pytest.mark.req("core:fetch:any-status")
@pytest.mark.parametrize("status", [200, 204, 404, 410, 500, 503])
async def test_any_http_status_is_a_result(status: int) -> None:
    other = ScriptedFetch("other", [page()])
    web = Web(fetch=["http", "other"])
    web.register_fetch(ScriptedFetch("http", [replace(page(retry_after=3.0), status_code=status)]))
    web.register_fetch(other)
    result = await web.fetch("https://example.test/")
    assert (result.status_code, result.retry_after, other.script.requests) == (status, 3.0, [])


@pytest.mark.req("core:route:causes")
@pytest.mark.parametrize("choice", [["x", "y"], FanOut(("x", "y"))])
async def test_an_exhausted_route_keeps_the_error_of_each_member_as_its_cause(choice: list[str] | FanOut) -> None:
    first, second = failing(Code.RATE_LIMITED), failing(Code.UPSTREAM_FAILED)
    web = searching(ScriptedSearch("x", [first]), ScriptedSearch("y", [second]), search=choice)

    error = await refused(web.search("kelp"))

    assert isinstance(error.__cause__, ExceptionGroup)
    causes = [one for one in error.__cause__.exceptions if isinstance(one, WebError)]
    assert [(one.provider, one.code) for one in causes] == [("x", Code.RATE_LIMITED), ("y", Code.UPSTREAM_FAILED)]


@pytest.mark.req("core:route:retry")
@pytest.mark.parametrize("choice", [["x", "y"], FanOut(("x", "y"))])
@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (failing(Code.RATE_LIMITED, retry_after=9.0), failing(Code.RATE_LIMITED, retry_after=4.0), (True, 4.0)),
        (failing(Code.RATE_LIMITED, retry_after=9.0), failing(Code.QUOTA_EXHAUSTED, retry_after=4.0), (True, 9.0)),
        (failing(Code.UPSTREAM_FAILED), failing(Code.PROVIDER_BLOCKED), (True, None)),
        (failing(Code.QUOTA_EXHAUSTED), failing(Code.PROVIDER_ERROR), (False, None)),
    ],
)
async def test_an_exhausted_route_is_worth_another_call_when_one_of_its_failures_is(
    choice: list[str] | FanOut, first: WebError, second: WebError, told: tuple[bool, float | None]
) -> None:
    web = searching(ScriptedSearch("x", [first]), ScriptedSearch("y", [second]), search=choice)
    error = await refused(web.search("kelp"))
    assert (error.code, error.retryable, error.retry_after) == (Code.ROUTE_EXHAUSTED, *told)


@pytest.mark.req("core:route:usage")
@pytest.mark.parametrize("last", [hits("https://a.test/"), failing()])
async def test_what_a_passed_over_answer_cost_is_not_lost(last: SearchResult | WebError) -> None:
    paid = Usage(calls=1, cost=0.5, currency="USD")
    final = replace(last, usage=paid) if isinstance(last, SearchResult) else last
    members = [ScriptedSearch("x", [bare(usage=paid)]), ScriptedSearch("y", [bare(usage=paid)])]
    web = searching(*members, ScriptedSearch("z", [final]), search=["x", "y", "z"])

    result = await web.search("kelp")

    spent = 3 if isinstance(last, SearchResult) else 2
    assert result.usage == Usage(calls=spent, cost=0.5 * spent, currency="USD")
