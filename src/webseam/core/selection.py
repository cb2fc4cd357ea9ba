"""Selection: one pure function, asked at each call, never by registration order (design: selection)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from webseam.core.errors import Code, WebError
from webseam.core.types import Capability


@dataclass(frozen=True, slots=True)
class Route:
    """Provider ids tried in order under one deadline."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FanOut:
    """Provider ids asked at once; their hits are merged by reciprocal rank."""

    ids: tuple[str, ...]


Choice: TypeAlias = str | Route | FanOut | Sequence[str] | None
"""What was configured: an id, an ordered route, a fan-out, or nothing. A plain sequence is a route."""


def normalise_choice(choice: Choice) -> str | Route | FanOut | None:
    """A blank id and an empty route are nothing (R153); repeated members count once."""
    if choice is None:
        return None
    if isinstance(choice, str):
        return choice.strip() or None
    ids = choice.ids if isinstance(choice, Route | FanOut) else tuple(choice)
    unique = tuple(dict.fromkeys(kept for kept in (member.strip() for member in ids) if kept))
    if not unique:
        return None
    return FanOut(unique) if isinstance(choice, FanOut) else Route(unique)


def without_fanout(choice: str | Route | FanOut | None) -> str | Route | None:
    """The choice for pages, which are asked of one provider after the other.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a fan-out.
    """
    if isinstance(choice, FanOut):
        raise WebError(Code.CONFIG_INVALID, "Only search can fan out; give fetch and extract a provider or a route.")
    return choice


def narrowed(choice: str | Route | FanOut | None, only: Collection[str]) -> str | Route | FanOut | None:
    """What is left of a choice when no other ids than `only` may be used."""
    if choice is None or isinstance(choice, str):
        return choice if choice in only else None
    left = tuple(one for one in choice.ids if one in only)
    if len(left) < 2:  # noqa: PLR2004 - one is no route
        return left[0] if left else None
    return Route(left) if isinstance(choice, Route) else FanOut(left)


def select(
    capability: Capability,
    choice: str | None,
    registered: Mapping[str, bool],
    *,
    known: Iterable[str] = (),
    reasons: Mapping[str, str | None] | None = None,
) -> str:
    """Pick a provider id.

    Args:
        capability: of which kind.
        choice: the configured id, or None.
        registered: each registered id with its availability.
        known: ids that could be registered here; only named in an error.
        reasons: why providers are not available, in their own words; only named in an error.

    Raises:
        WebError: the set-up code that tells why none can be picked.
    """
    told = reasons or {}
    if choice is not None:
        error = unusable(capability, choice, registered, known=known, reason=told.get(choice))
        if error is not None:
            raise error
        return choice
    usable = sorted(key for key, available in registered.items() if available)
    if len(usable) == 1:
        return usable[0]
    if usable:
        raise WebError(
            Code.PROVIDER_AMBIGUOUS,
            f"Several {capability} providers are available: {', '.join(usable)}. "
            f"Set {capability}.provider (or {capability}.route) to say which.",
        )
    raise unavailable(capability, registered, told)


def unusable(
    capability: Capability,
    choice: str,
    registered: Mapping[str, bool],
    *,
    known: Iterable[str] = (),
    reason: str | None = None,
) -> WebError | None:
    """Why the configured id cannot be used now, or None when it can."""
    if choice not in registered:
        return missing(capability, choice, registered, known)
    if registered[choice]:
        return None
    said = f"not available: {reason.rstrip('.')}." if reason else "not available."
    return WebError(
        Code.PROVIDER_CONFIGURED_UNAVAILABLE,
        f"The configured {capability} provider {choice!r} is registered but {said} Run `webseam providers` for more.",
        provider=choice,
    )


def missing(capability: Capability, choice: str, registered: Iterable[str], known: Iterable[str] = ()) -> WebError:
    """The error for an id that nobody registered; suggests the nearest one that somebody did or could."""
    present = sorted(registered)
    others = sorted(set(known) - set(present))
    near = get_close_matches(choice.lower(), [*present, *others], n=1, cutoff=0.6)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    listed = f" Registered: {', '.join(present)}." if present else "" if near else " None is registered."
    possible = f" Also installed: {', '.join(others)}." if others and not near else ""
    return WebError(
        Code.PROVIDER_CONFIGURED_MISSING,
        f"No {capability} provider {choice!r} is registered.{hint}{listed}{possible}",
        provider=choice,
    )


def unavailable(
    capability: Capability, registered: Mapping[str, bool], reasons: Mapping[str, str | None] | None = None
) -> WebError:
    """The error for nothing to pick from; tells why, where one reason is everybody's."""
    if not registered:
        detail = f"No {capability} provider is registered."
    else:
        why = {(reasons or {}).get(one) for one in registered}
        shared = next(iter(why)) if len(why) == 1 else None
        said = f" {shared[:1].upper()}{shared[1:].rstrip('.')}." if shared else ""
        detail = f"None of the {capability} providers is available: {', '.join(sorted(registered))}.{said}"
    return WebError(Code.PROVIDER_UNAVAILABLE, f"{detail} Set a key or {capability}.provider; see `webseam providers`.")
