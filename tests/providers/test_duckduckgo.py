"""DuckDuckGo's page: hits, none, a bot check, and everything else are told apart by markup alone."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.canned import Canned
from support.vendor import build, fixture, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchRequest, SearchResult
from webseam.testing import Reply

HIT = '<div class="web-result"><h2><a href="https://kelp.example/">Kelp</a></h2></div>'
NOTHING = '<div class="no-results">No results.</div>'
WALL = '<form id="challenge-form"></form>'
OTHER = [
    "<p>",
    "</div>",
    "No results found",
    "challenge-form",
    "<!-- ",
    "<script>",
    "<div class=result>",
    "\x00",
    "\ufffd",
]


def read(html: str) -> SearchResult | str:
    """The result of a page, or the code of its error."""
    transport = Canned(html.encode(), {"content-type": "text/html"})
    provider = build("duckduckgo", transport)
    verdict: SearchResult | str
    try:
        verdict = asyncio.run(provider.search(SearchRequest(query="kelp"), call=Call()))
    except WebError as error:
        verdict = error.code
    assert [one.form is not None for one in transport.sent] == [True]
    return verdict


@pytest.mark.req("search:duckduckgo:verdict")
@settings(deadline=None, max_examples=100)
@given(st.lists(st.sampled_from(OTHER), max_size=8))
def test_a_page_without_marks_is_never_an_empty_answer(parts: list[str]) -> None:
    assert read("".join(parts)) == Code.PROVIDER_ERROR


@pytest.mark.req("search:duckduckgo:verdict")
@pytest.mark.parametrize(
    ("page", "verdict"),
    [
        (HIT, 1),
        (HIT + NOTHING, 1),
        (WALL + HIT, 1),
        (NOTHING, 0),
        (NOTHING + WALL, Code.PROVIDER_BLOCKED),
        (WALL, Code.PROVIDER_BLOCKED),
        ("", Code.PROVIDER_ERROR),
    ],
)
def test_hits_win_over_a_check_and_a_check_over_nothing(page: str, verdict: int | str) -> None:
    found = read(page)

    assert (found if isinstance(found, str) else len(found.sources)) == verdict


@pytest.mark.req("search:duckduckgo:one-page")
async def test_one_page_is_asked_whatever_the_bound() -> None:
    recorded = fixture("duckduckgo")["replies"][0]
    async with staged("duckduckgo", Reply(headers=recorded["headers"], body=recorded["text"].encode())) as stage:
        await stage.web.search("kelp", max_results=90)

    assert len(stage.server.requests) == 1
    assert (stage.server.requests[0].header("user-agent") or "").startswith("webseam/")
