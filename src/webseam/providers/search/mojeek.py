"""Mojeek: an independent index (GET /search). Facts: Mojeek's page of request parameters; the answer is recalled."""

from datetime import date, timedelta
from typing import Annotated, Final

import msgspec

from webseam.core.errors import WebError
from webseam.core.plugin import ProviderSpec
from webseam.core.types import SafeSearch, SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import strict_only
from webseam.providers.wires.days import compact
from webseam.providers.wires.hits import first_text, hit
from webseam.providers.wires.rows import Row, mapping, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 100
"""Highest `t`: the vendor's larger plans; a smaller plan gives fewer."""

_NATIVE: Final = frozenset({"published_after", "published_before", "safe_search"})
_MEANINGS: Final = ((429, ("RATE", "TOO MANY")), (402, ("LIMIT", "QUOTA", "CREDIT")), (403, ("DENIED", "KEY")))
"""The HTTP status that a text means, by its words; the first that fits."""


class MojeekOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.mojeek]`. A language is only a preference to Mojeek, so it is no control here."""

    base_url: str = "https://api.mojeek.com"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _ask(question: Question[MojeekOptions]) -> Ask:
    """Mojeek takes one domain: a single one is sent, several are left to the seam, which holds them all."""
    controls = question.controls
    included = controls.include_domains
    return Ask(
        method="GET",
        path="search",
        params={
            "q": question.query,
            "fmt": "json",
            "t": question.wanted(MAX_RESULTS, question.options.num_results),
            "site": included[0] if len(included) == 1 else None,
            "since": _day(controls.after),
            "before": _day(controls.before and _following(controls.before)),  # it is exclusive
            "safe": _safe(question.safe_search, question.provider),
        },
    )


def _day(day: date | None) -> str | None:
    return None if day is None else compact(day)


def _following(day: date) -> date:
    """The next day; the last one there is has none, and leaves nothing out."""
    return day + timedelta(days=1) if day < date.max else day


def _safe(asked: SafeSearch | None, provider_id: str) -> int | None:
    wanted = strict_only(asked, provider_id)
    return None if wanted is None else int(wanted)


def _read(answer: Answer[MojeekOptions]) -> SearchResult:
    """`status` is the verdict, in words, under HTTP 200 too."""
    response = mapping(answer.row.get("response"))
    status = (text(response.get("status")) or "").upper()
    if status and status != "OK":
        raise _refusal(answer, status)
    return answer.result(answer.rows("response", "results"), _source, usage=Usage(calls=1))


def _refusal(answer: Answer[MojeekOptions], status: str) -> WebError:
    """The texts are recalled, so they are read by their words."""
    for meant, words in _MEANINGS:
        if any(word in status for word in words):
            return answer.fault(meant, status.capitalize())
    return answer.refused(status.capitalize())


def _source(row: Row) -> Source | None:
    return hit(row, snippet=first_text(row, "desc"), published_at=row.get("date"))


VENDOR: Final[Vendor[MojeekOptions]] = Vendor(
    ask=_ask, read=_read, native=lambda _: _NATIVE, key=None, key_param="api_key"
)
SPEC = ProviderSpec(
    kind="mojeek",
    capability="search",
    build=provider(VENDOR, MojeekOptions),
    options=MojeekOptions,
    key_env=("MOJEEK_API_KEY",),
    summary="Mojeek search API: an index of its own, without tracking.",
    controls=_NATIVE,
    rests_on="recalled",
)
