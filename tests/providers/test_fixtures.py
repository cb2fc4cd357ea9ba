"""Each vendor's recorded shape, whole: what is sent, byte for byte, and what is made of the reply."""

import pytest

from support.vendor import FIXTURES, KEY, SPECS, fixture, replies_of, staged
from webseam.core.plain import to_plain
from webseam.core.types import SearchRequest

KINDS = sorted(SPECS)


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
    assert [{"path": one.path, "json": one.json} for one in stage.server.requests] == recorded["sends"]
    assert result == recorded["result"]
    assert [(one["provider"], one["outcome"], one["dispatched"]) for one in attempts] == [(kind, "ok", True)]


@pytest.mark.req("search:vendor:headers")
@pytest.mark.parametrize("kind", KINDS)
async def test_every_request_names_the_product_once_and_speaks_json(kind: str) -> None:
    async with staged(kind) as stage:
        stage.server.replies = replies_of(fixture(kind))
        await stage.web.search("kelp")

    for request in stage.server.requests:
        assert request.line.startswith("POST /")
        assert [value.partition("/")[0] for value in request.all("user-agent")] == ["webseam"]
        assert request.all("content-type") == ["application/json"]
        assert len(request.all("accept")) == 1
        assert "application/json" in request.all("accept")[0]
        assert request.all("cookie") == []


SENT_KEYS = {
    "exa": {"authorization": f"Bearer {KEY}"},
    "exa-mcp": {"x-api-key": KEY},
    "perplexity": {"authorization": f"Bearer {KEY}"},
    "tavily": {"authorization": f"Bearer {KEY}"},
    "deepseek-official": {"authorization": f"Bearer {KEY}", "x-api-key": KEY, "anthropic-version": "2023-06-01"},
}


@pytest.mark.req("search:vendor:headers")
@pytest.mark.parametrize("kind", KINDS)
async def test_the_key_stands_in_the_vendors_header_and_nowhere_else(kind: str) -> None:
    async with staged(kind) as stage:
        stage.server.replies = replies_of(fixture(kind))
        await stage.web.search("kelp")

    for request in stage.server.requests:
        carried = {name: value for name, value in request.headers if KEY in value or name == "anthropic-version"}
        assert carried == SENT_KEYS[kind]
        assert KEY not in request.line
        assert KEY.encode() not in request.body
