"""Main content: where a text starts and ends, and what in it leads on."""

import pytest

from support.content import URL
from webseam.content.markdown import Markdown, html_to_markdown

LONG = (
    "The council voted to raise the wall by forty centimetres before the next winter comes, and nobody objected. " * 3
)
NAME = "Walls rise along the whole harbour"
PARAGRAPH = f"<p>GOOD {LONG}</p>"


def main(html: str, *, name: str = f"{NAME} | Harbour News") -> Markdown:
    return html_to_markdown(f"<title>{name}</title>{html}", url=URL, view="main")


def column(count: int) -> str:
    entry = "<div class=entry><p>BAD {0} {1}</p><a href=/{0}>{2}</a></div>"
    return "".join(entry.format(n, LONG, LONG[:109]) for n in range(count))


@pytest.mark.req("main:title")
@pytest.mark.parametrize(
    "heading",
    [
        f"<h1>{NAME}</h1>",
        f"<h1>{NAME} <span>Members</span></h1>",
        f"<h2>{NAME}</h2>",
        f"<h2><a href=/walls>{NAME}</a></h2>",
        f"<h3>{NAME}</h3>",
    ],
)
@pytest.mark.parametrize(
    "name", [f"{NAME} | Harbour News", f"{NAME} \u2013 Harbour News", f"Harbour News: {NAME}", NAME]
)
def test_the_text_below_the_title_is_the_page_though_more_stands_beside_it(heading: str, name: str) -> None:
    made = main(f"<div><div id=a>{heading}{PARAGRAPH * 2}</div><div id=b>{column(8)}</div></div>", name=name)
    assert made.view == "main"
    assert made.text.count("GOOD") == 2
    assert "BAD" not in made.text


@pytest.mark.req("main:title")
def test_a_list_of_pages_that_names_the_page_again_is_not_taken_for_it() -> None:
    again = f"<div id=b><h3><a href=/w>{NAME}</a></h3>{column(9)}</div>"
    made = main(f"<div><div id=a><h2>{NAME}</h2>{PARAGRAPH * 3}</div>{again}</div>")
    assert made.text.count("GOOD") == 3
    assert "BAD" not in made.text


@pytest.mark.req("main:ends")
def test_what_stands_before_the_title_goes() -> None:
    offer = f"<div class=x><p>BAD {LONG}</p></div>"
    made = main(f"<div>{offer}<article><h1>{NAME}</h1>{PARAGRAPH * 3}</article></div>")
    assert made.text.count("GOOD") == 3
    assert "BAD" not in made.text


@pytest.mark.req("main:ends")
@pytest.mark.parametrize(
    "notice", ["<div id=z><p>BAD {0}</p><p>BAD {0}</p></div>", "<section><p>BAD {0}</p></section>"]
)
def test_what_stands_behind_the_footer_of_a_page_goes(notice: str) -> None:
    made = main(f"<div>{PARAGRAPH * 6}</div><footer><a href=/i>Imprint</a></footer>{notice.format(LONG)}")
    assert made.text.count("GOOD") == 6
    assert "BAD" not in made.text


@pytest.mark.req("main:ends")
def test_a_footer_before_the_text_ends_nothing() -> None:
    assert main(f"<footer><a href=/>Home</a></footer><div>{PARAGRAPH}</div>").text.count("GOOD") == 1


@pytest.mark.req("main:ends")
def test_a_short_part_behind_a_titled_text_stays_unless_it_leads_on() -> None:
    text = f"<div class=text><h1>{NAME}</h1>{PARAGRAPH * 5}</div>"
    made = main(f"<div>{text}<div class=c2><p>GOOD {LONG}</p></div></div>")
    assert made.text.count("GOOD") == 6
    made = main(f"<div>{text}<div class=c2><p>BAD {LONG} <a href=/s>See how</a></p></div></div>")
    assert "BAD" not in made.text


@pytest.mark.req("main:leads")
@pytest.mark.parametrize(
    "kept",
    [
        "<p><a href=https://data.example/walls>All measurements of the walls since 1953</a></p>",
        "<p><a href=mailto:walls@harbour.example>walls.office@harbour.example</a></p>",
        "<p>The office deals with:</p><ul><li><a href=/1>Tolls</a><li><a href=/2>Sand</a><li><a href=/3>Oars</a></ul>",
        "<p>役所が扱うもの\uff1a</p><ul><li><a href=/1>許可</a><li><a href=/2>砂</a><li><a href=/3>壁</a></ul>",
    ],
    ids=["reference", "mail", "list", "wide"],
)
def test_links_that_a_text_leads_to_stay(kept: str) -> None:
    words = set(html_to_markdown(kept, url=URL).text.split())
    made = main(f"<nav><a href=/>Home</a></nav><div><h1>{NAME}</h1>{PARAGRAPH}{kept}{PARAGRAPH}</div>")
    assert made.view == "main"
    assert words <= set(made.text.split())


@pytest.mark.req("main:leads")
@pytest.mark.parametrize(
    "gone",
    [
        "<p><a href=/r>BAD Read on here</a></p>",
        "<p><a href=/r>Read more: BAD ferries of the north get longer</a></p>",
        "<p>Read more:</p><ul><li><a href=/1>BAD one</a><li><a href=/2>BAD two</a><li><a href=/3>BAD three</a></ul>",
        "<p>So it was.</p><ul><li><a href=/1>BAD one</a><li><a href=/2>BAD two</a><li><a href=/3>BAD three</a></ul>",
    ],
)
def test_links_that_lead_away_from_a_text_go(gone: str) -> None:
    made = main(f"<nav><a href=/>Home</a></nav><div><h1>{NAME}</h1>{PARAGRAPH}{gone}{PARAGRAPH}</div>")
    assert made.text.count("GOOD") == 2
    assert "BAD" not in made.text


@pytest.mark.req("main:leads")
@pytest.mark.parametrize(
    "kept",
    [
        "<p>All photographs: <a href=https://photos.example/a>https://photos.example/albums/walls-2026</a></p>",
        "<p><a href=https://data.example/walls>All measurements of the walls since 1953</a></p>",
        "<h2>References</h2><ol><li><a href=https://d.example/1>Low, A. On walls and waves</a></li></ol>",
        "<h2>Quellen</h2><ol><li><a href=https://d.example/1>Low, A. Mauern und Wellen</a></li></ol>",
        "<p>What was used:</p><ul><li><a href=/1>Sand and gravel</a></li><li><a href=/2>Stones</a></li></ul>",
    ],
)
def test_links_that_a_text_ends_with_stay(kept: str) -> None:
    words = set(html_to_markdown(kept, url=URL).text.split())
    made = main(f"<nav><a href=/>Home</a></nav><div><h1>{NAME}</h1>{PARAGRAPH * 3}{kept}</div>")
    assert made.view == "main"
    assert words <= set(made.text.split())


@pytest.mark.req("main:structure")
@pytest.mark.parametrize(
    "data", ["<table><tr><td>Length</td><td>8 m</td></tr></table>", "<dl><dt>Length</dt><dd>8 m</dd></dl>"]
)
def test_data_behind_the_only_text_of_a_page_stays(data: str) -> None:
    made = main(f"<nav><a href=/>Home</a></nav><main><div><p>GOOD {LONG}</p></div><div class=data>{data}</div></main>")
    assert made.view == "main"
    assert "Length" in made.text
    assert "8 m" in made.text


LINK = "<a href=/{0}>HEAD{0} Walls and waves of the north</a>"


@pytest.mark.req("main:listed")
@pytest.mark.parametrize(
    "headline",
    [
        *(f"<{tag}>{LINK}</{tag}>" for tag in ("h3", "div", "p", "strong", "span")),
        *(LINK, f"<div class=pic><a href=/{{0}}><img src=a.png></a></div>{LINK}"),
    ],
)
@pytest.mark.parametrize("text", ["<p>GOOD{0} {1}</p>", "<div>GOOD{0} {1}</div>", "<div><p>GOOD{0} {1}</p></div>"])
@pytest.mark.parametrize("entry", ["<div>{0}</div>", "<article>{0}</article>", "<li><div>{0}</div></li>"])
@pytest.mark.parametrize("size", [60, 150, 327])
def test_entries_of_a_list_keep_their_headlines(entry: str, text: str, headline: str, size: int) -> None:
    one = entry.format(headline + text)
    entries = "".join(one.format(n, LONG[:size]) for n in range(10, 20))
    made = main(f"<nav><a href=/>Home</a></nav><div><div><h1>News</h1>{entries}</div></div>", name="Harbour")
    assert [n for n in range(10, 20) if f"HEAD{n}" not in made.text or f"GOOD{n}" not in made.text] == []


CARD = (
    "<div class=card><div><a href=/{0}>CARD{0} How walls are measured</a></div><div>What to do, in steps.</div></div>"
)


@pytest.mark.req("main:listed")
@pytest.mark.parametrize("name", ["Harbour toolkit documentation", "Home"])
@pytest.mark.parametrize("count", [4, 12])
def test_cards_below_a_few_words_are_what_a_page_is_for(name: str, count: int) -> None:
    cards = "".join(CARD.format(n) for n in range(10, 10 + count * 2))
    top = f"<h1>Harbour toolkit documentation</h1><p>{LONG}</p>"
    made = main(f"<nav><a href=/>Home</a></nav><main>{top}{cards}</main><footer>Imprint</footer>", name=name)
    assert [n for n in range(10, 10 + count * 2) if f"CARD{n}" not in made.text] == []
    assert made.text.count("What to do") == count * 2


@pytest.mark.req("main:beside")
def test_cards_below_an_article_go() -> None:
    cards = "".join(CARD.format(n) for n in range(6))
    made = main(f"<main><h1>{NAME}</h1>{PARAGRAPH * 4}{cards}</main>")
    assert made.text.count("GOOD") == 4
    assert "CARD" not in made.text
    assert "What to do" not in made.text


@pytest.mark.req("main:beside")
def test_teasers_whose_headline_is_only_a_line_go_too() -> None:
    teaser = f"<div class=t><div><a href=/{{0}}>BAD Ferries get longer</a></div><div>BAD {LONG[:200]}</div></div>"
    made = main(f"<div><div>{PARAGRAPH * 6}</div>{''.join(map(teaser.format, range(4)))}</div>", name="Home")
    assert made.text.count("GOOD") == 6
    assert "BAD" not in made.text


@pytest.mark.req("main:furniture")
@pytest.mark.parametrize("label", ["builder-widget", "my-widget-wrap", "x-widget x-widget-container"])
def test_blocks_that_a_page_builder_calls_widgets_stay(label: str) -> None:
    block = f"<div class='e-{{0}} {label}'><div>{PARAGRAPH}<p>GOOD ends.</p></div></div>"
    made = main(f"<main><h1>{NAME}</h1>{''.join(map(block.format, range(5)))}</main>")
    assert made.text.count("GOOD") == 10


@pytest.mark.req("main:beside")
@pytest.mark.parametrize("label", ["widget", "widget widget_text", "widget-area", "widgets"])
def test_widgets_beside_a_text_go(label: str) -> None:
    made = main(f"<main><div><h1>{NAME}</h1>{PARAGRAPH * 4}</div><div class='{label}'><p>BAD {LONG}</p></div></main>")
    assert made.text.count("GOOD") == 4
    assert "BAD" not in made.text


@pytest.mark.req("main:fallback")
def test_little_of_a_page_is_kept_only_where_a_heading_says_its_title() -> None:
    talk = "<h3>31 comments</h3>" + "".join(f"<div class=comment><p>{n} {LONG}</p></div>" for n in range(31))
    lists = "".join(f"<ul><li>{n} {LONG[:100]}<a href=/{n}>{LONG[:90]}</a></li></ul>" for n in range(60))
    text = PARAGRAPH * 2
    assert main(f"<div><h1>{NAME}</h1>{text}</div><div>{talk}</div>").view == "main"
    assert main(f"<div>{text}</div><div class=sidebar>{lists}</div>", name="Home").view == "page"


@pytest.mark.req("main:bounds")
def test_menus_in_menus_end() -> None:
    nested = "<ul><li>x " * 60 + "<a href=/>y</a> " * 30_000
    assert main(f"<div>{PARAGRAPH * 2}</div>{nested}").text.count("GOOD") >= 2
