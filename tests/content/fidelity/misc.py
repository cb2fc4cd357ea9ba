"""Whole pages: depth, emptiness, thinness, parts."""

from support.fidelity import case

NAV = "<nav><ul><li><a href='https://b.test/1'>One</a><li><a href='https://b.test/2'>Two</a></ul></nav>"
TABLE = "<table><tr><th>k<th>v<tr><td>a<td>1</table>"

CASES = (
    case("deep-divs-R082", "<div>" * 400 + "x", "<p>x</p>"),
    case("deep-divs-5000-R082", "<div>" * 5_000 + "x", "<p>x</p>"),
    case("deep-spans-R082", "<span>" * 3_000 + "x", "<p>x</p>"),
    case("deep-bold-R082", "<p>" + "<b><i>" * 300 + "x", "<p><b><i>x</i></b></p>"),
    case(
        "deep-description-R083",
        "<description>" + "<div>" * 400 + "x" + "</div>" * 400 + "</description><p>y</p>",
        "<p>x</p><p>y</p>",
    ),
    case("deep-lists-R082", "<ul><li>" * 6 + "x", "<ul><li>" * 6 + "x"),
    case("empty-R114", "", ""),
    case("blank-R114", " \n\t ", ""),
    case("head-only-R114", "<html><head><title>T</title></head><body></body></html>", ""),
    case(
        "small-article-R115",
        f"{NAV}<article><p>one</p><p>two</p></article>{TABLE}",
        f"<ul><li><a href='https://b.test/1'>One</a><li><a href='https://b.test/2'>Two</a></ul><p>one</p><p>two</p>{TABLE}",
    ),
    case("only-a-table-R115", TABLE),
    case(
        "lead-picture-R115",
        "<header><img src='https://b.test/i' alt=i></header><p>x</p>",
        "<p><img src='https://b.test/i' alt=i></p><p>x</p>",
    ),
    case("title-and-div-R118", "<title>T</title><div>text</div>", "<p>text</p>"),
    case("title-and-spans-R118", "<title>T</title><span>some</span> <span>text</span>", "<p>some text</p>"),
    case("thin-R120", "<p>OK</p>"),
    case("thin-json-R120", "<html><body>pong</body></html>", "<p>pong</p>"),
    case("whitespace-before-doctype-R123", "\n<!doctype html><p>x</p>", "<p>x</p>"),
    case("frames", "<frameset><frame src=/a></frameset>", "", "<p><a href='https://site.test/a'>frame</a></p>"),
    case(
        "parts",
        "<header>h</header><main>m</main><aside>a</aside><footer>f</footer>",
        "<p>h</p><p>m</p><p>a</p><p>f</p>",
    ),
    case("unclosed-paragraphs", "<p>a<p>b<p>c"),
    case("body-text", "just text", "<p>just text</p>"),
    case(
        "xhtml",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><p>x<br/>y</p></body></html>",
        "<p>x<br>y</p>",
    ),
    case("plaintext-tag", "<p>a</p><plaintext><b>x", "<p>a</p><pre>&lt;b&gt;x</pre>", "<p>a</p><p>&lt;b&gt;x</p>"),
    case("slots", "<my-card><template shadowrootmode=open><slot></slot></template><p>x</p></my-card>", "<p>x</p>"),
    case("unicode-title-tag", "<p>a</p><title>late</title>", "<p>a</p>"),
)
