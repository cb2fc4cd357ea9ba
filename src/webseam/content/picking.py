"""Rows of a page by CSS selectors, for result pages that come as HTML. Pure; one parse, linear in the page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from webseam.core.limits import PICKED_CHARS, PICKED_ROWS


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """Where a value of a row stands: the first element of `selector`, its `attribute`, or its text."""

    selector: str
    attribute: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """What a page held: a mapping for each row, with the values found, and which of the marks stand in it."""

    rows: tuple[Mapping[str, str], ...] = ()
    marks: frozenset[str] = field(default_factory=frozenset)


def pick(html: str, *, rows: str, fields: Mapping[str, Pick], marks: Iterable[str] = ()) -> Picked:
    """The rows of a page, in order, and the marks that it bears.

    Marks are elements, never words: a page that repeats somebody's query cannot be made to bear one (R212). Read are
    the first 1,000,000 characters and 100 rows.

    Args:
        html: the page as decoded.
        rows: selector of the rows.
        fields: where each value stands, inside a row. One that is missing or blank is left out.
        marks: selectors to look for anywhere in the page.
    """
    from turbohtml import parse  # noqa: PLC0415 - 90 ms to import, on the first page

    doc = parse(html[:PICKED_CHARS], positions=False)
    return Picked(
        rows=tuple(_values(row, fields) for row in doc.select(rows)[:PICKED_ROWS]),
        marks=frozenset(mark for mark in marks if doc.select_one(mark) is not None),
    )


def _values(row: Any, fields: Mapping[str, Pick]) -> dict[str, str]:
    found = {name: _value(row, one) for name, one in fields.items()}
    return {name: value for name, value in found.items() if value}


def _value(row: Any, one: Pick) -> str:
    element = row.select_one(one.selector)
    if element is None:
        return ""
    value = element.attr(one.attribute) if one.attribute else element.text
    return " ".join(value.split()) if isinstance(value, str) else ""
