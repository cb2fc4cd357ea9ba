"""Arguments as a model sends them, checked before anything leaves: by type first, then by value (dsh-74)."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, cast

from webseam.content.finding import phrases_of
from webseam.content.hygiene import clean_line
from webseam.core.forms import invalid, is_country, is_language
from webseam.core.limits import FIND_CHARS, FIND_PHRASES
from webseam.core.text import is_text
from webseam.core.types import SafeSearch, SearchControls
from webseam.core.url import ascii_host
from webseam.tools.parameters import Parameter

_NUMERAL: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
"""Spellings that come back the same from a JSON number; fifteen digits are exact in a double (RFC 8259 section 6)."""

_NAME_CHARS: Final = 40


def read_arguments(raw: object, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    """Values by name, of the right types; what is absent or null is left out.

    `raw` is an object or the JSON text of one. A numeral in a string counts as an integer only where the schema
    asks for one and only when it is spelled as JSON would (R185, R186).

    Raises:
        WebError: `INVALID_ARGS`, saying what is wrong and what is expected.
    """
    given = _object(raw)
    known = {one.name: one for one in parameters}
    for name in given:
        if name not in known:
            shown = clean_line(str(name), limit=_NAME_CHARS)
            raise invalid(f"There is no argument {shown!r}. This tool takes: {', '.join(known)}.")
    values: dict[str, Any] = {}
    for one in parameters:
        value = given.get(one.name)
        if value is None and one.required:
            raise invalid(f"The argument {one.name!r} is missing. {one.description}")
        if value is not None and (value != "" or one.required):  # clients fill what a model left open (R157)
            values[one.name] = _typed(one, value)
    return values


def _object(raw: object) -> Mapping[Any, Any]:
    if isinstance(raw, str):
        try:
            raw = json.loads(raw) if raw.strip() else {}
        except (ValueError, RecursionError) as exc:
            raise invalid("The arguments are not valid JSON. Send one JSON object.") from exc
    if not isinstance(raw, Mapping):
        raise invalid("The arguments must be one JSON object.")
    return raw


def _typed(one: Parameter, value: object) -> object:
    if one.kind == "integer":
        return _integer(one.name, value)
    if one.kind == "string":
        return _string(one.name, value, one.choices)
    if not isinstance(value, list | tuple):
        raise invalid(f"{one.name} must be a list of strings.")
    return [_string(one.name, item, ()) for item in value]


def _integer(name: str, value: object) -> int:
    if (isinstance(value, str) and _NUMERAL.fullmatch(value)) or (isinstance(value, float) and value.is_integer()):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise invalid(f"{name} must be an integer.")
    if value < 0:
        raise invalid(f"{name} must be 0 or more.")
    return value


def _string(name: str, value: object, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str):
        raise invalid(f"{name} must be text.")
    if choices and value not in choices:
        raise invalid(f"{name} must be one of: {', '.join(choices)}.")
    if not is_text(value):
        raise invalid(f"{name} holds half of a character, which cannot be sent. Write it anew.")
    return value


def checked_queries(queries: list[str], most: int) -> tuple[str, ...]:
    """The queries to ask: none empty, at most `most` counted as given, exact repeats folded (dsh-74).

    Raises:
        WebError: `INVALID_ARGS`.
    """
    if not queries:
        raise invalid("No query was given. Say what to search for.")
    if len(queries) > most:
        noun = "query is" if most == 1 else "queries are"
        raise invalid(f"{len(queries)} queries were given; at most {most} {noun} taken in one call.")
    if any(not query.strip() for query in queries):
        raise invalid("A query is blank. Say what to search for.")
    return tuple(dict.fromkeys(queries))


def checked_url(url: str) -> str:
    """The URL, untouched.

    Raises:
        WebError: `INVALID_ARGS` when it is blank.
    """
    if not url.strip():
        raise invalid("The URL is blank. Give the absolute http or https URL of the page.")
    return url


def checked_phrases(find: str | None) -> tuple[str, ...]:
    """The phrases to look for, one a line, repeats folded; none when nothing is to be found.

    Raises:
        WebError: `INVALID_ARGS` when there are too many, or they are too long or blank.
    """
    if find is None:
        return ()
    if len(find) > FIND_CHARS:
        raise invalid(f"find has {len(find):,} characters; at most {FIND_CHARS:,} are taken. Use fewer words.")
    phrases = phrases_of(find)
    if not phrases:
        raise invalid("find is blank. Give words to look for, or leave it out to read the page.")
    if len(phrases) > FIND_PHRASES:
        raise invalid(f"find has {len(phrases)} phrases; at most {FIND_PHRASES} are taken in one call.")
    return phrases


def search_controls(values: Mapping[str, Any]) -> SearchControls:
    """The controls among checked arguments, their values checked too.

    Raises:
        WebError: `INVALID_ARGS` for a host, day, country or language that cannot be one.
    """
    return SearchControls(
        include_domains=_domains("include_domains", values),
        exclude_domains=_domains("exclude_domains", values),
        published_after=_day("published_after", values),
        published_before=_day("published_before", values),
        country=_shaped("country", values, is_country, "two letters, such as DE"),
        language=_shaped("language", values, is_language, "a language tag, such as pt-BR"),
        safe_search=cast("SafeSearch | None", values.get("safe_search")),
    )


def _domains(name: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    domains = tuple(dict.fromkeys(values.get(name, ())))
    for one in domains:
        if ascii_host(one) is None:
            shown = clean_line(one, limit=_NAME_CHARS)
            raise invalid(f"{name} holds {shown!r}, which is no domain. Write it like example.org.")
    return domains


def _day(name: str, values: Mapping[str, Any]) -> str | None:
    text = values.get(name)
    if text is None:
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as exc:
        raise invalid(f"{name} must be a day written YYYY-MM-DD.") from exc


def _shaped(name: str, values: Mapping[str, Any], fits: Callable[[str], bool], expected: str) -> str | None:
    text = values.get(name)
    if text is not None and not fits(text):
        raise invalid(f"{name} must be {expected}.")
    return cast("str | None", text)
