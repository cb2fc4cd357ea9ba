"""A line for name look-ups: bounded in all and for each site, so that one site's hanging names keep nobody else out."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakKeyDictionary

from webseam.core.limits import LOOKUPS, LOOKUPS_PER_SITE

_SECOND_LEVEL_CHARS: Final = 3
"""`co`, `com`, `ac`, `gov` under a country: names are registered one level below these."""

_COUNTRY_CHARS: Final = 2


class FairLine:
    """Lets in at most `total` at once, `each` of one site; who waits is let in by turn, full sites are passed over.

    It belongs to one event loop.
    """

    def __init__(self, *, total: int, each: int) -> None:
        self._total = total
        self._each = each
        self._inside: Counter[str] = Counter()
        self._waiting: deque[tuple[str, asyncio.Future[None]]] = deque()

    async def enter(self, site: str) -> None:
        """Wait for a place; each is given back by one `leave`, never before what holds it has ended."""
        if self._has_room(site):
            self._inside[site] += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((site, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(site)
            else:
                self._waiting.remove((site, turn))
            raise

    def leave(self, site: str) -> None:
        """Give a place back to the first in line who may have it."""
        self._inside[site] -= 1
        if not self._inside[site]:
            del self._inside[site]
        for waiting in tuple(self._waiting):
            if not waiting[1].done() and self._has_room(waiting[0]):
                self._waiting.remove(waiting)
                self._inside[waiting[0]] += 1
                waiting[1].set_result(None)
                return

    @asynccontextmanager
    async def place(self, site: str) -> AsyncIterator[None]:
        """A place for as long as the block runs."""
        await self.enter(site)
        try:
            yield
        finally:
            self.leave(site)

    def _has_room(self, site: str) -> bool:
        return self._inside.total() < self._total and self._inside[site] < self._each


class FairLines:
    """The line of each event loop."""

    def __init__(self) -> None:
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, FairLine] = WeakKeyDictionary()

    def here(self) -> FairLine:
        """The running loop's."""
        loop = asyncio.get_running_loop()
        line = self._lines.get(loop)
        if line is None:
            line = self._lines[loop] = FairLine(total=LOOKUPS, each=LOOKUPS_PER_SITE)
        return line


def site_of(host: str) -> str:
    """What one owner of names most likely holds: two labels, three under such as `co.uk`."""
    labels = host.rstrip(".").lower().split(".")
    country = len(labels[-1]) == _COUNTRY_CHARS
    wide = country and len(labels) > _COUNTRY_CHARS and len(labels[-2]) <= _SECOND_LEVEL_CHARS
    return ".".join(labels[-3 if wide else -2 :])
