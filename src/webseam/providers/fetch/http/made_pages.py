"""What kept answers were made into: to decode a page and look for its signals costs more than all else of a hit."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final, TypeAlias

from webseam.core.limits import PAGES_MADE_BYTES
from webseam.core.pages import StoredPage
from webseam.core.snapshots import body_bytes
from webseam.core.types import FetchResult
from webseam.core.url import Url
from webseam.stores.pages import page_size

_Key: TypeAlias = tuple[str, str]

_OVERHEAD: Final = 1_000  # of a page's objects besides its texts and its answer
_NOTE_OVERHEAD: Final = 200  # of a note's objects besides its text


@dataclass(frozen=True, slots=True)
class _Entry:
    stored: StoredPage
    page: FetchResult
    size: int


class MadePages:
    """Pages by the kept answer they were made of, at most `max_bytes`; the one used longest ago goes first.

    The page itself is judged, permitted and found fresh by others, at each fetch: here is nothing but work that was
    done. It stands for exactly the same answer alone, and each tenant has its own, so that not even the time of a
    fetch tells one what another read.
    """

    def __init__(self, *, max_bytes: int = PAGES_MADE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[_Key, _Entry] = OrderedDict()
        self._bytes = 0

    @property
    def held(self) -> int:
        """Bytes that it holds, about."""
        return self._bytes

    def get(self, url: Url, tenant: str, stored: StoredPage) -> FetchResult | None:
        """What `stored`, the answer of `url`, was made into."""
        key = tenant, url.document
        entry = self._kept.get(key)
        if entry is None:
            return None
        if not _is_same(entry.stored, stored):
            self._release(key)
            return None
        self._kept.move_to_end(key)
        return entry.page

    def put(self, url: Url, tenant: str, stored: StoredPage, page: FetchResult) -> None:
        """Keep what it was made into; one larger than all of them may be is not kept."""
        key = tenant, url.document
        self._release(key)
        size = _OVERHEAD + 2 * len(url.document) + page_size(stored) + body_bytes(page.body) + _noted(page)
        if size > self._max_bytes:
            return
        self._kept[key] = _Entry(stored, page, size)
        self._bytes += size
        while self._bytes > self._max_bytes:
            self._release(next(iter(self._kept)))

    def drop(self, url: Url, tenant: str) -> None:
        """Forget what was made of an answer of `url`: it is kept no longer."""
        if self._kept:
            self._release((tenant, url.document))

    def _release(self, key: _Key) -> None:
        entry = self._kept.pop(key, None)
        self._bytes -= 0 if entry is None else entry.size


def _noted(page: FetchResult) -> int:
    return sum(_NOTE_OVERHEAD + len(note.detail or "") for note in page.notes)


def _is_same(one: StoredPage, other: StoredPage) -> bool:
    """Whether the same is made of both: a store may read an answer anew each time, and time passes."""
    return one is other or (
        one.status == other.status
        and one.proxied == other.proxied
        and one.headers == other.headers
        and one.body == other.body
    )
