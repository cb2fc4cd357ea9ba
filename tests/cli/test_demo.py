"""The demo: the product's main job on a machine without network or key."""

import os
import subprocess
from pathlib import Path

import pytest

from support.cli import EXECUTABLE


def _run(home: Path, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own executable
        [EXECUTABLE, *words],
        env={"PATH": os.environ["PATH"], "HOME": str(home), **environ},
        cwd=home,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=50,
    )


@pytest.mark.req("demo:tour")
def test_the_demo_shows_the_whole_tour_and_exits_0(tmp_path: Path) -> None:
    home = tmp_path / "empty"
    home.mkdir()
    ran = _run(home, "demo")

    assert (ran.returncode, ran.stderr) == (0, "")
    for shown in (
        "indexed http://127.0.0.1:",
        "Sources:",
        "## Seeding",
        "| Harbour master |",
        "Ламинарию",
        "Continue with offset=",
        "WEB_BLOCKED_URL",
        "WEB_UNSUPPORTED_CONTENT_TYPE",
        "HTTP 404",
        '"grounding": "searched"',
    ):
        assert shown in ran.stdout
    assert list(home.iterdir()) == []


@pytest.mark.req("demo:loopback")
def test_the_demo_takes_nothing_from_the_users_configuration(tmp_path: Path) -> None:
    config = tmp_path / "webseam.toml"
    config.write_text("nonsense = 1\n", encoding="utf-8")

    assert _run(tmp_path, "demo", WEBSEAM_CONFIG=str(config)).returncode == 0

    refused = _run(tmp_path / "home", "fetch", "http://127.0.0.1:1/")
    assert refused.returncode == 4
    assert "WEB_BLOCKED_URL" in refused.stderr
