"""A closed `Web` answers nothing and opens nothing."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from support.core import failing, hits, page, refused
from webseam.core.call import Call
from webseam.core.errors import Code
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing.fakes import ScriptedFetch, ScriptedSearch

CALLS: dict[str, Callable[[Web], Awaitable[object]]] = {
    "search": lambda web: web.search("kelp"),
    "fetch": lambda web: web.fetch("https://example.test/"),
    "extract": lambda web: web.extract("https://example.test/"),
    "permit_fetch": lambda web: web.permit_fetch("https://example.test/"),
}


@pytest.mark.req("core:web:closed")
@pytest.mark.parametrize("name", CALLS)
async def test_a_call_after_closing_is_refused_in_words_and_asks_nobody(name: str) -> None:
    search, fetch = ScriptedSearch("one", [hits("https://a.test/")]), ScriptedFetch("one", [page()])
    web = Web()
    web.register_search(search)
    web.register_fetch(fetch)
    await web.aclose()

    error = await refused(CALLS[name](web))

    assert error.code == Code.PROVIDER_UNAVAILABLE
    assert "closed" in error.message
    assert (error.dispatched, len(search.script.requests), len(fetch.script.requests)) == (False, 0, 0)


@pytest.mark.req("core:web:closed")
async def test_a_route_that_runs_while_its_web_closes_starts_no_further_member() -> None:
    asked, closed = asyncio.Event(), asyncio.Event()

    async def slow(_request: SearchRequest, _call: Call) -> SearchResult:
        asked.set()
        await closed.wait()
        raise failing(Code.UPSTREAM_FAILED)

    second = ScriptedSearch("second", [hits("https://a.test/")])
    web = Web(search=["first", "second"])
    web.register_search(ScriptedSearch("first", [slow]))
    web.register_search(second)
    running = asyncio.create_task(web.search("kelp"))
    await asked.wait()
    await web.aclose()
    closed.set()

    error = await refused(running)

    assert error.code == Code.ROUTE_EXHAUSTED
    assert [one.outcome for one in error.attempts] == ["failed", "skipped"]
    assert second.script.requests == []
