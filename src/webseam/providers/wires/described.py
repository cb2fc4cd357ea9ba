"""Requests and answers that configuration describes: placeholders filled in, values found by dotted paths. Pure."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from webseam.core.dates import parse_day
from webseam.providers.wires.hits import excerpts
from webseam.providers.wires.rows import number, text

NAMES: Final = (
    "query",
    "max_results",
    "country",
    "language",
    "published_after",
    "published_before",
    "safe_search",
    "include_domains",
    "exclude_domains",
)
"""What a placeholder may name: `{query}` and so on."""

_PLACEHOLDER: Final = re.compile(rf"\{{({'|'.join(NAMES)})\}}")
_NAMED: Final = re.compile(r"\{(\w+)\}")
PATH: Final = re.compile(r"[^.\s]+(?:\.[^.\s]+)*")
"""A dotted path; a number in it is an index into a list."""

WHOLE: Final = "."
"""The path of the value itself, for an answer that is a list."""


def placeholders(value: Any) -> Iterator[str]:
    """The names of all placeholders inside a value of configuration."""
    if isinstance(value, str):
        yield from _PLACEHOLDER.findall(value)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from placeholders(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from placeholders(inner)


def faults(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """What cannot be meant in a value of configuration that becomes JSON or text, each with its place."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if _PLACEHOLDER.search(name):
                yield f"{place}.{name}", "a placeholder is filled in as a value, not as a name."
            yield from faults(inner, f"{place}.{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from faults(inner, f"{place}.{index}")
    elif isinstance(value, str):
        named = _NAMED.fullmatch(value)
        if named is not None and named[1] not in NAMES:
            yield place, f"{value} is no placeholder; there are {', '.join(NAMES)}."
        if {"query"} < set(_PLACEHOLDER.findall(value)):
            yield place, "where another placeholder has nothing to say, the query would be left out with it."
    elif not isinstance(value, int | float) or (isinstance(value, float) and not math.isfinite(value)):
        yield place, "JSON has no such value; write a date as text."


def filled(value: Any, given: Mapping[str, Any]) -> Any:
    """`value` with its placeholders filled in one pass; None where one of them has nothing to say.

    A string that is one placeholder becomes the value itself, a number or a list included; inside other text a list is
    joined with commas. What is filled in is not looked at again.
    """
    if isinstance(value, str):
        whole = _PLACEHOLDER.fullmatch(value)
        if whole is not None:
            return given[whole[1]]
        if any(given[name] is None for name in _PLACEHOLDER.findall(value)):
            return None
        return _PLACEHOLDER.sub(lambda found: _joined(given[found[1]]), value)
    if isinstance(value, Mapping):
        pairs = {name: filled(inner, given) for name, inner in value.items()}
        return {name: inner for name, inner in pairs.items() if inner is not None}
    if isinstance(value, list):
        return [one for inner in value if (one := filled(inner, given)) is not None]
    return value


def written(value: Any, given: Mapping[str, Any]) -> str | None:
    """`filled` for a parameter or a header, which hold text alone."""
    found = filled(value, given)
    return None if found is None else _joined(found)


def _joined(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def at(value: Any, path: str) -> Any:
    """What stands at a dotted path; None where nothing does."""
    if path == WHOLE:
        return value
    for name in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, list) and name.isascii() and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def said_at(value: Any, path: str) -> str | None:
    """The text at `path`; texts of a list are excerpts of one page, anything else says nothing."""
    found = at(value, path)
    return excerpts(text(part) for part in found) if isinstance(found, list) else text(found)


def day_at(value: Any, path: str) -> str | None:
    """The date at `path`: text as it came, or a number that is one, such as an epoch time, in its own digits."""
    found = at(value, path)
    moment = number(found)
    if moment is None:
        return text(found)
    digits = str(int(moment))
    return digits if parse_day(digits) else None
