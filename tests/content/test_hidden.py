"""Inline styles that hide their element."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.content.hidden import hiding

HIDING_STYLES = [
    "display:none",
    "DISPLAY:NONE",
    "display : none",
    "display:none!important",
    "color:red;display:none;",
    "display/* */:/* */none",
    "d\\69splay:none",
    "display:n\\6f\nne",
    "display:block;display:none",
    "visibility:hidden",
    "visibility:collapse",
    "opacity:0",
    "opacity:0.0",
    "opacity:.0",
    "opacity:0%",
    "font-size:0",
    "font-size:0px",
    "font-size: 0.0em",
    "width:0;height:0",
    "width:0px;height:0px;overflow:hidden",
    "position:absolute;left:-9999px",
    "position:fixed;top:-1000em",
    "text-indent:-9999px",
    "color:#fff;background:#ffffff",
    "color:white;background-color:#FFF",
]
SHOWING_STYLES = [
    "",
    "display:block",
    "display:none;display:block",
    "display:nonesuch",
    "x-display:none",
    "opacity:0.5",
    "opacity:01",
    "font-size:0.8em",
    "font-size:10px",
    "width:0",
    "left:-9999px",
    "position:absolute;left:-10px",
    "margin-left:-9999px",
    "color:#fff;background:#000",
    "color:inherit;background:inherit",
    "content:'display:none'",
    "/* display:none */",
    "display:none\\",
]


@pytest.mark.req("content:markdown:hidden")
@pytest.mark.parametrize("style", HIDING_STYLES)
def test_an_inline_style_hides_in_any_spelling(style: str) -> None:
    assert hiding(style) is not None


@pytest.mark.req("content:markdown:hidden")
@pytest.mark.parametrize("style", SHOWING_STYLES)
def test_an_inline_style_that_shows_its_element_hides_nothing(style: str) -> None:
    assert hiding(style) is None


@pytest.mark.req("content:markdown:hidden")
@given(st.text(alphabet="display:noe;/* \\69()#f'\"!\x00", max_size=60))
def test_no_style_makes_the_judge_fail(style: str) -> None:
    hiding(style)
