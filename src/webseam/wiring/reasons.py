"""The limits of `core.limits` with their reasons, read from the docstrings beside them."""

import ast
from collections.abc import Iterator
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
    """Every limit, subject by subject, in the order of the sources."""
    return tuple(
        limit
        for source in sorted(files(limits.__name__).iterdir(), key=lambda one: one.name)
        if source.name.endswith(".py")
        for limit in _limits_of(ast.parse(source.read_text(encoding="utf-8")))
    )


def _limits_of(tree: ast.Module) -> Iterator[Limit]:
    for statement, following in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            yield Limit(name=name, value=getattr(limits, name), reason=_text_of(following))


def _text_of(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return " ".join(str(statement.value.value).split())
    return ""
