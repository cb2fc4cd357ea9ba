"""Two gateways over one server: pages, single flight, takeover, and a server that goes away (issue 7, point 3)."""

import asyncio
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import webseam
from support.fleet import gateway, pages
from support.net import Request, serve
from support.pages import Origin, page, text
from support.redis import StateServer, any_server, free_port, state_server
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.events import CacheFailed, Event
from webseam.core.types import FetchResult, Note
from webseam.stores.server import Server

AWAY = Note(code="shared_state_away")


@pytest.fixture
def state(tmp_path: Path) -> Iterator[StateServer]:
    with state_server(tmp_path, any_server()) as server:
        yield server


class Gated:
    """An origin that answers when told; `stuck` of its first requests never are."""

    def __init__(self, response: bytes, *, stuck: int = 0) -> None:
        self.response = response
        self.stuck = stuck
        self.asked = 0
        self.go = asyncio.Event()
        self.came = asyncio.Queue[int]()

    async def __call__(self, _request: Request, writer: Any) -> None:
        self.asked += 1
        number = self.asked
        self.came.put_nowait(number)
        if number <= self.stuck:
            await asyncio.Event().wait()
        await self.go.wait()
        writer.write(self.response)


# Pages and flights -----------------------------------------------------------------------------------------


@pytest.mark.req("fleet:pages")
async def test_a_page_that_one_gateway_read_is_the_other_s(tmp_path: Path, state: StateServer) -> None:
    origin = Origin({"/": page("one")})
    async with (
        serve(origin.handler()) as server,
        gateway(tmp_path, pages(state)) as one,
        gateway(tmp_path, pages(state)) as two,
        gateway(tmp_path, pages(state, prefix="another")) as stranger,
    ):
        first, second, third = [await web.fetch(server.url) for web in (one, two, stranger)]

    assert (text(first), text(second), text(third)) == ("one", "one", "one")
    assert first.cache is None
    assert second.cache is not None
    assert third.cache is None
    assert len(origin.asked) == 2


@pytest.mark.req("fleet:pages")
async def test_the_public_face_opens_a_fleet(tmp_path: Path, state: StateServer) -> None:
    origin = Origin({"/": page("one")})
    async with serve(origin.handler()) as server:
        for _ in range(2):
            async with webseam.open(config=pages(state), environ={}, cwd=tmp_path) as web:
                await web.fetch(server.url)

    assert len(origin.asked) == 1


@pytest.mark.req("fleet:flight:origin")
async def test_64_fetches_through_two_gateways_reach_the_origin_once(tmp_path: Path, state: StateServer) -> None:
    slow = Gated(page("one"))
    async with (
        serve(slow) as server,
        gateway(tmp_path, pages(state)) as one,
        gateway(tmp_path, pages(state)) as two,
    ):
        calls = [asyncio.create_task((one, two)[at % 2].fetch(server.url)) for at in range(64)]
        await slow.came.get()
        slow.go.set()
        results = await asyncio.gather(*calls)

    assert {text(one) for one in results} == {"one"}
    assert sum(one.cache is None for one in results) == 1
    assert slow.asked == 1


@pytest.mark.req("fleet:flight:unshared")
async def test_a_page_that_cannot_be_kept_is_asked_for_by_each_call(tmp_path: Path, state: StateServer) -> None:
    slow = Gated(page("one", cache="no-store"))
    slow.go.set()
    async with (
        serve(slow) as server,
        gateway(tmp_path, pages(state)) as one,
        gateway(tmp_path, pages(state)) as two,
    ):
        calls = [(one, two)[at % 2].fetch(server.url) for at in range(8)]
        results = await asyncio.gather(*calls)

    assert [one.cache for one in results] == [None] * 8
    assert slow.asked == 8


@pytest.mark.req("fleet:flight:unshared")
async def test_an_origin_that_fails_does_not_make_the_others_wait_in_turn(tmp_path: Path, state: StateServer) -> None:
    closed = f"http://127.0.0.1:{free_port()}/"
    async with gateway(tmp_path, pages(state)) as one, gateway(tmp_path, pages(state)) as two:
        outcomes = await asyncio.gather(*((one, two)[at % 2].fetch(closed) for at in range(8)), return_exceptions=True)

    assert {one.code for one in outcomes if isinstance(one, WebError)} == {Code.PROVIDER_ERROR}
    assert len(outcomes) == 8


@pytest.mark.req("fleet:flight:cancelled")
async def test_a_gateway_that_gives_up_leaves_the_page_to_the_other(tmp_path: Path, state: StateServer) -> None:
    slow = Gated(page("one"), stuck=1)
    slow.go.set()
    async with (
        serve(slow) as server,
        gateway(tmp_path, pages(state)) as one,
        gateway(tmp_path, pages(state)) as two,
    ):
        first = asyncio.create_task(one.fetch(server.url))
        await slow.came.get()
        others = [asyncio.create_task(two.fetch(server.url)) for _ in range(3)]
        gone = asyncio.create_task(two.fetch(server.url))
        first.cancel()
        gone.cancel()
        results = await asyncio.gather(*others)
        await asyncio.wait([first, gone])

    assert {text(one) for one in results} == {"one"}
    assert (first.cancelled(), gone.cancelled()) == (True, True)
    assert slow.asked == 2


@pytest.mark.req("fleet:flight:takeover")
async def test_whoever_waits_keeps_its_own_deadline(tmp_path: Path, state: StateServer) -> None:
    slow = Gated(page("one"))
    async with (
        serve(slow) as server,
        gateway(tmp_path, pages(state)) as one,
        gateway(tmp_path, pages(state)) as two,
    ):
        first = asyncio.create_task(one.fetch(server.url))
        await slow.came.get()
        with pytest.raises(WebError) as caught:
            await two.fetch(server.url, call=Call(deadline=Deadline.after(0.05)))
        slow.go.set()

        assert text(await first) == "one"
    assert (caught.value.code, caught.value.dispatched) == (Code.FETCH_TIMEOUT, False)
    assert slow.asked == 1


_READER = """
import asyncio, sys, webseam
async def main():
    config = {"fleet": {"url": sys.argv[1]}, "fetch": {"cache": "fleet", "private_networks": ["127.0.0.0/8"]}}
    async with webseam.open(config=config, environ={}) as web:
        await web.fetch(sys.argv[2])
asyncio.run(main())
"""


@pytest.mark.req("fleet:flight:takeover")
async def test_when_the_process_that_asks_is_killed_another_takes_over(tmp_path: Path, state: StateServer) -> None:
    slow = Gated(page("one"), stuck=1)
    slow.go.set()
    async with serve(slow) as server, gateway(tmp_path, pages(state)) as web:
        reader = await asyncio.create_subprocess_exec(sys.executable, "-c", _READER, state.url, server.url)
        await slow.came.get()
        calls = [asyncio.create_task(web.fetch(server.url)) for _ in range(5)]
        reader.send_signal(signal.SIGKILL)
        await reader.wait()
        results = await asyncio.gather(*calls)

    assert {text(one) for one in results} == {"one"}
    assert [one.notes for one in results] == [()] * 5
    assert slow.asked == 2


# A server that is away -------------------------------------------------------------------------------------


async def _read(tmp_path: Path, config: dict[str, Any], url: str) -> tuple[FetchResult, list[Event]]:
    events: list[Event] = []
    async with gateway(tmp_path, config, emit=events.append) as web:
        return await web.fetch(url), events


@pytest.mark.req("fleet:away:local")
async def test_a_server_that_is_away_costs_the_page_nothing_but_a_note(tmp_path: Path, state: StateServer) -> None:
    origin = Origin({"/": page("one")})
    state.stop()
    async with serve(origin.handler()) as server:
        result, events = await _read(tmp_path, pages(state), server.url)

    assert (text(result), result.notes) == ("one", (AWAY,))
    failed = [one.reason for one in events if isinstance(one, CacheFailed)]
    assert set(failed) == {"the shared server cannot be reached"}


@pytest.mark.req("fleet:away:refuse")
async def test_where_it_is_to_refuse_the_page_is_not_asked_for(tmp_path: Path, state: StateServer) -> None:
    origin = Origin({"/": page("one")})
    state.stop()
    async with serve(origin.handler()) as server:
        with pytest.raises(WebError) as caught:
            await _read(tmp_path, pages(state, when_away="refuse"), server.url)

    error = caught.value
    assert (error.code, error.retryable, error.dispatched) == (Code.PROVIDER_UNAVAILABLE, True, False)
    assert 'fleet.when_away = "local"' in error.message
    assert "127.0.0.1" not in error.message
    assert origin.asked == []


@pytest.mark.req("fleet:away:back")
@pytest.mark.parametrize("when_away", ["local", "refuse"])
async def test_a_server_that_comes_back_is_used_again(tmp_path: Path, state: StateServer, when_away: str) -> None:
    origin = Origin({"/": page("one"), "/two": page("two")})
    async with (
        serve(origin.handler()) as server,
        gateway(tmp_path, pages(state, when_away=when_away)) as web,
    ):
        await web.fetch(server.url)
        state.stop()
        if when_away == "local":
            assert (await web.fetch(server.url)).notes == (AWAY,)
        else:
            with pytest.raises(WebError):
                await web.fetch(server.url)
        state.start()
        while True:  # a server that failed is left alone for a second
            try:
                again = await web.fetch(server.url)
            except WebError:
                continue
            if again.cache is not None and not again.notes:
                break
    assert text(again) == "one"


@pytest.mark.req("fleet:away:local")
async def test_a_server_that_hangs_ends_within_its_own_time_and_is_then_left_alone(state: StateServer) -> None:
    assert state.process is not None
    shared = Server(state.url, prefix="t", seconds=0.2)
    assert await shared.run("return 7", []) == 7
    state.process.send_signal(signal.SIGSTOP)
    try:
        reasons = []
        for _ in range(3):
            with pytest.raises(Exception, match="in time") as caught:
                await shared.run("return 7", [])
            reasons.append(str(caught.value))
    finally:
        state.process.send_signal(signal.SIGCONT)
    assert set(reasons) == {"the shared server does not answer in time"}
    assert shared.failures == 3
    await shared.aclose()


# Secrets ---------------------------------------------------------------------------------------------------


@pytest.mark.req("fleet:secret")
@pytest.mark.parametrize("when_away", ["local", "refuse"])
async def test_no_password_of_the_url_is_told(tmp_path: Path, when_away: str) -> None:
    origin, told = Origin({"/": page("one")}), list[str]()
    with state_server(tmp_path, any_server(), "--requirepass", "kelp-secret-word") as locked:
        config = pages(locked, when_away=when_away)
        config["fleet"]["url"] = f"redis://somebody:wrong-secret-word@127.0.0.1:{locked.port}"
        async with serve(origin.handler()) as server:
            try:
                result, events = await _read(tmp_path, config, server.url)
                told += [repr(result), repr(events)]
            except WebError as error:
                told += [str(error), repr(error.to_dict())]
            config["fleet"]["url"] = f"redis://:kelp-secret-word@127.0.0.1:{locked.port}"
            assert (await _read(tmp_path, config, server.url))[0].notes == ()
    assert "refuses the user name or password" in "".join(told)
    for word in ("wrong-secret-word", "kelp-secret-word", "somebody", str(locked.port)):
        assert word not in "".join(told).replace(server.url, "").replace(f":{server.port}", "")
    assert "secret" not in repr(Server(config["fleet"]["url"], prefix="p"))
