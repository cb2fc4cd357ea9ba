"""The ledger and the tests hold each other: read from the sources, so that a partial run checks it too."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from requirements import ledger

TESTS = Path(__file__).parent


def _marked(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "req":
            for argument in node.args:
                assert isinstance(argument, ast.Constant), "requirement ids are literals"
                yield str(argument.value)


def _carried() -> dict[str, list[str]]:
    carried: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for key in _marked(ast.parse(file.read_text(encoding="utf-8"))):
            carried.setdefault(key, []).append(file.name)
    return carried


def test_every_promise_has_a_test() -> None:
    assert sorted(set(ledger()) - set(_carried())) == []


def test_every_marked_test_has_a_promise() -> None:
    assert sorted(set(_carried()) - set(ledger())) == []


@pytest.mark.parametrize("key", sorted(ledger()))
def test_a_promise_names_its_source(key: str) -> None:
    assert ledger()[key].source
    assert ledger()[key].promise.endswith(".")
