"""What the MCP registry checks of a `server.json` (format of 2025-12-11) and of the package that it names.

Written from the registry's public documents: its description of the format, its requirements for publishing, and its
page on package types. A fault is told as `place: what is wrong`; where there is none, the registry takes the entry.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
PUBLISHER: Final = "io.modelcontextprotocol.registry/publisher-provided"

_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]")
_RANGE = re.compile(r"\s*(?:\^|~|[<>]=?|=).*|.*\|\|.*|.*\s-\s.*|(?:.*\.)?[xX*](?:\..*)?")
_REPOSITORY = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+/?")
_PYPI_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_INPUT: Final = {"description": str, "isRequired": bool, "format": str, "value": str, "isSecret": bool}
_INPUT_ALL: Final = {**_INPUT, "default": str, "placeholder": str, "choices": list, "variables": dict}
_FIELDS: Final[Mapping[str, Mapping[str, type]]] = {
    "server": {
        **dict.fromkeys(("$schema", "name", "title", "description", "version", "websiteUrl"), str),
        **dict.fromkeys(("repository", "_meta"), dict),
        **dict.fromkeys(("icons", "packages", "remotes"), list),
    },
    "repository": dict.fromkeys(("url", "source", "id", "subfolder"), str),
    "package": {
        **dict.fromkeys(("registryType", "registryBaseUrl", "identifier", "version", "fileSha256", "runtimeHint"), str),
        **dict.fromkeys(("runtimeArguments", "packageArguments", "environmentVariables"), list),
        "transport": dict,
    },
    "argument": {**_INPUT_ALL, "type": str, "name": str, "valueHint": str, "isRepeated": bool},
    "variable": {**_INPUT_ALL, "name": str},
}
_NEEDED: Final = {
    "server": ("$schema", "name", "description", "version", "packages"),
    "repository": ("url", "source"),
    "package": ("registryType", "identifier", "version", "transport"),
    "argument": ("type",),
    "variable": ("name",),
}
_CHARACTERS: Final = {"name": (3, 200), "title": (1, 100), "description": (1, 100), "version": (1, 255)}


def faults(entry: dict[str, Any], readme: str) -> list[str]:
    """All that is wrong with an entry whose packages are on PyPI with `readme` as their description."""
    shape = list(_shape("server", entry))
    return shape or [*_server(entry), *_ownership(entry, readme)]


def command_line(package: Mapping[str, Any]) -> list[str]:
    """What clients run for a package on PyPI: the runtime with its arguments, the package, the package's arguments."""
    before, after = (list(_words(package.get(f"{side}Arguments", ()))) for side in ("runtime", "package"))
    return [package["runtimeHint"], *before, f"{package['identifier']}@{package['version']}", *after]


def _words(arguments: Any) -> Iterator[str]:
    for one in arguments:
        if one["type"] == "named":
            yield one["name"]
        if "value" in one:
            yield one["value"]


def _shape(kind: str, value: object, place: str = "") -> Iterator[str]:
    """Fields that are missing, of a wrong type, or that nobody would read."""
    if not isinstance(value, dict):
        yield f"{place or kind}: no object"
        return
    for name in _NEEDED[kind]:
        if name not in value:
            yield f"{place}{name}: missing"
    for name, one in value.items():
        wanted = _FIELDS[kind].get(name)
        if wanted is None:
            yield f"{place}{name}: unknown"
        elif not isinstance(one, wanted):
            yield f"{place}{name}: not a {wanted.__name__}"
        else:
            yield from _inside(name, one, place)


def _inside(name: str, value: Any, place: str) -> Iterator[str]:
    kinds = {"packages": "package", "environmentVariables": "variable"}
    kinds |= {"runtimeArguments": "argument", "packageArguments": "argument"}
    if name == "repository":
        yield from _shape(name, value, f"{place}{name}.")
    for number, one in enumerate(value if name in kinds else ()):
        yield from _shape(kinds[name], one, f"{place}{name}[{number}].")


def _server(entry: dict[str, Any]) -> Iterator[str]:
    if entry["$schema"] != SCHEMA:
        yield "$schema: not the newest format"
    for name, (least, most) in _CHARACTERS.items():
        if name in entry and not least <= len(entry[name].strip()) <= most:
            yield f"{name}: not {least} to {most} characters"
    if not _NAME.fullmatch(entry["name"]):
        yield "name: not a namespace, one slash and a name"
    yield from _version("version", entry["version"])
    if not _is_https(entry.get("websiteUrl", "https://a.test")):
        yield "websiteUrl: not https"
    yield from _repository(entry)
    yield from _meta(entry.get("_meta", {}))
    for number, one in enumerate(entry["packages"]):
        yield from _package(f"packages[{number}]", one)


def _repository(entry: Mapping[str, Any]) -> Iterator[str]:
    """With a GitHub namespace, the owner proves it by signing in, and the repository is the same owner's."""
    repository = entry.get("repository")
    if repository is None:
        return
    if repository["source"] != "github" or not _REPOSITORY.fullmatch(repository["url"]):
        yield "repository: no repository on GitHub"
    elif entry["name"].partition("/")[0] != "io.github." + urlsplit(repository["url"]).path.split("/")[1]:
        yield "repository: not of the owner that the name says"


def _meta(meta: Mapping[str, Any]) -> Iterator[str]:
    """Other keys would be dropped in silence; more than 4 KB is refused."""
    if set(meta) - {PUBLISHER}:
        yield "_meta: a key that the registry drops"
    if len(json.dumps(meta.get(PUBLISHER, {})).encode()) > 4_096:
        yield "_meta: more than 4 KB"


def _package(place: str, package: Mapping[str, Any]) -> Iterator[str]:
    if package["registryType"] != "pypi" or "registryBaseUrl" in package:  # without one, it is PyPI itself
        yield f"{place}: not on PyPI"
    if not _PYPI_NAME.fullmatch(package["identifier"]):
        yield f"{place}.identifier: no name of a package"
    yield from _version(f"{place}.version", package["version"])
    if package.get("runtimeArguments") and package.get("runtimeHint") != "uvx":
        yield f"{place}.runtimeHint: arguments of a runtime that is not named"
    if package["transport"] != {"type": "stdio"}:
        yield f"{place}.transport: not stdio alone"
    for side in ("runtimeArguments", "packageArguments"):
        for number, one in enumerate(package.get(side, ())):
            yield from _argument(f"{place}.{side}[{number}]", one)
    yield from _variables(f"{place}.environmentVariables", package.get("environmentVariables", ()))


def _argument(place: str, one: Mapping[str, Any]) -> Iterator[str]:
    if one["type"] == "positional":
        if not {"value", "valueHint"} & set(one):
            yield f"{place}: neither value nor valueHint"
    elif one["type"] != "named":
        yield f"{place}.type: neither positional nor named"
    elif not one.get("name") or set("<> $") & set(one["name"]):
        yield f"{place}.name: no flag alone"
    elif one.get("value", "").startswith(one["name"]):
        yield f"{place}.value: repeats its flag"


def _variables(place: str, variables: Any) -> Iterator[str]:
    names = [one["name"] for one in variables]
    if not all(map(_VARIABLE.fullmatch, names)) or len(set(names)) < len(names):
        yield f"{place}: no name of a variable, or one twice"
    if any(one.get("isSecret") and {"value", "default"} & set(one) for one in variables):
        yield f"{place}: a secret that everybody can read"


def _version(place: str, version: str) -> Iterator[str]:
    if version == "latest" or _RANGE.fullmatch(version):
        yield f"{place}: not one version"


def _is_https(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "https" and bool(parts.netloc)


def _ownership(entry: Mapping[str, Any], readme: str) -> Iterator[str]:
    """The description on PyPI names the server: whoever may upload the package agrees to the entry."""
    if entry["name"] not in re.findall(r"mcp-name: ([\w./-]+)", readme):
        yield "readme: no mcp-name of this server"
