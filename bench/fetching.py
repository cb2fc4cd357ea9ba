"""Fetch and convert 200 documentation-size pages: webseam with every safety on against the bare libraries.

Three contestants take turns on one core, each in a process of its own; the server has the other core. `bare` is aiohttp
and turbohtml as they come (parse the bytes, Markdown, inline), `equal` adds what webseam must do too (links absolute;
script, style and hidden nodes out), `webseam` is `Web.fetch` + `to_markdown`. CPU is user + system of the contestant's
process and its children.

webseam settles glibc's allocator at its first page (see `_parser` in `webseam.content.markdown`), which users of the
bare libraries do not have. In one process with webseam, or where their user does the same, those cost a tenth to a
fifth less: `bare, settled` and `equal, settled` show that.
"""

import asyncio
import gc
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager

import aiohttp
import site_pages
import turbohtml
from site_pages import PAGES

from webseam.core.limits import SETTLING_BYTES

ROUNDS = 15
TURN = 40  # pages before the next contestant takes over: a machine that slows down for a moment slows all of them
IN_FLIGHT = 16
SETTLED = ", settled"
CONTESTANTS = ("bare", "equal", "webseam", "bare" + SETTLED, "equal" + SETTLED)
UNSEEN = (
    "script,style,template,noscript,iframe,object,embed,applet,svg,video,audio,canvas,noframes,noembed,"
    '[hidden],[aria-hidden="true"],input[type="hidden"],dialog:not([open]),'
    "[style*='display:none'],[style*='display: none'],[style*='visibility:hidden'],[style*='visibility: hidden']"
)
"""What webseam leaves out of a page, as one selector list: the quickest way the parser offers."""
Fetch = Callable[[str], Awaitable[int]]


def _cpu() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


async def _turn(fetch: Fetch, base: str, pages: range) -> tuple[float, float]:
    """CPU seconds and wall seconds of these pages."""
    queue = iter(pages)
    gc.collect()
    cpu, wall = _cpu(), time.perf_counter()

    async def lane() -> None:
        for number in queue:
            assert await fetch(f"{base}/{number}") > 50_000

    async with asyncio.TaskGroup() as group:
        for _ in range(IN_FLIGHT):
            group.create_task(lane())
    return _cpu() - cpu, time.perf_counter() - wall


def measure() -> dict[str, list[tuple[float, float]]]:
    """CPU and wall seconds of each turn, by contestant."""
    times: dict[str, list[tuple[float, float]]] = {}
    with site_pages.running() as base, ExitStack() as stack:
        contestants = {name: stack.enter_context(_process(name, base)) for name in CONTESTANTS}
        for number in range(ROUNDS + 1):
            for first in range(0, PAGES, TURN):
                for name, turn in contestants.items():
                    spent = turn(first)
                    if number:  # the first round warms up
                        times.setdefault(name, []).append(spent)
    return times


@contextmanager
def _process(name: str, base: str) -> Iterator[Callable[[int], tuple[float, float]]]:
    """A contestant's process; what it yields has it do the turn that begins with this page."""
    command = [sys.executable, __file__, name, base]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this file
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None

    def turn(first: int) -> tuple[float, float]:
        stdin.write(f"{first}\n")
        stdin.flush()
        cpu, wall = map(float, stdout.readline().split())
        return cpu, wall

    try:
        yield turn
    finally:
        stdin.close()
        process.wait()


async def _contestant(name: str, base: str) -> None:
    """Do the turns that stdin names until it ends."""
    async with AsyncExitStack() as stack:
        if name.endswith(SETTLED):
            bytes(SETTLING_BYTES)
        fetch = await (_ours(stack) if name == "webseam" else _pair(stack, name.removesuffix(SETTLED)))
        for line in sys.stdin:
            first = int(line)
            cpu, wall = await _turn(fetch, base, range(first, first + TURN))
            print(cpu, wall, flush=True)


async def _pair(stack: AsyncExitStack, name: str) -> Fetch:
    session = await stack.enter_async_context(
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit_per_host=IN_FLIGHT))
    )

    async def bare(url: str) -> int:
        async with session.get(url) as response:
            return len(turbohtml.parse(await response.read()).to_markdown())

    async def equal(url: str) -> int:
        async with session.get(url) as response:
            doc = turbohtml.parse(await response.read())
        doc.remove(UNSEEN)
        doc.resolve_links(doc.base_url(url))
        return len(doc.to_markdown())

    return bare if name == "bare" else equal


async def _ours(stack: AsyncExitStack) -> Fetch:
    from webseam.content.markdown import to_markdown  # noqa: PLC0415 - the other processes have none of it
    from webseam.core.settings import FetchSettings  # noqa: PLC0415 - the same
    from webseam.core.web import Web  # noqa: PLC0415 - the same
    from webseam.providers.fetch.http import HttpFetch  # noqa: PLC0415 - the same

    provider = HttpFetch(settings=FetchSettings(private_networks=("127.0.0.0/8",)))
    web = await stack.enter_async_context(Web())
    web.register_fetch(provider)
    web.at_close(provider.aclose)

    async def ours(url: str) -> int:
        return len(to_markdown(await web.fetch(url)))

    return ours


def _reached(times: dict[str, list[tuple[float, float]]], name: str) -> float:
    """Median over the turns of the other's CPU by webseam's in the same turn."""
    pairs = zip(times[name], times["webseam"], strict=True)
    return statistics.median(other / ours for (other, _), (ours, _) in pairs)


def main() -> None:
    """Print the table, or be one of the contestants."""
    if len(sys.argv) > 1:  # a contestant's name and the server's URL
        asyncio.run(_contestant(*sys.argv[1:]))
        return
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[0]})
    if len(cores) > 1:
        site_pages.AFFINITY = cores[1]
    times = measure()
    size = len(site_pages.page(0)) // 1000
    print(f"{PAGES} pages of about {size} kB, {IN_FLIGHT} in flight, one core, medians of {ROUNDS} rounds by turns")
    print(f"{'':16}{'CPU ms/page':>12}{'pages/s':>10}")
    for name, rows in times.items():
        cpu = statistics.median(cpu for cpu, _ in rows) / TURN * 1e3
        rate = TURN / statistics.median(wall for _, wall in rows)
        print(f"{name:16}{cpu:12.3f}{rate:10.0f}")
    print(f"webseam reaches {_reached(times, 'bare'):.1%} of the bare pair (55 % promised)")
    print(f"webseam reaches {_reached(times, 'equal'):.1%} of the equal-work pair (80 % promised)")
    settled = [_reached(times, name + SETTLED) for name in ("bare", "equal")]
    print(f"and {settled[0]:.1%} and {settled[1]:.1%} of the same with the allocator settled as webseam settles it")


if __name__ == "__main__":
    main()
