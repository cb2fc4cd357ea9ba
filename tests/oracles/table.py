"""All oracles: one file per vendor under `vendors/`, each with `ORACLES`."""

from importlib import import_module
from pathlib import Path
from typing import Final

from support.oracle import Oracle

ORACLES: Final[tuple[Oracle, ...]] = tuple(
    oracle
    for file in sorted((Path(__file__).parent / "vendors").glob("[a-z]*.py"))
    for oracle in import_module(f"oracles.vendors.{file.stem}").ORACLES
)
