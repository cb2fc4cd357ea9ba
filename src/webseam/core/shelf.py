"""Values kept in this process for a while, within a bound of bytes: what pages and extracts are read on from."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from webseam.core.deadline import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    value: T
    keys: set[str]
    at: float
    size: int


class Room:
    """What several shelves hold at most together: the value that was used longest ago on any of them goes first.

    `each` is what a value takes besides its size: of small ones there are many.
    """

    def __init__(self, max_bytes: int, *, each: int = 0) -> None:
        self._max_bytes = max_bytes
        self._each = each
        self._held: OrderedDict[int, tuple[_Kept[Any], Callable[[], None]]] = OrderedDict()
        self._bytes = 0

    @property
    def largest(self) -> int:
        """The size of the largest value that fits."""
        return self._max_bytes - self._each

    def take(self, entry: _Kept[Any], drop: Callable[[], None]) -> None:
        """Count a value; `drop` takes it off its shelf when others need its place."""
        self._held[id(entry)] = entry, drop
        self._bytes += entry.size + self._each
        while self._bytes > self._max_bytes:
            next(iter(self._held.values()))[1]()

    def used(self, entry: _Kept[Any]) -> None:
        """The value was asked for."""
        self._held.move_to_end(id(entry))

    def left(self, entry: _Kept[Any]) -> None:
        """The value is on its shelf no longer."""
        if self._held.pop(id(entry), None) is not None:
            self._bytes -= entry.size + self._each


class Shelf(Generic[T]):
    """Values by one or more keys each: fresh for `seconds`, at most `max_bytes` together, the oldest go first.

    With a `room`, which other shelves share, they also go when all of those together are too many.
    """

    def __init__(self, *, seconds: float, max_bytes: int, clock: Clock, room: Room | None = None) -> None:
        self._seconds = seconds
        self._max_bytes = max_bytes if room is None else min(max_bytes, room.largest)
        self._clock = clock
        self._room = room
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
        if self._room is not None:
            self._room.used(entry)
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
        if self._room is not None:
            self._room.take(entry, lambda: self._drop(entry))

    def clear(self) -> None:
        """Forget everything."""
        while self._kept:
            self._drop(next(iter(self._kept.values())))

    def _drop(self, entry: _Kept[T]) -> None:
        for key in tuple(entry.keys):
            self._release(key)

    def _release(self, key: str) -> None:
        """Forget one key of a value; its bytes, counted once, go with its last key."""
        entry = self._kept.pop(key, None)
        if entry is not None:
            entry.keys.discard(key)
            if not entry.keys:
                self._bytes -= entry.size
                if self._room is not None:
                    self._room.left(entry)
