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
    "display:none!important;display:block",
    "display:none ! IMPORTANT",
    "display:none;display:nonesuch",
    "visibility:hidden;visibility:no",
    "opacity:0;opacity:much",
    "opacity:0.01",
    "filter:opacity(0%)",
    "font-size:0.01px",
    "font-size:1px",
    "font-size:.05em",
    "font-size:5%",
    "font:0/0 a",
    "font:italic 0px/1 serif",
    "font-size:20px;font:0px a",
    "text-indent:100%;white-space:nowrap;overflow:hidden",
    "margin-left:-9999px",
    "position:absolute;inset:-9999px",
    "position:absolute;left:calc(-9999px)",
    "position:absolute;left:-1e4px",
    "position:fixed;left:100000px",
    "transform:translateX(-9999px)",
    "transform:translate3d(0,-9999px,0)",
    "translate:-9999px",
    "transform:scale(0)",
    "scale:0",
    "zoom:0",
    "clip:rect(0 0 0 0);position:absolute",
    "clip: rect(1px, 1px, 1px, 1px);position:absolute",
    "clip-path:inset(50%)",
    "clip-path:circle(0)",
    "clip-path:polygon(0 0,0 0,0 0)",
    "height:0;overflow:hidden",
    "max-height:0px;overflow-y:hidden",
    "width:1px;height:1px;overflow:hidden",
    "content-visibility:hidden",
    "color:rgb(255 255 255);background:#fff",
    "color:rgb(100%,100%,100%);background:white",
    "color:rgba(255,255,255,1);background-color:#ffffffff",
    "color:hsl(0,0%,100%);background:#fff",
    "color:hsl(0turn 0% 100% / 1);background:#fff",
    "color:#f00;background:red",
    "color:#fefefe;background:no-repeat #fff",
    "color:transparent",
    "color:#fff0",
    "color:rgb(0 0 0 / 0)",
    "-webkit-text-fill-color:transparent;color:red",
    "color:oklch(0 0 0 / 0)",
    "color:lab(100 0 0);background:lab(100 0 0)",
    "color:var(--paper);background:var(--paper)",
    "color:transparent;color:nonesuch",
    "opacity:-1",
    "opacity:calc(1 - 1)",
    "opacity:var(--none,0)",
    "display:var(--d);--d:none",
    "font-size:calc(1px * 0)",
    "font-size:min(0px,16px)",
    "font-size:clamp(0px,0px,1em)",
    "font-size:0;font-size:nonesuch",
    "position:absolute;left:calc(-1 * 9999px)",
    "position:absolute;left:calc(-100vw - 10px)",
    "position:absolute;left:-9999px;left:nonesuch",
    "position:absolute;inset-inline-start:-9999px",
    "position:relative;left:-9999px",
    "position:absolute;bottom:100000px",
    "margin:0 0 0 -9999px",
    "margin:-9999px",
    "margin-top:-9999px",
    "margin-inline-start:-9999px",
    "text-indent:9999px;overflow:hidden",
    "transform:rotateX(90deg)",
    "transform:rotateY(.25turn)",
    "transform:matrix(0,0,0,0,0,0)",
    "-webkit-transform:scale(0)",
    "-webkit-filter:opacity(0)",
    "-webkit-clip-path:inset(100%)",
    "clip-path:inset(0 100% 0 0)",
    "clip-path:inset(0 50%)",
    "height:0;padding-left:5px;overflow:hidden",
    "height:1px;overflow:hidden",
    "block-size:0;overflow:hidden",
]
HONEST_STYLES = [
    "position:absolute;left:50%;margin-left:-500px;width:1000px",
    "float:left;margin-left:-100%",
    "margin-left:calc(-50vw + 50%);width:100vw",
    "margin:0 -15px",
    "margin-bottom:-9999px;padding-bottom:9999px",
    "position:absolute;left:-120px",
    "position:absolute;top:-60px",
    "position:absolute;right:-300px",
    "position:absolute;bottom:-150px",
    "position:relative;top:-200px",
    "padding-left:120px;text-indent:-120px",
    "transform:scale(-1,1)",
    "transform:rotate(90deg)",
    "transform:rotateY(180deg)",
    "transform:matrix(0,1,-1,0,0,0)",
    "clip-path:inset(10px round 5px)",
    "font-size:clamp(1rem,2vw,3rem)",
    "font-size:var(--size,16px)",
    "color:rgb(255 255 255 / var(--opacity))",
    "color:inherit;background:inherit",
    "color:var(--front);background:var(--back)",
    "color:transparent;-webkit-text-stroke:1px #000",
    "height:0;min-height:100vh;overflow:hidden",
    "flex:1 1 0;width:0;overflow:hidden",
    "flex:1;min-width:0;overflow:hidden",
    "--display:none",
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
    "margin-left:-9999px;padding-left:9999px",
    "color:#fff;background:#000",
    "color:inherit;background:inherit",
    "content:'display:none'",
    "/* display:none */",
    "display:none\\",
    "display:block!important;display:none",
    "font:700 12px/1.2 serif",
    "font-size:80%",
    "font-size:0;font:12px a",
    "text-indent:100%",
    "height:0;padding-bottom:56.25%;overflow:hidden",
    "height:0",
    "width:1px;height:1px",
    "position:absolute;left:1200px",
    "transform:translateX(-50%)",
    "transform:translate(-300%)",
    "transform:scale(1)",
    "clip:rect(0,200px,80px,0);position:absolute",
    "clip-path:inset(0 10%)",
    "clip-path:polygon(0 0,100% 0,50% 100%)",
    "color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text",
    "color:transparent;text-shadow:0 0 2px red",
    "color:#fff;background:url(dark.jpg) #fff",
    "color:#777;background:#fff",
    "color:#fff;background:rgba(255,255,255,0)",
    "color:rgb(1,2);background:#fff",
]


@pytest.mark.req("content:markdown:hidden")
@pytest.mark.parametrize("style", HIDING_STYLES)
def test_an_inline_style_hides_in_any_spelling(style: str) -> None:
    assert hiding(style) is not None


@pytest.mark.req("content:markdown:hidden")
@pytest.mark.parametrize("style", SHOWING_STYLES)
def test_an_inline_style_that_shows_its_element_hides_nothing(style: str) -> None:
    assert hiding(style) is None


@pytest.mark.req("content:hidden:honest")
@pytest.mark.parametrize("style", HONEST_STYLES)
def test_a_style_that_pages_are_laid_out_with_hides_nothing(style: str) -> None:
    assert hiding(style) is None


@pytest.mark.req("content:markdown:hidden")
@given(st.text(alphabet="calc()min,ax -+*/1.0epx%clmp", max_size=80))
def test_no_calculation_makes_the_judge_fail(style: str) -> None:
    hiding(f"font-size:calc({style});opacity:{style};transform:matrix({style})")


@pytest.mark.req("content:markdown:hidden")
@given(st.text(alphabet="colr:#f0gb(),% -1e9;backgroundhsla/", max_size=80))
def test_no_colour_makes_the_judge_fail(style: str) -> None:
    hiding(style)
    hiding(f"color:{style};background:{style}")


@pytest.mark.req("content:markdown:hidden")
@given(st.text(alphabet="display:noe;/* \\69()#f'\"!\x00", max_size=60))
def test_no_style_makes_the_judge_fail(style: str) -> None:
    hiding(style)
