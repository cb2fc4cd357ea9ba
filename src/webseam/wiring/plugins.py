"""Plugins: provider kinds found through entry points; one that fails to load breaks nobody else and says why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from operator import itemgetter
from typing import Any, Final, TypeAlias, get_args

from webseam.core.plugin import ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import Capability

CAPABILITIES: Final[tuple[Capability, ...]] = get_args(Capability)
OWN: Final = "webseam"
Discover: TypeAlias = Callable[[], EntryPoints]
"""Reads the entry points of the installation; tests hand in their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One entry point: its `spec`, or the `problem` that kept it from loading."""

    capability: Capability
    name: str
    distribution: str
    spec: ProviderSpec | None = None
    problem: str | None = None

    @property
    def id(self) -> str:
        """What `plugins.disabled` calls it."""
        return f"{self.capability}:{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What loaded, and the names of all kinds that are installed, loaded or not."""

    plugins: tuple[Plugin, ...]
    names: frozenset[str]

    def kinds(self, capability: Capability) -> dict[str, ProviderSpec]:
        """The kinds of a capability that loaded, by name."""
        return {one.name: one.spec for one in self.plugins if one.capability == capability and one.spec is not None}

    def failures(self, capability: Capability) -> dict[str, str]:
        """The kinds of a capability that did not load, and why; a kind that another distribution loaded is none."""
        known = self.kinds(capability)
        return {
            one.name: one.problem
            for one in self.plugins
            if one.capability == capability and one.problem is not None and one.name not in known
        }


def load_plugins(
    capabilities: Sequence[Capability] = CAPABILITIES,
    *,
    also: Iterable[str] = (),
    disabled: Iterable[str] = (),
    only: str = "",
    discover: Discover = entry_points,
) -> Installed:
    """Load the provider kinds of the capabilities asked for, and no others, in the order of their names.

    Args:
        capabilities: groups to load: `webseam.search` and so on.
        also: names that are loaded in every group, because the configuration has a table for them.
        disabled: ids such as `search:exa` that are not even imported.
        only: distributions that may contribute, separated by commas (`WEBSEAM_LOAD_PLUGINS`); empty: all.
        discover: reads the installation.
    """
    closed = frozenset(disabled)
    allowed = frozenset(_normal(name) for name in only.split(",") if name.strip())
    tabled = frozenset(also)
    installed = discover()
    found: list[Plugin] = []
    names: set[str] = set()
    owners: dict[Any, str] = {}
    for capability in CAPABILITIES:
        points: dict[str, dict[str, EntryPoint]] = {}
        for point in installed.select(group=f"webseam.{capability}"):
            if point.dist not in owners:  # asked once: each time all of its metadata is parsed
                owners[point.dist] = "" if point.dist is None else point.dist.name
            points.setdefault(point.name, {}).setdefault(owners[point.dist], point)
        names.update(points)
        for name in sorted(points):
            if capability in capabilities or name in tabled:
                found.extend(_plugins(capability, points[name], closed, allowed))
    return Installed(plugins=tuple(found), names=frozenset(names))


def _plugins(
    capability: Capability, points: Mapping[str, EntryPoint], closed: frozenset[str], allowed: frozenset[str]
) -> Iterable[Plugin]:
    """The plugins of one name, by owner. One that two distributions claim is the product's, or nobody's."""
    for owner, point in sorted(points.items(), key=itemgetter(0)):
        bare = Plugin(capability=capability, name=point.name, distribution=owner)
        if bare.id in closed:
            yield _failed(bare, "disabled by plugins.disabled")
        elif allowed and _normal(owner) not in allowed:
            yield _failed(bare, "left out by WEBSEAM_LOAD_PLUGINS")
        elif len(points) > 1 and owner != OWN:
            others = ", ".join(sorted(points.keys() - {owner}))
            yield _failed(bare, f"the name is also claimed by {others}; rename it, or uninstall one of them")
        else:
            yield _loaded(bare, point)


def _loaded(bare: Plugin, point: EntryPoint) -> Plugin:
    try:
        spec = point.load()
    except (Exception, SystemExit) as exc:  # noqa: BLE001 - a plugin's fault must not take the other providers down
        return _failed(bare, f"does not import ({type(exc).__name__}: {one_line(str(exc))})")
    if not isinstance(spec, ProviderSpec):
        return _failed(bare, f"is no ProviderSpec but {type(spec).__name__}")
    if (spec.capability, spec.kind) != (bare.capability, bare.name):
        return _failed(bare, f"its ProviderSpec is {spec.capability}:{spec.kind}, not {bare.id}")
    if spec.options is not None and (problem := _options_problem(spec.options)):
        return _failed(bare, problem)
    return Plugin(capability=bare.capability, name=bare.name, distribution=bare.distribution, spec=spec)


def _options_problem(options: type) -> str | None:
    if not hasattr(options, "__struct_fields__"):
        return "its options are no msgspec.Struct class"
    try:
        options()
    except TypeError as exc:
        return f"its options need a default for every field ({one_line(str(exc))})"
    return None


def _failed(bare: Plugin, problem: str) -> Plugin:
    return Plugin(capability=bare.capability, name=bare.name, distribution=bare.distribution, problem=problem)


def _normal(name: str) -> str:
    """Distribution names compare without case, and with dash, dot and underscore alike (PEP 503)."""
    return name.strip().lower().replace("_", "-").replace(".", "-")
