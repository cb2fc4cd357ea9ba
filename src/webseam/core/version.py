"""The version, written once more in pyproject.toml; a test holds the two together."""

from typing import Final

VERSION: Final = "0.1.0"
