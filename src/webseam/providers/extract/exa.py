"""Exa: the text of a page (POST /contents). Facts: Exa's Python SDK 2.28."""

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec

from webseam.core.errors import WebError
from webseam.core.plugin import ProviderSpec
from webseam.core.types import ExtractResult, Note
from webseam.providers.wires.asking import Ask
from webseam.providers.wires.extracting import Extractor, extractor
from webseam.providers.wires.hits import priced
from webseam.providers.wires.known_facts import EXA
from webseam.providers.wires.reading import Page, Reading
from webseam.providers.wires.rows import Row, items, mapping, number, numeral, text


class ExaExtractOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.exa]`. `max_age_hours` is how old Exa's copy of a page may be: 0 always reads anew, -1 never does."""

    base_url: str = "https://api.exa.ai"
    max_age_hours: Annotated[int, msgspec.Meta(ge=-1, le=8_760)] | None = None


def _ask(page: Page[ExaExtractOptions]) -> Ask:
    """All of the text: the SDK's cut at 10,000 characters is the SDK's own."""
    return Ask(path="contents", json={"urls": [page.url], "text": True, "maxAgeHours": page.options.max_age_hours})


def _read(reading: Reading[ExaExtractOptions]) -> ExtractResult:
    """A page that Exa did not get is missing from `results`, and `statuses` tells why."""
    statuses = [mapping(one) for one in items(reading.row.get("statuses"))]
    row = reading.only(reading.row.get("results"), "results", "text", failed=_failed(reading, statuses))
    kept = any(one.get("source") == "cached" for one in statuses)
    return reading.extracted(
        row.get("text"),
        url=row.get("url"),
        title=row.get("title"),
        author=row.get("author"),
        published_at=row.get("publishedDate"),
        notes=(Note(code="stored_copy"),) if kept else (),
        usage=priced(_cost(reading.row), "USD"),
    )


def _failed(reading: Reading[ExaExtractOptions], statuses: Iterable[Row]) -> WebError | None:
    failed = next((one for one in statuses if one.get("status") == "error"), None)
    if failed is None:
        return None
    error = mapping(failed.get("error"))
    return reading.unread(text(error.get("tag")), answered=numeral(error.get("httpStatusCode")))


def _cost(payload: Row) -> float | None:
    return number(mapping(payload.get("costDollars")).get("total"))


VENDOR: Final[Extractor[ExaExtractOptions]] = Extractor(ask=_ask, read=_read, facts=EXA)
SPEC = ProviderSpec(
    kind="exa",
    capability="extract",
    build=extractor(VENDOR, ExaExtractOptions),
    options=ExaExtractOptions,
    key_env=("EXA_API_KEY",),
    summary="Exa: the text of a page with author and date, from its copy or read anew, and the cost of each call.",
    rests_on="sdk",
)
