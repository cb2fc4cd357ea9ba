"""Registrations come and go: dsh-9 to dsh-11, and what dsh left uncovered (double and stale disposal)."""

import asyncio

import pytest

from support.core import failing, hits, page, refused, searching
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing import ScriptedFetch, ScriptedSearch


@pytest.mark.req("core:registry:duplicate")
async def test_a_second_provider_of_the_same_id_is_refused_at_once_and_the_first_stays() -> None:
    first, second = ScriptedSearch("a", [hits()]), ScriptedSearch("a", [hits()])
    web = searching(first)
    with pytest.raises(WebError, match="'a'") as caught:
        web.register_search(second)
    assert caught.value.code == Code.DUPLICATE_PROVIDER
    await web.search("kelp")
    assert (len(first.script.requests), len(second.script.requests)) == (1, 0)


@pytest.mark.req("core:registry:duplicate")
def test_the_same_object_twice_is_a_duplicate_too() -> None:
    one = ScriptedSearch("a", [hits()])
    with pytest.raises(WebError, match="registered already"):
        searching(one, one)


@pytest.mark.req("core:registry:duplicate")
async def test_the_same_id_may_stand_in_two_capabilities() -> None:
    web = searching(ScriptedSearch("both", [hits()]))
    web.register_fetch(ScriptedFetch("both", [page()]))
    with pytest.raises(WebError, match="A fetch provider"):
        web.register_fetch(ScriptedFetch("both", [page()]))
    assert (await web.fetch("https://example.test/")).provider == "both"


@pytest.mark.req("core:registry:disposer")
async def test_after_disposal_it_is_as_if_never_registered_and_disposing_twice_is_fine() -> None:
    web = Web(search="a")
    dispose = web.register_search(ScriptedSearch("a", [hits()]))
    await web.search("kelp")
    dispose()
    dispose()
    assert (await refused(web.search("kelp"))).code == Code.PROVIDER_CONFIGURED_MISSING


@pytest.mark.req("core:registry:disposer")
@pytest.mark.parametrize("same_object", [False, True])
async def test_a_stale_disposer_removes_nothing(*, same_object: bool) -> None:
    web = Web()
    first = ScriptedSearch("a", [hits()])
    stale = web.register_search(first)
    stale()
    fresh = web.register_search(first if same_object else ScriptedSearch("a", [hits()]))
    stale()
    assert (await web.search("kelp")).provider == "a"
    fresh()
    assert (await refused(web.search("kelp"))).code == Code.PROVIDER_UNAVAILABLE


@pytest.mark.req("core:registry:disposer")
async def test_a_disposer_removes_only_its_own_capability() -> None:
    web = searching(ScriptedSearch("both", [hits()]))
    web.register_fetch(ScriptedFetch("both", [page()]))()
    assert (await web.search("kelp")).provider == "both"


@pytest.mark.req("core:registry:mid-call")
async def test_a_provider_that_goes_during_a_call_ends_that_call_and_is_gone_for_the_next() -> None:
    web = Web()

    async def leave(_request: SearchRequest, _call: Call) -> SearchResult:
        dispose()
        return hits("https://a.test/")

    dispose = web.register_search(ScriptedSearch("a", [leave]))
    result = await web.search("kelp")
    assert result.provider == "a"
    assert [one.outcome for one in result.attempts] == ["ok"]
    assert (await refused(web.search("kelp"))).code == Code.PROVIDER_UNAVAILABLE


@pytest.mark.req("core:registry:disposer")
async def test_the_id_at_registration_counts() -> None:
    one = ScriptedSearch("a", [hits()])
    web = searching(one, search="a")
    one.id = "b"
    result = await web.search("kelp")
    assert [attempt.provider for attempt in result.attempts] == ["a"]
    assert [state.id for state in web.describe()[0].providers] == ["a"]


@pytest.mark.req("core:registry:mid-call")
async def test_members_of_a_route_are_looked_up_when_their_turn_comes() -> None:
    web = Web(search=["x", "y", "z"])

    async def swap(_request: SearchRequest, _call: Call) -> SearchResult:
        drop_y()
        web.register_search(ScriptedSearch("z", [hits("https://z.test/")]))
        raise failing()

    web.register_search(ScriptedSearch("x", [swap]))
    drop_y = web.register_search(ScriptedSearch("y", [hits()]))
    result = await web.search("kelp")
    assert [(one.provider, one.outcome, one.code) for one in result.attempts] == [
        ("x", "failed", Code.PROVIDER_ERROR),
        ("y", "skipped", Code.PROVIDER_CONFIGURED_MISSING),
        ("z", "ok", None),
    ]


@pytest.mark.req("core:registry:mid-call")
async def test_twenty_concurrent_calls_while_registrations_come_and_go() -> None:
    web = Web(search=["steady", "guest"])
    gate = asyncio.Event()

    async def wait(request: SearchRequest, _call: Call) -> SearchResult:
        await gate.wait()
        return hits(f"https://{request.query}.test/")

    web.register_search(ScriptedSearch("steady", [wait]))
    calls = [asyncio.create_task(web.search(f"q{number}")) for number in range(20)]
    for _ in range(10):
        await asyncio.sleep(0)
        web.register_search(ScriptedSearch("guest", [hits()]))()
    gate.set()
    answers = await asyncio.gather(*calls)
    assert [one.sources[0].url for one in answers] == [f"https://q{number}.test/" for number in range(20)]
    assert all([one.provider for one in answer.attempts] == ["steady"] for answer in answers)
