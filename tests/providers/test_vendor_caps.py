"""Bounds that a vendor sets: how many hits, how many domains, which values; each held before anything leaves."""

from typing import Any

import pytest

from support.vendor import facts_of, good, staged
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchControls, SearchRequest
from webseam.testing import VendorCall

CAPS: dict[str, tuple[str, int]] = {
    "brave": ("count", 20),
    "brave-context": ("maximum_number_of_urls", 50),
    "firecrawl": ("limit", 100),
    "google-cse": ("num", 10),
    "jina": ("num", 20),
    "kagi": ("limit", 40),
    "linkup": ("maxResults", 100),
    "marginalia": ("count", 100),
    "parallel": ("max_results", 100),
    "perplexity-search": ("max_results", 20),
    "serpapi": ("num", 100),
    "serper": ("num", 20),
    "wikipedia": ("srlimit", 500),
    "you": ("count", 100),
}


def bound(request: VendorCall, field: str) -> Any:
    """What the request says under this name, in its query or anywhere in its body; None when it says nothing."""
    told = facts_of(request)
    body = told.get("json", {})
    nested = [part for part in body.values() if isinstance(part, dict)]
    found = next((part[field] for part in (told.get("query", {}), body, *nested) if field in part), None)
    return int(found) if isinstance(found, str) else found


@pytest.mark.req("search:vendor:max-results")
@pytest.mark.parametrize("kind", CAPS)
async def test_a_bound_is_sent_as_asked_as_configured_and_never_over_the_vendors_own(kind: str) -> None:
    field, most = CAPS[kind]
    async with staged(kind, *[good(kind)] * 3, num_results=7) as stage:
        await stage.web.search(SearchRequest(query="kelp"))
        await stage.web.search("kelp", max_results=3)
        await stage.web.search("kelp", max_results=5_000)

    assert [bound(one, field) for one in stage.server.requests] == [7, 3, most]


@pytest.mark.req("search:vendor:max-results")
@pytest.mark.parametrize("kind", CAPS)
async def test_without_a_bound_the_vendor_decides(kind: str) -> None:
    async with staged(kind, good(kind)) as stage:
        await stage.web.search(SearchRequest(query="kelp"))

    assert bound(stage.server.requests[0], CAPS[kind][0]) is None


def many(count: int) -> tuple[str, ...]:
    return tuple(f"d{n}.example" for n in range(count))


DAY = "2026-03-02"
UNSUPPORTED: list[tuple[str, SearchControls]] = [
    ("brave", SearchControls(country="SG")),
    ("brave", SearchControls(language="eo")),
    ("brave-context", SearchControls(country="SG")),
    ("brave-context", SearchControls(safe_search="strict")),
    ("duckduckgo", SearchControls(country="AQ")),
    ("duckduckgo", SearchControls(language="sv")),
    ("duckduckgo", SearchControls(published_after=DAY)),
    ("google-cse", SearchControls(language="hi")),
    ("google-cse", SearchControls(safe_search="moderate")),
    ("perplexity-search", SearchControls(safe_search="strict")),
    ("perplexity-search", SearchControls(include_domains=many(21))),
    ("perplexity-search", SearchControls(exclude_domains=many(21))),
    ("searxng", SearchControls(country="SE")),
    ("searxng", SearchControls(published_after=DAY)),
    ("serpapi", SearchControls(language="ak")),
    ("serpapi", SearchControls(safe_search="moderate")),
    ("serper", SearchControls(language="tlh")),
    ("serper", SearchControls(safe_search="strict")),
    ("firecrawl", SearchControls(language="sv")),
    ("firecrawl", SearchControls(safe_search="moderate")),
    ("jina", SearchControls(published_after=DAY)),
    ("jina", SearchControls(safe_search="strict")),
    ("kagi", SearchControls(published_before=DAY)),
    ("kagi", SearchControls(country="SE")),
    ("kagi", SearchControls(safe_search="moderate")),
    ("linkup", SearchControls(include_domains=many(101))),
    ("linkup", SearchControls(country="SE")),
    ("marginalia", SearchControls(published_after=DAY)),
    ("marginalia", SearchControls(country="SE")),
    ("parallel", SearchControls(include_domains=many(201))),
    ("parallel", SearchControls(exclude_domains=many(201))),
    ("parallel", SearchControls(published_before=DAY)),
    ("parallel", SearchControls(language="sv")),
    ("wikipedia", SearchControls(published_after=DAY)),
    ("wikipedia", SearchControls(country="SE")),
]


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize(("kind", "controls"), UNSUPPORTED)
async def test_what_a_vendor_cannot_honour_is_refused_before_anything_leaves(
    kind: str, controls: SearchControls
) -> None:
    async with staged(kind, good(kind)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, caught.value.dispatched) == (Code.UNSUPPORTED_CONTROL, False)
    assert controls.asked()[0] in caught.value.message
    assert stage.server.connections == 0


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize("controls", [SearchControls(published_after=DAY), SearchControls(published_before=DAY)])
async def test_firecrawl_filters_by_day_among_web_pages_only(controls: SearchControls) -> None:
    async with staged("firecrawl", good("firecrawl"), source="news") as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, stage.server.connections) == (Code.UNSUPPORTED_CONTROL, 0)
