"""HTTP dates (RFC 9110 section 5.6.7) as seconds since 1970."""

from datetime import UTC
from email.utils import parsedate_to_datetime


def http_date(text: str | None) -> float | None:
    """A date in any of the three forms; None for what is none. One that names no zone, as asctime's, is UTC."""
    if not text:
        return None
    try:
        when = parsedate_to_datetime(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
