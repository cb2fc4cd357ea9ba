"""`fetch.host_rate`: politeness to each host, by one process and by a fleet (issue 7, point 3; R195)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from support.fleet import gateway
from support.net import answer, paths, serve
from support.pages import Origin, page
from support.redis import any_server, free_port, state_server
from support.wiring import Desk
from webseam.core.errors import Code, WebError
from webseam.core.limits import RATED_HOSTS
from webseam.core.shared import Rate
from webseam.wiring.host_rates import HostTurns
from webseam.wiring.rates import Turns


def _polite(rate: str, **sections: Any) -> dict[str, Any]:
    fetch = {"private_networks": ["127.0.0.0/8"], "private_hosts": ["localhost"], "host_rate": rate}
    return {"fetch": fetch | sections.pop("fetch", {}), **sections}


async def _codes(*calls: Any) -> list[str]:
    made = await asyncio.gather(*calls, return_exceptions=True)
    return sorted(one.code if isinstance(one, WebError) else "ok" for one in made)


@pytest.mark.req("fleet:host-rate")
async def test_a_host_is_asked_no_more_often_and_others_are_unaffected(tmp_path: Path) -> None:
    origin = Origin({"/": page("one")})
    async with serve(origin.handler()) as server, gateway(tmp_path, _polite("2/hour")) as web:
        assert await _codes(*(web.fetch(server.url) for _ in range(4))) == [Code.RATE_LIMITED] * 2 + ["ok"] * 2
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url)
        assert (await web.fetch(f"http://localhost:{server.port}/")).status_code == 200

    error = caught.value
    assert error.dispatched is False
    assert error.retry_after == pytest.approx(3_600, abs=60)
    assert "127.0.0.1 is asked at most 2/hour (fetch.host_rate)" in error.message
    assert len(origin.asked) == 3


@pytest.mark.req("fleet:host-rate")
async def test_a_page_that_is_kept_takes_no_turn_and_each_redirect_takes_one(tmp_path: Path) -> None:
    moved = answer(b"", status=302, headers={"Location": "/"})
    async with serve(paths({"/": page("one"), "/from": moved})) as server:
        config = _polite("2/hour", fetch={"cache": "memory"})
        async with gateway(tmp_path, config) as web:
            assert (await web.fetch(server.url + "/from")).redirects
            assert (await web.fetch(server.url)).cache is not None
            assert await _codes(web.fetch(server.url + "/other")) == [Code.RATE_LIMITED]


@pytest.mark.req("fleet:host-rate:robots")
async def test_a_request_for_robots_txt_takes_a_turn_and_each_of_its_redirects_one(tmp_path: Path) -> None:
    moved = answer(b"", status=302, headers={"Location": "/rules"})
    origin = Origin({"/": page("one"), "/robots.txt": moved, "/rules": answer(b"", content_type="text/plain")})
    async with serve(origin.handler()) as server:
        async with gateway(tmp_path, _polite("3/hour", fetch={"robots": "on"})) as web:
            assert (await web.fetch(server.url)).status_code == 200
            assert await _codes(web.fetch(server.url)) == [Code.RATE_LIMITED]
        assert origin.targets == ["/robots.txt", "/rules", "/"]
        async with gateway(tmp_path, _polite("1/hour", fetch={"robots": "on"})) as web:
            with pytest.raises(WebError) as caught:
                await web.fetch(server.url)

    assert (caught.value.code, caught.value.dispatched) == (Code.RATE_LIMITED, False)
    assert origin.targets[3:] == ["/robots.txt"]


@pytest.mark.req("fleet:host-rate")
async def test_a_fleet_is_polite_as_one(tmp_path: Path) -> None:
    origin = Origin({"/": page("one")})
    with state_server(tmp_path, any_server()) as state:
        config = _polite("3/hour", fleet={"url": state.url})
        async with (
            serve(origin.handler()) as server,
            gateway(tmp_path, config) as one,
            gateway(tmp_path, config) as two,
        ):
            told = await _codes(*((one, two)[at % 2].fetch(server.url) for at in range(8)))

    assert told == [Code.RATE_LIMITED] * 5 + ["ok"] * 3
    assert len(origin.asked) == 3


@pytest.mark.req("fleet:host-rate", "fleet:away:local")
async def test_without_its_server_each_is_polite_alone(tmp_path: Path) -> None:
    origin = Origin({"/": page("one")})
    config = _polite("1/hour", fleet={"url": f"redis://127.0.0.1:{free_port()}"})
    async with serve(origin.handler()) as server, gateway(tmp_path, config) as web:
        first = await web.fetch(server.url)
        assert await _codes(web.fetch(server.url)) == [Code.RATE_LIMITED]
    assert [note.code for note in first.notes] == ["shared_state_away"]


@pytest.mark.req("fleet:host-rate")
@pytest.mark.parametrize("rate", ["2", "0/s", "fast", "1/week"])
def test_what_is_no_rate_is_refused(desk: Desk, rate: str) -> None:
    with pytest.raises(WebError) as caught:
        desk.user(f"[fetch]\nhost_rate = '{rate}'\n").load()
    assert "fetch.host_rate" in caught.value.message


@pytest.mark.req("fleet:host-rate")
@pytest.mark.parametrize(
    ("mine", "theirs", "fits"),
    [("", "1/s", True), ("2/s", "1/s", True), ("2/s", "2/min", True), ("2/s", "3/s", False), ("2/min", "1/s", False)],
)
def test_a_project_file_may_only_be_more_polite(desk: Desk, mine: str, theirs: str, *, fits: bool) -> None:
    desk.user(f"[fetch]\nhost_rate = '{mine}'\n").project(f"[fetch]\nhost_rate = '{theirs}'\n")
    if fits:
        assert desk.load().config.fetch.host_rate == theirs
    else:
        with pytest.raises(WebError, match=r"fetch\.host_rate"):
            desk.load()


@pytest.mark.req("fleet:host-rate")
def test_only_so_many_hosts_are_remembered() -> None:
    made: list[str] = []

    def make(host: str) -> Turns:
        made.append(host)
        return Turns(Rate(1, 1), lambda: 0.0)

    turns = HostTurns(make)
    first = turns("first")
    for number in range(RATED_HOSTS - 1):
        turns(str(number))
    assert turns("first") is first
    turns("one more")
    assert turns("first") is first
    assert turns("0") is not None
    assert made.count("0") == 2
