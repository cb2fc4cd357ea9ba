"""The secrets file: where it is, and the `NAME=value` lines in it."""

from pathlib import Path

from webseam.core.errors import Code, WebError
from webseam.wiring.config import Loaded
from webseam.wiring.sources import decoded, read_bounded


def secrets_path(loaded: Loaded) -> Path:
    """The secrets file: the one that `secrets.file` names, else `keys` beside the user's own configuration."""
    named = loaded.config.secrets.file
    return Path(named) if named else loaded.places.secrets_file


def read_secrets(path: Path) -> dict[str, str]:
    """`NAME=value` lines; blank lines and `#` comments pass, one pair of quotes around a value is dropped.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the file cannot be read, is open to others, or holds another line.
    """
    data = read_bounded(path, private=True)
    known: dict[str, str] = {}
    for number, line in enumerate(decoded(path, data).splitlines(), start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            name, value = name_and_value(text)
            if not name:
                raise WebError(Code.CONFIG_INVALID, f"{path}: line {number} is not NAME=value.")
            known[name] = value
    return known


def name_and_value(line: str) -> tuple[str, str]:
    """The two sides of `NAME=value` or `export NAME=value`, as a shell would read it; no name for another line."""
    name, equals, value = line.partition("=")
    *before, named = name.split() or [""]
    return named if equals and before in ([], ["export"]) else "", _unquoted(value.strip())


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
