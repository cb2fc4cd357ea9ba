"""Dates of feeds: RFC 822 and W3C-DTF in ISO 8601; nothing is made up that is not written. Pure."""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from typing import Final

from webseam.core.dates import parse_day

_ISO: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?[ ]?(?:([Zz]|UTC|GMT)|([+-])(\d\d):?(\d\d))?",
    re.ASCII,
)
_SHORT: Final = re.compile(r"\d{4}(?:-\d\d)?", re.ASCII)
_RFC_822: Final = re.compile(
    r"(?:[a-z]{3,9},? +)?\d{1,2}[ -][a-z]{3,9}\.?[ -](?:\d{2}|\d{4}) +\d{1,2}:\d\d(?::\d\d)?"
    r"(?: +(UTC?|GMT|Z|[ECMP][SD]T|[+-]\d{4}))?",
    re.ASCII | re.IGNORECASE,
)
_MOST_MINUTES: Final = 14 * 60  # the farthest zone from UTC


def iso_date(written: str) -> str:
    """A date in ISO 8601 with as much as is written of it, in UTC where it names its zone; else as written."""
    text = " ".join(written.split())
    if _SHORT.fullmatch(text):
        return text
    found = _from_iso(text) or _from_rfc_822(text)
    if found is not None:
        return found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if found.tzinfo else found.isoformat()
    day = None if ":" in text else parse_day(text)
    return text if day is None else day.isoformat()


def _from_iso(text: str) -> datetime | None:
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    day, hour, minute, second, utc, sign, ahead, rest = found.groups()
    minutes = 0 if utc else None if sign is None else int(f"{sign}1") * (60 * int(ahead) + int(rest))
    return _made(f"{day}T{hour}:{minute}:{second or '00'}", minutes)


def _from_rfc_822(text: str) -> datetime | None:
    """Zones are those of RFC 822 section 5.1 but for the military ones, which many got wrong (RFC 5322 section 4.3)."""
    found = _RFC_822.fullmatch(text)
    parsed = None if found is None else parsedate_tz(text)
    if found is None or parsed is None:
        return None
    year, month, day, hour, minute, second = parsed[:6]
    offset = parsed[9] if found[1] else None
    return _made(
        f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}", None if offset is None else offset // 60
    )


def _made(text: str, minutes: int | None) -> datetime | None:
    """The time, `minutes` ahead of UTC; None where there is no such time."""
    if minutes is not None and abs(minutes) > _MOST_MINUTES:
        return None
    try:
        found = datetime.fromisoformat(text)
        return found if minutes is None else found.replace(tzinfo=timezone(timedelta(minutes=minutes))).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
