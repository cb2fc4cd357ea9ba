"""Regular expressions that every supported Python reads alike."""

import importlib
import pkgutil
import re
import sys
from typing import Any

import pytest

import webseam

parser: Any = importlib.import_module("re._parser")
codes: Any = importlib.import_module("re._constants")

SEEN_ALIKE = frozenset(
    {
        ("webseam.content.listings", "_ROOT"),
        ("webseam.tools.links", "_LINK"),
        ("webseam.tools.tame", "_IMAGE"),
        ("webseam.tools.tame", "_LINK"),
    }
)
"""Compared on random texts under 3.11.2 and a newer Python."""


def holds_choice(nodes: Any, *, inside: bool = False) -> bool:
    """Whether a possessive repeat or an atomic group holds a choice."""
    for code, value in nodes:
        if code is codes.BRANCH and inside:
            return True
        possessive = inside or code in (codes.POSSESSIVE_REPEAT, codes.ATOMIC_GROUP)
        if any(holds_choice(part, inside=possessive) for part in parts_of(code, value)):
            return True
    return False


def parts_of(code: Any, value: Any) -> list[Any]:
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.ATOMIC_GROUP:
        return [value]
    if code in (codes.POSSESSIVE_REPEAT, codes.MAX_REPEAT, codes.MIN_REPEAT):
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    return [value[1]] if code in (codes.ASSERT, codes.ASSERT_NOT) else []


def patterns() -> dict[tuple[str, str], re.Pattern[Any]]:
    for module in pkgutil.walk_packages(webseam.__path__, "webseam."):
        if not module.name.endswith(("__main__", "worker", "worker_process")):
            importlib.import_module(module.name)
    found: dict[tuple[str, str], re.Pattern[Any]] = {}
    for name, loaded in list(sys.modules.items()):
        if name.startswith("webseam."):
            found |= {(name, key): one for key, one in vars(loaded).items() if isinstance(one, re.Pattern)}
    return found


@pytest.mark.req("docs:patterns")
def test_no_possessive_group_holds_a_choice_which_python_3_11_4_and_older_misread() -> None:
    suspects = {place for place, one in patterns().items() if holds_choice(parser.parse(one.pattern, one.flags & ~32))}
    assert suspects == SEEN_ALIKE


@pytest.mark.req("docs:patterns")
@pytest.mark.parametrize("pattern", ["(?:a|bc)*+", "(?>ab|c)", "(?:(a|bc)x)++", "(?=(?:ab|c)?+)"])
def test_a_choice_in_a_possessive_group_is_found(pattern: str) -> None:
    assert holds_choice(parser.parse(pattern))


@pytest.mark.req("docs:patterns")
@pytest.mark.parametrize("pattern", ["(?:a|bc)*", "[ab]*+", "(?>ab)c|d"])
def test_what_every_python_reads_alike_is_not(pattern: str) -> None:
    assert not holds_choice(parser.parse(pattern))
