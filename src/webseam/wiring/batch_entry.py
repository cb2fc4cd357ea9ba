"""Inputs of a batch: a line each, plain or a JSON object with an `id` of its maker's; and shards of them."""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, NoReturn

from webseam.core.url import host_of

_OBJECT: Final = "{"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One input: a URL or a query. Two are the same when text and id are.

    `id` is the JSON text of the string or number that its maker tells it by; it stands in the line of results. `fault`
    says why the line holds no input: it gives a line of results like any other.
    """

    text: str
    id: str | None = None
    fault: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one input came to: its line of results, the code of its error, the status of its page.

    `pause` is for how many seconds its host asks to be left alone.
    """

    text: str
    error: str | None = None
    status: int | None = None
    pause: float | None = None


def host_of_entry(entry: Entry) -> str | None:
    """Whose input it is."""
    return host_of(entry.text)


def nobodys(_entry: Entry) -> None:
    """Queries are no host's."""


def plain_entries(lines: Iterable[str]) -> list[Entry]:
    """A line each, as it stands."""
    return [Entry(text=line) for line in lines]


def entries_of(lines: Iterable[str], name: str) -> list[Entry]:
    """A line each: the input itself, or a JSON object that holds it as `name` beside an optional `id`."""
    return [_object(line, name) if line.startswith(_OBJECT) else Entry(text=line) for line in lines]


def _object(line: str, name: str) -> Entry:
    try:
        record = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return Entry(text=line, fault=f'This line is no JSON. What begins with {{ is an object with "{name}".')
    text, own = record.get(name), record.get("id")
    if not _is_id(own):
        return Entry(text=line, fault="The id of this line is neither a string nor a number.")
    if not isinstance(text, str) or not text.strip() or not _is_unicode(text):
        return Entry(text=line, id=id_text(own), fault=f'This line has no "{name}", or it is no text.')
    return Entry(text=text.strip(), id=id_text(own))


def _no_number(name: str) -> NoReturn:
    """`NaN` and infinity are no JSON (RFC 8259, section 6), and would come back as a line that is none."""
    raise ValueError(name)


def _is_id(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)  # 1e999 is infinite once it is read
    return value is None or (isinstance(value, str | int) and not isinstance(value, bool))


def _is_unicode(text: str) -> bool:
    """Half of a surrogate pair can be escaped in JSON, and goes nowhere as UTF-8 (RFC 8259, section 8.2)."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def id_text(value: Any) -> str | None:
    """The id as it is told apart from others; None for none."""
    return None if value is None else json.dumps(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """One part of `count` that a list falls into, the same on every machine whatever order the list is in.

    `index` counts from 1. With `by_host` all inputs of a host fall into one part, so that what one process keeps to
    for a host holds for all of them.
    """

    index: int = 1
    count: int = 1
    by_host: bool = False

    def part(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """What falls into this part."""
        return (one for one in entries if self._holds(one))

    def _holds(self, entry: Entry) -> bool:
        if self.count == 1:
            return True
        key = (host_of(entry.text) if self.by_host else None) or entry.text
        digest = blake2b(key.encode(), digest_size=8).digest()
        return int.from_bytes(digest) % self.count == self.index - 1


WHOLE: Final = Shard()
