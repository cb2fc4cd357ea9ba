from pathlib import Path

import pytest

from support.wiring import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A user's home, project and environment, empty."""
    return Desk(tmp_path)
