"""Answers that are nearly right: what is no list of hits is no search without hits, and words are not misread."""

from typing import Any

import pytest

from support.vendor import KEY, HeldKey, good, says, staged
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchControls

ODD: tuple[Any, ...] = ("many", {"0": {}}, 7, True)
NO_OBJECT: tuple[Any, ...] = ("many", [], 7)


def bocha(pages: Any) -> Any:
    return {"code": 200, "data": {"webPages": pages}}


def dataforseo(result: Any) -> Any:
    return {"status_code": 20000, "tasks": [{"status_code": 20000, "result": result}]}


def firecrawl(rows: Any) -> Any:
    return {"success": True, "data": {"web": rows}}


SHAPES: list[Any] = [
    *(pytest.param("bocha", bocha({"value": odd}), id=f"bocha: rows {odd!r}") for odd in ODD),
    *(pytest.param("bocha", bocha(odd), id=f"bocha: pages {odd!r}") for odd in NO_OBJECT),
    *(pytest.param("dataforseo", dataforseo(odd), id=f"dataforseo: result {odd!r}") for odd in ODD),
    *(pytest.param("dataforseo", dataforseo([{"items": odd}]), id=f"dataforseo: items {odd!r}") for odd in ODD),
    *(pytest.param("dataforseo", dataforseo([odd]), id=f"dataforseo: first {odd!r}") for odd in NO_OBJECT),
    *(pytest.param("firecrawl", firecrawl(odd), id=f"firecrawl: rows {odd!r}") for odd in ODD),
]


@pytest.mark.req("search:vendor:no-list")
@pytest.mark.parametrize(("kind", "payload"), SHAPES)
async def test_what_is_no_list_is_no_search_without_hits(kind: str, payload: Any) -> None:
    async with staged(kind, says(payload)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.dispatched) == (Code.PROVIDER_ERROR, True)
    assert "without a usable" in caught.value.message


@pytest.mark.req("search:vendor:zero-results")
@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("bocha", bocha(None)),
        ("bocha", bocha({"value": None})),
        ("dataforseo", dataforseo(None)),
        ("dataforseo", dataforseo([None])),
        ("dataforseo", dataforseo([{"items": None}])),
        ("firecrawl", firecrawl(None)),
        ("zhipu", {"error": {"code": 1703, "message": "no data"}}),
    ],
)
async def test_null_in_the_place_of_hits_is_a_search_without_hits(kind: str, payload: Any) -> None:
    async with staged(kind, says(payload)) as stage:
        result = await stage.web.search("kelp")

    assert (result.grounding, result.sources) == ("searched", ())


@pytest.mark.req("search:vendor:outcomes")
@pytest.mark.parametrize("rows", [{}, {"search_result": None}, {"search_result": []}])
async def test_an_intent_that_wants_no_search_made_none_whatever_stands_for_its_hits(rows: Any) -> None:
    async with staged("zhipu", says({"search_intent": [{"intent": "SEARCH_NONE"}], **rows})) as stage:
        result = await stage.web.search("kelp")

    assert (result.grounding, result.sources) == ("ungrounded", ())


@pytest.mark.req("search:vendor:outcomes")
@pytest.mark.parametrize(
    ("kind", "payload", "code", "told"),
    [
        ("mojeek", {"response": {"status": "RATE LIMIT"}}, Code.RATE_LIMITED, "Try again later"),
        ("mojeek", {"response": {"status": "QUERY LIMIT"}}, Code.QUOTA_EXHAUSTED, "Top it up"),
        ("mojeek", {"response": {"status": "INVALID QUERY"}}, Code.PROVIDER_ERROR, "Change the request"),
        ("mojeek", {"response": {"status": "INVALID KEY"}}, Code.PROVIDER_ERROR, "Check the key"),
        ("bocha", {"code": 10001, "msg": "no such index"}, Code.PROVIDER_ERROR, "refused the call: no such index"),
        ("bocha", {"code": "E7"}, Code.PROVIDER_ERROR, "refused the call: code E7"),
        ("bocha", {"code": "403", "message": "You do not have enough money"}, Code.QUOTA_EXHAUSTED, "Top it up"),
    ],
)
async def test_a_refusal_in_words_gets_the_advice_that_fits_them(kind: str, payload: Any, code: str, told: str) -> None:
    async with staged(kind, says(payload)) as stage:
        with pytest.raises(WebError, match=told) as caught:
            await stage.web.search("kelp")

    assert caught.value.code == code


@pytest.mark.req("search:vendor-error:message")
async def test_a_sentence_is_told_rather_than_the_word_before_it() -> None:
    reply = says({"error": "rate_limited", "message": "Your plan allows five calls a second"}, 429)
    async with staged("valyu", reply) as stage:
        with pytest.raises(WebError, match="Your plan allows five calls a second"):
            await stage.web.search("kelp")


@pytest.mark.req("search:vendor:notices")
async def test_a_remark_of_a_vendor_is_one_short_line() -> None:
    async with staged("valyu", says({"success": False, "error": "nothing\n" * 9_000, "results": []})) as stage:
        result = await stage.web.search("kelp")

    (notice,) = result.notices
    assert notice.startswith("nothing nothing")
    assert len(notice) <= 500


@pytest.mark.req("search:vendor-error:secrets")
async def test_a_password_that_a_vendor_echoes_without_its_login_is_redacted() -> None:
    reply = says({"status_code": 40100, "status_message": f"bad password {KEY}"}, 401)
    async with staged("dataforseo", reply, secret=HeldKey(f"kelp@ex.test:{KEY}")) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert KEY not in repr(caught.value.to_dict())
    assert "[redacted]" in caught.value.message


EXTREME: list[tuple[str, SearchControls, str]] = [
    ("mojeek", SearchControls(published_before="9999-12-31"), "before=99991231"),
    ("mojeek", SearchControls(published_after="0999-01-02"), "since=09990102"),
    ("google-cse", SearchControls(published_after="0999-01-02"), "09990102"),
    ("firecrawl", SearchControls(published_after="0999-01-02"), "cd_min:01/02/0999,"),
    ("perplexity", SearchControls(published_after="0999-01-02"), '"01/02/0999"'),
    ("firecrawl", SearchControls(published_before="1960-03-02"), "cd_min:03/02/1960,cd_max:03/02/1960"),
    ("firecrawl", SearchControls(published_after="2500-03-02"), "cd_min:03/02/2500,cd_max:03/02/2500"),
    ("dataforseo", SearchControls(published_before="1960-03-02"), "cd_min:03/02/1960,cd_max:03/02/1960"),
    ("bocha", SearchControls(published_before="1960-03-02"), '"freshness":"1960-03-02"'),
]


@pytest.mark.req("search:vendor-controls:far-days")
@pytest.mark.parametrize(("kind", "controls", "sent"), EXTREME)
async def test_a_far_day_is_sent_whole_and_no_span_is_upside_down(
    kind: str, controls: SearchControls, sent: str
) -> None:
    async with staged(kind, good(kind)) as stage:
        await stage.web.search("kelp", controls=controls)

    (request,) = stage.server.requests
    assert sent in request.target + request.body.decode()


@pytest.mark.req("search:vendor:max-results")
@pytest.mark.parametrize(("wanted", "count"), [(1, 10), (10, 10), (11, 20), (50, 50), (80, 50)])
async def test_an_engine_that_counts_by_the_ten_is_asked_for_the_next_ten(wanted: int, count: int) -> None:
    async with staged("zhipu", good("zhipu"), engine="search_pro_sogou") as stage:
        result = await stage.web.search("kelp", max_results=wanted)

    assert stage.server.requests[0].json["count"] == count
    assert len(result.sources) <= wanted


@pytest.mark.req("search:vendor-controls:both-domains")
@pytest.mark.parametrize("kind", ["parallel", "staan"])
async def test_domains_that_the_seam_holds_count_against_no_cap_of_the_vendor(kind: str) -> None:
    many = tuple(f"d{number}.example" for number in range(400))
    async with staged(kind, good(kind)) as stage:
        result = await stage.web.search(
            "kelp", controls=SearchControls(include_domains=("kelp.example",), exclude_domains=many)
        )

    assert result.controls == {"include_domains": "native", "exclude_domains": "enforced"}
    assert "d399.example" not in stage.server.requests[0].body.decode()
