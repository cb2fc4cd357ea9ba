"""Main content by trafilatura, where the extra is installed."""

from collections.abc import AsyncIterator

import pytest

from support.content import URL, page
from webseam.content.convert import Converter
from webseam.content.markdown import html_to_markdown
from webseam.content.second_engine import is_installed, picked
from webseam.core.deadline import Deadline
from webseam.core.limits import MAIN_HTML_CHARS

pytestmark = [
    pytest.mark.req("main:engine"),
    pytest.mark.skipif(not is_installed(), reason="the extra main, trafilatura, is not installed"),
]
LINES = (
    "<p>The tide moves the water, and the water moves the sand, which nobody has ever managed to hold back.</p>"
    "<p>At noon the boats come home with what the nets have caught, and the gulls are there before them.</p>"
    "<p>In the evening the old men sit on the wall and tell each other what the weather is going to do.</p>"
)
AROUND = f"<nav><a href=/>Harbour</a> <a href=/b>Boats</a></nav><article>{{}}{LINES}</article><footer>Imprint</footer>"


def main(inner: str) -> str:
    """The Markdown of an article that begins with `inner`."""
    made = html_to_markdown(AROUND.format(inner), url=URL, view="main", engine="trafilatura", pictures=False)
    assert (made.view, made.engine) == ("main", "trafilatura")
    return made.text


@pytest.fixture
async def converter() -> AsyncIterator[Converter]:
    made = Converter(view="main", engine="trafilatura", pictures=False, seconds=30)
    yield made
    await made.aclose()


def test_what_is_around_the_article_is_left_out_and_counted() -> None:
    made = html_to_markdown(AROUND.format("<h1>Tides</h1>"), url=URL, view="main", engine="trafilatura")
    assert made.text.startswith("# Tides\n")
    assert "Imprint" not in made.text
    assert made.left_out == len("HarbourBoatsImprint")


@pytest.mark.parametrize(
    ("inner", "told"),
    [
        (
            "<p>Call <code>tide_of()</code> with care and with a <b>bold</b> <i>hand</i> on the rope.</p>",
            "Call `tide_of()` with",
        ),
        ("<p>A <b>bold</b> <i>hand</i> that holds the rope of the boat.</p>", "**bold** *hand* that"),
        ("<pre><code>def f():\n    return 1\n</code></pre>", "```\ndef f():\n    return 1\n```"),
        ("<ol><li>First of the boats</li><li>Second of the boats</li></ol>", "1. First of the boats\n2. Second of"),
        ("<ul><li>A boat<ul><li>Its mast</li></ul></li></ul>", "- A boat\n  - Its mast"),
        ("<h2>High &amp; low</h2>", "## High & low"),
        ("<blockquote><p>The sea gives, and the sea takes away.</p></blockquote>", "> The sea gives"),
        (
            "<table><tr><th>Port</th><th>Depth</th></tr><tr><td>Old</td><td>3</td></tr></table>",
            "| Port | Depth |\n| --- | --- |",
        ),
        (
            "<p>See <a href='../map?a=1&amp;b=2'>the map of the harbour</a> of the old town.</p>",
            "](https://site.test/map?a=1&b=2)",
        ),
        ("<p>Ten to the power of 10<sup>6</sup> drops of water in it.</p>", "10^6 drops"),
        ("<p>Before <img src=i.png alt='a boat'> and after it is the sea.</p>", "Before [image: a boat] and after"),
    ],
)
def test_the_form_of_what_it_picks_is_kept(inner: str, told: str) -> None:
    assert told in main(inner)


@pytest.mark.parametrize("hiding", ["hidden", "style='display:none'", "style='font-size:0'", "aria-hidden=true"])
def test_what_nobody_sees_does_not_come_back(hiding: str) -> None:
    assert "secret" not in main(f"<p {hiding}>A secret line of words that only a machine would ever read.</p>")


def test_comments_scripts_and_what_they_say_of_the_page_do_not_come_back() -> None:
    said = "A secret line of words that only a machine would ever read."
    text = main(
        f"<!-- {said} --><p>The harbour <!-- {said} --> has a wall.</p>"
        f'<script type="application/ld+json">{{"@type": "Article", "articleBody": "{said}"}}</script>'
    )
    assert "secret" not in text
    assert "has a wall." in text


def test_markup_that_stands_in_the_text_stays_text() -> None:
    text = main("<p>Write &lt;b&gt; or &amp;lt; in the log book of the ship, says the captain.</p>")
    assert r"\<b> or \&lt;" in text


@pytest.mark.parametrize("html", ["", "<p>Closed.</p>", "<nav><a href=/>Harbour</a></nav><p>Closed."])
def test_a_page_without_main_content_stays_whole(html: str) -> None:
    made = html_to_markdown(html, url=URL, view="main", engine="trafilatura")
    assert (made.view, made.engine, made.left_out) == ("page", None, 0)
    assert made.text == html_to_markdown(html, url=URL).text


def test_a_page_that_would_take_it_seconds_stays_whole() -> None:
    rows = "".join(f"<p>Row {number} of the tide tables.</p>" for number in range(MAIN_HTML_CHARS // 30))
    made = html_to_markdown(AROUND.format(rows), url=URL, view="main", engine="trafilatura")
    assert (made.view, made.engine, "Imprint" in made.text) == ("page", None, True)


def test_trees_of_any_depth_end_in_something_or_nothing() -> None:
    deep = picked("<div>" * 3_000 + LINES + "</div>" * 3_000)
    assert deep is None or deep.characters > 0


async def test_a_fetched_page_is_read_in_a_worker_and_names_the_engine(converter: Converter) -> None:
    html = AROUND.format("<h1>Tides</h1>")
    made = await converter.convert(page(f"<title>Sea</title>{html}"), deadline=Deadline.after(60))
    assert (made.fallback, made.view, made.engine, made.left_out) == (None, "main", "trafilatura", 19)
    assert made.metadata is not None
    assert made.metadata.title == "Sea"
    assert made.text.startswith("# Tides\n")


async def test_it_is_asked_for_main_content_alone() -> None:
    converter = Converter(view="page", engine="trafilatura")
    made = await converter.convert(page(AROUND.format("")), deadline=Deadline.after(60))
    assert (made.view, made.engine) == ("page", None)
    assert "Imprint" in made.text
    await converter.aclose()
