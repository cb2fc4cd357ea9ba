"""Inline styles that keep white space, and pages that editors export: prose, not code."""

from support.fidelity import Case, case

_LINES = "white-space:pre-wrap"


def _fence(code: str) -> str:
    return f"<pre><code>{code}</code></pre>"


CASES: tuple[Case, ...] = (
    case("style-paragraph", f"<p style='{_LINES}'>a <b>b</b> c</p>", "<p>a <b>b</b> c</p>"),
    case("style-heading", f"<h2 style='{_LINES};'>t</h2><p>x</p>", "<h2>t</h2><p>x</p>"),
    case("style-heading-lines", "<h2 style='white-space:pre-line'>t\nu</h2>", "<h2>t u</h2>"),
    case("style-item", f"<ul><li style='{_LINES}'>a<li style='{_LINES}'>b</ul>", "<ul><li>a<li>b</ul>"),
    case("style-list", f"<ul style='{_LINES}'>\n<li>a</li>\n<li>b</li>\n</ul>", "<ul><li>a<li>b</ul>"),
    case("style-spans", f"<p><span style='{_LINES}'>a </span><i style='{_LINES}'>b</i></p>", "<p>a <i>b</i></p>"),
    case("style-tab", "<p>a<span class=Apple-tab-span style='white-space:pre'>\t</span>b</p>", "<p>a b</p>"),
    case(
        "style-link",
        f"<p><a style='{_LINES}' href=https://b.test/>a b</a></p>",
        "<p><a href=https://b.test/>a b</a></p>",
    ),
    case("style-code-inline", f"<p>use <code style='{_LINES}'>x y</code> now</p>", "<p>use <code>x y</code> now</p>"),
    case("style-lines", f"<p style='{_LINES}'>a\nb</p>", "<p>a<br>b</p>"),
    case("style-lines-capitals", "<p style='WHITE-SPACE : Break-Spaces'>a\nb</p>", "<p>a<br>b</p>"),
    case("style-lines-important", "<p style='white-space:pre-line!important'>a\nb</p>", "<p>a<br>b</p>"),
    case("style-lines-edges", f"<div style='{_LINES}'>\na\nb\n</div><p>c</p>", "<p>a<br>b</p><p>c</p>"),
    case(
        "style-lines-between-links",
        f"<div style='{_LINES}'><a href=https://b.test/>a</a>\n<a href=https://c.test/>b</a></div>",
        "<p><a href=https://b.test/>a</a><br><a href=https://c.test/>b</a></p>",
    ),
    case("style-lines-of-blocks", f"<div style='{_LINES}'>\n <p>a</p>\n <p>b\nc</p>\n</div>", "<p>a</p><p>b<br>c</p>"),
    case("style-lines-in-span", "<p>a<span style='white-space:pre-wrap'>\nb</span>c</p>", "<p>a<br>bc</p>"),
    case("style-lines-of-span", "<p>a<span style='white-space:pre'>\n</span>b</p>", "<p>a<br>b</p>"),
    case("style-in-code", "<pre>x<span style='white-space:pre'>\n  y\n</span>z</pre>", _fence("x\n  y\nz")),
    case(
        "style-lines-in-one-line",
        f"<div style='white-space:nowrap'><p style='{_LINES}'>a\nb</p></div>",
        "<p>a<br>b</p>",
    ),
    case("style-lines-undone", "<p style='white-space:pre;white-space:normal'>a\nb</p>", "<p>a b</p>"),
    case("style-lines-and-code", f"<div style='{_LINES}'>a<pre>x\n  y</pre></div>", "<p>a</p>" + _fence("x\n  y")),
    case(
        "style-cell",
        "<table><tr><th style='white-space:pre'>a<th style='text-align:right;white-space:pre'>b<tr><td>1<td>2</table>",
        "<table><tr><th>a<th align=right>b<tr><td>1<td align=right>2</table>",
    ),
    case("style-code-lines", "<div style='white-space:pre'>a\n  b</div>", _fence("a\n  b")),
    case("style-code-mono", f"<div style='font-family:monospace;{_LINES}'>a\n  b</div>", _fence("a\n  b")),
    case("style-bold-undone", "<b style='font-weight:normal'><p>a</p><p>b</p></b>", "<p>a</p><p>b</p>"),
    case("style-bold-400", "<p><strong style='font-weight: 400'>a</strong> b</p>", "<p>a b</p>"),
    case("style-bold-kept", "<p><b style='color:red'>a</b> b</p>", "<p><b>a</b> b</p>"),
    case("style-italic-undone", "<p><em style='font-style:normal'>a</em> b</p>", "<p>a b</p>"),
    case(
        "style-exported-document",
        "<b style='font-weight:normal' id=docs-internal-guid-1>"
        "<h1 dir=ltr><span style='font-size:20pt;white-space:pre-wrap'>T</span></h1>"
        "<p dir=ltr><span style='white-space:pre-wrap'>Hello </span><span style='white-space:pre-wrap'>you.</span></p>"
        "<ul><li dir=ltr style='white-space:pre'><p dir=ltr><span style='white-space:pre-wrap'>One</span></p></ul></b>",
        "<h1>T</h1><p>Hello you.</p><ul><li>One</ul>",
    ),
)
