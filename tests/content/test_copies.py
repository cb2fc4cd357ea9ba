"""A block written once for each width of screen is there once; words that stand only once are never left out."""

import pytest

from support.content import converted

LONG = "The quick brown fox jumps over the lazy dog, twice a day."
LIST = f"<p>{LONG}</p><ul><li><a href=https://b.test/>one link</a></li><li>two</li></ul>"
REPEATED = {
    "the report's": f"<div class=m><p>{LONG}</p></div><div class=d><p>{LONG}</p></div>",
    "bootstrap": f"<div class='d-none d-md-block'>{LIST}</div>\n<div class=d-md-none>{LIST}</div>",
    "bootstrap 3": f"<section class=hidden-xs>{LIST}</section><!-- small --><section class=visible-xs>{LIST}</section>",
    "tailwind": f"<div class='hidden md:block'>{LIST}</div><div class=md:hidden>{LIST}</div>",
    "inside rows": f"<div class=r><div class=w>{LIST}</div></div><div class=r><div class=n>{LIST}</div></div>",
    "paragraphs": f"<p class=wide>{LONG}</p><p class=narrow>{LONG}</p>",
    "indented otherwise": f"<div class=a>\n  <p>{LONG}</p>\n</div><div class=b><p>{LONG}</p></div>",
}
KEPT = {
    "a refrain": f"<p>{LONG}</p><p>{LONG}</p>",
    "a refrain of one class": f"<p class=v>{LONG}</p><p class=v>{LONG}</p>",
    "stripes": f"<div class='c odd'><p>{LONG}</p></div><div class='c even'><p>{LONG}</p></div>",
    "numbered": f"<div class=c-1><p>{LONG}</p></div><div class=c-2><p>{LONG}</p></div>",
    "short": "<div class=a><p>Yes.</p></div><div class=b><p>Yes.</p></div>",
    "apart": f"<div class=a><p>{LONG}</p></div><p>x</p><div class=b><p>{LONG}</p></div>",
    "code": f"<pre class=a>{LONG}</pre><pre class=b>{LONG}</pre>",
    "another link": f"<p class=a><a href=/x>{LONG}</a></p><p class=b><a href=/y>{LONG}</a></p>",
}
MORE = {
    "a picture": f"<div class=a><p>{LONG}</p></div><div class=b><p>{LONG}</p><img src=https://b.test/i alt=Pic></div>",
    "a word": f"<div class=a><p>{LONG}</p></div><div class=b><p>{LONG}</p><p>Pic</p></div>",
    "a link": f"<div class=a><p>{LONG}</p></div><div class=b><p>{LONG}</p><a href=https://b.test/>Pic</a></div>",
}


@pytest.mark.req("fidelity:copies:once")
@pytest.mark.parametrize("html", REPEATED.values(), ids=REPEATED.keys())
def test_a_block_for_another_width_of_screen_is_left_out_and_counted(html: str) -> None:
    made = converted(f"<p>before</p>{html}<p>after</p>")
    assert made.text.count(LONG) == 1
    assert made.text.count("two") == html.count("two") / 2
    assert (made.text.startswith("before"), made.text.endswith("after"), made.hidden) == (True, True, 1)


@pytest.mark.req("fidelity:copies:once")
@pytest.mark.parametrize("html", KEPT.values(), ids=KEPT.keys())
def test_what_an_author_repeats_stays(html: str) -> None:
    made = converted(html)
    assert made.text.count(LONG) + made.text.count("Yes.") == 2
    assert made.hidden == 0


@pytest.mark.req("fidelity:copies:once")
@pytest.mark.parametrize("html", MORE.values(), ids=MORE.keys())
def test_a_block_that_shows_more_than_the_one_before_stays(html: str) -> None:
    made = converted(html)
    assert "Pic" in made.text
    assert made.hidden == 0


@pytest.mark.req("fidelity:copies:once")
def test_each_of_many_copies_is_left_out() -> None:
    made = converted(
        "".join(f"<div class=w><p>{n} {LONG}</p></div><div class=n><p>{n} {LONG}</p></div>" for n in range(50))
    )
    assert [made.text.count(f"{n} {LONG}") for n in range(10, 50)] == [1] * 40
    assert made.hidden == 50
