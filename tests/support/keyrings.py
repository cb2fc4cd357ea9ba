"""A keyring for tests: a real backend of the package `keyring`, kept in one file."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.compat import properties
from keyring.errors import KeyringLocked

FILE = "WEBSEAM_TEST_KEYRING"
BACKEND = "support.keyrings.FileKeyring"


class FileKeyring(KeyringBackend):
    """Keeps passwords in the file that `WEBSEAM_TEST_KEYRING` names; a file that holds `locked` is locked."""

    @properties.classproperty
    def priority(cls) -> float:  # noqa: N805 - a property of the class
        """Nobody gets this one who did not ask for it."""
        if FILE not in os.environ:
            raise RuntimeError("not asked for")
        return 1

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the package has no types there
        self.path = path or Path(os.environ[FILE])

    def _held(self) -> dict[str, str]:
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else "{}"
        if text == "locked":
            raise KeyringLocked("the collection is locked. Ask again.")
        held: dict[str, str] = json.loads(text)
        return held

    def get_password(self, service: str, username: str) -> str | None:
        return self._held().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self.path.write_text(json.dumps(self._held() | {f"{service}/{username}": password}), encoding="utf-8")

    def delete_password(self, service: str, username: str) -> None:
        held = self._held()
        del held[f"{service}/{username}"]
        self.path.write_text(json.dumps(held), encoding="utf-8")
