"""Each vendor's recorded shape, whole: what is sent, byte for byte, and what is made of the reply.

A fixture is one JSON file of invented data with these fields:
- `about`: what the shape was taken from. `options`: what the provider needs besides defaults. `base_path`: of its URL.
- `key`: header fields that carry the key, which reads `{key}` here, or `{basic}` where it goes in Base64. Where it
  goes in the query, `sends` shows it.
- `request`, `sends`, `replies`, `result`: one search, the requests it makes, the vendor's replies, the result.
- `controls`: cases of `controls` asked, what they change (`path`, `query`, `json`, `form`), and their `statuses`.
- `statuses`: codes of HTTP statuses that this vendor means differently than the rest.
- `outcomes`: cases of `replies`, and the `code` they end in or the `result` they become, both in part.
- `streams`: cases of `replies`, the `progress` told, and the `code` or `result`.
"""

from base64 import b64encode

import pytest

from support.vendor import FIXTURES, KEY, SPECS, facts_of, fixture, proof, replies_of, staged, values_of
from webseam.core.plain import to_plain
from webseam.core.types import SearchRequest

KINDS = sorted(SPECS)
ENCODED = b64encode(KEY.encode()).decode()


def test_every_vendor_has_a_fixture() -> None:
    assert sorted(file.stem for file in FIXTURES.glob("*.json")) == KINDS


@pytest.mark.req("search:vendor:mapping")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_recorded_answer_becomes_exactly_this_request_and_this_result(kind: str) -> None:
    recorded = fixture(kind)
    async with staged(kind) as stage:
        stage.server.replies = replies_of(recorded)
        result = to_plain(await stage.web.search(SearchRequest(**recorded["request"])))

    attempts = result.pop("attempts")
    assert [facts_of(one, KEY) for one in stage.server.requests] == recorded["sends"]
    assert result == recorded["result"]
    assert [(one["provider"], one["outcome"], one["dispatched"]) for one in attempts] == [(kind, "ok", True)]


@pytest.mark.req("search:vendor:headers")
@pytest.mark.parametrize("kind", KINDS)
async def test_every_request_names_the_product_once_and_says_what_it_takes(kind: str) -> None:
    async with staged(kind) as stage:
        stage.server.replies = replies_of(fixture(kind))
        await stage.web.search("kelp")

    for request in stage.server.requests:
        assert [value.partition("/")[0] for value in values_of(request, "user-agent")] == ["webseam"]
        assert len(values_of(request, "content-type")) == (1 if request.body else 0)
        assert len(values_of(request, "accept")) == 1
        assert values_of(request, "cookie") == []


@pytest.mark.req("search:vendor:headers")
@pytest.mark.parametrize("kind", KINDS)
async def test_the_key_stands_in_the_vendors_place_and_nowhere_else(kind: str) -> None:
    recorded = fixture(kind)
    in_query = any("{key}" in one.get("query", {}).values() for one in recorded["sends"])
    async with staged(kind) as stage:
        stage.server.replies = replies_of(recorded)
        await stage.web.search("kelp")

    for request in stage.server.requests:
        carried = {name: value for name, value in request.headers if KEY in value or ENCODED in value}
        assert carried == proof(kind, KEY)
        assert (KEY in request.target) == in_query
        assert KEY.encode() not in request.body
