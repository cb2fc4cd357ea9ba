"""The installed executable: bytes, pipes, encodings, signals."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from support.cli import EXECUTABLE, Answer, Shell, site
from webseam.core.version import VERSION

HITS = ("search", "hits", "--provider", "odd")


@pytest.mark.req("cli:encoding")
@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii:strict", "LANG": "de_DE.ISO-8859-1"},
    ],
)
def test_output_is_utf8_whatever_the_locale(shell: Shell, env: dict[str, str]) -> None:
    done = shell.spawn(*HITS, env=env)
    assert done.returncode == 0
    assert done.stdout.startswith("1. A ● ✓ 、\n".encode())
    assert b"\r" not in done.stdout


@pytest.mark.req("cli:encoding")
def test_input_is_utf8_whatever_the_locale(shell: Shell) -> None:
    argv = ("search", "-", "--provider", "free")
    env = {"PYTHONIOENCODING": "cp1252"}
    assert shell.spawn(*argv, env=env, stdin=None, input="● ✓\n".encode()).stdout == "● ✓\n".encode()
    bad = shell.spawn(*argv, stdin=None, input=b"\xff\n")
    assert (bad.returncode, bad.stdout) == (2, b"")
    assert b"Standard input is not UTF-8" in bad.stderr


@pytest.mark.req("cli:stdin:lines")
def test_a_file_from_windows_is_read_as_its_lines(shell: Shell) -> None:
    done = shell.spawn("search", "-", "--provider", "free", stdin=None, input=b"\xef\xbb\xbfone\r\n\r\n \r\ntwo\r\n")
    assert (done.returncode, done.stdout) == (0, b"one\ntwo\n")
    marked = shell.spawn("search", "-", "--provider", "free", stdin=None, input=b"\xef\xbb\xbf\r\n")
    assert marked.returncode == 2
    assert b"Standard input is empty" in marked.stderr


@pytest.mark.req("cli:encoding")
@pytest.mark.parametrize("argument", [b"http://a.test/\xff", b"--\xff", b"\xed\xa0\xbd"])
def test_an_argument_that_is_no_text_is_a_clear_usage_error(shell: Shell, argument: bytes) -> None:
    done = shell.spawn("fetch", argument)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"webseam: INVALID_ARGS: Argument 2 is not UTF-8 text.")


@pytest.mark.req("cli:pipe")
@pytest.mark.parametrize("argv", [HITS, (*HITS, "--json"), ("search", "many", "--provider", "odd"), ("--help",)])
def test_a_reader_that_went_away_ends_the_command_quietly(shell: Shell, argv: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = shell.spawn(*argv, capture_output=False, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert done.returncode == 141
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


@pytest.mark.req("cli:pipe")
def test_head_takes_its_line_and_nobody_complains(shell: Shell) -> None:
    line = f"'{EXECUTABLE}' search many --provider odd | head -1"
    done = subprocess.run(  # noqa: S602 - a shell's pipe is the point
        line, shell=True, env=shell.variables(), cwd=shell.desk.cwd, capture_output=True, check=False, timeout=50
    )
    assert done.stdout == b"1. " + b"t" * 200 + b"\n"
    assert b"Error" not in done.stderr


@pytest.mark.req("cli:pipe")
@pytest.mark.parametrize("unbuffered", ["1", ""])
def test_a_reader_that_leaves_amid_a_long_page_is_never_success(shell: Shell, unbuffered: str) -> None:
    shell.desk.user('[fetch]\nprivate_networks = ["127.0.0.0/8"]\n')
    with site(lambda _path: (200, {"Content-Type": "text/plain"}, b"a line of text\n" * 40_000)) as url:
        process = subprocess.Popen(  # noqa: S603 - our own executable
            [EXECUTABLE, "fetch", url],
            env=shell.variables({"PYTHONUNBUFFERED": unbuffered}),
            cwd=shell.desk.cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        assert process.stdout.read(15) == b"a line of text\n"
        process.stdout.close()
        assert process.wait(30) == 141


@pytest.mark.req("cli:unwritable")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_full_disk_is_told_and_exits_1(shell: Shell) -> None:
    with Path("/dev/full").open("wb") as full:
        done = shell.spawn(*HITS, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert b"webseam: the output cannot be written: No space left on device\n" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.req("cli:unwritable")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_file_that_takes_no_more_is_told_and_exits_1(shell: Shell) -> None:
    shell.desk.user('[fetch]\nprivate_networks = ["127.0.0.0/8"]\n')
    with site(lambda _path: (200, {}, b"<p>text")) as url:
        full = shell.spawn("fetch", url, "-o", "/dev/full")
        folder = shell.spawn("fetch", url, "-o", ".")
    assert full.returncode == 1
    assert b"webseam: the output cannot be written: /dev/full: No space left on device\n" in full.stderr
    assert folder.returncode == 2
    assert b"INVALID_ARGS: .: cannot be written (Is a directory). Choose another file.\n" in folder.stderr


@pytest.mark.req("cli:unwritable")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_streams_are_no_reason_to_fail(shell: Shell, closed: str) -> None:
    done = subprocess.run(  # noqa: S602 - closing a descriptor takes a shell
        f"'{EXECUTABLE}' search hits --provider odd {closed}",
        shell=True,
        env=shell.variables(),
        cwd=shell.desk.cwd,
        capture_output=True,
        check=False,
        timeout=50,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.req("cli:interrupt")
def test_ctrl_c_exits_130_without_a_traceback(shell: Shell) -> None:
    shell.desk.user('[fetch]\nprivate_networks = ["127.0.0.0/8"]\n')
    asked, release = threading.Event(), threading.Event()

    def hang(_path: str) -> Answer:
        asked.set()
        release.wait(30)
        return 200, {}, b""

    with site(hang) as url:
        process = subprocess.Popen(  # noqa: S603 - our own executable
            [EXECUTABLE, "fetch", url],
            env=shell.variables(),
            cwd=shell.desk.cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert asked.wait(30)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        release.set()
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err


@pytest.mark.req("cli:interrupt")
def test_ctrl_c_while_the_command_still_loads_is_as_quiet(shell: Shell, tmp_path: Path) -> None:
    early = tmp_path / "early"
    early.mkdir()
    (early / "click.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    done = shell.spawn("--help", env={"PYTHONPATH": str(early)})
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.req("cli:module")
def test_python_m_webseam_is_the_command(shell: Shell) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "webseam", "--version"],
        env=shell.variables(),
        capture_output=True,
        check=False,
        timeout=50,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"webseam {VERSION}\n".encode(), b"")


@pytest.mark.req("cli:completion")
def test_the_shell_gets_completions(shell: Shell) -> None:
    env = {"_WEBSEAM_COMPLETE": "bash_complete", "COMP_WORDS": "webseam se", "COMP_CWORD": "1"}
    assert b"search" in shell.spawn(env=env).stdout


@pytest.mark.req("cli:errors:exit-codes")
def test_the_two_refusals_that_scripts_look_for(shell: Shell) -> None:
    blocked = shell.spawn("fetch", "http://127.0.0.1:1/")
    assert (blocked.returncode, blocked.stdout) == (4, b"")
    assert b"WEB_BLOCKED_URL" in blocked.stderr
    missing = shell.spawn("search", "x", "--provider", "nope")
    assert missing.returncode == 3
    assert b"WEB_PROVIDER_CONFIGURED_MISSING" in missing.stderr


@pytest.mark.req("cli:deleted-folder")
def test_a_deleted_folder_is_no_reason_to_fail(shell: Shell) -> None:
    done = subprocess.run(  # noqa: S602 - only a shell can leave the floor it stands on
        f"mkdir gone && cd gone && rmdir ../gone && '{EXECUTABLE}' search kelp --provider free",
        shell=True,
        env=shell.variables(),
        cwd=shell.desk.cwd,
        capture_output=True,
        check=False,
        timeout=50,
    )
    assert (done.returncode, done.stdout) == (0, b"kelp\n")
