"""Pages kept in this process, and which store a setting asks for."""

import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from webseam.core.deadline import Clock
from webseam.core.errors import Code, WebError
from webseam.core.limits import PAGES_KEPT, PAGES_MEMORY_BYTES
from webseam.core.pages import PageStore, StoredPage
from webseam.core.shared import Shared

PAGES_FILE: Final = "pages.sqlite3"
"""Name of the store in the data directory."""


def page_store(
    mode: Literal["off", "memory", "disk", "fleet"],
    folder: Path | None,
    *,
    clock: Clock,
    now: Callable[[], float],
    shared: Shared | None = None,
) -> PageStore | None:
    """The store of `fetch.cache`; nothing is opened or made yet.

    Args:
        mode: none, one for this process, a file that all processes of this user share, or the server of a fleet.
        folder: where the file lies.
        clock: monotonic seconds, for what stays in this process.
        now: seconds since 1970, for what does not.
        shared: the state of the fleet.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a file without a folder, a fleet without its state.
    """
    if mode == "off":
        return None
    if mode == "memory":
        return MemoryPages(clock=clock)
    if mode == "fleet":
        return _shared_pages(shared)
    if folder is None:
        raise WebError(Code.CONFIG_INVALID, 'fetch.cache = "disk" needs a folder: give data_dir, or choose "memory".')
    from webseam.stores.pages_disk import DiskPages  # noqa: PLC0415 - SQLite loads on first use

    return DiskPages(folder / PAGES_FILE, clock=now)


def _shared_pages(shared: Shared | None) -> PageStore:
    if shared is None:
        raise WebError(Code.CONFIG_INVALID, 'fetch.cache = "fleet" needs the server of a fleet: set fleet.url.')
    return shared.pages


class MemoryPages:
    """Pages in this process, at most `max_bytes` and `max_pages`; the one used longest ago goes first."""

    def __init__(
        self, *, max_bytes: int = PAGES_MEMORY_BYTES, max_pages: int = PAGES_KEPT, clock: Clock = time.monotonic
    ) -> None:
        self.clock = clock
        self._max_bytes = max_bytes
        self._max_pages = max_pages
        self._kept: OrderedDict[str, StoredPage] = OrderedDict()
        self._bytes = 0

    async def get(self, key: str, /) -> StoredPage | None:
        """See `PageStore`."""
        page = self._kept.get(key)
        if page is not None:
            self._kept.move_to_end(key)
        return page

    async def put(self, key: str, page: StoredPage, /) -> None:
        """See `PageStore`."""
        self._release(key)
        if page_size(page) > self._max_bytes:
            return
        self._kept[key] = page
        self._bytes += page_size(page)
        while self._bytes > self._max_bytes or len(self._kept) > self._max_pages:
            self._release(next(iter(self._kept)))

    async def drop(self, key: str, /) -> None:
        """See `PageStore`."""
        self._release(key)

    def _release(self, key: str) -> None:
        page = self._kept.pop(key, None)
        if page is not None:
            self._bytes -= page_size(page)


_OVERHEAD: Final = 1_000  # of a page's objects besides its texts, about what an empty one takes
_FIELD_OVERHEAD: Final = 160  # of one header's objects besides its text: a pair and two strings, on 64 bits


def page_size(page: StoredPage) -> int:
    """Bytes that `page` takes in a store, about."""
    return _OVERHEAD + len(page.body) + sum(_FIELD_OVERHEAD + len(name) + len(value) for name, value in page.headers)
