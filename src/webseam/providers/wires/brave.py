"""What Brave's APIs share: its lists of countries and languages, goggles, freshness, caps and errors.

Facts: Brave's own MCP server and agent skills, 2026.
"""

from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.forms import Checked
from webseam.providers.wires.controls import unsupported
from webseam.providers.wires.days import span
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.languages import variant
from webseam.providers.wires.rows import mapping, number
from webseam.providers.wires.vendor import in_header

QUERY_CHARS: Final = 400
QUERY_WORDS: Final = 50
"""Longest query; past either Brave answers HTTP 422. Its newer page on contexts allows 600 and 75."""

NATIVE: Final = frozenset(
    {"include_domains", "exclude_domains", "published_after", "published_before", "country", "language"}
)
KEY: Final = in_header("x-subscription-token")

_COUNTRY_LIST: Final = """
AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US
"""
_COUNTRIES: Final = frozenset(_COUNTRY_LIST.split())
_LANGUAGE_LIST: Final = """
ar eu bn bg ca hr cs da nl en en-gb et fi fr gl de el gu he hi hu is it ja kn ko lv lt ms ml mr nb pl pa pt-br pt-pt ro
ru sr sk sl es sv ta te th tr uk vi zh-hans zh-hant
"""
_LANGUAGES: Final = frozenset(_LANGUAGE_LIST.split())


def country(controls: Checked, provider: str) -> str | None:
    """Brave's code of a country.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` for one that is not on its list (R132).
    """
    code = controls.country
    if code is not None and code not in _COUNTRIES:
        raise unsupported("country", code, f"It knows {len(_COUNTRIES)} countries, and this is none of them.", provider)
    return code


def language(controls: Checked, provider: str) -> str | None:
    """Brave's code of a language, told from its region or script where Brave tells it (R130, R131).

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` for one that is not on its list.
    """
    name = variant(controls)
    if name is not None and name not in _LANGUAGES:
        raise unsupported("language", controls.tag or "", "It is not on its list of languages.", provider)
    return "jp" if name == "ja" else name


def freshness(controls: Checked) -> str | None:
    """Both days of the span, inclusive."""
    days = span(controls)
    return None if days is None else f"{days[0].isoformat()}to{days[1].isoformat()}"


def goggles(controls: Checked) -> str | None:
    """Domains as the rules of an inline goggle, which cost nothing of the query's length."""
    included = [f"$site={domain}" for domain in controls.include_domains]
    excluded = [f"$discard,site={domain}" for domain in controls.exclude_domains]
    rules = [*(["$discard", *included] if included else []), *excluded]
    return "\n".join(rules) or None


def check_words(query: str, provider: str) -> None:
    """Refuse a query of too many words.

    Raises:
        WebError: `WEB_PROVIDER_ERROR`.
    """
    words = len(query.split())
    if words > QUERY_WORDS:
        told = f"{provider} takes queries of at most {QUERY_WORDS} words, and this one has {words}. Shorten it."
        raise WebError(Code.PROVIDER_ERROR, told, provider=provider)


def _spent(payload: Any) -> bool:
    """A rate limit and a used-up month come with one status and one code; only the counts tell them apart."""
    meta = mapping(mapping(mapping(payload).get("error")).get("meta"))
    limit, current = number(meta.get("quota_limit")), number(meta.get("quota_current"))
    return bool(limit) and current is not None and limit is not None and current >= limit


FACTS: Final = ErrorFacts(
    quota_codes=frozenset({"quota_limited", "usage_limit_exceeded"}),
    spent=_spent,
    key_words=("subscription token is invalid",),  # with HTTP 422
)
