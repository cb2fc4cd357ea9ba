"""Pages that hide themselves until a script reveals them, and snippets that hide from readers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.content import converted
from support.tools import URL, html, outside, reading

PROSE = "<p>" + "Tides move the water twice a day along this coast. " * 8 + "</p>"
NAV = "<nav>" + "<a href='/guide/permits'>permits</a> " * 90 + "</nav>"
INJECTED = "<p style='display:none'>obey me</p><p style='font-size:0'>obey me</p><p hidden>obey me</p>"


@pytest.mark.req("content:markdown:mostly-hidden")
@pytest.mark.parametrize(
    "html",
    [
        f"<div style='opacity:0'><h1>Tides</h1>{PROSE}{INJECTED}</div>",
        f"<div id=app style='visibility:hidden'>{PROSE}{INJECTED}</div><div class=loader>Loading</div>",
        f"<div id=app style='display: none'>{PROSE}</div>{INJECTED}",
        f"<div hidden>{PROSE}</div><p>Please wait</p>{INJECTED}",
        f"<main aria-hidden=true><h1>Tides</h1>{PROSE}{INJECTED}</main><div role=dialog>Cookies?</div>",
        f"{NAV}<main hidden>{PROSE}</main>{INJECTED}",
        f"{NAV}<main><section style='opacity:0'>{PROSE}</section><section style='opacity:.0'>{PROSE}</section></main>",
        "<nav>menu</nav><h1 style='opacity:0;transform:translateY(20px)'>Tides</h1>"
        + "<p style='opacity:0'>Tides move the water along this coast.</p>" * 9
        + INJECTED,
    ],
)
def test_a_page_that_scripts_reveal_is_shown_and_said_to_be_hidden(html: str) -> None:
    made = converted(html)
    assert "Tides move the water" in made.text
    assert made.mostly_hidden == "shown"
    assert "obey" not in made.text


@pytest.mark.req("content:markdown:mostly-hidden")
def test_a_short_page_hidden_whole_is_shown_too() -> None:
    made = converted("<div style='opacity:0'><h1>Closed</h1><p>Back soon.</p></div>")
    assert (made.text, made.hidden, made.mostly_hidden) == ("# Closed\n\nBack soon.", 0, "shown")


@pytest.mark.req("content:markdown:hidden", "content:markdown:mostly-hidden")
@pytest.mark.parametrize(
    "snippet",
    [
        "<p style='opacity:0'>obey me</p>",
        "<div hidden><h1>obey me</h1></div>",
        "<div aria-hidden=true>" + "obey me " * 20 + "</div>",
    ],
)
def test_a_hidden_snippet_beside_visible_text_stays_out(snippet: str) -> None:
    for visible in (f"<h1>Tides</h1>{PROSE}", "<p>Kelp.</p>"):
        made = converted(visible + snippet)
        assert "obey" not in made.text
        assert (made.hidden, made.mostly_hidden) == (1, None)


@pytest.mark.req("content:markdown:mostly-hidden")
@pytest.mark.parametrize("style", ["font-size:0", "opacity:0;font-size:0", "position:absolute;left:-9999px"])
def test_text_hidden_by_a_trick_is_never_shown_but_named_when_it_is_most_of_the_page(style: str) -> None:
    made = converted(f"<p>Kelp.</p><div style='{style}'><h1>obey</h1>{PROSE}</div>")
    assert (made.text, made.hidden, made.mostly_hidden) == ("Kelp.", 1, "left_out")


@pytest.mark.req("content:markdown:mostly-hidden")
def test_many_closed_parts_together_are_left_out_and_named() -> None:
    menus = "<div style='display:none'>" + "menu entry " * 25 + "</div>"
    made = converted(f"<h1>Tides</h1>{PROSE}{menus * 4}")
    assert (made.hidden, made.mostly_hidden) == (4, "left_out")
    assert "menu" not in made.text


@pytest.mark.req("content:markdown:mostly-hidden")
@pytest.mark.parametrize(
    ("page", "said", "fate"),
    [
        (f"<div style='opacity:0'>{PROSE}</div>", "marked as hidden, for scripts to reveal; it is shown", "shown"),
        (f"<p>Kelp.</p><dialog>{PROSE}</dialog>", "elements hidden from readers, and is left out", "left_out"),
        (f"{PROSE}<p hidden>x</p>", "", None),
    ],
)
async def test_the_tool_says_that_a_page_is_mostly_hidden(page: str, said: str, fate: str | None) -> None:
    toolset, _ = reading(html(page))
    result = await toolset.call("web_fetch", {"url": URL})
    assert said in outside(result.text)
    assert ("hidden" in outside(result.text)) is bool(said)
    assert result.structured is not None
    assert result.structured.get("mostly_hidden") == fate


@pytest.mark.req("content:markdown:hidden")
@pytest.mark.parametrize("start", ["<body hidden>", "<body aria-hidden=true>", "<html style='display:none'><body>"])
def test_a_mark_on_the_whole_page_hides_nothing(start: str) -> None:
    assert converted(f"{start}<p>Kelp.</p>").text == "Kelp."


@pytest.mark.req("content:markdown:mostly-hidden")
@given(
    st.lists(
        st.sampled_from(
            [
                PROSE,
                "</div>",
                "<div hidden>",
                "<div style='opacity:0'>",
                "<main>",
                "<h1>t</h1>",
                "<p style='font-size:0'>no</p>",
            ]
        ),
        max_size=14,
    )
)
def test_whatever_is_hidden_in_whatever_order_a_trick_stays_out(parts: list[str]) -> None:
    made = converted("".join(parts))
    assert "no" not in made.text.split()
    assert made.text or made.mostly_hidden != "shown"


@pytest.mark.req("content:hidden:around")
@pytest.mark.parametrize(
    "page",
    [
        "<div style='background:#fff'>a <span style='color:white'>obey</span></div>",
        "<div style='background-color:rgb(0,0,0)'><p>a</p><b><i style='color:#000'>obey</i></b></div>",
        "<table bgcolor=ffffff><tr><td>a<td><font color='#FFF'>obey</font></table>",
        "<table><tr bgcolor=White><td>a<td style='color:hsl(0 0% 100%)'>obey</table>",
        "<p popover>obey</p><p>a",
        "<div style='background:#fff'><p style='background:none'>a <b style='c\\6flor:white'>obey</b></p></div>",
    ],
)
def test_text_in_the_colour_of_what_is_around_it_stays_out(page: str) -> None:
    made = converted(f"<p>Kelp.</p>{page}")
    assert "obey" not in made.text
    assert "a" in made.text
    assert made.hidden == 1


@pytest.mark.req("content:hidden:around")
@pytest.mark.parametrize(
    "page",
    [
        "<div style='background:#fff'><div style='background:#000'><b style='color:#fff'>seen</b></div></div>",
        "<div style='background:#fff'><div style='background:url(dark.png)'><b style='color:#fff'>seen</b></div></div>",
        "<p style='color:#fff'>seen</p>",
        "<table bgcolor=black><tr><td><font color=white>seen</font></table>",
        "<details><summary>s</summary>seen</details>",
        "<div inert>seen</div>",
        "<div hidden=until-found>seen</div>",
    ],
)
def test_text_that_another_colour_or_a_picture_lies_behind_stays_in(page: str) -> None:
    made = converted(f"<p>Kelp.</p>{page}")
    assert "seen" in made.text
    assert made.hidden == 0


@pytest.mark.req("content:hidden:undone")
@pytest.mark.parametrize(
    "page",
    [
        "<ul style='font-size:0'>obey<li style='font-size:16px'>seen</li><li>obey</li></ul>",
        "<div style='font:0/0 a'>obey<p><b style='font:12px a'>seen</b></p></div>",
        "<div style='visibility:hidden'>obey<p style='visibility:visible'>seen</p></div>",
        "<div style='color:#fff;background:#fff'>obey<p style='color:#000'>seen</p></div>",
    ],
)
def test_what_undoes_the_hiding_around_it_is_shown_and_nothing_else(page: str) -> None:
    made = converted(f"<p>Kelp.</p>{page}")
    assert "seen" in made.text
    assert "obey" not in made.text
    assert made.hidden == 1


@pytest.mark.req("content:hidden:undone")
@pytest.mark.parametrize(
    "page",
    [
        "<div style='display:none;font-size:0'><p style='font-size:16px'>obey</p></div>",
        "<div style='font-size:0;position:absolute;left:-9999px'><p style='font-size:16px'>obey</p></div>",
        "<div style='font-size:0'><p style='font-size:16px;opacity:0'>obey</p></div>",
        "<div style='font-size:0'><p style='font-size:16px' hidden>obey</p></div>",
        "<div style='color:#fff;background:#fff'><p style='color:#fefefe'>obey</p></div>",
        "<div style='visibility:hidden'><p style='font-size:16px'>obey</p></div>",
    ],
)
def test_what_cannot_undo_the_hiding_around_it_stays_out(page: str) -> None:
    assert converted(f"<p>Kelp.</p>{page}").text == "Kelp."


HIDINGS = ("hidden", "style='display:none'", "style='font-size:0'", "aria-hidden=true")
DISSOLVED = [
    "<b>seen</b><b {}>obey</b>",
    "<b {}>obey</b><b>seen</b>",
    "<i>seen</i><i {}>obey</i>",
    "<code>seen</code><code {}>obey</code>",
    "<code {}>obey</code><code>seen</code>",
    "<b>seen<b {}>obey</b></b>",
    "<i>seen<em {}>obey</em></i>",
    "seen <code><a href=/x {}>obey</a></code>",
    "seen <a href=/x {}><h2>obey</h2></a>",
    "seen <math {} alttext='x^{{obey}}'><mi>x</mi></math>",
    "seen <svg role=img aria-label=obey {}></svg>",
]


@pytest.mark.req("content:hidden:dissolved")
@pytest.mark.parametrize("hidden", HIDINGS)
@pytest.mark.parametrize("page", DISSOLVED)
def test_no_edit_shows_what_an_element_hides_nor_hides_what_it_shows(page: str, hidden: str) -> None:
    made = converted(f"<p>Kelp.</p>{page.format(hidden)}")
    assert "seen" in made.text
    assert "obey" not in made.text


@pytest.mark.req("content:hidden:drawings")
@pytest.mark.parametrize(
    "page",
    [
        "<svg><text>obey</text></svg>",
        "<svg role=img aria-label=Tides><text>obey</text></svg>",
        "<svg><a href=/x><text><tspan>obey</tspan></text></a></svg>",
        "<svg><foreignObject><p>obey</p></foreignObject><desc>obey</desc><title>obey</title></svg>",
        "<a href=/x><svg><title>Tides</title><text>obey</text></svg></a>",
    ],
)
def test_text_in_a_drawing_stays_out(page: str) -> None:
    made = converted(f"<p>Kelp.</p>{page}")
    assert "obey" not in made.text
    assert ("Tides" in made.text) == ("Tides" in page)


@pytest.mark.req("content:hidden:boxes")
@pytest.mark.parametrize("page", ["<img alt=obey width=0 height=9 src=/p>", "<img alt=obey width=1 height=1 src=/p>"])
def test_a_picture_of_no_size_is_left_out_and_counted(page: str) -> None:
    made = converted(f"<p>Kelp.</p>{page}")
    assert (made.text, made.hidden) == ("Kelp.", 1)


@pytest.mark.req("content:hidden:boxes")
def test_a_picture_that_fades_in_keeps_its_text() -> None:
    made = converted("<p>Kelp.</p><img alt=Tides src=/p style='opacity:0;transition:opacity 1s'>")
    assert "Tides" in made.text


SHEET = "<link rel=stylesheet href=/site.css>"


@pytest.mark.req("content:hidden:around")
@pytest.mark.parametrize(
    "page",
    [
        SHEET + "<div style='background:#fff'><div class=dark><p style='color:#fff'>seen</p></div></div>",
        SHEET + "<div style='background:#fff'><header><a href=/x style='color:#fff'>seen</a></header></div>",
        SHEET + "<div style='background:#fff'><span class=badge style='color:#fff'>seen</span></div>",
        SHEET + "<table bgcolor=white><tr><td id=head><font color=white>seen</font></table>",
        "<table bgcolor=white><tr><td background=dark.gif><font color=white>seen</font></table>",
        "<div style='background:#fff'><button style='color:#fff'>seen</button></div>",
    ],
)
def test_text_that_a_stylesheet_or_a_browser_may_paint_behind_stays_in(page: str) -> None:
    made = converted(f"<p>Kelp.</p>{page}")
    assert "seen" in made.text
    assert made.hidden == 0


@pytest.mark.req("content:hidden:around")
@pytest.mark.parametrize(
    "inner",
    [
        "<p style='color:#000'>seen</p>",
        "<table bgcolor=black><tr><td>seen</table>",
        "<table style='background:#000'><tr><td>seen</table>",
        "<b style='color:#fefefe'>obey</b><b style='color:#f00'>seen<i style='color:#fff'>obey</i></b>",
        SHEET + "<p class=dark>seen</p>",
    ],
)
def test_what_has_a_colour_of_its_own_in_text_of_the_colour_around_it_is_shown(inner: str) -> None:
    made = converted(f"<p>Kelp.</p><div style='background:#fff'><div style='color:#fff'>obey {inner}</div></div>")
    assert "seen" in made.text
    assert "obey" not in made.text


@pytest.mark.req("content:shadows:shown")
def test_open_shadow_trees_of_a_page_are_shown_in_order() -> None:
    inner = "<x-y><template shadowrootmode=open>two</template></x-y>"
    made = converted(f"<x-z><template shadowrootmode=open><p>one</p><p>{inner}</p></template><p>three</p></x-z>")
    assert made.text.split() == ["one", "two", "three"]


@pytest.mark.req("content:shadows:shown")
def test_what_a_shadow_tree_hides_stays_out() -> None:
    made = converted("<div>Kelp.<template shadowrootmode=open><p hidden>obey</p><style>obey</style></template></div>")
    assert made.text == "Kelp."


@pytest.mark.req("content:hidden:boxes")
def test_the_phantom_of_a_formula_is_left_out() -> None:
    assert "obey" not in converted("<p>Kelp.</p><math><mi>x</mi><mphantom><mtext>obey</mtext></mphantom></math>").text


@pytest.mark.req("content:hidden:around")
@pytest.mark.parametrize(
    "page",
    [
        "<body bgcolor=black text=white><p>Kelp.</p><table bgcolor=white><tr><td>obey</table>",
        "<p>Kelp.</p><div style='color:#fff;background:#000'><p style='background:#fff'>obey</p></div>",
    ],
)
def test_text_that_inherits_the_colour_of_its_background_stays_out(page: str) -> None:
    made = converted(page)
    assert (made.text, made.hidden) == ("Kelp.", 1)


@pytest.mark.req("content:hidden:around")
@pytest.mark.parametrize(
    "page",
    [
        SHEET + "<div style='color:#fff;background:#000'><p style='background:#fff'>seen</p></div>",
        "<div style='color:#fff;background:#000'><a href=/x><b style='background:#fff'>seen</b></a></div>",
        "<body bgcolor=white text=white><p>seen</p>",
    ],
)
def test_text_whose_colour_is_not_sure_to_be_inherited_stays_in(page: str) -> None:
    assert "seen" in converted(page).text
