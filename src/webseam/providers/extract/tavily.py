"""Tavily: the text of a page (POST /extract), with a key or keyless. Facts: Tavily's Python SDK 0.8."""

from typing import Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import ExtractResult
from webseam.providers.wires.asking import Ask
from webseam.providers.wires.extracting import Extractor, extractor
from webseam.providers.wires.hits import priced
from webseam.providers.wires.known_facts import TAVILY
from webseam.providers.wires.reading import Page, Reading
from webseam.providers.wires.rows import items, mapping, number, text


class TavilyExtractOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.tavily]`. `extract_depth` "advanced" also gets tables and embedded content, at twice the price."""

    base_url: str = "https://api.tavily.com"
    extract_depth: Literal["basic", "advanced"] = "basic"


def _ask(page: Page[TavilyExtractOptions]) -> Ask:
    return Ask(
        path="extract",
        json={
            "urls": [page.url],
            "extract_depth": page.options.extract_depth,
            "format": "markdown",
            "include_usage": True,
        },
    )


def _read(reading: Reading[TavilyExtractOptions]) -> ExtractResult:
    """A page that Tavily did not get stands in `failed_results`, under HTTP 200."""
    failed = next(map(mapping, items(reading.row.get("failed_results"))), None)
    unread = None if failed is None else reading.unread(text(failed.get("error")))
    row = reading.only(reading.row.get("results"), "results", "raw_content", failed=unread)
    return reading.extracted(
        row.get("raw_content"),
        url=row.get("url"),
        title=row.get("title"),
        usage=priced(number(mapping(reading.row.get("usage")).get("credits")), "credits"),
    )


VENDOR: Final[Extractor[TavilyExtractOptions]] = Extractor(
    ask=_ask,
    read=_read,
    keyless={"X-Tavily-Access-Mode": "keyless"},
    facts=TAVILY,
)
SPEC = ProviderSpec(
    kind="tavily",
    capability="extract",
    build=extractor(VENDOR, TavilyExtractOptions),
    options=TavilyExtractOptions,
    key_env=("TAVILY_API_KEY",),
    key_optional=True,
    summary="Tavily: the text of a page as Markdown; works without a key at a lower rate.",
    rests_on="sdk",
)
