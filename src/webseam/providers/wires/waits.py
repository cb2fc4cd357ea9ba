"""How long a vendor asks us to wait: every way in which one says so, as seconds from now.

`Retry-After` and its kin are said about this very request and win. Next comes what the body names. The headers of rate
windows are sent with every answer, so they speak only where the status says that a window is used up.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import zip_longest
from math import isnan
from typing import Any, Final

from webseam.core.limits import RETRY_AFTER_SECONDS
from webseam.net.http_date import http_date
from webseam.net.retry_after import retry_after

_THROTTLING: Final = frozenset({429, 503})  # RFC 6585 section 4, RFC 9110 section 15.6.4
_FIRECRAWL: Final = "retryAfterSeconds"
_BODY_NAMES: Final = (*("retry_after_seconds", "retry_after", "retryAfter", "retryDelay"), _FIRECRAWL)
"""Tavily's, Valyu's, Jina's, Google's and Firecrawl's."""

_WINDOW: Final = re.compile(r"(x-)?ratelimit-reset(-[a-z-]{1,40})?|anthropic-ratelimit-[a-z-]{1,40}-reset", re.ASCII)
_WINDOWS: Final = 32
"""Windows that are read; the vendor with the most (Anthropic) has eight headers of one each."""

_NUMBER: Final = re.compile(r"\d{1,15}(\.\d{1,9})?", re.ASCII)
_DURATION: Final = re.compile(
    r"((\d{1,9})h)?((\d{1,9})m(?!s))?((\d{1,9}(?:\.\d{1,9})?)s)?((\d{1,9}(?:\.\d{1,9})?)ms)?", re.ASCII
)
_EPOCH_SECONDS: Final = 1_000_000_000.0
"""A reset from here on is a point in time (this one is in 2001); a delay this long would be 31 years."""

_EPOCH_MILLISECONDS: Final = 100_000_000_000.0
"""A reset from here on is a point in time in milliseconds (1973); in seconds it would be in the year 5138."""


def seconds_to_wait(
    status: int, headers: Mapping[str, str], payload: Any, *, now: Callable[[], float] = time.time
) -> float | None:
    """Seconds to wait before this request may succeed, from 0 to a day; None where nothing is said. Never raises.

    Args:
        status: the HTTP status; reset headers count with 429 and 503 only.
        headers: lower-case names.
        payload: the body, where it is JSON.
        now: the wall clock, for points in time; the server's own `Date` wins, because our clock may be wrong.
    """
    sent = http_date(headers.get("date"))
    server: Callable[[], float] = now if sent is None else lambda: sent
    told = _milliseconds(headers.get("retry-after-ms", ""))
    if told is None:
        told = retry_after(headers.get("retry-after"), now=server)
    if told is None:
        told = named_wait(payload)
    if told is None and status in _THROTTLING:
        told = _window_wait(headers, server)
    return None if told is None else _bounded(told)


def named_wait(payload: Any) -> float | None:
    """Seconds that an error body itself names, from 0 to a day."""
    for part in (*parts(payload), *_details(payload)):
        for name in _BODY_NAMES:
            told = _amount(part.get(name))
            if told is not None:
                return _bounded(told)
    return None


def parts(payload: Any) -> Iterator[Mapping[str, Any]]:
    """An error body and what it wraps; Google may send it as a list of one."""
    if isinstance(payload, list) and len(payload) == 1:
        payload = payload[0]
    if isinstance(payload, dict):
        yield payload
        yield from (part for name in ("error", "detail") if isinstance(part := payload.get(name), dict))


def _details(payload: Any) -> Iterator[Mapping[str, Any]]:
    """Google's typed details (google.rpc.RetryInfo stands among them), a list inside the error; Firecrawl's object."""
    for part in parts(payload):
        details = part.get("details")
        if isinstance(details, list):
            yield from (one for one in details if isinstance(one, dict))
        elif isinstance(details, dict) and _FIRECRAWL in details:
            yield details


def _bounded(seconds: float) -> float:
    return float(min(max(seconds, 0), RETRY_AFTER_SECONDS))


# Values ------------------------------------------------------------------------------------------------


def _milliseconds(field: str) -> float | None:
    bare = field.strip()
    return float(bare) / 1_000 if _NUMBER.fullmatch(bare) else None


def _amount(value: object) -> float | None:
    """Seconds as a number, or as text: `30`, `0.5s`, `6m0s`, `120ms`."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return None if isinstance(value, float) and isnan(value) else _bounded(value)
    return _duration(value.strip()) if isinstance(value, str) else None


def _duration(text: str) -> float | None:
    if _NUMBER.fullmatch(text):
        return float(text)
    found = _DURATION.fullmatch(text) if text else None
    if found is None:
        return None
    hours, minutes, seconds, milliseconds = (float(found[group] or 0) for group in (2, 4, 6, 8))
    return hours * 3_600 + minutes * 60 + seconds + milliseconds / 1_000


def _instant(text: str) -> float | None:
    """A point in time of RFC 3339 as seconds since the epoch; without an offset it is UTC."""
    try:
        when = datetime.fromisoformat(text)
        return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


# Rate windows ------------------------------------------------------------------------------------------


def _window_wait(headers: Mapping[str, str], now: Callable[[], float]) -> float | None:
    """Until every window that is used up is free again; where none says so, until the first one is."""
    windows = [window for name in headers if _WINDOW.fullmatch(name) for window in _windows(headers, name, now)]
    used_up = [seconds for is_used_up, seconds in windows if is_used_up]
    return max(used_up) if used_up else min((seconds for _, seconds in windows), default=None)


def _windows(headers: Mapping[str, str], name: str, now: Callable[[], float]) -> Iterator[tuple[bool, float]]:
    """Whether each window of one header is used up, and seconds until it is free: Brave lists several in one."""
    resets = headers[name].split(",")[:_WINDOWS]
    remaining: Iterable[str] = headers.get(name.replace("reset", "remaining"), "").split(",")[: len(resets)]
    for reset, left in zip_longest(resets, remaining, fillvalue=""):
        seconds = _until(reset.strip(), now)
        if seconds is not None:
            yield left.strip() == "0", seconds


def _until(text: str, now: Callable[[], float]) -> float | None:
    """A reset as vendors write it: a delay, or a point in time in seconds, milliseconds or RFC 3339."""
    told = _duration(text)
    if told is None:
        instant = _instant(text)
        return None if instant is None else _bounded(instant - now())
    if told >= _EPOCH_MILLISECONDS:
        return _bounded(told / 1_000 - now())
    return _bounded(told - now()) if told >= _EPOCH_SECONDS else _bounded(told)
