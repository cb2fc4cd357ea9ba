"""All keys of one provider: as its table names them, or the vendor's usual variables."""

from webseam.core.plugin import ProviderSpec
from webseam.wiring.config import Loaded
from webseam.wiring.key_source import KeySource
from webseam.wiring.schema import ProviderTable


class KeyRing:
    """The key sources of one provider, for people and for the pool: one, or several of the same kind.

    Args:
        sources: at least one, in the order of trying.
        remedies: says what to do when none yields a key.
    """

    __slots__ = ("_remedies", "sources")

    def __init__(self, sources: tuple[KeySource, ...], remedies: KeySource) -> None:
        self.sources = sources
        self._remedies = remedies

    def __repr__(self) -> str:
        return f"KeyRing({len(self.sources)} of {self._remedies!r})"

    def configured(self) -> bool:
        """Whether any source yields a key now."""
        return any(source.configured() for source in self.sources)

    @property
    def trouble(self) -> str | None:
        """See `KeySource.trouble`; of the first source that has one."""
        return next((source.trouble for source in self.sources if source.trouble is not None), None)

    def place(self) -> str | None:
        """Where the keys come from now, for people; never a key, nor which one is used.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a secrets file that cannot be used.
        """
        found = [place for source in self.sources if (place := source.place()) is not None]
        return ", ".join(dict.fromkeys(found)) or None

    def places(self) -> tuple[str, ...]:
        """Everywhere that a key is kept, in the order of asking.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a secrets file or a keyring that cannot be used.
        """
        return tuple(dict.fromkeys(place for source in self.sources for place in source.places()))

    def names(self) -> tuple[str, ...]:
        """The names under which keys are looked for."""
        return tuple(dict.fromkeys(name for source in self.sources for name in source.names))

    def count(self) -> int:
        """How many sources yield a key now."""
        return sum(source.configured() for source in self.sources)

    def remedy(self) -> str:
        """What a person can do when no key is set."""
        return self._remedies.remedy()

    def hint(self) -> str:
        """See `KeySource.hint`."""
        return self._remedies.hint()


def key_ring_of(loaded: Loaded, key: str, table: ProviderTable, spec: ProviderSpec | None) -> KeyRing:
    """The key sources of one provider; keys and variables that its table names replace the vendor's usual ones."""

    def source(literal: str, names: tuple[str, ...]) -> KeySource:
        return KeySource(
            provider=key,
            literal=literal,
            names=names,
            environ=loaded.environ,
            settings=loaded.config.secrets,
            usual_file=loaded.places.secrets_file,
            keyring=loaded.keyring,
        )

    if table.keys:
        return KeyRing(tuple(source(literal, ()) for literal in table.keys), source("", ()))
    if table.keys_env:
        return KeyRing(tuple(source("", (name,)) for name in table.keys_env), source("", table.keys_env))
    usual = () if spec is None else spec.key_env
    single = source(table.key, (table.key_env,) if table.key_env else usual)
    return KeyRing((single,), single)
