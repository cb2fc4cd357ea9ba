"""`custom`: a search API described in configuration, from the file to the result; descriptions that cannot be meant."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from support.vendor import KEY, build, facts_of, says, staged
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchControls, Source
from webseam.net.vendor import VendorTransport
from webseam.testing import VendorServer
from webseam.wiring.opening import open_web

PAGE = Path(__file__).parents[2] / "docs" / "providers" / "custom.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.req("search:custom:described")
async def test_the_example_of_the_page_searches_as_the_page_says(tmp_path: Path) -> None:
    (described,), (answer,) = blocks("toml"), blocks("json")
    config = tmp_path / "webseam.toml"
    environ = {"HOME": str(tmp_path), "WEBSEAM_CONFIG": str(config), "HARBOUR_API_KEY": KEY}
    async with VendorServer(says(json.loads(answer))) as server:
        config.write_text(described.replace("https://search.harbour.example", server.url), encoding="utf-8")
        async with open_web(environ=environ, cwd=tmp_path) as web:
            result = await web.search(
                "kelp {query}", controls=SearchControls(include_domains=("kelp.example",)), max_results=4
            )

    (request,) = server.requests
    assert facts_of(request) == {
        "path": "/v2/find",
        "json": {"q": "kelp {query}", "size": 4, "site": ["kelp.example"]},
    }
    assert request.header("x-api-key") == KEY
    assert (result.provider, result.controls) == ("harbour", {"include_domains": "native"})
    assert result.sources == (
        Source(
            url="https://kelp.example/permits",
            title="Kelp permits",
            snippet="Apply in spring. \u2026 Renew each year.",
            published_at="2026-03-02",
        ),
    )


SOUND: dict[str, Any] = {"base_url": "https://a.example/", "params": {"q": "{query}"}, "rows": "hits"}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"params": {"q": "kelp"}}, "params: nothing holds {query}"),
    ({"body": {"q": "{query}"}}, 'body: goes with method = "POST"'),
    ({"headers": {"Bad Name": "x"}}, "headers.Bad Name: 'Bad Name' cannot be set"),
    ({"headers": {"Host": "x"}}, "headers.Host"),
    ({"headers": {"X-A": "a\r\nX-B: b"}}, "headers.X-A: a header takes printable ASCII"),
    ({"key_header": "Cookie"}, "key_header: 'Cookie' cannot be set"),
    ({"key_header": "X-Key", "key_prefix": "n\u00f8"}, "key_header: a header takes printable ASCII"),
    ({"key_header": "X-Key", "key_param": "key"}, "key_param: the key goes into"),
    ({"headers": {"X-Q": "kelp {query}"}}, "headers.X-Q: a query may hold any text"),
    ({"headers": {"Expect": "100-continue"}}, "headers.Expect: 'Expect' cannot be set"),
    ({"headers": {"Content-Encoding": "gzip"}}, "headers.Content-Encoding"),
    ({"headers": {"X-A": "1", "x-a": "2"}}, "headers.x-a: is set twice"),
    ({"key_header": "X-A", "headers": {"x-a": "2"}}, "headers.x-a: is set twice"),
    ({"key_prefix": "Bearer "}, "key_prefix: goes with key_header"),
    ({"key_param": "q"}, "params.q: is where key_param puts the key"),
    ({"base_url": "https://a.example/{query}"}, "base_url: is asked as it is"),
    ({"params": {"q": "{query}", "n": "{max_result}"}}, "params.n: {max_result} is no placeholder; there are query, "),
    ({"params": {"q": "{query} in {country}"}}, "params.q: where another placeholder has nothing to say"),
    ({"params": {"{query}": "x", "q": "{query}"}}, "params.{query}: a placeholder is filled in as a value"),
    ({"method": "POST", "body": {"a": [{"d": date(2026, 3, 2)}]}}, "body.a.0.d: JSON has no such value"),
    ({"method": "POST", "body": {"a": float("nan")}}, "body.a: JSON has no such value"),
    ({"method": "POST", "body": {"a": float("-inf")}}, "body.a: JSON has no such value"),
    ({"rows": "data..items"}, "rows: must be a dotted path"),
    ({"url": "."}, "url: must be a dotted path"),
    ({"title": "a b"}, "title: must be a dotted path"),
]


@pytest.mark.req("search:custom:strict")
@pytest.mark.parametrize(("options", "told"), WRONG, ids=[told for _, told in WRONG])
def test_a_description_that_cannot_be_meant_is_a_configuration_error(options: dict[str, Any], told: str) -> None:
    with pytest.raises(WebError) as caught:
        build("custom", VendorTransport(), **{**BARE, **SOUND, **options})

    assert caught.value.code == Code.CONFIG_INVALID
    assert caught.value.message.startswith(f"providers.custom.{told}")


BARE: dict[str, Any] = {
    "method": "GET",
    "body": {},
    "headers": {},
    "key_header": "",
    "error": "",
    "answer": "",
    "published_at": "",
}


@pytest.mark.req("search:custom:strict")
async def test_an_undescribed_service_is_unavailable_and_says_what_it_lacks() -> None:
    provider = build("custom", VendorTransport(), **{**BARE, "rows": "", "params": {}})

    assert not provider.available()
    assert "set base_url, params or body, and rows" in provider.unavailable_reason()


@pytest.mark.req("search:custom:described")
async def test_a_service_without_a_key_needs_none() -> None:
    options = {**BARE, **SOUND, "url": "url", "title": "title", "snippet": "snippet"}
    del options["base_url"]
    async with staged("custom", says({"hits": [{"url": "https://a.example/x", "title": "A"}]}), **options) as stage:
        result = await stage.web.search("kelp")

    (request,) = stage.server.requests
    assert facts_of(request) == {"method": "GET", "path": "/v2/find", "query": {"q": "kelp"}}
    assert KEY not in repr(request)
    assert result.sources == (Source(url="https://a.example/x", title="A"),)


@pytest.mark.req("search:custom:described")
async def test_a_control_without_a_placeholder_is_refused_before_anything_leaves() -> None:
    options = {**BARE, **SOUND}
    del options["base_url"]
    async with staged("custom", **options) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=SearchControls(country="SE"))

    assert caught.value.code == Code.UNSUPPORTED_CONTROL
    assert stage.server.connections == 0


@pytest.mark.req("search:custom:described")
async def test_a_list_alone_in_a_parameter_or_a_header_is_joined_with_commas() -> None:
    options = {**BARE, **SOUND, "params": {"q": "{query}", "sites": "{include_domains}"}}
    options["headers"] = {"X-Not": "{exclude_domains}", "X-Size": "{max_results}"}
    del options["base_url"]
    controls = SearchControls(include_domains=("a.example", "b.example"), exclude_domains=("c.example", "d.example"))
    async with staged("custom", says({"hits": []}), **options) as stage:
        await stage.web.search("kelp", controls=controls, max_results=3)

    (request,) = stage.server.requests
    assert facts_of(request)["query"] == {"q": "kelp", "sites": "a.example,b.example"}
    assert (request.header("x-not"), request.header("x-size")) == ("c.example,d.example", "3")


@pytest.mark.req("search:custom:described")
async def test_an_answer_that_is_a_list_is_its_own_rows() -> None:
    options = {**BARE, **SOUND, "rows": ".", "url": "url", "snippet": "text"}
    del options["base_url"]
    async with staged("custom", says([{"url": "https://a.example/x", "text": "A"}]), **options) as stage:
        result = await stage.web.search("kelp")

    assert result.sources == (Source(url="https://a.example/x", snippet="A"),)


@pytest.mark.req("search:custom:described")
async def test_a_generated_answer_keeps_its_lines() -> None:
    options = {**BARE, **SOUND, "answer": "a"}
    del options["base_url"]
    told = "# <b>Kelp</b>\n\n- one &amp; two\n\n      code"
    async with staged("custom", says({"a": told, "hits": []}), **options) as stage:
        result = await stage.web.search("kelp")

    assert result.content == "# Kelp\n\n- one & two\n\n      code"


@pytest.mark.req("search:custom:described")
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"code": 7, "message": "the index is closed"}, "the index is closed"),
        ([{"message": "no"}, {"message": "never"}], "no; never"),
        (17, "err is set"),
        (True, "err is set"),
    ],
)
async def test_what_stands_at_error_ends_the_call_in_its_own_words(fault: Any, told: str) -> None:
    options = {**BARE, **SOUND, "error": "err"}
    del options["base_url"]
    async with staged("custom", says({"err": fault, "hits": []}), **options) as stage:
        with pytest.raises(WebError, match=told):
            await stage.web.search("kelp")


@pytest.mark.req("search:custom:described")
@pytest.mark.parametrize("nothing", [None, False, 0, "", [], {}])
async def test_nothing_at_error_is_no_error(nothing: Any) -> None:
    options = {**BARE, **SOUND, "error": "err"}
    del options["base_url"]
    async with staged("custom", says({"err": nothing, "hits": []}), **options) as stage:
        assert (await stage.web.search("kelp")).sources == ()


@pytest.mark.req("search:custom:described")
async def test_several_urls_or_days_in_the_place_of_one_are_none_and_several_texts_are_excerpts() -> None:
    options = {**BARE, **SOUND, "url": "u", "title": "t", "snippet": "s", "published_at": "d"}
    del options["base_url"]
    one = {"u": "https://a.example/", "t": ["A", "B"], "s": ["x", "y"], "d": ["2026-03-02", "2026-03-03"]}
    two = {"u": ["https://a.example/1", "https://a.example/2"], "t": "T"}
    async with staged("custom", says({"hits": [one, two]}), **options) as stage:
        result = await stage.web.search("kelp")

    assert result.sources == (Source(url="https://a.example/", title="A \u2026 B", snippet="x \u2026 y"),)
    assert result.dropped == {"malformed": 1}


@pytest.mark.req("search:custom:days")
@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (1772444100, "1772444100"),
        (1772444100.25, "1772444100"),
        (1772444100000, "1772444100000"),
        (20260302, "20260302"),
        ("yesterday", "yesterday"),
        (0, None),
        (12, None),
        (True, None),
        (10**400, None),
    ],
)
async def test_a_day_that_comes_as_a_number_is_kept_in_its_own_digits(told: Any, shown: str | None) -> None:
    options = {**BARE, **SOUND, "url": "u", "published_at": "d"}
    del options["base_url"]
    async with staged("custom", says({"hits": [{"u": "https://a.example/", "d": told}]}), **options) as stage:
        (source,) = (await stage.web.search("kelp")).sources

    assert source.published_at == shown
