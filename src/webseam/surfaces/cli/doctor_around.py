"""What is around webseam on this machine: keys, trust, names, folders, extras; read, never dialled."""

import os
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.net.trust import tls_context
from webseam.wiring.config import Loaded
from webseam.wiring.key_store import accounts

EXTRAS: Final = {
    "office": (("mammoth", "python_calamine"), "DOCX and spreadsheets as Markdown"),
    "mcp": (("mcp",), "the MCP server"),
    "keyring": (("keyring",), "keys in the system's keyring"),
    "telemetry": (("opentelemetry",), "spans and metrics by OpenTelemetry"),
    "main": (("trafilatura",), "a second engine for main content"),
    "serve": (("mcp", "prometheus_client"), "the HTTP gateway"),
    "ray": (("ray",), "batches over many machines, on Ray"),
    "fleet": (("valkey",), "state that several gateways share, on Valkey or Redis"),
    "testing": (("dns", "trustme"), "the contract kit and the hostile web for tests of your own provider"),
}
"""What each extra of `pyproject.toml` needs to be there, and what it gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """`told` is plain data by section; `problems` refuse calls, `warnings` do not."""

    told: dict[str, Any] = field(default_factory=dict)
    problems: tuple[WebError, ...] = ()
    warnings: tuple[str, ...] = ()


def surroundings(loaded: Loaded) -> Around:
    """All that can be known without dialling; a part that fails is told and ends nothing."""
    parts = (_keys(loaded), _tls(loaded), _names(loaded), _folders(loaded), _telemetry(loaded), _extras())
    return Around(
        told={name: value for part in parts for name, value in part.told.items()},
        problems=tuple(one for part in parts for one in part.problems),
        warnings=tuple(one for part in parts for one in part.warnings),
    )


def _keys(loaded: Loaded) -> Around:
    rows: list[dict[str, Any]] = []
    warnings: dict[str, None] = {}
    for one in accounts(loaded):
        try:
            places = one.ring.places()
        except WebError as error:  # a secrets file is a problem of the plan already; a keyring is told here
            warnings[error.message] = None
            continue
        if places:
            rows.append({"provider": one.id, "places": list(places)})
    return Around(told={"keys": rows}, warnings=tuple(warnings))


def _tls(loaded: Loaded) -> Around:
    bundle = loaded.config.fetch.ca_bundle
    source = bundle or os.environ.get("SSL_CERT_FILE") or "the system's store"
    try:
        roots = tls_context(bundle or None).cert_store_stats()["x509_ca"]
    except WebError as error:
        return Around(told={"tls": {"trusts": source, "roots": 0}}, problems=(error,))
    folder = "" if bundle else ssl.get_default_verify_paths().capath
    told = {"tls": {"trusts": source, "roots": roots, **({"folder": folder} if folder else {})}}
    if roots or folder:
        return Around(told=told)
    way = "Install your system's CA certificates, or set SSL_CERT_FILE or fetch.ca_bundle."
    return Around(told=told, warnings=(f"No certificate is trusted, so no https page can be read. {way}",))


def _names(loaded: Loaded) -> Around:
    return Around(told={"names": list(loaded.config.fetch.nameservers)})


def _folders(loaded: Loaded) -> Around:
    """Folders that are made when something is first kept; what cannot be made is told now."""
    places = {
        "configuration": loaded.places.user_file.parent,
        "data": loaded.places.data,
        "state": loaded.places.state,
    }
    rows = {name: {"path": str(path), "writable": _is_writable(path)} for name, path in places.items()}
    warnings = tuple(
        f"{row['path']}: nothing can be kept here ({name}). Mend its permissions, or name another: {_variable(name)}."
        for name, row in rows.items()
        if not row["writable"]
    )
    return Around(told={"folders": rows}, warnings=warnings)


def _variable(name: str) -> str:
    return "WEBSEAM_CONFIG" if name == "configuration" else f"WEBSEAM_{name.upper()}_DIR"


def _is_writable(path: Path) -> bool:
    """Whether the folder could be written, or made where it is missing."""
    try:
        near = next(one for one in (path, *path.parents) if os.path.lexists(one))
        return near.is_dir() and os.access(near, os.W_OK | os.X_OK)
    except (OSError, ValueError):  # a path that there cannot be
        return False


def _telemetry(loaded: Loaded) -> Around:
    """Spans that nobody sends are lost without a word: the API alone is a no-op."""
    if not loaded.config.telemetry.enabled or find_spec("opentelemetry") is None or find_spec(_SDK) is not None:
        return Around()
    return Around(warnings=(_NO_SDK,))


_SDK: Final = "opentelemetry.sdk"
_NO_SDK: Final = (
    "telemetry.enabled is on and no OpenTelemetry SDK is installed here, so spans and metrics go nowhere. Start "
    "webseam in an application that has one, or under opentelemetry-instrument."
)


def _extras() -> Around:
    rows = {
        name: {
            "installed": all(find_spec(module) is not None for module in modules),
            "gives": gives,
            "install": f'pip install "webseam[{name}]"',
        }
        for name, (modules, gives) in EXTRAS.items()
    }
    return Around(told={"extras": rows})


def lines_of(report: dict[str, Any]) -> Iterator[str]:
    """The same for people."""
    keys = ", ".join(f"{row['provider']} ({row['places'][0]})" for row in report["keys"])
    yield f"keys: {keys or 'none; `webseam keys set ID` keeps one'}"
    tls = report["tls"]
    count = f"{tls['roots']} roots" if tls["roots"] else f"roots in {tls['folder']}" if "folder" in tls else "no roots"
    yield f"TLS trusts: {tls['trusts']}, {count}"
    yield f"names: {'asked of ' + ', '.join(report['names']) if report['names'] else 'as the system resolves them'}"
    for name, row in report["folders"].items():
        yield f"{name} folder: {row['path']}{'' if row['writable'] else ' (cannot be written)'}"
    for name, row in report["extras"].items():
        way = "installed" if row["installed"] else f"not installed: {row['install']}"
        yield f"extra {name}: {way}; gives {row['gives']}"
