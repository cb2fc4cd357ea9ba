"""Options of the vendors: strict, bounded, and checked when the provider is built."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.vendor import KEY, SPECS, HeldKey, build, good, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, Seams
from webseam.core.settings import FetchSettings
from webseam.core.types import SearchControls, SearchRequest
from webseam.core.url import Url
from webseam.net.vendor import VendorTransport
from webseam.providers.wires.account import Access

KINDS = sorted(SPECS)
BAD: list[tuple[str, dict[str, Any]]] = [
    ("exa", {"num_results": 0}),
    ("exa", {"num_results": 101}),
    ("exa", {"num_results": 2.5}),
    ("exa", {"num_results": True}),
    ("exa", {"highlight_chars": -1}),
    ("exa", {"search_type": "keyword"}),
    ("exa", {"base_url": 7}),
    ("exa-mcp", {"num_results": 0}),
    ("perplexity", {"max_tokens": 0}),
    ("perplexity", {"max_tokens": "1024"}),
    ("perplexity", {"model": ""}),
    ("perplexity", {"search_recency": "decade"}),
    ("tavily", {"num_results": 21}),
    ("tavily", {"search_depth": "deepest"}),
    ("tavily", {"topic": "kelp"}),
    ("deepseek-official", {"max_tokens": 0}),
    ("deepseek-official", {"max_uses": 0}),
    ("deepseek-official", {"max_uses": 1.5}),
    ("deepseek-official", {"model": ""}),
    ("deepseek-official", {"api_version": "2023-06-01\r\nx-evil: 1"}),
]


@pytest.mark.req("search:vendor-options:checked")
@pytest.mark.parametrize(("kind", "options"), BAD)
def test_a_value_out_of_bounds_fails_at_construction_and_names_the_field(kind: str, options: dict[str, Any]) -> None:
    with pytest.raises(WebError) as caught:
        build(kind, VendorTransport(), **options)

    assert caught.value.code == Code.CONFIG_INVALID
    assert caught.value.message.startswith(f"providers.{kind}.{next(iter(options))}: ")


@pytest.mark.req("search:vendor-options:checked")
@pytest.mark.parametrize("kind", KINDS)
def test_options_are_strict_and_every_field_has_a_default(kind: str) -> None:
    options = SPECS[kind].options
    assert options is not None

    msgspec.convert({}, options)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({"base_ulr": "https://api.example"}, options)


@pytest.mark.req("search:vendor-options:checked")
@pytest.mark.parametrize("kind", KINDS)
def test_options_of_another_kind_are_refused(kind: str) -> None:
    kit = Kit(
        id=kind,
        options=None,
        secret=HeldKey(),
        transport=VendorTransport(),
        fetch=FetchSettings(),
        data_dir=Path("unused"),
        seams=Seams(),
        on_close=lambda _close: None,
    )

    with pytest.raises(WebError, match=f"providers.{kind}"):
        SPECS[kind].build(kit)


@pytest.mark.req("search:vendor-options:checked")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_call_to_a_base_url_that_is_none_is_a_configuration_error(kind: str) -> None:
    provider = build(kind, VendorTransport(), base_url="nowhere")

    with pytest.raises(WebError) as caught:
        await provider.search(SearchRequest(query="kelp"), call=Call())

    assert caught.value.code == Code.CONFIG_INVALID


@pytest.mark.req("search:vendor-error:secrets")
@pytest.mark.parametrize("kind", KINDS)
async def test_no_repr_of_a_provider_shows_its_key(kind: str) -> None:
    async with staged(kind, good(kind)) as stage:
        await stage.web.search("kelp")
        shown = repr(stage.provider) + repr({name: getattr(stage.provider, name) for name in vars(stage.provider)})

    assert KEY not in shown


@pytest.mark.req("search:vendor-error:secrets")
def test_the_access_of_a_call_does_not_show_its_key() -> None:
    access = Access(base=Url.parse("https://api.example/v1"), key=KEY)

    assert KEY not in repr(access)
    assert access.secrets == (KEY,)


@pytest.mark.req("search:vendor:spec")
@pytest.mark.parametrize("kind", KINDS)
def test_a_spec_says_what_wiring_needs_to_know(kind: str) -> None:
    spec = SPECS[kind]

    assert (spec.kind, spec.capability) == (kind, "search")
    assert spec.summary.endswith(".")
    assert all(name.isupper() for name in spec.key_env)
    assert spec.key_env or spec.keyless
    assert spec.key_env or not spec.key_optional
    assert spec.controls <= set(SearchControls.__slots__)
    assert bool(getattr(spec.options, "__struct_defaults__", ()))


SET: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("exa", {"search_type": "fast"}, {"type": "fast"}),
    ("exa", {"highlight_chars": 900}, {"contents": {"highlights": {"maxCharacters": 900}}}),
    ("perplexity", {"model": "sonar-pro", "max_tokens": 9}, {"model": "sonar-pro", "max_tokens": 9}),
    ("perplexity", {"search_recency": "week"}, {"search_recency_filter": "week"}),
    ("tavily", {"search_depth": "advanced", "topic": "news"}, {"search_depth": "advanced", "topic": "news"}),
    ("tavily", {"answer": True}, {"include_answer": True}),
    ("deepseek-official", {"model": "deepseek-v4-pro", "max_tokens": 9}, {"model": "deepseek-v4-pro", "max_tokens": 9}),
]


@pytest.mark.req("search:vendor-options:sent")
@pytest.mark.parametrize(("kind", "options", "fields"), SET)
async def test_an_option_reaches_the_vendor(kind: str, options: dict[str, Any], fields: dict[str, Any]) -> None:
    async with staged(kind, good(kind), **options) as stage:
        await stage.web.search("kelp")

    assert fields.items() <= stage.server.requests[0].json.items()


@pytest.mark.req("search:vendor-options:sent")
@pytest.mark.parametrize(("kind", "field"), [("exa", "numResults"), ("tavily", "max_results")])
async def test_the_configured_count_holds_where_a_request_names_none(kind: str, field: str) -> None:
    async with staged(kind, good(kind), good(kind), good(kind), num_results=7) as stage:
        await stage.web.search(SearchRequest(query="kelp"))
        await stage.web.search(SearchRequest(query="kelp", max_results=2))
    async with staged(kind, good(kind)) as bare:
        await bare.web.search(SearchRequest(query="kelp"))

    assert [one.json[field] for one in stage.server.requests] == [7, 2]
    assert field not in bare.server.requests[0].json
