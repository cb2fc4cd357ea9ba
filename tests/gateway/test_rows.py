"""The record of calls is equal to the answers: one entry for each call that reached a desk (issue 7.4, 7.8)."""

import asyncio
import threading
from collections import Counter
from typing import Any

import pytest
from mcp import Client

from support.cli import Answer, Shell, site
from support.gateway import CONFIG, Served, serving, spawned, terminate
from webseam.core.ledger import Entry
from webseam.wiring.tenants import Policy

HITS = {"query": "hits"}
CACHED = CONFIG.replace("[fetch]\n", '[fetch]\ncache = "memory"\n')


def entries(served: Served, tenant: str | None = None) -> list[Entry]:
    """The oldest first."""
    assert served.app is not None
    return list(served.app.house.board.recent(tenant))[::-1]


def page(_path: str) -> Answer:
    return 200, {"Cache-Control": "max-age=600"}, b"<p>page"


def how(answer: Any) -> tuple[str, str | None]:
    """How a call route has answered: the outcome and the code that its entry must have."""
    plain = answer.json
    code = answer.code if answer.status != 200 else (plain.get("error") or {}).get("code")
    return ("ok" if code is None else "failed"), code


@pytest.mark.req("usage:gateway:equal")
async def test_whatever_is_asked_the_entries_are_those_of_the_answers(shell: Shell) -> None:
    with site(page) as base:
        async with serving(shell) as served:
            free = served.token("free")
            bound = served.token("bound", Policy(rate="1/day", deny_hosts=("never.example",)))
            asked = [
                ("/v1/search", HITS, free),
                ("/v1/search", {"query": "other"}, free),
                ("/v1/search", {}, free),
                ("/v1/search", {"query": "hits", "max_results": 10**30}, free),
                ("/v1/search", {"query": "hits", "controls": 7}, free),
                ("/v1/fetch", {"url": f"{base}/a"}, free),
                ("/v1/fetch", {"url": "ftp://a.test/"}, free),
                ("/v1/fetch", {"url": "http://10.0.0.1/"}, free),
                ("/v1/extract", {"url": f"{base}/a"}, free),
                ("/v1/extract", {"url": 7}, free),
                ("/v1/tools/web_search", HITS, free),
                ("/v1/tools/web_search", {"query": 7}, free),
                ("/v1/tools/web_fetch", {"url": f"{base}/a"}, free),
                ("/v1/tools/web_fetch", {"url": "nonsense"}, free),
                ("/v1/tools/web_extract", {"url": f"{base}/a"}, free),
                ("/v1/fetch", {"url": "https://never.example/"}, bound),
                ("/v1/search", HITS, bound),
                ("/v1/search", HITS, bound),
                ("/v1/tools/web_search", HITS, bound),
            ]
            answers = [await served.ask(path, body, token=token) for path, body, token in asked]
            kept = entries(served)
    assert [(one.outcome, one.code) for one in kept] == [how(one) for one in answers]
    routes = [f"/v1/tools/{one.tool}" if one.tool else f"/v1/{one.capability}" for one in kept]
    assert routes == [path for path, _, _ in asked]
    ruled = [(one.permission, one.rule) for one in kept if one.tenant == "bound"]
    assert ruled == [("denied", "deny_hosts"), ("allowed", None), ("denied", "rate"), ("denied", "rate")]
    assert {one.permission for one in kept if one.outcome == "ok"} == {"allowed"}


@pytest.mark.req("usage:gateway:equal")
async def test_what_never_reaches_a_desk_is_no_entry(shell: Shell) -> None:
    async with serving(shell) as served:
        token = served.token("one")
        for path, body, headers in (
            ("/v1/search", HITS, {}),
            ("/v1/search", b"{", {"Authorization": f"Bearer {token}"}),
            ("/v1/search", [], {"Authorization": f"Bearer {token}"}),
            ("/v1/search", HITS, {"Authorization": f"Bearer {token}", "Webseam-Timeout": "-1"}),
            ("/v1/search", HITS, {"Authorization": f"Bearer {token}", "Host": "evil.test"}),
            ("/v1/tools/other", HITS, {"Authorization": f"Bearer {token}"}),
            ("/v1/search?a", HITS, {"Authorization": f"Bearer {token}"}),
        ):
            assert (await served.ask(path, body, **headers)).status >= 400
        for path in ("/v1/activity", "/v1/providers", "/v1/policy", "/v1/console", "/v1/tools"):
            assert (await served.ask(path, token=token)).status == 200
        assert (await served.ask("/v1/usage", {}, token=token)).status == 200
        assert entries(served) == []


@pytest.mark.req("usage:gateway:equal")
async def test_a_call_that_finds_no_place_is_an_entry_on_every_route(shell: Shell) -> None:
    async with serving(shell) as served, Client(f"http://127.0.0.1:{served.port}/mcp") as client:
        assert served.app is not None
        served.app.house.places._most_each = 0
        for path, body in (
            ("/v1/search", HITS),
            ("/v1/fetch", {"url": "https://a.test/"}),
            ("/v1/extract", {"url": "https://a.test/"}),
            ("/v1/tools/web_search", HITS),
        ):
            assert (await served.ask(path, body)).code == "GATEWAY_BUSY"
        assert (await client.call_tool("web_search", HITS)).is_error
        kept = entries(served)
    assert {(one.outcome, one.code, one.permission) for one in kept} == {("failed", "GATEWAY_BUSY", None)}
    assert Counter((one.tool, one.capability) for one in kept) == {
        (None, "search"): 1,
        (None, "fetch"): 1,
        (None, "extract"): 1,
        ("web_search", "search"): 2,
    }


@pytest.mark.req("usage:gateway:equal")
async def test_a_call_whose_client_left_is_one_entry_that_says_so(shell: Shell) -> None:
    asked, free = threading.Event(), threading.Event()

    def slow(_path: str) -> Answer:
        asked.set()
        free.wait(20)
        return 200, {}, b"late"

    with site(slow) as base:
        async with serving(shell) as served:
            call = asyncio.create_task(served.ask("/v1/fetch", {"url": base}))
            await asyncio.to_thread(asked.wait, 10)
            call.cancel()
            await asyncio.wait([call])
            async with asyncio.timeout(20):
                while not entries(served):  # noqa: ASYNC110 - until the gateway has noticed
                    await asyncio.sleep(0)
            free.set()
            (only,) = entries(served)
    assert (only.outcome, only.code, only.dispatched) == ("cancelled", "cancelled", True)


@pytest.mark.req("usage:gateway:cache")
async def test_an_entry_tells_where_the_page_came_from_on_every_route(shell: Shell) -> None:
    with site(page) as base:
        async with serving(shell, CACHED) as served, Client(f"http://127.0.0.1:{served.port}/mcp") as client:
            for _ in range(2):
                await served.ask("/v1/fetch", {"url": f"{base}/a"})
            await served.ask("/v1/tools/web_fetch", {"url": f"{base}/a"})
            await served.ask("/v1/tools/web_fetch", {"url": f"{base}/b"})
            await client.call_tool("web_fetch", {"url": f"{base}/a", "offset": 0})
            told = [(one.tool, one.cache, one.dispatched, one.bytes) for one in entries(served)]
    assert told[:4] == [
        (None, None, True, 7),
        (None, "fresh", False, 0),
        ("web_fetch", "fresh", False, 0),
        ("web_fetch", None, True, 7),
    ]
    assert told[4][:3] == ("web_fetch", "fresh", False)


@pytest.mark.req("usage:gateway:serve")
async def test_serve_keeps_a_record_that_usage_tells_without_any_setting(shell: Shell) -> None:
    with spawned(shell) as (process, served):
        assert (await served.ask("/v1/console")).json["ledger"] == "file"
        await served.ask("/v1/search", HITS)
        told = (await served.ask("/v1/usage", {"hours": 1})).json
        assert told["source"] == "ledger"
        terminate(process)
        assert await asyncio.to_thread(process.wait, 20) == 0
    shown = (await asyncio.to_thread(shell.run, "usage", "--json")).json
    assert (shown["whole"]["calls"], shown["rows"][0]["key"]) == (1, "odd")


@pytest.mark.req("usage:gateway:serve")
async def test_serve_keeps_none_where_that_is_off(shell: Shell) -> None:
    with spawned(shell, config=CONFIG + '[ledger]\nkeep = "off"\n') as (_, served):
        assert (await served.ask("/v1/console")).json["ledger"] == "off"
        await served.ask("/v1/search", HITS)
        assert (await served.ask("/v1/usage", {})).json["source"] == "memory"
        assert len((await served.ask("/v1/activity")).json["records"]) == 1
    assert not list(shell.desk.load().places.data.glob("ledger*"))
