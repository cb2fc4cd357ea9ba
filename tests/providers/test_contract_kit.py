"""The contract kit finds what it says it checks: one faulty vendor for each breach, and none for an honest one."""

import asyncio
import json
import socket
import subprocess
import sys
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from support.toy import HITS, SPEC, Honest, Search, breaches, spec
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.transport import VendorRequest
from webseam.core.types import SearchRequest, SearchResult, Source
from webseam.providers.wires.account import Access, Account
from webseam.providers.wires.json_api import decoded
from webseam.testing import Reply, VendorServer, provider_contract
from webseam.testing.vendor_server import Ending


@pytest.mark.req("search:contract:holds")
def test_an_honest_vendor_passes() -> None:
    provider_contract(SPEC, reply=HITS)


async def _raw(provider: Honest, call: Call, request: SearchRequest) -> Any:
    """Ask without any of the wires' care."""
    access = await provider.account.take(call)
    url = access.url("search")
    body = {"q": request.query, "country": request.controls.country}
    headers = {"Authorization": f"Bearer {access.key}"}
    ask = VendorRequest(provider=provider.id, method="POST", url=url, json=body, headers=headers)
    return await provider.kit.transport.send(ask, call=call)


async def ignores_the_status(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    response = await _raw(provider, call, request)
    rows = json.loads(response.body)["hits"]
    return SearchResult(provider=provider.id, sources=tuple(Source(url=row["link"]) for row in rows))


async def takes_anything_for_no_hits(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    response = await _raw(provider, call, request)
    rows = json.loads(response.body).get("hits", []) if response.body.startswith(b'{"hits": [{') else []
    return SearchResult(provider=provider.id, sources=tuple(Source(url=row["link"]) for row in rows))


async def prints_its_key(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    try:
        return await Honest.search(provider, request, call=call)
    except WebError as error:
        key = await provider.kit.secret.resolve()
        raise WebError(error.code, f"failed with {key}", dispatched=error.dispatched) from error


async def chains_its_key(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    try:
        return await Honest.search(provider, request, call=call)
    except WebError as error:
        raise error from ValueError(await provider.kit.secret.resolve())


async def calls_everything_blocked(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    try:
        return await Honest.search(provider, request, call=call)
    except WebError as error:
        raise WebError(Code.BLOCKED_URL, "No.", provider="somebody", dispatched=error.dispatched) from error


async def asks_twice(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    try:
        return await Honest.search(provider, request, call=call)
    except WebError:
        return await Honest.search(provider, request, call=call)


async def asks_elsewhere(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    access = await provider.account.take(call)
    ask = VendorRequest(provider=provider.id, method="GET", url=f"https://api.toy.invalid/?q={request.query}")
    await provider.kit.transport.send(ask, call=call)
    return provider.read({}, access)


async def ignores_controls(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    return await Honest.search(provider, SearchRequest(query=request.query), call=call)


async def asks_always_the_same(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    return await Honest.search(provider, replace(request, query="kelp"), call=call)


async def remembers_its_key(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    first = provider.__dict__.setdefault("first", await provider.account.take(call))
    return provider.read(await provider.ask(request, first, call), first)


async def does_without_its_key(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    access = Access(
        base=(await Account(provider.kit, provider.kit.options.base_url, key_optional=True).take(call)).base, key="none"
    )
    return provider.read(await provider.ask(request, access, call), access)


async def passes_on_scripts(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    good = await Honest.search(provider, request, call=call)
    return replace(good, sources=(*good.sources, Source(url="javascript:alert(1)")))


async def never_asks(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    del provider, request, call
    raise WebError(Code.PROVIDER_ERROR, "I would rather not.")


async def answers_with_a_table(provider: Honest, request: SearchRequest, call: Call) -> Any:
    await Honest.search(provider, request, call=call)
    return {"sources": []}


async def shows_its_key(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    good = await Honest.search(provider, request, call=call)
    return replace(good, notices=(f"asked with {await provider.kit.secret.resolve()}",))


async def never_searched(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    return replace(await Honest.search(provider, request, call=call), provider="me", grounding="ungrounded", raw={})


async def ends_by_itself(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
    try:
        return await Honest.search(provider, request, call=call)
    except asyncio.CancelledError as exc:
        raise WebError(Code.PROVIDER_ERROR, "I was cancelled.") from exc


FAULTS: list[tuple[Search, list[str]]] = [
    (
        ignores_the_status,
        [
            "HTTP 500 makes it raise KeyError, which is no WebError",
            "a page of HTML with HTTP 200 makes it raise JSONDecodeError, which is no WebError",
            "HTTP 429 is told as WEB_PROVIDER_ERROR instead of WEB_RATE_LIMITED",
            "HTTP 402 is told as WEB_PROVIDER_ERROR instead of WEB_QUOTA_EXHAUSTED",
        ],
    ),
    (
        takes_anything_for_no_hits,
        [
            "HTTP 401 is told as a result with 0 sources",
            "an empty body with HTTP 200 is told as a result with 0 sources",
            "broken JSON with HTTP 200 is told as a result with 0 sources",
        ],
    ),
    (
        prints_its_key,
        [
            "HTTP 403 puts the key into the error or its causes",
            "HTTP 429 with Retry-After: 17 is told with retry_after=None",
            "HTTP 401 is told with status=None, and a pool of keys goes by it",
            "HTTP 503 is told with retryable=False",
        ],
    ),
    (chains_its_key, ["an answer cut short puts the key into the error or its causes"]),
    (
        calls_everything_blocked,
        [
            "HTTP 307 is told as WEB_BLOCKED_URL instead of WEB_PROVIDER_ERROR",
            "HTTP 500 is blamed on 'somebody' instead of 'toy-2'",
            "without a key it ends in WEB_BLOCKED_URL instead of WEB_PROVIDER_CREDENTIAL_MISSING",
        ],
    ),
    (asks_twice, ["after a connection dropped before the answer it sent the request again, which may be billed twice"]),
    (asks_elsewhere, ["it asked https://api.toy.invalid/ instead of the server it was pointed at"]),
    (ignores_controls, ["it calls country native, and asks its vendor the same with it as without"]),
    (asks_always_the_same, ["it asks its vendor the same whatever the query is"]),
    (remembers_its_key, ["a key that was changed between two calls does not reach the second one"]),
    (does_without_its_key, ["it connects to its vendor without the key that it needs"]),
    (passes_on_scripts, ["it passes on URLs that are not http(s): ['javascript:alert(1)']"]),
    (
        never_asks,
        [
            "the good reply ended in WebError: WEB_PROVIDER_ERROR: I would rather not.",
            "HTTP 500 is told as if no request had left",
            "an abort while the vendor is asked is told as WEB_PROVIDER_ERROR instead of WEB_ABORTED",
        ],
    ),
    (answers_with_a_table, ["search() returned dict instead of a SearchResult"]),
    (shows_its_key, ["its result holds the key"]),
    (
        never_searched,
        [
            "its result names 'me' as provider, not 'toy-2'",
            "the good reply was not taken as evidence of a search",
            "its result keeps the vendor's payload though nobody asked for it",
        ],
    ),
]


@pytest.mark.req("search:contract:finds")
@pytest.mark.parametrize(("fault", "told"), FAULTS, ids=[fault.__name__ for fault, _ in FAULTS])
def test_each_fault_is_told_in_a_sentence_of_its_own(fault: Search, told: list[str]) -> None:
    found = breaches(spec(fault)).splitlines()
    for sentence in told:
        assert f"- {sentence}" in found


@pytest.mark.req("search:contract:finds")
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (replace(SPEC, controls=frozenset()), "spec.controls is [], and native_controls is ['country']"),
        (spec(id="me"), "it was built as 'toy-2' and calls itself 'me'"),
        (spec(available=lambda: "yes"), "available() is not True with a key set and a good base URL"),
        (spec(available=lambda: True), "available() is True without a key, and the spec says otherwise"),
        (replace(SPEC, key_optional=True), "available() is False without a key, and the spec says otherwise"),
        (replace(SPEC, capability="fetch"), "its capability is fetch, and this contract is of search and extract"),
    ],
)
def test_what_a_spec_claims_is_compared_with_what_was_built(kind: ProviderSpec, told: str) -> None:
    assert f"- {told}" in breaches(kind).splitlines()


@pytest.mark.req("search:contract:finds")
def test_a_provider_that_dials_before_it_is_asked_is_told() -> None:
    def build(kit: Kit) -> Honest:
        place = urlsplit(kit.options.base_url)
        socket.create_connection((place.hostname or "", place.port or 0)).close()
        return Honest(kit)

    told = "- it opened a connection while it was built or asked for its availability"
    assert told in breaches(replace(SPEC, build=build)).splitlines()


@pytest.mark.req("search:contract:finds")
def test_a_provider_that_does_not_let_go_is_told() -> None:
    async def holds_on(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
        first = asyncio.ensure_future(Honest.search(provider, request, call=call))
        provider.__dict__["kept"] = first
        return await asyncio.shield(first)

    found = breaches(spec(holds_on), patience=0.2)

    assert "- an abort leaves the connection to the vendor open" in found
    assert "- a deadline leaves the connection to the vendor open" in found


@pytest.mark.req("search:contract:holds")
def test_who_turns_a_cancellation_into_an_error_is_still_told_by_the_signal() -> None:
    provider_contract(spec(ends_by_itself), reply=HITS)


@pytest.mark.req("search:contract:finds")
def test_a_reply_without_hits_cannot_prove_a_mapping() -> None:
    assert "- the good reply yielded no source" in breaches(SPEC, reply=Reply.json({"hits": []}))
    assert "- the good reply ended in WebError: WEB_PROVIDER_ERROR" in breaches(SPEC, reply=Reply.json({"rows": []}))


@pytest.mark.req("search:contract:holds")
def test_a_vendor_may_mean_something_else_by_a_status() -> None:
    async def blocked(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
        try:
            return await Honest.search(provider, request, call=call)
        except WebError as error:
            if error.status != 429:
                raise
            raise WebError(Code.PROVIDER_BLOCKED, "A bot check.", dispatched=True, status=429) from error

    provider_contract(spec(blocked), reply=HITS, codes={429: Code.PROVIDER_BLOCKED})
    assert "HTTP 429 is told as WEB_PROVIDER_BLOCKED instead of WEB_RATE_LIMITED" in breaches(spec(blocked))


@pytest.mark.req("search:vendor-error:network")
def test_a_get_whose_connection_breaks_is_not_sent_again_either() -> None:
    async def gets(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
        access = await provider.account.take(call)
        url = f"{access.url('search')}?q={quote(request.query)}&country={request.controls.country}&key={access.key}"
        asked = VendorRequest(provider=provider.id, method="GET", url=url, secrets=access.secrets)
        response = await provider.api.exchange(asked, call=call)
        return provider.read(decoded(response, provider.id, access.secrets), access)

    provider_contract(spec(gets), reply=HITS)


@pytest.mark.req("search:contract:holds")
def test_options_may_make_an_optional_key_a_needed_one() -> None:
    kind = replace(SPEC, key_optional=True)
    provider_contract(kind, reply=HITS, keyless=False)
    assert "- available() is False without a key, and the spec says otherwise" in breaches(kind)


@pytest.mark.req("search:contract:holds")
def test_a_vendor_may_want_both_days_of_a_span() -> None:
    async def spans(provider: Honest, request: SearchRequest, call: Call) -> SearchResult:
        days = (request.controls.published_after, request.controls.published_before)
        if (days[0] is None) != (days[1] is None):
            raise WebError(Code.UNSUPPORTED_CONTROL, "Give both days.")
        asked = replace(request, query=f"{request.query} {days}")
        return await Honest.search(provider, asked, call=call)

    names = frozenset({"published_after", "published_before"})
    provider_contract(replace(spec(spans, native_controls=names), controls=names), reply=HITS)


@pytest.mark.req("search:contract:holds")
def test_a_key_in_a_form_of_its_own_is_handed_in() -> None:
    provider_contract(SPEC, reply=HITS, key="kelp@example.org:s3cr3t-0123456789", options={"lists": False})


@pytest.mark.req("search:contract:alone")
def test_the_kit_needs_no_test_framework_and_the_fakes_no_client() -> None:
    code = (
        "import sys\nfrom webseam.testing import ScriptedSearch\n"
        "assert not {'aiohttp', 'msgspec'} & set(sys.modules), 'heavy'\n"
        "from webseam.testing import provider_contract, Reply, VendorServer\n"
        "assert 'pytest' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=50)  # noqa: S603 - our own interpreter


@pytest.mark.req("search:contract:alone")
async def test_the_server_keeps_what_it_was_asked() -> None:
    async with VendorServer(HITS) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
        writer.write(b'POST /a?b=c HTTP/1.1\r\nX-Key: one\r\nContent-Length: 9\r\n\r\n{"q": 1 }')
        answer = await reader.readuntil(b"\r\n\r\n")
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        rest = await reader.readuntil(b"the script has ended")
        writer.close()

    asked = server.requests[0]
    assert (asked.method, asked.target, asked.json, asked.header("x-KEY")) == ("POST", "/a?b=c", {"q": 1}, "one")
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 500 " in rest
    assert server.connections == 1


@pytest.mark.req("search:contract:alone")
@pytest.mark.parametrize(("ending", "told"), [("held", b""), ("held-halfway", b"ke")])
async def test_a_reply_held_back_stays_so_until_the_other_side_gives_up(ending: Ending, told: bytes) -> None:
    async with VendorServer(Reply(body=b"kelp", ending=ending)) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await server.held.wait()
        gave_up_before = server.released.is_set()
        writer.write_eof()
        answer = await reader.read()
        writer.close()

    assert not gave_up_before
    assert server.released.is_set()
    assert answer.partition(b"\r\n\r\n")[2] == told
    assert (b"content-length: 4" in answer) is bool(told)
