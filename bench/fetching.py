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

import site_pages
from site_pages import PAGES

from webseam.content.markdown import to_markdown
from webseam.core.settings import FetchSettings
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch

ROUNDS = 9
IN_FLIGHT = 16
UNSEEN = "script,style,template,noscript,[hidden],[style*='display:none'],[style*='display: none']"
Fetch = Callable[[str], Awaitable[int]]


def _cpu() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


async def _round(fetch: Fetch, base: str) -> tuple[float, float]:
    """CPU seconds and wall seconds of one pass over all pages."""
    queue = iter(range(PAGES))
    gc.collect()
    cpu, wall = _cpu(), time.perf_counter()

    async def lane() -> None:
        for number in queue:
            assert await fetch(f"{base}/{number}") > 50_000

    async with asyncio.TaskGroup() as group:
        for _ in range(IN_FLIGHT):
            group.create_task(lane())
    return _cpu() - cpu, time.perf_counter() - wall


async def measure() -> dict[str, tuple[float, float]]:
    """Median CPU ms a page and pages a second, by contestant."""
    import aiohttp  # noqa: PLC0415 - beside the others
    import turbohtml  # noqa: PLC0415

    provider = HttpFetch(settings=FetchSettings(private_networks=("127.0.0.0/8",)))
    web = Web()
    web.register_fetch(provider)
    web.at_close(provider.aclose)
    with site_pages.running() as base:
        async with web, aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit_per_host=IN_FLIGHT)) as session:

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

            contestants: dict[str, Fetch] = {"bare": bare, "equal": equal, "webseam": ours}
            times: dict[str, list[tuple[float, float]]] = {name: [] for name in contestants}
            for number in range(ROUNDS + 1):
                for name, fetch in contestants.items():
                    spent = await _round(fetch, base)
                    if number:  # the first round warms up
                        times[name].append(spent)
    return {
        name: (
            statistics.median(cpu for cpu, _ in rows) / PAGES * 1e3,
            PAGES / statistics.median(wall for _, wall in rows),
        )
        for name, rows in times.items()
    }


def main() -> None:
    """Print the table."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[0]})
    if len(cores) > 1:
        site_pages.AFFINITY = cores[1]
    result = asyncio.run(measure())
    print(f"{PAGES} pages of about {len(site_pages.page(0)) // 1000} kB, {IN_FLIGHT} in flight, one core")
    print(f"{'':10} {'CPU ms/page':>12} {'pages/s':>9}   share of its CPU")
    ours = result["webseam"][0]
    for name, (cpu, rate) in result.items():
        print(f"{name:10} {cpu:12.3f} {rate:9.0f}   {cpu / ours:6.1%}")
    print(f"webseam reaches {result['bare'][0] / ours:.1%} of the bare pair (62 % promised)", end=" and ")
    print(f"{result['equal'][0] / ours:.1%} of the equal-work pair (85 % promised) in CPU a page")


if __name__ == "__main__":
    main()
