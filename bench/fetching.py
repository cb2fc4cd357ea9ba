"""Fetch and convert 200 documentation-size pages: webseam with every safety on against the bare libraries.

Three contestants take turns in one process on one core, the server has the other: `bare` is aiohttp + turbohtml as they
come (parse the bytes, Markdown, inline), `equal` adds what webseam must do too (links absolute; script, style and
hidden nodes out), `webseam` is `Web.fetch` + `to_markdown`. CPU is user + system of this process and its children.
"""

import asyncio
import gc
import os
import resource
import statistics
import time
from collections.abc import Awaitable, Callable

import aiohttp
import site_pages
import turbohtml
from site_pages import PAGES

from webseam.content.markdown import to_markdown
from webseam.core.settings import FetchSettings
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch

ROUNDS = 15
TURN = 40  # pages before the next contestant takes over: a machine that slows down for a moment slows all of them
IN_FLIGHT = 16
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


async def measure() -> dict[str, list[tuple[float, float]]]:
    """CPU and wall seconds of each turn, by contestant."""
    provider = HttpFetch(settings=FetchSettings(private_networks=("127.0.0.0/8",)))
    web = Web()
    web.register_fetch(provider)
    web.at_close(provider.aclose)
    times: dict[str, list[tuple[float, float]]] = {}
    with site_pages.running() as base:
        async with web, aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit_per_host=IN_FLIGHT)) as session:
            contestants = _contestants(web, session)
            for number in range(ROUNDS + 1):
                for first in range(0, PAGES, TURN):
                    for name, fetch in contestants.items():
                        spent = await _turn(fetch, base, range(first, first + TURN))
                        if number:  # the first round warms up
                            times.setdefault(name, []).append(spent)
    return times


def _contestants(web: Web, session: aiohttp.ClientSession) -> dict[str, Fetch]:
    async def bare(url: str) -> int:
        async with session.get(url) as response:
            return len(turbohtml.parse(await response.read()).to_markdown())

    async def equal(url: str) -> int:
        async with session.get(url) as response:
            doc = turbohtml.parse(await response.read())
        doc.remove(UNSEEN)
        doc.resolve_links(doc.base_url(url))
        return len(doc.to_markdown())

    async def ours(url: str) -> int:
        return len(to_markdown(await web.fetch(url)))

    return {"bare": bare, "equal": equal, "webseam": ours}


def _reached(times: dict[str, list[tuple[float, float]]], name: str) -> float:
    """Median over the turns of the other's CPU by webseam's in the same turn."""
    pairs = zip(times[name], times["webseam"], strict=True)
    return statistics.median(other / ours for (other, _), (ours, _) in pairs)


def main() -> None:
    """Print the table."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[0]})
    if len(cores) > 1:
        site_pages.AFFINITY = cores[1]
    times = asyncio.run(measure())
    size = len(site_pages.page(0)) // 1000
    print(f"{PAGES} pages of about {size} kB, {IN_FLIGHT} in flight, one core, medians of {ROUNDS} rounds by turns")
    print(f"{'':10}{'CPU ms/page':>12}{'pages/s':>10}")
    for name, rows in times.items():
        cpu = statistics.median(cpu for cpu, _ in rows) / TURN * 1e3
        rate = TURN / statistics.median(wall for _, wall in rows)
        print(f"{name:10}{cpu:12.3f}{rate:10.0f}")
    print(f"webseam reaches {_reached(times, 'bare'):.1%} of the bare pair (55 % promised)")
    print(f"webseam reaches {_reached(times, 'equal'):.1%} of the equal-work pair (80 % promised)")


if __name__ == "__main__":
    main()
