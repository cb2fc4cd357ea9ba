"""You.com: the text of a page (POST /v1/contents). Facts: You.com's Python SDK 3.6."""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import ExtractResult
from webseam.providers.wires.asking import Ask
from webseam.providers.wires.extracting import Extractor, extractor
from webseam.providers.wires.reading import Page, Reading
from webseam.providers.wires.sending import in_header


class YouExtractOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.you]`. `crawl_timeout` is how many seconds You.com waits for a page; 10 when it is not set."""

    base_url: str = "https://ydc-index.io"
    crawl_timeout: Annotated[int, msgspec.Meta(ge=1, le=60)] | None = None


def _ask(page: Page[YouExtractOptions]) -> Ask:
    return Ask(
        path="v1/contents",
        json={"urls": [page.url], "formats": ["markdown"], "crawl_timeout": page.options.crawl_timeout},
    )


def _read(reading: Reading[YouExtractOptions]) -> ExtractResult:
    """The answer is a list; a page that You.com did not get has no Markdown, or is left out."""
    row = reading.only(reading.payload, "results", "markdown")
    return reading.extracted(row.get("markdown"), url=row.get("url"), title=row.get("title"))


VENDOR: Final[Extractor[YouExtractOptions]] = Extractor(ask=_ask, read=_read, key=in_header("x-api-key"))
SPEC = ProviderSpec(
    kind="you",
    capability="extract",
    build=extractor(VENDOR, YouExtractOptions),
    options=YouExtractOptions,
    key_env=("YDC_API_KEY",),
    summary="You.com: the text of a page as Markdown.",
    rests_on="sdk",
)
