"""Recent and live calls: bounded, of one's own tenant alone, for as long as the token holds (issue 7.5)."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from support.activity import STREAM, Live, live
from support.cli import Shell
from support.gateway import CONFIG, Served, read_answer, serving, spawned, terminate
from webseam.core.limits import ACTIVITY_SHOWN, ACTIVITY_TENANT_STREAMS
from webseam.wiring.tenants import Policy

HITS = {"query": "hits"}


async def search(served: Served, token: str = "", times: int = 1) -> None:
    for _ in range(times):
        await served.ask("/v1/search", HITS, token=token)


async def recent(served: Served, token: str = "") -> Any:
    return (await served.ask("/v1/activity", token=token)).json


@pytest.mark.req("looks:activity")
async def test_recent_calls_are_told_without_a_record_of_calls_the_newest_first(shell: Shell) -> None:
    async with serving(shell) as served:
        await search(served)
        await served.ask("/v1/tools/web_search", HITS)
        await served.ask("/v1/search", {"query": "other"})
        told = await recent(served)
    assert told["missed"] == 0
    last, tool, first = told["records"]
    assert (tool["tool"], "tool" in first, last["outcome"]) == ("web_search", False, "failed")
    assert first["at"] <= tool["at"] <= last["at"]
    assert (first["provider"], first["capability"], first["tenant"]) == ("odd", "search", "local")
    assert first["attempts"][0]["provider"] == "odd"
    assert not {"target", "run"} & {name for one in told["records"] for name in one}
    assert "hits" not in str(told)


@pytest.mark.req("looks:activity:text")
async def test_queries_are_told_where_they_are_kept(shell: Shell) -> None:
    async with serving(shell, CONFIG + "[ledger]\ntext = true\n") as served:
        await search(served)
        assert (await recent(served))["records"][0]["target"] == "hits"


@pytest.mark.req("looks:activity:live")
async def test_a_call_is_told_as_it_ends_with_its_id(shell: Shell) -> None:
    async with serving(shell) as served, live(served) as stream:
        assert stream.status == 200
        assert "content-type: text/event-stream" in stream.head
        assert "cache-control: no-store" in stream.head
        assert await stream.comment() == ": ", "a sign of life at once, so that a proxy sends the head on"
        await search(served)
        event = await stream.event()
        assert event is not None
        assert (event.name, event.id) == ("call", event.data["id"])
        assert [event.data] == (await recent(served))["records"]


@pytest.mark.req("looks:activity:tenants")
async def test_each_tenant_sees_its_own_calls_alone_and_an_admin_those_of_all(shell: Shell) -> None:
    async with serving(shell) as served:
        one, two, ops = served.token("one"), served.token("two"), served.token("ops", Policy(admin=True))
        async with live(served, one) as mine, live(served, two) as theirs, live(served, ops) as whole:
            await search(served, one)
            await search(served, two)
            (own,), (other,) = await mine.records(1), await theirs.records(1)
            every = await whole.records(2)
        assert own["id"] != other["id"]
        assert "tenant" not in own
        assert [(record["id"], record["tenant"]) for record in every] == [(own["id"], "one"), (other["id"], "two")]
        assert [record["id"] for record in (await recent(served, one))["records"]] == [own["id"]]
        assert [record["id"] for record in (await recent(served, two))["records"]] == [other["id"]]
        assert [record["id"] for record in (await recent(served, ops))["records"]] == [other["id"], own["id"]]


@pytest.mark.req("looks:activity:resume")
async def test_a_reader_that_comes_back_gets_what_it_missed_and_nothing_of_others(shell: Shell) -> None:
    async with serving(shell) as served:
        one, two = served.token("one"), served.token("two")
        await search(served, one, 3)
        await search(served, two)
        third, second, first = (record["id"] for record in (await recent(served, one))["records"])
        async with live(served, one, Last_Event_ID=first) as stream:
            assert [record["id"] for record in await stream.records(2)] == [second, third]
        for unknown in ("nonsense", (await recent(served, two))["records"][0]["id"]):
            async with live(served, one, Last_Event_ID=unknown) as stream:
                await search(served, one)
                assert (await stream.records(1))[0]["id"] == (await recent(served, one))["records"][0]["id"]


@pytest.mark.req("looks:activity:resume")
async def test_a_reader_that_missed_very_many_gets_the_newest_and_is_told_how_many(
    shell: Shell,
) -> None:
    async with serving(shell) as served:
        assert served.app is not None
        await search(served)
        first = next(served.app.house.board.recent(None))
        for number in range(ACTIVITY_SHOWN + 7):
            served.app.house.board.add(replace(first, id=f"e{number}"))
        async with live(served, Last_Event_ID=first.id) as stream:
            event = await stream.event()
            assert event is not None
            assert (event.name, event.data) == ("missed", {"missed": 7})
            told = [record["id"] for record in await stream.records(ACTIVITY_SHOWN)]
            assert told == [f"e{number}" for number in range(7, ACTIVITY_SHOWN + 7)]


@pytest.mark.req("looks:activity:revoked")
@pytest.mark.parametrize("how", ["revoked", "policy", "silent"])
async def test_a_stream_ends_with_its_token_or_when_its_policy_changes(shell: Shell, how: str) -> None:
    async with serving(shell) as served:
        token, other = served.token("one"), served.token("one")
        async with live(served, token) as stream:
            await search(served, token)
            assert await stream.records(1)
            if how == "policy":
                served.book.create("one", Policy(deny_hosts=("a.example",)))
            else:
                served.book.revoke(served.book.tokens()[0].id)
            if how != "silent":
                await search(served, other)
            async with asyncio.timeout(20):
                assert await stream.event() is None, "it ended, and told nothing more"


@pytest.mark.req("looks:activity:revoked")
async def test_the_first_token_ends_the_streams_of_an_open_gateway(shell: Shell) -> None:
    async with serving(shell) as served, live(served) as stream:
        served.token("one")
        async with asyncio.timeout(20):
            assert await stream.event() is None


@pytest.mark.req("looks:activity:slow")
@pytest.mark.parametrize(("calls", "pause"), [(1_000, 1_000), (50_000, 100)], ids=["a burst", "an unread socket"])
async def test_a_reader_that_is_too_slow_is_told_how_many_it_missed(shell: Shell, calls: int, pause: int) -> None:
    async with serving(shell) as served, live(served) as stream:
        assert served.app is not None
        board = served.app.house.board
        await search(served)
        assert await stream.records(1)
        entry = next(board.recent(None))
        for number in range(calls):
            board.add(replace(entry, id=f"e{number}"))
            if not number % pause:
                await asyncio.sleep(0)
        seen: list[str] = []
        missed = 0
        while len(seen) + missed < calls:
            event = await stream.event()
            assert event is not None
            seen += [event.id] if event.name == "call" else []
            missed += event.data["missed"] if event.name == "missed" else 0
        assert missed, "so many are not kept for one reader"
        assert seen[-1] == f"e{calls - 1}", "the newest are"
        assert seen == sorted(seen, key=lambda one: int(one[1:]))
        assert (await served.ask("/v1/search", HITS)).status == 200


@pytest.mark.req("looks:activity:bounded")
async def test_streams_of_a_tenant_are_bounded_and_take_no_place_among_the_calls(shell: Shell) -> None:
    async with serving(shell) as served:
        one, two = served.token("one"), served.token("two")
        opened: list[Any] = [live(served, one) for _ in range(ACTIVITY_TENANT_STREAMS)]
        streams: list[Live] = [await stream.__aenter__() for stream in opened]
        assert {stream.status for stream in streams} == {200}
        refused = await served.ask(STREAM, token=one)
        assert (refused.status, refused.code, refused.headers["retry-after"]) == (503, "GATEWAY_BUSY", "1")
        async with live(served, two) as theirs:
            assert theirs.status == 200
        metrics = served.app.house.meters.exposed(whole=True).decode() if served.app else ""
        assert "webseam_calls_running 0.0" in metrics
        await opened[0].__aexit__(None, None, None)
        async with asyncio.timeout(20):
            while (await _status(served, one)) != 200:  # noqa: ASYNC110 - until the gateway has noticed
                await asyncio.sleep(0)
        for stream in opened[1:]:
            await stream.__aexit__(None, None, None)


async def _status(served: Served, token: str) -> int:
    async with live(served, token) as stream:
        return stream.status


@pytest.mark.req("looks:activity:drain")
async def test_a_stream_ends_at_once_when_the_gateway_goes_away(shell: Shell) -> None:
    with spawned(shell) as (process, served):
        async with live(served) as stream:
            assert await stream.comment() == ": "
            terminate(process)
            async with asyncio.timeout(20):
                assert await stream.event() is None
        assert await asyncio.to_thread(process.wait, 20) == 0
        assert process.stderr is not None
        told = process.stderr.read()
    assert "calls still ran" not in told
    assert "Traceback" not in told


@pytest.mark.req("looks:activity:live")
async def test_a_reader_that_leaves_is_no_error_and_head_begins_no_stream(shell: Shell) -> None:
    async with serving(shell) as served:
        head = await served.ask(STREAM, method="HEAD")
        assert (head.status, head.headers["content-type"], head.body) == (200, "text/event-stream", b"")
        assert "content-length" not in head.headers, "a stream has none (RFC 9110 section 8.6)"
        async with live(served):
            pass
        async with asyncio.timeout(20):
            while len(served.log) < 2:  # noqa: ASYNC110 - until the gateway has noticed
                await asyncio.sleep(0)
        assert [(one.route, one.status, one.tenant) for one in served.log] == [(STREAM, 200, "local")] * 2


@pytest.mark.req("looks:activity")
async def test_no_more_are_shown_than_fit_and_the_rest_is_counted(shell: Shell) -> None:
    async with serving(shell) as served:
        assert served.app is not None
        await search(served)
        entry = next(served.app.house.board.recent(None))
        for number in range(ACTIVITY_SHOWN + 6):
            served.app.house.board.add(replace(entry, id=f"e{number}"))
        told = await recent(served)
        assert (len(told["records"]), told["missed"]) == (ACTIVITY_SHOWN, 7)
        assert told["records"][0]["id"] == f"e{ACTIVITY_SHOWN + 5}"


@pytest.mark.req("looks:activity")
@pytest.mark.parametrize("path", ["/v1/console", "/v1/activity", STREAM, "/v1/providers", "/v1/policy"])
async def test_looks_need_the_token_take_no_query_and_no_other_method(shell: Shell, path: str) -> None:
    async with serving(shell, open_here=False) as served:
        assert (await served.ask(path)).code == "GATEWAY_UNAUTHORIZED"
        assert (await served.ask(path, token="wst_" + "a" * 12)).code == "GATEWAY_UNAUTHORIZED"
        token = served.token("one")
        assert (await served.ask(f"{path}?access_token={token}")).code == "GATEWAY_MALFORMED"
        assert (await served.ask(path, {}, token=token)).code == "GATEWAY_METHOD_NOT_ALLOWED"
        assert (await served.ask(path, method="HEAD", token=token)).status == 200


@pytest.mark.req("gateway:log")
async def test_a_probe_writes_a_line_only_when_it_fails(shell: Shell) -> None:
    async with serving(shell) as served:
        for path in ("/healthz", "/readyz"):
            assert (await served.ask(path)).status == 200
        assert served.log == []
        assert served.app is not None
        served.app.house.places.draining = True
        assert (await served.ask("/readyz")).status == 503
        assert [(one.route, one.status, one.code) for one in served.log] == [("/readyz", 503, "GATEWAY_DRAINING")]


@pytest.mark.req("looks:activity:live")
async def test_a_client_that_sends_a_body_or_half_a_request_gets_what_every_other_gets(shell: Shell) -> None:
    async with serving(shell) as served:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(f"GET {STREAM} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert read_answer(head).status == 200
        writer.close()
