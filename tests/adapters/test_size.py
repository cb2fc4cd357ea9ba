"""An adapter is little code: what is common to several of them is written once."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

from webseam import adapters

FOLDER = Path(adapters.__file__).parent / "surfaces" / "adapters"
FRAMEWORKS = sorted(set(adapters.__all__) - {"dispatch"})
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(source: str) -> int:
    """Lines that hold code: no comments, docstrings or empty lines."""
    read = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {line for one in read if one.type not in SILENT for line in range(one.start[0], one.end[0] + 1)}
    return len(lines - docstring_lines(source))


def docstring_lines(source: str) -> set[int]:
    written = [one.body[0] for one in ast.walk(ast.parse(source)) if isinstance(one, DOCUMENTED) and is_documented(one)]
    return {line for one in written for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)}


def is_documented(one: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return ast.get_docstring(one, clean=False) is not None


@pytest.mark.req("adapters:size")
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_the_adapter_of_a_framework_is_15_to_40_lines_of_code(name: str) -> None:
    source = (FOLDER / f"{name.removesuffix('_tools').removesuffix('_toolset')}.py").read_text(encoding="utf-8")
    assert 15 <= code_lines(source) <= 40
    assert ";" not in "".join(
        token.string for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type == tokenize.OP
    )


@pytest.mark.req("adapters:size")
def test_the_count_leaves_out_what_is_no_code() -> None:
    source = '"""A\n\nmodule."""\n\n# why\nx = (\n    1,  # one\n\n    2,\n)\n'
    function = 'def f():\n    """Docs."""\n    return "a" """b\n    c"""\n'
    assert (code_lines(source), code_lines(function)) == (4, 3)
