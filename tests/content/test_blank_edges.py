"""White space that nobody sees at the edges of blocks: gone, and nothing else changes its meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.content import markdown
from support.fidelity import rendered, structure

BLANKS = ("\u00a0", "\u1680", "\u2003", "\u2009", "\u2028", "\u202f", "\u205f", "\u3000", "\ufeff")
STARTS = (
    "x",
    "# x",
    "- x",
    "+ x",
    "-",
    "--- | ---",
    "1. x",
    "1) x",
    "2019 x",
    "&gt; x",
    "===",
    "---",
    "___",
    "* x",
    "~~~",
)
MARKED = (
    "`x",
    "[x]: y",
    "| x |",
    ":-- | x",
    "&lt;b&gt;",
    "\\x",
    "<b>x</b>",
    "<a href=https://b.test/>x</a>",
    "<code>x</code>",
)
HOLDERS = ("<p>{}</p>", "<p>z<br>{}</p>", "<p>z | z<br>{}</p>", "<ul><li>{}<li>z</ul>", "<blockquote>{}</blockquote>")
IN_BLOCKS = (
    "<h2>{}</h2>",
    "<ol><li><p>{}</p><p>z</ol>",
    "<table><tr><th>z<th>z<tr><td>{}<td>z</table>",
)


@pytest.mark.req("fidelity:text:edges")
@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_blanks_at_the_edges_of_a_block_leave_no_entity(blank: str) -> None:
    page = f"<p>{blank}{blank} one{blank}</p><h2>{blank}two{blank}</h2><ul><li>{blank}three</ul><p>a<br>{blank}b</p>"
    assert "&#" not in markdown(page)
    assert markdown(page).replace("\ufeff", "") == "one\n\n## two\n\n- three\n\na  \nb"


@pytest.mark.req("fidelity:text:edges")
def test_paragraphs_of_nothing_but_blanks_go_and_keep_lists_and_tables_apart() -> None:
    spaced = "<p>&nbsp;</p><p>a</p><p>&nbsp;</p><p>&nbsp; &nbsp;</p><p>b</p><p>&nbsp;</p>"
    assert markdown(spaced) == "a\n\nb"
    assert markdown("<p>&nbsp;</p>") == ""
    assert markdown("<ul><li>a</ul><p>&nbsp;</p><ul><li>b</ul>") == "- a\n\n\u00a0\n\n- b"
    assert markdown("<ul><li>&nbsp;<li>b</ul>") == "- \u00a0\n- b"
    assert markdown("<p>a<br>&nbsp;<br>b</p>") == "a  \n\u00a0  \nb"


@pytest.mark.req("fidelity:text:edges")
def test_code_and_what_a_page_writes_about_entities_stay() -> None:
    assert markdown("<pre>&amp;#160;x\n\n&amp;#160;\n\n&nbsp;y</pre>") == "```\n&#160;x\n\n&#160;\n\n\u00a0y\n```"
    assert markdown("<p><code>&amp;#160;</code> &amp;#160;</p>") == "`&#160;` \\&#160;"
    assert markdown("<p>a</p>" + "<p>&amp; b</p>" * 300 + "<p>&nbsp;c</p>").endswith("& b\n\nc")


@pytest.mark.req("fidelity:text:edges")
@given(
    holder=st.sampled_from(HOLDERS + IN_BLOCKS),
    start=st.sampled_from(STARTS + MARKED),
    blanks=st.text("\u00a0\u3000\t ", min_size=1, max_size=3),
)
def test_what_stands_behind_the_blanks_becomes_no_markup(holder: str, start: str, blanks: str) -> None:
    text = markdown(holder.format(f"\u00a0{blanks}{start}") + "<ul><li>end</ul>")
    assert "&#160;" not in text
    bare = structure(holder.format(start) + "<ul><li>end</ul>")
    assert structure(rendered(text)) == bare
