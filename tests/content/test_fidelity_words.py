"""Whatever a page is built of, its words are in the Markdown once, and nothing of its tags."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.content import converted, markdown
from support.fidelity import rendered
from webseam.core.limits import MARKDOWN_GROWTH

INLINE = ("b", "strong", "i", "em", "del", "span", "code", "a href=/x", "q", "kbd", "mark", "sub", "u", "small", "cite")
BLOCKS = ("p", "div", "section", "blockquote", "h2", "h5", "pre", "figure", "article", "details", "center", "fieldset")
GROUPS = (
    ("<ul><li>{}</li><li>{}</li></ul>", 2),
    ("<ol start=3><li>{}</li><li>{}</li></ol>", 2),
    ("<dl><dt>{}</dt><dd>{}</dd></dl>", 2),
    ("<table><tr><th>{}</th><th>{}</th></tr><tr><td>{}</td><td>{}</td></tr></table>", 4),
    ("<table><tr><td colspan=2>{}</td></tr><tr><td>{}</td><td>{}</td></tr></table>", 3),
    ("<p>{}<br>{}</p>", 2),
    ("<p style='white-space:pre-wrap'>{}\n{}</p>", 2),
    ("<h2>{}<p>{}</p><p>{}</p></h2>", 3),
    ("<ul><ul><ul><li>{}</li></ul></ul></ul>", 1),
    ("<ul><li><blockquote>{}</blockquote><blockquote>{}</blockquote></li></ul>", 2),
    ("<p>{}<s>({})</s>{}</p>", 3),
    ("<pre><code>{}</code><code>{}</code></pre>", 2),
    ("<a href=/x><h3>{}</h3> {}</a>", 2),
    ("<select><option>{}<option>{}</select>", 2),
    ("<ruby>{}<rt>{}</rt></ruby>", 2),
    ("<math><mfrac><mi>{}</mi><mi>{}</mi></mfrac></math>", 2),
    ("<figure><img src=i><figcaption>{}</figcaption></figure>", 1),
    ("<div class=highlight-python><pre><span class=lineno>9</span>{}</pre></div>", 1),
    ("<p>{} <script>no</script>{}<!-- no --></p>", 2),
)
WORD = re.compile("w[a-z]+e")
MARKS = ("", "", "", " ", "*", "_", "`", ":", "\\", "#", "&lt;b&gt;", "[", "|", "~", "!", "1.", "-", "&nbsp;")


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, list[str]]:
    """HTML of nested elements, and its words in order."""
    words: list[str] = []

    def word() -> str:
        name = "".join("abcdefghij"[int(digit)] for digit in str(len(words)))
        words.append(f"w{name}e")
        return f"{draw(st.sampled_from(MARKS))}{words[-1]}{draw(st.sampled_from(MARKS))}"

    def piece(depth: int) -> str:
        kind = draw(st.integers(0, 3)) if depth else 0
        if kind == 0:
            return word()
        if kind == 1:
            tag = draw(st.sampled_from(INLINE))
            inner = " ".join(piece(0) for _ in range(draw(st.integers(1, 3))))
            return f"<{tag}>{inner}</{tag.split()[0]}>"
        if kind == 2:
            tag = draw(st.sampled_from(BLOCKS))
            return f"<{tag}>{' '.join(piece(depth - 1) for _ in range(draw(st.integers(1, 3))))}</{tag}>"
        group, size = draw(st.sampled_from(GROUPS))
        return group.format(*(piece(depth - 1 if group[1] in "uodt" else 0) for _ in range(size)))

    return " ".join(piece(2) for _ in range(draw(st.integers(1, 4)))), words


@pytest.mark.req("fidelity:words:once", "fidelity:words:stable")
@given(pages())
def test_every_visible_word_is_in_the_markdown_once(made: tuple[str, list[str]]) -> None:
    html, words = made
    text = markdown(html)
    assert sorted(WORD.findall(text)) == sorted(words)
    assert "raw HTML omitted" not in rendered(text)
    assert "no" not in text
    assert len(text) <= MARKDOWN_GROWTH * len(html) + 4_096
    assert markdown(html) == text


@pytest.mark.req("fidelity:text:underscores")
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>my_var_name</p>", "my_var_name"),
        ("<p>_private</p>", "_private"),
        ("<p>_both_</p>", "\\_both_"),
        ("<p>__init__</p>", "\\_\\_init__"),
        ("<p><code>__init__</code> _a_</p>", "`__init__` \\_a_"),
        ("<pre>__init__</pre>", "```\n__init__\n```"),
        ("<p><a href='https://b.test/_x_'>y</a></p>", "[y](https://b.test/_x_)"),
        ("<p>https://b.test/_x_</p>", "https://b.test/_x_"),
    ],
)
def test_only_an_underscore_that_would_open_emphasis_is_escaped(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.req("fidelity:code:verbatim")
@given(st.text(alphabet="ab `~\n#*_-<>&|\\1.", max_size=60))
def test_code_comes_back_to_the_letter(code: str) -> None:
    escaped = code.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    back = rendered(markdown(f"<pre>\n{escaped}</pre>")) if code.strip() else ""
    found = re.search("<pre><code>(.*)</code></pre>", back, re.DOTALL)
    assert (found[1] if found else "").strip("\n") == (_requoted(escaped).strip("\n") if code.strip() else "")


def _requoted(escaped: str) -> str:
    return escaped.replace('"', "&quot;")


@pytest.mark.req("fidelity:code:language")
@pytest.mark.parametrize(
    ("html", "fence"),
    [
        ("<pre lang=en>x</pre>", "```"),
        ("<pre lang=py>x</pre>", "```py"),
        ("<pre><code class='language-a` b'>x</code></pre>", "```"),
        ("<div class='highlight-console notranslate'><div class=highlight><pre>x</pre></div></div>", "```console"),
        ("<div class='highlight-none'><div class=highlight><pre>x</pre></div></div>", "```"),
    ],
)
def test_a_fence_names_a_language_of_code_only(html: str, fence: str) -> None:
    assert markdown(html).split("\n")[0] == fence


@pytest.mark.req("fidelity:links:named")
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=/x aria-label=Go title=No><svg></svg></a>", "[Go](https://site.test/x)"),
        ("<a href=/x title=Go><span></span></a>", "[Go](https://site.test/x)"),
        ("<a href=/x><svg aria-hidden=true><title>Go</title></svg></a>", "[Go](https://site.test/x)"),
        ("<a href=/x><svg></svg>Go</a>", "[Go](https://site.test/x)"),
        ("<a href=/x><span></span></a>", "<https://site.test/x>"),
        ("<a href='javascript:1'><span></span></a>", ""),
        ("<a href='#x'></a>", ""),
        ("<a href=/x title='Go'>Go</a>", "[Go](https://site.test/x)"),
        ("<a href=/x title='To\nGo'>Go</a>", '[Go](https://site.test/x "To Go")'),
    ],
)
def test_a_link_without_words_has_a_name(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.req("fidelity:media:linked")
@pytest.mark.parametrize(
    ("html", "expected", "hidden"),
    [
        ("<iframe src=/m title=Map></iframe>", "[frame: Map](https://site.test/m)", 0),
        ("<p>a</p><iframe src=/m hidden></iframe>", "a", 1),
        ("<p>a</p><video src=/m style='display:none'></video>", "a", 1),
        ("<iframe src='javascript:1'></iframe>", "", 0),
        ("<a href=/x><video src=/v.mp4 title=T></video></a>", "[video: T](https://site.test/x)", 0),
        (f"<iframe src=/m title='{'t' * 999}'></iframe>", f"[frame: {'t' * 119}\u2026](https://site.test/m)", 0),
    ],
)
def test_media_are_links_unless_hidden(html: str, expected: str, hidden: int) -> None:
    made = converted(html)
    assert (made.text, made.hidden) == (expected, hidden)


MANY = 8_000
NESTS = {
    "drawings": "<svg role=img aria-label=t><text>t",
    "drawings in links": "<a href=/x><svg><title>t</title></svg>",
    "code tables": "<table><tr><td class=gutter><pre>1</pre><td><pre>x",
    "numbered code": "<pre class='brush: js'><span class=lineno>1</span>x",
    "wrapped code": "<div class=highlight><pre>x</pre>",
    "boxes": "<li><label><input type=checkbox>x",
    "gauges": "<meter value=1>",
    "abbreviations": "<abbr title=t>x",
    "reversed lists": "<ol reversed><li>x",
    "emphasis": "<b><i>x",
    "emphasis side by side": "<b>x</b>",
    "headings in links": "<a href=/x><h2>x</h2>",
    "formulas": "<math alttext='x^2'><mtable><mtr><mtd>x",
    "media": "<video src=/x>",
    "underscores": "(_x_ ",
    "pictures": "<picture><source srcset=x><img>",
    "empty links": "<a href=/x></a>",
    "kept lines": "<div style='white-space:pre-wrap'>x\ny",
    "kept lines side by side": "<p style='white-space:pre'>x</p>",
    "headings around blocks": "<h2>x<p>y<p>z",
    "quotes in items": "<li><blockquote>x</blockquote><blockquote>y",
    "struck out": "x<s>(1)</s>y",
    "struck out in one another": "<s>(<del>x",
    "calls": "<code><a href=/x>f</a>()",
    "source lines": "<div class=fragment><div class=line>x",
    "copies": f"<p class=a>{'x' * 40}</p><p class=b>{'x' * 40}</p>",
    "copies in one another": f"<div class=a>{'x' * 40}</div><div class=b>{'x' * 40}",
    "typeset formulas": "<span class=MathJax>x</span><script type='math/tex'>x</script>",
    "AMP pictures": "<amp-img src=/x>",
    "tags after URLs": "//x.test/\\&lt;b&gt;",
}


@pytest.mark.req("fidelity:nesting:linear")
@pytest.mark.timeout(20)
@pytest.mark.parametrize("html", NESTS.values(), ids=NESTS.keys())
def test_many_of_them_in_one_another_convert_to_bounded_output(html: str) -> None:
    made = converted(html * MANY)  # the mark's seconds are a bound against quadratic work, not a speed
    assert made.text
    assert len(made.text) <= MARKDOWN_GROWTH * len(html) * MANY + 4_096
