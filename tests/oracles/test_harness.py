"""The comparison itself: what it must notice, without any SDK."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.fields import ABSENT, ANY, Difference, compare, read, sent
from webseam.testing import VendorCall

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=3)
FIELDS = st.dictionaries(st.text("abc.", min_size=1, max_size=5), LEAVES, min_size=1, max_size=6)

REQUEST = VendorCall(
    method="POST",
    target="/v1/search?q=kelp&page=&site=a&site=b",
    headers=(
        ("host", "127.0.0.1:1"),
        ("x-stainless-os", "Linux"),
        ("accept", "text/html"),
        ("accept", "text/plain"),
        ("x-api-key", "k"),
    ),
    body=b'{"query": "kelp", "domains": ["a", "b"], "contents": {"highlights": true, "none": null},'
    b' "m": [{"t": "x"}], "e": {}}',
)


@pytest.mark.req("search:oracle:drift")
def test_a_request_is_every_field_of_it_but_the_transports() -> None:
    assert sent(REQUEST) == {
        "method": "POST",
        "path": "/v1/search",
        "query.q": "kelp",
        "query.page": "",
        "query.site": ["a", "b"],
        "header.accept": "text/html, text/plain",
        "header.x-api-key": "k",
        "body.query": "kelp",
        "body.domains": ["a", "b"],
        "body.contents.highlights": True,
        "body.contents.none": None,
        "body.m.0.t": "x",
        "body.e": {},
    }


@pytest.mark.req("search:oracle:drift")
def test_what_is_empty_in_a_result_is_absent() -> None:
    result = {"content": "", "sources": [{"url": "https://kelp.example/", "title": None}], "usage": None, "dropped": 3}
    assert read(result) == {"sources.0.url": "https://kelp.example/"}


@pytest.mark.req("search:oracle:drift")
@given(FIELDS)
def test_equal_sides_need_no_explanation(fields: dict[str, Any]) -> None:
    verdict = compare(fields, dict(fields), ())
    assert (verdict.faults, verdict.found, verdict.fields) == ((), (), len(fields))


@pytest.mark.req("search:oracle:drift")
@given(FIELDS, st.data())
def test_one_field_changed_or_lost_on_one_side_is_one_fault_that_names_it(fields: dict[str, Any], data: Any) -> None:
    name = data.draw(st.sampled_from(sorted(fields)))
    other = dict(fields)
    if data.draw(st.booleans()):
        del other[name]
    else:
        other[name] = {"changed": fields[name]}
    sides = (fields, other) if data.draw(st.booleans()) else (other, fields)

    (fault,) = compare(*sides, ()).faults
    assert fault.startswith(f"{name}: ")


@pytest.mark.req("search:oracle:drift")
def test_true_is_not_one() -> None:
    assert compare({"a": True}, {"a": 1}, ()).faults == ("a: ours True, the SDK's 1",)


@pytest.mark.req("search:oracle:drift")
@pytest.mark.parametrize(
    ("ours", "theirs", "holds"),
    [(1, 2, True), (1, ABSENT, False), (1, 3, False), (4, 2, False), (2, 2, False)],
)
def test_an_explanation_holds_for_its_two_values_only(ours: Any, theirs: Any, holds: Any) -> None:
    explained = (Difference(field="a.*", ours=1, theirs=2, why="so it is"),)
    other = {} if theirs is ABSENT else {"a.b": theirs}
    verdict = compare({"a.b": ours}, other, explained)
    assert (verdict.faults == ()) is holds
    assert (len(verdict.found) == 1) is holds


@pytest.mark.req("search:oracle:drift")
@pytest.mark.parametrize(("theirs", "holds"), [({"a": "2.1"}, True), ({"a": "9"}, True), ({}, False)])
def test_any_value_is_still_a_value(theirs: dict[str, Any], holds: Any) -> None:
    assert (compare({}, theirs, (Difference(field="a", theirs=ANY, why="a release"),)).faults == ()) is holds


@pytest.mark.req("search:oracle:drift")
def test_an_explanation_of_nothing_is_a_fault() -> None:
    stale = Difference(field="a", ours=1, why="long ago")
    assert compare({"a": 1}, {"a": 1}, (stale,)).faults == (
        "a: explained as a difference (long ago), and there is none",
    )
