"""Lenient reading of vendors' values: what has the wrong type is absent, a row without a URL is dropped and counted."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any, Final, TypeAlias

from webseam.core.types import Source

Row: TypeAlias = Mapping[str, Any]

_NUMERAL: Final = re.compile(r"0|[1-9]\d{0,17}", re.ASCII)  # as JSON writes it, in 64 bits


def text(value: object) -> str | None:
    """A string that says something, without the space around it; anything else is absent."""
    return (value.strip() or None) if isinstance(value, str) else None


def number(value: object) -> float | None:
    """A finite number that is not negative; anything else is absent."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        exact = float(value)
    except OverflowError:
        return None
    return exact if isfinite(exact) and exact >= 0 else None


def count(value: object) -> int | None:
    """A whole number from 0; anything else is absent."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def status_told(code: object) -> int | None:
    """The HTTP status of an error that a body names, as a number or as text; None for what is none."""
    status = numeral(code)
    return status if status is not None and 400 <= status < 600 else None  # noqa: PLR2004 - RFC 9110 section 15


def numeral(value: object) -> int | None:
    """A whole number from 0, also one that came as text or with an empty fraction; anything else is absent."""
    if isinstance(value, str):
        return int(value) if _NUMERAL.fullmatch(value) else None
    exact = number(value)
    return int(exact) if exact is not None and exact.is_integer() else None


def mapping(value: object) -> Row:
    """A JSON object, or an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """A JSON list, or an empty one in place of anything else."""
    return value if isinstance(value, list) else []


def sources(rows: Iterable[object], parse: Callable[[Row], Source | None], dropped: Counter[str]) -> tuple[Source, ...]:
    """Each row by itself; one that is no object or has no URL is counted as `malformed` and fails nothing."""
    kept: list[Source] = []
    for row in rows:
        source = parse(row) if isinstance(row, dict) else None
        if source is None:
            dropped["malformed"] += 1
        else:
            kept.append(source)
    return tuple(kept)


def source(row: Row, *, snippet: str | None = None, published_at: object = None) -> Source | None:
    """A source from a row with the usual `url` and `title`; None without a URL."""
    url = text(row.get("url"))
    if url is None:
        return None
    return Source(url=url, title=text(row.get("title")), snippet=snippet, published_at=text(published_at))
