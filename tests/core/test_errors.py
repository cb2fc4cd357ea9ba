"""One error class, open codes: design 5, dsh-8, dsh-19, enso-4."""

import copy
import json
import math
import pickle
from collections.abc import Callable

import pytest

from webseam.core.errors import EXIT_CODES, Code, WebError
from webseam.core.plain import to_plain
from webseam.core.types import Attempt

TABLE = {
    3: "WEB_PROVIDER_UNAVAILABLE WEB_PROVIDER_CONFIGURED_MISSING WEB_PROVIDER_CONFIGURED_UNAVAILABLE "
    "WEB_PROVIDER_AMBIGUOUS WEB_DUPLICATE_PROVIDER WEB_PROVIDER_CREDENTIAL_MISSING WEB_CONFIG_INVALID "
    "WEB_UNSUPPORTED_CONTROL",
    4: "WEB_INVALID_URL WEB_BLOCKED_URL WEB_REDIRECT_BLOCKED WEB_ROBOTS_DISALLOWED WEB_DENIED WEB_OFFLINE",
    5: "WEB_PROVIDER_ERROR WEB_PROVIDER_BLOCKED WEB_UPSTREAM_FAILED WEB_SEARCH_UNGROUNDED WEB_ROUTE_EXHAUSTED "
    "WEB_FETCH_TOO_LARGE WEB_UNSUPPORTED_CONTENT_TYPE",
    6: "WEB_FETCH_TIMEOUT WEB_SEARCH_TIMEOUT WEB_EXTRACT_TIMEOUT TOOL_TIMEOUT WEB_ABORTED",
    7: "WEB_RATE_LIMITED WEB_QUOTA_EXHAUSTED WEB_BUDGET_EXHAUSTED",
    8: "WEB_REPLAY_MISS",
    2: "INVALID_ARGS",
}
ROWS = [(code, number) for number, codes in TABLE.items() for code in codes.split()]


@pytest.mark.req("core:errors:exit-codes")
@pytest.mark.parametrize(("code", "number"), ROWS)
def test_every_code_has_its_exit_code(code: str, number: int) -> None:
    assert WebError(code, "Do this.").exit_code == number
    assert Code(code) == code


@pytest.mark.req("core:errors:exit-codes")
def test_there_is_no_code_beside_the_table() -> None:
    assert sorted(Code) == sorted(code for code, _ in ROWS)
    assert sorted(EXIT_CODES) == sorted(Code)


@pytest.mark.req("core:errors:open-codes")
def test_an_unknown_code_is_carried_as_it_is() -> None:
    error = WebError("ACME_OVERSLEPT", "Wake it up.")
    assert (error.code, error.exit_code, error.retryable) == ("ACME_OVERSLEPT", 5, False)
    assert error.to_dict()["code"] == "ACME_OVERSLEPT"


@pytest.mark.req("core:errors:retryable")
@pytest.mark.parametrize("code", Code)
def test_what_may_succeed_later_is_told_from_the_code_unless_said(code: Code) -> None:
    later = {
        Code.UPSTREAM_FAILED,
        Code.RATE_LIMITED,
        Code.FETCH_TIMEOUT,
        Code.SEARCH_TIMEOUT,
        Code.EXTRACT_TIMEOUT,
        Code.TOOL_TIMEOUT,
    }
    assert WebError(code, "m").retryable is (code in later)
    assert WebError(code, "m", retryable=True).retryable is True
    assert WebError(code, "m", retryable=False).retryable is False


@pytest.mark.req("core:errors:wait")
@pytest.mark.parametrize(
    ("given", "told"),
    [(None, None), (0, 0), (2.5, 2.5), (86_401, 86_400), (math.inf, 86_400), (10**400, 86_400)]
    + [(nothing, None) for nothing in (math.nan, -1, -math.inf)],
)
def test_a_wait_is_a_time_whatever_a_plugin_says(given: float | None, told: float | None) -> None:
    error = WebError(Code.RATE_LIMITED, "Slow down.", retry_after=given)
    assert error.retry_after == told
    assert error.to_dict().get("retry_after") == told


@pytest.mark.req("core:errors:plain")
def test_as_plain_data_it_says_what_is_known_and_leaves_out_the_cause() -> None:
    error = WebError(
        Code.RATE_LIMITED,
        "Slow down.",
        provider="exa",
        dispatched=True,
        retry_after=1.5,
        attempts=[Attempt(provider="exa", outcome="failed", code="WEB_RATE_LIMITED", dispatched=True, elapsed=0.12345)],
    )
    error.__cause__ = OSError("key sk-secret-0123456789 to 10.0.0.7")
    assert error.to_dict() == {
        "code": "WEB_RATE_LIMITED",
        "message": "Slow down.",
        "provider": "exa",
        "dispatched": True,
        "retryable": True,
        "retry_after": 1.5,
        "attempts": [
            {
                "provider": "exa",
                "outcome": "failed",
                "code": "WEB_RATE_LIMITED",
                "dispatched": True,
                "elapsed": 0.1235,
            }
        ],
    }
    assert to_plain(error) == error.to_dict()
    assert "secret" not in json.dumps(error.to_dict()) + str(error) + repr(error)


@pytest.mark.req("core:errors:plain")
def test_what_is_not_known_is_left_out() -> None:
    assert WebError(Code.DENIED, "No.").to_dict() == {
        "code": "WEB_DENIED",
        "message": "No.",
        "dispatched": False,
        "retryable": False,
    }
    assert Attempt(provider="x", outcome="ok").to_dict() == {
        "provider": "x",
        "outcome": "ok",
        "dispatched": False,
        "elapsed": 0.0,
    }


@pytest.mark.req("core:errors:text")
def test_as_text_it_is_code_and_message() -> None:
    assert str(WebError(Code.DENIED, "No.")) == "WEB_DENIED: No."
    assert type(WebError(Code.DENIED, "No.").code) is str


def pickled(error: WebError) -> WebError:
    twin = pickle.loads(pickle.dumps(error))  # noqa: S301 - what this test made itself
    assert isinstance(twin, WebError)
    return twin


@pytest.mark.req("core:errors:travels")
@pytest.mark.parametrize("travel", [copy.copy, copy.deepcopy, pickled])
def test_it_travels_between_processes(travel: Callable[[WebError], WebError]) -> None:
    attempt = Attempt(provider="x", outcome="failed", code="WEB_DENIED")
    error = WebError(
        Code.RATE_LIMITED, "Slow down.", provider="x", retry_after=2.0, retryable=False, attempts=[attempt]
    )
    copied = travel(error)
    assert type(copied) is WebError
    assert copied.to_dict() == error.to_dict()
    assert copied.attempts == (attempt,)
