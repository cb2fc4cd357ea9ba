"""Code: to the letter, with its language."""

from support.fidelity import case

TWO, APART = "x\n  y", "x\n\n  y"


def _block(code: str, language: str = "") -> str:
    return f"<pre lang='{language}'><code>{code}</code></pre>"


CASES = (
    case("code-pre-spaces-R094", "<pre>a   b\n    c</pre>", _block("a   b\n    c")),
    case("code-pre-code-spaces-R094", "<pre><code>a   b\n\tc</code></pre>", _block("a   b\n\tc")),
    case(
        "code-pre-indent-R124",
        "<pre>def f():\n    if x:\n        return</pre>",
        _block("def f():\n    if x:\n        return"),
    ),
    case("code-pre-first-line-indent-R124", "<pre>    a\n  b</pre>", _block("    a\n  b")),
    case(
        "code-pre-indent-spans-R124",
        "<pre><span>    </span><span>if</span> x\n<span>        </span>y</pre>",
        _block("    if x\n        y"),
    ),
    case("code-pre-break-R104", "<pre>a<br>   b</pre>", _block("a\n   b")),
    case("code-pre-code-break-R104", "<pre><code>a<br/>   b<br>c</code></pre>", _block("a\n   b\nc")),
    case("code-pre-no-code-R104", "<pre>x = 1</pre>", _block("x = 1")),
    case("code-pre-space-span-R113", "<pre><span>def</span><span> </span><span>f</span></pre>", _block("def f")),
    case("code-pre-newline-span-R113", "<pre><span>a</span><span>\n</span><span>b</span></pre>", _block("a\nb")),
    case(
        "code-pre-space-spans-code-R113",
        "<pre><code><span>x</span><span>  </span><span>=</span><span> </span><span>1</span></code></pre>",
        _block("x  = 1"),
    ),
    case("code-pre-fence-R103", "<pre>```\ninner\n```</pre>", _block("```\ninner\n```")),
    case("code-pre-long-fence-R103", "<pre>`````\ninner\n`````</pre>", _block("`````\ninner\n`````")),
    case("code-pre-tildes-R103", "<pre>~~~\n```py\nx\n```\n~~~</pre>", _block("~~~\n```py\nx\n```\n~~~")),
    case("code-pre-blank-lines", "<pre>a\n\n\n\nb</pre>", _block("a\n\n\n\nb")),
    case(
        "code-pre-tags-as-text", "<pre>&lt;b&gt;x&lt;/b&gt; &amp;amp;</pre>", _block("&lt;b&gt;x&lt;/b&gt; &amp;amp;")
    ),
    case("code-pre-markdown", "<pre># not\n* a\n_b_ [c](d)</pre>", _block("# not\n* a\n_b_ [c](d)")),
    case("code-pre-links", "<pre>see <a href=/x>f</a>()</pre>", _block("see f()")),
    case("code-pre-bold", "<pre>a <b>b</b> <i>c</i></pre>", _block("a b c")),
    case("code-pre-in-list", "<ul><li>a<pre>x\n  y</pre><li>b</ul>", f"<ul><li>a{_block(TWO)}<li>b</ul>"),
    case(
        "code-pre-in-quote",
        "<blockquote><pre>x\n\n  y</pre></blockquote>",
        f"<blockquote>{_block(APART)}</blockquote>",
    ),
    case("code-pre-then-text", "<pre>x</pre>after", f"{_block('x')}<p>after</p>"),
    case("code-pre-two", "<pre>x</pre><pre>y</pre>", _block("x") + _block("y")),
    case("code-pre-empty", "<p>a</p><pre></pre><p>b</p>", "<p>a</p><p>b</p>", f"<p>a</p>{_block('')}<p>b</p>"),
    case("code-pre-crlf", "<pre>a\r\n  b</pre>", _block("a\n  b")),
    case("code-pre-nbsp", "<pre>a&nbsp;&nbsp;b</pre>", _block("a&nbsp;&nbsp;b"), _block("a  b")),
    case("code-pre-paragraph-inside", "<pre><p>a</p><p>b</p></pre>", _block("a\nb"), _block("a\n\nb")),
    case("code-pre-divs", "<pre><div>a</div><div>  b</div></pre>", _block("a\n  b")),
    case("code-language-class", "<pre><code class=language-python>x</code></pre>", _block("x", "python")),
    case("code-language-lang-class", "<pre><code class='hljs lang-js'>x</code></pre>", _block("x", "js")),
    case("code-language-on-pre", "<pre class='line-numbers language-css'><code>x</code></pre>", _block("x", "css")),
    case(
        "code-language-prism",
        "<pre class=language-rust tabindex=0><code class=language-rust><span class='token keyword'>fn"
        "</span> f</code></pre>",
        _block("fn f", "rust"),
    ),
    case("code-language-hljs", "<pre><code class='hljs python'>x</code></pre>", _block("x", "python")),
    case("code-language-hljs-language", "<pre><code class='hljs language-go'>x</code></pre>", _block("x", "go")),
    case("code-language-data-lang", "<pre><code data-lang=ruby>x</code></pre>", _block("x", "ruby")),
    case("code-language-data-language", "<pre data-language=toml>x</pre>", _block("x", "toml")),
    case("code-language-pre-lang", "<pre lang=sql>x</pre>", _block("x", "sql")),
    case(
        "code-language-github",
        "<div class='highlight highlight-source-python'><pre>x</pre></div>",
        _block("x", "python"),
    ),
    case(
        "code-language-github-shell",
        "<div class='highlight highlight-source-shell notranslate'><pre>ls</pre></div>",
        _block("ls", "shell"),
    ),
    case(
        "code-language-github-text",
        "<div class='highlight highlight-text-html-basic'><pre>x</pre></div>",
        _block("x", "html"),
        _block("x", "html-basic"),
    ),
    case(
        "code-language-sphinx",
        "<div class='highlight-python notranslate'><div class=highlight><pre><span></span>"
        "<span class=k>def</span> f</pre></div></div>",
        _block("def f", "python"),
    ),
    case(
        "code-language-sphinx-default",
        "<div class='highlight-default notranslate'><div class=highlight><pre>x</pre></div></div>",
        _block("x"),
    ),
    case("code-language-brush", "<pre class='brush: js; gutter: false'>x</pre>", _block("x", "js")),
    case("code-language-mdn-brush", "<pre class='brush: html notranslate'><code>x</code></pre>", _block("x", "html")),
    case(
        "code-language-jekyll",
        "<div class='language-ruby highlighter-rouge'><div class=highlight><pre class=highlight><code>x"
        "</code></pre></div></div>",
        _block("x", "ruby"),
    ),
    case(
        "code-language-shiki",
        "<pre class='shiki nord' data-language=ts><code><span class=line>a</span>\n<span class=line>b"
        "</span></code></pre>",
        _block("a\nb", "ts"),
    ),
    case(
        "code-language-sourcecode",
        "<div class=sourceCode><pre class='sourceCode haskell'><code class='sourceCode haskell'>x</code></pre></div>",
        _block("x", "haskell"),
    ),
    case("code-language-none", "<pre><code class='copyable big'>x</code></pre>", _block("x")),
    case("code-language-plus", "<pre><code class='language-c++'>x</code></pre>", _block("x", "c++")),
    case("code-language-hostile", "<pre><code class='language-`x'>x</code></pre>", _block("x")),
    case(
        "code-gutter-rouge",
        "<pre><table><tr><td class='gutter gl'><pre class=lineno>1\n2\n</pre></td><td class=code>"
        "<pre>a\n  b\n</pre></td></tr></table></pre>",
        _block("a\n  b"),
    ),
    case(
        "code-gutter-pygments-table",
        "<div class=highlight><table class=highlighttable><tr><td class=linenos><div class=linenodiv>"
        "<pre>1\n2</pre></div></td><td class=code><div><pre>a\n  b</pre></div></td></tr></table></div>",
        _block("a\n  b"),
    ),
    case(
        "code-gutter-hugo",
        "<div class=highlight><div><table class=lntable><tr><td class=lntd><pre class=chroma><code>"
        "<span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre></td><td class=lntd>"
        "<pre class=chroma><code class=language-go data-lang=go>a\n  b</code></pre></td></tr></table>"
        "</div></div>",
        _block("a\n  b", "go"),
    ),
    case(
        "code-gutter-inline-spans",
        "<pre><span class=linenos>1</span>a\n<span class=linenos>2</span>  b</pre>",
        _block("a\n  b"),
    ),
    case(
        "code-gutter-prism-rows",
        "<pre class='language-js line-numbers'><code>a\nb<span aria-hidden=true class=line-numbers-rows>"
        "<span></span><span></span></span></code></pre>",
        _block("a\nb", "js"),
    ),
    case(
        "code-gutter-github-blob",
        "<table class='highlight js-file-line-container'><tr><td class='blob-num' data-line-number=1>"
        "</td><td class='blob-code'>a</td></tr><tr><td class='blob-num' data-line-number=2></td>"
        "<td class='blob-code'>  b</td></tr></table>",
        _block("a\n  b"),
    ),
    case(
        "code-gutter-copy-button",
        "<div class=highlight><pre><button class=copy>Copy</button>a</pre></div>",
        _block("a"),
    ),
    case("code-inline", "<p>Use <code>x</code> now</p>"),
    case("code-inline-one-line-R105", "<p>Use <code>x</code> now"),
    case("code-inline-newline-R105", "<p>Use\n<code>x\ny</code>\nnow</p>", "<p>Use <code>x y</code> now</p>"),
    case("code-inline-in-item-R105", "<ul><li>Use <code>x</code>, then <code>y</code>.</ul>"),
    case("code-inline-marks-R102", "<p>call <code>a_b*c</code></p>"),
    case("code-words-R102", "<p>my_var_name and __init__ and a_b</p>"),
    case("code-words-leading-R102", "<p>_private and other_ and _both_</p>"),
    case("code-words-bold-R102", "<p><b>my_var_name</b> <i>other_var</i></p>"),
    case("code-inline-dunder-R102", "<p><code>__init__</code> and <code>*args, **kw</code></p>"),
    case("code-inline-tick", "<p><code>a`b</code></p>"),
    case("code-inline-only-ticks", "<p><code>``</code></p>"),
    case("code-inline-edge-ticks", "<p><code>`a`</code></p>"),
    case("code-inline-tags", "<p><code>&lt;br&gt;</code></p>"),
    case("code-inline-backslash", "<p><code>\\d+\\</code> b</p>"),
    case("code-inline-pipe", "<p><code>a|b</code></p>"),
    case("code-inline-pipe-in-cell", "<table><tr><th>a<tr><td><code>x|y</code></table>"),
    case("code-inline-bold-around", "<p><b><code>x</code></b> y</p>"),
    case("code-inline-bold-inside", "<p><code>a<b>b</b>c</code></p>", "<p><code>abc</code></p>"),
    case(
        "code-inline-link-inside",
        "<p><code><a href='https://b.test/x'>f</a></code></p>",
        "<p><a href='https://b.test/x'><code>f</code></a></p>",
    ),
    case(
        "code-inline-link-part",
        "<p><code>x.<a href='https://b.test/x'>f</a>()</code></p>",
        "<p><code>x.</code><a href='https://b.test/x'><code>f</code></a><code>()</code></p>",
        "<p><code>x.f()</code></p>",
    ),
    case(
        "code-inline-side-by-side",
        "<p><code>a</code><code>b</code></p>",
        "<p><code>ab</code></p>",
        "<p><code>a</code> <code>b</code></p>",
    ),
    case("code-inline-in-word", "<p>pre<code>x</code>post</p>"),
    case(
        "code-kbd",
        "<p>press <kbd>Ctrl</kbd>+<kbd>C</kbd></p>",
        "<p>press <code>Ctrl</code>+<code>C</code></p>",
        "<p>press Ctrl+C</p>",
    ),
    case("code-samp", "<p>prints <samp>ok_1</samp></p>", "<p>prints <code>ok_1</code></p>", "<p>prints ok_1</p>"),
    case("code-var", "<p>let <var>n</var> be</p>", "<p>let <em>n</em> be</p>", "<p>let n be</p>"),
    case("code-tt", "<p>run <tt>ls</tt></p>", "<p>run <code>ls</code></p>"),
    case("code-block-in-paragraphless-div", "<div><code>x = 1</code></div>", "<p><code>x = 1</code></p>"),
    case(
        "code-multi-line-code-no-pre",
        "<code style='white-space:pre'>a\n  b</code>",
        "<p><code>a b</code></p>",
        _block("a\n  b"),
    ),
    case("code-textarea", "<p>a</p><textarea>x\n y</textarea>", "<p>a</p><p>x y</p>", "<p>a</p>" + _block("x\n y")),
    case("code-xmp", "<xmp><b>x</xmp>", _block("&lt;b&gt;x")),
    case("code-samp-block", "<pre><samp>a\n  b</samp></pre>", _block("a\n  b")),
    case("code-kbd-block", "<pre><kbd>ls</kbd>\nout</pre>", _block("ls\nout")),
)
