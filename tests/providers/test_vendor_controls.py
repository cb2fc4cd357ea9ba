"""Search controls per vendor: what is sent, what the seam holds, and what is refused before anything leaves."""

from typing import Any

import pytest

from support.vendor import SPECS, good, says, staged
from webseam.core.errors import Code, WebError
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchControls

KINDS = sorted(SPECS)
DATES = SearchControls(published_after="2026-03-02", published_before="2026-04-30")
BOTH = SearchControls(include_domains=("kelp.example", "SEA.example."), exclude_domains=("bad.kelp.example",))
EXCLUDED = SearchControls(exclude_domains=("bücher.example",))

SENT: list[tuple[str, SearchControls, dict[str, Any], dict[str, str]]] = [
    (
        "exa",
        DATES,
        {"startPublishedDate": "2026-03-02", "endPublishedDate": "2026-04-30"},
        {"published_after": "native", "published_before": "native"},
    ),
    (
        "exa",
        BOTH,
        {"includeDomains": ["kelp.example", "sea.example"]},
        {"include_domains": "native", "exclude_domains": "enforced"},
    ),
    ("exa", EXCLUDED, {"excludeDomains": ["xn--bcher-kva.example"]}, {"exclude_domains": "native"}),
    (
        "exa",
        SearchControls(country="se", safe_search="strict"),
        {"userLocation": "SE", "moderation": True},
        {"country": "native", "safe_search": "native"},
    ),
    (
        "exa",
        SearchControls(published_after="2026-03-02", published_before="2026-03-02"),
        {"startPublishedDate": "2026-03-02", "endPublishedDate": "2026-03-02"},
        {"published_after": "native", "published_before": "native"},
    ),
    ("exa", SearchControls(safe_search="off"), {"moderation": False}, {"safe_search": "native"}),
    (
        "perplexity",
        DATES,
        {"search_after_date_filter": "03/02/2026", "search_before_date_filter": "04/30/2026"},
        {"published_after": "native", "published_before": "native"},
    ),
    (
        "perplexity",
        BOTH,
        {"search_domain_filter": ["kelp.example", "sea.example"]},
        {"include_domains": "native", "exclude_domains": "enforced"},
    ),
    ("perplexity", EXCLUDED, {"search_domain_filter": ["-xn--bcher-kva.example"]}, {"exclude_domains": "native"}),
    (
        "perplexity",
        SearchControls(country="SE", language="pt-BR", safe_search="strict"),
        {
            "web_search_options": {"user_location": {"country": "SE"}},
            "search_language_filter": ["pt"],
            "safe_search": True,
        },
        {"country": "native", "language": "native", "safe_search": "native"},
    ),
    (
        "tavily",
        DATES,
        {"start_date": "2026-03-02", "end_date": "2026-04-30"},
        {"published_after": "native", "published_before": "native"},
    ),
    (
        "tavily",
        BOTH,
        {"include_domains": ["kelp.example", "sea.example"], "exclude_domains": ["bad.kelp.example"]},
        {"include_domains": "native", "exclude_domains": "native"},
    ),
    ("tavily", SearchControls(country="us"), {"country": "united states"}, {"country": "native"}),
    ("deepseek-official", BOTH, {}, {"include_domains": "enforced", "exclude_domains": "enforced"}),
]


@pytest.mark.req("search:vendor-controls:native")
@pytest.mark.parametrize(("kind", "controls", "fields", "statuses"), SENT)
async def test_a_control_is_sent_in_the_vendors_own_words_and_reported(
    kind: str, controls: SearchControls, fields: dict[str, Any], statuses: dict[str, str]
) -> None:
    async with staged(kind, good(kind), good(kind)) as stage:
        await stage.web.search("kelp")
        result = await stage.web.search("kelp", controls=controls)

    bare, sent = (one.json for one in stage.server.requests)
    assert {name: value for name, value in sent.items() if name not in bare} == fields
    assert result.controls == statuses


@pytest.mark.req("search:vendor-controls:native")
async def test_the_keyless_tool_takes_no_controls_and_the_seam_holds_the_domains() -> None:
    async with staged("exa-mcp", good("exa-mcp")) as stage:
        result = await stage.web.search("kelp", controls=SearchControls(include_domains=("kelp.example",)))

    assert stage.server.requests[-1].json["params"]["arguments"] == {"query": "kelp", "numResults": 8}
    assert [one.url for one in result.sources] == ["https://kelp.example/101"]
    assert result.dropped["domain"] == 1
    assert result.controls == {"include_domains": "enforced"}


@pytest.mark.req("search:vendor-controls:both-domains")
@pytest.mark.parametrize("kind", ["exa", "perplexity"])
async def test_with_both_lists_the_exclusion_is_held_on_the_results(kind: str) -> None:
    rows = [{"url": "https://kelp.example/"}, {"url": "https://bad.kelp.example/"}, {"url": "https://other.example/"}]
    reply = {"results": rows, "search_results": rows, "choices": []}
    async with staged(kind, says(reply)) as stage:
        result = await stage.web.search("kelp", controls=BOTH)

    assert [one.url for one in result.sources] == ["https://kelp.example/"]
    assert result.dropped["domain"] == 2


UNSUPPORTED: list[tuple[str, SearchControls]] = [
    ("exa", SearchControls(language="sv")),
    ("exa", SearchControls(safe_search="moderate")),
    ("perplexity", SearchControls(safe_search="moderate")),
    ("perplexity", SearchControls(include_domains=tuple(f"d{n}.example" for n in range(21)))),
    ("perplexity", SearchControls(exclude_domains=tuple(f"d{n}.example" for n in range(21)))),
    ("tavily", SearchControls(language="sv")),
    ("tavily", SearchControls(safe_search="strict")),
    ("tavily", SearchControls(country="AQ")),
    ("tavily", SearchControls(include_domains=tuple(f"d{n}.example" for n in range(301)))),
    ("tavily", SearchControls(exclude_domains=tuple(f"d{n}.example" for n in range(151)))),
    ("exa-mcp", DATES),
    ("exa-mcp", SearchControls(country="SE")),
    ("deepseek-official", DATES),
    ("deepseek-official", SearchControls(language="sv")),
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


BAD: list[tuple[SearchControls, str]] = [
    (SearchControls(country="Sweden"), "country"),
    (SearchControls(country="S3"), "country"),
    (SearchControls(published_after="02.03.2026"), "published_after"),
    (SearchControls(published_after="20260302"), "published_after"),
    (SearchControls(published_before="2026-02-30"), "published_before"),
    (SearchControls(published_after="2026-03-02", published_before="2026-03-01"), "published_after"),
    (SearchControls(language="swedish please"), "language"),
]


@pytest.mark.req("search:vendor-controls:malformed")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("controls", "named"), BAD)
async def test_a_malformed_control_is_an_argument_error_whoever_searches(
    kind: str, controls: SearchControls, named: str
) -> None:
    async with staged(kind, good(kind), settings=SeamSettings(controls="lenient")) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, caught.value.dispatched) == (Code.INVALID_ARGS, False)
    assert caught.value.message.startswith(named)
    assert stage.server.connections == 0


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize("kind", KINDS)
async def test_leniently_a_lost_control_is_left_out_and_reported(kind: str) -> None:
    controls = SearchControls(language="de", country="DE", safe_search="strict")  # in every list
    async with staged(kind, good(kind), settings=SeamSettings(controls="lenient")) as stage:
        result = await stage.web.search("kelp", controls=controls)

    native = getattr(stage.provider, "native_controls")  # noqa: B009 - an optional attribute of the protocol
    assert result.controls == {
        name: "native" if name in native else "unsupported" for name in ("country", "language", "safe_search")
    }


@pytest.mark.req("search:vendor-controls:unsupported")
async def test_tavily_honours_a_country_only_under_its_general_topic() -> None:
    async with staged("tavily", good("tavily"), topic="news") as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=SearchControls(country="SE"))

    assert caught.value.code == Code.UNSUPPORTED_CONTROL


CAPS = {"exa": ("numResults", 100), "tavily": ("max_results", 20), "perplexity": ("num_search_results", 5_000)}


@pytest.mark.req("search:vendor:max-results")
@pytest.mark.parametrize("kind", CAPS)
async def test_a_bound_is_sent_up_to_the_vendors_own_cap(kind: str) -> None:
    field, cap = CAPS[kind]
    async with staged(kind, good(kind), good(kind)) as stage:
        await stage.web.search("kelp", max_results=3)
        await stage.web.search("kelp", max_results=5_000)

    assert [one.json[field] for one in stage.server.requests] == [3, cap]


@pytest.mark.req("search:vendor:max-results")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_vendor_that_gives_too_many_is_cut_by_the_seam_and_the_cut_is_told(kind: str) -> None:
    async with staged(kind, good(kind)) as stage:
        result = await stage.web.search("kelp", max_results=1)

    assert (len(result.sources), result.truncated) == (1, True)
