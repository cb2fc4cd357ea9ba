"""The requirement ledger: every user-visible promise, its source, and (by the `req` marker) the test that proves it.

Each room keeps its own page under `ledger/`; this module joins them.
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Requirement:
    """A promise in one sentence, and where it comes from (`dsh-14`, `enso-15`, `design 4`, `R041`)."""

    promise: str
    source: str


def ledger() -> dict[str, Requirement]:
    """All promises by id (`room:feature:variant`); an id stands once."""
    pages = sorted((Path(__file__).parent / "ledger").glob("[a-z]*.py"))
    joined: dict[str, Requirement] = {}
    for page in pages:
        for key, entry in import_module(f"ledger.{page.stem}").ENTRIES.items():
            if key in joined:
                raise ValueError(f"the requirement {key} stands twice")
            joined[key] = entry
    return joined
