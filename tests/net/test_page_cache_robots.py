"""Robots before kept pages: what a site forbids is not read from the cache either (RFC 9309 over RFC 9111)."""

from dataclasses import replace

import pytest

from support.core import refused
from support.net import answer
from support.pages import CACHED, page, reading, text
from support.robots import CLOSED, DISALLOWED, PRIVATE, rules
from webseam.core.call import Call
from webseam.core.limits import ROBOTS_FAILED_SECONDS, ROBOTS_KEPT_SECONDS

MODEL = Call(autonomous=True)
LONG = "max-age=999999"
BOUND = replace(CACHED, robots="on")


@pytest.mark.req("cache:robots:forbidden")
async def test_a_page_kept_for_a_person_is_not_given_to_a_model_that_may_not_have_it() -> None:
    async with reading(page("one")) as site:
        site.origin.pages["/robots.txt"] = CLOSED
        await site.read()
        assert site.origin.targets == ["/"]
        error = await refused(site.read(call=MODEL))
        again = await site.read()

    assert (error.code, error.dispatched) == (DISALLOWED, False)
    assert again.cache is not None
    assert site.origin.targets == ["/", "/robots.txt"]


@pytest.mark.req("cache:robots:forbidden")
async def test_a_kept_page_that_its_site_forbids_by_now_is_not_read_any_more() -> None:
    async with reading(page("one", cache=LONG), settings=BOUND) as site:
        site.origin.pages["/robots.txt"] = rules("")
        await site.read()
        site.origin.pages["/robots.txt"] = CLOSED
        site.clocks.passes(ROBOTS_KEPT_SECONDS - 1)
        assert (await site.read()).cache is not None
        site.clocks.passes(1)
        error = await refused(site.read())

    assert error.code == DISALLOWED
    assert site.origin.targets == ["/robots.txt", "/", "/robots.txt"]


@pytest.mark.req("cache:robots:allowed")
async def test_a_kept_page_that_its_site_allows_costs_one_look_at_the_rules() -> None:
    async with reading(page("one"), settings=BOUND) as site:
        site.origin.pages["/robots.txt"] = PRIVATE
        first = await site.read()
        again = [await site.read() for _ in range(3)]

    assert [text(one) for one in (first, *again)] == ["one"] * 4
    assert site.origin.targets == ["/robots.txt", "/"]


@pytest.mark.req("cache:robots:forbidden")
async def test_a_kept_redirect_leads_nowhere_that_the_site_forbids() -> None:
    async with reading(page("inside"), settings=BOUND) as site:
        kept = {"Location": "/private", "Cache-Control": LONG}
        site.origin.pages |= {
            "/robots.txt": rules(""),
            "/old": answer(status=301, headers=kept),
            "/private": page("inside", cache=LONG),
        }
        await site.read("/old")
        site.origin.pages["/robots.txt"] = PRIVATE
        site.clocks.passes(ROBOTS_KEPT_SECONDS)
        error = await refused(site.read("/old"))

    assert error.code == DISALLOWED
    assert site.origin.targets == ["/robots.txt", "/old", "/private", "/robots.txt"]


@pytest.mark.req("cache:robots:forbidden")
async def test_while_the_rules_cannot_be_read_a_kept_page_is_not_given_either() -> None:
    async with reading(page("one"), settings=replace(BOUND, stale_if_error=999_999.0)) as site:
        site.origin.pages["/robots.txt"] = answer(status=503)
        assert (await refused(site.read())).code == DISALLOWED
        site.origin.pages["/robots.txt"] = rules("")
        site.clocks.passes(ROBOTS_FAILED_SECONDS)
        await site.read()
        site.origin.pages["/robots.txt"] = answer(status=503)
        site.clocks.passes(ROBOTS_KEPT_SECONDS)
        assert (await refused(site.read())).code == DISALLOWED
