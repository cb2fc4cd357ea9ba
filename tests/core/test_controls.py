"""Search controls are honoured by the vendor, enforced here, or refused: never dropped in silence (design 2)."""

import pytest

from support.core import hits, refused, searching
from webseam.core.controls import weakest
from webseam.core.errors import Code
from webseam.core.selection import FanOut
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchControls
from webseam.testing import ScriptedSearch

ALL = SearchControls(
    include_domains=("a.test",),
    exclude_domains=("b.a.test",),
    published_after="2026-01-01",
    published_before="2026-03-02",
    country="SE",
    language="sv",
    safe_search="strict",
)
LENIENT = SeamSettings(controls="lenient")


@pytest.mark.req("core:controls:plan")
async def test_each_control_asked_is_reported_as_native_enforced_or_unsupported() -> None:
    one = ScriptedSearch("s", [hits()], native_controls=frozenset({"country", "include_domains"}))
    result = await searching(one, settings=LENIENT).search("kelp", controls=ALL)
    assert result.controls == {
        "include_domains": "native",
        "exclude_domains": "enforced",
        "published_after": "unsupported",
        "published_before": "unsupported",
        "country": "native",
        "language": "unsupported",
        "safe_search": "unsupported",
    }


@pytest.mark.req("core:controls:plan")
async def test_no_control_asked_is_no_control_reported() -> None:
    one = ScriptedSearch("s", [hits()], native_controls=frozenset({"country"}))
    assert (await searching(one).search("kelp")).controls == {}


@pytest.mark.req("core:controls:plan")
async def test_a_native_domain_control_is_held_all_the_same() -> None:
    one = ScriptedSearch("s", [hits("https://evil.test/")], native_controls=frozenset({"include_domains"}))
    result = await searching(one).search("kelp", controls=SearchControls(include_domains=("a.test",)))
    assert (result.sources, result.dropped) == ((), {"domain": 1})


@pytest.mark.req("core:controls:strict")
async def test_strict_refuses_before_the_provider_is_called_and_names_the_controls() -> None:
    one = ScriptedSearch("s", [hits()], native_controls=frozenset({"published_after"}))
    error = await refused(searching(one).search("kelp", controls=ALL))
    assert (error.code, error.provider, error.dispatched) == (Code.UNSUPPORTED_CONTROL, "s", False)
    assert "country, language, published_before, safe_search" in error.message
    assert "search.controls" in error.message
    assert one.script.requests == []


@pytest.mark.req("core:controls:strict")
async def test_a_route_goes_on_to_a_member_that_can_honour_the_control() -> None:
    cannot, can = ScriptedSearch("x", [hits()]), ScriptedSearch("y", [hits()], native_controls=frozenset({"country"}))
    result = await searching(cannot, can, search=["x", "y"]).search("kelp", controls=SearchControls(country="SE"))
    assert [(one.provider, one.code) for one in result.attempts] == [("x", Code.UNSUPPORTED_CONTROL), ("y", None)]
    assert result.controls == {"country": "native"}
    assert cannot.script.requests == []


@pytest.mark.req("core:controls:plan")
async def test_what_a_provider_itself_reports_stands() -> None:
    one = ScriptedSearch("s", [hits(controls={"country": "unsupported"})], native_controls=frozenset({"country"}))
    assert (await searching(one).search("kelp", controls=SearchControls(country="SE"))).controls == {
        "country": "unsupported"
    }


@pytest.mark.req("core:controls:fanout")
async def test_a_fan_out_promises_only_what_all_of_its_members_hold() -> None:
    web = searching(
        ScriptedSearch("x", [hits("https://a.test/")], native_controls=frozenset({"country", "include_domains"})),
        ScriptedSearch("y", [hits("https://a.test/2")], native_controls=frozenset({"include_domains"})),
        search=FanOut(("x", "y")),
        settings=LENIENT,
    )
    result = await web.search("kelp", controls=SearchControls(country="SE", include_domains=("a.test",)))
    assert result.controls == {"country": "unsupported", "include_domains": "native"}
    assert weakest([{"country": "native"}, {"country": "enforced"}]) == {"country": "enforced"}
