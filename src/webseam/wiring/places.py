"""Where a user's files live: the XDG base directories, or the platform's own folders."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILE_NAME: Final = "webseam.toml"
_LINUX: Final = {"config": ".config", "data": ".local/share", "state": ".local/state"}
_MAC: Final = dict.fromkeys(_LINUX, "Library/Application Support")


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Folders and files of one user. `named` says that `WEBSEAM_CONFIG` chose the file, so it must exist."""

    user_file: Path
    data: Path
    state: Path
    named: bool = False

    @property
    def trust_file(self) -> Path:
        """Which project files this user trusts."""
        return self.state / "trusted.json"

    @property
    def secrets_file(self) -> Path:
        """Where keys are kept unless `secrets.file` names another file: beside the user's own configuration."""
        return self.user_file.parent / "keys"

    @property
    def keyring_file(self) -> Path:
        """The names of the keys that the system's keyring holds for us; no key."""
        return self.state / "keyring.json"


def find_places(environ: Mapping[str, str], *, home: Path, cwd: Path) -> Places:
    """`WEBSEAM_CONFIG`, `WEBSEAM_DATA_DIR` and `WEBSEAM_STATE_DIR` first, then XDG, then the platform's habit."""
    named = environ.get("WEBSEAM_CONFIG", "").strip()
    user_file = expanded(named, home, cwd) if named else _folder("config", environ, home) / FILE_NAME
    return Places(
        user_file=user_file,
        data=_own("data", environ, home, cwd),
        state=_own("state", environ, home, cwd),
        named=bool(named),
    )


def _own(what: str, environ: Mapping[str, str], home: Path, cwd: Path) -> Path:
    named = environ.get(f"WEBSEAM_{what.upper()}_DIR", "").strip()
    return expanded(named, home, cwd) if named else _folder(what, environ, home)


def _folder(what: str, environ: Mapping[str, str], home: Path) -> Path:
    """The XDG specification ignores a relative path in its variables; so is one here."""
    xdg = Path(environ.get(f"XDG_{what.upper()}_HOME", ""))
    if xdg.is_absolute():
        return xdg / "webseam"
    habits = _MAC if sys.platform == "darwin" else _LINUX
    return home / habits[what] / "webseam"


def expanded(text: str, home: Path, base: Path) -> Path:
    """`~` is the user's home; a relative path starts at `base`."""
    if text == "~" or text.startswith("~/"):
        return home / text[2:]
    return base / text


def here() -> Path:
    """The folder one stands in; a deleted one has no project file, like the root."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path("/")
