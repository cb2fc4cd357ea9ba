"""Configuration: layers read, judged and merged. Argument > environment > project file > user file > default."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.wiring.keyrings import SystemKeyring
from webseam.wiring.layers import PRESENT, Layer, Source, check_layer, dotted
from webseam.wiring.places import Places, find_places, here
from webseam.wiring.schema import CHOICES, KEY_SETTINGS, SEAM_KEYS, SECTIONS, Config, ProviderTable, settings
from webseam.wiring.setting_types import Path
from webseam.wiring.silence import Silence
from webseam.wiring.sources import environment_layer, parse_toml, project_file, read_bounded
from webseam.wiring.trust import is_trusted, loosening

NO_ARGUMENTS: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A configuration and where each value came from, by dotted path; what is not in `origins` is the default.

    `environ` is the live mapping: keys are read from it at each call. `keyring` is the system's, which gives keys last.
    `project` is the project file in force; `untrusted` are the settings that an untrusted one made.
    """

    config: Config
    origins: Mapping[str, str]
    environ: Mapping[str, str] = field(repr=False)
    places: Places
    home: FilePath
    keyring: SystemKeyring = field(repr=False, compare=False)
    project: FilePath | None = None
    untrusted: frozenset[Path] = frozenset()
    problems: tuple[WebError, ...] = ()


def load(
    *,
    arguments: Mapping[str, Any] = NO_ARGUMENTS,
    environ: Mapping[str, str] | None = None,
    cwd: FilePath | None = None,
    home: FilePath | None = None,
    silence: Silence | None = None,
) -> Loaded:
    """Read all layers.

    Args:
        arguments: nested as the file is: `{"search": {"provider": "exa"}}`.
        environ: variables; the process's when None.
        cwd: where the search for a project file starts; the process's when None.
        home: the user's home; `HOME` when None.
        silence: shared by all that one run loads, so that a keyring without an answer is waited for once.

    Raises:
        WebError: `WEB_CONFIG_INVALID`, the first of all problems; `survey` returns them all.
    """
    loaded = survey(arguments=arguments, environ=environ, cwd=cwd, home=home, silence=silence)
    if len(loaded.problems) > 1:
        first, count = loaded.problems[0], len(loaded.problems)
        raise WebError(
            first.code, f"{first.message} One of {count} faults: `webseam config show` tells all."
        ) from first
    if loaded.problems:
        raise loaded.problems[0]
    return loaded


def survey(
    *,
    arguments: Mapping[str, Any] = NO_ARGUMENTS,
    environ: Mapping[str, str] | None = None,
    cwd: FilePath | None = None,
    home: FilePath | None = None,
    silence: Silence | None = None,
) -> Loaded:
    """As `load`, but what is wrong is left out and told in `problems`: for people who look for the fault."""
    variables = os.environ if environ is None else environ
    start = here() if cwd is None else cwd
    own = _home(variables) if home is None else home
    places = find_places(variables, home=own, cwd=start)
    user = _user_layer(places, own)
    file = project_file(start, own)
    project, untrusted = _project_layer(file, user, places, own)
    environment = environment_layer(variables, Source(name="environment", label="environment", base=start, home=own))
    argument = check_layer(arguments, Source(name="argument", label="argument", base=start, home=own))
    layers = (user, project, environment, argument)
    values, origins = merge(layers)
    return Loaded(
        config=to_config(values),
        origins={dotted(path): origin for path, origin in origins.items()},
        environ=variables,
        places=places,
        home=own,
        keyring=SystemKeyring(places.keyring_file, silence),
        project=file if project.values else None,
        untrusted=frozenset(path for path in untrusted if origins.get(path) == project.origins.get(path)),
        problems=tuple(problem for layer in layers for problem in layer.problems),
    )


def _home(environ: Mapping[str, str]) -> FilePath:
    named = FilePath(environ.get("HOME", ""))
    return named if named.is_absolute() else FilePath.home()


def _user_layer(places: Places, home: FilePath) -> Layer:
    if not places.named and not os.path.lexists(places.user_file):
        return Layer(name="user", values={}, origins={})
    source = Source(name="user", label=str(places.user_file), base=places.user_file.parent, home=home)
    return _file_layer(source, places.user_file, lambda _data: None)


def _project_layer(file: FilePath | None, user: Layer, places: Places, home: FilePath) -> tuple[Layer, frozenset[Path]]:
    """The project's layer without what it may not say, and the settings made without trust."""
    none = Layer(name="project", values={}, origins={})
    if file is None or _same(file, places.user_file):
        return none, frozenset()
    trusted = False

    def judge(data: bytes) -> None:
        nonlocal trusted
        trusted = is_trusted(places.trust_file, file, data)

    layer = _file_layer(Source(name="project", label=str(file), base=file.parent, home=home), file, judge)
    if trusted:
        return layer, frozenset()
    baseline = {path: one.default for path, one in settings().items()} | dict(user.values)
    refusals = loosening(file, layer.values, baseline)
    kept = {path: value for path, value in layer.values.items() if not loosening(file, {path: value}, baseline)}
    judged = Layer(
        name="project",
        values=kept,
        origins={path: layer.origins[path] for path in kept},
        problems=(*layer.problems, *refusals),
    )
    return judged, frozenset(kept)


def _file_layer(source: Source, file: FilePath, judge: Callable[[bytes], None]) -> Layer:
    """Read once: what is judged is what is parsed."""
    try:
        data = read_bounded(file)
        judge(data)
        layer = check_layer(parse_toml(file, data), source)
    except WebError as error:
        return Layer(name=source.name, values={}, origins={}, problems=(error,))
    origins = dict.fromkeys(layer.values, f"{source.name} file {file}")
    return Layer(name=source.name, values=layer.values, origins=origins, problems=layer.problems)


def _same(one: FilePath, other: FilePath) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them does not exist, or cannot be looked at: then it is read under its own name
        return False


# Merging -----------------------------------------------------------------------------------------------


def merge(layers: Iterable[Layer]) -> tuple[dict[Path, Any], dict[Path, str]]:
    """Later layers win; one that names providers, or several keys, replaces all that earlier ones said of that."""
    values: dict[Path, Any] = {}
    origins: dict[Path, str] = {}
    for layer in layers:
        for path in layer.values:
            for replaced in _replaced(path):
                values.pop(replaced, None)
                origins.pop(replaced, None)
        values.update(layer.values)
        origins.update(layer.origins)
    return values, origins


def _replaced(path: Path) -> tuple[Path, ...]:
    """Settings that one layer's setting takes the place of."""
    if path[0] in SECTIONS and path[1] in CHOICES:
        return tuple((path[0], name) for name in CHOICES)
    if path[0] != "providers" or path[2] not in KEY_SETTINGS:
        return ()
    single = ("keys", "keys_env")  # `key` and `key_env` may stand beside each other
    return tuple((*path[:2], name) for name in (KEY_SETTINGS if path[2] in single else single))


def to_config(values: Mapping[Path, Any]) -> Config:
    """Sections and provider tables from checked values."""
    tables: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    providers: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        if path[0] == "providers":
            providers.setdefault(path[1], {}).update({} if path[2] == PRESENT else {path[2]: value})
        else:
            tables[path[0]][path[1]] = value
    sections: dict[str, Any] = {section: struct(**tables[section]) for section, struct in SECTIONS.items()}
    return Config(**sections, providers={key: _table(key, table) for key, table in providers.items()})


def _table(key: str, table: dict[str, Any]) -> ProviderTable:
    options = {name: value for name, value in table.items() if name not in SEAM_KEYS}
    seam = {name: value for name, value in table.items() if name in SEAM_KEYS}
    return ProviderTable(**{"kind": key, **seam}, options=options)
