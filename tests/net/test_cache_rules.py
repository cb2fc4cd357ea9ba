"""HTTP caching as pure rules (RFC 9111)."""

from email.utils import formatdate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.core.limits import PAGE_HEURISTIC_SECONDS, PAGE_LIFETIME_SECONDS, PAGE_NEGATIVE_SECONDS
from webseam.core.pages import Headers
from webseam.net.cache_rules import (
    conditions,
    confirmed,
    confirms,
    directives,
    freshness,
    kept_headers,
    may_be_stale,
    storable,
)

NOW = 1_800_000_000.0
DAY = 86_400.0


def _at(offset: float) -> str:
    return formatdate(NOW + offset, usegmt=True)


def _headers(**fields: str) -> Headers:
    return tuple((name.replace("_", "-"), value) for name, value in fields.items())


def _lifetime(status: int, fields: dict[str, str]) -> float:
    return freshness(status, _headers(**fields), requested=NOW, received=NOW).lifetime


@pytest.mark.req("cache:fresh:lifetime")
@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({"Cache_Control": "max-age=60"}, 60),
        ({"Cache_Control": 'public, MAX-AGE="60"'}, 60),
        ({"Cache_Control": "private, max-age=60", "Expires": _at(9)}, 60),
        ({"Cache_Control": "s-maxage=900, max-age=60"}, 60),
        ({"Cache_Control": "s-maxage=900"}, 0),
        ({"Cache_Control": "max-age=60, no-cache"}, 0),
        ({"Cache_Control": 'max-age=60, no-cache="set-cookie"'}, 0),
        ({"Cache_Control": "max-age=60, max-age=90"}, 0),
        ({"Cache_Control": "max-age=60, max-age=60"}, 60),
        ({"Cache_Control": "max-age=-1"}, 0),
        ({"Cache_Control": "max-age=1.5"}, 0),
        ({"Cache_Control": "max-age"}, 0),
        ({"Cache_Control": "max-age=" + "9" * 5_000}, PAGE_LIFETIME_SECONDS),
        ({"Cache_Control": "x-max-age=60"}, 0),
        ({"Cache_Control": ',;= "max-age=7" , , max-age = 60'}, 0),
        ({"Expires": _at(60), "Date": _at(0)}, 60),
        ({"Expires": _at(60), "Date": _at(-30)}, 90),
        ({"Expires": _at(60)}, 60),
        ({"Expires": _at(-60)}, 0),
        ({"Expires": "0"}, 0),
        ({"Expires": "Fri Jan 15 08:01:00 2027", "Date": "Fri, 15 Jan 2027 08:00:00 GMT"}, 60),
        ({"Expires": "Friday, 15-Jan-27 08:01:00 GMT", "Date": "Fri, 15 Jan 2027 08:00:00 GMT"}, 60),
        ({"Last_Modified": _at(-1_000)}, 100),
        ({"Last_Modified": _at(-90 * DAY)}, PAGE_HEURISTIC_SECONDS),
        ({"Last_Modified": _at(50)}, 0),
        ({}, 0),
    ],
)
def test_how_long_a_page_is_fresh(fields: dict[str, str], seconds: float) -> None:
    assert _lifetime(200, fields) == pytest.approx(seconds)


@pytest.mark.req("cache:fresh:lifetime")
def test_expires_lines_that_contradict_each_other_make_a_page_stale() -> None:
    twice = (("Expires", _at(60)), ("Expires", _at(90)))
    assert freshness(200, twice, requested=NOW, received=NOW).lifetime == 0


@pytest.mark.req("cache:negative")
@pytest.mark.parametrize(
    ("status", "fields", "seconds"),
    [
        (404, {}, PAGE_NEGATIVE_SECONDS),
        (410, {"Cache_Control": "max-age=5"}, 5),
        (404, {"Cache_Control": "max-age=5000"}, PAGE_NEGATIVE_SECONDS),
        (503, {"Cache_Control": "max-age=5000"}, PAGE_NEGATIVE_SECONDS),
        (404, {"Cache_Control": "no-cache"}, 0),
        (403, {"Last_Modified": _at(-DAY)}, 0),
    ],
)
def test_errors_are_fresh_for_a_short_time(status: int, fields: dict[str, str], seconds: float) -> None:
    assert _lifetime(status, fields) == seconds


@pytest.mark.req("cache:fresh:age")
@pytest.mark.parametrize(
    ("fields", "took", "age"),
    [
        ({}, 0, 0),
        ({"Age": "30"}, 2, 32),
        ({"Age": "30", "Date": _at(-90)}, 2, 90),
        ({"Date": _at(90)}, 0, 0),
        ({"Age": "nonsense"}, 0, 0),
        ({"Age": "-5"}, 0, 0),
        ({"Age": "30, 5"}, 0, 30),
        ({}, 7, 7),
    ],
)
def test_how_old_an_answer_is_when_it_comes(fields: dict[str, str], took: float, age: float) -> None:
    assert freshness(200, _headers(**fields), requested=NOW - took, received=NOW).age == pytest.approx(age)


@pytest.mark.req("cache:unkept")
@pytest.mark.parametrize(
    ("status", "fields", "may"),
    [
        (200, {}, True),
        (301, {}, True),
        (302, {}, False),
        (302, {"Cache_Control": "max-age=9"}, True),
        (307, {"Expires": _at(9)}, True),
        (206, {"Cache_Control": "max-age=9"}, False),
        (304, {"Cache_Control": "max-age=9"}, False),
        (500, {}, False),
        (500, {"Cache_Control": "max-age=9"}, True),
        (200, {"Cache_Control": "no-store"}, False),
        (200, {"Cache_Control": "NO-STORE , max-age=9"}, False),
        (200, {"Cache_Control": 'x="no-store"'}, True),
        (200, {"Vary": "*"}, False),
        (200, {"Vary": "Accept, User-Agent"}, True),
    ],
)
def test_what_may_be_kept(status: int, fields: dict[str, str], may: bool) -> None:  # noqa: FBT001 - a table's column
    assert storable(status, _headers(**fields)) is may


@pytest.mark.req("cache:stale:forbidden")
def test_what_a_server_says_about_stale_use() -> None:
    assert may_be_stale(_headers(Cache_Control="max-age=1"))
    assert not may_be_stale(_headers(Cache_Control="max-age=1, must-revalidate"))
    assert not may_be_stale(_headers(Cache_Control="no-cache"))


@pytest.mark.req("cache:revalidate:sent")
@pytest.mark.parametrize("tag", ['"a\r\nX: y"', '"é"', '"' + "x" * 1_024 + '"', ""])
def test_a_validator_that_is_long_or_not_printable_is_not_sent(tag: str) -> None:
    assert conditions((("ETag", tag),)) == {}
    assert conditions((("ETag", 'W/"x"'), ("Last-Modified", _at(0)))) == {
        "If-None-Match": 'W/"x"',
        "If-Modified-Since": _at(0),
    }


@pytest.mark.req("cache:revalidate:changed")
@pytest.mark.parametrize(
    ("kept", "answer", "same"),
    [
        ({"ETag": '"a"'}, {"ETag": '"a"'}, True),
        ({"ETag": 'W/"a"'}, {"ETag": '"a"'}, True),
        ({"ETag": '"a"'}, {"ETag": '"b"'}, False),
        ({"ETag": '"a"'}, {}, True),
        ({"Last_Modified": "x"}, {"Last_Modified": "y"}, False),
        ({"Last_Modified": "x"}, {"ETag": '"b"'}, False),
    ],
)
def test_which_page_a_304_is_about(kept: dict[str, str], answer: dict[str, str], same: bool) -> None:  # noqa: FBT001 - a table's column
    assert confirms(_headers(**kept), _headers(**answer)) is same


@pytest.mark.req("cache:revalidate:confirmed")
def test_a_304_renews_headers_but_not_those_of_the_body() -> None:
    kept = _headers(Date=_at(-9), Content_Type="text/html", Content_Length="9", X_A="1")
    answer = _headers(date=_at(0), Content_Type="text/plain", Content_Length="0", Set_Cookie="a=b", Connection="close")

    assert dict(confirmed(kept, answer)) == {
        "Content-Type": "text/html",
        "Content-Length": "9",
        "X-A": "1",
        "date": _at(0),
    }


@pytest.mark.req("cache:disk:own")
def test_headers_of_the_connection_and_cookies_are_not_kept() -> None:
    given = _headers(Connection="X-Hop, close", X_Hop="1", Set_Cookie="s=1", Transfer_Encoding="chunked", Link="<a>")

    assert kept_headers(given) == (("Link", "<a>"),)


_FIELDS = st.sampled_from(
    ["Cache-Control", "Expires", "Date", "Age", "Last-Modified", "Vary", "ETag", "Connection", "X"]
)
_VALUES = st.one_of(
    st.text(max_size=40),
    st.from_regex(r'(max-age|no-cache|no-store|private|public)(=("?[0-9]{0,12}"?)?)?([, ;"=\\]{0,3})', fullmatch=True),
    st.integers(-(10**12), 10**12).map(str),
    st.floats(-1e9, 4e9).map(lambda at: formatdate(at, usegmt=True)),
)
_ANY = st.lists(st.tuples(_FIELDS, _VALUES), max_size=6).map(tuple)


@pytest.mark.req("cache:fresh:lifetime", "cache:fresh:age")
@given(_ANY, st.integers(200, 599), st.floats(0, 4e9), st.floats(0, 1e6))
def test_no_header_breaks_a_rule_and_times_stay_in_bounds(
    headers: Headers, status: int, received: float, took: float
) -> None:
    fresh = freshness(status, headers, requested=received - took, received=received)

    assert 0 <= fresh.lifetime <= PAGE_LIFETIME_SECONDS
    assert fresh.age >= 0
    assert fresh.lifetime <= PAGE_NEGATIVE_SECONDS or status < 400
    assert all(value.isascii() and value.isprintable() for value in conditions(headers).values())
    assert storable(status, headers) in (True, False)
    assert storable(status, (*headers, ("cache-control", "no-store"))) is False or _swallowed(headers)


def _swallowed(headers: Any) -> bool:
    """Whether an open quotation mark before it makes a directive part of a string."""
    return any(name == "Cache-Control" and '"' in value for name, value in headers)


@pytest.mark.req("cache:fresh:lifetime")
@pytest.mark.parametrize("piece", [",", " ", '="', "a=\\", 'a="\\"', "a ", '"', "=,"])
def test_a_header_of_64_kb_is_read_in_one_pass(piece: str) -> None:
    line = piece * (64_000 // len(piece)) + ", no-store"

    assert len(directives((("Cache-Control", line),))) < 5
