"""Help: examples first, on stdout, for every command."""

import pytest

from support.cli import Shell
from webseam.surfaces.cli.program import COMMANDS

PATHS = [
    (),
    *((name,) for name in COMMANDS),
    ("config", "show"),
    ("config", "trust"),
    ("config", "path"),
    ("cache", "show"),
    ("cache", "clear"),
    ("cassette", "show"),
]


@pytest.mark.req("cli:help")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_starts_with_examples(shell: Shell, path: tuple[str, ...], flag: str) -> None:
    ran = shell.run(*path, flag)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Examples:\n  ")
    assert "Usage: webseam" in ran.out


@pytest.mark.req("cli:bare")
@pytest.mark.parametrize("tty", [True, False])
def test_the_bare_command_prints_help(shell: Shell, *, tty: bool) -> None:
    ran = shell.run(tty=tty)
    assert (ran.code, ran.err) == (0, "")
    assert all(name in ran.out for name in COMMANDS)


@pytest.mark.req("cli:bare")
def test_bare_config_prints_its_help(shell: Shell) -> None:
    ran = shell.run("config")
    assert (ran.code, ran.err) == (0, "")
    assert "config trust" in ran.out


@pytest.mark.req("cli:errors:usage")
def test_an_unknown_command_names_the_nearest(shell: Shell) -> None:
    ran = shell.run("serach")
    assert (ran.code, ran.out) == (2, "")
    assert "search" in ran.err
    assert ran.err == "webseam: INVALID_ARGS: No such command 'serach'. Did you mean 'search'? Try `webseam --help`.\n"


MISTAKES = [
    (("search", "--max", "3", "x"), "No such option '--max'. Did you mean '--max-results'?"),
    (("search", "--fan=x", "x"), "No such option '--fan'. Did you mean '--fanout'?"),
    (("search", "--tiemout", "3", "x"), "No such option '--tiemout'. Did you mean '--timeout'?"),
    (("search", "x", "-n"), "Option '-n' requires an argument."),
    (("search",), "Missing argument 'QUERY...'."),
    (("search", "--safe", "no", "x"), "Invalid value for '--safe': 'no' is not one of 'off', 'moderate', 'strict'."),
]


@pytest.mark.req("cli:errors:usage")
@pytest.mark.parametrize(("argv", "said"), MISTAKES)
def test_a_wrong_option_is_told_with_the_help_of_its_command(shell: Shell, argv: tuple[str, ...], said: str) -> None:
    ran = shell.run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"webseam: INVALID_ARGS: {said} Try `webseam search --help`.\n"


@pytest.mark.req("cli:help")
def test_no_short_help_is_cut(shell: Shell) -> None:
    for path in ((), ("config",)):
        assert "..." not in shell.run(*path).out.partition("Commands:")[2]


@pytest.mark.req("cli:stdin:lines")
@pytest.mark.parametrize("command", ["fetch", "index"])
def test_standard_input_stands_alone(shell: Shell, command: str) -> None:
    ran = shell.run(command, "-", "https://a.test/", stdin="https://b.test/\n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("webseam: INVALID_ARGS: `-` reads standard input and stands alone.")
