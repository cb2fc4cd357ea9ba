"""Which providers a configuration registers, and why not the others (design: selection; wiring decides)."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.plugin import ProviderSpec
from webseam.core.selection import Choice, FanOut, Route, normalise_choice
from webseam.core.types import Capability
from webseam.wiring.config import Loaded
from webseam.wiring.plugins import CAPABILITIES, Installed
from webseam.wiring.provider_keys import KeyRing, key_ring_of
from webseam.wiring.provider_tables import Pooling, options_of, options_of_kind, pooling_of, refuse_unknown_kinds
from webseam.wiring.schema import ProviderTable
from webseam.wiring.secrets_file import read_secrets, secrets_path

KEYLESS_DEFAULT: Final = "exa-mcp"
KEYLESS_NOTICE: Final = (
    "No search provider is configured, so searches go to Exa's public endpoint without a key (exa-mcp). "
    "Set a vendor's key or search.provider to choose; search.keyless = false turns this off."
)
FETCH_DEFAULT: Final = "http"
EXTRACT_DEFAULT: Final = "local"
EXTRACT_NOTICE: Final = (
    "No extract provider is configured, so pages are read by this machine itself (local): its own fetch, and the main "
    "content. Set extract.provider or a vendor's key to choose."
)


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
    extract_notice: str | None = None


def make_plan(loaded: Loaded, installed: Installed, capabilities: Sequence[Capability] = CAPABILITIES) -> Plan:
    """Apply the wiring rule: keyed vendors whose key is set, whatever the configuration names, and the HTTP fetcher.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a provider table of an unknown kind or with wrong options.
    """
    refuse_unknown_kinds(loaded, installed)
    choices = {capability: choice_of(loaded, capability) for capability in CAPABILITIES}
    entries = [entry for one in CAPABILITIES for entry in _entries(loaded, installed, one, choices[one])]
    planned = [entry for entry in entries if isinstance(entry, Planned)]
    skipped = [entry for entry in entries if isinstance(entry, Skipped)]
    problem = _secrets_problem(loaded)
    reads = "extract" in capabilities and choices["extract"] is None
    asks = "search" in capabilities and choices["search"] is None and loaded.config.search.keyless and problem is None
    found = (
        _extract_default(loaded, installed, planned) if reads else None,
        _keyless_default(loaded, installed, planned) if asks else None,
    )
    defaults = [one for one in found if one is not None]
    picked: dict[Capability, str | Route | FanOut | None] = {one.capability: one.id for one in defaults}
    return Plan(
        planned=(*planned, *defaults),
        skipped=tuple(one for one in skipped if picked.get(one.capability) != one.id),
        choices=choices | picked,
        notice=KEYLESS_NOTICE if "search" in picked else None,
        problem=problem,
        extract_notice=EXTRACT_NOTICE if "extract" in picked else None,
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
        named = key in chosen or (key in tables and _is_tabled(spec, installed))
        if spec is not None:
            if key in chosen and _runs_keyless(loaded, key, table, spec):
                _refuse_keyless_by_project(loaded, key, capability)
            default = capability == "fetch" and key == FETCH_DEFAULT
            keyed = _is_keyed(spec, known.values())
            yield _judged(loaded, installed, key, table, spec, wanted=named or default, keyed=keyed)
        elif table.kind in failed:
            yield _broken(loaded, capability, key, table, failed[table.kind], named=named)


def _is_tabled(spec: ProviderSpec | None, installed: Installed) -> bool:
    """Whether a table of this kind names it in its capability.

    A keyless kind whose name an earlier capability has too is not meant: `[providers.local]` is of the local index.
    """
    if spec is None or not spec.keyless:
        return True
    earlier = CAPABILITIES[: CAPABILITIES.index(spec.capability)]
    return not any(spec.kind in installed.kinds(one) for one in earlier)


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
    loaded: Loaded,
    installed: Installed,
    key: str,
    table: ProviderTable,
    spec: ProviderSpec,
    *,
    wanted: bool,
    keyed: bool,
) -> Planned | Skipped:
    secret = key_ring_of(loaded, key, table, spec)
    if wanted or (keyed and (secret.configured() or secret.trouble is not None)):
        options = options_of(loaded, key, table, spec, also=options_of_kind(installed, spec.kind))
        return Planned(
            capability=spec.capability,
            id=key,
            kind=spec.kind,
            secret=secret,
            pooling=pooling_of(loaded, key, table),
            spec=spec,
            options=options,
        )
    reason = _no_key(secret, key, spec) if keyed and not spec.keyless else _only_named(key, spec)
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


def _no_key(secret: KeyRing, key: str, spec: ProviderSpec) -> str:
    try:
        secret.place()
    except WebError as error:
        return error.message
    without = f"; without one it {_only_named(key, spec)}" if spec.key_optional else ""
    return f"has no key: {secret.hint()}{without}"


# Rules over the whole ----------------------------------------------------------------------------------


def _secrets_problem(loaded: Loaded) -> WebError | None:
    """Why the secrets file cannot be used, where one is configured, or the usual one is there."""
    path = secrets_path(loaded)
    try:
        if loaded.config.secrets.file or os.path.lexists(path):
            read_secrets(path)
    except WebError as error:
        return error
    return None


def _runs_keyless(loaded: Loaded, key: str, table: ProviderTable, spec: ProviderSpec) -> bool:
    """Whether this provider would ask a vendor without a key: it takes none, or none is set."""
    asks_nobody = spec.capability == "fetch" or (spec.capability == "extract" and not spec.key_env)
    if asks_nobody or not (spec.keyless or spec.key_optional):
        return False
    return spec.keyless or not key_ring_of(loaded, key, table, spec).configured()


def _refuse_keyless_by_project(loaded: Loaded, key: str, capability: Capability) -> None:
    """Where the user closed keyless vendors, an untrusted project file does not open one by naming it."""
    if loaded.config.search.keyless:
        return
    by_project = any(path[0] == capability and path[1] != "keyless" for path in loaded.untrusted)
    if by_project and ("search", "keyless") not in loaded.untrusted:
        raise WebError(
            Code.CONFIG_INVALID,
            f'{loaded.project}: a project file may not name the keyless provider "{key}" while your own '
            f"configuration sets search.keyless = false. Name it yourself, or run `webseam config trust`.",
        )


# The product's own choices -----------------------------------------------------------------------------


def _extract_default(loaded: Loaded, installed: Installed, planned: Sequence[Planned]) -> Planned | None:
    """Nothing is configured and no vendor could be asked: pages are read here, which needs nobody's leave."""
    if any(one.capability == "extract" and _could_run(one) for one in planned):
        return None
    return _default(loaded, installed.kinds("extract").get(EXTRACT_DEFAULT))


def _could_run(one: Planned) -> bool:
    spec = one.spec
    if spec is None:
        return False
    keyless = spec.keyless or spec.key_optional or not spec.key_env
    return keyless or one.secret.configured() or one.secret.trouble is not None


def _keyless_default(loaded: Loaded, installed: Installed, planned: Sequence[Planned]) -> Planned | None:
    """Nothing is configured and no key is set: the product's own choice, which says so."""
    if any(one.capability == "search" for one in planned):
        return None
    return _default(loaded, installed.kinds("search").get(KEYLESS_DEFAULT))


def _default(loaded: Loaded, spec: ProviderSpec | None) -> Planned | None:
    """The provider of this kind as it is without a table of its own."""
    if spec is None:
        return None
    table = ProviderTable(kind=spec.kind)
    return Planned(
        capability=spec.capability,
        id=spec.kind,
        kind=spec.kind,
        secret=key_ring_of(loaded, spec.kind, table, spec),
        spec=spec,
        options=options_of(loaded, spec.kind, table, spec),
    )
