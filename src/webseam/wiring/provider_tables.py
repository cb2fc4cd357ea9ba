"""What a `[providers.<id>]` table says of a provider: its options, its pool of keys, the file of the local index."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from webseam.core.errors import WebError
from webseam.core.limits import RATE_WAIT_SECONDS
from webseam.core.plugin import ProviderSpec
from webseam.core.shared import Rate
from webseam.stores.place import INDEX_FILE
from webseam.wiring.config import Loaded
from webseam.wiring.layers import invalid, nearest, shown
from webseam.wiring.plugins import CAPABILITIES, Installed
from webseam.wiring.rates import parse_rate
from webseam.wiring.schema import KEY_SETTINGS, SEAM_KEYS, ProviderTable

INDEX_KIND: Final = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooling:
    """How the keys of one provider are used: at most `rate` for each, a call waits at most `patience` seconds."""

    rate: Rate | None
    patience: float


def refuse_unknown_kinds(loaded: Loaded, installed: Installed) -> None:
    """Every table is of a kind that is installed.

    Raises:
        WebError: `WEB_CONFIG_INVALID` with the kind's path.
    """
    known = sorted(installed.names)
    for key, table in loaded.config.providers.items():
        if table.kind not in installed.names:
            raise _wrong(loaded, key, "kind", shown(table.kind), ", ".join(known), hint=nearest(table.kind, known))


def pooling_of(loaded: Loaded, key: str, table: ProviderTable) -> Pooling | None:
    """The pool that the table asks for: several keys, a rate, or both.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a wait that nothing would wait for.
    """
    rate = parse_rate(table.rate)
    if rate is None and not (table.keys or table.keys_env):
        if table.rate_wait is not None:
            raise _wrong(loaded, key, "rate_wait", shown(table.rate_wait), "none without rate, keys or keys_env")
        return None
    return Pooling(rate=rate, patience=RATE_WAIT_SECONDS if table.rate_wait is None else table.rate_wait)


def options_of_kind(installed: Installed, kind: str) -> tuple[str, ...]:
    """The names of the options that a kind takes in any capability: one table holds them all."""
    specs = (installed.kinds(one).get(kind) for one in CAPABILITIES)
    structs: list[Any] = [one.options for one in specs if one is not None and one.options is not None]
    return tuple(dict.fromkeys(name for struct in structs for name in struct.__struct_fields__))


def options_of(
    loaded: Loaded, key: str, table: ProviderTable, spec: ProviderSpec, *, also: tuple[str, ...] = ()
) -> Any:
    """The kind's options from `[providers.<id>]`, strictly typed; `also` are those of its other capabilities.

    Raises:
        WebError: `WEB_CONFIG_INVALID` with the option's path.
    """
    named = next((name for name in KEY_SETTINGS if getattr(table, name)), None)
    if not spec.key_env and named is not None:
        raise _wrong(loaded, key, named, "a key", f"none: {spec.kind} takes no key")
    struct: Any = spec.options
    fields: tuple[str, ...] = () if struct is None else struct.__struct_fields__
    for name in table.options:
        if name not in fields and name not in also:
            known = (*SEAM_KEYS, *dict.fromkeys((*fields, *also)))
            raise _wrong(loaded, key, name, "an unknown key", ", ".join(known), hint=nearest(name, known))
    own = {name: value for name, value in _with_index(loaded, table, spec).items() if name in fields}
    return None if struct is None else _converted_options(loaded, key, own, struct)


def _converted_options(loaded: Loaded, key: str, options: Mapping[str, Any], struct: Any) -> Any:
    for name, value in options.items():
        try:
            msgspec.convert({name: value}, struct)
        except (msgspec.ValidationError, UnicodeEncodeError) as exc:
            allowed = str(exc).partition(" - at ")[0].replace("`", "")
            raise _wrong(loaded, key, name, _found(value, allowed), allowed) from exc
    return msgspec.convert(dict(options), struct)


def _found(value: Any, allowed: str) -> str:
    """What to say of a wrong value; what stands where a table belongs, such as all headers, may hold a key."""
    return type(value).__name__ if allowed.startswith("Expected object") else shown(value)


def _wrong(loaded: Loaded, key: str, name: str, found: str, allowed: str, *, hint: str = "") -> WebError:
    """The fault of one line of a provider's table, in the file where it stands."""
    origin = loaded.origins.get(f"providers.{key}.{name}", "configuration")
    return invalid(origin, ("providers", key, name), found, allowed, hint)


# The local index ---------------------------------------------------------------------------------------


def _with_index(loaded: Loaded, table: ProviderTable, spec: ProviderSpec | None = None) -> Mapping[str, Any]:
    """`index.path` is one setting for those who write the index and the provider that reads it."""
    is_index = table.kind == INDEX_KIND and (spec is None or spec.capability == "search")
    if not is_index or not loaded.config.index.path:
        return table.options
    return {"path": loaded.config.index.path, **table.options}


def index_file(loaded: Loaded) -> Path:
    """The file of the local index: of `[providers.local]`, else `index.path`, else in the data folder."""
    table = loaded.config.providers.get(INDEX_KIND) or ProviderTable(kind=INDEX_KIND)
    named = _with_index(loaded, table).get("path")
    return Path(named).expanduser() if isinstance(named, str) and named else loaded.places.data / INDEX_FILE
