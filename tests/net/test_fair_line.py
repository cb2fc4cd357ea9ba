"""Look-ups that hang: who still gets in, and what a look-up that cannot be cancelled holds."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from webseam.core.errors import WebError
from webseam.core.limits import LOOKUPS, LOOKUPS_PER_SITE
from webseam.net.fair_line import FairLine, FairLines, site_of
from webseam.net.resolver import SystemResolver, look_up


@pytest.mark.req("dialling:line:fair")
@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("a.example", "a.example"),
        ("h7.a.example", "a.example"),
        ("x.y.z.A.Example.", "a.example"),
        ("www.shop.co.uk", "shop.co.uk"),
        ("shop.co.uk", "shop.co.uk"),
        ("co.uk", "co.uk"),
        ("www.bund.de", "bund.de"),
        ("intranet", "intranet"),
    ],
)
def test_a_site_is_what_one_owner_of_names_holds(host: str, site: str) -> None:
    assert site_of(host) == site


@pytest.mark.req("dialling:line:fair")
async def test_a_full_site_is_passed_over_and_who_waits_is_let_in_by_turn() -> None:
    line = FairLine(total=3, each=2)
    inside: list[str] = []

    async def enter(site: str, name: str) -> None:
        await line.enter(site)
        inside.append(name)

    async with asyncio.TaskGroup() as group:
        for site, name in (("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1")):
            group.create_task(enter(site, name))
        await asyncio.sleep(0)
        assert inside == ["a1", "a2", "b1"]
        line.leave("b")
        await asyncio.sleep(0)
        assert inside == ["a1", "a2", "b1", "c1"]
        line.leave("a")
    assert inside == ["a1", "a2", "b1", "c1", "a3"]


async def test_who_gives_up_in_line_holds_nothing_back() -> None:
    line = FairLine(total=1, each=1)
    await line.enter("a")
    waiting = [asyncio.create_task(line.enter(site)) for site in ("a", "b")]
    await asyncio.sleep(0)
    waiting[0].cancel()
    line.leave("a")  # to the second in line, as the first is on its way out
    await asyncio.wait(waiting)
    assert waiting[0].cancelled()

    late = asyncio.create_task(line.enter("c"))
    await asyncio.sleep(0)
    line.leave("b")
    late.cancel()  # at the very moment at which it is let in
    await asyncio.wait([late])
    async with asyncio.timeout(5), line.place("d"):
        pass


def test_each_event_loop_has_a_line_of_its_own() -> None:
    lines = FairLines()

    async def here() -> FairLine:
        assert lines.here() is lines.here()
        return lines.here()

    assert asyncio.run(here()) is not asyncio.run(here())


class HangingSystem:
    """`socket.getaddrinfo` whose names hang until they are let go, but for healthy ones."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.hanging = 0
        self.hung = threading.Semaphore(0)
        self.asked: list[str] = []

    def __call__(self, host: str, *_: Any, **__: Any) -> list[Any]:
        self.asked.append(host)
        if not host.startswith("healthy"):
            self.hanging += 1
            self.hung.release()
            self.go.wait()
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 0))]


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Iterator[HangingSystem]:
    """The machine's resolver, which is not ours, as it is on a bad day; let go in the end."""
    hanging = HangingSystem()
    monkeypatch.setattr(socket, "getaddrinfo", hanging)
    yield hanging
    hanging.go.set()
    for thread in threading.enumerate():
        if thread.name == "webseam-dns":
            thread.join()


@pytest.mark.req("dialling:line:fair")
@pytest.mark.parametrize("pattern", ["h{}.example", "h{}.one.example", "one.example"], ids=["sites", "site", "name"])
async def test_a_healthy_name_resolves_while_a_hundred_hang(system: HangingSystem, pattern: str) -> None:
    resolver = SystemResolver()
    hanging = [asyncio.create_task(look_up(resolver, pattern.format(number), 3600.0)) for number in range(100)]
    sites = len({site_of(pattern.format(number)) for number in range(100)})
    for _ in range(min(100, sites * LOOKUPS_PER_SITE)):
        await asyncio.to_thread(system.hung.acquire)
    found = await look_up(resolver, "healthy.example", 20.0)

    assert [str(address) for address in found] == ["93.184.215.14"]
    assert system.asked[-1] == "healthy.example."
    assert system.hanging == min(100, sites * LOOKUPS_PER_SITE) <= LOOKUPS
    for task in hanging:
        task.cancel()
    await asyncio.wait(hanging)


@pytest.mark.req("dialling:line:place")
async def test_a_look_up_that_was_given_up_keeps_its_place_until_the_system_lets_go(system: HangingSystem) -> None:
    resolver = SystemResolver()
    for _ in range(LOOKUPS_PER_SITE):
        with pytest.raises(WebError) as caught:
            await look_up(resolver, "one.example", 0.01)
        assert caught.value.code == "WEB_FETCH_TIMEOUT"
    waiting = asyncio.create_task(look_up(resolver, "healthy.one.example", 20.0))
    await look_up(resolver, "healthy.example", 20.0)
    assert system.hanging == LOOKUPS_PER_SITE
    assert not waiting.done()

    system.go.set()
    assert len(await waiting) == 1


@pytest.mark.req("dialling:line:place")
def test_a_look_up_that_hangs_neither_outlives_its_loop_nor_holds_the_process(system: HangingSystem) -> None:
    with pytest.raises(WebError):
        asyncio.run(look_up(SystemResolver(), "one.example", 0.01))
    hung = [thread for thread in threading.enumerate() if thread.name == "webseam-dns"]

    assert [thread.daemon for thread in hung] == [True]
    system.go.set()
    hung[0].join()


async def test_what_the_system_raises_reaches_who_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", failing)
    with pytest.raises(socket.gaierror):
        await SystemResolver().resolve("a.example")
