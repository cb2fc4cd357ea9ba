"""JSON as vendors send it: half a character spoils nothing, and a key that comes back goes no further."""

import json
from typing import Any

import pytest

from support.vendor import KEY, SPECS, fixture, good, says, staged
from webseam.core.errors import WebError
from webseam.core.events import Event, RequestRecorded
from webseam.core.plain import to_plain
from webseam.core.types import SearchResult
from webseam.providers.wires.json_text import read_json
from webseam.testing import Reply

KINDS = sorted(SPECS)
JSON_KINDS = [kind for kind in KINDS if "json" in fixture(kind)["replies"][-1]]


@pytest.mark.req("search:vendor:half-characters")
@pytest.mark.parametrize("kind", JSON_KINDS)
async def test_a_value_cut_in_the_middle_of_a_character_does_not_fail_the_search(kind: str) -> None:
    whole = json.dumps(fixture(kind)["replies"][-1]["json"] | {"extra": "a kelp leaf, cut: \ud83c"}).encode()
    async with staged(kind, Reply(body=whole)) as stage:
        mended = await stage.web.search("kelp")
    async with staged(kind, good(kind)) as stage:
        plain = await stage.web.search("kelp")

    assert mended.sources == plain.sources != ()
    assert (mended.content, mended.usage) == (plain.content, plain.usage)


@pytest.mark.req("search:vendor:half-characters")
@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'{"a": "x\\ud83c"}', {"a": "x\ufffd"}),
        (b'["\\udf3f\\ud83c", "\\ud83c\\udf3f"]', ["\ufffd\ufffd", "\U0001f33f"]),
        (b'{"a": "\\\\ud83c"}', {"a": "\\ud83c"}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b'{"a": NaN, "b": -Infinity, "c": 1e999}', {"a": None, "b": None, "c": None}),
        (b"\xef\xbb\xbf[1]", [1]),
    ],
)
def test_what_strict_reading_refuses_is_mended_where_it_stands(body: bytes, value: Any) -> None:
    assert read_json(body) == value


@pytest.mark.req("search:vendor-key:echo")
def test_a_key_that_may_be_a_word_changes_no_answer() -> None:
    assert read_json(b'["a test of kelp\\n"]', ("test",)) == ["a test of kelp\n"]
    assert read_json(b'["kelp-0123456789"]', ("kelp-0123456789",)) == ["[redacted]"]


def echoing(value: Any, key: str) -> Any:
    """The same answer with the key in every text, as a vendor that logs into its own replies gives it."""
    if isinstance(value, str):
        return f"{value}?k={key}" if value.startswith("http") else f"{value} {key}" if " " in value else value
    if isinstance(value, list):
        return [echoing(one, key) for one in value]
    if isinstance(value, dict):
        return {name: echoing(one, key) for name, one in value.items()}
    return value


def escaped(body: bytes) -> bytes:
    return body.replace(KEY.encode(), "".join(f"\\u{ord(one):04x}" for one in KEY).encode())


async def told(kind: str, reply: Reply) -> tuple[SearchResult | WebError, str]:
    events: list[Event] = []
    async with staged(kind, reply, emit=events.append) as stage:
        try:
            result: SearchResult | WebError = await stage.web.search("kelp")
        except WebError as error:
            result = error
    return result, f"{to_plain(result)} {result!r} {result} {events}"


@pytest.mark.req("search:vendor-key:echo")
@pytest.mark.parametrize("spelling", ["plain", "escaped"])
@pytest.mark.parametrize("kind", JSON_KINDS)
async def test_a_key_that_a_vendor_echoes_stands_in_no_part_of_the_result(kind: str, spelling: str) -> None:
    reply = says(echoing(fixture(kind)["replies"][-1]["json"], KEY))
    body = escaped(reply.body) if spelling == "escaped" else reply.body

    result, everything = await told(kind, Reply(headers=reply.headers, body=body))

    assert isinstance(result, SearchResult)
    assert result.sources
    assert KEY not in everything
    assert "[redacted]" in everything


@pytest.mark.req("search:vendor-key:echo")
async def test_a_key_in_the_text_of_an_mcp_tool_stands_in_no_source() -> None:
    recorded = fixture("exa-mcp")["replies"][-1]
    body = recorded["text"].replace("Kelp 101", f"Kelp 101 {KEY}").encode()

    result, everything = await told("exa-mcp", Reply(headers=recorded["headers"], body=body))

    assert isinstance(result, SearchResult)
    assert result.sources[0].title == "Kelp 101 [redacted]"
    assert KEY not in everything


@pytest.mark.req("search:vendor-key:echo")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_key_in_a_header_stands_in_no_error(kind: str) -> None:
    error, everything = await told(kind, Reply(headers={"content-type": f"text/{KEY}"}, body=b"<html>"))

    assert isinstance(error, WebError)
    assert error.message.startswith(f"{kind} answered with a ")
    assert KEY not in everything


@pytest.mark.req("search:vendor-key:echo")
async def test_a_key_in_a_configured_base_url_is_not_recorded() -> None:
    events: list[Event] = []
    async with staged("exa-mcp", good("exa-mcp"), emit=events.append) as stage:
        url = f"{stage.server.url}/mcp?exaApiKey={KEY}"
    async with staged("exa-mcp", good("exa-mcp"), emit=events.append, base_url=url) as stage:
        with pytest.raises(WebError):  # the server of that URL is gone
            await stage.web.search("kelp")

    recorded = [one for one in events if isinstance(one, RequestRecorded)]
    assert [one.endpoint.endswith("/mcp?exaApiKey=[redacted]") for one in recorded] == [True]
