"""Dates of feeds: what is written, in ISO 8601 where that says the same, and nothing more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.content.feed_dates import iso_date

KNOWN = [
    ("Tue, 10 Jun 2003 04:00:00 GMT", "2003-06-10T04:00:00Z"),
    ("Tue, 3 Jun 03 09:39:21 -0500", "2003-06-03T14:39:21Z"),
    ("10 Jun 2003 04:00 EST", "2003-06-10T09:00:00Z"),
    ("2003-06-10T04:00:00.123456+05:30", "2003-06-09T22:30:00Z"),
    ("2003-06-10T04:00:00-0330", "2003-06-10T07:30:00Z"),
    (" 2003-06-10\n", "2003-06-10"),
    ("Tue, 10 Jun 2003", "2003-06-10"),
    ("June 10, 2003", "2003-06-10"),
    ("1055217600", "2003-06-10"),
    ("2004\ub144 05\uc6d4 28\uc77c", "2004-05-28"),
]
NO_ZONE = [
    ("2003-06-10 04:00:00", "2003-06-10T04:00:00"),
    ("2003-06-10T04:05", "2003-06-10T04:05:00"),
    ("Tue, 10 Jun 2003 04:00:00", "2003-06-10T04:00:00"),
]
AS_WRITTEN = [
    "2003",
    "2003-06",
    "2003-W24-2",
    "10/06/2003",
    "10-06-2003",
    "0000-00-00T00:00:00Z",
    "Tue, 31 Feb 2003 04:00:00 GMT",
    "Tue, 10 Jun 2003 04:00:00 +2500",
    "Tue, 10 Jun 2003 04:00:00 XYZT",
    "10.06.2003 14:00",
    "0001-01-01T00:00:00+14:00",
    "yesterday",
]


@pytest.mark.req("feeds:dates")
@pytest.mark.parametrize(("written", "iso"), KNOWN)
def test_a_date_is_iso_in_utc(written: str, iso: str) -> None:
    assert iso_date(written) == iso


@pytest.mark.req("feeds:dates-honest")
@pytest.mark.parametrize(("written", "iso"), NO_ZONE)
def test_a_time_without_a_zone_is_given_none(written: str, iso: str) -> None:
    assert iso_date(written) == iso


@pytest.mark.req("feeds:dates-honest")
@pytest.mark.parametrize("written", AS_WRITTEN)
def test_what_says_less_or_something_else_stays_as_written(written: str) -> None:
    assert iso_date(written) == written


@pytest.mark.req("feeds:dates-honest")
@given(st.text("0123456789-:TZ+ JunMoGT,./", max_size=40) | st.datetimes().map(str))
def test_what_is_read_once_is_not_read_otherwise_again(written: str) -> None:
    made = iso_date(written)
    assert iso_date(made) == made
