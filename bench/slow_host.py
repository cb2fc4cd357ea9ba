"""One slow host among many: 500 fetches at 100 in flight, and what the slow one costs the others.

Rounds take turns: all hosts quick, then one of them slow (a second to its first byte, then drips). That one is asked
more often at once than a host has connections. Nothing else differs, so the others' median latency tells what it costs.
"""

import asyncio
import statistics
import time
from typing import Final

import hostile_server

from webseam.core.settings import FetchSettings
from webseam.core.types import HtmlBody
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch

FETCHES: Final = 500
IN_FLIGHT: Final = 100
TO_ONE: Final = 25
"""Fetches from the one host, all at once: more than the 16 connections that a host gets."""

HOSTS: Final = 20
ROUNDS: Final = 7
PROMISED: Final = 0.20


async def _fetched(web: Web, url: str) -> float:
    start = time.perf_counter()
    result = await web.fetch(url)
    assert isinstance(result.body, HtmlBody)
    assert "some words of a page" in result.body.content
    return time.perf_counter() - start


async def _round(web: Web, port: int, *, slow: bool) -> float:
    """Median latency of the fetches from the other hosts."""
    queue = iter(range(FETCHES - TO_ONE))
    others: list[float] = []

    async def lane() -> None:
        for number in queue:
            spent = await _fetched(web, f"http://127.0.0.{number % HOSTS + 10}:{port}/page?{number}")
            others.append(spent)

    async with asyncio.TaskGroup() as group:
        for number in range(TO_ONE):
            group.create_task(_fetched(web, f"http://127.0.0.9:{port}/{'slow' if slow else 'page'}?{number}"))
        for _ in range(IN_FLIGHT - TO_ONE):
            group.create_task(lane())
    return statistics.median(others)


async def measure(port: int) -> list[tuple[float, float]]:
    """Of each round the others' median latency in seconds, the one host being quick, then slow."""
    fetch = HttpFetch(settings=FetchSettings(private_networks=("127.0.0.0/8",)))
    web = Web()
    web.register_fetch(fetch)
    web.at_close(fetch.aclose)
    async with web:
        await _round(web, port, slow=False)  # warms up
        return [(await _round(web, port, slow=False), await _round(web, port, slow=True)) for _ in range(ROUNDS)]


def main() -> None:
    """Print the figures."""
    with hostile_server.running() as port:
        rounds = asyncio.run(measure(port))
    quick, slow = (statistics.median(times) for times in zip(*rounds, strict=True))
    rise = statistics.median(slow / quick for quick, slow in rounds) - 1
    print(f"{FETCHES} fetches at {IN_FLIGHT} in flight from {HOSTS + 1} hosts, medians of {ROUNDS} rounds by turns")
    print(f"the others' median latency: {quick * 1e3:.1f} ms, {slow * 1e3:.1f} ms when one of the hosts is slow")
    print(f"one slow host costs the others {rise:+.1%} (less than {PROMISED:+.0%} promised)")


if __name__ == "__main__":
    main()
