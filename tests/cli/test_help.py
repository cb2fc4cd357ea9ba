"""Help: examples first, on stdout, for every command."""

import pytest

from support.cli import Shell
from webseam.surfaces.cli.main import COMMANDS

PATHS = [(), *((name,) for name in COMMANDS), ("config", "show"), ("config", "trust"), ("config", "path")]


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
