"""What an entry of the record of calls says: one for each call of the library (issue 7.4)."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import bare, extract, failing, hits, page, refused, settle, told
from support.ledger import START, Book, Patient, booking
from webseam.core.call import Call
from webseam.core.errors import Code
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.ledger import Entry
from webseam.core.selection import FanOut
from webseam.core.settings import SeamSettings
from webseam.core.types import (
    Attempt,
    CacheFacts,
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    SearchRequest,
    SearchResult,
    Usage,
)
from webseam.core.web import Web
from webseam.testing import STALLED, ScriptedExtract, ScriptedFetch, ScriptedSearch

PRICED = Usage(calls=1, cost=0.005, currency="USD", input_tokens=10, output_tokens=20)


def searching(*outcomes: Any, text: bool = False, **options: Any) -> tuple[Web, Book]:
    web, book = booking(text=text, **options)
    web.register_search(ScriptedSearch("exa", outcomes))
    return web, book


def fetching(*outcomes: Any, text: bool = False, **options: Any) -> tuple[Web, Book]:
    web, book = booking(text=text, **options)
    fetch = ScriptedFetch("http", outcomes)
    fetch.bills = False  # type: ignore[attr-defined]  # a fetch of a page costs nobody anything
    web.register_fetch(fetch)
    return web, book


@pytest.mark.req("usage:entry")
async def test_a_search_is_one_entry_with_its_usage() -> None:
    web, book = searching(hits("https://a.test/", usage=PRICED))
    await web.search("kelp", call=Call(tags={"tenant": "acme", "run": "r1", "tool_call_id": "t"}))
    one = book.only
    assert told(one.attempts) == [("exa", "ok", None, True)]
    assert one == Entry(
        id=one.id,
        at=START,
        elapsed=one.elapsed,
        capability="search",
        outcome="ok",
        tenant="acme",
        run="r1",
        provider="exa",
        dispatched=True,
        calls=1,
        input_tokens=10,
        output_tokens=20,
        costs={"USD": 5_000_000},
        attempts=one.attempts,
    )
    assert (len(one.id), int(one.id[:12], 16)) == (24, START * 1_000)


@pytest.mark.req("usage:entry")
async def test_a_fetch_tells_bytes_and_where_the_page_came_from() -> None:
    web, book = fetching(
        page(received_bytes=300),
        page(received_bytes=300, cache=CacheFacts(age=1)),
        page(received_bytes=300, cache=CacheFacts(age=1, stale=True)),
        page(received_bytes=300, cache=CacheFacts(age=1, revalidated=True)),
    )
    for _ in range(4):
        await web.fetch("https://example.test/")
    assert [(one.cache, one.bytes) for one in book.entries] == [
        (None, 300),
        ("fresh", 0),
        ("stale", 0),
        ("revalidated", 0),
    ]
    assert all(one.cost_known and not one.costs for one in book.entries)


@pytest.mark.req("usage:entry:later")
async def test_an_entry_that_is_made_later_is_what_the_call_was_when_it_ended() -> None:
    books = Book(text=True), Patient(text=True)
    for book in books:
        web = Web(ledger=book)
        unsent = failing(Code.PROVIDER_BLOCKED), failing(Code.DENIED)
        web.register_fetch(ScriptedFetch("http", [*unsent, failing(Code.PROVIDER_ERROR, True)]))
        tags = {"tenant": "acme", "run": "r1"}
        for number in range(3):
            url = f"https://example.test/{number}"
            await refused(web.fetch(url, call=Call(tags=tags)))
            tags |= {"tenant": "other", "run": f"of call {number}"}  # a host may use one mapping for all its calls
    plain, patient = books
    assert [one.code for one in patient.entries] == ["WEB_PROVIDER_ERROR"]  # what was sent does not wait
    patient.end()
    by_target = {one.target: one for one in patient.entries}
    same: Any = {"id": "", "elapsed": 0, "attempts": ()}
    for one in plain.entries:
        assert replace(by_target[one.target], **same) == replace(one, **same)
    assert [(one.tenant, one.run, one.code) for one in plain.entries] == [
        ("acme", "r1", "WEB_PROVIDER_BLOCKED"),
        ("other", "of call 0", "WEB_DENIED"),
        ("other", "of call 1", "WEB_PROVIDER_ERROR"),
    ]


@pytest.mark.req("usage:entry")
async def test_an_extraction_has_the_bytes_of_the_page_that_its_provider_read() -> None:
    web, book = fetching(page(received_bytes=1_234))

    async def reads(request: ExtractRequest, call: Call) -> ExtractResult:
        await web.page_for(request.url, call=call)
        return extract()

    web.register_extract(ScriptedExtract("local", [reads]))
    await web.extract("https://example.test/")
    one = book.only
    assert (one.capability, one.provider, one.bytes) == ("extract", "local", 1_234)
    assert told(one.attempts) == [("local", "ok", None, True)]


@pytest.mark.req("usage:entry")
async def test_a_failure_tells_its_code_and_whether_it_may_have_been_sent() -> None:
    web, book = searching(failing(Code.RATE_LIMITED, True), failing(Code.PROVIDER_ERROR))
    for _ in range(2):
        await refused(web.search("kelp"))
    assert [(one.outcome, one.code, one.dispatched, one.provider) for one in book.entries] == [
        ("failed", "WEB_RATE_LIMITED", True, "exa"),
        ("failed", "WEB_PROVIDER_ERROR", False, "exa"),
    ]


@pytest.mark.req("usage:entry")
async def test_a_route_is_one_entry_with_every_try() -> None:
    web, book = booking(search=("one", "two"))
    web.register_search(ScriptedSearch("one", [failing(Code.UPSTREAM_FAILED, True)]))
    web.register_search(ScriptedSearch("two", [hits(usage=PRICED)]))
    await web.search("kelp")
    one = book.only
    assert (one.provider, one.outcome) == ("two", "ok")
    assert told(one.attempts) == [("one", "failed", "WEB_UPSTREAM_FAILED", True), ("two", "ok", None, True)]
    assert (one.costs, one.cost_known) == ({"USD": 5_000_000}, False)


@pytest.mark.req("usage:entry")
async def test_a_fan_out_is_one_entry_of_all_its_providers() -> None:
    web, book = booking(search=FanOut(("one", "two")))
    for name in ("one", "two"):
        web.register_search(ScriptedSearch(name, [hits(f"https://{name}.test/", usage=PRICED)]))
    await web.search("kelp")
    assert (book.only.provider, book.only.costs, book.only.cost_known) == ("one+two", {"USD": 10_000_000}, True)


@pytest.mark.req("usage:entry")
async def test_an_answer_without_a_search_is_told_apart() -> None:
    web, book = searching(bare())
    await web.search("kelp")
    assert (book.only.outcome, book.only.code) == ("ungrounded", None)
    strict, other = searching(bare(), settings=SeamSettings(ungrounded="error"))
    await refused(strict.search("kelp"))
    assert (other.only.outcome, other.only.code) == ("failed", "WEB_SEARCH_UNGROUNDED")


@pytest.mark.req("usage:entry")
@pytest.mark.parametrize("url", ["http://user:secret-word@a.test/", "ftp://a.test/", "https://a.test/" + "x" * 3_000])
async def test_a_call_that_is_refused_before_any_provider_is_an_entry_too(url: str) -> None:
    web, book = fetching(page(), text=True)
    error = await refused(web.fetch(url))
    assert (book.only.code, book.only.provider, book.only.dispatched) == (error.code, None, False)
    assert "secret-word" not in str(book.only)
    assert len(book.only.target or "") <= 2_048


@pytest.mark.req("usage:entry")
async def test_a_cancelled_call_has_the_tries_that_were_made_by_then() -> None:
    web, book = searching(STALLED)
    running = asyncio.create_task(web.search("kelp"))
    await settle()
    running.cancel()
    await asyncio.wait([running])
    one = book.only
    assert (one.outcome, one.code, one.dispatched, one.provider) == ("cancelled", "cancelled", True, "exa")
    assert told(one.attempts) == [("exa", "failed", "WEB_ABORTED", True)]
    assert not one.cost_known


@pytest.mark.req("usage:entry")
async def test_an_abort_and_a_broken_observer_are_entries() -> None:
    web, book = searching(hits())
    abort = asyncio.Event()
    abort.set()
    await refused(web.search("kelp", abort=abort))

    def broken(_event: object) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await web.search("kelp", call=Call(emit=broken))
    assert [(one.outcome, one.code) for one in book.entries] == [
        ("cancelled", "WEB_ABORTED"),
        ("failed", "RuntimeError"),
    ]


@pytest.mark.req("usage:entry")
async def test_a_call_without_a_ledger_is_what_it_was() -> None:
    web = Web()
    web.register_search(ScriptedSearch("exa", [hits()]))
    assert (await web.search(query="kelp", call=None)).provider == "exa"
    noted, book = searching(hits())
    assert (await noted.search(query="kelp")).provider == "exa"
    assert (await noted.search(SearchRequest(query="kelp"))).provider == "exa"
    assert len(book.entries) == 2


@pytest.mark.req("usage:entry")
async def test_whoever_stands_above_a_call_still_learns_its_tries() -> None:
    web, _ = searching(failing(Code.RATE_LIMITED, True))
    given = Call()
    given.dispatch.keeps = True
    await refused(web.search("kelp", call=given))
    assert told(given.dispatch.tries) == [("exa", "failed", "WEB_RATE_LIMITED", True)]
    assert given.dispatch.sent


# Cost --------------------------------------------------------------------------------------------------


@pytest.mark.req("usage:cost")
@pytest.mark.parametrize(
    ("usage", "costs", "known"),
    [
        (None, {}, False),
        (Usage(calls=1), {}, False),
        (Usage(cost=0.1), {}, False),
        (Usage(cost=0.0, currency="USD"), {"USD": 0}, True),
        (Usage(cost=0.1 + 0.2, currency="USD"), {"USD": 300_000_000}, True),
        (Usage(cost=2, currency="credits"), {"credits": 2_000_000_000}, True),
        (Usage(cost=float("nan"), currency="USD"), {}, False),
        (Usage(cost=float("inf"), currency="USD"), {}, False),
        (Usage(cost=-1.0, currency="USD"), {}, False),
        (Usage(cost=1e9, currency="USD"), {}, False),
        (Usage(cost="1", currency="USD"), {}, False),  # type: ignore[arg-type]  # a plugin may say anything
        (Usage(cost=True, currency="USD"), {}, False),
        (Usage(cost=1.0, currency=7), {}, False),  # type: ignore[arg-type]  # the same
    ],
)
async def test_a_cost_is_what_was_reported_and_unknown_is_never_free(
    usage: Usage | None, costs: dict[str, int], known: object
) -> None:
    web, book = searching(hits(usage=usage))
    await web.search("kelp")
    assert (book.only.costs, book.only.cost_known) == (costs, known)


@pytest.mark.req("usage:cost")
async def test_what_never_left_and_who_never_charges_is_known_to_be_free() -> None:
    web, book = searching(failing())
    await refused(web.search("kelp"))
    pages, other = fetching(failing(Code.UPSTREAM_FAILED, True))
    await refused(pages.fetch("https://a.test/"))
    assert (book.only.cost_known, other.only.cost_known, other.only.dispatched) == (True, True, True)


@pytest.mark.req("usage:cost")
@pytest.mark.parametrize("calls", [-1, 1.5, float("nan"), float("inf"), True, "many", 10**30, 10**400])
async def test_a_number_of_a_vendor_that_is_none_is_not_added(calls: Any) -> None:
    web, book = searching(hits(usage=Usage(calls=calls, input_tokens=calls)))
    await web.search("kelp")
    assert book.only.calls == book.only.input_tokens == (1 if calls == 1.5 else None)


# Permission --------------------------------------------------------------------------------------------


async def gate(request: AccessRequest, /) -> Verdict:
    if request.target == "broken":
        raise RuntimeError("the gate's own fault")
    return Verdict(allowed=request.target != "no", rule=f"rule of {request.kind}", reason="Because.")


@pytest.mark.req("usage:permission")
async def test_an_entry_tells_what_the_gate_decided_and_by_which_rule() -> None:
    web, book = searching(hits(), gate=gate)
    await web.search("yes")
    await refused(web.search("no"))
    await refused(web.search("broken"))
    assert [(one.permission, one.rule, one.code) for one in book.entries] == [
        ("allowed", "rule of search", None),
        ("denied", "rule of search", "WEB_DENIED"),
        ("denied", None, "WEB_DENIED"),
    ]
    assert [one.provider for one in book.entries] == ["exa", None, None]


@pytest.mark.req("usage:permission")
async def test_a_gate_that_the_call_brings_is_heard_and_no_gate_is_no_decision() -> None:
    web, book = searching(hits())
    await web.search("yes", call=Call(gate=gate))
    await web.search("yes")
    assert [one.permission for one in book.entries] == ["allowed", None]


@pytest.mark.req("usage:permission")
async def test_a_denied_redirect_is_what_counts() -> None:
    async def only_first(request: AccessRequest, /) -> Verdict:
        return Verdict(allowed=request.kind != "redirect", rule=request.kind)

    web, book = booking(gate=only_first)
    web.register_extract(ScriptedExtract("e", [extract("https://elsewhere.test/")]))
    await refused(web.extract("https://example.test/"))
    assert (book.only.permission, book.only.rule, book.only.code) == ("denied", "redirect", "WEB_DENIED")


# Texts -------------------------------------------------------------------------------------------------


@pytest.mark.req("usage:text")
async def test_no_query_and_no_url_is_kept_unless_it_is_asked_for() -> None:
    web, book = searching(hits("https://found.test/"))
    await web.search("a private question", call=Call(tags={"note": "a private note"}))
    assert book.only.target is None
    assert "private" not in str(book.only)
    assert "found.test" not in str(book.only)


@pytest.mark.req("usage:text")
async def test_queries_and_urls_that_are_asked_for_are_kept_without_credentials() -> None:
    web, book = searching(hits(), text=True)
    await web.search("kelp\x1b[31m farms\n" + "x" * 3_000)
    pages, other = fetching(page("https://a.test/?api_key=abcdefgh12345678"), text=True)
    await pages.fetch(FetchRequest(url="https://a.test/?api_key=abcdefgh12345678"))
    assert str(book.only.target).startswith("kelp [31m farms xxx")
    assert len(str(book.only.target)) <= 2_048
    assert other.only.target == "https://a.test/?api_key=[redacted]"


@pytest.mark.req("usage:entry")
@given(
    st.text(),
    st.text(min_size=200),
    st.one_of(st.none(), st.integers(), st.text()),
    st.floats() | st.integers() | st.just(10**400),
)
def test_whatever_plugins_and_hosts_say_makes_an_entry_that_can_be_written(
    provider: str, code: str, tenant: Any, elapsed: float
) -> None:
    tried = Attempt(provider=provider, outcome="odd", code=code, elapsed=elapsed)  # type: ignore[arg-type]  # a plugin's
    answer = replace(hits(), attempts=(tried,) * 80)
    web, book = booking()
    web.register_search(ScriptedSearch("exa", [answer, failing(code, attempts=(tried,), provider=provider)]))

    async def run() -> None:
        for _ in range(2):
            await asyncio.gather(web.search("kelp", call=Call(tags={"tenant": tenant})), return_exceptions=True)

    asyncio.run(run())
    assert len(book.entries) == 2
    for one in book.entries:
        assert len(one.attempts) <= 50
        assert all(len(part or "") <= 128 for part in (one.provider, one.code, one.tenant))
        assert all(0 <= abs(found.elapsed) < float("inf") for found in one.attempts)


@pytest.mark.req("usage:entry")
@pytest.mark.parametrize("attempts", [None, 7, "ab", ({"provider": "exa"},)])
async def test_tries_that_are_none_change_no_answer(attempts: Any) -> None:
    web, book = searching(hits())
    web.register_fetch(ScriptedFetch("http", [page(attempts=attempts)]))
    await asyncio.gather(web.fetch("https://example.test/"), return_exceptions=True)
    assert all(isinstance(one, Attempt) for one in book.only.attempts)


@pytest.mark.req("usage:entry")
async def test_an_answer_of_another_kind_is_a_failure_of_its_provider() -> None:
    async def odd(_request: SearchRequest, _call: Call) -> SearchResult:
        return "no result"  # type: ignore[return-value]  # a fault of a plugin

    web, book = searching(odd)
    await refused(web.search("kelp"))
    assert (book.only.code, book.only.provider) == ("WEB_PROVIDER_ERROR", "exa")
