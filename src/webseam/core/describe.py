"""What would be selected right now and why each other provider would not: for people, derived on call."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from webseam.core.attempts import skipped
from webseam.core.errors import WebError
from webseam.core.providers import is_available
from webseam.core.registry import P, Registry
from webseam.core.routes import exhausted
from webseam.core.selection import FanOut, Route, select, unusable
from webseam.core.types import Attempt, Capability


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderState:
    """One registered provider, for people: `reason` says why it is not available."""

    id: str
    available: bool
    reason: str | None = None
    native_controls: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """The present selection of one capability: `selected` ids, or the error that a call would get now."""

    capability: Capability
    choice: str | Route | FanOut | None
    selected: tuple[str, ...]
    error: WebError | None
    providers: tuple[ProviderState, ...]


def describe(registry: Registry[P], choice: str | Route | FanOut | None, possible: Iterable[str] = ()) -> Description:
    """Apply the selection rule to the registry as it is now; `possible` ids could be registered."""
    states = []
    for key, provider in sorted(registry.items()):
        usable, reason = is_available(provider)
        native: frozenset[str] = getattr(provider, "native_controls", frozenset())
        states.append(ProviderState(id=key, available=usable, reason=reason, native_controls=native))
    known = {state.id: state.available for state in states}
    selected: tuple[str, ...] = ()
    error: WebError | None = None
    try:
        if isinstance(choice, Route | FanOut):
            selected = tuple(member for member in choice.ids if known.get(member))
            if not selected:
                error = exhausted(registry.capability, _skips(registry.capability, choice.ids, known))
        else:
            reasons = {state.id: state.reason for state in states}
            selected = (select(registry.capability, choice, known, known=possible, reasons=reasons),)
    except WebError as exc:
        error = exc
    return Description(
        capability=registry.capability, choice=choice, selected=selected, error=error, providers=tuple(states)
    )


def _skips(capability: Capability, ids: Iterable[str], known: Mapping[str, bool]) -> list[Attempt]:
    """The records that a call would make of members that cannot be tried."""
    errors = ((member, unusable(capability, member, known)) for member in ids)
    return [skipped(member, error) for member, error in errors if error is not None]
