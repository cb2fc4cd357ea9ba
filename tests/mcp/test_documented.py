"""What README, docs/mcp.md and server.json tell clients is what the command and the table of tools are."""

import base64
import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import click
import pytest
from mcp import Client

from support.provider_table import built_in
from support.tools import ScriptedSearch
from webseam import Toolset, ToolSettings, Web
from webseam.core.limits import EXTRACT_SECONDS, FETCH_SECONDS, SEARCH_SECONDS
from webseam.core.version import VERSION
from webseam.surfaces.cli.mcp import EXAMPLES, command
from webseam.surfaces.mcp.clients import TEXT_ALONE
from webseam.surfaces.mcp.server import NAME, WEBSITE, make_server
from webseam.tools.schema import definitions
from webseam.wiring.schema import settings
from webseam.wiring.sources import variable_of

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
REGISTRY: dict[str, Any] = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
WRITE = bool(os.environ.get("WEBSEAM_WRITE_DOCS"))
"""Read before the tests' environment is scrubbed."""

START = ["--from", "webseam[mcp]", "webseam", "mcp"]
CLIENTS = ("Claude Code", "Claude Desktop", "Cursor", "VS Code", "Codex", "Gemini CLI", "Zed")
HOLDERS = {"VS Code": "servers", "Codex": "mcp_servers", "Zed": "context_servers"}
TYPED = {"Cursor", "VS Code"}
"""Whose documentation has `type` among what is required."""
FILES = {
    "Claude Code": ".mcp.json",
    "Claude Desktop": "claude_desktop_config.json",
    "Cursor": "~/.cursor/mcp.json",
    "VS Code": ".vscode/mcp.json",
    "Codex": "~/.codex/config.toml",
    "Gemini CLI": "~/.gemini/settings.json",
    "Zed": "settings.json",
}


def block_of(client: str) -> dict[str, Any]:
    """The configuration under a client's name; TOML for Codex alone."""
    found = re.search(rf"^\*\*{client}\*\*(.*?)^```(json|toml)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert found is not None, client
    assert f"`{FILES[client]}`" in found[1]
    assert (found[2] == "toml") is (client == "Codex")
    return json.loads(found[3]) if found[2] == "json" else tomllib.loads(found[3])


def variables() -> set[str]:
    """Every key's usual variable, and every setting's."""
    return {name for spec in built_in() for name in spec.key_env} | {variable_of(path) for path in settings()}


def understood(argv: list[str]) -> None:
    """The command takes these arguments."""
    command.make_parser(click.Context(command)).parse_args(list(argv))


@pytest.mark.req("mcp:docs:clients")
@pytest.mark.parametrize("client", CLIENTS)
def test_each_clients_block_starts_the_command_with_variables_that_exist(client: str) -> None:
    config = block_of(client)
    assert list(config) == [HOLDERS.get(client, "mcpServers")]
    (name, entry), *others = next(iter(config.values())).items()

    assert (name, others) == (NAME, [])
    assert (entry["command"], entry["args"]) == ("uvx", START)
    assert set(entry.get("env", {})) <= variables()
    timeouts = {name: entry.pop(name) for name in ("startup_timeout_sec", "tool_timeout_sec") if name in entry}
    assert set(entry) <= {"type", "command", "args", "env"}
    assert entry.get("type") == ("stdio" if client in TYPED else None)
    assert timeouts == ({"startup_timeout_sec": 60, "tool_timeout_sec": 90} if client == "Codex" else {})
    understood(entry["args"][START.index("mcp") + 1 :])


@pytest.mark.req("mcp:docs:clients")
def test_a_client_that_waits_for_an_answer_waits_longer_than_a_search_may_take() -> None:
    entry = block_of("Codex")["mcp_servers"][NAME]
    assert entry["tool_timeout_sec"] > max(SEARCH_SECONDS, FETCH_SECONDS, EXTRACT_SECONDS)


@pytest.mark.req("mcp:docs:clients")
def test_the_page_that_each_block_was_compared_with_is_named_with_the_day() -> None:
    assert re.search(r"on \d{4}-\d\d-\d\d:\n\n\| client \| page \|\n", GUIDE)
    assert tuple(re.findall(r"^\| ([^|]+) \| <https://[\w.-]+/[\w./-]+> \|$", GUIDE, re.MULTILINE)) == CLIENTS


@pytest.mark.req("mcp:docs:clients")
def test_cursors_link_installs_what_its_block_holds() -> None:
    (link,) = re.findall(r"\((cursor://[^)]+)\)", GUIDE)
    asked = parse_qs(urlsplit(link).query)
    entry = json.loads(base64.b64decode(asked["config"][0]))
    assert (asked["name"], entry) == ([NAME], {"type": "stdio", "command": "uvx", "args": START})


@pytest.mark.req("mcp:docs:readers")
def test_the_guide_names_every_client_that_gets_the_text_alone() -> None:
    named = re.search(r"get the text alone: ([^.]+)\.", GUIDE)
    assert named is not None
    assert set(" ".join(named[1].split()).split(", ")) == {
        "Claude Code",
        "Codex",
        "OpenCode",
        "VS Code",
        "Copilot CLI",
        "ChatGPT",
    }
    assert len(TEXT_ALONE) == 6


@pytest.mark.req("mcp:docs:clients")
def test_the_readme_shows_every_form_and_points_to_the_rest() -> None:
    read = {"json": json.loads, "toml": tomllib.loads}
    found = re.findall(r"^```(json|toml)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    blocks = [made for kind, text in found if NAME in next(iter((made := read[kind](text)).values()))]
    plain = {"mcpServers": {NAME: {"command": "uvx", "args": START}}}
    assert blocks == [plain, *map(without_keys, map(block_of, ("VS Code", "Codex", "Zed")))]
    assert "(docs/mcp.md)" in README
    assert all(client in README and FILES[client] in README for client in CLIENTS)


def without_keys(config: dict[str, Any]) -> dict[str, Any]:
    """A block without the example of a key."""
    for entry in (one for servers in config.values() for one in servers.values()):
        if entry.get("env"):
            del entry["env"]
    return config


@pytest.mark.req("mcp:docs:clients")
def test_the_shown_commands_are_understood() -> None:
    shown = list(re.findall(r"^webseam mcp([^#\n]*)", GUIDE, re.MULTILINE))
    shown += [one.removeprefix("webseam mcp") for one in EXAMPLES if one.startswith("webseam mcp")]
    assert len(shown) >= 4
    for line in shown:
        understood(line.split())
    for option in re.findall(r"`(--[a-z-]+)", GUIDE):
        assert option in {name for one in command.params for name in one.opts}, option


@pytest.mark.req("mcp:docs:remote")
def test_the_remote_block_sends_the_token_as_the_server_wants_it() -> None:
    (remote,) = [one for one in re.findall(r"^```json\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL) if '"url"' in one]
    entry = json.loads(remote)["mcpServers"][NAME]
    assert entry["url"].endswith("/mcp")
    assert entry["headers"] == {"Authorization": "Bearer ${WEBSEAM_MCP_TOKEN}"}


def tool_table() -> str:
    rows = ["| tool | argument | type | needed | what it is |", "|---|---|---|---|---|"]
    for tool in definitions(ToolSettings(), "mcp"):
        schema = tool["inputSchema"]
        rows += [
            f"| `{tool['name']}` | `{name}` | {one['type']} | {'yes' if name in schema['required'] else 'no'} | "
            f"{one['description']} |"
            for name, one in schema["properties"].items()
        ]
    return "\n".join(rows)


@pytest.mark.req("mcp:docs:tools")
def test_the_table_of_tools_is_the_servers() -> None:
    before, begin, rest = GUIDE.partition("<!-- tools -->\n")
    written, end, after = rest.partition("\n<!-- /tools -->")
    if WRITE:
        (ROOT / "docs" / "mcp.md").write_text(before + begin + tool_table() + end + after, encoding="utf-8")
    assert written == tool_table()


@pytest.mark.req("mcp:docs:registry")
def test_the_registrys_entry_is_of_this_version_and_starts_the_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (package,) = REGISTRY["packages"]
    assert {REGISTRY["version"], package["version"], project["version"]} == {VERSION}
    assert (REGISTRY["title"], REGISTRY["websiteUrl"], package["identifier"]) == (NAME, WEBSITE, project["name"])
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", REGISTRY["name"])
    assert f"mcp-name: {REGISTRY['name']}" in README  # the registry proves by it whose package this is
    assert 1 <= len(REGISTRY["description"]) <= 100
    (source,) = package["runtimeArguments"]
    # Clients put the package itself behind it, which --from would take for the command.
    assert (source["name"], source["value"]) == ("--with", f"webseam[mcp]=={VERSION}")
    assert package["transport"] == {"type": "stdio"}
    understood([one["value"] for one in package["packageArguments"]][1:])
    assert next(one["value"] for one in package["packageArguments"]) == command.name
    assert {one["name"] for one in package["environmentVariables"]} <= variables()
    assert all(one["isSecret"] is one["name"].endswith("_KEY") for one in package["environmentVariables"])


@pytest.mark.req("mcp:docs:registry")
async def test_the_server_calls_itself_as_the_project_does() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert urls["Source"] == WEBSITE
    web = Web()
    web.register_search(ScriptedSearch())
    async with Client(make_server(Toolset(web))) as client:
        info = client.server_info
        guidance = client.instructions
    assert info is not None
    assert (info.name, info.version, info.website_url) == (NAME, VERSION, WEBSITE)
    assert guidance == Toolset(web).prompt()
    assert len(guidance or "") < 2_500  # clients cut or charge for more
