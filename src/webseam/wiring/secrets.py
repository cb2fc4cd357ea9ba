"""Keys: asked for at each call, so that a rotated one reaches the next; never shown."""

from collections.abc import Mapping
from pathlib import Path

from webseam.core.errors import Code, WebError
from webseam.core.plugin import ProviderSpec
from webseam.wiring.config import Loaded
from webseam.wiring.schema import ProviderTable, SecretsSection
from webseam.wiring.sources import decoded, read_bounded


class KeySource:
    """Where one provider's key comes from: its literal, else a variable, else the secrets file.

    A variable that the configuration names replaces the vendor's usual ones: there is no hidden chain from a second
    account to the first. The secrets file is looked through for the same names.

    Args:
        provider: id, for messages.
        literal: the key itself, from the user's configuration.
        names: variables to ask, in order.
        environ: the live environment.
        settings: `[secrets]`.
    """

    __slots__ = ("_environ", "_literal", "_names", "_provider", "_settings")

    def __init__(
        self,
        *,
        provider: str,
        literal: str,
        names: tuple[str, ...],
        environ: Mapping[str, str],
        settings: SecretsSection,
    ) -> None:
        self._provider = provider
        self._literal = literal
        self._names = names
        self._environ = environ
        self._settings = settings

    def __repr__(self) -> str:
        return f"KeySource({self._provider!r})"

    def configured(self) -> bool:
        """Whether a source yields a key now; a secrets file that cannot be used yields none."""
        return self.known() is not None

    def known(self) -> str | None:
        """What a source yields now, even what no key can be: to keep it out of sight."""
        try:
            found = self._find()
        except WebError:  # told in full by `resolve` and `problem`
            return None
        return None if found is None else found[0]

    async def resolve(self) -> str:
        """The key, read now.

        Raises:
            WebError: `WEB_PROVIDER_CREDENTIAL_MISSING` naming the remedies; `WEB_CONFIG_INVALID` for a secrets file
                that others may read.
        """
        found = self._find()
        if found is None:
            raise WebError(
                Code.PROVIDER_CREDENTIAL_MISSING,
                f"{self._provider} has no key. {self.remedy()}",
                provider=self._provider,
            )
        key, place = found
        if not (key.isascii() and key.isprintable()):
            raise WebError(
                Code.PROVIDER_CREDENTIAL_MISSING,
                f"The key of {self._provider} ({place}) holds characters that no key has. Set it again.",
                provider=self._provider,
            )
        return key

    def place(self) -> str | None:
        """Where the key comes from now, for people; never the key.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a secrets file that cannot be used.
        """
        found = self._find()
        return None if found is None else found[1]

    def remedy(self) -> str:
        """What a person can do about a missing key."""
        first = self._names[0] if self._names else ""
        ways = []
        if first and self._settings.environment:
            ways.append(f"set {' or '.join(self._names)}")
        if first and self._settings.file:
            ways.append(f"add {first}=... to {self._settings.file}")
        ways.append(f"put `key` under [providers.{self._provider}] in your own webseam.toml")
        text = ", or ".join(ways)
        return f"{text[0].upper()}{text[1:]}."

    def _find(self) -> tuple[str, str] | None:
        if self._literal:
            return self._literal, "configuration"
        if self._settings.environment:
            for name in self._names:
                key = self._environ.get(name, "").strip()
                if key:
                    return key, f"environment {name}"
        if self._settings.file and self._names:
            return self._find_in_file(Path(self._settings.file))
        return None

    def _find_in_file(self, path: Path) -> tuple[str, str] | None:
        known = read_secrets(path)
        return next(((known[name], f"{path} {name}") for name in self._names if known.get(name)), None)


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

    def place(self) -> str | None:
        """Where the keys come from now, for people; never a key, nor which one is used.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a secrets file that cannot be used.
        """
        found = [place for source in self.sources if (place := source.place()) is not None]
        return ", ".join(dict.fromkeys(found)) or None

    def count(self) -> int:
        """How many sources yield a key now."""
        return sum(source.configured() for source in self.sources)

    def remedy(self) -> str:
        """What a person can do when no key is set."""
        return self._remedies.remedy()


def key_ring_of(loaded: Loaded, key: str, table: ProviderTable, spec: ProviderSpec | None) -> KeyRing:
    """The key sources of one provider; keys and variables that its table names replace the vendor's usual ones."""

    def source(literal: str, names: tuple[str, ...]) -> KeySource:
        settings = loaded.config.secrets
        return KeySource(provider=key, literal=literal, names=names, environ=loaded.environ, settings=settings)

    if table.keys:
        return KeyRing(tuple(source(literal, ()) for literal in table.keys), source("", ()))
    if table.keys_env:
        return KeyRing(tuple(source("", (name,)) for name in table.keys_env), source("", table.keys_env))
    usual = () if spec is None else spec.key_env
    single = source(table.key, (table.key_env,) if table.key_env else usual)
    return KeyRing((single,), single)


def read_secrets(path: Path) -> dict[str, str]:
    """`NAME=value` lines; blank lines and `#` comments pass, one pair of quotes around a value is dropped.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the file cannot be read, is open to others, or holds another line.
    """
    data = read_bounded(path, private=True)
    known: dict[str, str] = {}
    for number, line in enumerate(decoded(path, data).splitlines(), start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            name, equals, value = text.partition("=")
            if not equals or not name.strip():
                raise WebError(Code.CONFIG_INVALID, f"{path}: line {number} is not NAME=value.")
            known[name.strip()] = _unquoted(value.strip())
    return known


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
