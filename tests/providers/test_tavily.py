"""Tavily: its two error shapes, keyless limits, the query cap, credits and the optional answer."""

from typing import Any

import pytest

from support.vendor import HeldKey, good, says, staged
from webseam.core.errors import Code, WebError
from webseam.core.web import Web

KEYLESS_LIMIT = {
    "error": {
        "code": "keyless_limit",
        "message": "Keyless limit reached",
        "window": "day",
        "retry_after_seconds": 3600,
        "next_actions": ["get a key"],
    }
}


@pytest.mark.req("search:tavily:keyless-limit")
@pytest.mark.parametrize("status", [400, 403, 429])
async def test_a_keyless_limit_says_when_to_come_back_whatever_its_status(status: int) -> None:
    async with staged("tavily", says(KEYLESS_LIMIT, status), secret=HeldKey(None)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.retryable, caught.value.retry_after) == (Code.RATE_LIMITED, True, 3600.0)
    assert "Keyless limit reached" in caught.value.message


@pytest.mark.req("search:tavily:keyless-limit")
@pytest.mark.parametrize("wait", [None, "soon", True, -4, 1e12])
async def test_an_odd_wait_in_the_body_is_clamped_or_left_out(wait: Any) -> None:
    body = {"error": {"message": "limit", "retry_after_seconds": wait}}
    async with staged("tavily", says(body, 429), secret=HeldKey(None)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert caught.value.code == Code.RATE_LIMITED
    assert caught.value.retry_after == {-4: 0.0, 1e12: 86_400.0}.get(wait if not isinstance(wait, bool) else 0)


@pytest.mark.req("search:tavily:query-cap")
async def test_a_query_over_the_vendors_cap_is_refused_with_both_numbers_and_nothing_leaves() -> None:
    async with staged("tavily", good("tavily")) as stage:
        await stage.web.search("k" * 400)
        with pytest.raises(WebError) as caught:
            await stage.web.search("k" * 401)

    assert caught.value.dispatched is False
    assert "at most 400 characters" in caught.value.message
    assert "401" in caught.value.message
    assert len(stage.server.requests) == 1


@pytest.mark.req("search:tavily:query-cap")
async def test_a_route_moves_on_to_a_vendor_that_takes_the_longer_query() -> None:
    async with staged("tavily", good("tavily")) as first, staged("exa", good("exa")) as second:
        web = Web(search=["tavily", "exa"])
        web.register_search(first.provider)
        web.register_search(second.provider)
        result = await web.search("k" * 500)

    assert result.provider == "exa"
    assert [one.dispatched for one in result.attempts] == [False, True]


@pytest.mark.req("search:tavily:answer")
@pytest.mark.parametrize(("asked", "shown"), [(True, "Kelp grows."), (False, None)])
async def test_the_generated_answer_is_passed_on_only_when_configured(*, asked: bool, shown: str | None) -> None:
    body = {"answer": "Kelp grows.", "results": [{"url": "https://kelp.example/"}]}
    async with staged("tavily", says(body), answer=asked) as stage:
        assert (await stage.web.search("kelp")).content == shown


@pytest.mark.req("search:vendor:usage")
@pytest.mark.parametrize("usage", [None, {}, {"credits": "2"}, {"credits": True}, []])
async def test_credits_that_were_not_reported_are_unknown(usage: Any) -> None:
    async with staged("tavily", says({"results": [], "usage": usage})) as stage:
        result = await stage.web.search("kelp")

    assert result.usage is not None
    assert (result.usage.cost, result.usage.currency) == (None, None)


@pytest.mark.req("search:vendor-error:message")
async def test_the_vendors_own_reason_is_passed_on() -> None:
    async with staged("tavily", says({"detail": {"error": "Query is too long"}}, 400)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert "Query is too long" in caught.value.message
