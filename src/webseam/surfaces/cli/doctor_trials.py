"""Whom the live part of the doctor tries and by what: a vendor that searches by a search, any other by an extraction.

Each provider is tried once: where an id does both, its search shows that the key and the account are good.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.core.tape import Tape
from webseam.core.text import one_line
from webseam.core.types import Capability
from webseam.surfaces.cli.command import usage
from webseam.surfaces.cli.session import Session
from webseam.wiring.build import Built
from webseam.wiring.catalogue import EXTRACT_DEFAULT, Planned
from webseam.wiring.live import Sighting

_DRAWN: Final = "doctor's trials"
"""Under this name a recording says whom a run tried; a replay builds no provider that it could be seen from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A provider to try. `kind` None: nothing here has this id, and its own call tells so."""

    capability: Capability
    provider: str
    kind: str | None = None
    keyed: bool = False

    @property
    def sighting(self) -> Sighting:
        """What is noted of it when it answers."""
        return Sighting(capability=self.capability, provider=self.provider, kind=self.kind or self.provider)


def targets_of(session: Session, named: Sequence[str]) -> tuple[Target, ...]:
    """Those that are named, in that order, or everybody who is available: searches first, each by id.

    Raises:
        WebError: `WEB_PROVIDER_UNAVAILABLE` when there is none to try, `INVALID_ARGS` for what is no id,
            `WEB_CONFIG_INVALID`, `WEB_REPLAY_MISS` for a recording without these trials.
    """
    ids = tuple(dict.fromkeys(name.strip() for name in named))
    if not all(ids):
        raise usage("A provider's id is blank. Leave it out, or name one: webseam doctor --live ID.")
    if not all(map(str.isprintable, ids)):
        raise usage("A provider's id is one word, without control characters. `webseam providers` lists them.")
    built = session.build(("search", "extract"), {"search": {"fanout": ids}} if ids else {})
    tape = built.web.tape
    found = _replayed(tape, ids) if tape is not None and tape.replays else _found(session, built, ids)
    if not found:
        raise WebError(
            Code.PROVIDER_UNAVAILABLE,
            "No vendor is available to try. Set a vendor's key, or name a provider: webseam doctor --live ID.",
        )
    if tape is not None and not tape.replays:
        tape.draw(_name(ids), lambda: "\n".join(f"{one.capability} {one.provider}" for one in found))
    return found


def _name(ids: Iterable[str]) -> str:
    return " ".join((_DRAWN, *ids))


def _replayed(tape: Tape, ids: Sequence[str]) -> tuple[Target, ...]:
    def missing() -> str:
        raise WebError(
            Code.REPLAY_MISS,
            "The recording holds no run of `webseam doctor --live` with these providers. Name them as it was recorded, "
            "or record anew with --record.",
        )

    return tuple(_read(line) for line in tape.draw(_name(ids), missing).split("\n"))


def _read(line: str) -> Target:
    match line.partition(" "):
        case ("search" | "extract") as capability, " ", provider if provider.strip():
            return Target(capability=capability, provider=provider)
        case _:
            raise WebError(
                Code.CONFIG_INVALID,
                f"The recording tells of a trial that there is none of: {one_line(line, limit=40)!r}. Record anew with "
                "--record.",
            )


def _found(session: Session, built: Built, ids: Sequence[str]) -> tuple[Target, ...]:
    return _each_named(session, built, ids) if ids else _usable(built)


def _usable(built: Built) -> tuple[Target, ...]:
    """Every provider that is available. `local` extracts by this machine's own fetch: no vendor has a part in it."""
    planned = {(one.capability, one.id): one for one in built.plan.planned}
    usable = [(one.capability, state.id) for one in built.web.describe() for state in one.providers if state.available]
    searches = [name for name in usable if name[0] == "search"]
    extracts = [name for name in usable if name[0] == "extract" and ("search", name[1]) not in searches]
    found = [planned[name] for name in (*searches, *extracts)]
    return tuple(_target(one) for one in found if (one.capability, one.kind) != ("extract", EXTRACT_DEFAULT))


def _each_named(session: Session, built: Built, ids: Sequence[str]) -> tuple[Target, ...]:
    """What is behind each id; one that stands for nothing is searched with, and its call tells why it cannot be."""
    found = _planned(built, "search", ids)
    rest = [one for one in ids if one not in found]
    if rest:
        found |= _planned(session.build(("extract",), {"extract": {"route": rest}}), "extract", rest)
    return tuple(found.get(one) or Target(capability="search", provider=one) for one in ids)


def _planned(built: Built, capability: Capability, ids: Sequence[str]) -> dict[str, Target]:
    mine = (one for one in built.plan.planned if one.capability == capability and one.id in ids)
    return {one.id: _target(one) for one in mine}


def _target(one: Planned) -> Target:
    return Target(capability=one.capability, provider=one.id, kind=one.kind, keyed=one.secret.configured())
