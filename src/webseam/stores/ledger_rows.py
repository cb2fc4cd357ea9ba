"""Entries of the record of calls as JSON and as rows; what another process wrote is read with care."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from webseam.core.ledger import Entry
from webseam.core.types import Attempt

if TYPE_CHECKING:
    import sqlite3

NAMES: Final = tuple(one.name for one in fields(Entry))
"""Of an entry's facts, in the order of columns."""

_TRIED: Final = tuple(one.name for one in fields(Attempt))
_FACTS: Final = attrgetter(*NAMES)
_COSTS: Final = NAMES.index("costs")
_ATTEMPTS: Final = NAMES.index("attempts")
_json: Final = json.JSONEncoder(separators=(",", ":")).encode
"""Made once: `json.dumps` would make one for each entry."""

_PLACES: Final = f"({', '.join('?' for _ in NAMES)})"
_ROWS: Final = 999 // len(NAMES)
"""Entries of one statement: every SQLite takes 999 values for it (SQLITE_MAX_VARIABLE_NUMBER until 3.32)."""

_FLAGS: Final = ("dispatched", "cost_known")
_NEEDED: Final = ("id", "outcome")
_COUNTS: Final = ("bytes", "calls", "input_tokens", "output_tokens")
_WORDS: Final = ("capability", "tool", "tenant", "run", "provider", "code", "cache", "permission", "rule", "target")
_MOST: Final = 2**63
_END_OF_TIME: Final = 253_402_300_800  # year 10,000, which no date can be in


def plain(entry: Entry) -> dict[str, Any]:
    """The entry as plain data, all facts of it."""
    told = {name: getattr(entry, name) for name in NAMES}
    return told | {"costs": dict(entry.costs), "attempts": [one.to_dict() for one in entry.attempts]}


def to_json(entry: Entry) -> str:
    """The entry as one line of ASCII: a name may hold any character."""
    return _json(plain(entry))


def from_json(text: str | bytes) -> Entry | None:
    """The entry of a line; None for what none is."""
    try:
        return entry_of(json.loads(text))
    except (ValueError, RecursionError):
        return None


def row(entry: Entry) -> tuple[Any, ...]:
    """The entry's facts as SQLite keeps them."""
    facts = [*_FACTS(entry)]
    facts[_COSTS] = _json(dict(entry.costs)) if entry.costs else "{}"
    facts[_ATTEMPTS] = _json([one.to_dict() for one in entry.attempts])
    if "".join([one for one in facts if isinstance(one, str)]).isascii():
        return tuple(facts)
    return tuple(_storable(one) for one in facts)


def insert(connection: "sqlite3.Connection", begin: str, entries: Sequence[Entry]) -> None:
    """Write entries, many in a statement, which is `begin` and its values.

    At each statement Python changes threads, and the event loop of a busy gateway waits: row by row an entry costs such
    a gateway 90 us of processor time, in this way 25.
    """
    for first in range(0, len(entries), _ROWS):
        rows = [row(one) for one in entries[first : first + _ROWS]]
        connection.execute(begin + ", ".join([_PLACES] * len(rows)), [fact for one in rows for fact in one])


def of_row(values: tuple[Any, ...]) -> Entry | None:
    """The entry of a row; None for one that none is."""
    told = dict(zip(NAMES, values, strict=True))
    try:
        told |= {name: json.loads(told[name]) for name in ("costs", "attempts")}
        return entry_of(told | {name: bool(told[name]) for name in _FLAGS})
    except (TypeError, ValueError, RecursionError):
        return None


def entry_of(told: Any) -> Entry:
    """The entry of plain data; names that this version does not know are left out.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(told, Mapping):
        raise ValueError("no entry")  # noqa: TRY004 - it is the data that is wrong, not the caller
    known = {name: told[name] for name in NAMES if name in told}
    costs, attempts = known.pop("costs", {}), known.pop("attempts", [])
    try:
        tries = tuple(Attempt(**{name: one[name] for name in _TRIED if name in one}) for one in attempts)
        entry = Entry(**known, costs=costs, attempts=tries)
    except TypeError as exc:
        raise ValueError("no entry") from exc
    if not _is_whole(entry):
        raise ValueError("no entry")
    return entry


def _is_whole(entry: Any) -> bool:
    """Whether every fact is of its kind."""
    return (
        isinstance(entry.at, int | float)
        and 0 <= entry.at < _END_OF_TIME
        and _is_count(entry.elapsed)
        and _is_count(entry.parts)
        and all(isinstance(getattr(entry, name), str) for name in _NEEDED)
        and all(isinstance(getattr(entry, name), str | None) for name in _WORDS)
        and all(isinstance(getattr(entry, name), bool) for name in _FLAGS)
        and all(getattr(entry, name) is None or _is_count(getattr(entry, name)) for name in _COUNTS)
        and isinstance(entry.costs, dict)
        and all(_is_count(cost) for cost in entry.costs.values())
        and all(isinstance(one.elapsed, int | float) for one in entry.attempts)
    )


def _is_count(number: object) -> bool:
    return type(number) is int and 0 <= number < _MOST


def _storable(value: Any) -> Any:
    """SQLite's text is UTF-8, which has no halves of surrogate pairs."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value
