"""Plain text that would turn into markup, and what is struck out where Markdown has no room for the marks."""

from support.fidelity import Case, case

_URL = "https://b.test/"

CASES: tuple[Case, ...] = (
    case("text-rule", "<p>a</p><p>___</p><p>b</p>"),
    case("text-rule-spaced", "<p>_ _ _</p>"),
    case("text-rule-long", "<p>Name ______</p><p>__________</p>"),
    case("text-rule-in-item", "<ul><li>___<li>a</ul>"),
    case("text-rule-in-numbered-quote", "<ol><li><blockquote>___</blockquote></ol>"),
    case("text-rule-after-break", "<p>a<br>____<br>b</p>"),
    case("text-rule-of-spans", "<p><span>_</span><span>_</span><span>_</span></p>"),
    case("text-short-line", "<p>a __</p>"),
    case(
        "text-tag-after-url",
        f"<p>&lt;a href=&quot;{_URL}&quot;&gt;y&lt;/a&gt;</p>",
        f"<p>&lt;a href=\"<a href='{_URL}%22%3Ey&amp;lt;/a%3E'>{_URL}\"&gt;y&amp;lt;/a&gt;</a></p>",
    ),
    case("text-tag-in-code-after-url", f"<p><code>{_URL}&lt;b&gt;</code></p>"),
    case("text-tag-in-block-after-url", f"<pre>{_URL}\\&lt;b&gt;</pre>", f"<pre><code>{_URL}\\&lt;b&gt;</code></pre>"),
    case("struck-price", "<p>was<s>$10</s>now $8</p>", "<p>was <s>$10</s> now $8</p>"),
    case("struck-prices-side-by-side", "<p><s>$9</s><s>$8</s><b>$7</b></p>", "<p><s>$9</s> <s>$8</s> <b>$7</b></p>"),
    case("struck-between-words", "<p>a<del>(b)</del>c</p>", "<p>a <del>(b)</del> c</p>"),
    case("struck-at-the-end", "<p>now <b>$7</b><del>$10</del></p>", "<p>now <b>$7</b><del>$10</del></p>"),
    case(
        "struck-in-a-cell",
        "<table><tr><th>h<th>k<tr><td>x<s>$1</s>y<td>2</table>",
        "<table><tr><th>h<th>k<tr><td>x <s>$1</s> y<td>2</table>",
    ),
    case("struck-word", "<p>a<del>b</del>c</p>"),
    case("struck-blank", "<p>a<del> </del>c</p>", "<p>a c</p>"),
    case("bold-side-by-side-mixed", "<p><b>a</b><strong>b</strong></p>", "<p><b>ab</b></p>"),
    case(
        "bold-beside-both", "<p><b>a</b><strong><em>b</em></strong></p>", "<p><b>a<i>b</i></b></p>", "<p><b>ab</b></p>"
    ),
    case("italic-side-by-side-mixed", "<p><em>a</em><i>b</i> c</p>", "<p><i>ab</i> c</p>"),
    case("link-in-brackets-relative", "<p><a href='</x>'>a</a></p>", "<p><a href=https://site.test/x>a</a></p>"),
)
