"""Jina Reader: a page as Markdown (POST r.jina.ai), with a key or keyless. Facts: the source of Jina's Reader."""

import re
from typing import Final

import msgspec

from webseam.core.errors import Code
from webseam.core.plugin import ProviderSpec
from webseam.core.types import ExtractResult
from webseam.providers.wires.asking import Ask
from webseam.providers.wires.extracting import Extractor, extractor
from webseam.providers.wires.failures import message_of
from webseam.providers.wires.hits import priced
from webseam.providers.wires.reading import Page, Reading
from webseam.providers.wires.rows import Row, count, mapping, status_told, text

_TARGET: Final = re.compile(r"Target URL returned error (\d{3})", re.ASCII)
"""How a warning begins that tells the page's own status: the page comes under HTTP 200 all the same."""

_CAPTCHA: Final = re.compile(r"CAPTCHA", re.IGNORECASE)


class JinaExtractOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.jina]`. `reader_url` is Jina's Reader; its search, which the same key serves, is on another host."""

    reader_url: str = "https://r.jina.ai/"


def _ask(page: Page[JinaExtractOptions]) -> Ask:
    """Pictures are left out: a model reads none of them, and each would cost tokens."""
    return Ask(json={"url": page.url}, headers={"x-retain-images": "none"})


def _read(reading: Reading[JinaExtractOptions]) -> ExtractResult:
    """An error inside a success tells its status as `code`; what is wrong with the page stands in `warning`."""
    status = status_told(reading.row.get("code"))
    if status is not None:
        raise reading.fault(status, message_of(reading.payload))
    data = reading.row.get("data")
    if not isinstance(data, dict):
        raise reading.lacking("data")
    warning = text(data.get("warning"))
    _check_target(reading, warning)
    return reading.extracted(
        data.get("content"),
        url=data.get("url"),
        title=data.get("title"),
        published_at=data.get("publishedTime"),
        remarks=(warning,),
        usage=priced(_tokens(reading.row, data), "tokens"),
    )


def _check_target(reading: Reading[JinaExtractOptions], warning: str | None) -> None:
    if warning is None:
        return
    told = _TARGET.search(warning)
    reading.answered(int(told[1]) if told else None)
    if _CAPTCHA.search(warning):
        raise reading.unread("it asks for a captcha", code=Code.PROVIDER_BLOCKED)


def _tokens(payload: Row, data: Row) -> int | None:
    """Jina bills in tokens, which it counts itself."""
    counts = (count(mapping(part.get("usage")).get("tokens")) for part in (mapping(payload.get("meta")), data))
    return next((one for one in counts if one is not None), None)


VENDOR: Final[Extractor[JinaExtractOptions]] = Extractor(
    ask=_ask, read=_read, place=lambda options: options.reader_url, keyless={}
)
SPEC = ProviderSpec(
    kind="jina",
    capability="extract",
    build=extractor(VENDOR, JinaExtractOptions),
    options=JinaExtractOptions,
    key_env=("JINA_API_KEY",),
    key_optional=True,
    summary="Jina Reader: pages and PDF as Markdown, billed in tokens; works without a key at a lower rate.",
)
