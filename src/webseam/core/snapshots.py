"""Fetched pages kept for a while, so that `offset` reads on in the same text: protocol, and the default in memory."""

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol

from webseam.core.deadline import Clock
from webseam.core.errors import WebError
from webseam.core.limits import SNAPSHOT_BYTES, SNAPSHOT_SECONDS
from webseam.core.types import FetchResult
from webseam.core.url import Url


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A page as fetched and the whole text made of it; `digest` tells two versions of a page apart."""

    page: FetchResult
    text: str
    digest: str


class Snapshots(Protocol):
    """Keeps snapshots under the canonical URL asked and the final one, fragment off."""

    def get(self, url: str) -> Snapshot | None:
        """The snapshot kept for `url`, while it is fresh."""
        ...

    def put(self, url: str, snapshot: Snapshot) -> None:
        """Keep `snapshot` for `url` and for its final URL."""
        ...


def snapshot_key(url: str) -> str:
    """Canonical URL without its fragment (R168); a text that does not parse is its own key."""
    try:
        return Url.parse(url).document
    except WebError:
        return url


class MemorySnapshots:
    """Snapshots in this process: fresh for `seconds`, at most `max_bytes` of text and data, the oldest go first."""

    def __init__(
        self,
        *,
        seconds: float = SNAPSHOT_SECONDS,
        max_bytes: int = SNAPSHOT_BYTES,
        clock: Clock = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, int, Snapshot]] = OrderedDict()
        self._bytes = 0

    def get(self, url: str) -> Snapshot | None:
        """The snapshot kept for `url`, while it is fresh."""
        key = snapshot_key(url)
        entry = self._kept.get(key)
        if entry is None:
            return None
        if self._clock() - entry[0] > self._seconds:
            self._drop(key)
            return None
        return entry[2]

    def put(self, url: str, snapshot: Snapshot) -> None:
        """Keep `snapshot` for `url` and for its final URL; one larger than the store is not kept."""
        size = 2 * len(snapshot.text) + 2 * snapshot.page.received_bytes
        for key in {snapshot_key(url), snapshot_key(snapshot.page.url)}:
            self._drop(key)
            if size <= self._max_bytes:
                self._kept[key] = (self._clock(), size, snapshot)
                self._bytes += size
        while self._bytes > self._max_bytes:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: str) -> None:
        entry = self._kept.pop(key, None)
        if entry is not None:
            self._bytes -= entry[1]
