"""Filters that Perplexity's two APIs share: one list for both kinds of domains, and American dates."""

from datetime import date
from typing import Final

from webseam.core.forms import Checked
from webseam.providers.wires.controls import at_most, unsupported
from webseam.providers.wires.days import american
from webseam.providers.wires.languages import is_two_letter_language

DOMAINS: Final = 20
"""Most entries of `search_domain_filter`."""


def domain_filter(controls: Checked, provider: str) -> list[str] | None:
    """One list for both: with both asked, only what to include; the seam holds the exclusion on the results.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` for more than 20 domains.
    """
    at_most("include_domains", controls.include_domains, DOMAINS, provider)
    if controls.include_domains:
        return list(controls.include_domains)
    at_most("exclude_domains", controls.exclude_domains, DOMAINS, provider)
    return [f"-{domain}" for domain in controls.exclude_domains] or None


def language_filter(controls: Checked, provider: str) -> list[str] | None:
    """Pages in this language only; its region is nothing to Perplexity.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` for a language without a code in ISO 639-1.
    """
    name = controls.language
    if name is None:
        return None
    if not is_two_letter_language(name):
        raise unsupported("language", controls.tag or "", "It takes codes of two letters (ISO 639-1).", provider)
    return [name]


def american_day(day: date | None) -> str | None:
    """Perplexity takes American dates and gives ISO ones."""
    return None if day is None else american(day)
