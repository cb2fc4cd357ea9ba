"""Wikipedia: full-text search of one edition (GET w/api.php), without a key. Facts: recalled from MediaWiki's docs."""

from typing import Annotated, Final
from urllib.parse import quote

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SearchResult, Source, Usage
from webseam.core.url import host_of, in_domain, is_web_url
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.rows import Row, mapping, text
from webseam.providers.wires.vendor import Vendor, provider
from webseam.providers.wires.waits import seconds_to_wait

QUERY_CHARS: Final = 300
"""Longest `srsearch`."""

MAX_RESULTS: Final = 500
"""Highest `srlimit` without an account."""

_EDITION: Final = "{language}"
_EDITION_LIST: Final = """
als sq|cbk cbk-zam|cmn zh|gsw als|lzh zh-classical|nan zh-min-nan|nb no|rup roa-rup|sgs bat-smg|vro fiu-vro|yue zh-yue
"""
_EDITIONS: Final = dict(entry.split() for entry in _EDITION_LIST.strip().split("|"))
"""Editions that are not named by their language's code; `als` is Tosk Albanian in ISO 639, and Alemannic there."""

_STATUSES: Final = {"maxlag": 503, "readonly": 503, "ratelimited": 429}
"""HTTP statuses of errors that come in a 200; `internal_api_error_*` is 500, all others are the request's own fault."""


class WikipediaOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.wikipedia]`. `{language}` in the URLs stands for the language asked, else for `language`.

    Another MediaWiki works, too: its `base_url` is where `w/api.php` stands, `page_url` what comes before a title.
    Without `{language}` in both it has one language, and takes no such control.
    """

    base_url: str = "https://{language}.wikipedia.org"
    page_url: str = "https://{language}.wikipedia.org/wiki/"
    language: Annotated[str, msgspec.Meta(pattern=r"\A[a-z]{2,12}(-[a-z]{2,12})*\Z")] = "en"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _native(options: WikipediaOptions) -> frozenset[str]:
    both = _EDITION in options.base_url and _EDITION in options.page_url
    return frozenset({"language"}) if both else frozenset()


def _lacks(options: WikipediaOptions) -> str | None:
    """Without the URL of its pages no hit has one: every search would seem to find nothing."""
    sound = is_web_url(options.page_url.replace(_EDITION, _edition(options, None)))
    return None if sound else "page_url must be what stands before a title, such as https://wiki.example/wiki/."


def _place(options: WikipediaOptions, question: Question[WikipediaOptions] | None) -> str:
    return options.base_url.replace(_EDITION, _edition(options, question))


def _edition(options: WikipediaOptions, question: Question[WikipediaOptions] | None) -> str:
    asked = question.controls.language if question is not None and _native(options) else None
    return _EDITIONS.get(asked, asked) if asked else options.language


def _ask(question: Question[WikipediaOptions]) -> Ask:
    _check_domains(question)
    return Ask(
        path="w/api.php",
        method="GET",
        params={
            "action": "query",
            "list": "search",
            "srsearch": question.query,
            "srlimit": question.wanted(MAX_RESULTS, question.options.num_results),
            "srprop": "snippet",
            "format": "json",
            "formatversion": 2,
        },
    )


def _check_domains(question: Question[WikipediaOptions]) -> None:
    """All hits have one host, so most lists of domains leave nothing: that is no answer about the web.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL`.
    """
    host = host_of(_pages(question)) or ""
    included, excluded = question.controls.include_domains, question.controls.exclude_domains
    lost = "exclude_domains" if any(in_domain(host, domain) for domain in excluded) else None
    if included and not any(in_domain(host, domain) for domain in included):
        lost = "include_domains"
    if lost is not None:
        told = f"{question.provider} finds pages of {host} only, and {lost} leaves that out."
        raise WebError(Code.UNSUPPORTED_CONTROL, f"{told} Choose another provider.", provider=question.provider)


def _pages(question: Question[WikipediaOptions]) -> str:
    return question.options.page_url.replace(_EDITION, _edition(question.options, question))


def _read(answer: Answer[WikipediaOptions]) -> SearchResult:
    """Errors come in a 200. The timestamp of a hit is its last edit, so it is no date of publication."""
    error = mapping(answer.row.get("error"))
    code = text(error.get("code"))
    if code is not None:
        raise _fault(answer, code, text(error.get("info")))
    rows = answer.rows("query", "search")
    pages = _pages(answer.question)
    return answer.result(rows, lambda row: _source(row, pages), notices=_notices(answer.row), usage=Usage(calls=1))


def _fault(answer: Answer[WikipediaOptions], code: str, told: str | None) -> WebError:
    if code == "search-error" or (code.startswith("cirrussearch") and code.endswith("error")):
        return answer.engines_failed(told)
    code = code.lower()
    status = 500 if code.startswith("internal_api_error") else _STATUSES.get(code, 400)
    return answer.fault(status, told, code, retry_after=seconds_to_wait(status, answer.headers, None))


def _source(row: Row, pages: str) -> Source | None:
    """Only articles (namespace 0) are hits; a title is the last part of its page's URL."""
    title = text(row.get("title"))
    if title is None or row.get("ns", 0) != 0:
        return None
    url = pages + quote(title.replace(" ", "_"), safe="/:(),;@!$*~")
    return Source(url=url, title=title, snippet=plain_text(row.get("snippet")))


def _notices(payload: Row) -> tuple[str, ...]:
    meant = text(mapping(mapping(payload.get("query")).get("searchinfo")).get("suggestion"))
    return () if meant is None else (one_line(f"Did you mean: {meant}"),)


VENDOR: Final[Vendor[WikipediaOptions]] = Vendor(
    ask=_ask,
    read=_read,
    native=_native,
    key=None,
    keyless={},
    place=_place,
    lacks=_lacks,
    query_chars=QUERY_CHARS,
)
SPEC = ProviderSpec(
    kind="wikipedia",
    capability="search",
    build=provider(VENDOR, WikipediaOptions),
    options=WikipediaOptions,
    keyless=True,
    summary="Wikipedia: articles of one language's edition; no key.",
    controls=_native(WikipediaOptions()),
    rests_on="recalled",
)
