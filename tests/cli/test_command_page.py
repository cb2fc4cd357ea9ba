"""The page of the command line is what --help says, and every example in it parses."""

import io
import os

import click
import pytest

from support.cli import Shell
from support.command_page import HOW, PAGE, arguments, commands, examples, page
from webseam.surfaces.cli.output import Output
from webseam.surfaces.cli.program import command_line
from webseam.surfaces.cli.session import Session

WRITE = bool(os.environ.get("WEBSEAM_WRITE_DOCS"))
"""Read before the tests' environment is scrubbed."""

PATHS = [context.command_path for context, _ in commands()]


@pytest.mark.req("cli2:help:page")
def test_the_page_is_what_the_command_says() -> None:
    fresh = page()
    if WRITE:
        PAGE.write_text(fresh, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == fresh, f"the page is out of step: run `{HOW}`"


@pytest.mark.req("cli2:help:examples")
@pytest.mark.parametrize("example", examples())
def test_every_example_parses(shell: Shell, example: str) -> None:
    calls = arguments(example)
    assert calls, "an example calls webseam"
    stream = io.StringIO()
    out = Output(stdout=stream, stderr=stream, environ={})
    for words in calls:
        session = Session(environ=shell.desk.environ, cwd=shell.desk.cwd, stdin=io.StringIO(), out=out)
        command: click.Command = command_line()
        context: click.Context | None = None
        while isinstance(command, click.Group):
            context = click.Context(command, info_name="webseam", parent=context, obj=session)
            inner = command.get_command(context, words[0])
            assert inner is not None, f"{words[0]} is a command"
            command, words = inner, words[1:]  # noqa: PLW2901 - one word further down
        command.make_context("x", words, parent=context)


@pytest.mark.req("cli2:help:examples")
def test_every_webseam_of_a_line_of_shell_is_found() -> None:
    assert arguments("pass show exa | webseam keys set exa") == [["keys", "set", "exa"]]
    assert arguments("webseam fetch --json - < urls.txt") == [["fetch", "--json", "-"]]
    assert arguments("less a && webseam config trust") == [["config", "trust"]]
    assert arguments('eval "$(webseam completion bash)"') == [["completion", "bash"]]
    assert arguments("webseam search --json kelp | jq -r '.sources[].url'") == [["search", "--json", "kelp"]]


@pytest.mark.req("cli2:help:manual")
@pytest.mark.parametrize("path", PATHS)
def test_every_help_fits_a_terminal_and_tells_exit_codes_and_variables(shell: Shell, path: str) -> None:
    shell.desk.env(COLUMNS="80")
    ran = shell.run(*path.split()[1:], "--help")
    assert ran.code == 0
    told = ran.out.partition("\nUsage:")[2]
    assert max(map(len, told.splitlines())) <= 80
    is_group = "Commands:" in told
    assert is_group != ("Exit codes:" in told) or path == "webseam"
    assert is_group != ("WEBSEAM_CONFIG" in told) or path == "webseam"
