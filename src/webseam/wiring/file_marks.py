"""Whether a file has changed since it was read, without reading it."""

import os
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Final, TypeVar

from webseam.core.limits import FILE_SETTLED_SECONDS

T = TypeVar("T")

_SETTLED_NS: Final = int(FILE_SETTLED_SECONDS * 1e9)


def mark_of(path: Path) -> Hashable:
    """Equal to an earlier mark only where the file is what it was then; take it before the file is read.

    A change within one tick of the file system's clock leaves size and times as they were, so that the mark of a file
    that was changed just now equals no other.
    """
    try:
        facts = os.stat(path)  # noqa: PTH116 - with every call, and `Path.stat` takes twice as long
    except (OSError, ValueError):  # whoever reads it tells what is wrong
        return None
    if time.time_ns() - max(facts.st_mtime_ns, facts.st_ctime_ns) < _SETTLED_NS:
        return object()
    return facts.st_dev, facts.st_ino, facts.st_mode, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns


def while_same(work: Callable[[], T], state: Callable[[], object]) -> Callable[[], T]:
    """`work`, whose last answer stands as long as `state` is equal to what it was before it."""
    last: list[tuple[object, T]] = []

    def answer() -> T:
        now = state()
        if not last or last[0][0] != now:
            last[:] = [(now, work())]
        return last[0][1]

    return answer
