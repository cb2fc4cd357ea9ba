"""Results in a notebook: cards in which everything that others wrote is text, whatever it holds (issue 6.9)."""

import re
from typing import Any

import pytest
import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st

import webseam
from webseam.core.errors import Code, WebError
from webseam.core.html import _CARD, _FAINT, _LABEL, _PAGE
from webseam.core.types import (
    Attempt,
    CacheFacts,
    DocumentBody,
    ExtractResult,
    FetchResult,
    HtmlBody,
    ImageBody,
    Note,
    PdfBody,
    Redirect,
    SearchResult,
    Source,
    TextBody,
    Usage,
)
from webseam.tools.result import ImageBlock, ToolResult, failed

ELEMENTS = {"div", "b", "span", "bdi", "a", "ol", "ul", "li", "pre"}
ATTRIBUTES = {"class", "style", "href", "rel", "target"}
STYLES = {re.findall('style="([^"]*)"', one)[0] for one in (_CARD, _FAINT, _LABEL, _PAGE)} | {"margin:.4em 0"}
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</bdi></div><iframe srcdoc=x>",
    "' onmouseover='x",
    "&lt;b&gt;&#60;i&#62;",
    "<!--",
    "]]><![CDATA[",
    "</pre><style>*{}</style>",
    "$$\\href{javascript:alert(1)}{x}$$",
    "\u202egnp.exe\u2066",
    "\x00\x1b[31m\ud800\x85",
)
TEXTS = (
    st.sampled_from(HOSTILE) | st.text(max_size=40) | st.text(alphabet="<>\"'&/=! abscriptyle\x00\ud800", max_size=40)
)
URLS = TEXTS | st.sampled_from(
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,<script>",
        "https://a.test/?q=\"><script>&x='",
        "http://me:pw@a.test/",
        "//a.test/",
        "https://a.test/\u202ex",
    ]
)


def check(html: str) -> str:
    """That a browser's parser sees our elements and attributes alone; returns the text that a person reads."""
    html.encode()
    body = turbohtml.parse(f"<!DOCTYPE html><body>{html}</body>").find("body")
    assert body is not None
    for one in body.select("*"):
        assert one.tag in ELEMENTS, one.tag
        assert set(one.attrs) <= ATTRIBUTES, one.attrs
        assert one.attrs.get("style") in STYLES | {None}
        if one.tag == "a":
            href = str(one.attrs["href"])
            assert re.match(r"https?://[^@/?#]+/", href), href
    assert html.count("<div") == html.count("</div>")
    return str(body.text)


# Hostile text ------------------------------------------------------------------------------------------

NOTES = st.lists(st.builds(Note, code=TEXTS, detail=st.none() | TEXTS), max_size=3).map(tuple)
TRIES = st.lists(
    st.builds(
        Attempt,
        provider=TEXTS,
        outcome=st.sampled_from(["ok", "ungrounded", "failed", "skipped"]),
        code=st.none() | TEXTS,
        dispatched=st.booleans(),
    ),
    max_size=3,
).map(tuple)
BODIES = (
    st.builds(HtmlBody, content=TEXTS)
    | st.builds(TextBody, content=TEXTS)
    | st.builds(DocumentBody, content=TEXTS)
    | st.builds(PdfBody, pages=st.lists(TEXTS, max_size=2).map(tuple), page_count=st.integers(0, 9))
    | st.builds(ImageBody, data=st.just(b"x"), width=st.integers(0, 9), height=st.integers(0, 9))
)
USAGES = st.none() | st.builds(Usage, cost=st.none() | st.floats(), currency=st.none() | TEXTS)


@pytest.mark.req("notebook:inert")
@given(
    st.builds(
        SearchResult,
        provider=TEXTS,
        content=st.none() | TEXTS,
        sources=st.lists(
            st.builds(
                Source, url=URLS, title=st.none() | TEXTS, snippet=st.none() | TEXTS, published_at=st.none() | TEXTS
            ),
            max_size=3,
        ).map(tuple),
        dropped=st.dictionaries(TEXTS, st.integers(0, 9), max_size=2),
        controls=st.dictionaries(TEXTS, st.sampled_from(["native", "enforced"]), max_size=2),
        notices=st.lists(TEXTS, max_size=2).map(tuple),
        attempts=TRIES,
        usage=USAGES,
    )
)
def test_nothing_in_a_search_result_becomes_an_element_or_attribute(result: SearchResult) -> None:
    check(result._repr_html_())


@pytest.mark.req("notebook:inert")
@given(
    st.builds(
        FetchResult,
        provider=TEXTS,
        url=URLS,
        status_code=st.integers(0, 999),
        body=BODIES,
        media_type=st.none() | TEXTS,
        charset=st.none() | TEXTS,
        redirects=st.lists(st.builds(Redirect, status_code=st.just(301), url=URLS), max_size=2).map(tuple),
        notes=NOTES,
        attempts=TRIES,
    )
)
def test_nothing_in_a_page_becomes_an_element_or_attribute(result: FetchResult) -> None:
    check(result._repr_html_())


@pytest.mark.req("notebook:inert")
@given(
    st.builds(
        ExtractResult,
        provider=TEXTS,
        url=URLS,
        markdown=TEXTS,
        title=st.none() | TEXTS,
        author=st.none() | TEXTS,
        published_at=st.none() | TEXTS,
        notes=NOTES,
        attempts=TRIES,
        usage=USAGES,
    )
)
def test_nothing_in_an_extract_becomes_an_element_or_attribute(result: ExtractResult) -> None:
    check(result._repr_html_())


@pytest.mark.req("notebook:inert")
@given(TEXTS, st.none() | TEXTS)
@example("x" * 5_000, None)
def test_nothing_in_a_tool_result_becomes_an_element_or_attribute(text: str, code: str | None) -> None:
    error = None if code is None else {"code": code, "message": text}
    check(ToolResult(text=text, is_error=code is not None, error=error)._repr_html_())


@pytest.mark.req("notebook:inert")
@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "http://me:pw@a.test/", "file:///etc/passwd", "x"]
)
def test_what_may_not_be_asked_of_the_web_is_no_link(url: str) -> None:
    html = SearchResult(provider="x", sources=(Source(url=url, title="Press here"),))._repr_html_()
    assert "<a" not in html
    assert "Press here" in check(html)


@pytest.mark.req("notebook:inert")
def test_no_text_turns_what_follows_it_around_or_into_a_formula() -> None:
    title = "\u202e\u2069evil $x^2$"
    html = SearchResult(provider="x", sources=(Source(url="https://a.test/", title=title),))._repr_html_()
    assert "<bdi>\ufffd\ufffdevil $x^2$</bdi>" in html
    assert html.startswith('<div class="mathjax_ignore tex2jax_ignore"')


@pytest.mark.req("notebook:inert")
@given(st.text(alphabet="a\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", max_size=20))
def test_no_control_of_direction_reaches_a_card(text: str) -> None:
    source = Source(url=f"https://a.test/{text}", title=text, snippet=text, published_at=text)
    html = SearchResult(provider=text, content=text, sources=(source,), notices=(text,))._repr_html_()
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", html)


@pytest.mark.req("notebook:inert")
@pytest.mark.parametrize("odd", [5, b"<b>", 0.5, ["<i>"]], ids=repr)
def test_what_a_plugin_gives_instead_of_text_is_shown_as_it_is_in_python(odd: Any) -> None:
    source = Source(url=odd, title=odd, snippet=odd, published_at=odd)
    html = SearchResult(provider=odd, content=odd, sources=(source,))._repr_html_()
    assert repr(odd) in check(html)


# What a person reads -----------------------------------------------------------------------------------


@pytest.mark.req("notebook:cards")
def test_a_search_card_tells_how_well_the_answer_is_founded() -> None:
    result = SearchResult(
        provider="exa",
        content="Kelp needs a permit.",
        sources=(Source(url="https://a.test/p?x=1&y=2", title="Permits & fees", snippet="How to", published_at="May"),),
        truncated=True,
        dropped={"duplicate": 2},
        controls={"country": "native"},
        notices=("Quota is low.",),
        attempts=(
            Attempt(provider="brave", outcome="failed", code=Code.RATE_LIMITED, dispatched=True, elapsed=0.5),
            Attempt(provider="own", outcome="failed", code=Code.PROVIDER_ERROR, dispatched=True, free=True),
            Attempt(provider="exa", outcome="ok", dispatched=True, elapsed=1.0),
        ),
        usage=Usage(cost=0.005, currency="USD"),
        cache=CacheFacts(age=9.0),
        notes=(Note(code="shared_state_away", detail="asked alone"),),
    )
    html = result._repr_html_()
    text = check(html)
    for words in (
        "Search by exa searched",
        "Kelp needs a permit.",
        "Permits & fees",
        "https://a.test/p?x=1&y=2",
        "How to",
        "May",
        "1 result",
        "more were found",
        "2 dropped: duplicate",
        "country: native",
        "Quota is low.",
        "brave: WEB_RATE_LIMITED, 0.50 s, may have been billed",
        "0.005 USD",
        "from the cache, 9 s old",
        "shared_state_away: asked alone",
    ):
        assert words in text
    assert text.count("may have been billed") == 1
    assert '<a href="https://a.test/p?x=1&amp;y=2" rel="noopener noreferrer nofollow"' in html
    assert "Search by x ungrounded" in check(SearchResult(provider="x", grounding="ungrounded")._repr_html_())


@pytest.mark.req("notebook:cards")
def test_a_page_card_tells_where_it_came_from_and_how_it_begins() -> None:
    result = FetchResult(
        provider="http",
        url="https://a.test/page",
        status_code=200,
        body=TextBody(content="First words."),
        truncated=True,
        media_type="text/plain",
        charset="utf-8",
        received_bytes=12_345,
        redirects=(Redirect(status_code=301, url="https://a.test/page"),),
        cache=CacheFacts(age=9.0),
        notes=(Note(code="decode_errors", detail="3"), Note(code="empty")),
        attempts=(Attempt(provider="http", outcome="ok"),),
    )
    text = check(result._repr_html_())
    for words in (
        "HTTP 200 by http text",
        "https://a.test/page",
        "First words.",
        "text/plain",
        "12,345 bytes received",
        "cut",
        "from the cache, 9 s old",
        "301 to https://a.test/page",
        "decode_errors: 3",
        "empty",
    ):
        assert words in text
    assert "http: ok" not in text


@pytest.mark.req("notebook:cards")
def test_a_tool_card_shows_what_the_model_reads() -> None:
    picture = ImageBlock(media_type="image/png", data="eA==", width=1, height=1)
    text = check(ToolResult(text="What the model reads.", images=(picture,))._repr_html_())
    assert "What the model reads." in text
    assert "1 picture" in text
    error = failed(WebError(Code.DENIED, "Not allowed here."), lambda: "n")
    assert f"Tool result {Code.DENIED}" in check(error._repr_html_())


@pytest.mark.req("notebook:bounded")
def test_a_card_stays_small_whatever_it_is_of() -> None:
    long = "<" * 1_000_000
    sources = tuple(Source(url=f"https://a.test/{n}", title=long, snippet=long) for n in range(200))
    notices = (long,) * 200
    html = SearchResult(provider=long, content=long, sources=sources, notices=notices)._repr_html_()
    assert len(html) < 2_000_000
    text = check(html)
    assert "150 more" in text
    assert "(1,000,000 characters)" in text
    page = FetchResult(provider="http", url="https://a.test/", status_code=200, body=HtmlBody(content=long))
    assert len(page._repr_html_()) < 20_000


@pytest.mark.req("notebook:cards")
def test_results_that_people_hold_have_cards() -> None:
    for kind in (webseam.SearchResult, webseam.FetchResult, webseam.ExtractResult, webseam.ToolResult):
        assert callable(getattr(kind, "_repr_html_", None))
