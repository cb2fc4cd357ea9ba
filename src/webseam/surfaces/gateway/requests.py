"""Requests as the library has them, from the JSON objects that clients send."""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Final

from webseam.core.forms import invalid
from webseam.core.limits import MAX_RESULTS_MAX, QUERY_CHARS, URL_CHARS
from webseam.core.settings import SeamSettings
from webseam.core.text import one_line
from webseam.core.types import NO_CONTROLS, ExtractRequest, FetchRequest, SearchControls, SearchRequest

_NAME_CHARS: Final = 40

BOUNDS: Final[Mapping[str, dict[str, Any]]] = {
    "SearchRequest.query": {"minLength": 1, "maxLength": QUERY_CHARS},
    "SearchRequest.max_results": {"minimum": 1, "maximum": MAX_RESULTS_MAX},
    "FetchRequest.url": {"minLength": 1, "maxLength": URL_CHARS},
    "ExtractRequest.url": {"minLength": 1, "maxLength": URL_CHARS},
}
"""What the types of requests do not tell, for their schemas."""


def search_request(given: Mapping[str, Any], settings: SeamSettings) -> SearchRequest:
    """A search; without `max_results` the configured number.

    Raises:
        WebError: `INVALID_ARGS` for an unknown or missing name; values are checked by the seam.
    """
    values = _values(given, SearchRequest, "query")
    most = values.get("max_results", settings.max_results)
    if isinstance(most, int) and most > MAX_RESULTS_MAX:
        raise invalid(f"max_results is {most}; it may be {MAX_RESULTS_MAX} at most.")
    return SearchRequest(query=values["query"], max_results=most, controls=_controls(values.get("controls")))


def fetch_request(given: Mapping[str, Any]) -> FetchRequest:
    """A page to fetch.

    Raises:
        WebError: `INVALID_ARGS`, as `search_request`.
    """
    return FetchRequest(url=_values(given, FetchRequest, "url")["url"])


def extract_request(given: Mapping[str, Any]) -> ExtractRequest:
    """A page to extract.

    Raises:
        WebError: `INVALID_ARGS`, as `search_request`.
    """
    return ExtractRequest(url=_values(given, ExtractRequest, "url")["url"])


def _controls(given: Any) -> SearchControls:
    if given is None:
        return NO_CONTROLS
    if not isinstance(given, Mapping):
        raise invalid("controls must be an object.")
    values = _values(given, SearchControls)
    lists: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}
    return SearchControls(**lists)


def _values(given: Mapping[str, Any], kind: Any, *required: str) -> dict[str, Any]:
    """By name; null is the same as absent."""
    known = _names(kind)
    for name in given:
        if name not in known:
            raise invalid(f"There is no {one_line(name, limit=_NAME_CHARS)!r} here. Known: {', '.join(known)}.")
    values = {name: value for name, value in given.items() if value is not None}
    for name in required:
        if name not in values:
            raise invalid(f"{name} is missing.")
    return values


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))
