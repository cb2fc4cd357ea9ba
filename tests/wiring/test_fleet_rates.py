"""`providers.<id>.rate` over two gateways, from configuration to the wire (issue 7, point 3; R194)."""

import asyncio
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from support.fleet import HIT, gateway, searches
from support.pools import KEYS, refusal
from support.redis import StateServer, any_server, state_server
from webseam.core.behind import Behind
from webseam.core.errors import Code, WebError
from webseam.core.shared import Rate, Rates
from webseam.core.types import Note
from webseam.stores.server import Server
from webseam.stores.server_shared import ServerRates
from webseam.testing.vendor_server import VendorServer
from webseam.wiring.rates import Turns
from webseam.wiring.shared_turns import SharedTurns

AWAY = Note(code="shared_state_away")


@pytest.fixture
def state(tmp_path: Path) -> Iterator[StateServer]:
    with state_server(tmp_path, any_server()) as server:
        yield server


def _limited(vendor: VendorServer, state: StateServer, rate: str = "2/hour", **fleet: Any) -> dict[str, Any]:
    own = {"url": state.url, **fleet}
    return searches(vendor, cache="off", kelp={"rate": rate, "rate_wait": 0.05}, fleet=own)


async def _outcomes(*calls: Any) -> list[str]:
    """`ok`, or the code of the error."""
    made = await asyncio.gather(*calls, return_exceptions=True)
    return [one.code if isinstance(one, WebError) else "ok" for one in made]


@pytest.mark.req("fleet:rates:wired")
async def test_two_gateways_with_one_key_have_one_rate(tmp_path: Path, state: StateServer) -> None:
    async with VendorServer(*[HIT] * 9) as vendor:
        config = _limited(vendor, state)
        async with gateway(tmp_path, config) as one, gateway(tmp_path, config) as two:
            told = await _outcomes(*((one, two)[at % 2].search(f"kelp {at}") for at in range(8)))

    assert sorted(told) == [Code.RATE_LIMITED] * 6 + ["ok"] * 2
    assert len(vendor.requests) == 2


@pytest.mark.req("fleet:rates:wired")
async def test_another_key_has_turns_of_its_own_and_no_key_is_told(tmp_path: Path, state: StateServer) -> None:
    async with VendorServer(*[HIT] * 9) as vendor:
        config = _limited(vendor, state)
        other = _limited(vendor, state)
        other["providers"]["kelp"]["key"] = KEYS[1]
        async with gateway(tmp_path, config) as one, gateway(tmp_path, other) as two:
            assert await _outcomes(*(web.search("kelp") for web in (one, one, two, two))) == ["ok"] * 4
            error = await _error(two.search("kelp"))
        with state.client() as client:
            told = b" ".join(client.keys("*"))

    assert error.retry_after == pytest.approx(3_600, abs=60)
    assert b"webseam:1:rate:" in told
    assert not any(key.encode() in told for key in KEYS)


@pytest.mark.req("fleet:rates:pause")
async def test_a_wait_that_the_vendor_asked_one_gateway_for_holds_for_all(tmp_path: Path, state: StateServer) -> None:
    async with VendorServer(refusal(429, retry_after="1800"), HIT) as vendor:
        config = _limited(vendor, state, "100/min")
        async with gateway(tmp_path, config) as one:
            await _error(one.search("kelp"))
        async with gateway(tmp_path, config) as two:
            error = await _error(two.search("kelp"))

    assert (error.code, error.dispatched) == (Code.RATE_LIMITED, False)
    assert error.retry_after == pytest.approx(1_800, abs=60)
    assert len(vendor.requests) == 1


@pytest.mark.req("fleet:rates:pause")
async def test_a_turn_of_a_call_that_never_left_is_another_s(tmp_path: Path, state: StateServer) -> None:
    async with VendorServer(HIT) as vendor:
        config = _limited(vendor, state, "1/hour")
        broken = _limited(vendor, state, "1/hour")
        broken["providers"]["kelp"]["base_url"] = "http://127.0.0.1:1"
        async with gateway(tmp_path, broken) as one:
            assert (await _error(one.search("kelp"))).dispatched is False
        async with gateway(tmp_path, config) as two:
            assert await _outcomes(two.search("kelp")) == ["ok"]


async def _error(work: Any) -> WebError:
    with pytest.raises(WebError) as caught:
        await work
    return caught.value


# Away --------------------------------------------------------------------------------------------------------


@pytest.mark.req("fleet:away:local")
async def test_while_the_server_is_away_each_gateway_holds_to_the_rate_alone(
    tmp_path: Path, state: StateServer
) -> None:
    async with VendorServer(*[HIT] * 9) as vendor:
        config = _limited(vendor, state)
        state.stop()
        async with gateway(tmp_path, config) as one, gateway(tmp_path, config) as two:
            first = await one.search("kelp")
            told = await _outcomes(*(web.search("kelp") for web in (one, one, two, two, two)))

    assert first.notes == (AWAY,)
    assert sorted(told) == [Code.RATE_LIMITED] * 2 + ["ok"] * 3
    assert len(vendor.requests) == 4


@pytest.mark.req("fleet:away:refuse")
async def test_where_it_is_to_refuse_the_vendor_is_not_asked(tmp_path: Path, state: StateServer) -> None:
    async with VendorServer(HIT) as vendor:
        config = _limited(vendor, state, when_away="refuse")
        state.stop()
        async with gateway(tmp_path, config) as web:
            error = await _error(web.search("kelp"))

    assert (error.code, error.dispatched) == (Code.PROVIDER_UNAVAILABLE, False)
    assert 'fleet.when_away = "local"' in error.message
    assert vendor.requests == []


# Turns that are waited for -----------------------------------------------------------------------------------


def _turns(rates: Rates, behind: Behind, rate: Rate) -> SharedTurns:
    return SharedTurns(rates, rate, lambda: "key", clock=asyncio.get_running_loop().time, behind=behind)


@pytest.fixture
async def shared(state: StateServer) -> Any:
    server = Server(state.url, prefix="t", seconds=20)
    yield ServerRates(server)
    await server.aclose()


@pytest.mark.req("fleet:rates")
async def test_a_turn_that_comes_soon_is_waited_for(shared: Rates) -> None:
    behind = Behind()
    turns = [_turns(shared, behind, Rate(1, 0.05)) for _ in range(2)]
    taken = await asyncio.gather(*(turns[at % 2].take(30) for at in range(6)))

    moments = sorted(turn.moment for _, turn in taken)
    assert all(later - earlier >= 50_000 for earlier, later in pairwise(moments))


@pytest.mark.req("fleet:rates:pause")
async def test_whoever_is_cancelled_while_waiting_leaves_the_turn(shared: Rates) -> None:
    behind = Behind()
    turns = _turns(shared, behind, Rate(1, 3_600))
    await turns.take(0)
    waiting = asyncio.create_task(turns.take(9_999))
    while (ahead := await shared.take("key", Rate(1, 3_600), 0)).wait < 4_000:
        assert ahead.moment is None
    waiting.cancel()
    await asyncio.wait([waiting])
    await behind.aclose()

    assert (await shared.take("key", Rate(1, 3_600), 0)).wait < 3_601


@pytest.mark.req("fleet:rates:pause")
async def test_a_pause_that_comes_while_a_turn_is_waited_for_is_kept_to(shared: Rates) -> None:
    behind = Behind()
    turns = _turns(shared, behind, Rate(1, 1))
    first = await turns.take(0)
    waiting = asyncio.create_task(turns.take(9))
    while (ahead := await shared.take("key", Rate(1, 1), 0)).wait <= 1:  # till its turn is taken
        assert ahead.moment is None
    await shared.pause("key", 3_600)

    assert first is not None
    assert await waiting is None
    assert turns.wait() == pytest.approx(3_600, abs=60)
    await behind.aclose()


@pytest.mark.req("fleet:rates:wired")
async def test_the_turns_of_this_process_alone_stay_what_they_were(tmp_path: Path) -> None:
    async with VendorServer(*[HIT] * 9) as vendor:
        config = searches(vendor, cache="off", kelp={"rate": "2/hour", "rate_wait": 0.05})
        async with gateway(tmp_path, config) as one, gateway(tmp_path, config) as two:
            told = await _outcomes(*(web.search("kelp") for web in (one, one, one, two, two, two)))
    assert sorted(told) == [Code.RATE_LIMITED] * 2 + ["ok"] * 4
    assert Turns(Rate(1, 1), asyncio.get_running_loop().time).wait() == 0
