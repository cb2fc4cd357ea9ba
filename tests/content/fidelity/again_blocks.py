"""Blocks that would run together or be lost: in list items, in headings, in AMP pages, in documentation."""

from support.fidelity import Case, case

_TABLE = "<table><tr><th>h<th>k<tr><td>{}<td>2</table>"
_PICTURE = "<p><img src=https://b.test/i.jpg alt=Pic></p>"

CASES: tuple[Case, ...] = (
    case(
        "item-of-two-quotes",
        "<ul><li><blockquote>a</blockquote><blockquote>b</blockquote><li>c</ul>",
        "<ul><li><blockquote><p>a</p><p>b</p></blockquote><li>c</ul>",
    ),
    case(
        "item-of-three-quotes",
        "<ol><li>x<blockquote><p>a</p></blockquote>\n<blockquote><p>b</p></blockquote> <blockquote>c</blockquote></ol>",
        "<ol><li>x<blockquote><p>a</p><p>b</p><p>c</p></blockquote></ol>",
    ),
    case("list-only-in-lists", "<p>t</p><ul><ul><ul><li>a<li>b</ul></ul></ul>", "<p>t</p><ul><li>a<li>b</ul>"),
    case(
        "list-only-in-mixed-lists",
        "<ol> <ul><ol start=3><li>a</ol></ul> </ol><p>x</p>",
        "<ol start=3><li>a</ol><p>x</p>",
    ),
    case("list-for-indenting", "<ul><ul><ul>a <b>b</b></ul></ul></ul>", "<p>a <b>b</b></p>"),
    case("list-first-in-list", "<ul><ul><ul><li>a</ul></ul><li>c</ul>", "<ul><li>a<li>c</ul>"),
    case("quotes-side-by-side", "<blockquote>a</blockquote><blockquote>b</blockquote>"),
    case(
        "item-of-two-tables",
        f"<ul><li>{_TABLE.format(1)}{_TABLE.format(3)}</ul>",
        f"<ul><li>{_TABLE.format(1)}<p>&nbsp;</p>{_TABLE.format(3)}</ul>",
    ),
    case("tables-side-by-side", _TABLE.format(1) + _TABLE.format(3)),
    case("cell-list-beside-text", _TABLE.format("x:<ul><li>p<li>q</ul>y"), _TABLE.format("x: p; q y")),
    case("cell-numbers-beside-text", _TABLE.format("x<ol><li>p</ol><b>y</b>"), _TABLE.format("x 1. p <b>y</b>")),
    case("cell-terms-beside-text", _TABLE.format("x<dl><dt>p<dd>q</dl>y"), _TABLE.format("x p: q y")),
    case(
        "cell-code-beside-text", _TABLE.format("x<pre>p\nq</pre>y"), _TABLE.format("x <code>p</code> <code>q</code> y")
    ),
    case(
        "cell-list-in-list-beside-text",
        _TABLE.format("<ul><li>x<ul><li>p</ul>y<li>z</ul>"),
        _TABLE.format("x (p) y; z"),
    ),
    case("cell-two-lists", _TABLE.format("<ul><li>p</ul><ul><li>q</ul>"), _TABLE.format("p q")),
    case("heading-not-closed", "<h2>T<p>a</p><p>b</p><ul><li>c</ul>", "<h2>T</h2><p>a</p><p>b</p><ul><li>c</ul>"),
    case(
        "heading-around-list",
        "<h3>T <i>u</i><ol><li>a<li>b</ol></h3>x",
        "<h3>T <i>u</i></h3><ol><li>a<li>b</ol><p>x</p>",
    ),
    case("heading-around-table", f"<h2>T{_TABLE.format(1)}</h2>", f"<h2>T</h2>{_TABLE.format(1)}"),
    case("heading-around-headings", "<h2>T<ul><li><h3>a</h3></ul></h2>", "<h2>T</h2><ul><li><h3>a</h3></ul>"),
    case("heading-of-paragraphs", "<h1><p>T</p><p>a</p></h1>", "<h1>T</h1><p>a</p>"),
    case("heading-of-one-paragraph", "<h1><p>T</p></h1>", "<h1>T</h1>"),
    case("heading-of-one-list", "<h1><ul><li>T</ul></h1>", "<h1>T</h1>"),
    case(
        "doxygen-fragment",
        "<div class=fragment><div class=line><a id=l1></a><span class=lineno>    1</span><b>int</b> x;</div>"
        "<div class=line><span class=lineno>    2</span>  y;</div></div>",
        "<pre><code>int x;\n  y;</code></pre>",
    ),
    case("fragment-of-prose", "<div class=fragment><p>a</p><p>b</p></div>", "<p>a</p><p>b</p>"),
    case(
        "code-linked-call",
        "<p><code><a href=https://b.test/#f>f</a>()</code> x</p>",
        "<p><a href=https://b.test/#f><code>f()</code></a> x</p>",
    ),
    case(
        "code-linked-argument",
        "<p><code><a href=https://b.test/#f>f</a>(int x)</code></p>",
        "<p><code>f(int x)</code></p>",
    ),
    case("amp-picture", "<amp-img src=https://b.test/i.jpg alt=Pic width=1 height=2></amp-img>", _PICTURE),
    case(
        "amp-picture-fallback",
        "<div><amp-img src=https://b.test/i.jpg alt=Pic><noscript><img src=https://b.test/i.jpg></noscript>"
        "<div fallback>none</div></amp-img></div>",
        _PICTURE,
    ),
    case("amp-film", "<amp-video src=/v.mp4></amp-video>", "<p><a href=https://site.test/v.mp4>video</a></p>"),
    case(
        "amp-frame",
        "<amp-iframe src=https://b.test/m title=Map><p placeholder>wait</p></amp-iframe>",
        "<p><a href=https://b.test/m>frame: Map</a></p>",
    ),
    case(
        "math-typeset-beside-its-script",
        "<p>Let <span class=MathJax_Preview>y2</span><span class=MathJax id=M-1-Frame><nobr>y<sup>2</sup></nobr></span>"
        "<script type='math/tex'>y^2</script> be.</p>",
        "<p>Let <code>y^2</code> be.</p>",
    ),
    case(
        "math-typeset-display",
        "<div class=MathJax_Display><span class=MathJax_SVG>z</span></div>"
        "<script type='math/tex; mode=display'>z^2</script>",
        "<p><code>z^2</code></p>",
    ),
    case("math-script-after-words", "<p>x <script type='math/tex'>z^2</script></p>", "<p>x <code>z^2</code></p>"),
    case(
        "page-of-frames",
        "<html><frameset><frame src=/nav.html name=nav title=Contents><frame src=/main.html name=main></frameset>",
        "<a href=https://site.test/nav.html>frame: Contents</a> <a href=https://site.test/main.html>frame: main</a>",
    ),
    case(
        "link-of-titled-icon",
        "<a href=https://b.test/><i class=fa title=Edit></i></a> <a href=https://c.test/><div aria-label=Up></div></a>",
        "<a href=https://b.test/>Edit</a> <a href=https://c.test/>Up</a>",
    ),
    case(
        "link-of-empty-box",
        "<a href=https://b.test/><div></div></a>",
        "<p><a href=https://b.test/>https://b.test/</a></p>",
    ),
    case(
        "power-of-variable",
        "<p><i>x</i><sup>2</sup> <var>n</var><sup>10</sup></p>",
        "<p><i>x</i>^2 n^10</p>",
        "<p><i>x</i>^2 <i>n</i>^10</p>",
    ),
    case("power-after-nothing", "<p><i></i><sup>2</sup>H</p>", "<p>2H</p>"),
)
