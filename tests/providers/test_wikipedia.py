"""Wikipedia: one host for each language, and what cannot be asked of it."""

from typing import Any

import pytest

from support.canned import Canned
from support.vendor import HeldKey, build, good, replies_of, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchControls, SearchRequest

ARTICLES = "https://{language}.wikipedia.org/wiki/"
ONE_ARTICLE = b'{"query": {"search": [{"ns": 0, "title": "Kelp farm"}]}}'


@pytest.mark.req("search:vendor-controls:native")
@pytest.mark.parametrize(
    ("asked", "configured", "edition"),
    [
        (None, "en", "en"),
        (None, "simple", "simple"),
        ("sv-FI", "en", "sv"),
        ("nb", "en", "no"),
        ("yue", "en", "zh-yue"),
        ("als", "en", "sq"),
        ("gsw", "en", "als"),
        ("vro", "en", "fiu-vro"),
    ],
)
async def test_the_language_chooses_the_host_and_its_articles(asked: str | None, configured: str, edition: str) -> None:
    transport = Canned(ONE_ARTICLE)
    provider = build("wikipedia", transport, secret=HeldKey(None), page_url=ARTICLES, language=configured)

    result = await provider.search(SearchRequest(query="kelp", controls=SearchControls(language=asked)), call=Call())

    assert [one.url.partition("?")[0] for one in transport.sent] == [f"https://{edition}.wikipedia.org/w/api.php"]
    assert [one.url for one in result.sources] == [f"https://{edition}.wikipedia.org/wiki/Kelp_farm"]


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize("mode", ["strict", "lenient"])
@pytest.mark.parametrize(
    "controls",
    [
        SearchControls(include_domains=("kelp.example", "org")),
        SearchControls(exclude_domains=("kelp.example", "wiki.example")),
        SearchControls(include_domains=("wiki.example",), exclude_domains=("en.wiki.example",)),
    ],
)
async def test_domains_that_leave_out_its_one_host_are_refused_before_anything_leaves(
    mode: Any, controls: SearchControls
) -> None:
    async with staged("wikipedia", good("wikipedia"), settings=SeamSettings(controls=mode)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, caught.value.dispatched) == (Code.UNSUPPORTED_CONTROL, False)
    assert "en.wiki.example" in caught.value.message
    assert stage.server.connections == 0


@pytest.mark.req("search:vendor-controls:unsupported")
async def test_a_wiki_of_one_language_takes_no_language() -> None:
    async with staged("wikipedia", good("wikipedia"), page_url="https://wiki.example/") as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=SearchControls(language="sv"))

    assert caught.value.code == Code.UNSUPPORTED_CONTROL
    assert stage.server.connections == 0


@pytest.mark.req("search:vendor-options:checked")
@pytest.mark.parametrize("language", ["", "EN", "en.evil", "en/", "e", "a" * 4 + "-", "en\n"])
def test_a_configured_language_that_is_no_edition_is_refused(language: str) -> None:
    with pytest.raises(WebError, match=r"providers\.wikipedia\.language"):
        build("wikipedia", Canned(ONE_ARTICLE), language=language)


@pytest.mark.req("search:vendor:mapping")
async def test_the_day_of_the_last_edit_is_no_date_of_publication() -> None:
    async with staged("wikipedia") as stage:
        stage.server.replies = replies_of(
            {
                "replies": [
                    {"json": {"query": {"search": [{"ns": 0, "title": "Kelp", "timestamp": "2026-03-02T10:00:00Z"}]}}}
                ]
            }
        )
        result = await stage.web.search("kelp")

    assert result.sources[0].published_at is None


@pytest.mark.req("search:vendor:available")
@pytest.mark.parametrize("page_url", ["", "wiki.example/wiki/", "ftp://wiki.example/", "{language}"])
async def test_a_wiki_whose_pages_have_no_url_is_unavailable_and_says_why(page_url: str) -> None:
    async with staged("wikipedia", good("wikipedia"), page_url=page_url) as stage:
        reason = stage.provider.unavailable_reason()  # type: ignore[attr-defined] # an optional part of the protocol

    assert not stage.provider.available()
    assert reason.startswith("page_url must be")
