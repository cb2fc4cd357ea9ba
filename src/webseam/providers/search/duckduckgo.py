"""DuckDuckGo without a key: its page for browsers without scripts (POST /html/). There is no API and no contract.

Facts: the clients ddgs 9.16 and SearXNG, 2026. One page is asked: a second one without the marks of the first is what
bots ask for.
"""

import re
from typing import Final, Literal

import msgspec

from webseam.content.picking import Pick, Picked, pick
from webseam.core.errors import Code, WebError
from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line, redacted
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import unwrap
from webseam.providers.wires.commands import without_commands
from webseam.providers.wires.controls import unsupported
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.json_api import misshapen
from webseam.providers.wires.operators import sites_within
from webseam.providers.wires.rows import Row, source, text
from webseam.providers.wires.vendor import Vendor, provider

QUERY_CHARS: Final = 499
"""Longest query; a longer one gets no answer."""

_NATIVE: Final = frozenset({"country"})
_FACTS: Final = ErrorFacts(blocked_statuses=frozenset({403}))

_ROWS: Final = "div.web-result:not(.result--ad):not(.result--no-result)"
_FIELDS: Final = {
    "url": Pick(selector="h2 a", attribute="href"),
    "title": Pick(selector="h2 a"),
    "snippet": Pick(selector=".result__snippet"),
}
_HOME: Final = "https://duckduckgo.com"
_AD: Final = re.compile(r"https?://(?:[a-z]+\.)?duckduckgo\.com/y\.js\?", re.ASCII)
_HELD_OFF: Final = 202  # comes without hits, for a client that asks too much (R138)
_CHALLENGES: Final = ("form#challenge-form", '[class*="anomaly-modal"]')
_NOTHING: Final = (".no-results", ".result--no-result")

_REGIONS: Final = """
ar-es au-en at-de be-nl br-pt bg-bg ca-en cl-es cn-zh co-es hr-hr cz-cs dk-da ee-et fi-fi fr-fr de-de gr-el hk-tzh hu-hu
in-en id-id ie-en il-he it-it jp-jp kr-kr lv-lv lt-lt my-ms mx-es nl-nl nz-en no-no pe-es ph-en pl-pl pt-pt ro-ro ru-ru
sg-en sk-sk sl-sl za-en es-es se-sv ch-de tw-tzh th-th tr-tr ua-uk uk-en us-en ve-es vn-vi
"""
_OWN_NAMES: Final = {"GB": "uk", "SI": "sl"}
_REGION_OF: Final = {region.partition("-")[0]: region for region in _REGIONS.split()}


class DuckDuckGoOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.duckduckgo]`. `time_range` limits every search."""

    base_url: str = "https://html.duckduckgo.com"
    time_range: Literal["day", "week", "month", "year"] | None = None


def _ask(question: Question[DuckDuckGoOptions]) -> Ask:
    query = without_commands(question.query)
    form = {
        "q": sites_within(QUERY_CHARS, query, question.controls, question.provider),
        "b": "",
        "kl": _region(question),
        "df": (question.options.time_range or "")[:1],
    }
    return Ask(path="html/", form={name: value for name, value in form.items() if value or name == "b"})


def _region(question: Question[DuckDuckGoOptions]) -> str:
    """A region is a country in its most spoken language."""
    code = question.controls.country
    if code is None:
        return ""
    region = _REGION_OF.get(_OWN_NAMES.get(code, code.lower()))
    if region is None:
        raise unsupported("country", code, "It has no region for this country.", question.provider)
    return region


def _read(answer: Answer[DuckDuckGoOptions]) -> SearchResult:
    """Hits win over everything else on the page; a page without any must say so itself, or it is an error."""
    page = pick(answer.payload, rows=_ROWS, fields=_FIELDS, marks=(*_CHALLENGES, *_NOTHING))
    result = answer.result((row for row in page.rows if not _AD.match(_target(row))), _source, usage=Usage(calls=1))
    if not result.sources:
        _check_empty(answer, page)
    return result


def _check_empty(answer: Answer[DuckDuckGoOptions], page: Picked) -> None:
    """Raises unless the page says that there is nothing."""
    name = answer.question.provider
    if page.marks.intersection(_CHALLENGES) or (answer.status == _HELD_OFF and not page.marks):
        raise WebError(
            Code.PROVIDER_BLOCKED,
            f"{name} answered with a bot check (HTTP {answer.status}), as it does for a while after many searches. "
            "Try again later, or use another provider.",
            provider=name,
            dispatched=True,
            status=answer.status,
        )
    if not page.marks:
        kind = one_line(redacted(answer.headers.get("content-type", "no content type"), answer.secrets), limit=60)
        raise misshapen(name, f"a page that shows neither hits nor that there are none (HTTP {answer.status}, {kind})")


def _source(row: Row) -> Source | None:
    return source({"url": _target(row), "title": row.get("title")}, snippet=text(row.get("snippet")))


def _target(row: Row) -> str:
    """Links are wrapped in a redirect of DuckDuckGo's, without a scheme, or without a host."""
    url = text(row.get("url")) or ""
    if url.startswith("/"):
        url = f"https:{url}" if url.startswith("//") else _HOME + url
    return unwrap(url)


VENDOR: Final[Vendor[DuckDuckGoOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=lambda _: _NATIVE,
    key=None,
    keyless={},
    facts=_FACTS,
    fixed={"accept": "text/html"},
    query_chars=QUERY_CHARS,
    reads="text",
)
SPEC = ProviderSpec(
    kind="duckduckgo",
    capability="search",
    build=provider(VENDOR, DuckDuckGoOptions),
    options=DuckDuckGoOptions,
    keyless=True,
    summary="DuckDuckGo's page for browsers without scripts: no key and no contract; bot checks are usual.",
    controls=_NATIVE,
)
