"""Which providers a configuration registers, and why not the others (design: selection; wiring decides)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.limits import RATE_WAIT_SECONDS
from webseam.core.plugin import ProviderSpec
from webseam.core.selection import Choice, FanOut, Route, normalise_choice
from webseam.core.types import Capability
from webseam.stores.place import INDEX_FILE
from webseam.wiring.config import Loaded
from webseam.wiring.layers import invalid, nearest, shown
from webseam.wiring.plugins import CAPABILITIES, Installed
from webseam.wiring.rates import Rate, parse_rate
from webseam.wiring.schema import KEY_SETTINGS, SEAM_KEYS, ProviderTable
from webseam.wiring.secrets import KeyRing, key_ring_of, read_secrets

KEYLESS_DEFAULT: Final = "exa-mcp"
KEYLESS_NOTICE: Final = (
    "No search provider is configured, so searches go to Exa's public endpoint without a key (exa-mcp). "
    "Set a vendor's key or search.provider to choose; search.keyless = false turns this off."
)
FETCH_DEFAULT: Final = "http"
INDEX_KIND: Final = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooling:
    """How the keys of one provider are used: at most `rate` for each, a call waits at most `patience` seconds."""

    rate: Rate | None
    patience: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A provider to build. `spec` None: its plugin failed, and `problem` says how. `pooling` None: as it is."""

    capability: Capability
    id: str
    kind: str
    secret: KeyRing
    pooling: Pooling | None = None
    spec: ProviderSpec | None = None
    options: Any = field(default=None, repr=False)
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A kind that is installed and not registered, and what would change that. `spec` None: it did not load."""

    capability: Capability
    id: str
    reason: str
    spec: ProviderSpec | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What `build` registers, what it does not, the choice per capability, and what the user should be told.

    `problem` is a secrets file that cannot be used: its keys are missed, so what the plan selects is not what the user
    configured. People may look at such a plan, calls are refused.
    """

    planned: tuple[Planned, ...]
    skipped: tuple[Skipped, ...]
    choices: dict[Capability, str | Route | FanOut | None]
    notice: str | None = None
    problem: WebError | None = None


def make_plan(loaded: Loaded, installed: Installed, capabilities: Sequence[Capability] = CAPABILITIES) -> Plan:
    """Apply the wiring rule: keyed vendors whose key is set, whatever the configuration names, and the HTTP fetcher.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a provider table of an unknown kind or with wrong options.
    """
    _refuse_unknown_kinds(loaded, installed)
    choices = {capability: choice_of(loaded, capability) for capability in CAPABILITIES}
    entries = [entry for one in CAPABILITIES for entry in _entries(loaded, installed, one, choices[one])]
    planned = [entry for entry in entries if isinstance(entry, Planned)]
    skipped = [entry for entry in entries if isinstance(entry, Skipped)]
    problem = _secrets_problem(loaded)
    wants_default = "search" in capabilities and choices["search"] is None and loaded.config.search.keyless
    default = _keyless_default(loaded, installed, planned) if wants_default and problem is None else None
    if default is None:
        return Plan(planned=tuple(planned), skipped=tuple(skipped), choices=choices, problem=problem)
    return Plan(
        planned=(*planned, default),
        skipped=tuple(one for one in skipped if (one.capability, one.id) != ("search", KEYLESS_DEFAULT)),
        choices={**choices, "search": KEYLESS_DEFAULT},
        notice=KEYLESS_NOTICE,
    )


def choice_of(loaded: Loaded, capability: Capability) -> str | Route | FanOut | None:
    """What the configuration names for a capability."""
    section: Any = getattr(loaded.config, capability)
    fanout: tuple[str, ...] = getattr(section, "fanout", ())
    choice: Choice = FanOut(fanout) if fanout else section.route or section.provider
    return normalise_choice(choice)


def named_ids(choice: str | Route | FanOut | None) -> tuple[str, ...]:
    """The ids that a choice names."""
    if choice is None:
        return ()
    return (choice,) if isinstance(choice, str) else choice.ids


def _entries(
    loaded: Loaded, installed: Installed, capability: Capability, choice: str | Route | FanOut | None
) -> Iterator[Planned | Skipped]:
    known = installed.kinds(capability)
    failed = installed.failures(capability)
    chosen = named_ids(choice)
    tables = loaded.config.providers
    for key in sorted({*known, *failed, *chosen, *tables}):
        table = tables.get(key) or ProviderTable(kind=key)
        spec = known.get(table.kind)
        named = key in chosen or key in tables
        if spec is not None:
            if key in chosen and _runs_keyless(loaded, key, table, spec):
                _refuse_keyless_by_project(loaded, key)
            default = capability == "fetch" and key == FETCH_DEFAULT
            yield _judged(loaded, key, table, spec, wanted=named or default, keyed=_is_keyed(spec, known.values()))
        elif table.kind in failed:
            yield _broken(loaded, capability, key, table, failed[table.kind], named=named)


def _is_keyed(spec: ProviderSpec, others: Iterable[ProviderSpec]) -> bool:
    """Whether a key in the environment is meant for this kind.

    A kind that also works without a key counts only when no keyed kind takes the same variable: `EXA_API_KEY` is
    Exa's API, not its public endpoint, and never makes the two ambiguous. Nor does a vendor's second product.
    """
    if spec.named_only:
        return False
    if not spec.keyless:
        return bool(spec.key_env)
    rivals = (one for one in others if not one.keyless and set(one.key_env) & set(spec.key_env))
    return bool(spec.key_env) and next(rivals, None) is None


def _judged(
    loaded: Loaded, key: str, table: ProviderTable, spec: ProviderSpec, *, wanted: bool, keyed: bool
) -> Planned | Skipped:
    secret = key_ring_of(loaded, key, table, spec)
    if wanted or (keyed and secret.configured()):
        options = options_of(loaded, key, table, spec)
        return Planned(
            capability=spec.capability,
            id=key,
            kind=spec.kind,
            secret=secret,
            pooling=pooling_of(loaded, key, table),
            spec=spec,
            options=options,
        )
    reason = _no_key(secret) if keyed and not spec.keyless else _only_named(key, spec)
    return Skipped(capability=spec.capability, id=key, reason=reason, spec=spec)


def _broken(
    loaded: Loaded, capability: Capability, key: str, table: ProviderTable, problem: str, *, named: bool
) -> Planned | Skipped:
    if not named:
        return Skipped(capability=capability, id=key, reason=problem)
    secret = key_ring_of(loaded, key, table, None)
    return Planned(capability=capability, id=key, kind=table.kind, secret=secret, problem=problem)


def _only_named(key: str, spec: ProviderSpec) -> str:
    return f'is used only when named: set {spec.capability}.provider = "{key}"'


def _no_key(secret: KeyRing) -> str:
    try:
        secret.place()
    except WebError as error:
        return error.message
    return f"has no key. {secret.remedy()}"


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


def options_of(loaded: Loaded, key: str, table: ProviderTable, spec: ProviderSpec) -> Any:
    """The kind's options from `[providers.<id>]`, strictly typed.

    Raises:
        WebError: `WEB_CONFIG_INVALID` with the option's path.
    """
    named = next((name for name in KEY_SETTINGS if getattr(table, name)), None)
    if not spec.key_env and named is not None:
        raise _wrong(loaded, key, named, "a key", f"none: {spec.kind} takes no key")
    struct: Any = spec.options
    fields: tuple[str, ...] = () if struct is None else struct.__struct_fields__
    for name in table.options:
        if name not in fields:
            known = (*SEAM_KEYS, *fields)
            raise _wrong(loaded, key, name, "an unknown key", ", ".join(known), hint=nearest(name, known))
    return None if struct is None else _converted_options(loaded, key, _with_index(loaded, table), struct)


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


def _with_index(loaded: Loaded, table: ProviderTable) -> Mapping[str, Any]:
    """`index.path` is one setting for those who write the index and the provider that reads it."""
    if table.kind != INDEX_KIND or not loaded.config.index.path:
        return table.options
    return {"path": loaded.config.index.path, **table.options}


def index_file(loaded: Loaded) -> Path:
    """The file of the local index: of `[providers.local]`, else `index.path`, else in the data folder."""
    table = loaded.config.providers.get(INDEX_KIND) or ProviderTable(kind=INDEX_KIND)
    named = _with_index(loaded, table).get("path")
    return Path(named).expanduser() if isinstance(named, str) and named else loaded.places.data / INDEX_FILE


# Rules over the whole ----------------------------------------------------------------------------------


def _refuse_unknown_kinds(loaded: Loaded, installed: Installed) -> None:
    known = sorted(installed.names)
    for key, table in loaded.config.providers.items():
        if table.kind not in installed.names:
            raise _wrong(loaded, key, "kind", shown(table.kind), ", ".join(known), hint=nearest(table.kind, known))


def _secrets_problem(loaded: Loaded) -> WebError | None:
    """Why the secrets file cannot be used, where one is configured."""
    try:
        if loaded.config.secrets.file:
            read_secrets(Path(loaded.config.secrets.file))
    except WebError as error:
        return error
    return None


def _runs_keyless(loaded: Loaded, key: str, table: ProviderTable, spec: ProviderSpec) -> bool:
    """Whether this search provider would answer without a key: it takes none, or none is set."""
    if spec.capability != "search" or not (spec.keyless or spec.key_optional):
        return False
    return spec.keyless or not key_ring_of(loaded, key, table, spec).configured()


def _refuse_keyless_by_project(loaded: Loaded, key: str) -> None:
    """Where the user closed keyless search, an untrusted project file does not open it by naming such a provider."""
    if loaded.config.search.keyless:
        return
    by_project = any(path[0] == "search" and path[1] != "keyless" for path in loaded.untrusted)
    if by_project and ("search", "keyless") not in loaded.untrusted:
        raise WebError(
            Code.CONFIG_INVALID,
            f'{loaded.project}: a project file may not name the keyless provider "{key}" while your own '
            f"configuration sets search.keyless = false. Name it yourself, or run `webseam config trust`.",
        )


def _keyless_default(loaded: Loaded, installed: Installed, planned: Sequence[Planned]) -> Planned | None:
    """Nothing is configured and no key is set: the product's own choice, which says so."""
    spec = installed.kinds("search").get(KEYLESS_DEFAULT)
    if spec is None or any(one.capability == "search" for one in planned):
        return None
    table = ProviderTable(kind=KEYLESS_DEFAULT)
    return Planned(
        capability="search",
        id=KEYLESS_DEFAULT,
        kind=KEYLESS_DEFAULT,
        secret=key_ring_of(loaded, KEYLESS_DEFAULT, table, spec),
        spec=spec,
        options=options_of(loaded, KEYLESS_DEFAULT, table, spec),
    )
