"""Firecrawl: a page read by a browser (POST /v2/scrape). Facts: Firecrawl's Python SDK 4.55."""

from typing import Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import ExtractResult, Note
from webseam.providers.wires.asking import Ask
from webseam.providers.wires.extracting import Extractor, extractor
from webseam.providers.wires.failures import codes_of, message_of
from webseam.providers.wires.hits import first_text, priced
from webseam.providers.wires.known_facts import FIRECRAWL
from webseam.providers.wires.reading import Page, Reading
from webseam.providers.wires.rows import Row, mapping, number, numeral, text


class FirecrawlExtractOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.firecrawl]`. `only_main_content` leaves out headers, navigation and footers of a page."""

    base_url: str = "https://api.firecrawl.dev"
    only_main_content: bool = True


def _ask(page: Page[FirecrawlExtractOptions]) -> Ask:
    return Ask(
        path="v2/scrape",
        json={"url": page.url, "formats": ["markdown"], "onlyMainContent": page.options.only_main_content},
    )


def _read(reading: Reading[FirecrawlExtractOptions]) -> ExtractResult:
    """An error of Firecrawl's may come in a 200; the page's own status stands among its metadata."""
    payload = reading.row
    success = str(payload.get("success")).lower()
    if success == "false":
        raise reading.told() or reading.fault(500, message_of(payload), *codes_of(payload))
    data = payload.get("data")
    if success != "true" or not isinstance(data, dict):
        raise reading.lacking("data")
    about = mapping(data.get("metadata"))
    reading.answered(numeral(about.get("statusCode")), text(about.get("error")))
    return reading.extracted(
        data.get("markdown"),
        url=about.get("url") or about.get("sourceURL"),
        title=first_text(about, "title", "ogTitle"),
        author=first_text(about, "author", "article:author"),
        published_at=first_text(about, "publishedTime", "article:published_time"),
        truncated=_is_cut(about),
        notes=_notes(about),
        remarks=(data.get("warning"), payload.get("warning"), about.get("error")),
        usage=priced(number(about.get("creditsUsed")), "credits"),
    )


def _is_cut(about: Row) -> bool:
    """Of a PDF it may read the first pages alone, and says so in numbers only."""
    read, there_are = numeral(about.get("numPages")), numeral(about.get("totalPages"))
    return read is not None and there_are is not None and read < there_are


def _notes(about: Row) -> tuple[Note, ...]:
    if about.get("cacheState") != "hit":
        return ()
    return (Note(code="stored_copy", detail=text(about.get("cachedAt"))),)


VENDOR: Final[Extractor[FirecrawlExtractOptions]] = Extractor(ask=_ask, read=_read, facts=FIRECRAWL)
SPEC = ProviderSpec(
    kind="firecrawl",
    capability="extract",
    build=extractor(VENDOR, FirecrawlExtractOptions),
    options=FirecrawlExtractOptions,
    key_env=("FIRECRAWL_API_KEY",),
    summary="Firecrawl: pages that need a browser, as Markdown with the page's own status.",
    rests_on="sdk",
)
