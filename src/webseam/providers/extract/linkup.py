"""Linkup: the text of a page (POST /v1/fetch). Facts: Linkup's Python SDK 0.24."""

from collections.abc import Mapping
from typing import Final

import msgspec

from webseam.core.errors import Code
from webseam.core.plugin import ProviderSpec
from webseam.core.types import ExtractResult
from webseam.providers.wires.asking import Ask
from webseam.providers.wires.extracting import Extractor, extractor
from webseam.providers.wires.failures import codes_of, message_of
from webseam.providers.wires.known_facts import LINKUP
from webseam.providers.wires.reading import Page, Reading

_UNREAD: Final[Mapping[str, Code]] = {
    "fetch_error": Code.PROVIDER_ERROR,
    "fetch_target_not_found": Code.PROVIDER_ERROR,
    "fetch_target_unreachable": Code.PROVIDER_ERROR,
    "fetch_response_too_large": Code.FETCH_TOO_LARGE,
    "fetch_unsupported_content_type": Code.UNSUPPORTED_CONTENT_TYPE,
    "fetch_url_is_file": Code.UNSUPPORTED_CONTENT_TYPE,
}
"""Codes of an HTTP 400 that speak of the page, not of the request."""


class LinkupExtractOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.linkup]`. `render_js` has the page built by its scripts first: slower, and dearer."""

    base_url: str = "https://api.linkup.so/v1"
    render_js: bool = False


def _ask(page: Page[LinkupExtractOptions]) -> Ask:
    return Ask(path="fetch", json={"url": page.url, "renderJs": page.options.render_js or None})


def _read(reading: Reading[LinkupExtractOptions]) -> ExtractResult:
    """Linkup tells neither title nor final URL."""
    if reading.refusal is not None:
        code = next((_UNREAD[one] for one in codes_of(reading.payload) if one in _UNREAD), None)
        raise reading.refusal if code is None else reading.unread(message_of(reading.payload), code=code)
    if "markdown" not in reading.row:
        raise reading.lacking("markdown")
    return reading.extracted(reading.row.get("markdown"))


VENDOR: Final[Extractor[LinkupExtractOptions]] = Extractor(
    ask=_ask, read=_read, facts=LINKUP, expected=frozenset({400})
)
SPEC = ProviderSpec(
    kind="linkup",
    capability="extract",
    build=extractor(VENDOR, LinkupExtractOptions),
    options=LinkupExtractOptions,
    key_env=("LINKUP_API_KEY",),
    summary="Linkup: the text of a page as Markdown, with its scripts run where asked.",
    rests_on="sdk",
)
