"""Which providers a call would take now and why, and how each has done of late."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from webseam.core.describe import Description, ProviderState
from webseam.core.errors import WebError
from webseam.core.ledger import Entry
from webseam.core.selection import FanOut, Route
from webseam.core.text import one_line, redacted
from webseam.surfaces.gateway.activity import seen_by
from webseam.surfaces.gateway.desk import Desk
from webseam.surfaces.gateway.discretion import for_tenant, reworded
from webseam.surfaces.gateway.house import House
from webseam.surfaces.gateway.quantiles import percentile
from webseam.wiring.catalogue import Plan

_KEPT: Final = ("fresh", "stale", "kept")
"""States of a cache in which nobody was asked."""
_MICRO: Final = 1_000_000


def providers_report(house: House, desk: Desk) -> dict[str, Any]:
    """The providers of each capability, as this token may use them; an admin sees those of the others too.

    Others are not told what they may not use: its name could be a secret of whoever runs the gateway.
    """
    admin = desk.holder.policy.admin
    health = _health_of(house.board.recent(seen_by(desk.holder)))
    every = house.web.describe() if admin else desk.web.describe()
    pairs = zip(desk.web.describe(), every, strict=True)
    return {"capabilities": [_Section(own, all_, house.plan, desk, health).plain() for own, all_ in pairs]}


# What would be taken -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Section:
    """One capability: the selection of this token, all providers it may see, and their health."""

    own: Description
    every: Description
    plan: Plan
    desk: Desk
    health: "dict[tuple[str | None, str], _Health]"

    def plain(self) -> dict[str, Any]:
        """For the answer."""
        told = {
            "capability": self.own.capability,
            "mode": "default" if self._notice is not None else _mode(self.own),
            "selected": list(self.own.selected),
            "why": [one_line(redacted(one if self._admin else reworded(one, asking=False))) for one in self._why()],
            "providers": [self._row(one) for one in self.every.providers] + list(self._off()),
        }
        error = self.own.error
        return told if error is None else {**told, "error": _error(error if self._admin else for_tenant(error))}

    @property
    def _admin(self) -> bool:
        return self.desk.holder.policy.admin

    def _row(self, state: ProviderState) -> dict[str, Any]:
        kinds = (one.kind for one in self.plan.planned if (one.capability, one.id) == (self.own.capability, state.id))
        health = self.health.get((self.own.capability, state.id)) or _Health()
        row: dict[str, Any] = {
            "id": state.id,
            "kind": next(kinds, state.id),
            "selected": state.id in self.own.selected,
            "available": state.available,
            "allowed": any(one.id == state.id for one in self.own.providers),
            "health": health.plain(),
        }
        return row if state.available else {**row, "reason": one_line(redacted(self._reason(state)))}

    def _reason(self, state: ProviderState) -> str:
        """Why it is not available; files and variables of whoever runs the gateway are an admin's to read."""
        told = state.reason if self._admin else "whoever runs this gateway is told why"
        return told or "its own check says so"

    def _off(self) -> Iterator[dict[str, Any]]:
        """What is installed and not used, for whoever can change that."""
        skipped = self.plan.skipped if self._admin else ()
        for one in skipped:
            if one.capability == self.own.capability:
                row = {"id": one.id, "kind": one.id, "selected": False, "available": False, "allowed": True}
                yield {**row, "reason": one_line(redacted(one.reason)), "health": _Health().plain()}

    @property
    def _notice(self) -> str | None:
        """What is said of the product's own choice, where it is taken."""
        if self.desk.holder.policy.providers:
            return None
        return {"search": self.plan.notice, "extract": self.plan.extract_notice}.get(self.own.capability)

    # Why -----------------------------------------------------------------------------------------

    def _why(self) -> Iterator[str]:
        tape, only = self.desk.web.tape, self.desk.holder.policy.providers
        if tape is not None and tape.replays:
            yield "A recording answers here: nobody is asked."
            return
        yield self._notice or self._chosen()
        if only:
            yield f"This tenant may use {_listed(only)} only."
        named = self.own.choice.ids if isinstance(self.own.choice, Route | FanOut) else ()
        for one in named:
            if one not in self.own.selected:
                yield f"{one} is passed over: {self._lack(one)}."

    def _chosen(self) -> str:
        match self.own.choice:
            case Route(ids):
                told = f"{self.own.capability}.route tries {_listed(ids, 'then')}: the first that answers is taken."
            case FanOut(ids):
                told = f"search.fanout asks {_listed(ids)} at once and merges their hits."
            case None:
                told = self._undecided()
            case name:
                told = f"{self.own.capability}.provider names {name}."
        return told

    def _undecided(self) -> str:
        if self.own.selected:
            return f"None is named, and {self.own.selected[0]} is the only one that is available."
        return "None is named, and there is not exactly one that is available."

    def _lack(self, name: str) -> str:
        state = next((one for one in self.own.providers if one.id == name), None)
        return "it is not registered" if state is None else self._reason(state).rstrip(".")


def _mode(one: Description) -> str:
    """How the policy picks."""
    match one.choice:
        case Route():
            return "route"
        case FanOut():
            return "fanout"
        case None:
            return "auto"
        case _:
            return "single"


def _error(error: WebError) -> dict[str, Any]:
    return {"code": str(error.code), "message": one_line(redacted(error.message))}


def _listed(names: Sequence[str], word: str = "and") -> str:
    if len(names) < 2:  # noqa: PLR2004 - one, or none
        return "".join(names)
    return f"{', '.join(names[:-1])}{',' if word == 'then' else ''} {word} {names[-1]}"


# How each did ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Health:
    """The tries at one provider."""

    failed: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    times: list[int] = field(default_factory=list)
    last: float = 0.0

    def plain(self) -> dict[str, Any]:
        """For the answer."""
        ordered = sorted(self.times)
        told: dict[str, Any] = {"calls": len(ordered), "failed": self.failed, "codes": dict(self.codes.most_common())}
        if ordered:
            told |= {"p50_ms": percentile(ordered, 0.5), "p95_ms": percentile(ordered, 0.95), "last_at": self.last}
        return told


def _health_of(entries: Iterable[Entry]) -> dict[tuple[str | None, str], _Health]:
    """By capability and provider. What a cache answered says nothing of a provider, nor does one passed over."""
    found: dict[tuple[str | None, str], _Health] = {}
    for entry in entries:
        for one in () if entry.cache in _KEPT else entry.attempts:
            if one.outcome == "skipped":
                continue
            health = found.setdefault((entry.capability, one.provider), _Health())
            health.times.append(int(one.elapsed * _MICRO))
            health.last = max(health.last, entry.at)
            if one.outcome == "failed":
                health.failed += 1
                health.codes[one.code or "unknown"] += 1
    return found
