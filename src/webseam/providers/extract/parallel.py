"""Parallel: the text of a page (POST /v1/extract). Facts: Parallel's Python SDK 1.3."""

from typing import Final

import msgspec

from webseam.core.errors import WebError
from webseam.core.plugin import ProviderSpec
from webseam.core.types import ExtractResult, Note
from webseam.providers.wires.asking import Ask
from webseam.providers.wires.extracting import Extractor, extractor
from webseam.providers.wires.reading import Page, Reading
from webseam.providers.wires.rows import items, mapping, numeral, text
from webseam.providers.wires.sending import in_header

_EXCERPTS: Final = (Note(code="excerpts"),)


class ParallelExtractOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.parallel]`."""

    base_url: str = "https://api.parallel.ai"


def _ask(page: Page[ParallelExtractOptions]) -> Ask:
    """Unasked, Parallel sends excerpts only."""
    return Ask(path="v1/extract", json={"urls": [page.url], "advanced_settings": {"full_content": True}})


def _read(reading: Reading[ParallelExtractOptions]) -> ExtractResult:
    """A page that Parallel did not get stands in `errors`; one without its whole text is told as excerpts."""
    row = reading.only(reading.row.get("results"), "results", "full_content", "excerpts", failed=_failed(reading))
    whole = text(row.get("full_content"))
    passages = "\n\n".join(filter(None, map(text, items(row.get("excerpts")))))
    return reading.extracted(
        whole or passages,
        url=row.get("url"),
        title=row.get("title"),
        published_at=row.get("publish_date"),
        truncated=whole is None,
        notes=() if whole else _EXCERPTS,
        remarks=(mapping(one).get("message") for one in items(reading.row.get("warnings"))),
    )


def _failed(reading: Reading[ParallelExtractOptions]) -> WebError | None:
    failed = next(map(mapping, items(reading.row.get("errors"))), None)
    if failed is None:
        return None
    return reading.unread(text(failed.get("error_type")), answered=numeral(failed.get("http_status_code")))


VENDOR: Final[Extractor[ParallelExtractOptions]] = Extractor(ask=_ask, read=_read, key=in_header("x-api-key"))
SPEC = ProviderSpec(
    kind="parallel",
    capability="extract",
    build=extractor(VENDOR, ParallelExtractOptions),
    options=ParallelExtractOptions,
    key_env=("PARALLEL_API_KEY",),
    summary="Parallel: the text of a page or PDF as Markdown, with its date.",
    rests_on="sdk",
)
