"""Nothing of one tenant is visible to another: the tests try."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest
from mcp import Client

from support.cli import Answer, Shell, site
from support.gateway import CONFIG, Served, serving
from support.mcp import HELLO
from webseam.core.errors import Code
from webseam.wiring.tenants import Policy

LONG = ("<p>" + "word " * 20_000).encode()
CACHED = CONFIG.replace("[fetch]\n", '[fetch]\ncache = "memory"\n')


class Origin:
    """A site that counts."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, path: str) -> Answer:
        self.asked[path] += 1
        headers = {"Cache-Control": "max-age=600"}
        return 200, headers, LONG if path == "/long" else f"<p>page {path} {self.asked[path]}".encode()


@pytest.mark.req("gateway:tenants:cache")
async def test_a_page_that_one_tenant_read_is_fetched_anew_for_another(shell: Shell) -> None:
    origin = Origin()
    with site(origin) as base:
        async with serving(shell, CACHED) as served:
            one, two = served.token("one"), served.token("two")
            also_one = served.token("one")
            first = await served.ask("/v1/fetch", {"url": f"{base}/a"}, token=one)
            again = await served.ask("/v1/fetch", {"url": f"{base}/a"}, token=also_one)
            assert again.json["cache"]["age"] >= 0
            assert again.json["body"] == first.json["body"]
            other = await served.ask("/v1/fetch", {"url": f"{base}/a"}, token=two)
            assert "cache" not in other.json
            assert origin.asked["/a"] == 2


@pytest.mark.req("gateway:tenants:cache")
async def test_an_answer_to_a_search_is_not_another_tenant_s(shell: Shell) -> None:
    config = CONFIG.replace('provider = "odd"', 'provider = "odd"\ncache = "memory"')
    async with serving(shell, config) as served:
        one, two = served.token("one"), served.token("two")
        for token, kept in ((one, False), (one, True), (two, False)):
            got = await served.ask("/v1/search", {"query": "hits"}, token=token)
            assert ("cache" in got.json) is kept


@pytest.mark.req("gateway:tenants:snapshots")
async def test_a_page_is_read_on_only_by_the_token_that_began_it(shell: Shell) -> None:
    origin = Origin()
    with site(origin) as base:
        async with serving(shell) as served:
            one, two = served.token("one"), served.token("one")
            first = await _fetched(served, one, f"{base}/long")
            onward = first["view"]["next_offset"]
            await _fetched(served, one, f"{base}/long", offset=onward)
            assert origin.asked["/long"] == 1
            other = await _fetched(served, two, f"{base}/long", offset=onward)
            assert origin.asked["/long"] == 2
            assert other["fetched_again"]
            assert "changed" not in other, "nobody is told what another token had read"


async def _fetched(served: Served, token: str, url: str, **more: Any) -> Any:
    got = await served.ask("/v1/tools/web_fetch", {"url": url, **more}, token=token)
    return got.json["structured"]


@pytest.mark.req("gateway:tenants:run")
async def test_a_url_that_one_token_has_seen_is_unseen_by_another(shell: Shell) -> None:
    with site(lambda _path: (200, {}, b"<p>text <a href='/linked'>on</a>")) as base:
        async with serving(shell) as served:
            policy = Policy(unseen="deny")
            one, two = served.token("one", policy), served.token("two", policy)
            assert (await served.ask("/v1/search", {"query": "hits"}, token=one)).status == 200
            for token, allowed in ((one, True), (two, False)):
                got = await served.ask("/v1/fetch", {"url": "https://a.test/"}, token=token)
                assert (got.code != Code.DENIED) is allowed
            assert (await served.ask("/v1/fetch", {"url": f"{base}/"}, token=one)).code == Code.DENIED


@pytest.mark.req("gateway:tenants:providers")
async def test_a_tenant_has_only_the_providers_that_it_may_use(shell: Shell) -> None:
    config = CONFIG.replace('provider = "odd"', 'route = ["odd", "picky"]')
    async with serving(shell, config) as served:
        picky = served.token("picky", Policy(providers=("picky", "http")))
        nobody = served.token("nobody", Policy(providers=("http",)))
        both = served.token("both")
        assert (await served.ask("/v1/search", {"query": "hits"}, token=picky)).json["provider"] == "picky"
        assert (await served.ask("/v1/search", {"query": "hits"}, token=both)).json["provider"] == "odd"
        none = await served.ask("/v1/search", {"query": "hits"}, token=nobody)
        assert none.code == Code.PROVIDER_UNAVAILABLE
        assert "odd" not in none.body.decode()
        assert "picky" not in none.body.decode()


@pytest.mark.req("gateway:tenants:hosts")
async def test_a_tenant_s_hosts_hold_beside_those_of_the_configuration(shell: Shell) -> None:
    config = CONFIG + '[permission]\ndeny_hosts = ["denied.test"]\n'
    with site(lambda _path: (200, {}, b"<p>text")) as base:
        async with serving(shell, config) as served:
            free = served.token("free")
            here = served.token("here", Policy(allow_hosts=("127.0.0.1",)))
            elsewhere = served.token("elsewhere", Policy(allow_hosts=("docs.test",)))
            assert (await served.ask("/v1/fetch", {"url": base}, token=free)).status == 200
            assert (await served.ask("/v1/fetch", {"url": base}, token=here)).status == 200
            for path in ("/v1/fetch", "/v1/extract"):
                assert (await served.ask(path, {"url": base}, token=elsewhere)).code == Code.DENIED
            tool = await served.ask("/v1/tools/web_fetch", {"url": base}, token=elsewhere)
            assert tool.json["error"]["code"] == Code.DENIED
            for token in (free, here):
                assert (await served.ask("/v1/fetch", {"url": "http://denied.test/"}, token=token)).code == Code.DENIED


@pytest.mark.req("gateway:tenants:hosts")
async def test_what_must_be_asked_is_denied_where_nobody_can_be_asked(shell: Shell) -> None:
    async with serving(shell) as served:
        token = served.token("one", Policy(search="ask"))
        got = await served.ask("/v1/search", {"query": "hits"}, token=token)
        assert (got.status, got.code) == (403, Code.DENIED)
        assert "nobody can be asked here" in got.json["detail"]


@pytest.mark.req("gateway:tenants:live")
async def test_a_policy_that_changes_holds_at_once_and_the_run_goes_on(shell: Shell) -> None:
    async with serving(shell) as served:
        token = served.token("one")
        await served.ask("/v1/search", {"query": "hits"}, token=token)
        served.token("one", Policy(unseen="deny", search="deny"))
        assert (await served.ask("/v1/search", {"query": "hits"}, token=token)).code == Code.DENIED
        seen = await served.ask("/v1/fetch", {"url": "https://a.test/"}, token=token)
        assert seen.code != Code.DENIED, "the run remembers what it saw before"


@pytest.mark.req("gateway:tenants:live")
async def test_a_token_that_is_revoked_or_over_is_refused_at_once(shell: Shell) -> None:
    moment = [1_000_000.0]
    async with serving(shell, now=lambda: moment[0]) as served:
        book = served.app.house.book if served.app is not None else served.book
        served.token("other")
        kept, text = book.create("one", None, days=1)
        assert (await served.ask("/v1/search", {"query": "hits"}, token=text)).status == 200
        moment[0] += 86_401
        assert (await served.ask("/v1/search", {"query": "hits"}, token=text)).status == 401
        _, fresh = book.create("one", None)
        assert (await served.ask("/v1/search", {"query": "hits"}, token=fresh)).status == 200
        book.revoke("one")
        assert (await served.ask("/v1/search", {"query": "hits"}, token=fresh)).status == 401
        assert kept.id not in {one.id for one in served.book.tokens()}


@pytest.mark.req("gateway:tenants:live")
async def test_no_request_that_is_sent_after_a_revocation_is_answered_however_many_come_at_once(shell: Shell) -> None:
    gone = asyncio.Event()

    async def ask_on(served: Served, token: str) -> list[tuple[bool, int]]:
        """Ask without a pause until some requests were sent after it; for each whether it was, and its status."""
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        told: list[tuple[bool, int]] = []
        while sum(late for late, _ in told) < 20:
            late = gone.is_set()
            writer.write(
                f"HEAD /v1/tools HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
            )
            told.append((late, int((await reader.readuntil(b"\r\n\r\n")).split()[1])))
        writer.close()
        return told

    async with serving(shell) as served:
        token = served.token("one")
        asking = [asyncio.create_task(ask_on(served, token)) for _ in range(32)]
        async with asyncio.timeout(60):
            while len(served.log) < 200:  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0)
            await asyncio.to_thread(served.book.revoke, "one")  # as another process would: what is shared is the file
            gone.set()
            answers = [one for told in await asyncio.gather(*asking) for one in told]
    assert {status for late, status in answers if late} == {401}
    assert 200 in {status for late, status in answers if not late}


# MCP -----------------------------------------------------------------------------------------------------


@pytest.mark.req("gateway:tenants:mcp")
async def test_a_session_of_one_token_is_not_there_for_another(shell: Shell) -> None:
    async with serving(shell) as served:
        one, two, same = served.token("one"), served.token("two"), served.token("one")
        accept = {"Accept": "application/json, text/event-stream"}
        begun = await served.ask("/mcp", HELLO[0], token=one, **accept)
        session = begun.headers["mcp-session-id"]
        listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
        for token, status in ((one, 200), (two, 404), (same, 404)):
            more = {**accept, "Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25"}
            assert (await served.ask("/mcp", listed, token=token, **more)).status == status
        gone = await served.ask("/mcp", method="DELETE", token=two, Mcp_Session_Id=session)
        assert gone.status == 404
        served.book.revoke("one")
        over = await served.ask("/mcp", listed, token=one, **accept, Mcp_Session_Id=session)
        assert over.status == 401


# Metrics -------------------------------------------------------------------------------------------------


@pytest.mark.req("gateway:metrics")
async def test_metrics_tell_of_tenants_to_an_operator_alone(shell: Shell) -> None:
    async with serving(shell) as served:
        one, admin = served.token("one"), served.token("ops", Policy(admin=True))
        await served.ask("/v1/search", {"query": "hits"}, token=one)
        await served.ask("/v1/search", {"query": str(Code.UPSTREAM_FAILED)}, token=one)
        whole = (await served.ask("/metrics", token=admin)).body.decode()
        told = 'capability="search",code="WEB_UPSTREAM_FAILED",outcome="failed",provider="odd",tenant="one"} 1.0'
        assert told in whole
        assert 'webseam_requests_total{route="/v1/search",status="200",tenant="one"} 1.0' in whole
        plain = await served.ask("/metrics", token=one)
        assert plain.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert "tenant" not in plain.body.decode()
        assert "webseam_build_info" in plain.body.decode()
        assert not [line for line in plain.body.decode().splitlines() if "webseam_re" in line or "tries" in line]


@pytest.mark.req("gateway:metrics")
async def test_metrics_hold_no_query_and_no_url(shell: Shell) -> None:
    async with serving(shell) as served:
        await served.ask("/v1/search", {"query": "a private matter"})
        await served.ask("/v1/fetch", {"url": "https://private.test/"})
        await served.ask("/private/path")
        assert "private" not in (await served.ask("/metrics")).body.decode()


@pytest.mark.req("gateway:tenants:mcp")
@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_the_sdk_s_client_is_served_in_both_eras(shell: Shell, era: str) -> None:
    with site(lambda _path: (200, {}, b"<p>Kelp grows.")) as base:
        async with serving(shell) as served, Client(f"http://127.0.0.1:{served.port}/mcp", mode=era) as client:
            tools = await client.list_tools()
            assert [one.name for one in tools.tools] == ["web_search", "web_fetch", "web_extract"]
            page = await client.call_tool("web_fetch", {"url": f"{base}/"})
            assert "Kelp grows." in json.dumps(page.structured_content)
            wrong = await client.call_tool("web_fetch", {"url": "ftp://a.test/"})
            assert wrong.is_error


@pytest.mark.req("gateway:tenants:live")
async def test_an_mcp_call_that_runs_while_the_policy_changes_is_answered(shell: Shell) -> None:
    arrived, free = asyncio.Event(), asyncio.Event()

    async def page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        arrived.set()
        await free.wait()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n<p>Kelp grows.")
        writer.close()

    origin = await asyncio.start_server(page, "127.0.0.1", 0)
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
    url = f"http://127.0.0.1:{origin.sockets[0].getsockname()[1]}/"
    call |= {"params": {"name": "web_fetch", "arguments": {"url": url}}}
    accept = {"Accept": "application/json, text/event-stream"}
    async with origin, serving(shell) as served:
        token = served.token("one")
        session = (await served.ask("/mcp", HELLO[0], token=token, **accept)).headers["mcp-session-id"]
        more = {**accept, "Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25"}
        running = asyncio.create_task(served.ask("/mcp", call, token=token, **more))
        await arrived.wait()
        served.token("one", Policy(search="deny"))
        assert (await served.ask("/mcp", call, token=token, **more)).status == 404, "sessions end with the old policy"
        free.set()
        assert "Kelp grows." in (await running).body.decode()
