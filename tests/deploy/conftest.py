from pathlib import Path

import pytest

from support.cli import TESTS, Shell, install_toys
from support.wiring import Desk


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A desk with the toy vendors installed, in this process and in spawned ones."""
    toys = tmp_path / "toys"
    install_toys(toys)
    monkeypatch.syspath_prepend(toys)
    return Shell(Desk(tmp_path).env(PYTHONPATH=f"{toys}:{TESTS}"))
