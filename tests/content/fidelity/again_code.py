"""Code as highlighters leave it: lines in boxes, numbered tables, languages in their settings."""

from support.fidelity import Case, case


def _code(code: str, language: str = "") -> str:
    named = f" class=language-{language}" if language else ""
    return f"<pre><code{named}>{code}</code></pre>"


_CRAYON = (
    "<table class=crayon-table><tr><td class=crayon-nums><div class=crayon-num>1</div><div class=crayon-num>2</div>"
    "<td class=crayon-code><div class=crayon-line>a</div><div class=crayon-line>  b</div></td></tr></table>"
)
_SYNTAX = (
    "<table border=0><tr><td class=gutter><div class='line number1'>1</div><div class='line number2'>2</div></td>"
    "<td class=code><div class=container><div class='line number1'><code>var</code> <code>x</code></div>"
    "<div class='line number2'><code>y</code></div></div></td></tr></table>"
)

CASES: tuple[Case, ...] = (
    case(
        "code-lines-boxed",
        "<pre><code><span class=line>a</span><span class=line>  b</span></code></pre>",
        _code("a\n  b"),
    ),
    case("code-lines-boxed-ended", "<pre><span class=line>a\n</span><span class=line>b</span></pre>", _code("a\nb")),
    case("code-lines-boxed-apart", "<pre><span class=line>a</span>\n<span class=line>b</span></pre>", _code("a\nb")),
    case("code-lines-in-codes", "<pre><code>a</code><code>  b</code><code>c</code></pre>", _code("a\n  b\nc")),
    case("code-numbered-crayon", _CRAYON, _code("a\n  b")),
    case("code-numbered-classless-table", _SYNTAX, _code("var x\ny")),
    case("code-language-around", "<div data-lang=rust><pre><code>x</code></pre></div>", _code("x", "rust")),
    case("code-language-enlighter", "<pre class=E data-enlighter-language=java>x</pre>", _code("x", "java")),
    case("code-language-crayon", "<pre class='lang:ruby decode:true'>x</pre>", _code("x", "ruby")),
    case(
        "code-language-settings",
        "<pre class=s data-syntaxhighlighter-params='brush: java; gutter: false'>x</pre>",
        _code("x", "java"),
    ),
)
