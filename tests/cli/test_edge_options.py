"""Which commands take `--record`, `--replay` and `--offline`: all that make calls, and the page tells the others."""

import re
from pathlib import Path
from typing import Final

import click
import pytest

from support.command_page import commands

PAGE: Final = Path(__file__).parents[2] / "docs" / "record-replay.md"
EDGE: Final = {"--record", "--replay", "--offline"}


def told(sentence: re.Pattern[str]) -> set[str]:
    """The commands that a sentence of the page lists."""
    found = sentence.search(PAGE.read_text(encoding="utf-8").replace("\n", " "))
    assert found is not None
    return set(re.findall(r"`([a-z]+)`", found[1]))


def taking() -> dict[str, set[str]]:
    """Each command at the end of its line, by the word that stands first, and the options of the edge that it takes."""
    found: dict[str, set[str]] = {}
    for context, command in commands():
        if not isinstance(command, click.Group):
            word = context.command_path.split()[1]
            options = {name for one in command.params for name in one.opts} & EDGE
            assert found.setdefault(word, options) == options, context.command_path
    return found


@pytest.mark.req("replay:commands")
def test_every_command_takes_all_of_them_or_sends_nothing_and_the_page_says_which() -> None:
    found = taking()
    assert {word for word, options in found.items() if options} == told(re.compile(r"`--offline`: (.*?)\. "))
    assert {word for word, options in found.items() if not options} == told(
        re.compile(r"`--live`\. (.*?) send nothing")
    )
    assert all(options in (EDGE, set()) for options in found.values())
