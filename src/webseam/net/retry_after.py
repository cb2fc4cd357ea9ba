"""`Retry-After` (RFC 9110 section 10.2.3), as seconds from now."""

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Final

from webseam.core.limits import RETRY_AFTER_SECONDS

_DIGITS: Final = 12
"""More digits than any delay has; int() of a long string is quadratic."""


def retry_after(value: str | None, *, now: Callable[[], float] = time.time) -> float | None:
    """Seconds to wait, between 0 and a day; None for what is neither a delay nor an HTTP date."""
    text = (value or "").strip()
    if not text:
        return None
    if text.isascii() and text.isdigit():
        return min(float(text[:_DIGITS]), RETRY_AFTER_SECONDS)
    try:
        when = parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return min(max(0.0, when - now()), RETRY_AFTER_SECONDS)
