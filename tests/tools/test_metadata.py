"""What a page says about itself, in the channels of `web_fetch`."""

import pytest

from support.tools import URL, html, inside, outside, reading, schema_errors
from webseam.core.types import Note
from webseam.tools.output import fetch_output

HEAD = (
    "<html lang=en><head><title>Tides</title><meta name=author content='Ann Lee'>"
    "<meta name=description content='Of seas.'>"
    "<meta property=article:published_time content=2026-03-02><meta property=article:modified_time content=2026-03-03>"
    "<link rel=alternate type=text/markdown href=/page.md></head><body>"
)
SAID = {
    "title": "Tides",
    "description": "Of seas.",
    "author": "Ann Lee",
    "published_at": "2026-03-02",
    "modified_at": "2026-03-03",
    "language": "en",
    "markdown_url": "https://a.test/page.md",
}


@pytest.mark.req("metadata:structured")
async def test_the_structured_result_holds_only_what_the_page_says() -> None:
    tools, _ = reading(html(f"{HEAD}<p>Kelp."))
    structured = (await tools.call("web_fetch", {"url": URL})).structured
    assert structured is not None
    assert structured["metadata"] == SAID
    assert schema_errors(structured, fetch_output()) == []
    bare, _ = reading(html("<p>Kelp."))
    structured = (await bare.call("web_fetch", {"url": URL})).structured
    assert structured is not None
    assert "metadata" not in structured


@pytest.mark.req("metadata:structured")
async def test_a_page_that_hides_itself_satisfies_the_schema_too() -> None:
    tools, _ = reading(html(f"{HEAD}<div style='opacity:0'>{'Tides move the water. ' * 30}</div>"))
    structured = (await tools.call("web_fetch", {"url": URL})).structured
    assert structured is not None
    assert structured["mostly_hidden"] == "shown"
    assert schema_errors(structured, fetch_output()) == []


@pytest.mark.req("metadata:text")
async def test_the_text_opens_with_what_a_reader_would_ask_for() -> None:
    tools, _ = reading(html(f"{HEAD}<p>Kelp."))
    text = (await tools.call("web_fetch", {"url": URL})).text
    assert inside(text) == (
        f"Fetched {URL} (HTTP 200)\nTitle: Tides\nBy: Ann Lee\nPublished: 2026-03-02\nModified: 2026-03-03\n"
        "As Markdown: https://a.test/page.md\n\nKelp."
    )
    assert "Tides" not in outside(text)


@pytest.mark.req("metadata:text")
async def test_a_page_read_on_does_not_repeat_it() -> None:
    page = html(f"{HEAD}{'<p>Tides move the water.</p>' * 40}")
    tools, _ = reading(page)
    text = (await tools.call("web_fetch", {"url": URL, "offset": 100})).text
    assert "Title:" not in text
    assert "Tides move the water." in text


@pytest.mark.req("content:signals:link-header", "metadata:text")
async def test_a_markdown_version_that_a_header_names_is_quoted_whole() -> None:
    target = f"https://a.test/{'x' * 400}.md"
    tools, _ = reading(html("<p>Kelp.", notes=(Note(code="markdown_alternate", detail=target),)))
    text = (await tools.call("web_fetch", {"url": URL})).text
    assert f"Note: markdown_alternate: {target}\n" in inside(text)
    assert "note" not in outside(text).lower()
