from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cli import Answer, site
from support.wiring import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A user's home, project and environment, empty."""
    return Desk(tmp_path)


@pytest.fixture
def address() -> Iterator[str]:
    """A site on loopback: a page, a redirect to it, one that is not there."""

    def answer(path: str) -> Answer:
        if path.startswith("/from"):
            return 302, {"Location": "/page?token=abc"}, b""
        if path.startswith("/cached"):
            return 200, {"Cache-Control": "max-age=60"}, b"<p>kept</p>"
        return (404 if path == "/gone" else 200), {}, b"<h1>Kelp</h1><p>secret words</p>"

    with site(answer) as url:
        yield url
