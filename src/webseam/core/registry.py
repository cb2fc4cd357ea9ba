"""Registries: id -> provider per capability, with disposers. No status cache, no change event (dsh-9 to dsh-15)."""

from collections.abc import Callable, Collection
from typing import Generic, Self, TypeVar

from webseam.core.errors import Code, WebError
from webseam.core.providers import Provider
from webseam.core.types import Capability

P = TypeVar("P", bound=Provider)


class Registry(Generic[P]):
    """Providers of one capability."""

    def __init__(self, capability: Capability) -> None:
        self.capability: Capability = capability
        self._providers: dict[str, P] = {}

    def register(self, provider: P) -> Callable[[], None]:
        """Add a provider and return its disposer, which is idempotent and removes this registration only.

        Raises:
            WebError: `WEB_DUPLICATE_PROVIDER`; the first registration stays.
        """
        key = provider.id
        if key in self._providers:
            raise WebError(
                Code.DUPLICATE_PROVIDER,
                f"A {self.capability} provider with the id {key!r} is registered already. Give one of them another id.",
                provider=key,
            )
        self._providers[key] = provider
        live = True

        def dispose() -> None:
            nonlocal live
            if live:
                live = False
                del self._providers[key]

        return dispose

    def get(self, key: str) -> P | None:
        """The provider registered under `key` now."""
        return self._providers.get(key)

    def items(self) -> tuple[tuple[str, P], ...]:
        """Each id as registered, with its provider, as of now."""
        return tuple(self._providers.items())

    def only(self, keys: Collection[str]) -> Self:
        """Another registry with those of these providers that are named."""
        other = type(self)(self.capability)
        for key, one in self._providers.items():
            if key in keys:
                other.register(one)
        return other
