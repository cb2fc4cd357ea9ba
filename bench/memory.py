"""Peak memory of a process that fetches what is meant to fill it: bombs in each coding, and 100 bodies of 5 MB at once.

Each measurement has a process of its own, which first fetches an ordinary page: what it grows by after that is told.
The peak is getrusage's, which keeps that of the forking parent across exec: a shell stands between.
"""

import asyncio
import resource
import subprocess
import sys
from typing import Final

import hostile_server

from webseam.core.limits import FETCH_BYTES
from webseam.core.settings import FetchSettings
from webseam.core.types import FetchResult, HtmlBody
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch

TOGETHER: Final = 100
PROMISED: Final = 8.0
CODINGS: Final = ("gzip", "br", "zstd")
_UNIT: Final = 1 if sys.platform == "darwin" else 1_024  # of ru_maxrss, getrusage(2)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


async def _grown(port: int, what: str) -> int:
    fetch = HttpFetch(settings=FetchSettings(private_networks=("127.0.0.0/8",)))
    web = Web()
    web.register_fetch(fetch)
    web.at_close(fetch.aclose)
    async with web:
        await web.fetch(f"http://127.0.0.10:{port}/page")
        before = _peak()
        if what == "big":
            async with asyncio.TaskGroup() as group:
                for number in range(TOGETHER):
                    group.create_task(_big(web, f"http://127.0.0.{number + 10}:{port}/big"))
        else:
            _check(await web.fetch(f"http://127.0.0.10:{port}/bomb/{what}"), cut=True)
    return _peak() - before


async def _big(web: Web, url: str) -> None:
    _check(await web.fetch(url), cut=False)


def _check(result: FetchResult, *, cut: bool) -> None:
    """The body fills the cap in both cases; the bomb was cut there, and its first character has four bytes."""
    assert isinstance(result.body, HtmlBody)
    assert (len(result.body.content), result.truncated) == (FETCH_BYTES - 3 * cut, cut)


def measure(port: int, what: str) -> int:
    """Bytes by which the peak of a fresh process grew."""
    command = ["/bin/sh", "-c", '"$0" "$@"; exit $?', sys.executable, __file__, str(port), what]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - this file
    return int(done.stdout)


def main() -> None:
    """Print the figures."""
    print(f"peak memory beyond an ordinary page's, the cap of a body being {FETCH_BYTES // 1_000_000} MB")
    with hostile_server.running() as port:
        for coding in CODINGS:
            grown = measure(port, coding)
            print(f"a bomb of 300 MB in {coding:5}{grown / 1e6:7.1f} MB, {grown / FETCH_BYTES:.1f} times the cap "
                  f"(under {PROMISED:.0f} promised)")  # fmt: skip
        grown = measure(port, "big")
        whole = TOGETHER * FETCH_BYTES
        print(f"{TOGETHER} bodies of 5 MB at once{grown / 1e6:7.1f} MB, {grown / whole:.1f} times their bytes")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(asyncio.run(_grown(int(sys.argv[1]), sys.argv[2])))
    else:
        main()
