"""server.json is what the MCP registry takes, and what it starts is our command: its format of 2025-12-11."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from support.registry_entry import PUBLISHER, command_line, faults
from webseam.core.version import VERSION

ROOT = Path(__file__).parents[2]
ENTRY: dict[str, Any] = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
"""What the package shows on PyPI; `tests/test_wheel.py` looks at a built one."""

PACKAGE = "packages.0."
FAULTS: list[tuple[str, Any, str]] = [
    ("$schema", "https://static.modelcontextprotocol.io/schemas/2025-07-09/server.schema.json", "$schema:"),
    ("$schema", None, "$schema: missing"),
    ("name", "webseam", "name:"),
    ("name", "io.github.webseam/web/seam", "name:"),
    ("name", "io.github.webseam/webseam-", "name:"),
    ("name", "io.github.other/webseam", "repository:"),
    ("name", "io.github.webseam/webs", "readme:"),
    ("description", "x" * 101, "description:"),
    ("description", " ", "description:"),
    ("title", "x" * 101, "title:"),
    ("version", "latest", "version:"),
    ("version", "^0.1.0", "version:"),
    ("version", ">=0.1", "version:"),
    ("version", "0.1.x", "version:"),
    ("version", "0.*", "version:"),
    ("version", "0.1 - 0.2", "version:"),
    ("version", "0.1 || 0.2", "version:"),
    ("version", "0." + "1" * 260, "version:"),
    ("version", 1, "version: not a str"),
    ("websiteUrl", "http://a.test", "websiteUrl:"),
    ("websiteUrl", "webseam.test", "websiteUrl:"),
    ("status", "active", "status: unknown"),
    ("repository.url", "https://github.com/webseam", "repository:"),
    ("repository.url", None, "repository.url: missing"),
    ("_meta", {"other": {}}, "_meta:"),
    ("_meta", {PUBLISHER: {"note": "x" * 5_000}}, "_meta:"),
    ("packages", [7], "packages[0].: no object"),
    (PACKAGE + "registry_type", "pypi", "packages[0].registry_type: unknown"),
    (PACKAGE + "registryType", "npm", "packages[0]:"),
    (PACKAGE + "registryBaseUrl", "https://pypi.example", "packages[0]:"),
    (PACKAGE + "identifier", "webseam[mcp]", "packages[0].identifier:"),
    (PACKAGE + "version", "latest", "packages[0].version:"),
    (PACKAGE + "version", None, "packages[0].version: missing"),
    (PACKAGE + "runtimeHint", None, "packages[0].runtimeHint:"),
    (PACKAGE + "transport", {"type": "stdio", "url": "https://a.test"}, "packages[0].transport:"),
    (PACKAGE + "runtimeArguments.0.name", "--with webseam", "packages[0].runtimeArguments[0].name:"),
    (PACKAGE + "runtimeArguments.0.name", None, "packages[0].runtimeArguments[0].name:"),
    (PACKAGE + "runtimeArguments.0.value", "--with=webseam[mcp]", "packages[0].runtimeArguments[0].value:"),
    (PACKAGE + "packageArguments.0.value", None, "packages[0].packageArguments[0]:"),
    (PACKAGE + "packageArguments.0.type", "flag", "packages[0].packageArguments[0].type:"),
    (PACKAGE + "environmentVariables.0.name", "EXA API KEY", "packages[0].environmentVariables:"),
    (PACKAGE + "environmentVariables.0.name", "WEBSEAM_SEARCH_PROVIDER", "packages[0].environmentVariables:"),
    (PACKAGE + "environmentVariables.0.value", "sk-1", "packages[0].environmentVariables:"),
    (PACKAGE + "environmentVariables.0.isSecret", "yes", "packages[0].environmentVariables[0].isSecret: not a bool"),
]


def with_change(path: str, value: Any) -> dict[str, Any]:
    """Our entry with another value at `path`, or without what stands there."""
    entry = deepcopy(ENTRY)
    *folders, name = path.split(".")
    inside: Any = entry
    for one in folders:
        inside = inside[int(one) if one.isdigit() else one]
    if value is None:
        del inside[name]
    else:
        inside[name] = value
    return entry


@pytest.mark.req("mcp:docs:registry-format")
def test_the_registry_finds_no_fault_with_our_entry() -> None:
    assert faults(ENTRY, README) == []


@pytest.mark.req("mcp:docs:registry-format")
@pytest.mark.parametrize(("path", "value", "told"), FAULTS, ids=[f"{one[0]}-{n}" for n, one in enumerate(FAULTS)])
def test_the_registrys_rules_are_held_to(path: str, value: Any, told: str) -> None:
    assert any(one.startswith(told) for one in faults(with_change(path, value), README))


@pytest.mark.req("mcp:docs:registry-format")
def test_an_entry_may_carry_what_its_publisher_says() -> None:
    assert faults(with_change("_meta", {PUBLISHER: {"tool": "make"}}), README) == []


@pytest.mark.req("mcp:docs:registry-format")
def test_what_a_client_runs_for_the_entry_brings_the_extra_and_is_the_documented_command() -> None:
    (package,) = ENTRY["packages"]
    assert command_line(package) == ["uvx", "--with", f"webseam[mcp]=={VERSION}", f"webseam@{VERSION}", "mcp"]
