"""Where one provider's key comes from: asked for at each call, so that a rotated one reaches the next; never shown."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from webseam.core.errors import Code, WebError
from webseam.wiring.keyrings import SystemKeyring
from webseam.wiring.schema import SecretsSection
from webseam.wiring.secrets_file import read_secrets


class KeySource:
    """Where one provider's key comes from: its literal, else a variable, else the secrets file, else the keyring.

    A variable that the configuration names replaces the vendor's usual ones: there is no hidden chain from a second
    account to the first. The secrets file and the keyring are looked through for the same names.

    Args:
        provider: id, for messages.
        literal: the key itself, from the user's configuration.
        names: variables to ask, in order.
        environ: the live environment.
        settings: `[secrets]`.
        usual_file: the secrets file where `[secrets]` names none; it need not exist.
        keyring: the system's keyring.
    """

    __slots__ = (
        "_environ",
        "_held",
        "_keyring",
        "_literal",
        "_names",
        "_provider",
        "_settings",
        "_trouble",
        "_usual_file",
    )

    def __init__(
        self,
        *,
        provider: str,
        literal: str,
        names: tuple[str, ...],
        environ: Mapping[str, str],
        settings: SecretsSection,
        usual_file: Path | None = None,
        keyring: SystemKeyring | None = None,
    ) -> None:
        self._provider = provider
        self._literal = literal
        self._names = names
        self._environ = environ
        self._settings = settings
        self._usual_file = usual_file
        self._keyring = keyring
        self._held: str | None = None
        self._trouble: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which variables, secrets file and keyring are asked, in order."""
        return self._names

    @property
    def held(self) -> str | None:
        """What the keyring gave last."""
        return self._held

    @property
    def trouble(self) -> str | None:
        """Why the keyring, which has a key by this name, did not give it when it was last asked; None when it did."""
        return self._trouble

    def __repr__(self) -> str:
        return f"KeySource({self._provider!r})"

    def configured(self) -> bool:
        """Whether a source yields a key now; a secrets file that cannot be used yields none."""
        return self.known() is not None

    def known(self) -> str | None:
        """What a source yields now, even what no key can be: to keep it out of sight."""
        try:
            found = self._find()
        except WebError:  # told in full by `resolve` and `problem`, and by `trouble`
            return None
        return None if found is None else found[0]

    def seen(self) -> str | None:
        """As `known`, but a keyring is not asked again once it gave a key: that may take long, or open a dialog."""
        if self._held is None or self._keyring is None:
            return self.known()
        try:
            return next(self._each(asking=False), (self._held, ""))[0]
        except WebError:  # told in full by `resolve` and `problem`
            return self._held

    async def resolve(self) -> str:
        """The key, read now.

        Raises:
            WebError: `WEB_PROVIDER_CREDENTIAL_MISSING` naming the remedies; `WEB_CONFIG_INVALID` for a secrets file
                that others may read, or a keyring that cannot be read.
        """
        found = self._find()
        if found is None:
            raise WebError(
                Code.PROVIDER_CREDENTIAL_MISSING,
                f"{self._provider} has no key. {self.remedy()}",
                provider=self._provider,
            )
        key, place = found
        if not sendable(key):
            raise WebError(
                Code.PROVIDER_CREDENTIAL_MISSING,
                f"The key of {self._provider} ({place}) holds characters that no key has. Set it again.",
                provider=self._provider,
            )
        return key

    def place(self) -> str | None:
        """Where the key comes from now, for people; never the key.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a secrets file or a keyring that cannot be used.
        """
        found = self._find()
        return None if found is None else found[1]

    def places(self) -> tuple[str, ...]:
        """Everywhere that a key is kept for this provider, the one in force first.

        Raises:
            WebError: as `place`.
        """
        return tuple(place for _, place in self._each())

    def remedy(self) -> str:
        """What a person can do about a missing key."""
        text = ", or ".join(self._ways())
        return f"{text[0].upper()}{text[1:]}."

    def hint(self) -> str:
        """The same in a few words, for a line among many."""
        return ", or ".join(self._ways()[:2])

    def _ways(self) -> list[str]:
        first = self._names[0] if self._names else ""
        ways = []
        if first and self._settings.environment:
            ways.append(f"set {' or '.join(self._names)}")
        if first:
            ways.append(f"run `webseam keys set {self._provider}`")
        if first and self._settings.file:
            ways.append(f"add {first}=... to {self._settings.file}")
        ways.append(f"put `key` under [providers.{self._provider}] in your own webseam.toml")
        return ways

    def _find(self) -> tuple[str, str] | None:
        return next(self._each(), None)

    def _each(self, *, asking: bool = True) -> Iterator[tuple[str, str]]:
        """Each key that a source yields, and the source; one that is not reached is not asked."""
        self._trouble = None
        if self._literal:
            yield self._literal, "configuration"
        if self._settings.environment:
            kept = ((self._environ.get(name, "").strip(), name) for name in self._names)
            yield from ((key, f"environment {name}") for key, name in kept if key)
        path = self._file()
        if path is not None and self._names:
            known = read_secrets(path)
            yield from ((known[name], f"{path} {name}") for name in self._names if known.get(name))
        if self._keyring is not None and asking:
            for name in self._names:
                if key := self._from(self._keyring, name):
                    self._held = key
                    yield key, f"keyring {name}"

    def _from(self, keyring: SystemKeyring, name: str) -> str | None:
        try:
            return keyring.get(name)
        except WebError as error:
            if name in keyring.names():  # which says itself what is wrong with the record
                self._trouble = error.message
            raise

    def _file(self) -> Path | None:
        """The secrets file to ask: the one that is named must exist, the usual one may be missing."""
        if self._settings.file:
            return Path(self._settings.file)
        usual = self._usual_file
        return usual if usual is not None and os.path.lexists(usual) else None


def sendable(key: str) -> bool:
    """Whether a header or a query can carry it: visible ASCII, no white space (RFC 6750, section 2.1)."""
    return key.isascii() and key.isprintable() and " " not in key
