"""Spans of days for vendors that want both ends of one."""

from datetime import date
from typing import Final

from webseam.core.forms import Checked

FIRST: Final = date(1970, 1, 1)
LAST: Final = date(2099, 12, 31)
"""Stand for an end that was not asked: no page on the web was published before or after."""


def span(controls: Checked, first: date = FIRST, last: date = LAST) -> tuple[date, date] | None:
    """First and last day, both inclusive; `first` or `last` where an end is open. None when no day is asked.

    An open end never lies on the wrong side of the other: a vendor might take such a span for none.
    """
    after, before = controls.after, controls.before
    if after is None and before is None:
        return None
    return after or min(first, before or first), before or max(last, after or last)


def compact(day: date) -> str:
    """`20260302`: eight digits in every year, which `strftime` does not promise."""
    return f"{day.year:04}{day:%m%d}"


def american(day: date) -> str:
    """`03/02/2026`, in ten characters in every year."""
    return f"{day:%m/%d}/{day.year:04}"


def google_span(controls: Checked) -> str | None:
    """The span in the words of Google's parameter `tbs`, for vendors that pass it on."""
    days = span(controls)
    return None if days is None else f"cdr:1,cd_min:{american(days[0])},cd_max:{american(days[1])}"
