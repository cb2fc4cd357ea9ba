"""What a gateway holds in memory is bounded, however long it runs and however many tokens come and go."""

import asyncio
import tracemalloc
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

import webseam.tools.toolset
from support.cli import Shell
from support.gateway import Served, serving
from support.mcp import HELLO
from webseam.core.call import Call
from webseam.core.limits import MCP_SESSION_SECONDS, RUN_URL_BYTES, RUN_URLS
from webseam.core.tape import Asked
from webseam.core.web import Web
from webseam.surfaces.gateway import house
from webseam.surfaces.gateway.bounds import forget_oldest
from webseam.surfaces.gateway.problems import GatewayCode, Problem
from webseam.surfaces.gateway.sessions import Sessions
from webseam.tools.run import Run
from webseam.tools.toolset import Toolset
from webseam.wiring.inside import Inside, Live
from webseam.wiring.tenants import Policy

ACCEPT = {"Accept": "application/json, text/event-stream"}
HITS = {"query": "hits"}


# Calls -------------------------------------------------------------------------------------------------


async def straight(_asked: Asked, live: Live, call: Call) -> object:
    """A layer that asks on, as a cache does that holds nothing."""
    return await live(call)


@pytest.mark.req("gateway:memory:tools")
async def test_a_thousand_different_tool_calls_leave_nothing_behind() -> None:
    tools = Toolset(Web(tape=Inside(None, [straight])))  # as a gateway has it: caches, and no recording

    async def many(first: int) -> None:
        for number in range(first, first + 1_000):
            await tools.call("web_search", {"query": f"kelp {number}"})

    only = tracemalloc.Filter(inclusive=True, filename_pattern=webseam.tools.toolset.__file__)
    tracemalloc.start()
    try:
        await many(0)
        before = _bytes(only)
        await many(1_000)
        assert _bytes(only) - before < 20_000  # a name for each of them would be 120,000
    finally:
        tracemalloc.stop()


def _bytes(only: tracemalloc.Filter) -> int:
    taken = tracemalloc.take_snapshot().filter_traces([only])
    return sum(one.size for one in taken.statistics("filename"))


# URLs --------------------------------------------------------------------------------------------------


@pytest.mark.req("gateway:memory:runs")
@given(st.lists(st.tuples(st.sampled_from(["found", "read", "saw_url"]), st.integers(0, 9))))
def test_a_run_counts_what_it_remembers_and_forgets_all_of_it(steps: list[tuple[str, int]]) -> None:
    run, kept = Run(), set()
    for kind, number in steps:
        url = f"https://kelp.example/{number}"
        if kind == "saw_url":
            run.saw_url(url)
        else:
            (run.found if kind == "found" else run.read)([url])
        kept |= {(kind, url)} | ({("found", url)} if kind == "read" else set())
    assert run.held == sum(len(url) + RUN_URL_BYTES for _, url in kept)
    run.forget()
    assert run.held == 0
    assert not any(run.has_seen(url) or run.has_read(url) for _, url in kept)


@pytest.mark.req("gateway:memory:runs")
def test_urls_that_a_run_forgets_by_itself_count_no_more() -> None:
    run = Run()
    urls = [f"https://kelp.example/{number:06}" for number in range(RUN_URLS + 10)]
    run.found(urls)
    assert run.held == RUN_URLS * (len(urls[0]) + RUN_URL_BYTES)


@pytest.mark.req("gateway:memory:runs")
def test_the_first_runs_forget_until_all_are_within_the_bound() -> None:
    runs = [Run() for _ in range(3)]
    for run in runs:
        run.found(["https://kelp.example/"])
        run.allow("https://kelp.example")
        run.take()
    each = runs[0].held
    forget_oldest(runs, 3 * each)
    assert [one.held for one in runs] == [each] * 3
    forget_oldest(runs, 2 * each)
    assert [one.held for one in runs] == [0, each, each]
    forget_oldest(iter(runs), 0)
    assert [one.held for one in runs] == [0] * 3
    assert runs[0].allows("https://kelp.example"), "what a person allowed stays"
    assert runs[0].calls == 1


@pytest.mark.req("gateway:memory:runs")
async def test_the_token_that_rested_longest_forgets_first(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(shell) as served:
        assert served.app is not None
        tokens = [served.token("one"), served.token("two")]
        for token in tokens:
            assert (await served.ask("/v1/search", HITS, token=token)).status == 200
        holders = [holder for token in tokens if (holder := served.book.holder(token)) is not None]
        one, two = (served.app.house.desk(holder).run for holder in holders)
        assert one.held == two.held > 0
        monkeypatch.setattr(forget_oldest, "__defaults__", (two.held,))
        monkeypatch.setattr(house, "GATEWAY_RUNS_LOOK", 5)
        assert (await served.ask("/v1/policy", token=tokens[1])).status == 200
        assert (one.held, two.held > 0) == (0, True)


# Tenants -----------------------------------------------------------------------------------------------


@pytest.mark.req("gateway:memory:tenants")
async def test_the_counts_of_a_tenant_go_with_its_last_token(shell: Shell) -> None:
    async with serving(shell) as served:
        admin, kelp = served.token("ops", Policy(admin=True)), served.token("kelp")
        other = served.token("kelp")
        for token in (kelp, other):
            assert (await served.ask("/v1/search", HITS, token=token)).status == 200
        assert (await served.ask("/v1/search", HITS)).code == "GATEWAY_UNAUTHORIZED"
        first, second = (one.id for one in served.book.tokens() if one.tenant == "kelp")
        served.book.revoke(first)
        assert b'tenant="kelp"' in (await served.ask("/metrics", token=admin)).body
        served.book.revoke(second)
        told = (await served.ask("/metrics", token=admin)).body
        assert b'tenant="kelp"' not in told
        assert b'tenant="ops"' in told
        assert b'route="/v1/search",status="401",tenant=""' in told, "requests of nobody stay counted"


# Sessions ----------------------------------------------------------------------------------------------


@pytest.mark.req("gateway:memory:sessions")
async def test_sessions_are_counted_from_their_first_answer_to_their_end(shell: Shell) -> None:
    async with serving(shell) as served:
        assert served.app is not None
        sessions = served.app.house.sessions
        one, two = served.token("one"), served.token("two")
        mine = [await opened(served, token) for token in (one, one, two)]
        assert sessions.held == 3
        assert (await served.ask("/mcp", HELLO[1], token=one, **ACCEPT, Mcp_Session_Id="guessed")).status == 404
        refused = await served.ask("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, token=one, **ACCEPT)
        assert refused.status == 400, "it opens none"
        assert sessions.held == 3
        assert (await served.ask("/mcp", method="DELETE", token=one, Mcp_Session_Id=mine[0])).status == 200
        assert sessions.held == 2
        number = next(token.id for token in served.book.tokens() if token.tenant == "one")
        served.book.revoke(number)
        assert (await served.ask("/v1/policy", token=two)).status == 200
        async with asyncio.timeout(20):
            while sessions.held > 1:  # noqa: ASYNC110 - the room ends behind this request
                await asyncio.sleep(0)


async def opened(served: Served, token: str) -> str:
    """The id of a new session."""
    return (await served.ask("/mcp", HELLO[0], token=token, **ACCEPT)).headers["mcp-session-id"]


@dataclass(slots=True)
class Transport:
    """Answers as the SDK's does: a request without a session opens one, one with a session that it has goes on."""

    known: set[str] = field(default_factory=set)
    held_up: asyncio.Event = field(default_factory=asyncio.Event)
    status: int = 200

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        number = dict(scope["headers"]).get(b"mcp-session-id", b"").decode()
        fields = []
        if not number and self.status == 200:
            number = f"session-{len(self.known)}"
            self.known.add(number)
            fields = [(b"mcp-session-id", number.encode())]
        status = self.status if number in self.known or not number else 404
        await send({"type": "http.response.start", "status": status, "headers": fields})
        if scope["path"] == "/held":
            await self.held_up.wait()
        await send({"type": "http.response.body", "body": b""})


@dataclass(slots=True)
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


async def ask(
    sessions: Sessions, app: Transport, *, tenant: str = "one", path: str = "/mcp", method: str = "POST", **named: str
) -> int:
    """The status of an answer."""
    heads: list[int] = []

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            heads.append(message["status"])

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    fields = [(name.replace("_", "-").encode(), value.encode()) for name, value in named.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": fields}
    await sessions.answer(app, scope, receive, send, token=f"token of {tenant}", tenant=tenant)
    return heads[0]


async def is_refused(sessions: Sessions, app: Transport, tenant: str = "one") -> bool:
    """Whether a session too many is refused, and leaves nothing behind."""
    held = sessions.held
    with pytest.raises(Problem) as caught:
        await ask(sessions, app, tenant=tenant)
    assert caught.value.code == GatewayCode.BUSY
    return sessions.held == held


@pytest.mark.req("gateway:memory:sessions")
async def test_no_session_too_many_is_opened_for_a_tenant_or_for_all() -> None:
    sessions, app = Sessions(most=3, most_each=2), Transport()
    for tenant in ("one", "one", "two"):
        assert await ask(sessions, app, tenant=tenant) == 200
    for tenant in ("one", "two", "three"):
        assert await is_refused(sessions, app, tenant)
    assert await ask(sessions, app, mcp_session_id="session-0") == 200, "those that are open go on"
    assert await ask(sessions, app, mcp_protocol_version="2026-07-28") == 200, "it opens none"
    assert await ask(sessions, app, method="DELETE", mcp_session_id="session-0") == 200
    assert await ask(sessions, app, tenant="two") == 200
    sessions.left("token of two")
    assert sessions.held == 1


@pytest.mark.req("gateway:memory:sessions")
async def test_sessions_that_begin_at_once_are_counted_before_they_are_open() -> None:
    sessions, app = Sessions(most=1, most_each=1), Transport(status=400)
    assert await ask(sessions, app) == 400
    assert sessions.held == 0, "one that was refused is none"
    app.status = 200
    first = asyncio.create_task(ask(sessions, app, path="/held"))
    await asyncio.sleep(0)
    assert sessions.held == 1
    assert await is_refused(sessions, app)
    app.held_up.set()
    assert await first == 200
    assert sessions.held == 1


@pytest.mark.req("gateway:memory:sessions")
async def test_a_session_that_rested_as_long_as_it_may_makes_room_and_one_in_use_does_not() -> None:
    clock = Clock()
    sessions, app = Sessions(most=1, most_each=1, clock=clock), Transport()
    assert await ask(sessions, app) == 200
    stream = asyncio.create_task(ask(sessions, app, path="/held", method="GET", mcp_session_id="session-0"))
    await asyncio.sleep(0)
    clock.now = 2 * MCP_SESSION_SECONDS
    assert await is_refused(sessions, app)
    app.held_up.set()
    assert await stream == 200
    clock.now += MCP_SESSION_SECONDS - 1
    assert await is_refused(sessions, app)
    clock.now += 1
    assert await ask(sessions, app) == 200
    assert sessions.held == 1


@pytest.mark.req("gateway:memory:sessions")
async def test_a_session_that_the_transport_does_not_know_any_more_makes_room() -> None:
    sessions, app = Sessions(most=1, most_each=1), Transport()
    assert await ask(sessions, app) == 200
    app.known.clear()
    assert await ask(sessions, app, mcp_session_id="session-0") == 404
    assert sessions.held == 0
