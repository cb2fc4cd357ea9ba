"""A `<body>` that is spelled out changes nothing in what a page means."""

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from support.content import converted
from webseam.content.text_first import with_body
from webseam.core.limits import TEXT_FIRST_CHARS, TEXT_FIRST_REACH

LONG = "zulu " * (TEXT_FIRST_CHARS // 5 + 1)
PIECES = (
    *(" ", "\n", "\u00a0", "x", "<", "<3", "&", "&amp;", "&#32;", "&Tab;", "\0", ">", "'", '"', "-->", "--!>", "--"),
    *("<!--", "<!-->", "<!--->", "<!---->", "<!-- a -->", "<!-- > --!>", "<!doctype html>", "<!doctypehtml>"),
    *("<!DOCTYPE x '>'>", "<html>", "<HTML lang=en>", "<html a='>' b=\">\">", "<html a='>", "<html/>", "<htmlx>"),
    *("<head>", "</head>", "<title>t", "</title>", "<body class=a>", "</body>", "</p>", "</html>", "<p>", "<?pi?>"),
    *("<![CDATA[x]]>", "<frameset>", "<br>", "<script>"),
)


def meaning(html: str) -> tuple[str, str]:
    """What a page says, and its title."""
    doc = turbohtml.parse(html, scripting=True)
    title = doc.select_one("title")
    return doc.to_markdown(), title.text if title is not None else ""


@pytest.mark.req("worst:pages:text-first")
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_a_big_page_means_the_same_with_its_body_spelled_out(head: str) -> None:
    page = head + LONG
    assert meaning(with_body(page)) == meaning(page)


@pytest.mark.req("worst:pages:text-first")
@pytest.mark.parametrize(
    "head",
    ["", "\n ", "<!doctype html>", "<!-- a page --><!DOCTYPE html>\n", "<html lang=en>", "<!--a--!>&lt;", "<3 "],
)
def test_text_that_comes_first_gets_a_body(head: str) -> None:
    page = head + LONG
    assert len(with_body(page)) == len(page) + len("<body>")
    assert converted(page).text.endswith("zulu zulu")


@pytest.mark.req("worst:pages:text-first")
@pytest.mark.parametrize(
    "page",
    [
        "zulu",
        "<title>t</title>" + LONG,
        "<p>" + LONG,
        "<!-- never closed " + LONG,
        "</p>" + LONG,
        "&#32;<frameset>" + LONG,
        " " * (TEXT_FIRST_REACH - 1) + "<title>t</title>" + LONG,
        " " * TEXT_FIRST_CHARS + " ",
    ],
)
def test_other_pages_stay_as_they_are(page: str) -> None:
    assert with_body(page) is page
