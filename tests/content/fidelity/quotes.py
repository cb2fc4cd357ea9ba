"""Quotations."""

from support.fidelity import case

CASES = (
    case("quote", "<blockquote>a</blockquote>"),
    case("quote-paragraphs", "<blockquote><p>a</p><p>b</p></blockquote>"),
    case("quote-nested", "<blockquote>a<blockquote>b</blockquote>c</blockquote>"),
    case("quote-list", "<blockquote><ul><li>a<ul><li>b</ul></ul></blockquote>"),
    case("quote-heading", "<blockquote><h2>T</h2><p>x</p></blockquote>"),
    case("quote-break", "<blockquote>a<br>b</blockquote>"),
    case("quote-code", "<blockquote><p>a</p><pre>x\n\n  y</pre></blockquote>"),
    case("quote-table", "<blockquote><table><tr><th>h<tr><td>1</table></blockquote>"),
    case(
        "quote-cite",
        "<blockquote>a<footer>\u2014 <cite>B</cite></footer></blockquote>",
        "<blockquote><p>a</p><p>\u2014 <em>B</em></p></blockquote>",
        "<blockquote><p>a</p><p>\u2014 B</p></blockquote>",
    ),
    case(
        "quote-two",
        "<blockquote>a</blockquote><blockquote>b</blockquote>",
        "<blockquote>a</blockquote><blockquote>b</blockquote>",
        "<blockquote><p>a</p><p>b</p></blockquote>",
    ),
    case("quote-in-item", "<ol><li>a<blockquote><p>b<p>c</blockquote><li>d</ol>"),
    case("quote-then-text", "<blockquote>a</blockquote>b", "<blockquote>a</blockquote><p>b</p>"),
    case("quote-like-text", "<p>&gt; a</p>"),
    case(
        "quote-empty",
        "<p>a</p><blockquote></blockquote><p>b</p>",
        "<p>a</p><p>b</p>",
        "<p>a</p><blockquote></blockquote><p>b</p>",
    ),
    case(
        "quote-figure",
        "<figure><blockquote>a</blockquote><figcaption>B</figcaption></figure>",
        "<blockquote>a</blockquote><p>B</p>",
    ),
)
