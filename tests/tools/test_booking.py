"""One entry for each call of a tool, whatever happens below it (issue 7.4)."""

import asyncio
from typing import Any

import pytest

from support.core import failing, hits, page, settle, told
from support.ledger import Book, booking
from webseam.core.call import Call
from webseam.core.errors import Code
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.settings import ToolSettings
from webseam.core.types import CacheFacts, Usage
from webseam.testing import STALLED, ScriptedFetch, ScriptedSearch
from webseam.tools.toolset import Toolset

PRICED = Usage(calls=2, cost=0.01, currency="USD")
LONG = "word " * 20_000


def tools(
    *outcomes: Any, pages: Any = (), text: bool = False, queries: int = 3, **options: Any
) -> tuple[Toolset, Book]:
    web, book = booking(text=text, **options)
    web.register_search(ScriptedSearch("exa", outcomes or [hits()]))
    web.register_fetch(ScriptedFetch("http", pages or [page(text=LONG, received_bytes=700)]))
    return Toolset(web, settings=ToolSettings(max_queries=queries)), book


@pytest.mark.req("usage:tool")
async def test_a_tool_call_of_several_queries_is_one_entry_of_all_their_usage() -> None:
    own, book = tools(hits("https://a.test/", usage=PRICED))
    result = await own.call("web_search", {"queries": ["one", "two", "three"]}, call=Call(tags={"tenant": "acme"}))
    assert result.error is None
    one = book.only
    assert (one.tool, one.capability, one.tenant, one.parts) == ("web_search", "search", "acme", 3)
    assert (one.calls, one.costs, one.cost_known) == (6, {"USD": 30_000_000}, True)
    assert (one.provider, len(one.attempts), one.outcome) == ("exa", 3, "ok")


@pytest.mark.req("usage:tool")
async def test_currencies_are_never_added_to_one_another() -> None:
    euro = hits("https://b.test/", usage=Usage(cost=0.5, currency="EUR"))
    own, book = tools(hits("https://a.test/", usage=PRICED), euro, hits("https://c.test/"), text=True)
    await own.call("web_search", {"queries": ["one", "two", "three"]})
    assert (book.only.costs, book.only.cost_known) == ({"USD": 10_000_000, "EUR": 500_000_000}, False)
    assert set(str(book.only.target).splitlines()) == {"one", "two", "three"}


@pytest.mark.req("usage:tool")
async def test_reading_on_is_a_call_that_asks_nobody() -> None:
    own, book = tools(text=True)
    for offset in (0, 5_000):
        result = await own.call("web_fetch", {"url": "https://example.test/", "offset": offset})
        assert result.error is None
    first, second = book.entries
    assert (first.cache, first.parts, first.bytes, first.dispatched) == (None, 1, 700, True)
    assert (second.cache, second.parts, second.bytes, second.dispatched) == ("kept", 0, None, False)
    assert [one.target for one in book.entries] == ["https://example.test/"] * 2


@pytest.mark.req("usage:tool")
async def test_parts_from_several_places_are_told_as_such() -> None:
    own, book = tools(hits(cache=CacheFacts(age=1)), hits())
    await own.call("web_search", {"queries": ["one", "two"]})
    assert (book.only.cache, book.only.parts) == ("partly", 2)


@pytest.mark.req("usage:tool")
@pytest.mark.parametrize("name", ["web_serch with a long secret", "", "web_extract"])
async def test_a_tool_that_there_is_not_is_an_entry_without_the_model_s_words(name: str) -> None:
    own, book = tools()
    await own.call(name, {"query": "x"})
    assert (book.only.tool, book.only.code, book.only.capability) == ("unknown", "INVALID_ARGS", None)
    assert "secret" not in str(book.only)


@pytest.mark.req("usage:tool")
async def test_arguments_that_cannot_be_are_an_entry() -> None:
    own, book = tools()
    await own.call("web_search", {"nothing": 1})
    await own.call(["web_search"], {})  # type: ignore[arg-type]  # a host's mistake
    assert (book.entries[0].code, book.entries[0].parts) == ("INVALID_ARGS", 0)
    assert [one.tool for one in book.entries] == ["web_search", "unknown"]


@pytest.mark.req("usage:tool")
async def test_a_part_that_failed_leaves_the_call_what_its_answer_is() -> None:
    own, book = tools(hits("https://a.test/"), failing(Code.RATE_LIMITED, True))
    result = await own.call("web_search", {"queries": ["one", "two"]})
    assert (book.only.code is None) == (result.error is None)
    assert {one[2] for one in told(book.only.attempts)} == {None, "WEB_RATE_LIMITED"}


@pytest.mark.req("usage:tool")
async def test_the_host_s_time_and_its_cancellation_are_entries_with_their_tries() -> None:
    own, book = tools(STALLED, queries=1)
    await own.call("web_search", {"query": "x"}, timeout=0.01)
    running = asyncio.create_task(own.call("web_search", {"query": "x"}))
    await settle()
    running.cancel()
    await asyncio.wait([running])
    assert [(one.outcome, one.code) for one in book.entries] == [("failed", "TOOL_TIMEOUT"), ("cancelled", "cancelled")]
    assert [(one.dispatched, one.provider, len(one.attempts)) for one in book.entries] == [(True, "exa", 1)] * 2


@pytest.mark.req("usage:permission")
async def test_a_tool_call_tells_what_the_gate_decided_also_of_a_page_that_is_here() -> None:
    seen: list[str] = []

    async def gate(request: AccessRequest, /) -> Verdict:
        seen.append(request.target)
        return Verdict(allowed=len(seen) < 2, rule=f"rule {len(seen)}")

    own, book = tools(gate=gate)
    for offset in (0, 5_000):
        await own.call("web_fetch", {"url": "https://example.test/", "offset": offset})
    assert [(one.permission, one.rule, one.code) for one in book.entries] == [
        ("allowed", "rule 1", None),
        ("denied", "rule 2", "WEB_DENIED"),
    ]


@pytest.mark.req("usage:tool")
async def test_nothing_counts_twice_under_many_calls_at_once() -> None:
    own, book = tools(hits("https://a.test/", usage=PRICED), queries=1)
    await asyncio.gather(*(own.call("web_search", {"query": f"q{number}"}) for number in range(50)))
    assert len(book.entries) == len({one.id for one in book.entries}) == 50
    assert sum(one.calls or 0 for one in book.entries) == 100
