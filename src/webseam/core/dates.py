"""Days as vendors write them, for comparison only: what a result shows stays the vendor's own string."""

import re
from datetime import UTC, date, datetime
from functools import cache
from typing import Final

_LONGEST: Final = 64  # characters; the longest form read here, with weekday, time and zone, has fewer than 50

_TIME: Final = r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?"
_ZONE: Final = r" ?(?:z|[a-z]{2,5}|(?:utc|gmt)?[+-]\d{2}(?::?\d{2})?)(?: \([a-z]{1,5}\))?"
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY: Final = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? )?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>\d{4})"
_STAMP: Final = r"(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>[0-3]\d)(?:[01]\d|2[0-3])[0-5]\d"
_LATER: Final = rf"(?:(?:,? at |, | )?{_TIME}(?:{_ZONE})?)?"

_FORMS: Final = (
    rf"{_YEAR}(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?:[t ]{_TIME}(?:{_ZONE})?)?",  # ISO
    rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?:t\d{{4}}(?:\d\d)?(?:{_ZONE})?)?",  # ISO 8601 basic
    rf"{_STAMP}(?:\d\d)?",  # 202603021015: before epoch time, of which it would be a day of 1976
    rf"{_YEAR} ?[\u5e74\ub144] ?(?P<month>\d\d?) ?[\u6708\uc6d4] ?(?P<day>\d\d?) ?[\u65e5\uc77c](?: {_TIME})?",  # CJK
    rf"{_WEEKDAY}{_MONTH} {_DAY},? {_YEAR}{_LATER}",  # March 2, 2026
    rf"{_WEEKDAY}{_DAY}(?P<mark>[ -]){_MONTH}(?:,? |(?P=mark)){_YEAR}{_LATER}",  # 2 March 2026, 2-Mar-2026, RFC 1123
    rf"{_WEEKDAY}{_MONTH} {_DAY} {_TIME}(?:{_ZONE})? {_YEAR}",  # asctime (RFC 9110 section 5.6.7), `date`
    rf"{_WEEKDAY}{_DAY} {_MONTH} (?P<year>\d\d) {_TIME}{_ZONE}",  # RFC 822: the time tells the year from a day
)
_EPOCH: Final = r"(?P<seconds>\d{9,10})(?:\.\d{1,9})?|(?P<milliseconds>\d{12,13})"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled for the first date: it takes milliseconds, and most processes never compare one."""
    return re.compile(pattern, re.ASCII | re.IGNORECASE)


def parse_day(text: str) -> date | None:
    """The day that `text` names, as written there; for an epoch time the day in UTC.

    Read are ISO 8601 days with or without time and zone, the same with slashes, dots or the signs of Chinese, Japanese
    and Korean, RFC 1123, RFC 822 and asctime dates, English month names, and epoch seconds from 1973 or milliseconds
    from 1977 on. What is relative ("3 days ago"), ambiguous ("02/03/2026") or longer than 64 characters is None.
    Nothing is raised.
    """
    if len(text) > _LONGEST:
        return None
    bare = " ".join(text.split())
    found = next((match for form in _FORMS if (match := _compiled(form).fullmatch(bare))), None)
    try:
        return _epoch_day(bare) if found is None else _named_day(found)
    except ValueError:  # no day of the calendar, such as February 30
        return None


def _named_day(found: re.Match[str]) -> date:
    month = found["month"]
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
    return date(_whole_year(found["year"]), number, int(found["day"]))


def _whole_year(year: str) -> int:
    """Two digits as RFC 5322 section 4.3 reads them: 00 to 49 are this century's."""
    if len(year) > 2:  # noqa: PLR2004 - a year in full
        return int(year)
    return int(year) + (2000 if year < "50" else 1900)


def _epoch_day(bare: str) -> date | None:
    found = _compiled(_EPOCH).fullmatch(bare)
    if found is None:
        return None
    seconds = int(found["seconds"]) if found["seconds"] else int(found["milliseconds"]) // 1000
    return datetime.fromtimestamp(seconds, UTC).date()
