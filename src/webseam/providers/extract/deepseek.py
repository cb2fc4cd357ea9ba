"""DeepSeek's fetch API: a page as Markdown (POST /v1/tools/fetch). Facts: its API reference, autumn 2026."""

from typing import Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import ExtractResult
from webseam.providers.wires.asking import Ask
from webseam.providers.wires.extracting import Extractor, extractor
from webseam.providers.wires.failures import message_of
from webseam.providers.wires.reading import Page, Reading

_NOT_FETCHED: Final = "failed to fetch"
"""In the message of the HTTP 404 that speaks of the page; any other is of a base URL that leads elsewhere."""


class DeepSeekExtractOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.deepseek]`."""

    base_url: str = "https://api.deepseek.com"


def _ask(page: Page[DeepSeekExtractOptions]) -> Ask:
    return Ask(path="v1/tools/fetch", json={"url": page.url})


def _read(reading: Reading[DeepSeekExtractOptions]) -> ExtractResult:
    """DeepSeek tells no final URL. A page that a site sends in place of one it lacks passes for that page."""
    said = message_of(reading.payload)
    if reading.refusal is not None:
        raise reading.unread(said) if _NOT_FETCHED in (said or "").lower() else reading.refusal
    if "content" not in reading.row:
        raise reading.lacking("content")
    return reading.extracted(reading.row.get("content"), title=reading.row.get("title"))


VENDOR: Final[Extractor[DeepSeekExtractOptions]] = Extractor(ask=_ask, read=_read, expected=frozenset({404}))
SPEC = ProviderSpec(
    kind="deepseek",
    capability="extract",
    build=extractor(VENDOR, DeepSeekExtractOptions),
    options=DeepSeekExtractOptions,
    key_env=("DEEPSEEK_API_KEY",),
    summary="DeepSeek's fetch API: a page as Markdown, billed when it was read.",
)
