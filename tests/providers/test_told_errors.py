"""An answer without hits that names an error: nobody searched, so it is no empty answer."""

from typing import Any

import pytest

from support.vendor import says, staged
from webseam.core.errors import Code, WebError
from webseam.testing import Reply

EMPTY: list[tuple[str, dict[str, Any]]] = [
    ("brave", {"type": "search", "query": {"original": "kelp"}}),
    ("brave", {"type": "search", "web": {"results": []}}),
    ("brave-context", {"grounding": {}}),
    ("brave-context", {"grounding": {"generic": []}}),
    ("exa", {"requestId": "r"}),
    ("exa", {"requestId": "r", "results": []}),
    ("google-cse", {"searchInformation": {}}),
    ("google-cse", {"items": []}),
    ("jina", {"code": 200, "data": []}),
    ("kagi", {"meta": {"trace": "t"}, "data": {}}),
    ("kagi", {"meta": {"trace": "t"}, "data": {"search": []}}),
    ("linkup", {"results": []}),
    ("perplexity-search", {"results": []}),
    ("searxng", {"results": []}),
    ("serpapi", {"search_metadata": {"status": "Success"}}),
    ("serpapi", {"search_metadata": {"status": "Success"}, "organic_results": []}),
    ("serper", {"searchParameters": {}}),
    ("serper", {"organic": []}),
    ("tavily", {"results": []}),
    ("you", {"results": {}, "metadata": {"search_uuid": "u"}}),
    ("you", {"results": {"web": []}}),
]
TOLD: list[Any] = ["engine broke", {"message": "engine broke", "code": "X"}, [{"code": 1, "msg": "engine broke"}]]


@pytest.mark.req("search:vendor:told-error")
@pytest.mark.parametrize("told", TOLD, ids=["text", "object", "list"])
@pytest.mark.parametrize(("kind", "empty"), EMPTY)
async def test_no_hits_beside_an_error_are_that_error(kind: str, empty: dict[str, Any], told: Any) -> None:
    async with staged(kind, says(empty | {"error": told})) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.dispatched) == (Code.PROVIDER_ERROR, True)
    assert "engine broke" in caught.value.message


@pytest.mark.req("search:vendor:told-error")
@pytest.mark.parametrize("told", [None, "", [], {}])
@pytest.mark.parametrize(("kind", "empty"), EMPTY)
async def test_an_error_that_is_blank_leaves_an_empty_answer_one(kind: str, empty: dict[str, Any], told: Any) -> None:
    async with staged(kind, says(empty | {"error": told})) as stage:
        result = await stage.web.search("kelp")

    assert (result.grounding, result.sources) == ("searched", ())


@pytest.mark.req("search:vendor:told-error")
@pytest.mark.parametrize(
    ("kind", "payload", "code"),
    [
        ("exa", {"requestId": "r", "error": "gone", "tag": "NO_MORE_CREDITS"}, Code.QUOTA_EXHAUSTED),
        ("exa", {"requestId": "r", "tag": "NO_MORE_CREDITS"}, Code.QUOTA_EXHAUSTED),
        ("exa", {"requestId": "r", "tag": "INVALID_REQUEST"}, Code.PROVIDER_ERROR),
        ("exa", {"requestId": "r", "results": [], "error": "gone", "tag": "NO_MORE_CREDITS"}, Code.QUOTA_EXHAUSTED),
        ("kagi", {"error": "Insufficient credit to perform this request."}, Code.QUOTA_EXHAUSTED),
        ("tavily", {"results": [], "success": False, "message": "engine broke"}, Code.PROVIDER_ERROR),
        ("serper", {"searchParameters": {}, "message": "down", "statusCode": 500}, Code.PROVIDER_ERROR),
        ("jina", {"code": 200, "data": [], "errors": [{"title": "down"}]}, Code.PROVIDER_ERROR),
    ],
)
async def test_each_way_to_name_an_error_counts(kind: str, payload: dict[str, Any], code: Code) -> None:
    async with staged(kind, says(payload)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert caught.value.code == code


@pytest.mark.req("search:vendor:told-error")
async def test_hits_beside_an_error_stay_hits() -> None:
    async with staged("tavily", says({"results": [{"url": "https://kelp.example/"}], "error": "one shard"})) as stage:
        result = await stage.web.search("kelp")

    assert len(result.sources) == 1


@pytest.mark.req("search:vendor:told-error")
async def test_an_empty_list_beside_serpapis_own_words_is_an_empty_answer() -> None:
    empty = {
        "search_metadata": {"status": "Success"},
        "organic_results": [],
        "error": "Google hasn't returned any results for this query.",
    }
    async with staged("serpapi", says(empty)) as stage:
        assert (await stage.web.search("kelp")).sources == ()


@pytest.mark.req("search:vendor:told-error")
async def test_rows_that_are_no_pages_beside_failed_engines_are_no_empty_answer() -> None:
    reply = {"results": [{"url": "magnet:?xt=1"}], "unresponsive_engines": [["brave", "timeout"]]}
    async with staged("searxng", says(reply)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert caught.value.code == Code.UPSTREAM_FAILED


ROW = '<div class="result web-result"><h2>{}</h2></div>'
WALL = '<form id="challenge-form"></form>'
NOTHING = '<div class="result web-result result--no-result"><div class="no-results">No results.</div></div>'
AD = "//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad_domain%3Dx"


async def duck(html: str, status: int = 200) -> Any:
    """The URLs of a page's hits and what was dropped, or the code of its error."""
    async with staged(
        "duckduckgo", Reply(status=status, headers={"content-type": "text/html"}, body=html.encode())
    ) as s:
        try:
            result = await s.web.search("kelp")
        except WebError as error:
            return error.code
        return [one.url for one in result.sources], dict(result.dropped)


@pytest.mark.req("search:duckduckgo:links")
@pytest.mark.parametrize(
    ("html", "status", "told"),
    [
        (ROW.format("no link") + WALL, 200, Code.PROVIDER_BLOCKED),
        (ROW.format("no link"), 200, Code.PROVIDER_ERROR),
        (NOTHING, 200, ([], {})),
        ("<html></html>", 202, Code.PROVIDER_BLOCKED),
        (NOTHING, 202, ([], {})),
        (ROW.format(f'<a href="{AD}">buy</a>') + NOTHING, 200, ([], {})),
        (
            ROW.format('<a href="https://kelp.example/?u=duckduckgo.com/y.js?x">k</a>'),
            200,
            (["https://kelp.example/?u=duckduckgo.com/y.js?x"], {}),
        ),
        (
            ROW.format('<a href="/l/?kh=-1&amp;uddg=https%3A%2F%2Fkelp.example%2F%3Fq%3D100%2525">k</a>'),
            200,
            (["https://kelp.example/?q=100%25"], {}),
        ),
    ],
)
async def test_a_row_counts_by_where_its_link_leads(html: str, status: int, told: Any) -> None:
    assert await duck(html, status) == told
