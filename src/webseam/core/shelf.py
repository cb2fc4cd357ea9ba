"""Values kept in this process for a while, within a bound of bytes: what pages and extracts are read on from."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from webseam.core.deadline import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    value: T
    keys: set[str]
    at: float
    size: int


class Shelf(Generic[T]):
    """Values by one or more keys each: fresh for `seconds`, at most `max_bytes` together, the oldest go first."""

    def __init__(self, *, seconds: float, max_bytes: int, clock: Clock) -> None:
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._clock = clock
        self._kept: OrderedDict[str, _Kept[T]] = OrderedDict()
        self._bytes = 0

    def get(self, key: str) -> T | None:
        """The value kept under `key`, while it is fresh."""
        entry = self._kept.get(key)
        if entry is None:
            return None
        if self._clock() - entry.at > self._seconds:
            self._drop(entry)
            return None
        return entry.value

    def put(self, keys: Iterable[str], value: T, size: int) -> None:
        """Keep `value` under `keys`, whatever they held before; one larger than the shelf is not kept."""
        own = set(keys)
        for key in own:
            self._release(key)
        if size > self._max_bytes:
            return
        entry = _Kept(value, own, self._clock(), size)
        self._kept.update(dict.fromkeys(own, entry))
        self._bytes += size
        while self._bytes > self._max_bytes:
            self._drop(next(iter(self._kept.values())))

    def _drop(self, entry: _Kept[T]) -> None:
        for key in tuple(entry.keys):
            self._release(key)

    def _release(self, key: str) -> None:
        """Forget one key of a value; its bytes, counted once, go with its last key."""
        entry = self._kept.pop(key, None)
        if entry is not None:
            entry.keys.discard(key)
            self._bytes -= 0 if entry.keys else entry.size
