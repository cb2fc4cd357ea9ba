"""One layer of configuration at a time: a nested mapping becomes checked values by path, every fault a message."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path as FilePath
from typing import Any, Final, Literal, TypeAlias

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.text import one_line
from webseam.wiring.places import expanded
from webseam.wiring.provider_values import seam_value
from webseam.wiring.schema import CHOICES, FILES, KEY_SETTINGS, SEAM_KEYS, SECTIONS, Setting, settings
from webseam.wiring.setting_checks import CHECKS, PROVIDER_ID
from webseam.wiring.setting_types import Path

LayerName: TypeAlias = Literal["argument", "environment", "project", "user"]
_SHOWN: Final = 60
PRESENT: Final = ""
"""Stands for the key of an empty `[providers.<id>]`, which says no more than that the provider is wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Checked values of one source. `origins` says for people where each came from."""

    name: LayerName
    values: Mapping[Path, Any] = field(repr=False)
    origins: Mapping[Path, str]
    problems: tuple[WebError, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a layer is read from: `label` stands in front of every message; paths are relative to `base`."""

    name: LayerName
    label: str
    base: FilePath
    home: FilePath


def dotted(path: Path) -> str:
    """The path as it is written in messages."""
    return ".".join(part for part in path if part)


def invalid(label: str, path: Path, found: str, allowed: str, hint: str = "") -> WebError:
    """`WEB_CONFIG_INVALID` with the place, what was found, and what is allowed."""
    place = f"{label}: {dotted(path)}" if path else label
    tail = f" {hint}" if hint else ""
    return WebError(Code.CONFIG_INVALID, f"{place}: found {found}; allowed: {allowed}.{tail}")


def nearest(name: str, known: Sequence[str]) -> str:
    """A question that names the known word closest to `name`, or nothing."""
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    return f'Did you mean "{near[0]}"?' if near else ""


def check_layer(data: Mapping[str, Any], source: Source) -> Layer:
    """Check a nested mapping; what is wrong is left out and told in `problems`, what is blank is left out."""
    values: dict[Path, Any] = {}
    problems: list[WebError] = []
    for path, value in _leaves(data, source, problems):
        try:
            checked = check_value(path, value, source)
        except WebError as error:
            problems.append(error)
        else:
            if not _is_blank(path, checked):
                values[path] = checked
    problems.extend(_several_choices(values, source))
    problems.extend(_several_keys(values, source))
    return Layer(
        name=source.name,
        values=values,
        origins=dict.fromkeys(values, source.label),
        problems=tuple(problems),
    )


def _leaves(data: Mapping[str, Any], source: Source, problems: list[WebError]) -> Iterator[tuple[Path, Any]]:
    for section, table in data.items():
        if section not in SECTIONS and section != "providers":
            known = [*SECTIONS, "providers"]
            problems.append(
                invalid(source.label, (str(section),), "an unknown table", _listed(known), nearest(str(section), known))
            )
        elif not isinstance(table, Mapping):
            problems.append(invalid(source.label, (section,), shown(table), f"a table, [{section}]"))
        elif section == "providers":
            yield from _provider_leaves(table, source, problems)
        else:
            yield from (((section, str(name)), value) for name, value in table.items())


def _provider_leaves(tables: Mapping[str, Any], source: Source, problems: list[WebError]) -> Iterator[tuple[Path, Any]]:
    for key, table in tables.items():
        path = ("providers", str(key))
        if not PROVIDER_ID.fullmatch(str(key)):
            problems.append(invalid(source.label, path, "this id", "lower-case letters, digits, dot, dash, underscore"))
        elif not isinstance(table, Mapping):
            problems.append(invalid(source.label, path, shown(table), f"a table, [providers.{key}]"))
        else:
            set_here = {str(name): value for name, value in table.items() if value != ""}
            if PRESENT in set_here:
                problems.append(invalid(source.label, (*path, '""'), "an unknown key", "a key with a name"))
            yield from (((*path, name), value) for name, value in (set_here or {PRESENT: True}).items())


def check_value(path: Path, value: Any, source: Source) -> Any:
    """One value as its setting's type.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    if path[0] == "providers":
        return _provider_value(path, value, source)
    setting = settings().get(path)
    if setting is None:
        names = [name for section, name in settings() if section == path[0]]
        raise invalid(source.label, path, "an unknown key", _listed(names), nearest(path[1], names))
    if isinstance(value, str) and not value.strip() and isinstance(setting.default, str):
        return ""
    checked = _converted(path, value, setting, source)
    if path in FILES and checked:
        return str(expanded(checked, source.home, source.base))
    return checked


def _converted(path: Path, value: Any, setting: Setting, source: Source) -> Any:
    try:
        checked = msgspec.convert(value, setting.kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as exc:
        raise invalid(source.label, path, shown(value), setting.allowed) from exc
    find_fault, allowed = CHECKS.get(path, (None, ""))
    fault = None if find_fault is None else find_fault(checked)
    if fault is not None:
        raise invalid(source.label, path, shown(fault), allowed)
    return checked


def _provider_value(path: Path, value: Any, source: Source) -> Any:
    """The seam's own keys of a provider's table; the kind's options are checked against its struct in `catalogue`."""
    name = path[2]
    if name not in SEAM_KEYS:
        return value
    try:
        return seam_value(name, value)
    except ValueError as exc:
        found = type(value).__name__ if name in ("key", "keys") else shown(value)
        raise invalid(source.label, path, found, str(exc)) from exc


def _is_blank(path: Path, value: Any) -> bool:
    """Blank text is unset everywhere; so are routes without members. Another empty list is a value: it closes."""
    if isinstance(value, str):
        return not value.strip()
    if path[0] != "providers" and path[1] in CHOICES:
        return not any(member.strip() for member in value)
    return False


def _several_choices(values: Mapping[Path, Any], source: Source) -> Iterator[WebError]:
    for section in SECTIONS:
        named = [name for name in CHOICES if (section, name) in values]
        if len(named) > 1:
            yield invalid(source.label, (section,), " and ".join(named), "one of provider, route and fanout")


def _several_keys(values: Mapping[Path, Any], source: Source) -> Iterator[WebError]:
    """Several keys stand alone: beside a single one nobody could tell which are meant."""
    ids = dict.fromkeys(path[1] for path in values if path[0] == "providers")
    for key in ids:
        named = [name for name in KEY_SETTINGS if ("providers", key, name) in values]
        if len(named) > 1 and named != ["key", "key_env"]:
            yield invalid(
                source.label, ("providers", key), " and ".join(named), "one of key, keys, key_env and keys_env"
            )


def shown(value: Any) -> str:
    """A value for a message: short, on one line, with its type where that is the fault."""
    if isinstance(value, str):
        return one_line(f'"{value}"', limit=_SHOWN)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a table"
    return one_line(str(list(value)) if isinstance(value, tuple) else str(value), limit=_SHOWN)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
