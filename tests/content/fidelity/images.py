"""Pictures: their source, their text, and what stands for those without one."""

from support.fidelity import case

HERE = "https://site.test/docs"

CASES = (
    case("image-plain", "<img src=a.png alt=A>", f"<img src={HERE}/a.png alt=A>"),
    case(
        "image-no-alt", "<p>x <img src='https://b.test/a.png'></p>", "<p>x <img src='https://b.test/a.png' alt=''></p>"
    ),
    case(
        "image-alt-lines",
        "<img src='https://b.test/a.png' alt='two\nlines'>",
        "<img src='https://b.test/a.png' alt='two lines'>",
    ),
    case("image-alt-brackets", "<img src='https://b.test/a.png' alt='a [b] c'>"),
    case("image-alt-underscores", "<img src='https://b.test/a.png' alt='my_file_name'>"),
    case("image-alt-marks", "<img src='https://b.test/a.png' alt='a *b* `c`'>"),
    case("image-src-space", "<img src='/a b.png' alt=A>", "<img src='https://site.test/a%20b.png' alt=A>"),
    case("image-src-parentheses", "<img src='https://b.test/a_(1).png' alt=A>"),
    case("image-lazy-data-src", "<img data-src=/l.png alt=L>", "<img src='https://site.test/l.png' alt=L>"),
    case("image-lazy-original", "<img data-original=/l.png alt=L>", "<img src='https://site.test/l.png' alt=L>"),
    case(
        "image-lazy-over-data",
        "<img src='data:image/gif;base64,R0lGOD' data-src=/l.png alt=L>",
        "<img src='https://site.test/l.png' alt=L>",
    ),
    case(
        "image-lazy-srcset",
        "<img src='data:image/gif;base64,R0lGOD' data-srcset='/l.png 1x, /m.png 2x' alt=L>",
        "<img src='https://site.test/l.png' alt=L>",
        "<img src='https://site.test/m.png' alt=L>",
    ),
    case(
        "image-srcset-only",
        "<img srcset='/l.png 480w, /m.png 960w' alt=L>",
        "<img src='https://site.test/l.png' alt=L>",
        "<img src='https://site.test/m.png' alt=L>",
    ),
    case(
        "image-picture-source",
        "<picture><source srcset='/l.webp'><img alt=L></picture>",
        "<img src='https://site.test/l.webp' alt=L>",
    ),
    case(
        "image-picture-fallback",
        "<picture><source srcset='/l.webp'><img src='/l.png' alt=L></picture>",
        "<img src='https://site.test/l.png' alt=L>",
    ),
    case(
        "image-noscript",
        "<p>a</p><img data-src=/l.png alt=L><noscript><img src=/l.png alt=L></noscript>",
        "<p>a</p><img src='https://site.test/l.png' alt=L>",
    ),
    case(
        "image-data-R126",
        "<p>x <img src='data:image/png;base64,AAAAAAAA' alt='dot'></p>",
        "<p>x [image: dot, 6 bytes of data]</p>",
    ),
    case(
        "image-data-nameless-R126",
        "<p>x <img src='data:image/png;base64,AAAAAAAA'></p>",
        "<p>x</p>",
    ),
    case(
        "image-data-large-R126",
        f"<p>x <img src='data:image/png;base64,{'A' * 4_000}'></p>",
        "<p>x [image: 3000 bytes of data]</p>",
    ),
    case(
        "image-data-percent-R126",
        "<p>x <img src='data:image/svg+xml,%3Csvg/%3E' alt=v></p>",
        "<p>x [image: v, 6 bytes of data]</p>",
    ),
    case("image-no-source", "<p>x <img alt=only></p>", "<p>x [image: only]</p>"),
    case(
        "image-whitespace-before-R098",
        "<div>t</div>\n    <span>    </span><img src='https://b.test/i' alt=i>",
        "<p>t</p><p><img src='https://b.test/i' alt=i></p>",
    ),
    case(
        "image-whitespace-nbsp-R098",
        "<div>t</div>\n    <span>\n\t </span><p><img src='https://b.test/i' alt=i></p>",
        "<p>t</p><p><img src='https://b.test/i' alt=i></p>",
    ),
    case("image-in-line", "<p>a <img src='https://b.test/i' alt=i> b</p>"),
    case(
        "image-figure",
        "<figure><img src='https://b.test/i' alt=i><figcaption>Cap</figcaption></figure>",
        "<p><img src='https://b.test/i' alt=i></p><p>Cap</p>",
    ),
    case(
        "image-figure-caption-first",
        "<figure><figcaption>Cap <b>b</b></figcaption><img src='https://b.test/i' alt=i></figure>",
        "<p>Cap <b>b</b></p><p><img src='https://b.test/i' alt=i></p>",
    ),
    case(
        "image-figure-linked",
        "<figure><a href='https://b.test/x'><img src='https://b.test/i' alt=i></a><figcaption>Cap"
        "</figcaption></figure>",
        "<p><a href='https://b.test/x'><img src='https://b.test/i' alt=i></a></p><p>Cap</p>",
    ),
    case("image-figure-of-code", "<figure><pre>x</pre><figcaption>Cap</figcaption></figure>", "<pre>x</pre><p>Cap</p>"),
    case("image-heading", "<h1><img src='https://b.test/i' alt=Logo></h1>"),
    case(
        "image-role-svg",
        "<p>a <svg role=img aria-label='Up'><path d='M0'/></svg> b</p>",
        "<p>a [image: Up] b</p>",
    ),
    case(
        "image-role-svg-title",
        "<p>a <svg role=img><title>Up</title><path d='M0'/></svg> b</p>",
        "<p>a [image: Up] b</p>",
    ),
    # What a drawing says is seen or not as its geometry has it, which nobody can tell without layout.
    case("svg-text", "<p>a</p><svg><text x=1>Jan</text><text>Feb</text></svg>", "<p>a</p>"),
    case("svg-title-and-desc", "<p>a</p><svg><title>Sales</title><desc>by</desc><text>Jan</text></svg>", "<p>a</p>"),
    case("svg-named-with-text", "<svg role=img aria-label=Sales><text>Jan</text></svg>", "<p>[image: Sales]</p>"),
    case("svg-tspans", "<p>a <svg><text><tspan>one</tspan> <tspan>two</tspan></text></svg> b</p>", "<p>a b</p>"),
    case(
        "svg-foreign-object", "<p>a</p><svg><foreignObject><p>x</p></foreignObject></svg><p>b</p>", "<p>a</p><p>b</p>"
    ),
    case("svg-decoration", "<p>a<svg><path d='M0 0'/></svg>b</p>", "<p>ab</p>"),
    case("svg-link", "<p>a</p><svg><a href='https://b.test/x'><text>Jan</text></a></svg>", "<p>a</p>"),
    case(
        "image-input",
        "<p>a <input type=image src='https://b.test/i' alt=Go></p>",
        "<p>a Go</p>",
        "<p>a <img src='https://b.test/i' alt=Go></p>",
    ),
    case("image-alt-newline-in-cell", "<table><tr><th>a<tr><td><img src='https://b.test/i' alt='x|y'></table>"),
)
