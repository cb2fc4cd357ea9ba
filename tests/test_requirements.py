"""The ledger and the tests hold each other: read from the sources, so that a partial run checks it too."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from requirements import ledger

TESTS = Path(__file__).parent


_MARKER = re.compile(r"\bmark\.req\(([^()]*)\)")
_DRAWS_INSIDE = re.compile(r"^@given\([^\n]*\.data\(\)[^\n]*\n(?:@[^\n]*\n)*async def (\w+)", re.MULTILINE)
_ID = re.compile(r"""["']([^"']+)["']""")


def _marked(source: str) -> Iterator[str]:
    """Ids in the markers of a test file, read as text (CPython 3.11's `ast` can fail near the recursion limit)."""
    for marker in _MARKER.finditer(source):
        ids = _ID.findall(marker[1])
        assert ids, "requirement ids are literals"
        yield from ids


def _carried() -> dict[str, list[str]]:
    carried: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        for key in _marked(file.read_text(encoding="utf-8")):
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


def test_no_async_test_draws_while_it_runs() -> None:
    """Hypothesis stops such a draw with an exception that ends the event loop's own task: a traceback at exit."""
    drawing = [
        name for file in TESTS.rglob("test_*.py") for name in _DRAWS_INSIDE.findall(file.read_text(encoding="utf-8"))
    ]
    assert drawing == []
