"""How often a robots.txt is asked for, how long it is kept, and that it never outlives its callers."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import refused, settle
from support.net import PUBLIC, Request, ScriptedResolver, Wire, answer
from support.robots import CLOSED, DISALLOWED, PRIVATE, Clock, Doorman, moved, rules, site
from webseam.core.call import Call
from webseam.core.errors import Code
from webseam.core.limits import (
    RATE_WAIT_SECONDS,
    ROBOTS_FAILED_SECONDS,
    ROBOTS_KEPT,
    ROBOTS_KEPT_CHARS,
    ROBOTS_KEPT_SECONDS,
)
from webseam.core.shared import Rate
from webseam.core.url import Url
from webseam.net.robots import Found, Kept, Robots, _parsed, _stepped
from webseam.net.robots_rules import Rules


@pytest.mark.req("net:robots:kept")
async def test_rules_are_kept_for_a_day_and_no_longer() -> None:
    clock = Clock()
    async with site(PRIVATE, clock=clock) as where:
        await where.code("/a")
        clock.at += ROBOTS_KEPT_SECONDS - 1
        await where.code("/b")
        assert where.asked == ["/robots.txt", "/a", "/b"]
        clock.at += 1
        await where.code("/c")

    assert where.asked == ["/robots.txt", "/a", "/b", "/robots.txt", "/c"]


@pytest.mark.req("net:robots:kept")
async def test_a_failure_is_kept_for_a_minute_only() -> None:
    clock, answers = Clock(), iter([answer(b"", status=503), rules("")])

    async def robots(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(next(answers))

    async with site(robots, clock=clock) as where:
        assert await where.code("/a") == DISALLOWED
        clock.at += ROBOTS_FAILED_SECONDS - 1
        assert await where.code("/a") == DISALLOWED
        clock.at += 1
        assert await where.code("/a") == "ok"

    assert where.asked == ["/robots.txt", "/robots.txt", "/a"]


@pytest.mark.req("net:robots:kept")
async def test_each_authority_has_its_own_file() -> None:
    wire = Wire()
    resolver = ScriptedResolver({"*": [[PUBLIC]]})

    async def robots(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(CLOSED if request.host == "closed.example" else rules(""))

    async with site(robots, resolver=resolver, make_socket=wire.make) as where:
        wire.default = where.server.port
        urls = [
            "http://closed.example/",
            "http://open.example/",
            "http://closed.example:8080/",
            "http://closed.example./",
        ]
        codes = [await where.code(url) for url in urls]

    assert codes == [DISALLOWED, "ok", "ok", DISALLOWED]
    assert where.asked.count("/robots.txt") == 3


class Slow:
    """A robots.txt that is asked for (`asked`) and comes when it may (`come`)."""

    def __init__(self) -> None:
        self.asked, self.come = asyncio.Event(), asyncio.Event()

    async def __call__(self, _request: Request, writer: asyncio.StreamWriter) -> None:
        self.asked.set()
        await self.come.wait()
        writer.write(PRIVATE)


@pytest.mark.req("net:robots:once")
async def test_calls_at_once_share_one_request() -> None:
    slow = Slow()
    async with site(slow) as where:
        works = [asyncio.create_task(where.code(f"/{number}")) for number in range(8)]
        await slow.asked.wait()
        slow.come.set()
        assert await asyncio.gather(*works) == ["ok"] * 8

    assert where.asked.count("/robots.txt") == 1


@pytest.mark.req("net:robots:once")
async def test_a_caller_that_goes_leaves_the_request_to_those_that_wait() -> None:
    slow = Slow()
    async with site(slow) as where:
        first = asyncio.create_task(where.code("/a"))
        await slow.asked.wait()
        second = asyncio.create_task(where.code("/b"))
        await settle()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        slow.come.set()
        assert await second == "ok"

    assert where.asked == ["/robots.txt", "/b"]


@pytest.mark.req("net:robots:once", "net:robots:time")
async def test_the_last_caller_that_goes_ends_the_request_and_the_next_asks_anew() -> None:
    answers = iter([b"", PRIVATE])
    asked = asyncio.Event()

    async def robots(request: Request, writer: asyncio.StreamWriter) -> None:
        asked.set()
        writer.write(next(answers) or b"HTTP/1.1 200 OK\r\n")
        if len(where.asked) == 1:
            await request.gone()

    async with site(robots) as where:
        works = [asyncio.create_task(where.code(f"/{number}")) for number in range(3)]
        await asked.wait()
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        await where.server.closed.wait()
        assert where.server.open == 0
        assert await where.code("/b") == "ok"

    assert where.asked == ["/robots.txt", "/robots.txt", "/b"]


@pytest.mark.req("net:robots:time")
@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nUser-agent"])
async def test_a_robots_txt_that_stalls_ends_with_the_one_deadline_and_its_socket_closes(first: bytes) -> None:
    async def robots(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        await writer.drain()
        await request.gone()

    async with site(robots) as where:
        error = await refused(where.web.fetch(where.server.url + "/a", timeout=0.2))
        await where.server.closed.wait()
        assert where.server.open == 0

    assert error.code == "WEB_FETCH_TIMEOUT"
    assert error.dispatched is False
    assert where.asked == ["/robots.txt"]


@pytest.mark.req("net:robots:time")
async def test_a_robots_txt_that_stalls_while_the_call_has_time_allows_nothing() -> None:
    async def robots(request: Request, _writer: asyncio.StreamWriter) -> None:
        await request.gone()

    async with site(robots) as where:
        provider: Any = dict(where.web._registries.fetch.items())["http"]
        provider._robots = Robots("on", policy=provider._policy, user_agent="webseam/1", seconds=0.1)
        error = await refused(where.web.fetch(where.server.url + "/a"))

    assert error.code == DISALLOWED
    assert "within 0.1 s" in error.message
    assert where.asked == ["/robots.txt"]


@pytest.mark.req("net:robots:kept")
async def test_the_robots_txt_of_one_authority_does_not_stand_in_for_the_one_it_redirects_to() -> None:
    wire = Wire()
    resolver = ScriptedResolver({"*": [[PUBLIC]]})

    async def robots(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(CLOSED if request.host == "www.a.example" else moved("http://www.a.example/robots.txt"))

    async with site(robots, resolver=resolver, make_socket=wire.make) as where:
        wire.default = where.server.port
        assert await where.code("http://a.example/") == DISALLOWED
        assert await where.code("http://a.example/") == DISALLOWED
        assert where.asked == ["/robots.txt", "/robots.txt"]


@pytest.mark.req("net:robots:linear")
async def test_the_event_loop_goes_on_while_a_long_file_is_parsed_and_matched() -> None:
    text = "User-agent: *\n" + "".join(f"Disallow: /*a*a*{number}\n" for number in range(20_000))
    parsing = asyncio.create_task(_parsed(text, "webseam"))
    turns = await _turns_until(parsing)
    rules = await parsing
    matching = asyncio.create_task(_stepped(rules, rules.allows, Url.parse("http://h.example/" + "a" * 2_000)))

    assert turns > 10  # where it stands it would take one
    assert await _turns_until(matching) > 10
    assert await matching is True


async def _turns_until(task: asyncio.Task[Any]) -> int:
    turns = 0
    while not task.done():
        turns += 1
        await asyncio.sleep(0)
    return turns


def _found(chars: int) -> Found:
    return Found(rules=Rules.parse("User-agent: *\n" + "x" * chars, "webseam"), until=1.0)


@pytest.mark.req("net:robots:kept")
def test_the_site_used_longest_ago_goes_first() -> None:
    kept = Kept()
    for number in range(ROBOTS_KEPT):
        kept.put(("http", str(number), 80), Found(until=1.0))
    assert kept.get(("http", "0", 80), 0.0) is not None
    kept.put(("http", "new", 80), Found(until=1.0))

    assert len(kept.found) == ROBOTS_KEPT
    assert kept.get(("http", "1", 80), 0.0) is None
    assert kept.get(("http", "0", 80), 0.0) is not None


@pytest.mark.req("net:robots:kept")
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0, 1, 400_000, 500_000])), max_size=20))
def test_the_length_of_all_kept_rules_is_bounded_and_counted(steps: list[tuple[int, int]]) -> None:
    kept, sizes = Kept(), {size: _found(size) for size in (0, 1, 400_000, 500_000)}
    for host, size in steps:
        kept.put(("http", str(host), 80), sizes[size])
        assert kept.get(("http", str(host), 80), 0.0) is sizes[size]
        assert kept.chars == sum(found.chars for found in kept.found.values()) <= ROBOTS_KEPT_CHARS
        assert kept.get(("http", "0", 80), 1.0) is None


class Busy:
    """The turns of every host: none for a call with little time."""

    rate = Rate(1, 60)

    def __init__(self) -> None:
        self.asked, self.go = asyncio.Event(), asyncio.Event()

    def wait(self) -> float:
        return 60.0

    async def take(self, patience: float) -> float | None:
        self.asked.set()
        await self.go.wait()
        return 0.0 if patience >= RATE_WAIT_SECONDS else None

    def give_back(self, turn: float) -> None: ...

    def pause(self, seconds: float) -> None: ...


@pytest.mark.req("net:robots:own-verdicts")
async def test_who_waits_with_a_call_that_has_no_time_for_a_turn_takes_one_itself() -> None:
    busy = Busy()
    async with site(PRIVATE, host_turns=lambda _host: busy) as where:
        hasty = asyncio.create_task(where.code("/a", timeout=RATE_WAIT_SECONDS - 1))
        await busy.asked.wait()
        others = [asyncio.create_task(where.code(f"/{number}", timeout=60.0)) for number in range(4)]
        await settle()
        busy.go.set()
        assert await hasty == Code.RATE_LIMITED
        assert await asyncio.gather(*others) == ["ok"] * 4

    assert where.asked.count("/robots.txt") == 1


@pytest.mark.req("net:robots:own-verdicts")
async def test_who_waits_with_a_call_whose_gate_refuses_a_hop_asks_its_own_gate() -> None:
    wire, slow = Wire(), Slow()

    async def robots(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.host == "elsewhere.example":
            writer.write(PRIVATE)
            return
        slow.asked.set()
        await slow.come.wait()
        writer.write(moved("http://elsewhere.example/robots.txt"))

    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with site(robots, resolver=resolver, make_socket=wire.make) as where:
        wire.default = where.server.port
        url = "http://a.example/"
        refusing = asyncio.create_task(where.code(url, call=Call(gate=Doorman("elsewhere"))))
        await slow.asked.wait()
        doormen = [Doorman() for _ in range(3)]
        others = [asyncio.create_task(where.code(url, call=Call(gate=one))) for one in doormen]
        await settle()
        slow.come.set()
        assert await refusing == DISALLOWED
        assert await asyncio.gather(*others) == ["ok"] * 3

    asked = [request.host for request in where.server.requests if request.target == "/robots.txt"]
    assert asked == ["a.example", "a.example", "elsewhere.example"]
