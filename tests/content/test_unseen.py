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
