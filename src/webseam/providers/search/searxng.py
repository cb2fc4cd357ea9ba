"""SearXNG: a metasearch of one's own (GET /search, JSON). Facts: SearXNG's source and documentation, August 2026."""

from typing import Any, Final, Literal

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SafeSearch, SearchResult, Source, Usage
from webseam.core.url import is_web_url
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.clean import plain_text
from webseam.providers.wires.commands import without_commands
from webseam.providers.wires.controls import Checked
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.hits import hit
from webseam.providers.wires.languages import TRADITIONAL_REGIONS
from webseam.providers.wires.operators import with_sites
from webseam.providers.wires.rows import Row, items, text
from webseam.providers.wires.vendor import Vendor, provider

_NATIVE: Final = frozenset({"language", "safe_search"})
_SAFETY: Final[dict[SafeSearch, int]] = {"off": 0, "moderate": 1, "strict": 2}
_REGION: Final = 2  # letters (RFC 5646 section 2.2.4)
_SCRIPTS: Final = {"hans": "cn", "hant": "tw"}  # the region that stands for one
_JSON_OFF: Final = (
    'Add "json" to search.formats in its settings.yml; as it comes, SearXNG gives HTML only. A limiter or a proxy '
    "before the instance may refuse this client, too."
)
_FACTS: Final = ErrorFacts(setup={403: _JSON_OFF})


class SearxngOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.searxng]`. `base_url` is the instance; a key goes as a bearer token to a proxy before it.

    `categories` and `engines` are the instance's own, separated by commas.
    """

    base_url: str = ""
    categories: str = ""
    engines: str = ""
    time_range: Literal["day", "week", "month", "year"] | None = None


def _ask(question: Question[SearxngOptions]) -> Ask:
    """There is no count: an instance gives a page, and the seam cuts. Some of its engines obey operators."""
    options, controls = question.options, question.controls
    return Ask(
        method="GET",
        path="search",
        params={
            "q": with_sites(without_commands(question.query), controls.include_domains, controls.exclude_domains),
            "format": "json",
            "categories": options.categories or None,
            "engines": options.engines or None,
            "language": _locale(controls),
            "time_range": options.time_range,
            "safesearch": _SAFETY[question.safe_search] if question.safe_search else None,
        },
    )


def _locale(controls: Checked) -> str | None:
    """A language and, where the tag tells it, a region (R133): `sv`, `pt-BR`. SearXNG takes no scripts."""
    if controls.language is None or controls.tag is None:
        return None
    parts = controls.tag.split("-")[1:]
    region = next((part for part in parts if len(part) == _REGION), None)
    script = next((part for part in parts if part in _SCRIPTS), None) if controls.language == "zh" else None
    if script and (region is None or (region in TRADITIONAL_REGIONS) != (script == "hant")):
        region = _SCRIPTS[script]  # a script outranks a region that writes in another
    return f"{controls.language}-{region.upper()}" if region else controls.language


def _read(answer: Answer[SearxngOptions]) -> SearchResult:
    rows = answer.rows("results")
    engines = answer.row.get("unresponsive_engines")
    failed = tuple(map(_told, [list(one) for one in engines.items()] if isinstance(engines, dict) else items(engines)))
    notices = (one_line(f"Without {', '.join(failed)}."),) if failed else ()
    result = answer.result(rows, _source, notices=notices, usage=Usage(calls=1))
    if failed and not result.sources:
        raise _upstream(answer.question.provider, failed)
    return result


def _told(engine: Any) -> str:
    """An engine that gave nothing, and its reason: a pair, or the bare name."""
    name, *reason = engine if isinstance(engine, list) and engine else [engine]
    because = text(reason[0]) if reason else None
    return f"{text(name) or 'an engine'} ({because})" if because else text(name) or "an engine"


def _upstream(name: str, failed: tuple[str, ...]) -> WebError:
    return WebError(
        Code.UPSTREAM_FAILED,
        one_line(f"{name} found nothing, and engines failed: {', '.join(failed)}.")
        + " Try again later, or enable other engines in the instance.",
        provider=name,
        dispatched=True,
    )


def _source(row: Row) -> Source | None:
    """Files and calls (`magnet:`, `tel:`) are no pages."""
    published = row.get("publishedDate") or row.get("pubdate")
    found = hit(row, snippet=plain_text(row.get("content")), published_at=published)
    return found if found is not None and is_web_url(found.url) else None


VENDOR: Final[Vendor[SearxngOptions]] = Vendor(ask=_ask, read=_read, native=lambda _: _NATIVE, keyless={}, facts=_FACTS)
SPEC = ProviderSpec(
    kind="searxng",
    capability="search",
    build=provider(VENDOR, SearxngOptions),
    options=SearxngOptions,
    key_env=("SEARXNG_API_KEY",),
    keyless=True,
    key_optional=True,
    summary="SearXNG: a metasearch instance of your own; set its base_url.",
    controls=_NATIVE,
)
