"""Tables beyond what the fidelity cases show: bounds, odd markup, and that no word is lost or told twice."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.content import markdown
from webseam.content.table_sides import with_sides
from webseam.core.limits import TABLE_BLOCKS, TABLE_CELLS_READ

_MARKS = re.compile("[\uf8f2-\uf8f5]")
_BARS = re.compile(r"(?<!\\)\|")


def _table(body: str) -> str:
    return markdown(f"<table><tr><th>K<th>V<tr><td>k<td>{body}</table>").split("\n")[-1]


@pytest.mark.req("tables:cells:one-line")
@pytest.mark.parametrize(
    ("body", "cell"),
    [
        ("<ul></ul>x", "x"),
        ("<ul><li></ul>", ""),
        ("<ul>loose<li>a</ul>", "loosea"),
        ("<ul><li>a<li></ul>", "a;"),
        ("<ol start=-5><li>a</ol>", "1. a"),
        ("<ol start=99999999999><li>a</ol>", "999999999. a"),
        ("<ul><li>a<ol><li>b<li>c</ol></ul>", "a (1. b, 2. c)"),
        ("<ul><li>a<ul><li>b<ul><li>c</ul></ul></ul>", "a (b (c))"),
        ("<ul><li>a </ul><p>x", "a x"),
        ("<dl><dt>t<dt>u<dd>d<dd>e</dl>", "t, u: d, e"),
        ("<dl><dd>d<dt>t</dl>", "d; t"),
        ("<pre>\na\n\n</pre>", "`a`"),
        ("<table></table>x", "x"),
        ("<table><caption>c</caption><tr><td>a</table>", "c a"),
        ("<table><tr><td><table><tr><td>a<td>b</table><td>c</table>", "a, b c"),
    ],
)
def test_blocks_in_a_cell_are_joined(body: str, cell: str) -> None:
    assert _table(body) == f"| k | {cell} |"


@pytest.mark.req("tables:cells:bounded")
@pytest.mark.parametrize(
    "block", ["<ul><li>zulu<li>b</ul>", "<dl><dt>zulu<dd>b</dl>", "<table><tr><td>zulu<td>b</table>"]
)
def test_past_the_budget_no_word_is_lost(block: str) -> None:
    text = markdown("<table>" + f"<tr><th>h<td>{block}" * (TABLE_BLOCKS + 1) + "</table>")
    assert text.count("zulu") == TABLE_BLOCKS + 1
    assert "<" not in text


@pytest.mark.req("tables:columns:sides")
@pytest.mark.parametrize(
    ("rows", "rule"),
    [
        ("<thead align=right><tr><th>A<th>B<tbody><tr><td>1<td>2", "| ---: | ---: |"),
        ("<tbody align=center><tr><td>1<td>2<tr><td>3<td>4", "| :---: | :---: |"),
        ("<colgroup align=right><col><col align=left><tr><th>A<th>B<tr><td>1<td>2", "| ---: | :--- |"),
        ("<colgroup span=2 align=right><tr><th>A<th>B<tr><td>1<td>2", "| ---: | ---: |"),
        ("<tr><th align=left>A<th>B<tr><td align=right>1<td>2<tr><td align=right>3<td>4", "| ---: | --- |"),
        ("<tr><th align=justify>A<th>B<tr><td>1<td>2", "| --- | --- |"),
        ("<tr><th style='vertical-align:top;text-align:right'>A<th>B<tr><td>1<td>2", "| ---: | --- |"),
        ("<tr><th style='x-text-align:right'>A<th>B<tr><td>1<td>2", "| --- | --- |"),
        ("<tr><th align=right>A<th>B<tr><td>1", "| ---: | --- |"),
        ("<tr><th align=right><th>B<tr><td>1<td>2", "| ---: | --- |"),
    ],
)
def test_the_delimiter_row_says_where_columns_stand(rows: str, rule: str) -> None:
    lines = markdown(f"<table>{rows}</table>").split("\n")
    assert lines[1] == rule
    assert not _MARKS.search("".join(lines))


@pytest.mark.req("tables:columns:sides")
@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "<tr><td align=right>a<td>b" * (TABLE_CELLS_READ + 1) + "</table>",
        "<table>" + "<tr><td>a<td>b" * TABLE_CELLS_READ + "<tr><td align=right>a<td>b</table>",
        "<table><tr>" + "<td rowspan=999 align=right>x" * 10_000 + "<tr><td>y" * 500,
        "<table><colgroup>" + "<col span=1000 align=right>" * 5_000 + "</colgroup><tr><th>a<th>b<tr><td>1<td>2</table>",
    ],
    ids=["sides", "cells", "spans", "columns"],
)
def test_a_table_too_costly_to_look_at_keeps_its_words_and_no_mark(html: str) -> None:
    text = markdown(html)
    assert not _MARKS.search(text)
    assert len(re.findall(r"\b[abxy12]\b", text)) == len(re.findall(r"<t[dh][^>]*>[abxy12]", html))


@pytest.mark.req("tables:columns:sides")
def test_marks_are_written_into_a_delimiter_row_only() -> None:
    assert with_sides("\uf8f5 a\nb\n> | \uf8f4 c |\n> | --- |\n> | 1 |") == "a\nb\n> | c |\n> | :---: |\n> | 1 |"


@pytest.mark.req("tables:layout:prose")
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table role=' Presentation '><tr><td>a<td>b</table>", "a b"),
        ("<table role=grid><tr><td>a<td>b</table>", "| a | b |\n| --- | --- |"),
        ("<table><tr><td>a<td>b</table>", "| a | b |\n| --- | --- |"),
        ("<table><tr><th>a</table>", "a"),
        ("<table><caption>c</caption><tr><td>a</table>", "c\n\na"),
        ("<table><tr><td>a<td><hr>b</table>", "a\n\n---\n\nb"),
        ("<table><tr><td>a<td>x<br>y<tr><td>b<td>z</table>", "| a | x y |\n| --- | --- |\n| b | z |"),
        ("<table><tr><td>a<td>x<br><br>y<tr><td>b<td>z<tr><td>c<td>w</table>",
         "| a | x y |\n| --- | --- |\n| b | z |\n| c | w |"),
        ("<table><tr><th>h<td><h4>a</h4>b<tr><th>i<td>c</table>", "| h | a b |\n| --- | --- |\n| i | c |"),
        ("<table><tr><td><table><tr><td><table><tr><td>a</table></table></table>", "a"),
        ("<table><tr><td>1.<td><a href=/x>t</a><tr><td><td>by <b>u</b><hr></table>",
         "1\\. [t](https://site.test/x)\n\nby **u**\n\n---"),
    ],
)  # fmt: skip
def test_a_layout_table_becomes_blocks(html: str, text: str) -> None:
    assert markdown(html) == text


@pytest.mark.req("tables:rows:order")
def test_rows_come_in_the_order_that_a_browser_shows() -> None:
    parts = "<tfoot><tr><td>f<td>f</tfoot><tbody><tr><td>1<td>2</tbody><thead><tr><th>A<th>B</thead>"
    assert markdown(f"<table>{parts}</table>") == "| A | B |\n| --- | --- |\n| 1 | 2 |\n| f | f |"


@pytest.mark.req("tables:rows:order")
@pytest.mark.parametrize("group", ["thead", "tfoot"])
def test_only_the_first_of_several_groups_moves(group: str) -> None:
    parts = "".join(f"<{group}><tr><td>{part}<td>x</{group}>" for part in "abc")
    text = markdown(f"<table><tbody><tr><td>1<td>2</tbody>{parts}<tbody><tr><td>3<td>4</table>")
    order = "a1bc3" if group == "thead" else "1bc3a"
    assert re.findall(r"^\| (\w) ", text, re.MULTILINE) == list(order)


_CONTENT = st.sampled_from(
    [
        "{}",
        "<p>{}</p><p>{}</p>",
        "<ul><li>{}<li>{}</ul>",
        "<ol><li>{}<ul><li>{}</ul><li>{}</ol>",
        "<dl><dt>{}<dd>{}</dl>",
        "{}<br>{}",
        "<b>{}</b> <i>{}</i>",
        "<code>{}</code>",
        "<pre>{}\n{}</pre>",
        "<table><tr><td>{}<td>{}<tr><td>{}</table>",
        "<a href=x>{}</a>",
        "{}|{}",
        "<h3>{}</h3>",
        "<blockquote>{}</blockquote>",
        "",
    ]
)
_ATTRS = st.sampled_from(["", " colspan=2", " rowspan=2", " align=right", " style='text-align:center'", " rowspan=0"])
_ROWS = st.lists(
    st.lists(st.tuples(st.sampled_from(["td", "th"]), _ATTRS, _CONTENT), max_size=4), min_size=1, max_size=5
)


def _numbered(rows: list[list[tuple[str, str, str]]]) -> tuple[str, list[str]]:
    """A table with a word of its own in every place, and the words."""
    html = "<table>" + "".join(
        "<tr>" + "".join(f"<{tag}{attrs}>{content}</{tag}>" for tag, attrs, content in row) for row in rows
    )
    words = [f"w{number}w" for number in range(html.count("{}"))]
    return html.format(*words), words


@pytest.mark.req("tables:columns:regular")
@given(_ROWS)
def test_every_word_of_a_table_stands_in_a_regular_one_once(rows: list[list[tuple[str, str, str]]]) -> None:
    html, words = _numbered(rows)
    text = markdown(html)
    assert sorted(re.findall(r"w\d+w", text)) == sorted(words)
    assert not _MARKS.search(text)
    for block in text.split("\n\n"):
        if block.startswith("| ") and "\n| " in block:
            assert len({len(_BARS.findall(line)) for line in block.split("\n")}) == 1


@pytest.mark.req("tables:columns:regular")
@given(_ROWS)
def test_the_words_of_a_row_stay_together_in_order(rows: list[list[tuple[str, str, str]]]) -> None:
    html, words = _numbered(rows)
    assert re.findall(r"w\d+w", markdown(html)) == words
