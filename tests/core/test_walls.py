"""What core may import, and what importing it costs: design 1."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import webseam.core
import webseam.testing

CORE = sorted(Path(next(iter(webseam.core.__path__))).glob("*.py"))
FAKES = Path(next(iter(webseam.testing.__path__))) / "fakes.py"
HEAVY = ("aiohttp", "yarl", "turbohtml", "msgspec", "rich", "click", "platformdirs", "mcp", "starlette", "anyio")


_IMPORT = re.compile(r"^ *(?:from +([.\w]+) +import\b|import +(\w[\w.]*(?: *, *\w[\w.]*)*) *(?:#.*)?$)", re.MULTILINE)


def imported(file: Path) -> Iterator[str]:
    """Absolute module names of every import in the file, wherever it stands.

    Read as text: CPython 3.11's `ast` can fail with SystemError in a process that has been near its recursion limit.
    """
    for found in _IMPORT.finditer(file.read_text(encoding="utf-8")):
        names = [found[1]] if found[1] else [name.strip() for name in found[2].split(",")]
        assert not any(name.startswith(".") for name in names), f"{file.name}: imports are absolute"
        yield from names


def foreign(file: Path) -> set[str]:
    """What the file imports beside the standard library and core."""
    return {
        name
        for name in imported(file)
        if name.partition(".")[0] not in sys.stdlib_module_names and not f"{name}.".startswith("webseam.core.")
    }


@pytest.mark.req("core:walls:imports")
@pytest.mark.parametrize("file", CORE, ids=lambda file: file.stem)
def test_core_imports_the_standard_library_itself_and_can_ada(file: Path) -> None:
    assert foreign(file) == ({"can_ada"} if file.stem == "url" else set())


@pytest.mark.req("core:walls:imports")
def test_the_fakes_import_core_only() -> None:
    assert foreign(FAKES) == set()


@pytest.mark.req("core:walls:light")
@pytest.mark.parametrize("module", ["webseam", "webseam.core.web", "webseam.core.plugin", "webseam.testing.fakes"])
def test_importing_it_in_a_fresh_interpreter_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(set(sys.modules) & set({HEAVY!r})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)  # noqa: S603 - our own text
    assert done.stdout.strip() == ""
