"""Keys and recorded requests: asked per call, taken with the endpoint, never shown."""

from typing import Any

import pytest

from support.vendor import KEY, SPECS, HeldKey, body_of, build, carries, good, says, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.events import RequestRecorded
from webseam.core.types import SearchRequest
from webseam.net.vendor import VendorTransport

KINDS = sorted(SPECS)
TAKES_KEY = [kind for kind in KINDS if SPECS[kind].key_env]
KEYED = [kind for kind in TAKES_KEY if not (SPECS[kind].keyless or SPECS[kind].key_optional)]
OPTIONAL = [kind for kind in KINDS if SPECS[kind].key_optional and kind != "custom"]  # its fixture describes a key


@pytest.mark.req("search:vendor-key:rotation")
@pytest.mark.parametrize("kind", TAKES_KEY)
async def test_a_rotated_key_reaches_the_next_call(kind: str) -> None:
    secret = HeldKey("sk-first-key")
    async with staged(kind, good(kind), good(kind), secret=secret) as stage:
        await stage.web.search("kelp")
        before = len(stage.server.requests)
        secret.key = "sk-second-key"
        await stage.web.search("kelp")

    assert all(carries(kind, one, "sk-first-key") for one in stage.server.requests[:before])
    assert all(carries(kind, one, "sk-second-key") for one in stage.server.requests[before:])
    assert not any(carries(kind, one, "sk-first-key") for one in stage.server.requests[before:])


@pytest.mark.req("search:vendor:available")
@pytest.mark.parametrize("kind", KEYED)
def test_a_keyed_vendor_without_a_key_is_unavailable_and_says_why(kind: str) -> None:
    secret = HeldKey(None)
    provider = build(kind, VendorTransport(), secret=secret)

    told = f"no key is set for {kind} (`webseam keys set {kind}`)"
    assert (provider.available(), provider.unavailable_reason()) == (False, told)

    secret.key = KEY
    assert (provider.available(), provider.unavailable_reason()) == (True, None)


@pytest.mark.req("search:vendor-key:keyless")
@pytest.mark.parametrize("kind", OPTIONAL)
async def test_a_vendor_with_an_optional_key_searches_without_one(kind: str) -> None:
    async with staged(kind, good(kind), secret=HeldKey(None)) as stage:
        assert stage.provider.available()
        result = await stage.web.search("kelp")

    names = {name for one in stage.server.requests for name, _ in one.headers}
    assert result.sources
    assert names.isdisjoint({"authorization", "x-api-key"})
    assert ("x-tavily-access-mode" in names) is (kind == "tavily")


@pytest.mark.req("search:vendor:available")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("base", ["", "api.example", "ftp://api.example/", "https://user:pw@api.example/", "https://"])
async def test_a_base_url_that_is_none_makes_the_vendor_unavailable(kind: str, base: str) -> None:
    provider = build(kind, VendorTransport(), base_url=base)

    assert not provider.available()
    assert f"providers.{kind}.base_url" in provider.unavailable_reason()
    assert (provider.unavailable_reason() == f"providers.{kind}.base_url is not set") is (base == "")
    assert "pw@" not in provider.unavailable_reason()


class FailingKey(HeldKey):
    """A credential source that fails as it is told."""

    def __init__(self, fault: Exception) -> None:
        super().__init__()
        self.fault = fault

    async def resolve(self) -> str:
        raise self.fault


@pytest.mark.req("search:vendor-key:missing")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_source_that_yields_no_key_is_told_as_it_told_itself(kind: str) -> None:
    missing = WebError(Code.PROVIDER_CREDENTIAL_MISSING, "Set KELP_KEY, the secrets file, or the keyring.")
    async with staged(kind, good(kind), secret=FailingKey(missing)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.message) == (missing.code, missing.message)
    assert (caught.value.dispatched, stage.server.connections) == (False, 0)


@pytest.mark.req("search:vendor-key:missing")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_source_that_breaks_is_a_provider_error_with_its_cause_chained(kind: str) -> None:
    async with staged(kind, good(kind), secret=FailingKey(OSError("vault at 10.1.2.3 is sealed"))) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.dispatched) == (Code.PROVIDER_ERROR, False)
    assert isinstance(caught.value.__cause__, OSError)
    assert "could not be read (OSError)" in caught.value.message
    assert "10.1.2.3" not in caught.value.message


@pytest.mark.req("search:vendor-key:missing")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", ["", "  \n", "sk-a\r\nx-evil: 1", "sk-k\u00e9lp", "sk a"])
async def test_a_key_that_no_header_can_carry_is_refused_before_anything_leaves(kind: str, key: str) -> None:
    async with staged(kind, good(kind), secret=HeldKey(key)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp")

    assert (caught.value.code, caught.value.dispatched) == (Code.PROVIDER_CREDENTIAL_MISSING, False)
    assert stage.server.connections == 0
    assert not key.strip() or key.strip() not in str(caught.value)


@pytest.mark.req("search:vendor-key:rotation")
@pytest.mark.parametrize("kind", TAKES_KEY)
async def test_space_around_a_pasted_key_is_no_part_of_it(kind: str) -> None:
    async with staged(kind, good(kind), secret=HeldKey(f" {KEY}\n")) as stage:
        await stage.web.search("kelp")

    assert all(carries(kind, one, KEY) for one in stage.server.requests)


@pytest.mark.req("search:vendor-event:body")
@pytest.mark.parametrize("kind", KINDS)
async def test_the_recorded_request_is_the_one_sent_and_holds_no_key(kind: str) -> None:
    events: list[Any] = []
    async with staged(kind, good(kind), emit=events.append) as stage:
        await stage.web.search("kelp")
        base = stage.server.url

    recorded = [event for event in events if isinstance(event, RequestRecorded)]
    sent = [(base + r.target.replace(KEY, "[redacted]"), body_of(r)) for r in stage.server.requests]
    assert [(one.endpoint, one.body) for one in recorded] == sent
    assert KEY not in repr(recorded)


@pytest.mark.req("search:vendor-event:order")
@pytest.mark.parametrize("kind", KINDS)
async def test_an_observer_that_raises_keeps_the_request_at_home(kind: str) -> None:
    def refuse(event: Any) -> None:
        if isinstance(event, RequestRecorded):
            raise PermissionError("the log is full")

    async with staged(kind, good(kind), emit=refuse) as stage:
        with pytest.raises(PermissionError, match="the log is full"):
            await stage.web.search("kelp")

    assert stage.server.requests == []


@pytest.mark.req("search:vendor-event:body")
@pytest.mark.parametrize("kind", KINDS)
async def test_an_observer_that_changes_what_it_was_given_changes_nothing(kind: str) -> None:
    def vandal(event: Any) -> None:
        if isinstance(event, RequestRecorded) and event.body:
            event.body.clear()

    async with staged(kind, good(kind), emit=vandal) as stage:
        await stage.web.search("kelp")

    assert all(body_of(one) or one.method == "GET" for one in stage.server.requests)


@pytest.mark.req("search:vendor-event:order")
async def test_a_request_that_failed_after_it_left_stays_recorded() -> None:
    events: list[Any] = []
    async with staged("exa", says({"error": "down"}, 503), emit=events.append) as stage:
        with pytest.raises(WebError):
            await stage.web.search("kelp")

    assert [type(event).__name__ for event in events] == [
        "Selected",
        "RequestRecorded",
        "AttemptDispatched",
        "AttemptEnded",
    ]


@pytest.mark.req("search:vendor:base-url")
@pytest.mark.parametrize(
    ("kind", "base", "path"),
    [
        ("exa", "", "/search"),
        ("exa", "/", "/search"),
        ("exa", "/proxy/exa", "/proxy/exa/search"),
        ("exa", "/proxy/exa/", "/proxy/exa/search"),
        ("exa", "/proxy?team=kelp", "/proxy/search?team=kelp"),
        ("tavily", "/", "/search"),
        ("perplexity", "/v2/", "/v2/chat/completions"),
        ("deepseek-official", "/anthropic/v1/", "/anthropic/v1/messages"),
        ("exa-mcp", "/mcp?tools=web_search_exa", "/mcp?tools=web_search_exa"),
        ("exa-mcp", "/mcp/", "/mcp/"),
    ],
)
async def test_base_urls_are_joined_whether_or_not_they_end_in_a_slash(kind: str, base: str, path: str) -> None:
    async with staged(kind, good(kind)) as stage:
        transport = VendorTransport()
        provider = build(kind, transport, base_url=stage.server.url + base, provider_id="mine")
        result = await provider.search(SearchRequest(query="kelp"), call=Call())
        await transport.aclose()

    assert {one.target for one in stage.server.requests} == {path}
    assert result.provider == "mine"
