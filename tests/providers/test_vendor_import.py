"""What importing the vendors costs, and that the built-in ones come by the entry points everybody has."""

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from support.vendor import SPECS

PYPROJECT = Path(__file__).parent.parent.parent / "pyproject.toml"


@pytest.mark.req("search:vendor:light-import")
def test_importing_every_vendor_imports_no_http_client() -> None:
    modules = ", ".join(sorted(spec.build.__module__ for spec in SPECS.values()))
    script = f"import sys, {modules}; print([m for m in ('aiohttp', 'turbohtml', 'yarl') if m in sys.modules])"

    done = subprocess.run(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


@pytest.mark.req("search:vendor:spec")
@pytest.mark.parametrize("kind", sorted(SPECS))
def test_each_vendor_is_declared_as_an_entry_point_under_its_kind(kind: str) -> None:
    declared = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["entry-points"]["webseam.search"]
    module, _, name = declared[kind].partition(":")

    assert getattr(import_module(module), name) is SPECS[kind]
