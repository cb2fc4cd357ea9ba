"""Who asks, and who waits: one contract over all backends."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.redis import installed
from support.shared import Backend
from webseam.core.leading import Leading
from webseam.core.shared import FlightEnd, Flights, Lease
from webseam.stores.cells import CellFlights, MemoryCells
from webseam.stores.cells_disk import DiskCells
from webseam.stores.server import Server
from webseam.stores.server_shared import ServerFlights


async def _ended(flights: Flights, lease: Lease) -> FlightEnd:
    while (how := await flights.look(lease)) is None:
        pass
    return how


@pytest.mark.req("fleet:flight:one")
async def test_of_many_that_want_the_same_one_leads(backend: Backend) -> None:
    views = [backend.flights, backend.again().flights]
    leases = await asyncio.gather(*(views[at % 2].lead("page") for at in range(50)))

    leader = next(one for one in leases if one.mine)
    assert sum(one.mine for one in leases) == 1
    assert {one.token for one in leases} == {leader.token}
    assert (await backend.flights.lead("another")).mine


@pytest.mark.req("fleet:flight:one")
@pytest.mark.parametrize("how", ["answered", "given up"])
async def test_those_who_wait_learn_how_it_ended(backend: Backend, how: FlightEnd) -> None:
    other = backend.again().flights
    mine, theirs = await backend.flights.lead("k"), await other.lead("k")
    assert (theirs.mine, await other.look(theirs)) == (False, None)
    await backend.flights.end(mine, how)

    assert await other.look(theirs) == how
    following = await other.lead("k")
    assert following.mine
    assert following.token > mine.token > 10**15  # also after the state was forgotten: it is no less than the time
    assert await other.look(following) is None


@pytest.mark.req("fleet:flight:one")
async def test_a_flight_that_nobody_knows_of_is_given_up(backend: Backend) -> None:
    assert await backend.flights.look(Lease(key="k", token=5, mine=False)) == "given up"
    assert not await backend.flights.renew(Lease(key="k", token=5, mine=True))
    await backend.flights.end(Lease(key="k", token=5, mine=True), "answered")
    assert await backend.flights.look(Lease(key="k", token=6, mine=False)) == "given up"


@pytest.fixture(params=["memory", "disk", *(installed() or ("redis",))])
def short(request: pytest.FixtureRequest, tmp_path: Path, opened: Callable[..., Server]) -> Flights:
    """Flights whose lease is over in no time."""
    if request.param == "memory":
        return CellFlights(MemoryCells(), lease_seconds=0.05)
    if request.param == "disk":
        return CellFlights(DiskCells(tmp_path / "s.sqlite3"), lease_seconds=0.05)
    return ServerFlights(opened(request.param), lease_seconds=0.05)


@pytest.mark.req("fleet:flight:lease")
async def test_a_leader_that_does_not_renew_gives_way_and_cannot_come_back(short: Flights) -> None:
    dead, waiting = await short.lead("k"), await short.lead("k")
    assert await _ended(short, waiting) == "given up"
    new = await short.lead("k")

    assert new.mine
    assert new.token > dead.token
    assert not await short.renew(dead)
    await short.end(dead, "answered")
    assert await short.look(new) is None
    await short.end(new, "answered")
    assert await short.look(new) == "answered"


@pytest.mark.req("fleet:flight:lease")
async def test_a_leader_that_renews_stays_and_only_the_leader_can(backend: Backend) -> None:
    mine, theirs = await backend.flights.lead("k"), await backend.flights.lead("k")
    assert await backend.flights.renew(mine)
    assert not await backend.flights.renew(theirs)
    await backend.flights.end(theirs, "answered")

    assert await backend.flights.look(theirs) is None


@pytest.mark.req("fleet:flight:lease")
async def test_a_lease_that_is_over_is_not_renewed_even_when_nobody_followed(short: Flights) -> None:
    mine = await short.lead("k")
    assert await _ended(short, mine) == "given up"
    assert not await short.renew(mine)


@pytest.mark.req("fleet:flight:lease")
async def test_the_server_s_clock_put_back_holds_nobody_up(opened: Callable[..., Server]) -> None:
    server = opened()
    flights = ServerFlights(server, lease_seconds=0.05)
    dead = await flights.lead("k")
    shift = """
    for _, name in ipairs({'until', 'seen'}) do
      redis.call('HSET', KEYS[1], name, string.format('%.0f', redis.call('HGET', KEYS[1], name) + 3600 * 1000000))
    end
    return 1
    """
    assert await server.run(shift, [server.key("flight", "k")]) == 1
    assert await _ended(flights, dead) == "given up"


@pytest.mark.req("fleet:flight:cancelled")
@pytest.mark.parametrize("steps", range(8))
async def test_whoever_is_cancelled_while_it_enters_leaves_no_lease_behind(backend: Backend, steps: int) -> None:
    leading = Leading(backend.flights)
    entering = asyncio.create_task(leading.enter("k"))
    for _ in range(steps):
        await asyncio.sleep(0)
    entering.cancel()
    await asyncio.wait([entering])
    if not entering.cancelled() and (led := entering.result()) is not None:
        led.end("given up")
    await leading.aclose()
    assert (await backend.again().flights.lead("k")).mine


@pytest.mark.req("fleet:flight:lease")
async def test_whoever_leads_renews_by_itself_and_knows_when_it_has_lost_the_lead() -> None:
    wall = time.time()
    shift = 0.0
    flights = CellFlights(MemoryCells(now=lambda: wall + shift + time.monotonic()), lease_seconds=0.6)
    one, two = Leading(flights), Leading(flights)
    led, seen = await one.enter("k"), await flights.lead("k")
    assert led is not None
    till = time.monotonic() + 0.9
    while time.monotonic() < till:
        await asyncio.sleep(0.01)
        assert await flights.look(seen) is None
    assert await led.holds()

    shift = 3_600
    other = await two.enter("k")
    assert other is not None
    assert not await led.holds()
    assert await other.holds()
    led.end("answered")
    other.end("answered")
    other.end("given up")
    await asyncio.gather(one.aclose(), two.aclose())
    assert not await other.holds()
    assert await two.enter("k") is not None
    assert (await flights.lead("k")).mine is False


@pytest.mark.req("fleet:flight:lease")
@pytest.mark.parametrize("make", [lambda _path, now: MemoryCells(now=now), lambda path, now: DiskCells(path, now=now)])
async def test_a_clock_that_is_put_back_holds_nobody_up(
    tmp_path: Path, make: Callable[[Path, Callable[[], float]], Any]
) -> None:
    wall = 1_800_000_000.0
    flights = CellFlights(make(tmp_path / "s.sqlite3", lambda: wall))
    dead = await flights.lead("k")
    wall -= 3_600
    assert await flights.look(dead) is None
    assert not (await flights.lead("k")).mine
    wall += flights.lease_seconds
    new = await flights.lead("k")

    assert new.mine
    assert new.token > dead.token
