"""Headings and the lines between sections."""

from support.fidelity import case

CASES = (
    *(case(f"heading-{level}", f"<h{level}>T</h{level}><p>x</p>") for level in range(1, 7)),
    case("heading-newline-R088", "<h2>A\n<br>B</h2>", "<h2>A B</h2>"),
    case("heading-break-R088", "<h1>A<br/>B<br>C</h1>", "<h1>A B C</h1>"),
    case("heading-lines-R088", "<h3>\n  A\n  B\n</h3>", "<h3>A B</h3>"),
    case("heading-block-inside-R088", "<h2><div>A</div><div>B</div></h2>", "<h2>A B</h2>"),
    case("heading-code", "<h2><code>f_x()</code> here</h2>"),
    case("heading-bold", "<h2><b>T</b></h2>", "<h2><b>T</b></h2>", "<h2>T</h2>"),
    case("heading-hash", "<h2>C#</h2><p># x</p><p>#tag</p>"),
    case("heading-hash-last", "<h2>a #</h2>"),
    case("heading-number", "<h2>1. T</h2>"),
    case("heading-empty", "<h2></h2><p>x</p>", "<p>x</p>"),
    case("heading-in-section", "<section><header><h1>T</h1></header><p>x</p></section>", "<h1>T</h1><p>x</p>"),
    case("heading-in-button", "<button><h3>T</h3></button>", "<h3>T</h3>", "<p>T</p>"),
    case("heading-group", "<hgroup><h1>T</h1><p>sub</p></hgroup>", "<h1>T</h1><p>sub</p>"),
    case("heading-in-summary", "<details><summary><h3>T</h3></summary>x</details>", "<h3>T</h3><p>x</p>"),
    case("heading-span-permalink", "<h2><span id=t>T</span></h2>", "<h2>T</h2>"),
    case("heading-picture-beside", "<h2>T <img src='https://b.test/i' alt=i></h2>"),
    case("heading-role", "<div role=heading aria-level=2>T</div><p>x</p>", "<h2>T</h2><p>x</p>", "<p>T</p><p>x</p>"),
    case("rule", "<p>a</p><hr><p>b</p>"),
    case("rule-only", "<hr>"),
    case("rule-in-item", "<ul><li>a<hr>b</ul>"),
    case("rule-like-text", "<p>---</p><p>***</p><p>a<br>===</p>"),
)
