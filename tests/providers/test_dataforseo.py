"""DataForSEO: its numbers for countries, and the length of a query with its operators."""

from dataclasses import replace
from itertools import product
from string import ascii_uppercase

import pytest

from support.vendor import good, staged
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchControls
from webseam.providers.wires.countries import english_name, numeric

LONG = SearchControls(include_domains=tuple(f"kelp-{number}.example" for number in range(40)))


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize(
    ("controls", "named"),
    [
        (SearchControls(country="XX"), "country = 'XX'"),
        (SearchControls(language="bn"), "language = 'bn'"),
        (SearchControls(safe_search="moderate"), "safe_search = 'moderate'"),
    ],
)
async def test_a_value_without_a_number_or_a_switch_is_refused_before_anything_leaves(
    controls: SearchControls, named: str
) -> None:
    async with staged("dataforseo", good("dataforseo")) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, caught.value.dispatched) == (Code.UNSUPPORTED_CONTROL, False)
    assert named in caught.value.message
    assert stage.server.connections == 0


@pytest.mark.req("search:vendor-controls:native")
async def test_domains_to_include_that_make_the_query_too_long_are_refused_and_exclusions_left_out() -> None:
    excluded = replace(LONG, include_domains=("kelp.example",), exclude_domains=LONG.include_domains)
    async with staged("dataforseo", good("dataforseo")) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=LONG)
        await stage.web.search("k" * 600, controls=excluded)

    (sent,) = stage.server.requests
    assert "at most 700 characters" in caught.value.message
    assert len(sent.json[0]["keyword"]) <= 700
    assert sent.json[0]["keyword"].startswith("k" * 600 + " site:kelp.example -site:kelp-0.example")


@pytest.mark.req("search:vendor-controls:native")
@pytest.mark.parametrize(
    ("code", "number"), [("SE", 752), ("US", 840), ("AF", 4), ("ZW", 716), ("XX", None), ("se", None)]
)
def test_a_country_has_the_number_of_iso_3166(code: str, number: int | None) -> None:
    assert numeric(code) == number


@pytest.mark.req("search:vendor-controls:native")
def test_every_country_with_a_name_has_a_number_of_its_own() -> None:
    codes = ["".join(pair) for pair in product(ascii_uppercase, repeat=2)]
    numbers = [number for number in map(numeric, codes) if number is not None]

    assert [code for code in codes if english_name(code) and numeric(code) is None] == []
    assert len(numbers) == len(set(numbers)) == 249
    assert all(0 < number < 900 for number in numbers)
