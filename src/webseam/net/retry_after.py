"""`Retry-After` (RFC 9110 section 10.2.3), as seconds from now."""

import time
from collections.abc import Callable
from typing import Final

from webseam.core.limits import RETRY_AFTER_SECONDS
from webseam.net.http_date import http_date

_DIGITS: Final = 12
"""More digits than any delay has; int() of a long string is quadratic."""


def retry_after(value: str | None, *, now: Callable[[], float] = time.time, age: float = 0.0) -> float | None:
    """Seconds to wait, between 0 and a day; None for what is neither a delay nor an HTTP date.

    Args:
        value: of the header.
        now: seconds since 1970.
        age: seconds since the answer came, where it was kept: a delay counts from then, a date does not.
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return min(max(0.0, float(text[:_DIGITS]) - age), RETRY_AFTER_SECONDS)
    when = http_date(text)
    return None if when is None else min(max(0.0, when - now()), RETRY_AFTER_SECONDS)
