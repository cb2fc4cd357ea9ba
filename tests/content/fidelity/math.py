"""Formulas: the TeX that the page carries, else what a reader sees."""

from support.fidelity import case

TEX = "<annotation encoding='application/x-tex'>{}</annotation>"
SEEN = "<mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>"

CASES = (
    case(
        "math-tex",
        f"<p>so <math><semantics>{SEEN}{TEX.format('x^2')}</semantics></math> is</p>",
        "<p>so <code>x^2</code> is</p>",
        "<p>so $x^2$ is</p>",
    ),
    case(
        "math-tex-marks",
        f"<p><math><semantics>{SEEN}{TEX.format('a_{i}*b_{j}')}</semantics></math></p>",
        "<p><code>a_{i}*b_{j}</code></p>",
        "<p>$a_{i}*b_{j}$</p>",
    ),
    case(
        "math-tex-block",
        f"<p>a</p><math display=block><semantics>{SEEN}{TEX.format('x^2')}</semantics></math><p>b</p>",
        "<p>a</p><p><code>x^2</code></p><p>b</p>",
        "<p>a</p><pre lang=math>x^2</pre><p>b</p>",
    ),
    case(
        "math-katex",
        "<p>so <span class=katex><span class=katex-mathml><math><semantics>"
        + SEEN
        + TEX.format("x^2")
        + "</semantics></math></span>"
        "<span class=katex-html aria-hidden=true><span class=mord>x2</span></span></span> is</p>",
        "<p>so <code>x^2</code> is</p>",
    ),
    case(
        "math-wikipedia",
        "<p>so <span class=mwe-math-element><span style='display: none;'><math><semantics>"
        + SEEN
        + TEX.format("{\\displaystyle x^{2}}")
        + "</semantics></math></span>"
        "<img src='https://b.test/i.svg' aria-hidden=true alt='{\\displaystyle x^{2}}'></span> is</p>",
        "<p>so <code>{\\displaystyle x^{2}}</code> is</p>",
    ),
    case("math-mathjax-script", "<p>so <script type='math/tex'>x^2</script> is</p>", "<p>so <code>x^2</code> is</p>"),
    case(
        "math-mathjax-display",
        "<p>a</p><script type='math/tex; mode=display'>\\frac{1}{2}</script><p>b</p>",
        "<p>a</p><p><code>\\frac{1}{2}</code></p><p>b</p>",
    ),
    case("math-alttext", "<p><math alttext='x^{2}'>" + SEEN + "</math></p>", "<p><code>x^{2}</code></p>"),
    case("math-plain", "<p><math><mi>x</mi><mo>+</mo><mn>2</mn></math></p>", "<p>x+2</p>"),
    case("math-fraction", "<p><math><mfrac><mn>1</mn><mn>2</mn></mfrac></math></p>", "<p>1/2</p>"),
    case("math-power", "<p><math><msup><mi>x</mi><mn>2</mn></msup></math></p>", "<p>x^2</p>"),
    case("math-root", "<p><math><msqrt><mn>2</mn></msqrt></math></p>", "<p>\u221a(2)</p>"),
    case("math-index", "<p><math><msub><mi>a</mi><mi>i</mi></msub></math></p>", "<p>a_i</p>"),
    case(
        "math-matrix",
        "<p><math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable></math></p>",
        "<p>1, 2; 3, 4</p>",
        "<p>1 2; 3 4</p>",
    ),
    case(
        "math-other-annotation",
        "<p><math><semantics><mi>x</mi><annotation encoding=MathType>AGE</annotation></semantics></math></p>",
        "<p>x</p>",
    ),
    case(
        "math-in-cell",
        f"<table><tr><th>f<tr><td><math><semantics>{SEEN}{TEX.format('x|y')}</semantics></math></table>",
        "<table><tr><th>f<tr><td><code>x|y</code></table>",
    ),
    case("math-dollars-as-text", "<p>\\(x^2\\) and $a_1*b$</p>"),
)
