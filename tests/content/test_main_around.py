"""Main content: what stands around a text, and what only looks as if it did."""

import pytest

from support.content import URL
from webseam.content.main_words import announces
from webseam.content.markdown import Markdown, html_to_markdown

LONG = (
    "The council voted to raise the wall by forty centimetres before the next winter comes, and nobody objected. " * 3
)
TEXT = f"<h1>Walls rise along the whole harbour</h1><p>{LONG}</p><p>GOOD {LONG}</p>"
LINKS = "<ul>" + "".join(f"<li><a href=/{n}>BAD story {n}</a> and what it says</li>" for n in range(4)) + "</ul>"
TEASER = (
    "<div class=c><h3><a href=/{0}>{1} Ferries get longer, piers too</a></h3><p>{1} {0} " + LONG[:180] + "</p></div>"
)


def main(html: str) -> Markdown:
    return html_to_markdown(f"<title>Walls rise along the whole harbour</title>{html}", url=URL, view="main")


@pytest.mark.req("main:announced")
@pytest.mark.parametrize(
    "heading",
    [
        *("Related articles", "You may also like", "More from Example", "Most read", "Don\u2019t miss"),
        *("Ähnliche Beiträge", "Das könnte dich auch interessieren", "À lire aussi", "Te puede interesar"),
        *("Leggi anche", "Leia também", "Lees ook", "Читайте также", "関連記事", "相关阅读", "관련 기사", "اقرأ أيضا"),
    ],
)
@pytest.mark.parametrize("around", ["<div class=x>{0}</div>", "{0}", "<div><div>{0}</div></div>"])
def test_what_a_heading_announces_as_other_pages_goes_with_it(heading: str, around: str) -> None:
    made = main(f"<div>{TEXT}{around.format(f'<h2>{heading}</h2>{LINKS}<p>BAD {LONG}</p>')}</div>")
    assert made.view == "main"
    assert "GOOD" in made.text
    assert "BAD" not in made.text
    assert heading not in made.text


@pytest.mark.req("main:announced")
@pytest.mark.parametrize(
    "heading", ["27 comments", "3 Kommentare", "12 commentaires", "5 thoughts on \u201cWalls\u201d"]
)
def test_comments_go_where_only_their_number_tells_them(heading: str) -> None:
    posts = "".join(f"<li><p>BAD {n} {LONG}</p></li>" for n in range(5))
    made = main(f"<div>{TEXT}<div><h3>{heading}</h3><ul>{posts}</ul></div></div>")
    assert "GOOD" in made.text
    assert "BAD" not in made.text


@pytest.mark.req("main:announced")
@pytest.mark.parametrize(
    ("heading", "below"),
    [
        ("Comments", f"<p>KEPT {LONG}</p><p>As in <a href=/c>C</a> and <a href=/d>D</a>.</p><button>Copy</button>"),
        ("Tags", f"<p>KEPT {LONG}</p><pre>git tag v1</pre><button>Copy</button>"),
        ("Related work", f"<p>KEPT {LONG}</p><p>See <a href=/1>one</a>, <a href=/2>two</a>.</p>"),
        ("Related articles", f"<p>KEPT {LONG}</p>"),
        ("Recommendations", f"<p>KEPT {LONG}</p>{LINKS.replace('BAD', '')}"),
        ("More on the method", f"<p>KEPT {LONG}</p>{LINKS.replace('BAD', '')}"),
    ],
)
def test_a_chapter_with_a_name_like_that_stays(heading: str, below: str) -> None:
    made = main(f"<nav><a href=/>Home</a></nav><div>{TEXT}<h2>{heading}</h2>{below}<h2>Costs</h2><p>{LONG}</p></div>")
    assert heading in made.text
    assert "KEPT" in made.text


@pytest.mark.req("main:announced")
@pytest.mark.parametrize(
    "text", ["Related", "Popular culture", "You will need", "Cela devrait changer", "Get the code"]
)
def test_only_whole_phrases_announce(text: str) -> None:
    assert (announces(text) is None) is (text != "Related")
    assert announces("Related articles " + "and so on " * 20) is None


@pytest.mark.req("main:beside")
def test_teasers_below_a_text_go() -> None:
    teasers = "".join(TEASER.format(n, "BAD") for n in range(4))
    made = main(f"<div>{TEXT}<p>GOOD {LONG}</p>{teasers}</div>")
    assert "GOOD" in made.text
    assert "BAD" not in made.text


@pytest.mark.req("main:beside")
@pytest.mark.parametrize(
    "hint",
    [
        "<div><div><a href=/r>Ferries get longer, and the port follows</a></div><p>BAD They carry more.</p></div>",
        "<div class=paragraph><h4><a href=/r>Ferries get longer and piers</a></h4><p>BAD They carry more.</p></div>",
    ],
)
def test_a_hint_at_another_page_in_the_midst_of_a_text_goes(hint: str) -> None:
    paragraph = f"<div><p>GOOD {LONG}</p></div>"
    made = main(f"<article><h1>Walls rise along the whole harbour</h1>{paragraph * 3}{hint}{paragraph * 3}</article>")
    assert made.text.count("GOOD") == 6
    assert "BAD" not in made.text


@pytest.mark.req("main:beside")
def test_teasers_that_are_the_page_stay() -> None:
    teasers = "".join(TEASER.format(n, "GOOD") for n in range(12))
    made = main(f"<nav><a href=/>Home</a></nav><main><h1>News</h1>{teasers}</main><footer><a href=/i>I</a></footer>")
    assert made.text.count("GOOD") == 24


@pytest.mark.req("main:beside")
@pytest.mark.parametrize(
    "section",
    [
        "<section><h3><a href='#s{0}'>Option {0}</a></h3><p>GOOD Turns the wall {0} times, then stops.</p></section>",
        "<div class=release><h3><a href=/r/{0}>Release {0}</a></h3><p>GOOD Mends {0} things in walls.</p></div>",
    ],
)
def test_short_chapters_with_links_in_their_headings_stay(section: str) -> None:
    first = f"<div class=release><h3><a href=/r/0>Release 0</a></h3><p>{LONG}</p><p>{LONG}</p><p>{LONG}</p></div>"
    made = main(f"<nav><a href=/>H</a></nav><div>{first}{''.join(map(section.format, range(1, 9)))}</div>")
    assert made.text.count("GOOD") == 8


@pytest.mark.req("main:beside")
@pytest.mark.parametrize("side", ["<aside>{0}</aside>", "<section id=sidebar><div>{0}</div></section>"])
def test_a_side_column_that_is_longer_than_the_text_goes(side: str) -> None:
    column = side.format("".join(f"<p>BAD {n} {LONG}</p>" for n in range(6)))
    made = main(f"<div><div class=story><p>GOOD {LONG}</p><p>{LONG}</p></div>{column}</div>")
    assert made.view == "main"
    assert "GOOD" in made.text
    assert "BAD" not in made.text


@pytest.mark.req("main:beside")
def test_who_wrote_a_page_goes_and_who_speaks_in_a_thread_stays() -> None:
    box = f"<div class=author-box><p>BAD Ada Low writes on harbours. {LONG}</p></div>"
    assert "BAD" not in main(f"<div>{TEXT}<p>{LONG}</p><p>{LONG}</p><p>{LONG}</p>{box}</div>").text
    posts = "".join(f"<div class=post><p class=author>user{n}</p><p>{LONG}</p></div>" for n in range(8))
    made = main(f"<nav><a href=/>Home</a></nav><div>{posts}</div>")
    assert [n for n in range(8) if f"user{n}" not in made.text] == []


@pytest.mark.req("main:beside")
@pytest.mark.parametrize(
    "label", ["modal fade", "popup", "d-none d-print-block", "print-only", "no-print", "c-modal c-modal--small"]
)
def test_windows_and_what_is_for_paper_go(label: str) -> None:
    made = main(f"<div>{TEXT}<p>{LONG}</p><p>{LONG}</p><div class='{label}'><p>BAD {LONG}</p></div></div>")
    assert "GOOD" in made.text
    assert "BAD" not in made.text


@pytest.mark.req("main:beside")
@pytest.mark.parametrize(
    "credit",
    [
        "<figcaption>Foto: dpa</figcaption>",
        "<p>© Getty Images</p>",
        "<p>Photo by A. Low</p>",
        "<p>A. Low. All rights reserved.</p>",
    ],
)
def test_whose_a_picture_is_goes(credit: str) -> None:
    made = main(f"<div>{TEXT}<figure><img src=a.png alt=Wall>{credit}</figure><p>{LONG}</p></div>")
    assert "GOOD" in made.text
    assert not any(word in made.text for word in ("dpa", "Getty", "A. Low"))


@pytest.mark.req("main:beside")
@pytest.mark.parametrize(
    "kept",
    [
        *("<p>(c) The tenant pays for the water.</p>", "<p>Source: harbour office, 2026</p>"),
        *("<figure><img src=a.png><figcaption>The wall at noon</figcaption></figure>", "<p>Images: see the annex.</p>"),
    ],
)
def test_what_only_starts_like_a_credit_stays(kept: str) -> None:
    said = kept.rpartition("</")[0].rpartition(">")[2].removesuffix("</figcaption>")
    assert said in main(f"<nav><a href=/>H</a></nav><div>{TEXT}{kept}<p>{LONG}</p></div>").text


@pytest.mark.req("main:subset")
@pytest.mark.parametrize(
    ("left", "right"), [("wall", LONG), (f"<b>wall</b>{LONG}<i>end</i>", "<i>a</i> b"), ("a ", LONG)]
)
def test_texts_on_both_sides_of_what_goes_stay_apart(left: str, right: str) -> None:
    html = f"{left}<p class=ad>BAD</p>{right}"
    words = set(html_to_markdown(html, url=URL).text.replace("*", "").split())
    made = main(html)
    assert made.view == "main"
    assert set(made.text.replace("*", "").split()) == words - {"BAD"}


@pytest.mark.req("main:hidden")
@pytest.mark.parametrize("shown", ["", "<p>Few words.</p>", f"<h1>Walls</h1><p>{LONG}</p>", f"<p>{LONG}</p>" * 3])
@pytest.mark.parametrize("style", ["display:none", "opacity:0", "visibility:hidden"])
@pytest.mark.parametrize("times", [0, 1, 2, 9])
def test_both_views_say_the_same_of_hidden_text(shown: str, style: str, times: int) -> None:
    html = f"{shown}<div style='{style}'><main>{f'<p>{LONG}</p>' * times}</main></div><p style='{style}'>x</p>"
    seen = [html_to_markdown(html, url=URL, view=view) for view in ("page", "main")]
    assert seen[0].mostly_hidden == seen[1].mostly_hidden
    assert seen[0].hidden == seen[1].hidden


@pytest.mark.req("main:bounds")
@pytest.mark.parametrize(
    "html",
    [
        "<h2>Related articles</h2>" * 40_000,
        "<h2>Related articles</h2><p>x</p>" * 20_000,
        "".join(TEASER.format(n, "t") for n in range(12_000)),
        "<div><h3>27 comments</h3>" * 3_000,
        "<nav>" * 150 + "<nav><p>x</p></nav>" * 10_000,
        "<p>Photo: " * 40_000,
        "<div class='modal side author'><p>y</p></div>" * 20_000,
    ],
    ids=["headings", "chapters", "teasers", "nested", "menus", "credits", "labels"],
)
def test_hostile_pages_end_too(html: str) -> None:
    assert "council voted" in main(f"{TEXT}{html}").text
