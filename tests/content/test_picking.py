"""Rows of a result page: what stands in its markup counts, and never what its words say."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webseam.content.picking import Pick, pick
from webseam.core.limits import PICKED_CHARS, PICKED_ROWS

FIELDS = {
    "url": Pick(selector="h2 a", attribute="href"),
    "title": Pick(selector="h2 a"),
    "snippet": Pick(selector=".s"),
}
ROW = '<div class="r"><h2><a href="/k?a=1&amp;b=2">Kelp &amp; <b>sea</b></a></h2><p class="s"> two\n  lines </p></div>'


@pytest.mark.req("content:picking:rows")
def test_a_row_is_read_by_its_elements() -> None:
    found = pick(f"<div id=all>{ROW}</div>{ROW}", rows="#all > .r", fields=FIELDS)

    assert found.rows == ({"url": "/k?a=1&b=2", "title": "Kelp & sea", "snippet": "two lines"},)


@pytest.mark.req("content:picking:rows")
@pytest.mark.parametrize(
    ("row", "values"),
    [
        ('<div class="r"></div>', {}),
        ('<div class="r"><h2><a> </a></h2></div>', {}),
        ('<div class="r"><h2><a href>Kelp</a></h2></div>', {"title": "Kelp"}),
        ('<div class="r"><h2><a href="/a">A</a><a href="/b">B</a></h2></div>', {"url": "/a", "title": "A"}),
        ('<div class="r"><p class="s">s<script>no</script></p>', {"snippet": "sno"}),
    ],
)
def test_what_a_row_lacks_is_left_out(row: str, values: dict[str, str]) -> None:
    assert pick(row, rows=".r", fields=FIELDS).rows == (values,)


@pytest.mark.req("content:picking:marks")
def test_a_mark_is_an_element_and_no_word() -> None:
    marks = (".no-results", "form#challenge-form", '[class*="anomaly-modal"]')
    words = pick(
        "<p>no-results challenge-form anomaly-modal</p><!-- <p class=no-results> -->", rows=".r", fields={}, marks=marks
    )
    elements = pick('<p class="x no-results"></p><b class="anomaly-modal__x">', rows=".r", fields={}, marks=marks)

    assert words.marks == frozenset()
    assert elements.marks == {".no-results", '[class*="anomaly-modal"]'}


@pytest.mark.req("content:picking:bounded")
def test_rows_and_characters_are_bounded() -> None:
    many = pick(ROW * (PICKED_ROWS + 1), rows=".r", fields=FIELDS)
    late = pick(" " * PICKED_CHARS + ROW, rows=".r", fields=FIELDS)

    assert len(many.rows) == PICKED_ROWS
    assert late.rows == ()


@pytest.mark.req("content:picking:rows")
@settings(deadline=None, max_examples=60)
@given(st.text(st.sampled_from("<>/=\"' abdivhrefclass.\x00\ufffd&;!-#"), max_size=200))
def test_any_text_is_read_without_an_error(html: str) -> None:
    found = pick(f"{html}{ROW}", rows=".r", fields=FIELDS, marks=(".r",))

    assert all(value == " ".join(value.split()) != "" for row in found.rows for value in row.values())


@pytest.mark.req("content:picking:light")
def test_importing_it_imports_no_parser() -> None:
    script = "import sys, webseam.content.picking; print('turbohtml' in sys.modules)"

    done = subprocess.run(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"
