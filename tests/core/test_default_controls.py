"""Controls that the configuration asks for: what a request may change, what it may not, and how it is told."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import failing, hits, refused, searching
from webseam.core.controls import in_force, lies_within, stricter
from webseam.core.errors import Code, WebError
from webseam.core.forms import SAFETY
from webseam.core.selection import FanOut
from webseam.core.settings import SeamSettings
from webseam.core.types import NO_CONTROLS, SearchControls, SearchRequest
from webseam.core.web import Web
from webseam.testing import ScriptedSearch

ALL_NATIVE = frozenset(one.name for one in fields(SearchControls))
PINNED = SearchControls(include_domains=("a.test", "Bücher.test"))


def held(own: SearchControls, defaults: SearchControls) -> SearchControls:
    """The controls in force."""
    return in_force(SearchRequest(query="kelp", controls=own), defaults)[0].controls


def configured(**defaults: object) -> SeamSettings:
    return SeamSettings(default_controls=SearchControls(**defaults))  # type: ignore[arg-type] # as the configuration gives them


@pytest.mark.req("core:default-controls:held")
async def test_defaults_reach_the_provider_and_are_reported_like_any_control() -> None:
    one = ScriptedSearch("s", [hits("https://a.test/", "https://b.test/")], native_controls=frozenset({"country"}))
    web = searching(one, settings=configured(country="SE", include_domains=("a.test",)))
    result = await web.search("kelp", max_results=5)
    assert one.script.requests == [
        SearchRequest(query="kelp", max_results=5, controls=SearchControls(country="SE", include_domains=("a.test",)))
    ]
    assert result.controls == {"include_domains": "enforced", "country": "native"}
    assert [source.url for source in result.sources] == ["https://a.test/"]
    assert result.dropped == {"domain": 1}


@pytest.mark.req("core:default-controls:held")
async def test_defaults_hold_for_whole_requests_and_for_every_member_of_a_fan_out() -> None:
    members = [ScriptedSearch(name, [hits("https://a.test/", "https://b.test/")]) for name in ("x", "y")]
    web = searching(*members, search=FanOut(("x", "y")), settings=configured(exclude_domains=("b.test",)))
    result = await web.search(SearchRequest(query="kelp"))
    assert [source.url for source in result.sources] == ["https://a.test/"]
    assert [one.script.requests[0].controls.exclude_domains for one in members] == [("b.test",)] * 2


@pytest.mark.req("core:default-controls:own")
def test_a_requests_own_country_language_and_dates_win() -> None:
    defaults = SearchControls(country="SE", language="sv", published_after="2026-01-01", published_before="2026-12-31")
    own = SearchControls(country="NO", language="nb", published_after="2020-01-01", published_before="2020-02-01")
    assert held(own, defaults) == own
    assert held(NO_CONTROLS, defaults) == defaults
    half = held(SearchControls(published_after="2026-03-02"), defaults)
    assert (half.published_after, half.published_before, half.country) == ("2026-03-02", "2026-12-31", "SE")


@pytest.mark.req("core:default-controls:own")
def test_excluded_domains_add_up_and_the_stricter_safe_search_holds() -> None:
    own = SearchControls(exclude_domains=("x.test", "b.test"), safe_search="off")
    merged = held(own, SearchControls(exclude_domains=("b.test", "c.test"), safe_search="moderate"))
    assert merged == SearchControls(exclude_domains=("x.test", "b.test", "c.test"), safe_search="moderate")


@pytest.mark.req("core:default-controls:pinned")
@pytest.mark.parametrize("name", ["a.test", "www.A.test", "xn--bcher-kva.test", "deep.bücher.test."])
async def test_a_request_may_narrow_within_the_pinned_domains(name: str) -> None:
    one = ScriptedSearch("s", [hits()])
    await searching(one, settings=SeamSettings(default_controls=PINNED)).search(
        "kelp", controls=SearchControls(include_domains=(name,))
    )
    assert one.script.requests[0].controls.include_domains == (name,)


@pytest.mark.req("core:default-controls:pinned")
@pytest.mark.parametrize("name", ["b.test", "test", "evila.test", "a.test.evil"])
async def test_a_domain_outside_the_pinned_ones_is_refused_before_anybody_is_asked(name: str) -> None:
    one = ScriptedSearch("s", [hits()])
    web = searching(one, settings=SeamSettings(default_controls=PINNED))
    error = await refused(web.search("kelp", controls=SearchControls(include_domains=("a.test", name))))
    assert (error.code, one.script.requests) == (Code.INVALID_ARGS, [])
    assert f"asks for '{name}', but the configuration (search.default_include_domains) allows only" in error.message


@pytest.mark.req("core:default-controls:pinned")
async def test_a_domain_that_the_configuration_excludes_cannot_be_asked_for() -> None:
    one = ScriptedSearch("s", [hits()])
    web = searching(one, settings=configured(exclude_domains=("b.test",)))
    error = await refused(web.search("kelp", controls=SearchControls(include_domains=("www.b.test",))))
    assert (error.code, one.script.requests) == (Code.INVALID_ARGS, [])
    assert "search.default_exclude_domains" in error.message


@pytest.mark.req("core:default-controls:own")
@pytest.mark.parametrize(
    ("own", "lacking"),
    [
        (SearchControls(published_after="2027-01-01"), "published_before"),
        (SearchControls(published_before="2025-01-01"), "published_after"),
    ],
)
async def test_a_span_of_days_that_ends_before_it_begins_names_the_configured_end(
    own: SearchControls, lacking: str
) -> None:
    one = ScriptedSearch("s", [hits()], native_controls=ALL_NATIVE)
    web = searching(one, settings=configured(published_after="2026-01-01", published_before="2026-12-31"))
    error = await refused(web.search("kelp", controls=own))
    assert (error.code, one.script.requests) == (Code.INVALID_ARGS, [])
    assert f"search.default_{lacking}" in error.message


@pytest.mark.req("core:default-controls:unsupported")
async def test_a_default_that_nobody_honours_is_refused_and_said_to_come_from_the_configuration() -> None:
    one = ScriptedSearch("s", [hits()])
    web = searching(one, settings=configured(country="SE"))
    error = await refused(web.search("kelp", controls=SearchControls(language="sv")))
    assert (error.code, error.dispatched, one.script.requests) == (Code.UNSUPPORTED_CONTROL, False, [])
    assert "country, language. From the configuration: search.default_country." in error.message
    assert "default_language" not in error.message


@pytest.mark.req("core:default-controls:unsupported")
async def test_a_control_of_the_request_is_not_blamed_on_the_configuration() -> None:
    web = searching(ScriptedSearch("s", [hits()]), settings=configured(country="SE"))
    error = await refused(web.search("kelp", controls=SearchControls(country="NO")))
    assert "From the configuration" not in error.message


@pytest.mark.req("core:default-controls:unsupported")
async def test_leniently_a_lost_default_is_reported() -> None:
    settings = SeamSettings(controls="lenient", default_controls=SearchControls(country="SE"))
    result = await searching(ScriptedSearch("s", [hits()]), settings=settings).search("kelp")
    assert result.controls == {"country": "unsupported"}


@pytest.mark.req("core:default-controls:unsupported")
async def test_a_vendors_own_refusal_of_a_value_tells_the_configured_controls_too() -> None:
    refusal = failing(Code.UNSUPPORTED_CONTROL, retryable=False, status=400)
    one = ScriptedSearch("s", [refusal], native_controls=ALL_NATIVE)
    error = await refused(searching(one, settings=configured(safe_search="moderate")).search("kelp"))
    assert error.message == "It failed. Try again. From the configuration: search.default_safe_search."
    assert (error.code, error.status, error.provider) == (Code.UNSUPPORTED_CONTROL, 400, "s")
    assert isinstance(error.__cause__, WebError)
    plain = await refused(searching(one).search("kelp"))
    assert plain.message == "It failed. Try again."


@pytest.mark.req("core:default-controls:unsupported")
async def test_other_failures_are_passed_on_with_their_cause() -> None:
    cause = ValueError("broken")
    failure = failing(Code.PROVIDER_ERROR)
    failure.__cause__ = cause
    one = ScriptedSearch("s", [failure], native_controls=ALL_NATIVE)
    error = await refused(searching(one, settings=configured(country="SE")).search("kelp"))
    assert (error.message, error.__cause__) == ("It failed. Try again.", cause)


@pytest.mark.req("core:default-controls:checked")
@pytest.mark.parametrize(
    ("defaults", "said"),
    [
        (SearchControls(country="Sweden"), "search.default_country must be two letters"),
        (SearchControls(include_domains=("https://a.test/",)), "search.default_include_domains must be host names"),
        (SearchControls(published_before="tomorrow"), "search.default_published_before must be an ISO 8601 day"),
        (SearchControls(safe_search="on"), "search.default_safe_search must be one of off, moderate, strict"),  # type: ignore[arg-type] # as a host may write it
        (
            SearchControls(published_after="2026-02-01", published_before="2026-01-01"),
            "search.default_published_after must be not later than published_before (2026-01-01)",
        ),
        ({"country": "SE"}, "search.default_controls must be SearchControls, not dict"),
    ],
)
def test_defaults_that_no_request_could_ask_for_are_refused_when_the_seam_is_made(
    defaults: SearchControls, said: str
) -> None:
    with pytest.raises(WebError) as caught:
        Web(settings=SeamSettings(default_controls=defaults))
    assert caught.value.code == Code.CONFIG_INVALID
    assert caught.value.message.startswith(said)


DOMAINS = st.lists(st.sampled_from(["a.test", "x.a.test", "b.test", "y.b.test", "c.test"]), max_size=3).map(tuple)
LEVELS = st.none() | st.sampled_from(SAFETY)


@pytest.mark.req("core:default-controls:pinned", "core:default-controls:own")
@given(own=DOMAINS, pinned=DOMAINS, excluded=DOMAINS, mine=LEVELS, theirs=LEVELS)
def test_no_request_ever_widens_what_the_configuration_pins(
    own: tuple[str, ...],
    pinned: tuple[str, ...],
    excluded: tuple[str, ...],
    mine: str | None,
    theirs: str | None,
) -> None:
    request = SearchRequest(query="k", controls=SearchControls(include_domains=own, safe_search=mine))  # type: ignore[arg-type] # sampled from the levels
    defaults = SearchControls(include_domains=pinned, exclude_domains=excluded, safe_search=theirs)  # type: ignore[arg-type] # sampled from the levels
    outside = [name for name in own if pinned and not lies_within(name, pinned)]
    ruled_out = [name for name in own if lies_within(name, excluded)]
    if outside or ruled_out:
        with pytest.raises(WebError, match="INVALID_ARGS"):
            in_force(request, defaults)
        return
    controls = in_force(request, defaults)[0].controls
    assert all(lies_within(name, pinned) for name in controls.include_domains if pinned)
    assert bool(controls.include_domains) == bool(own or pinned)
    assert set(excluded) <= set(controls.exclude_domains)
    assert controls.safe_search == stricter(request.controls.safe_search, defaults.safe_search)
    assert SAFETY.index(controls.safe_search or "off") >= SAFETY.index(defaults.safe_search or "off")
