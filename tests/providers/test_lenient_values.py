"""Leniently, a value outside what a vendor takes does not reach it, and the result says so."""

import pytest

from support.vendor import good, staged
from webseam.core.errors import Code, WebError
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchControls

MANY = tuple(f"d{number}.example" for number in range(400))


@pytest.mark.req("search:vendor-controls:lenient-values")
@pytest.mark.parametrize(
    ("kind", "controls", "statuses"),
    [
        (
            "exa",
            SearchControls(safe_search="moderate", country="SE"),
            {"country": "native", "safe_search": "unsupported"},
        ),
        ("perplexity", SearchControls(safe_search="moderate"), {"safe_search": "unsupported"}),
        ("perplexity", SearchControls(include_domains=MANY), {"include_domains": "enforced"}),
        ("tavily", SearchControls(country="AQ"), {"country": "unsupported"}),
        ("serper", SearchControls(include_domains=MANY), {"include_domains": "enforced"}),
        ("dataforseo", SearchControls(include_domains=MANY), {"include_domains": "enforced"}),
        (
            "tavily",
            SearchControls(include_domains=MANY, exclude_domains=MANY),
            {"include_domains": "enforced", "exclude_domains": "enforced"},
        ),
    ],
)
async def test_a_value_that_a_vendor_cannot_take_is_left_out_and_reported(
    kind: str, controls: SearchControls, statuses: dict[str, str]
) -> None:
    async with staged(kind, good(kind), settings=SeamSettings(controls="lenient")) as stage:
        result = await stage.web.search("kelp", controls=controls)

    assert result.controls == statuses
    assert len(stage.server.requests) == 1
    assert "d399.example" not in stage.server.requests[0].body.decode()


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize("kind", ["serper", "serpapi", "google-cse", "dataforseo", "duckduckgo"])
async def test_more_domains_than_a_query_has_room_for_are_refused_before_anything_leaves(kind: str) -> None:
    async with staged(kind, good(kind)) as stage:
        with pytest.raises(WebError, match="with the domains to include it has") as caught:
            await stage.web.search("kelp", controls=SearchControls(include_domains=MANY))

    assert (caught.value.code, caught.value.dispatched) == (Code.UNSUPPORTED_CONTROL, False)
    assert stage.server.requests == []
