"""The page of the command line, made from what `--help` says; and every example that stands in it."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from webseam.surfaces.cli.command import Command, Lazy
from webseam.surfaces.cli.program import command_line

PAGE: Final = Path(__file__).parents[2] / "docs" / "command-line.md"
HOW: Final = "WEBSEAM_WRITE_DOCS=1 make docs"
WIDTH: Final = 80
TOP: Final = f"""# The command line

What `webseam --help` and each command's `--help` say, word for word. This page is made from them: `{HOW}`.
"""


def commands() -> Iterator[tuple[click.Context, click.Command]]:
    """Every command with its context, a group before its own."""
    top = command_line()
    yield from _below(click.Context(top, info_name="webseam", terminal_width=WIDTH), top)


def _below(context: click.Context, command: click.Command) -> Iterator[tuple[click.Context, click.Command]]:
    yield context, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _below(click.Context(inner, info_name=name, parent=context, terminal_width=WIDTH), inner)


def page() -> str:
    """The page as it should be."""
    parts = [TOP]
    for context, command in commands():
        depth = "##" if context.parent is None or context.parent.parent is None else "###"
        parts.append(f"{depth} {context.command_path}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


def examples() -> list[str]:
    """Every example of every help, once."""
    found = (one.examples for _, one in commands() if isinstance(one, Command | Lazy))
    return list(dict.fromkeys(line for lines in found for line in lines))


def arguments(example: str) -> list[list[str]]:
    """The arguments of each `webseam` in a line of shell, in a pipe, a list, a substitution, or behind a program.

    What another program is handed to run comes last: `claude mcp add webseam -- uvx ... webseam mcp`.
    """
    plain = example.replace('"$(', "( ").replace(')"', " )")
    lexer = shlex.shlex(plain, posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    found: list[list[str]] = []
    inside = False
    skips = False
    for token in lexer:
        if token == "webseam":
            if inside:  # the one before was a name that another program gives us
                found.pop()
            found.append([])
            inside = True
        elif token and set(token) <= set("();|&"):
            inside = False
        elif token and set(token) <= set("<>"):
            skips = True
        elif skips:
            skips = False
        elif inside:
            found[-1].append(token)
    return found
