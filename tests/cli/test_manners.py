"""What a person does wrong, and odd terminals: a next step on stderr, never a traceback."""

import re
import subprocess
from pathlib import Path

import pytest

from support.cli import EXECUTABLE, Shell, site
from support.command_page import commands
from support.terminal import at_terminal

PATHS = [context.command_path.split()[1:] for context, _ in commands()]


@pytest.mark.req("cli2:manners")
@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("key", "set"), "Did you mean 'keys'?"),
        (("keys", "sett", "exa"), "Did you mean 'set'?"),
        (("config", "initt"), "Did you mean 'init'?"),
        (("complete",), "Did you mean"),
        (("fetch", "--jsnol", "https://a.test/"), "Did you mean '--jsonl'?"),
        (("fetch", "--res", "https://a.test/"), "Did you mean '--resume'?"),
        (("keys", "set"), "Missing argument 'NAME'"),
        (("keys", "list", "extra"), "unexpected extra argument"),
        (("--jsonl",), "No such option '--jsonl'."),
    ],
)
def test_a_slip_gets_the_nearest_word(shell: Shell, argv: tuple[str, ...], said: str) -> None:
    ran = shell.run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "--help`." in ran.err


@pytest.mark.req("cli2:manners")
def test_flags_may_come_behind_the_arguments(shell: Shell) -> None:
    assert shell.run("search", "hits", "--provider", "odd", "--json").json["provider"] == "odd"
    assert shell.run("keys", "list", "--json", "--all").json["file"].endswith("/keys")


@pytest.mark.req("cli2:manners")
@pytest.mark.parametrize("path", PATHS, ids=" ".join)
@pytest.mark.parametrize("bad", ["--nope", "\udcff", "-Z"])
def test_no_command_answers_nonsense_with_a_traceback(shell: Shell, path: list[str], bad: str) -> None:
    ran = shell.run(*path, bad)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("webseam: INVALID_ARGS: ")


@pytest.mark.req("cli2:manners")
@pytest.mark.parametrize("argv", [("config", "show"), ("doctor",), ("keys", "list"), ("providers",)])
def test_a_configuration_with_a_byte_order_mark_is_read(shell: Shell, argv: tuple[str, ...]) -> None:
    shell.desk.user_file.parent.mkdir(parents=True)
    shell.desk.user_file.write_bytes(b"\xef\xbb\xbf[search]\r\nprovider = 'odd'\r\n")
    assert shell.run(*argv).code == 0


@pytest.mark.req("cli2:manners")
@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"\x00" * 10, b'[search]\nprovider = "\xe9"\n', b"[a]\n" * 9])
@pytest.mark.parametrize(
    "argv", [("config", "show"), ("doctor",), ("keys", "list"), ("keys", "remove", "exa"), ("config", "path")]
)
def test_commands_that_mend_run_on_a_broken_file(shell: Shell, argv: tuple[str, ...], data: bytes) -> None:
    shell.desk.user_file.parent.mkdir(parents=True)
    shell.desk.user_file.write_bytes(data)
    ran = shell.run(*argv)
    assert ran.code == (0 if argv == ("config", "path") else 3)
    assert "Traceback" not in ran.err


@pytest.mark.req("cli2:manners")
@pytest.mark.parametrize("argv", ["keys list", "completion bash", "config init --yes", "fetch --jsonl no-url"])
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_streams_are_no_reason_to_fall(shell: Shell, argv: str, closed: str) -> None:
    done = subprocess.run(  # noqa: S602 - closing a descriptor takes a shell
        f"'{EXECUTABLE}' {argv} {closed}",
        shell=True,
        env=shell.variables(),
        cwd=shell.desk.cwd,
        capture_output=True,
        check=False,
        timeout=50,
    )
    assert done.returncode == (4 if "fetch" in argv else 0), done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.req("cli2:manners")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
@pytest.mark.parametrize("argv", ["keys set nope", "fetch --jsonl -v no-url", "keys list"])
def test_a_stderr_that_takes_no_more_is_no_traceback(shell: Shell, argv: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = shell.spawn(*argv.split(), capture_output=False, stdout=subprocess.PIPE, stderr=full)
    assert done.returncode == 1
    assert b"Traceback" not in done.stdout


@pytest.mark.req("cli:color")
@pytest.mark.parametrize(
    ("env", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False)],
)
def test_colours_are_for_terminals_that_want_them(shell: Shell, env: dict[str, str], *, coloured: bool) -> None:
    seen = at_terminal(shell, "providers", env=env)
    assert seen.code == 0
    assert (re.search(r"\x1b\[[0-9;]*m", seen.screen) is not None) == coloured


@pytest.mark.req("cli2:batch:progress")
@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"COLUMNS": "20"}])
def test_a_bar_keeps_to_the_terminal(shell: Shell, env: dict[str, str]) -> None:
    shell.desk.user('[fetch]\nprivate_networks = ["127.0.0.0/8"]\n')
    with site(lambda _path: (200, {}, b"<p>text")) as url:
        kept = shell.desk.cwd / "stdout"
        seen = at_terminal(shell, "fetch", "--jsonl", "-o", "out", f"{url}/a", f"{url}/b", kept=kept, env=env)
    assert seen.code == 0
    colours = {code for code in re.findall(r"\x1b\[([0-9;]*)m", seen.screen) if "3" in code}
    assert not colours or "NO_COLOR" not in env
