"""Tables: a row a line, every value in its column, nothing in a cell that GFM cannot say."""

from support.fidelity import case

_SIDES = {"<": " align=left", "=": " align=center", ">": " align=right", "-": ""}


def _grid(*rows: str, sides: str = "") -> str:
    """A plain table from rows of cells between bars, and the side of each column."""
    made: list[str] = []
    for row in rows:
        cells = [cell.strip() for cell in row.split("|")]
        attrs = [_SIDES[side] for side in sides.ljust(len(cells), "-")]
        made.append("".join(f"<td{attr}>{cell}</td>" for cell, attr in zip(cells, attrs, strict=True)))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in made) + "</table>"


def _cell(content: str) -> str:
    """A table of data with one value to look at."""
    return f"<table><tr><th>K<th>V<tr><td>k<td>{content}</td></tr></table>"


def _joined(*wants: str) -> tuple[str, ...]:
    return tuple(_grid("K|V", f"k|{want}") for want in wants)


_BLANK_HEAD = "<tr><th></th><th></th></tr>"

SPANS = (
    case(
        "table-colspan-head-R086",
        "<table><tr><th colspan=2>R<th>N<tr><td>1<td>2<td>3</table>",
        _grid("R||N", "1|2|3"),
        _grid("R|R|N", "1|2|3"),
    ),
    case(
        "table-colspan-head-paragraphs-R086",
        "<table><tr><th colspan=2><p>R</p><th><p>N</p><tr><td>1<td>2<td>3</table>",
        _grid("R||N", "1|2|3"),
        _grid("R|R|N", "1|2|3"),
    ),
    case(
        "table-colspan-body-R093",
        "<table><tr><th>A<th>B<th>C<tr><td colspan=2>w<td>3<tr><td>4<td>5<td>6</table>",
        _grid("A|B|C", "w||3", "4|5|6"),
        _grid("A|B|C", "w|w|3", "4|5|6"),
    ),
    case(
        "table-rowspan-R087",
        "<table><tr><th>G<th>V<tr><td rowspan=2>a<td>1<tr><td>2</table>",
        _grid("G|V", "a|1", "|2"),
        _grid("G|V", "a|1", "a|2"),
    ),
    case(
        "table-rowspan-last-column-R087",
        "<table><tr><th>G<th>V<tr><td>1<td rowspan=2>a<tr><td>2</table>",
        _grid("G|V", "1|a", "2|"),
        _grid("G|V", "1|a", "2|a"),
    ),
    case(
        "table-rowspan-three-R087",
        "<table><tr><th>G<th>V<tr><td rowspan=3>a<td>1<tr><td>2<tr><td>3<tr><td>b<td>4</table>",
        _grid("G|V", "a|1", "|2", "|3", "b|4"),
        _grid("G|V", "a|1", "a|2", "a|3", "b|4"),
    ),
    case(
        "table-rowspan-head-R087",
        "<table><tr><th rowspan=2>N<th colspan=2>S<tr><th>x<th>y<tr><td>1<td>2<td>3</table>",
        _grid("N|S|", "|x|y", "1|2|3"),
        _grid("N|S|S", "N|x|y", "1|2|3"),
    ),
    case(
        "table-both-spans-R087",
        "<table><tr><th>A<th>B<th>C<tr><td rowspan=2 colspan=2>m<td>1<tr><td>2</table>",
        _grid("A|B|C", "m||1", "||2"),
        _grid("A|B|C", "m|m|1", "m|m|2"),
    ),
    case(
        "table-colspan-beyond-R093",
        "<table><tr><th>A<th>B<tr><td colspan=9>w</table>",
        _grid("A|B", "w|"),
        _grid("A|B", "w|w"),
    ),
    case("table-span-of-one", "<table><tr><th colspan=1>A<th rowspan=1>B<tr><td>1<td>2</table>", _grid("A|B", "1|2")),
    case(
        "table-span-nonsense", "<table><tr><th colspan=x>A<th rowspan=-1>B<tr><td>1<td>2</table>", _grid("A|B", "1|2")
    ),
    case("table-short-row", "<table><tr><th>A<th>B<th>C<tr><td>1<tr><td>2<td>3</table>", _grid("A|B|C", "1||", "2|3|")),
    case("table-long-row", "<table><tr><th>A<th>B<tr><td>1<td>2<td>3</table>", _grid("A|B|", "1|2|3")),
    case("table-empty-cells", "<table><tr><th>A<th>B<tr><td><td>2<tr><td>3<td></table>", _grid("A|B", "|2", "3|")),
)

CELLS = (
    case("table-cell-break-R099", _cell("a<br>b"), *_joined("a b", "a / b")),
    case("table-cell-xhtml-break-R099", _cell("a<br/>\n b"), *_joined("a b", "a / b")),
    case(
        "table-head-break-R099",
        "<table><tr><th>Unit<br>price</th><th>N<tr><td>1<td>2</table>",
        _grid("Unit price|N", "1|2"),
    ),
    case("table-cell-paragraphs-R089", _cell("<p>one</p><p>two</p>"), *_joined("one two", "one / two")),
    case("table-cell-divs-R089", _cell("<div>one</div><div>two</div>"), *_joined("one two", "one / two")),
    case("table-cell-heading", _cell("<h4>one</h4>two"), *_joined("one two", "<b>one</b> two", "one: two")),
    case("table-cell-quote", _cell("<blockquote>one</blockquote>two"), *_joined("one two")),
    case("table-cell-list-R085", _cell("<ul><li>p<li>q</ul>"), *_joined("p; q", "p, q", "p / q", "• p • q")),
    case("table-cell-list-lines-R085", _cell("<ul>\n <li>p\n </li>\n <li>q\n </li></ul>"), *_joined("p; q", "p, q")),
    case("table-cell-list-paragraphs-R085", _cell("<ul><li><p>p</p><li><p>q</p></ul>"), *_joined("p; q", "p, q")),
    case(
        "table-cell-list-links-R085",
        _cell("<ul><li><a href='https://b.test/'>p</a><li><b>q</b></ul>"),
        *_joined("<a href='https://b.test/'>p</a>; <b>q</b>", "<a href='https://b.test/'>p</a>, <b>q</b>"),
    ),
    case("table-cell-steps-R085", _cell("<ol><li>p<li>q</ol>"), *_joined("1. p; 2. q", "1. p, 2. q", "1. p 2. q")),
    case("table-cell-steps-start-R085", _cell("<ol start=3><li>p<li>q</ol>"), *_joined("3. p; 4. q", "3. p 4. q")),
    case("table-cell-list-in-list-R085", _cell("<ul><li>p<ul><li>q<li>r</ul><li>s</ul>"), *_joined("p (q, r); s")),
    case("table-cell-list-after-text-R085", _cell("all: <ul><li>p<li>q</ul>"), *_joined("all: p; q", "all: p, q")),
    case(
        "table-head-list-R085",
        "<table><tr><th>A<th><ul><li>p<li>q</ul><tr><td>1<td>2</table>",
        _grid("A|p; q", "1|2"),
        _grid("A|p, q", "1|2"),
    ),
    case(
        "table-cell-tasks-R085",
        _cell("<ul><li><input type=checkbox checked>p<li><input type=checkbox>q</ul>"),
        *_joined("[x] p; [ ] q"),
    ),
    case("table-cell-terms", _cell("<dl><dt>t<dd>d<dt>u<dd>e</dl>"), *_joined("t: d; u: e")),
    case("table-cell-table", _cell("<table><tr><td>a<td>b<tr><td>c<td>d</table>"), *_joined("a, b; c, d")),
    case(
        "table-cell-table-lines",
        _cell("x\n<table>\n<tr>\n<td>a </td>\n<td>b </td>\n</tr>\n</table>\ny"),
        *_joined("x a, b y"),
    ),
    case("table-cell-pipe-R090", _cell("x|y"), "<table><tr><td>K<td>V<tr><td>k<td>x|y</table>"),
    case("table-head-pipe-R090", "<table><tr><th>a|b<th>c<tr><td>1<td>2</table>"),
    case("table-cell-pipe-entity-R090", _cell("x&#124;&#124;y"), "<table><tr><td>K<td>V<tr><td>k<td>x||y</table>"),
    case("table-cell-pipe-link-R090", "<table><tr><th>K<tr><td><a href='https://b.test/'>l|m</a></table>"),
    case("table-cell-pipe-code-R090", "<table><tr><th>K<tr><td><code>a | b</code></table>"),
    case("table-cell-backslash-R090", "<table><tr><th>K<tr><td>a\\b<tr><td>c\\</table>"),
    case("table-cell-code", _cell("<code>a_b*c</code> d"), *_joined("<code>a_b*c</code> d")),
    case("table-cell-pre", _cell("<pre>a = 1</pre>"), *_joined("<code>a = 1</code>")),
    case(
        "table-cell-pre-lines",
        _cell("<pre>a = 1\nb = 2</pre>"),
        *_joined("<code>a = 1</code> <code>b = 2</code>", "<code>a = 1 b = 2</code>"),
    ),
    case(
        "table-cell-link-R108",
        _cell("see <a href='https://b.test/x'>this</a> now"),
        *_joined("see <a href='https://b.test/x'>this</a> now"),
    ),
    case(
        "table-cell-image",
        _cell("<img src='https://b.test/i.png' alt='a b'>"),
        *_joined("<img src='https://b.test/i.png' alt='a b'>"),
    ),
    case("table-cell-emphasis", _cell("<b>a</b> <i>b</i> <del>c</del>"), *_joined("<b>a</b> <i>b</i> <del>c</del>")),
    case("table-cell-spaces", _cell("  a \n\t b  "), *_joined("a b")),
    case("table-cell-rule", _cell("a<hr>b"), *_joined("a b")),
    case("table-cell-hidden", _cell("<p hidden>x</p>y"), *_joined("y")),
)

SHAPES = (
    case("table-one-column-R112", "<table><tr><th>A<tr><td>1<tr><td>2</table>"),
    case(
        "table-sections-R112",
        "<table><thead><tr><th>A<th>B<tbody><tr><td>1<td>2<tbody><tr><td>3<td>4</table>",
        _grid("A|B", "1|2", "3|4"),
    ),
    case(
        "table-foot-last",
        "<table><thead><tr><th>A<th>B<tfoot><tr><td>s<td>t<tbody><tr><td>1<td>2</table>",
        _grid("A|B", "1|2", "s|t"),
    ),
    case("table-head-first", "<table><tbody><tr><td>1<td>2<thead><tr><th>A<th>B</table>", _grid("A|B", "1|2")),
    case(
        "table-row-headers-R091",
        "<table><tr><th scope=row>P<td>x<tr><th scope=row>Q<td>y</table>",
        _grid("P|x", "Q|y"),
        f"<table>{_BLANK_HEAD}<tr><td>P<td>x<tr><td>Q<td>y</table>",
    ),
    case(
        "table-headless",
        "<table><tr><td>P<td>x<tr><td>Q<td>y</table>",
        _grid("P|x", "Q|y"),
        f"<table>{_BLANK_HEAD}<tr><td>P<td>x<tr><td>Q<td>y</table>",
    ),
    case(
        "table-caption",
        "<table><caption>Cap</caption><tr><th>A<th>B<tr><td>1<td>2</table>",
        "<p>Cap</p>" + _grid("A|B", "1|2"),
        "<p><b>Cap</b></p>" + _grid("A|B", "1|2"),
        "<p><i>Cap</i></p>" + _grid("A|B", "1|2"),
    ),
    case(
        "table-caption-inline",
        "<table><caption>Cap <b>b</b></caption><tr><th>A<tr><td>1</table>",
        "<p>Cap <b>b</b></p>" + _grid("A", "1"),
    ),
    case(
        "table-between-text",
        "<p>before<table><tr><th>A<tr><td>1</table>after",
        "<p>before</p>" + _grid("A", "1") + "<p>after</p>",
    ),
    case("table-two-in-a-row", "<table><tr><th>A<tr><td>1</table><table><tr><th>B<tr><td>2</table>"),
    case(
        "table-in-item",
        "<ul><li>x<table><tr><th>A<tr><td>1</table></ul>",
        "<ul><li><p>x</p>" + _grid("A", "1") + "</ul>",
    ),
    case(
        "table-in-quote",
        "<blockquote><table><tr><th>A<th>B<tr><td>1<td>2</table></blockquote>",
        "<blockquote>" + _grid("A|B", "1|2") + "</blockquote>",
    ),
    case("table-empty", "<p>a</p><table></table><table><tr></table><p>b</p>", "<p>a</p><p>b</p>"),
    case("table-in-link-words", "<div><table><tr><th>A<th>B<tr><td>1<td>2</table></div>", _grid("A|B", "1|2")),
)

SIDES = (
    case(
        "table-align-attribute",
        "<table><tr><th align=left>A<th align=center>B<th align=right>C<tr><td>1<td>2<td>3</table>",
        _grid("A|B|C", "1|2|3", sides="<=>"),
    ),
    case(
        "table-align-style",
        "<table><tr><th style='text-align:right'>A<th>B<tr><td>1<td>2</table>",
        _grid("A|B", "1|2", sides=">-"),
    ),
    case(
        "table-align-style-spelling",
        "<table><tr><th style='color:red; TEXT-ALIGN : Center;'>A<th>B<tr><td>1<td>2</table>",
        _grid("A|B", "1|2", sides="=-"),
    ),
    case(
        "table-align-cells",
        "<table><tr><th>A<th>B<tr><td>1<td align=right>2<tr><td>3<td align=right>4</table>",
        _grid("A|B", "1|2", "3|4", sides="->"),
    ),
    case(
        "table-align-start-end",
        "<table><tr><th style='text-align:start'>A<th style='text-align:end'>B<tr><td>1<td>2</table>",
        _grid("A|B", "1|2", sides="<>"),
    ),
    case(
        "table-align-col",
        "<table><colgroup><col><col align=right></colgroup><tr><th>A<th>B<tr><td>1<td>2</table>",
        _grid("A|B", "1|2", sides="->"),
    ),
    case(
        "table-align-row",
        "<table><tr align=center><th>A<th>B<tr align=center><td>1<td>2</table>",
        _grid("A|B", "1|2", sides="=="),
    ),
    case(
        "table-align-some-cells",
        "<table><tr><th>A<tr><td align=right>1<tr><td>2<tr><td>3</table>",
        _grid("A", "1", "2", "3"),
    ),
    case(
        "table-align-span",
        "<table><tr><th colspan=2 align=center>A<th align=right>B<tr><td>1<td>2<td>3</table>",
        _grid("A||B", "1|2|3", sides="=->"),
        _grid("A|A|B", "1|2|3", sides="==>"),
    ),
    case(
        "table-align-in-item",
        "<ul><li>x<table><tr><th align=right>A<th>B<tr><td>1<td>2</table></ul>",
        "<ul><li><p>x</p>" + _grid("A|B", "1|2", sides=">-") + "</ul>",
    ),
)

LAYOUT = (
    case(
        "layout-role", "<table role=presentation><tr><td><p>left</p><td><p>right</p></table>", "<p>left</p><p>right</p>"
    ),
    case("layout-role-none", "<table role=none><tr><td><p>left</p><td><p>right</p></table>", "<p>left</p><p>right</p>"),
    case("layout-one-cell", "<table><tr><td>only</table>", "<p>only</p>"),
    case("layout-one-cell-blocks", "<table><tr><td><h2>T</h2><p>a<p>b</table>", "<h2>T</h2><p>a</p><p>b</p>"),
    case(
        "layout-headings",
        "<table><tr><td><h2>L</h2>a<td><h2>R</h2>b<tr><td><h2>X</h2>c<td>d</table>",
        "<h2>L</h2><p>a</p><h2>R</h2><p>b</p><h2>X</h2><p>c</p><p>d</p>",
    ),
    case("layout-code", "<table><tr><td><pre>a\n  b</pre><td>note</table>", "<pre>a\n  b</pre><p>note</p>"),
    case(
        "layout-table",
        "<table><tr><td>menu<td><table><tr><th>A<th>B<tr><td>1<td>2</table></table>",
        "<p>menu</p>" + _grid("A|B", "1|2"),
    ),
    case(
        "layout-lists",
        "<table><tr><td><ul><li>a<li>b</ul><td><p>c</p><p>d</p></table>",
        "<ul><li>a</li><li>b</li></ul><p>c</p><p>d</p>",
    ),
    case(
        "layout-empty-lines",
        "<table><tr><td><img src='https://b.test/i' alt=i><td>a<br><br>b</table>",
        "<p><img src='https://b.test/i' alt=i></p><p>a</p><p>b</p>",
        "<p><img src='https://b.test/i' alt=i></p><p>a<br><br>b</p>",
        "<p><img src='https://b.test/i' alt=i></p><p>a<br>b</p>",
    ),
    case(
        "layout-rows-of-words",
        "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<p>a b</p><p>c d</p>",
        "<p>a</p><p>b</p><p>c</p><p>d</p>",
    ),
    case(
        "layout-nested-in-one-cell",
        "<table><tr><td><table><tr><td><p>a</p><p>b</p></table></table>",
        "<p>a</p><p>b</p>",
    ),
)

CASES = (*SPANS, *CELLS, *SHAPES, *SIDES, *LAYOUT)
