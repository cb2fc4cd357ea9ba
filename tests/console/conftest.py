import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.cli import TESTS, Shell
from support.console import ARGUMENTS, CHROMIUM, install_vendors
from support.wiring import Desk

if TYPE_CHECKING:
    from playwright.async_api import Browser


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One event loop for a file's tests: the browser lives in it, and other rooms have loops of their own."""
    return "asyncio"


@pytest.fixture(scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator["Browser"]:
    """One Chromium for a file; each test has a context of its own."""
    api = pytest.importorskip("playwright.async_api", reason="playwright is not installed (dependency group outside)")
    if CHROMIUM is None:
        pytest.skip("no chromium is installed (Debian's package chromium)")
    home = tmp_path_factory.mktemp("browser")
    api.expect.set_options(timeout=30_000)
    env = {"PATH": os.environ.get("PATH", ""), "HOME": str(home)}
    async with api.async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS), env=env)
        try:
            yield found
        finally:
            await found.close()


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A desk with the room's vendors installed."""
    toys = tmp_path / "toys"
    install_vendors(toys)
    monkeypatch.syspath_prepend(toys)
    return Shell(Desk(tmp_path).env(PYTHONPATH=f"{toys}:{TESTS}"))
