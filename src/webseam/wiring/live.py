"""When each provider was last seen to answer a real call: `live.json` in the data folder, written by the doctor.

A file that cannot be read says nothing about any provider, and is told; it is set aside before a new one is written.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.core.types import Capability
from webseam.core.version import VERSION
from webseam.wiring.sources import decoded, read_bounded

LIVE_FILE: Final = "live.json"
NEVER: Final = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A provider that answered: a search proves nothing about its extraction, nor the other way round."""

    capability: Capability
    provider: str
    kind: str

    @property
    def name(self) -> str:
        """Its entry in the record."""
        return self.provider if self.capability == "search" else f"{self.capability}:{self.provider}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sightings:
    """What the record says; `fault` is a sentence about a record that cannot be read."""

    entries: Mapping[str, Any] = field(default_factory=dict)
    fault: str | None = None

    def day(self, provider: str, kind: str, capability: Capability = "search") -> str:
        """The UTC day (`2026-11-30`) on which it was last seen to do this, or `never`; as another kind is never."""
        entry = self.entries.get(Sighting(capability=capability, provider=provider, kind=kind).name)
        if not isinstance(entry, dict) or entry.get("capability", "search") != capability:
            return NEVER
        day = entry.get("day") if entry.get("kind", kind) == kind else None
        return day if isinstance(day, str) and _is_day(day) else NEVER


def read_sightings(data: Path) -> Sightings:
    """The record in the data folder; no file is an empty record. Never raises for what the file holds."""
    file = data / LIVE_FILE
    if not os.path.lexists(file):
        return Sightings()
    try:
        entries = json.loads(decoded(file, read_bounded(file)))
    except (WebError, ValueError, RecursionError) as exc:
        reason = exc.message if isinstance(exc, WebError) else f"{file}: is not JSON."
        return Sightings(fault=f"{reason} It counts as empty.")
    if not isinstance(entries, dict):
        return Sightings(fault=f"{file}: is not a table of providers. It counts as empty.")
    return Sightings(entries=entries)


def record_sightings(data: Path, seen: Iterable[Sighting]) -> str:
    """Note that these providers answered today, and return the UTC day. Other entries stay as they are.

    Raises:
        OSError: the record cannot be written; then it is as it was.
    """
    day = datetime.now(UTC).date().isoformat()
    file = data / LIVE_FILE
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    known = read_sightings(data)
    fresh = {one.name: _entry(one, day) for one in seen}
    draft = _draft(file, json.dumps({**known.entries, **fresh}, indent=1, sort_keys=True) + "\n")
    try:
        if known.fault is not None:
            file.replace(_unused(file))
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    return day


def _entry(one: Sighting, day: str) -> dict[str, str]:
    told = {} if one.capability == "search" else {"capability": one.capability}
    return {"kind": one.kind, "day": day, "version": VERSION, **told}


def _unused(file: Path) -> Path:
    """A name beside the file that nothing has: what cannot be read may still matter to somebody."""
    names: Iterable[Path] = (file.with_name(f"{file.name}.broken-{number}") for number in count(1))
    return next(name for name in names if not os.path.lexists(name))


def _draft(file: Path, text: str) -> Path:
    """The text in a file beside the target, for a rename: no reader sees half a record."""
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as draft:
            draft.write(text)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
