"""What would be selected right now and why each other provider would not: for people, derived on call."""

from dataclasses import dataclass

from webseam.core.errors import WebError
from webseam.core.providers import is_available
from webseam.core.registry import P, Registry
from webseam.core.selection import FanOut, Route, select
from webseam.core.types import Capability


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderState:
    """One registered provider, for people: `reason` says why it is not available."""

    id: str
    available: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """The present selection of one capability: `selected` ids, or the error that a call would get now."""

    capability: Capability
    choice: str | Route | FanOut | None
    selected: tuple[str, ...]
    error: WebError | None
    providers: tuple[ProviderState, ...]


def describe(registry: Registry[P], choice: str | Route | FanOut | None) -> Description:
    """Apply the selection rule to the registry as it is now."""
    states = []
    for provider in sorted(registry, key=lambda one: one.id):
        usable, reason = is_available(provider)
        states.append(ProviderState(id=provider.id, available=usable, reason=reason))
    known = {state.id: state.available for state in states}
    selected: tuple[str, ...] = ()
    error: WebError | None = None
    try:
        if isinstance(choice, Route | FanOut):
            selected = tuple(member for member in choice.ids if known.get(member))
            if not selected:
                select(registry.capability, choice.ids[0], known)
        else:
            selected = (select(registry.capability, choice, known),)
    except WebError as exc:
        error = exc
    return Description(
        capability=registry.capability, choice=choice, selected=selected, error=error, providers=tuple(states)
    )
