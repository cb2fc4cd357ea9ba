"""The one error mapping, over every vendor: whatever comes back, the caller gets a code that says what to do."""

import json
from typing import Any

import pytest

from support.vendor import KEY, SPECS, fixture, good, replies_of, says, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchRequest
from webseam.testing import Reply

KINDS = sorted(SPECS)
HTML = Reply(
    status=502, headers={"content-type": "text/html"}, body=b"<html><body><h1>502 Bad Gateway</h1></body></html>"
)


async def failure(kind: str, *replies: Reply, **options: Any) -> WebError:
    """The error of one search against these replies."""
    async with staged(kind, *replies, **options) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")
    return caught.value


SHAPES: dict[str, tuple[Any, str]] = {
    "an error string": ({"error": "the filter is wrong"}, "the filter is wrong"),
    "error.message": ({"error": {"message": "the filter is wrong", "type": "bad"}}, "the filter is wrong"),
    "message": ({"message": "the filter is wrong"}, "the filter is wrong"),
    "a detail string": ({"detail": "the filter is wrong"}, "the filter is wrong"),
    "detail.error": ({"detail": {"error": "the filter is wrong"}}, "the filter is wrong"),
    "error.detail": ({"error": {"detail": "the filter is wrong"}}, "the filter is wrong"),
    "a list of details": (
        {"detail": [{"loc": ["body", "query"], "msg": "too short"}, {"msg": "and odd"}]},
        "body.query: too short; and odd",
    ),
    "an error of its own kind": (
        {"type": "error", "error": {"type": "invalid_request_error", "message": "the filter is wrong"}},
        "the filter is wrong",
    ),
    "no detail": ({"requestId": "r-1"}, "HTTP 400"),
    "an empty message": ({"error": {"message": " "}}, "HTTP 400"),
    "a list": (["odd"], "odd"),
    "null": (None, "HTTP 400"),
    "a number": (7, "HTTP 400"),
}


@pytest.mark.req("search:vendor-error:message")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
async def test_an_http_error_passes_on_what_its_json_says(kind: str, shape: str) -> None:
    body, said = SHAPES[shape]

    error = await failure(kind, says(body, status=400))

    assert (error.code, error.provider, error.dispatched, error.retryable) == (Code.PROVIDER_ERROR, kind, True, False)
    assert said in error.message
    assert kind in error.message
    assert "HTTP 400" in error.message


@pytest.mark.req("search:vendor-error:not-json")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "body",
    [
        HTML.body,
        b"",
        b"Bad Gateway",
        b"{broken",
        b"[" * 100_000,
        b"\xff\xfe",
        b'"\\ud800"',
        b'{"error": "' + b"x" * 70_000,
    ],
    ids=["html", "empty", "text", "broken", "deep", "not utf-8", "surrogate", "long"],
)
async def test_an_error_body_that_is_no_json_never_hides_the_status(kind: str, body: bytes) -> None:
    error = await failure(kind, Reply(status=502, headers={"content-type": "text/html"}, body=body))

    assert (error.code, error.retryable) == (Code.PROVIDER_ERROR, True)
    assert f"{kind} failed (HTTP 502)" in error.message
    assert "<" not in error.message


STATUSES: dict[int, tuple[Code, bool, str]] = {
    400: (Code.PROVIDER_ERROR, False, "Change the request"),
    401: (Code.PROVIDER_ERROR, False, "Check the key"),
    402: (Code.QUOTA_EXHAUSTED, False, "Top it up"),
    403: (Code.PROVIDER_ERROR, False, "Check the key"),
    404: (Code.PROVIDER_ERROR, False, "Change the request"),
    408: (Code.PROVIDER_ERROR, True, "Try again"),
    422: (Code.PROVIDER_ERROR, False, "Change the request"),
    429: (Code.RATE_LIMITED, True, "Try again"),
    500: (Code.PROVIDER_ERROR, True, "Try again"),
    503: (Code.PROVIDER_ERROR, True, "Try again"),
    529: (Code.PROVIDER_ERROR, True, "Try again"),
}


@pytest.mark.req("search:vendor-error:status")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", STATUSES)
async def test_a_status_decides_the_code_and_what_to_do(kind: str, status: int) -> None:
    code, retryable, advice = STATUSES[status]
    own = fixture(kind).get("statuses", {}).get(str(status))

    error = await failure(kind, says({"error": {"message": "as told"}}, status=status))

    assert (error.code, error.retryable, error.dispatched) == (own or code, retryable, True)
    assert own or advice in error.message


@pytest.mark.req("search:vendor-error:quota")
@pytest.mark.parametrize(
    ("kind", "status", "body"),
    [
        ("exa", 429, {"error": "no credits", "tag": "NO_MORE_CREDITS"}),
        ("exa", 403, {"error": "over budget", "tag": "API_KEY_BUDGET_EXCEEDED"}),
        ("tavily", 432, {"detail": {"error": "plan limit"}}),
        ("tavily", 433, {"detail": {"error": "pay-as-you-go limit"}}),
        ("perplexity", 429, {"error": {"message": "quota", "type": "insufficient_quota", "code": 429}}),
        ("deepseek-official", 400, {"type": "error", "error": {"type": "billing_error", "message": "balance"}}),
    ],
)
async def test_a_used_up_account_is_told_from_a_fast_caller(kind: str, status: int, body: Any) -> None:
    error = await failure(kind, says(body, status=status))

    assert (error.code, error.retryable) == (Code.QUOTA_EXHAUSTED, False)


SENT = "Mon, 30 Nov 2026 10:00:00 GMT"
WAITS: dict[str, tuple[dict[str, str], float | None]] = {
    "seconds": ({"retry-after": "17"}, 17.0),
    "an http date": ({"retry-after": "Mon, 30 Nov 2026 10:00:40 GMT", "date": SENT}, 40.0),
    "a date that has passed": ({"retry-after": "Mon, 30 Nov 2026 09:00:00 GMT", "date": SENT}, 0.0),
    "milliseconds": ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
    "a million days": ({"retry-after": "86400000000"}, 86_400.0),
    "a negative number": ({"retry-after": "-5"}, None),
    "words": ({"retry-after": "soon"}, None),
    "no header": ({}, None),
}


@pytest.mark.req("search:vendor-error:retry-after")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wait", WAITS)
async def test_a_rate_limit_says_when_to_come_back(kind: str, wait: str) -> None:
    headers, seconds = WAITS[wait]

    error = await failure(kind, says({"error": {"message": "slow down"}}, status=429, headers=headers))

    assert (error.code, error.retry_after) == (Code.RATE_LIMITED, seconds)


@pytest.mark.req("search:vendor-error:blocked")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_bot_check_is_told_from_a_refused_key(kind: str) -> None:
    error = await failure(kind, Reply(status=403, headers={"cf-mitigated": "challenge"}, body=HTML.body))

    assert error.code == Code.PROVIDER_BLOCKED


UNREADABLE: dict[str, bytes] = {
    "html": HTML.body,
    "empty": b"",
    "blank": b" \r\n",
    "broken": b'{"results": [',
    "a list": b"[]",
    "a string": b'"results"',
    "null": b"null",
    "a number": b"3",
    "deep": b'{"a":' * 100_000,
    "deep lists": b"[" * 100_000,
    "not utf-8": b'{"results": "\xff"}',
    "not a number": b'{"results": NaN}',
    "foreign": b'{"hello": "world"}',
    "an error": b'{"error": {"message": "not today"}}',
    "wrong rows": b'{"results": "many", "choices": 7, "content": {}, "requestId": "r"}',
}


@pytest.mark.req("search:vendor-error:unreadable")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", UNREADABLE)
async def test_a_success_that_cannot_be_read_is_an_error_and_no_empty_answer(kind: str, shape: str) -> None:
    reply = Reply(headers={"content-type": "application/json"}, body=UNREADABLE[shape])

    error = await failure(kind, reply)

    assert (error.code, error.provider, error.dispatched) == (Code.PROVIDER_ERROR, kind, True)
    assert f"{kind} answered with" in error.message or f"{kind} refused the call" in error.message
    assert "\n" not in error.message


@pytest.mark.req("search:vendor-error:unreadable")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_html_page_with_status_200_is_named_as_what_it_is(kind: str) -> None:
    error = await failure(kind, Reply(headers={"content-type": "text/html"}, body=HTML.body))

    assert error.code == Code.PROVIDER_ERROR
    assert "text/html" in error.message
    assert "base URL" in error.message


@pytest.mark.req("search:vendor-error:secrets")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", [200, 400, 401, 429])
async def test_a_key_that_the_vendor_echoes_reaches_nobody(kind: str, status: int) -> None:
    body = {"error": {"message": f"Incorrect API key provided: {KEY}\u2028\nsee {KEY}", "code": -32000}, "id": None}

    error = await failure(kind, says(body, status=status))

    told = [error, error.__cause__, error.__context__]
    assert KEY not in "".join(str(one) + repr(one) for one in told)
    assert KEY not in json.dumps(error.to_dict())
    assert "[redacted]" in error.message or "Incorrect" not in error.message  # a page of HTML is not quoted
    assert "\n" not in error.message


@pytest.mark.req("search:vendor-error:message")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_vendors_novel_is_cut_to_one_line(kind: str) -> None:
    error = await failure(kind, says({"error": "kelp \x1b[31m\n" * 2_000}, status=400))

    assert len(error.message) < 500
    assert "\x1b" not in error.message


@pytest.mark.req("search:vendor-error:network")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", ["dropped", "cut"])
async def test_a_vendor_that_hangs_up_is_an_error_that_may_have_been_billed(kind: str, ending: Any) -> None:
    async with staged(kind, good(kind, ending)) as stage:
        greeted = len(stage.server.replies) - 1
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.dispatched) == (Code.PROVIDER_ERROR, True)
    assert kind in caught.value.message
    assert len(stage.server.requests) == greeted + 1, "a billed request is never sent twice"


@pytest.mark.req("search:vendor-error:network")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_vendor_that_refuses_the_connection_was_sent_nothing(kind: str) -> None:
    error = await failure(kind, base_url="http://127.0.0.1:1/v1")

    assert (error.code, error.dispatched) == (Code.PROVIDER_ERROR, False)
    assert kind in error.message
    assert "127.0.0.1" not in error.message


@pytest.mark.req("search:vendor:redirects")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_refused_and_its_target_never_contacted(kind: str, status: int) -> None:
    async with staged(kind) as target:
        moved = Reply(status=status, headers={"location": target.server.url + "/steal"})
        error = await failure(kind, moved)
        target_saw = (target.server.connections, target.server.requests)

    assert (error.code, error.dispatched) == (Code.PROVIDER_ERROR, True)
    assert f"HTTP {status}" in error.message
    assert target_saw == (0, [])


@pytest.mark.req("search:vendor:lenient-rows")
@pytest.mark.parametrize("kind", ["exa", "tavily", "perplexity", "deepseek-official"])
async def test_one_malformed_row_among_good_ones_is_dropped_and_counted(kind: str) -> None:
    async with staged(kind, says(_with_odd_rows(kind))) as stage:
        result = await stage.web.search("kelp", max_results=50)

    plain = {one.url: one for one in result.sources}
    assert list(plain) == ["https://a.example/", "https://b.example/"]
    assert plain["https://b.example/"].title is None
    assert plain["https://b.example/"].published_at is None
    assert result.dropped["malformed"] == len(ODD_ROWS)
    assert result.grounding == "searched"


ODD_ROWS: tuple[Any, ...] = (None, 7, "text", [], {}, {"url": None}, {"url": 3}, {"url": ""}, {"title": "no url"})


def _with_odd_rows(kind: str) -> Any:
    rows = [
        {"url": "https://a.example/", "title": "A"},
        *ODD_ROWS,
        {
            "url": " https://b.example/ ",
            "title": ["B"],
            "publishedDate": 1,
            "published_date": {},
            "date": 5,
            "page_age": [],
        },
    ]
    body = fixture(kind)["replies"][-1]["json"]
    if kind == "perplexity":
        return body | {"search_results": rows}
    if kind == "deepseek-official":
        return body | {"content": [{"type": "web_search_tool_result", "content": rows}]}
    return body | {"results": rows}


@pytest.mark.req("search:vendor:zero-results")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_proven_search_without_hits_is_searched_and_empty(kind: str) -> None:
    case = next(case for case in fixture(kind)["outcomes"] if case["name"] == "no hits")
    async with staged(kind, **case.get("options", {})) as stage:
        stage.server.replies = replies_of(case)
        result = await stage.web.search("kelp")

    assert (result.grounding, result.sources, result.content, result.truncated) == ("searched", (), None, False)


@pytest.mark.req("search:vendor:raw")
@pytest.mark.parametrize("kind", KINDS)
async def test_the_raw_payload_is_kept_only_when_asked_for(kind: str) -> None:
    async with staged(kind, good(kind), good(kind)) as stage:
        plain = await stage.provider.search(SearchRequest(query="kelp"), call=Call())
        kept = await stage.provider.search(SearchRequest(query="kelp"), call=Call(raw=True))

    assert plain.raw is None
    assert kept.raw
