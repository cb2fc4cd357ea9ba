"""The limits of `core.limits` with their reasons, read from the docstrings beside them."""

import ast
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from webseam.core import limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One named limit; `reason` is the sentence that stands under it in the source."""

    name: str
    value: Any
    reason: str


def known_limits() -> tuple[Limit, ...]:
    """Every limit in the order of the source."""
    tree = ast.parse(files("webseam.core").joinpath("limits.py").read_text(encoding="utf-8"))
    found: list[Limit] = []
    for statement, following in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            found.append(Limit(name=name, value=getattr(limits, name), reason=_text_of(following)))
    return tuple(found)


def _text_of(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return " ".join(str(statement.value.value).split())
    return ""
