"""What nobody sees, and what only looks hidden."""

from support.fidelity import case

SEEN = "<p>a visible paragraph of text</p>"

CASES = (
    *(
        case(f"hidden-{name}-R125", f"{SEEN}{html}", SEEN)
        for name, html in {
            "display": "<p style='display:none'>s1</p>",
            "display-spelled": "<p style=' DISPLAY : None ! important'>s1</p>",
            "attribute": "<p hidden>s2</p>",
            "aria": "<p aria-hidden=true>s3</p>",
            "visibility": "<p style='visibility:hidden'>s4</p>",
            "opacity": "<p style='opacity:0'>s5</p>",
            "white-on-white": "<p style='color:#fff;background:white'>s6</p>",
            "font-size": "<p style='font-size:0'>s7</p>",
            "off-screen": "<p style='position:absolute;left:-9999px'>s8</p>",
            "in-span": "<p><span style='display:none'>s9</span></p>",
            "unclosed": "<p style='display:none'>s1<p hidden>s2<p aria-hidden=true>s3",
            "template": "<template><p>s</p></template>",
            "dialog": "<dialog><p>s</p></dialog>",
        }.items()
    ),
    case("script-string-R119", '<script>var s="<div hidden>"</script><p>x', "<p>x</p>"),
    case("script-closing-string-R119", "<script>var s='<p>no</p>' + \"<\\/script>\"</script><p>x</p>", "<p>x</p>"),
    case("script-json-R119", '<script type=application/json>{"a":"<b>no</b>"}</script><p>x</p>', "<p>x</p>"),
    case("style-R119", "<style>p::before{content:'<p>no</p>'}</style><p>x</p>", "<p>x</p>"),
    case("script-in-paragraph-R119", "<p>a<script>document.write('<b>no</b>')</script>b</p>", "<p>ab</p>"),
    case("comment-R119", "<p>a</p><!-- <p>no</p> --><p>b</p>", "<p>a</p><p>b</p>"),
    case("comment-conditional-R119", "<!--[if IE]><p>old</p><![endif]--><p>b</p>", "<p>b</p>"),
    case("seen-until-found", "<p hidden=until-found>x</p>", "<p>x</p>"),
    case("seen-aria-false", "<p aria-hidden=false>x</p>", "<p>x</p>"),
    case("seen-dialog-open", "<dialog open>x</dialog>", "<p>x</p>"),
)
