"""How vendors say when to come back: headers, reset windows and bodies, all as seconds from now."""

import json
from collections.abc import Mapping
from email.utils import formatdate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webseam.core.errors import Code
from webseam.core.limits import RETRY_AFTER_SECONDS
from webseam.core.transport import VendorResponse
from webseam.providers.wires.failures import failure
from webseam.providers.wires.waits import seconds_to_wait

NOW = 1_790_000_000.0
"""The server's clock; ours is wrong by far, to prove that points in time are read against the server's."""

WRONG = 5.0


def wait(headers: Mapping[str, str], payload: Any = None, *, status: int = 429) -> float | None:
    dated = {"date": formatdate(NOW, usegmt=True), **headers}
    return seconds_to_wait(status, dated, payload, now=lambda: WRONG)


@pytest.mark.req("search:vendor-wait:header")
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "30"}, 30.0),
        ({"retry-after": formatdate(NOW + 90, usegmt=True)}, 90.0),
        ({"retry-after": formatdate(NOW - 90, usegmt=True)}, 0.0),
        ({"retry-after": "99999999"}, RETRY_AFTER_SECONDS),
        ({"retry-after-ms": "1250", "retry-after": "30"}, 1.25),
        ({"retry-after-ms": "12.5"}, 0.0125),
        ({"retry-after-ms": "soon", "retry-after": "30"}, 30.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms_against_the_servers_date(
    headers: Mapping[str, str], seconds: float | None
) -> None:
    assert wait(headers) == seconds


@pytest.mark.req("search:vendor-wait:reset")
@pytest.mark.parametrize(
    ("reset", "seconds"),
    [
        ("12", 12.0),
        ("0.5", 0.5),
        (f"{NOW + 40:.0f}", 40.0),
        (f"{(NOW + 40) * 1_000:.0f}", 40.0),
        (f"{NOW - 40:.0f}", 0.0),
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("120ms", 0.12),
        ("1h2m3.5s", 3_723.5),
        ("2026-09-21T14:14:10Z", 1_790_000_050.0 - NOW),
        ("2026-09-21T16:14:10.000+02:00", 50.0),
        ("2026-09-21T14:14:10", 50.0),
        ("tomorrow", None),
        ("", None),
        ("m", None),
    ],
)
@pytest.mark.parametrize("name", ["x-ratelimit-reset", "ratelimit-reset", "x-ratelimit-reset-requests"])
def test_a_reset_header_is_a_delay_or_a_point_in_time(name: str, reset: str, seconds: float | None) -> None:
    assert wait({name: reset}) == seconds


@pytest.mark.req("search:vendor-wait:windows")
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x-ratelimit-reset": "1, 1419704", "x-ratelimit-remaining": "0, 5"}, 1.0),
        ({"x-ratelimit-reset": "1, 3600", "x-ratelimit-remaining": "1, 0"}, 3_600.0),
        ({"x-ratelimit-reset": "1, 3600", "x-ratelimit-remaining": "0, 0"}, 3_600.0),
        ({"x-ratelimit-reset": "1, 1419704"}, 1.0),
        ({"x-ratelimit-reset": "9, 1419704", "x-ratelimit-remaining": "0"}, 9.0),
        ({"x-ratelimit-reset": "9, x", "x-ratelimit-remaining": "1, 0"}, 9.0),
        ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s"}, 1.0),
        (
            {
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-requests": "59",
                "x-ratelimit-reset-tokens": "6m0s",
                "x-ratelimit-remaining-tokens": "0",
            },
            360.0,
        ),
        (
            {
                "anthropic-ratelimit-requests-reset": "2026-09-21T14:13:30Z",
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": "2026-09-21T15:00:00Z",
                "anthropic-ratelimit-input-tokens-remaining": "10000",
            },
            10.0,
        ),
    ],
)
def test_of_several_windows_the_one_that_is_used_up_counts(headers: Mapping[str, str], seconds: float) -> None:
    assert wait(headers) == seconds


@pytest.mark.req("search:vendor-wait:windows")
@pytest.mark.parametrize(("status", "seconds"), [(429, 12.0), (503, 12.0), (200, None), (401, None), (500, None)])
def test_a_reset_counts_only_where_the_status_says_that_a_window_is_used_up(status: int, seconds: float | None) -> None:
    assert wait({"x-ratelimit-reset": "12"}, status=status) == seconds


RETRY_INFO = {
    "error": {
        "code": 429,
        "status": "RESOURCE_EXHAUSTED",
        "details": [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []},
            "odd",
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "21s"},
        ],
    }
}


@pytest.mark.req("search:vendor-wait:body")
@pytest.mark.parametrize(
    ("payload", "seconds"),
    [
        ({"error": {"retry_after_seconds": 12}}, 12.0),
        ({"detail": {"retry_after_seconds": 12.5}}, 12.5),
        ({"error": "rate_limited", "retry_after": 2}, 2.0),
        ({"retry_after": "2"}, 2.0),
        ({"retryAfter": 3}, 3.0),
        (RETRY_INFO, 21.0),
        ([RETRY_INFO], 21.0),
        ({"error": {"details": [{"retryDelay": "0.250s"}]}}, 0.25),
        ({"retry_after": 10**400}, RETRY_AFTER_SECONDS),
        ({"retry_after": -5}, 0.0),
        ({"retry_after": True}, None),
        ({"retry_after": float("nan")}, None),
        ({"retry_after": [3]}, None),
        ({"error": {"details": {"retryDelay": "21s"}}}, None),
        ([RETRY_INFO, RETRY_INFO], None),
    ],
)
def test_a_body_may_name_the_wait(payload: Any, seconds: float | None) -> None:
    assert wait({}, payload) == seconds


@pytest.mark.req("search:vendor-wait:order")
def test_retry_after_wins_over_the_body_and_the_body_over_a_window() -> None:
    window = {"x-ratelimit-reset": "9"}
    assert wait({"retry-after": "3", **window}, {"retry_after": 6}) == 3.0
    assert wait(window, {"retry_after": 6}) == 6.0
    assert wait(window, {}) == 9.0


@pytest.mark.req("search:vendor-wait:header")
def test_without_a_date_our_own_clock_is_read() -> None:
    response = VendorResponse(status=429, headers={"x-ratelimit-reset": f"{NOW + 7:.0f}"}, body=b"")
    assert failure(response, provider="kelp", now=lambda: NOW).retry_after == 7.0


@pytest.mark.req("search:vendor-wait:body")
def test_a_wait_inside_googles_list_reaches_the_error() -> None:
    response = VendorResponse(status=429, headers={}, body=json.dumps([RETRY_INFO]).encode())
    error = failure(response, provider="kelp")
    assert (error.code, error.retry_after, error.status) == (Code.RATE_LIMITED, 21.0, 429)
    assert "wait 21 s" in error.message


NAMES = st.sampled_from(
    [
        "retry-after",
        "retry-after-ms",
        "date",
        "x-ratelimit-reset",
        "x-ratelimit-remaining",
        "ratelimit-reset",
        "x-ratelimit-reset-requests",
        "x-ratelimit-remaining-requests",
        "anthropic-ratelimit-tokens-reset",
    ]
)
PIECES = st.text("0123456789.,-+:TZhms eE\u0663", max_size=30) | st.text(max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | PIECES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "detail", "details", "retry_after", "retryDelay", "retry_after_seconds"]), inner
        )
    ),
    max_leaves=8,
)


@pytest.mark.req("search:vendor-wait:bounded")
@settings(deadline=None)
@given(headers=st.dictionaries(NAMES, PIECES), payload=JSON, status=st.sampled_from([200, 401, 429, 503]))
def test_whatever_a_vendor_sends_the_wait_is_none_or_between_nothing_and_a_day(
    headers: dict[str, str], payload: Any, status: int
) -> None:
    seconds = seconds_to_wait(status, headers, payload, now=lambda: NOW)
    assert seconds is None or 0 <= seconds <= RETRY_AFTER_SECONDS
