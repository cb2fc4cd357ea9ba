"""`-o FILE`: what stdout would get, whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from support.cli import Answer, Shell, site

HITS = ("search", "hits", "--provider", "odd")


@pytest.mark.req("cli2:output")
@pytest.mark.parametrize(
    "argv",
    [
        HITS,
        ("search", "surrogate", "--provider", "odd"),
        ("config", "show"),
        ("keys", "list", "--all"),
    ],
)
def test_a_file_holds_the_bytes_that_stdout_would(shell: Shell, argv: tuple[str, ...]) -> None:
    shown = shell.spawn(*argv)
    kept = shell.spawn(*argv, "-o", "out")
    assert (kept.returncode, kept.stdout) == (shown.returncode, b"")
    written = (shell.desk.cwd / "out").read_bytes()
    assert written == shown.stdout
    assert stat.S_IMODE((shell.desk.cwd / "out").stat().st_mode) == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.req("cli2:output")
def test_a_failure_leaves_the_file_that_was_there(shell: Shell) -> None:
    file = shell.desk.cwd / "out"
    file.write_text("before", encoding="utf-8")
    file.chmod(0o640)
    assert shell.run("search", "broken", "--provider", "odd", "-o", "out").code != 0
    assert file.read_text(encoding="utf-8") == "before"
    assert shell.run(*HITS, "-o", "out").code == 0
    assert "https://a.test/" in file.read_text(encoding="utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [one.name for one in shell.desk.cwd.iterdir() if one.is_file()] == ["out"]


@pytest.mark.req("cli2:output")
def test_a_search_without_hits_is_an_empty_file(shell: Shell) -> None:
    assert shell.run("search", "none", "--provider", "odd", "-o", "out").code == 0
    assert (shell.desk.cwd / "out").read_bytes() == b""


@pytest.mark.req("cli2:output")
@pytest.mark.parametrize("place", ["no/such/out", "", " ", "a\x00b"])
def test_a_place_that_there_is_not_is_told_before_anything_is_asked(shell: Shell, place: str) -> None:
    asked: list[str] = []

    def answer(path: str) -> Answer:
        asked.append(path)
        return 200, {}, b"<p>x"

    with site(answer) as url:
        shell.desk.user('[fetch]\nprivate_networks = ["127.0.0.0/8"]\n')
        ran = shell.run("fetch", url, "-o", place)
    assert (ran.code, ran.out, asked) == (2, "", [])
    assert shell.run(*HITS, "-o", place).code == 2


@pytest.mark.req("cli2:output")
def test_a_link_stays_a_link_and_a_device_is_written_to(shell: Shell) -> None:
    (shell.desk.cwd / "real").write_text("", encoding="utf-8")
    (shell.desk.cwd / "out").symlink_to("real")
    assert shell.run(*HITS, "-o", "out").code == 0
    assert (shell.desk.cwd / "out").is_symlink()
    assert "https://a.test/" in (shell.desk.cwd / "real").read_text(encoding="utf-8")
    assert shell.run(*HITS, "-o", os.devnull).code == 0
    assert Path(os.devnull).is_char_device()
    assert shell.spawn(*HITS, "-o", "/dev/stdout").stdout.endswith(b"https://b.test/\n")


@pytest.mark.req("cli2:output")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_full_disk_exits_1(shell: Shell) -> None:
    ran = shell.run(*HITS, "-o", "/dev/full")
    assert (ran.code, ran.out) == (1, "")
    assert "the output cannot be written: /dev/full: No space left on device" in ran.err
