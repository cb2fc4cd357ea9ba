"""Staan gives ten hits a page: the next one is asked for only while hits are wanted and pages come full."""

from typing import Any

import pytest

from support.vendor import says, staged
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchControls, SearchRequest
from webseam.testing import Reply


def page(number: int, hits: int = 10) -> Reply:
    return says({"web": {"results": [{"url": f"https://kelp.example/{number}/{hit}"} for hit in range(hits)]}})


@pytest.mark.req("search:vendor:pages")
@pytest.mark.parametrize(
    ("wanted", "options", "offsets"),
    [
        (None, {}, [None]),
        (10, {}, [None]),
        (11, {}, [None, 10]),
        (None, {"num_results": 25}, [None, 10, 20]),
        (5_000, {}, [None, 10, 20, 30]),
    ],
)
async def test_as_many_pages_are_asked_for_as_the_bound_needs(
    wanted: int | None, options: dict[str, Any], offsets: list[int | None]
) -> None:
    async with staged("staan", *(page(number) for number in range(5)), **options) as stage:
        request = SearchRequest(query="kelp", max_results=wanted, controls=SearchControls(country="GB"))
        result = await stage.web.search(request)

    sent = [one.json for one in stage.server.requests]
    assert [one.get("offset") for one in sent] == offsets
    assert {(one["q"], one["market"]) for one in sent} == {("kelp", "en-gb")}
    assert len(result.sources) == min(wanted or 10 * len(offsets), 40)
    assert result.usage is not None
    assert result.usage.calls == len(offsets)


@pytest.mark.req("search:vendor:pages")
async def test_a_page_that_is_not_full_is_the_last_one() -> None:
    async with staged("staan", page(0), page(1, hits=9), page(2)) as stage:
        result = await stage.web.search("kelp", max_results=30)

    assert (len(stage.server.requests), len(result.sources), result.truncated) == (2, 19, False)


@pytest.mark.req("search:vendor:pages")
async def test_a_refused_later_page_leaves_the_earlier_ones_and_says_so() -> None:
    async with staged("staan", page(0), says({"message": "Too many requests"}, status=429)) as stage:
        result = await stage.web.search("kelp", max_results=30)

    assert (len(result.sources), result.truncated) == (10, True)
    assert any("429" in notice for notice in result.notices)


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize(
    ("controls", "named"),
    [
        (SearchControls(country="AT", language="de"), "country = 'AT'"),
        (SearchControls(country="SE"), "country = 'SE'"),
        (SearchControls(language="sv"), "language = 'sv'"),
        (SearchControls(include_domains=tuple(f"d{n}.example" for n in range(11))), "include_domains"),
        (SearchControls(exclude_domains=tuple(f"d{n}.example" for n in range(11))), "exclude_domains"),
    ],
)
async def test_a_market_that_staan_does_not_have_is_refused_before_anything_leaves(
    controls: SearchControls, named: str
) -> None:
    async with staged("staan", page(0)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, caught.value.dispatched) == (Code.UNSUPPORTED_CONTROL, False)
    assert named in caught.value.message
    assert stage.server.connections == 0
