"""Answers side by side: pure counting, so every number follows from the outcomes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.core.errors import Code, WebError
from webseam.core.types import Attempt, SearchResult, Source, Usage
from webseam.tools.compare import Comparison, Outcome, canonical, compare


def found(provider: str, *urls: str, **more: Any) -> Outcome:
    sources = tuple(Source(url=url, title=f"{provider} on {url}") for url in urls)
    return Outcome(provider=provider, answer=SearchResult(provider=provider, sources=sources, **more))


def failed(provider: str, code: str = Code.RATE_LIMITED, *attempts: Attempt) -> Outcome:
    return Outcome(provider=provider, answer=WebError(code, "Wait.", attempts=attempts))


@pytest.mark.req("tools:compare:overlap")
def test_pages_are_the_same_when_their_canonical_urls_are() -> None:
    one = found("a", "https://KELP.test:443/x#top", "https://a.test/", "https://kelp.test/x#end")
    other = found("b", "https://kelp.test/x", "https://b.test/")
    seen = compare([one, other])

    assert [(s.provider, s.hits, s.documents, s.shared) for s in seen.standings] == [("a", 3, 2, 1), ("b", 2, 2, 1)]
    assert [(p.url, dict(p.ranks)) for p in seen.places] == [
        ("https://kelp.test/x", {"a": 1, "b": 1}),
        ("https://a.test/", {"a": 2}),
        ("https://b.test/", {"b": 2}),
    ]


@pytest.mark.req("tools:compare:ranks")
def test_pages_that_several_rank_stand_above_those_that_one_ranks() -> None:
    seen = compare(
        [found("a", "https://a.test/1", "https://both.test/"), found("b", "https://b.test/1", "https://both.test/")]
    )

    assert [p.url for p in seen.places] == ["https://both.test/", "https://a.test/1", "https://b.test/1"]
    assert seen.places[0].to_dict() == {
        "url": "https://both.test/",
        "title": "a on https://both.test/",
        "ranks": {"a": 2, "b": 2},
    }


@pytest.mark.req("tools:compare:honest")
def test_what_was_not_reported_stays_unknown() -> None:
    tries = (Attempt(provider="b", outcome="failed", elapsed=1.5), Attempt(provider="b", outcome="ok", elapsed=0.25))
    cost = Usage(calls=1, cost=0.0, currency="credits")
    seen = compare([found("a"), found("b", attempts=tries, usage=cost), failed("c")])
    a, b, c = (one.to_dict() for one in seen.standings)

    assert (a["elapsed"], a["cost"], a["currency"], a["hits"], a["grounding"]) == (None, None, None, 0, "searched")
    assert (b["elapsed"], b["cost"], b["currency"]) == (1.75, 0.0, "credits")
    assert (c["code"], c["grounding"], c["elapsed"], c["cost"]) == ("WEB_RATE_LIMITED", None, None, None)
    assert set(a) == set(c)


@pytest.mark.req("tools:compare:honest")
def test_a_failure_with_a_try_tells_how_long_it_took() -> None:
    (line,) = compare(
        [failed("a", Code.SEARCH_TIMEOUT, Attempt(provider="a", outcome="failed", elapsed=2.0))]
    ).standings
    assert (line.code, line.elapsed, line.hits) == ("WEB_SEARCH_TIMEOUT", 2.0, 0)


@pytest.mark.req("tools:compare:honest")
def test_a_title_that_no_vendor_gave_is_not_invented() -> None:
    bare = Outcome(provider="a", answer=SearchResult(provider="a", sources=(Source(url="https://a.test/"),)))
    assert compare([bare]).places[0].to_dict() == {"url": "https://a.test/", "ranks": {"a": 1}}
    assert compare([bare, found("b", "https://a.test/")]).places[0].title == "b on https://a.test/"


@pytest.mark.req("tools:compare:honest")
def test_it_is_answered_when_one_answered() -> None:
    assert compare([failed("a"), found("b")]).answered
    assert not compare([failed("a"), failed("b")]).answered
    assert not compare([]).answered


_URLS = st.sampled_from([f"https://{host}.test/{path}" for host in "abc" for path in ("", "x", "x#y")] + ["no url"])
_OUTCOMES = st.lists(st.lists(_URLS, max_size=6), min_size=1, max_size=4)


@pytest.mark.req("tools:compare:overlap", "tools:compare:ranks")
@given(_OUTCOMES)
def test_every_page_is_listed_once_and_every_count_adds_up(lists: list[list[str]]) -> None:
    seen: Comparison = compare([found(str(number), *urls) for number, urls in enumerate(lists)])

    listed = [place.url for place in seen.places]
    assert sorted(listed) == sorted({canonical(url) for urls in lists for url in urls})
    for standing, urls in zip(seen.standings, lists, strict=True):
        mine = {place.url: place.ranks[standing.provider] for place in seen.places if standing.provider in place.ranks}
        assert standing.hits == len(urls) >= standing.documents == len(mine) >= standing.shared
        assert standing.shared == sum(len(place.ranks) > 1 for place in seen.places if place.url in mine)
        assert all(canonical(urls[rank - 1]) == url for url, rank in mine.items())
