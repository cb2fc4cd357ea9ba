"""Keys set and removed: which names are keys here, and the secrets file rewritten around one of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import CONFIG_BYTES, KEY_CHARS
from webseam.core.plugin import ProviderSpec
from webseam.core.types import Capability
from webseam.wiring.atomic import locked, replace_file
from webseam.wiring.config import Loaded
from webseam.wiring.key_source import sendable
from webseam.wiring.plugins import CAPABILITIES, Installed, load_plugins
from webseam.wiring.provider_keys import KeyRing, key_ring_of
from webseam.wiring.schema import ProviderTable
from webseam.wiring.secrets_file import name_and_value, read_secrets
from webseam.wiring.sources import decoded, read_bounded

_QUOTES: Final = "\"'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A provider that takes a key: under its own id, or under that of a `[providers.<id>]`."""

    id: str
    kind: str
    capabilities: tuple[Capability, ...]
    ring: KeyRing


def accounts(loaded: Loaded, installed: Installed | None = None) -> tuple[Account, ...]:
    """Every provider that takes a key here, by id; reads no key."""
    present = installed or load_plugins(
        also=[table.kind for table in loaded.config.providers.values()],
        disabled=loaded.config.plugins.disabled,
        only=loaded.environ.get("WEBSEAM_LOAD_PLUGINS", ""),
    )
    kinds: dict[str, list[ProviderSpec]] = {}
    for capability in CAPABILITIES:
        for kind, spec in present.kinds(capability).items():
            kinds.setdefault(kind, []).append(spec)
    tables = {**{kind: ProviderTable(kind=kind) for kind in kinds}, **loaded.config.providers}
    found = (_account(loaded, key, table, kinds.get(table.kind, [])) for key, table in sorted(tables.items()))
    return tuple(one for one in found if one is not None)


def _account(loaded: Loaded, key: str, table: ProviderTable, specs: list[ProviderSpec]) -> Account | None:
    """The account of an id; the capabilities of one vendor share its key."""
    keyed = [spec for spec in specs if spec.key_env]
    if not keyed:
        return None
    return Account(
        id=key,
        kind=table.kind,
        capabilities=tuple(spec.capability for spec in keyed),
        ring=key_ring_of(loaded, key, table, keyed[0]),
    )


def key_name(wanted: str, known: tuple[Account, ...]) -> str:
    """The name under which a key is kept: of a provider its first variable, or the variable itself.

    Raises:
        WebError: `INVALID_ARGS` for what is neither, naming the nearest; for a provider whose keys stand in its table.
    """
    names = {name for one in known for name in one.ring.names()}
    if wanted in names:
        return wanted
    account = next((one for one in known if one.id == wanted), None)
    if account is None:
        raise _unknown(wanted, [*(one.id for one in known), *sorted(names)])
    kept = account.ring.names()
    if len(account.ring.sources) > 1 and kept:
        raise WebError(Code.INVALID_ARGS, f"{wanted} has several keys. Name one of them: {', '.join(kept)}.")
    if not kept:
        raise WebError(
            Code.INVALID_ARGS,
            f"The keys of {wanted} stand in your configuration. Take them out of [providers.{wanted}] first.",
        )
    return kept[0]


def _unknown(wanted: str, known: list[str]) -> WebError:
    near = get_close_matches(wanted.lower(), [one.lower() for one in known], n=1, cutoff=0.6)
    meant = next((f' Did you mean "{one}"?' for one in known if near and one.lower() == near[0]), "")
    return WebError(
        Code.INVALID_ARGS,
        f'No provider and no key is called "{wanted}".{meant} `webseam keys list --all` names them all.',
    )


def checked_key(text: str, name: str) -> str:
    """The key that somebody typed or piped in, without the white space around it.

    Raises:
        WebError: `INVALID_ARGS` for what no key can be; the message does not repeat it.
    """
    key = text.strip().removeprefix("\ufeff").strip()
    if not key:
        raise WebError(Code.INVALID_ARGS, "The key is blank. Type it, or pipe it in; nothing was changed.")
    if len(key.splitlines()) > 1:
        raise WebError(Code.INVALID_ARGS, "There are several lines. Give the key alone; nothing was changed.")
    if key.startswith(f"{name}=") or len(key.split()) > 1 or _is_quoted(key):
        raise WebError(
            Code.INVALID_ARGS,
            f"Give the key alone: no {name}=, no Bearer, no quotes, no space in it; nothing was changed.",
        )
    if len(key) > KEY_CHARS or not sendable(key):
        raise WebError(
            Code.INVALID_ARGS,
            f"No key has such characters, or more than {KEY_CHARS:,} of them. Copy it again; nothing was changed.",
        )
    return key


def _is_quoted(key: str) -> bool:
    return len(key) > 1 and key[0] == key[-1] and key[0] in _QUOTES


# The secrets file --------------------------------------------------------------------------------------


def put_key(path: Path, name: str, key: str) -> None:
    """Keep `key` under `name`; other lines and comments stay as they are. The file is its owner's only.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a file that others may read, that is damaged, or that cannot be written.
    """
    with locked(path):
        lines = _lines(path)
        wrapped = f'"{key}"' if _is_quoted(key) else key
        at = next((number for number, line in enumerate(lines) if _is_of(line, name)), len(lines))
        rest = [line for line in lines[at:] if not _is_of(line, name)]
        _write(path, [*lines[:at], f"{name}={wrapped}", *rest])


def drop_key(path: Path, name: str) -> bool:
    """Take the key of this name out of the file; False when it was not there.

    Raises:
        WebError: as `put_key`.
    """
    if not path.exists():
        return False
    with locked(path):
        lines = _lines(path)
        rest = [line for line in lines if not _is_of(line, name)]
        if len(rest) == len(lines):
            return False
        _write(path, rest)
    return True


def kept_names(path: Path) -> tuple[str, ...]:
    """The names in the secrets file that have a value; none where there is no file.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a file that cannot be used.
    """
    if not path.exists():
        return ()
    return tuple(name for name, value in read_secrets(path).items() if value)


def _lines(path: Path) -> list[str]:
    """The file's lines once all of it is understood: what is damaged is not written over."""
    if not path.exists():
        return []
    read_secrets(path)
    return decoded(path, read_bounded(path, private=True)).splitlines()


def _is_of(line: str, name: str) -> bool:
    return not line.strip().startswith("#") and name_and_value(line)[0] == name


def _write(path: Path, lines: Iterator[str] | list[str]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    if len(data) > CONFIG_BYTES:
        raise WebError(Code.CONFIG_INVALID, f"{path}: would be larger than {CONFIG_BYTES:,} bytes. Remove old keys.")
    replace_file(path, data)
