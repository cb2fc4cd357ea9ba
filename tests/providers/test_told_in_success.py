"""Errors told under HTTP 200, in other spellings than a vendor's usual one: still what they tell."""

from typing import Any

import pytest

from support.vendor import KEY, says, staged
from webseam.core.errors import Code, WebError

TELLS: list[tuple[str, Any, Code, bool]] = [
    # a status as text, in any of its places
    ("openrouter", {"error": {"code": "429", "message": "slow"}}, Code.RATE_LIMITED, True),
    ("openrouter", {"error": {"code": "402", "message": "none left"}}, Code.QUOTA_EXHAUSTED, False),
    ("openrouter", {"choices": [{"error": {"code": "429"}, "message": {"content": ""}}]}, Code.RATE_LIMITED, True),
    ("perplexity", {"error": {"code": "429", "message": "slow"}}, Code.RATE_LIMITED, True),
    ("mistral", {"object": "error", "code": "429", "message": "slow"}, Code.RATE_LIMITED, True),
    ("google", {"error": {"code": "429", "message": "slow"}}, Code.RATE_LIMITED, True),
    ("jina", {"code": "402", "message": "no balance"}, Code.QUOTA_EXHAUSTED, False),
    ("bocha", {"code": 429.0, "message": "slow"}, Code.RATE_LIMITED, True),
    ("dataforseo", {"status_code": "40202", "status_message": "slow"}, Code.RATE_LIMITED, True),
    ("serper", {"message": "down", "statusCode": "503"}, Code.PROVIDER_ERROR, True),
    ("brave", {"type": "ErrorResponse", "error": {"status": 429, "detail": "slow"}}, Code.RATE_LIMITED, True),
    # words, in any casing
    ("perplexity", {"error": {"type": "Rate_Limit_Exceeded", "message": "slow"}}, Code.RATE_LIMITED, True),
    ("google", {"error": {"status": "RESOURCE_EXHAUSTED", "message": "slow"}}, Code.RATE_LIMITED, True),
    ("firecrawl", {"success": False, "code": "RATE_LIMIT_EXCEEDED", "error": "slow"}, Code.RATE_LIMITED, True),
    ("firecrawl", {"success": "False", "error": "Insufficient credits"}, Code.QUOTA_EXHAUSTED, False),
    ("zhipu", {"error": {"code": 1113, "message": "no balance"}}, Code.QUOTA_EXHAUSTED, False),
    ("moonshot", {"error": {"type": "exceeded_current_quota_error"}}, Code.QUOTA_EXHAUSTED, False),
    ("wikipedia", {"error": {"code": "MaxLag", "info": "lag"}}, Code.PROVIDER_ERROR, True),
    ("anthropic", {"type": "error", "error": {"type": "Rate_Limit_Error", "message": "slow"}}, Code.RATE_LIMITED, True),
    # reasons, waits and sentences
    ("google-cse", {"error": {"errors": [{"reason": "dailyLimitExceeded"}]}}, Code.QUOTA_EXHAUSTED, False),
    ("tavily", {"error": {"message": "slow", "retry_after_seconds": "30"}}, Code.RATE_LIMITED, True),
    ("valyu", {"success": False, "error": "rate_limited", "retry_after": 2}, Code.RATE_LIMITED, True),
    ("serper", {"message": "Not enough credits"}, Code.QUOTA_EXHAUSTED, False),
    ("serpapi", {"error": "Invalid API key."}, Code.PROVIDER_ERROR, False),
    # what only says that something is wrong
    ("tavily", {"detail": {"error": "Unauthorized"}}, Code.PROVIDER_ERROR, False),
    ("jina", {"code": "40103", "message": "wrong"}, Code.PROVIDER_ERROR, False),
    ("parallel", {"type": "error", "error": {"code": "0429", "message": "odd"}}, Code.PROVIDER_ERROR, False),
]


@pytest.mark.req("search:vendor:told-in-success")
@pytest.mark.parametrize(("kind", "payload", "code", "again"), TELLS)
async def test_an_answer_without_hits_is_the_failure_that_it_tells(
    kind: str, payload: Any, code: Code, *, again: bool
) -> None:
    async with staged(kind, says(payload)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.retryable, caught.value.dispatched) == (code, again, True)


@pytest.mark.req("search:vendor:told-in-success", "search:vendor-error:secrets")
async def test_it_names_the_wait_and_never_the_key() -> None:
    told = {"error": {"message": f"key {KEY} is too fast", "retry_after_seconds": 30}}
    async with staged("tavily", says(told)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert caught.value.retry_after == 30
    assert KEY not in repr(caught.value.to_dict())


@pytest.mark.req("search:vendor:told-in-success")
async def test_a_failed_search_inside_an_answer_is_told_by_its_code_in_any_casing() -> None:
    failed = {"type": "web_search_tool_result_error", "error_code": "TOO_MANY_REQUESTS"}
    content = [{"type": "web_search_tool_result", "tool_use_id": "t", "content": failed}]
    async with staged("anthropic", says({"type": "message", "role": "assistant", "content": content})) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert caught.value.code == Code.RATE_LIMITED


@pytest.mark.req("search:vendor:told-in-success")
@pytest.mark.parametrize("engines", [{"e1": "timeout"}, [["e1", "timeout"]], ["e1"]])
async def test_failed_engines_are_told_whether_they_come_as_pairs_names_or_an_object(engines: Any) -> None:
    async with staged("searxng", says({"results": [], "unresponsive_engines": engines})) as stage:
        with pytest.raises(WebError, match="e1") as caught:
            await stage.web.search("kelp")

    assert caught.value.code == Code.UPSTREAM_FAILED
