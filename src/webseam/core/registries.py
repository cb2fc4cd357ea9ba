"""The providers of one `Web`: a registry for each capability, and which of them its calls take."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from webseam.core.describe import Description, describe
from webseam.core.offer import Offer, P
from webseam.core.providers import ExtractProvider, FetchProvider, SearchProvider
from webseam.core.registry import Registry
from webseam.core.selection import FanOut, Route, narrowed
from webseam.core.types import Capability


@dataclass(frozen=True, slots=True, kw_only=True)
class Registries:
    """Registrations come and go; what is chosen among them stays.

    `choices` is what each capability is set to. `known` ids could be registered, for the suggestion when one is
    misspelt.
    """

    choices: Mapping[Capability, str | Route | FanOut | None]
    known: Mapping[Capability, tuple[str, ...]]
    search: Registry[SearchProvider] = field(default_factory=lambda: Registry("search"))
    fetch: Registry[FetchProvider] = field(default_factory=lambda: Registry("fetch"))
    extract: Registry[ExtractProvider] = field(default_factory=lambda: Registry("extract"))

    def offer(self, registry: Registry[P], check: Callable[[], None]) -> Offer[P]:
        """The providers of one of these registries, as a call may take them; `check` raises where none may begin."""
        capability = registry.capability
        known = self.known.get(capability, ())
        return Offer(registry, choice=self.choices[capability], known=known, check=check)

    def describe(self) -> tuple[Description, ...]:
        """The present selection of each capability."""
        return (
            describe(self.search, self.choices["search"], self.known.get("search", ())),
            describe(self.fetch, self.choices["fetch"], self.known.get("fetch", ())),
            describe(self.extract, self.choices["extract"], self.known.get("extract", ())),
        )

    def only(self, keys: Collection[str]) -> "Registries":
        """Others with those of the providers registered now that are named, and with what is left of each choice.

        No suggestion comes from them: it would name what this caller may not know.
        """
        return Registries(
            choices={one: narrowed(choice, keys) for one, choice in self.choices.items()},
            known={},
            search=self.search.only(keys),
            fetch=self.fetch.only(keys),
            extract=self.extract.only(keys),
        )
