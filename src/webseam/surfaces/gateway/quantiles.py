"""Percentiles of times, as people are shown them."""

from collections.abc import Sequence
from math import ceil
from typing import Final

_MICRO: Final = 1_000


def percentile(ordered: Sequence[int], share: float) -> float | None:
    """The smallest time that `share` of all did not exceed (nearest rank), in milliseconds; None of none.

    Args:
        ordered: whole microseconds, the shortest first.
        share: from 0 to 1.
    """
    if not ordered:
        return None
    return in_milliseconds(ordered[max(0, ceil(share * len(ordered)) - 1)])


def in_milliseconds(micro: int) -> float:
    """Whole microseconds as people are shown them."""
    return round(micro / _MICRO, 1)
