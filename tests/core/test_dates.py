"""Days as vendors write them: what is read, what is not, and that nothing is ever raised."""

from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from webseam.core.dates import parse_day

DAY = date(2026, 3, 2)
READ = [
    "2026-03-02",
    "2026-3-2",
    "2026/03/02",
    "2026/3/2 09:05",
    "2026-03-02T10:15:00Z",
    "2026-03-02T10:15:00.000Z",
    "2026-03-02T10:15:00.123456+02:00",
    "2026-03-02T10:15:00-0500",
    "2026-03-02T10:15+01",
    "2026-03-02T24:00:00",
    "2026-03-02t10:15z",
    "2026-03-02 10:15:00",
    "2026-03-02 10:15:00 UTC",
    "2026-03-02 10:15:00 +0000",
    "  2026-03-02\n",
    "20260302",
    "20260302T101500Z",
    "20260302T1015",
    "Mon, 02 Mar 2026 10:15:00 GMT",
    "Mon, 2 Mar 2026 10:15:00 +0100",
    "Mon, 02 Mar 2026 10:15:00 +0000 (UTC)",
    "02 Mar 2026 10:15 EST",
    "Mon, 02 Mar 26 10:15:00 GMT",
    "02 Mar 26 10:15 Z",
    "March 2, 2026",
    "Mar 2, 2026",
    "Mar. 2, 2026",
    "MARCH 2 2026",
    "march 2nd, 2026",
    "Monday, March 2, 2026",
    "Monday, March 2, 2026, 10:15 AM UTC",
    "Mar 2, 2026 at 10:15 p.m.",
    "2 March 2026",
    "2nd March 2026",
    "2 Mar 2026, 10:15",
    "2026.3.2",
    "2026.03.02 10:15",
    "202603021015",
    "20260302101500",
    "2026\u5e743\u67082\u65e5",
    "2026\u5e7403\u670802\u65e5 10:15",
    "2026\ub144 3\uc6d4 2\uc77c",
    "02-Mar-2026",
    "2-Mar-2026 10:15:00",
    "Mon Mar  2 10:15:00 2026",
    "Mon Mar 02 10:15:00 UTC 2026",
    "1772444100",
    "1772444100.25",
    "1772444100000",
]
NOT_READ = [
    "",
    " ",
    "3 days ago",
    "yesterday",
    "today",
    "2 hours ago",
    "02/03/2026",
    "2/3/26",
    "02-03-2026",
    "02.03.2026",
    "2026.03-02",
    "2 Mar-2026",
    "20261301101500",
    "2026\u5e743\u6708",
    "2026",
    "2026-03",
    "March 2026",
    "Mar 2",
    "2026-02-30",
    "2026-13-01",
    "2026-00-10",
    "0000-01-01",
    "20261301",
    "2026-03/02",
    "2026-03-02T",
    "2026-03-02T25:00",
    "2026-03-02T10:61",
    "2026-03-02 or later",
    "from 2026-03-02",
    "2 Mar 26",
    "Marsh 2, 2026",
    "32 March 2026",
    "12345678901",
    "-1772444100",
    "1772444100 s",
    "99999999",
    "1.5",
    "\u0662\u0660\u0662\u0666-\u0660\u0663-\u0660\u0662",
    "2026-03-02\x00",
    "2026-03-02" + " " * 80,
    "\ud800",
]


@pytest.mark.req("core:dates:read")
@pytest.mark.parametrize("text", READ)
def test_a_day_is_read_in_the_forms_that_vendors_send(text: str) -> None:
    assert parse_day(text) == DAY


@pytest.mark.req("core:dates:not-read")
@pytest.mark.parametrize("text", NOT_READ)
def test_what_is_relative_ambiguous_or_nonsense_is_no_day(text: str) -> None:
    assert parse_day(text) is None


@pytest.mark.req("core:dates:read")
def test_two_digits_of_a_year_mean_the_century_that_mail_gives_them() -> None:
    assert parse_day("06 Nov 94 08:49:37 GMT") == date(1994, 11, 6)
    assert parse_day("06 Nov 49 08:49 GMT") == date(2049, 11, 6)
    assert parse_day("06 Nov 50 08:49 GMT") == date(1950, 11, 6)


MOMENTS = st.datetimes(datetime(1974, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - as hypothesis takes its bounds
WRITERS = st.sampled_from(
    [
        datetime.isoformat,
        lambda moment: moment.date().isoformat(),
        lambda moment: moment.strftime("%Y/%m/%d"),
        lambda moment: moment.strftime("%Y%m%d"),
        lambda moment: moment.strftime("%B %d, %Y"),
        lambda moment: moment.strftime("%b %d, %Y"),
        lambda moment: moment.strftime("%d %B %Y"),
        lambda moment: moment.strftime("%A, %d %b %Y %H:%M:%S GMT"),
        lambda moment: format_datetime(moment, usegmt=True),
        lambda moment: str(int(moment.timestamp())),
        lambda moment: str(int(moment.timestamp() * 1000)),
    ]
)


@pytest.mark.req("core:dates:read")
@given(moment=MOMENTS, write=WRITERS)
def test_a_written_moment_is_read_back_as_its_day(moment: datetime, write: object) -> None:
    assert callable(write)
    written = write(moment)
    assume(moment.year != 1976 or len(written) != 12)  # milliseconds that read as 199001011200
    assert parse_day(written) == moment.date()


@pytest.mark.req("core:dates:not-read")
@given(
    st.text()
    | st.text("0123456789-/:TZ+. ,", max_size=40)
    | st.lists(st.sampled_from(["Mon,", "Mar", "2", "2nd", "2026", "26", "10:15", "GMT", "at", ","])).map(" ".join)
)
def test_any_text_is_a_day_or_none(text: str) -> None:
    day = parse_day(text)
    assert day is None or date.min <= day <= date.max


@pytest.mark.req("core:dates:read")
@given(st.dates(), st.integers(-14, 14), st.times())
def test_the_day_is_the_written_one_whatever_the_zone(day: date, hours: int, time: object) -> None:
    zone = f"{'-' if hours < 0 else '+'}{abs(hours):02}:00"
    assert parse_day(f"{day.isoformat()}T{time}{zone}") == day
    assert abs(timedelta(hours=hours)) < timedelta(days=1)  # so a day either way covers every zone
