"""Which layers a configuration puts between the seam's edge and its providers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from webseam.core.leading import Leading
from webseam.core.limits import SEARCHES_BYTES
from webseam.core.pages import PageStore
from webseam.core.plugin import Seams
from webseam.stores.pages import MemoryPages
from webseam.wiring.catalogue import Plan, Planned, choice_of
from webseam.wiring.config import Loaded
from webseam.wiring.fleet import Fleet
from webseam.wiring.inside import Layer
from webseam.wiring.search_cache import SearchCache

SEARCHES_FILE: Final = "searches.sqlite3"
"""Name of the store of `search.cache = "disk"` in the data directory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """The layers, the outermost first, and what is to be closed with them, the first one last."""

    each: tuple[Layer, ...] = ()
    closing: tuple[Callable[[], Awaitable[None]], ...] = ()


def layers_of(loaded: Loaded, plan: Plan, fleet: Fleet | None, seams: Seams, *, offline: bool) -> Layers:
    """The note of a shared state that is away, then the cache of searches, as far as they are asked for."""
    each: list[Layer] = []
    closing: list[Callable[[], Awaitable[None]]] = []
    if fleet is not None:
        each.append(fleet.noted)
        closing.append(fleet.aclose)
    mode = loaded.config.search.cache
    if mode == "off" or (mode == "fleet" and offline):
        return Layers(each=tuple(each), closing=tuple(closing))
    leading = None if fleet is None or mode != "fleet" else Leading(fleet.flights)
    if leading is not None:
        closing.append(leading.aclose)
    cache = SearchCache(
        _store(mode, loaded, fleet, seams),
        choices={"search": choice_of(loaded, "search")},
        scope=_scope(loaded, plan),
        seconds=loaded.config.search.cache_seconds,
        leading=leading,
    )
    return Layers(each=(*each, cache), closing=tuple(closing))


def _store(mode: str, loaded: Loaded, fleet: Fleet | None, seams: Seams) -> PageStore:
    if mode == "fleet" and fleet is not None:
        return fleet.searches(loaded.config.search.cache_seconds, SEARCHES_BYTES)
    if mode == "memory":
        return MemoryPages(max_bytes=SEARCHES_BYTES, clock=seams.clock)
    from webseam.stores.pages_disk import DiskPages  # noqa: PLC0415 - SQLite loads on first use

    return DiskPages(loaded.places.data / SEARCHES_FILE, max_bytes=SEARCHES_BYTES, clock=seams.now)


def _scope(loaded: Loaded, plan: Plan) -> Mapping[str, Any]:
    """Which providers there are and what they are set to: answers under other settings are not found."""
    return {
        "providers": [_described(one) for one in plan.planned if one.capability == "search"],
        "controls": loaded.config.search.controls,
    }


def _described(one: Planned) -> list[Any]:
    return [one.id, one.kind, None if one.options is None else msgspec.to_builtins(one.options)]
