"""Requests and results as flat fields, and what tells two of them apart."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs, urlsplit

from support.vendor import values_of
from webseam.testing import VendorCall

Fields: TypeAlias = dict[str, Any]
"""Dotted path -> value: `body.contents.highlights`, `header.accept`, `sources.0.title`."""

TRANSPORT: Final = ("host", "connection", "content-length", "accept-encoding", "user-agent", "x-stainless-*")
"""Headers that belong to the HTTP library or to the SDK's generator, and say nothing about the question."""


class Mark(Enum):
    """Values that no JSON holds."""

    ABSENT = "absent"
    ANY = "any value"


ABSENT: Final = Mark.ABSENT
ANY: Final = Mark.ANY


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference that is known and right, with its reason.

    `field` may hold `*`. Both values are pinned, so that a drift on either side fails; `ANY` only for
    what changes with each release, or for rows of a fixture that we leave out on purpose.
    """

    field: str
    why: str
    ours: Any = ABSENT
    theirs: Any = ABSENT

    def covers(self, name: str, ours: Any, theirs: Any) -> bool:
        return fnmatchcase(name, self.field) and _fits(self.ours, ours) and _fits(self.theirs, theirs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The outcome of one comparison: how many fields, the differences found, and the lines that fail a test."""

    fields: int
    found: tuple[Difference, ...]
    faults: tuple[str, ...]


def compare(ours: Fields, theirs: Fields, explained: tuple[Difference, ...]) -> Verdict:
    """Every field of both sides. A difference without an explanation is a fault; so is the reverse."""
    names = sorted(ours.keys() | theirs.keys())
    pairs = {name: (ours.get(name, ABSENT), theirs.get(name, ABSENT)) for name in names}
    unequal = {name: pair for name, pair in pairs.items() if not _same(*pair)}
    found: list[Difference] = []
    faults: list[str] = []
    for name, pair in unequal.items():
        cause = next((one for one in explained if one.covers(name, *pair)), None)
        if cause is None:
            faults.append(f"{name}: ours {shown(pair[0])}, the SDK's {shown(pair[1])}")
        else:
            found.append(Difference(field=name, why=cause.why, ours=pair[0], theirs=pair[1]))
    stale = (one for one in explained if not any(one.covers(name, *pair) for name, pair in unequal.items()))
    faults.extend(f"{one.field}: explained as a difference ({one.why}), and there is none" for one in stale)
    return Verdict(fields=len(names), found=tuple(found), faults=tuple(faults))


def sent(request: VendorCall) -> Fields:
    """A request as fields, without what belongs to the transport."""
    parts = urlsplit(request.target)
    fields: Fields = {"method": request.method, "path": parts.path}
    for name, values in parse_qs(parts.query, keep_blank_values=True).items():
        fields[f"query.{name}"] = values[0] if len(values) == 1 else values
    for name in dict(request.headers):
        if not any(fnmatchcase(name, noise) for noise in TRANSPORT):
            fields[f"header.{name}"] = ", ".join(values_of(request, name))
    return fields | (dict(_flat(json.loads(request.body), "body")) if request.body else {})


def read(result: Mapping[str, Any]) -> Fields:
    """A result as fields."""
    parts = {name: result.get(name) for name in ("content", "sources", "usage")}
    return known(dict(_flat(parts, "")))


def known(fields: Mapping[str, Any]) -> Fields:
    """What is None or empty is absent, as everywhere in the vocabulary."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _flat(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Leaves with their paths; a list of scalars is one leaf, so that its order and length count."""
    inner: Iterator[tuple[Any, Any]]
    if isinstance(value, Mapping) and value:
        inner = iter(value.items())
    elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
        inner = iter(enumerate(value))
    else:
        yield path, value
        return
    for name, child in inner:
        yield from _flat(child, f"{path}.{name}" if path else str(name))


def _fits(pinned: Any, value: Any) -> bool:
    return value is not ABSENT if pinned is ANY else _same(pinned, value)


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON, where true is no 1."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def shown(value: Any) -> str:
    """A value as a person reads it."""
    return value.value if isinstance(value, Mark) else repr(value)
