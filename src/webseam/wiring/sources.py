"""Readers of the layers: TOML files, `WEBSEAM_*` variables, and arguments."""

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.limits import CONFIG_BYTES
from webseam.core.text import one_line
from webseam.wiring.layers import Layer, Source, check_layer, dotted, invalid, nearest, shown
from webseam.wiring.places import FILE_NAME
from webseam.wiring.schema import SECTIONS, Setting, settings

RESERVED: Final = frozenset(
    {"WEBSEAM_CONFIG", "WEBSEAM_DATA_DIR", "WEBSEAM_STATE_DIR", "WEBSEAM_LOAD_PLUGINS", "WEBSEAM_MCP_TOKEN"}
)
"""Variables that are no settings."""

_SERVICE_LINK: Final = re.compile(r"_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\w+)?)$")
"""Kubernetes sets `<NAME>_SERVICE_HOST` and its like for a service called `webseam-search`; they are not ours."""

_SLIP: Final = 0.8
"""Likeness from which another word is a slip for a section: `serch`, `provider`. What is less alike is not ours."""

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO

# Files -------------------------------------------------------------------------------------------------


def read_bounded(path: Path, *, private: bool = False) -> bytes:
    """The bytes of a regular file of at most 256 kB; with `private` one that its owner alone may read.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for anything else: a folder, a device, a pipe, no permission, too large.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            _judge(path, os.fstat(descriptor).st_mode, private=private)
            data = os.read(descriptor, CONFIG_BYTES + 1)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or "not a possible path"
        raise WebError(Code.CONFIG_INVALID, f"{path}: cannot be read ({reason}). Check path and permissions.") from exc
    if len(data) > CONFIG_BYTES:
        raise WebError(Code.CONFIG_INVALID, f"{path}: is larger than {CONFIG_BYTES:,} bytes. Shorten it.")
    return data


def _judge(path: Path, mode: int, *, private: bool) -> None:
    if not stat.S_ISREG(mode):
        raise WebError(Code.CONFIG_INVALID, f"{path}: this is not a regular file. Put a file there, or remove it.")
    if private and os.name == "posix" and mode & _OTHERS:
        raise WebError(Code.CONFIG_INVALID, f"{path}: others may read this file. Run `chmod 600 {path}` and try again.")


def decoded(path: Path, data: bytes) -> str:
    """UTF-8 text; a byte order mark, as some editors write it, is dropped.

    Raises:
        WebError: `WEB_CONFIG_INVALID` naming the offset of the first bad byte.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise WebError(Code.CONFIG_INVALID, f"{path}: is not UTF-8 text (byte {exc.start}). Save it as UTF-8.") from exc


def parse_toml(path: Path, data: bytes) -> dict[str, Any]:
    """The file as nested data.

    Raises:
        WebError: `WEB_CONFIG_INVALID` with line and column.
    """
    try:
        return tomllib.loads(decoded(path, data).replace("\r\n", "\n"))
    except (ValueError, RecursionError) as exc:
        detail = "nested too deeply" if isinstance(exc, RecursionError) else one_line(str(exc))
        raise WebError(Code.CONFIG_INVALID, f"{path}: is not valid TOML: {detail}.") from exc


def project_file(cwd: Path, home: Path) -> Path | None:
    """The nearest `webseam.toml` from `cwd` upwards, not past the folder that holds `.git`, nor past `home`.

    Where neither bounds the walk, only `cwd` itself counts: nobody else's file in a shared folder above it.
    """
    found: Path | None = None
    for folder in (cwd, *cwd.parents):
        if found is None and os.path.lexists(folder / FILE_NAME):
            found = folder / FILE_NAME
        if folder == home or os.path.lexists(folder / ".git"):
            return found
    return found if found == cwd / FILE_NAME else None


# Environment -------------------------------------------------------------------------------------------


def environment_layer(environ: Mapping[str, str], source: Source) -> Layer:
    """`WEBSEAM_SEARCH_PROVIDER` is `search.provider`; lists are separated by commas; blank is unset."""
    data: dict[str, dict[str, Any]] = {}
    names: dict[tuple[str, str], str] = {}
    problems: list[WebError] = []
    for variable, text in sorted(environ.items()):
        path = _setting_of(variable)
        if path is None or not text.strip():
            continue
        try:
            data.setdefault(path[0], {})[path[1]] = _parsed(variable, path, text.strip())
            names[path] = variable
        except WebError as error:
            problems.append(error)
    layer = check_layer(data, source)
    return Layer(
        name="environment",
        values=layer.values,
        origins={path: f"environment {names[path[0], path[1]]}" for path in layer.values},
        problems=(*problems, *layer.problems),
    )


def _setting_of(variable: str) -> tuple[str, str] | None:
    prefix, _, rest = variable.partition("_")
    section, _, name = rest.lower().partition("_")
    if prefix != "WEBSEAM" or variable in RESERVED or _SERVICE_LINK.search(variable):
        return None
    sections = (*SECTIONS, "providers")
    meant = [section] if section in sections else get_close_matches(section, sections, n=1, cutoff=_SLIP)
    return (meant[0], name) if meant else None


def _parsed(variable: str, path: tuple[str, str], text: str) -> Any:
    setting = settings().get(path)
    if setting is None or variable.upper() != variable_of(path):
        names = [variable_of(known) for known in settings() if known[0] == path[0]]
        allowed = ", ".join(names) or "[providers.<id>] in the user's file"
        raise invalid("environment", (), f"the unknown variable {variable}", allowed, nearest(variable, names))
    if setting.is_list:
        return tuple(member.strip() for member in text.split(",") if member.strip())
    return _scalar(variable, path, text, setting)


def _scalar(variable: str, path: tuple[str, str], text: str, setting: Setting) -> Any:
    try:
        return msgspec.convert(text, setting.kind, strict=False)
    except (msgspec.ValidationError, UnicodeEncodeError) as exc:
        raise invalid(f"environment {variable} ({dotted(path)})", (), shown(text), setting.allowed) from exc


def variable_of(path: tuple[str, ...]) -> str:
    """The environment variable of a setting."""
    return "WEBSEAM_" + "_".join(path).upper()
