"""The hook that holds every tool result of the suite to its published schema bites: issue 6, R181."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it has no types of its own
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.checked_results import Judge

TESTS = Path(__file__).parent
PRELUDE = """
import asyncio
import contextlib

from support.tools import found, searching
from webseam.tools.result import ToolResult
from webseam.tools.toolset import Toolset


def ask(monkeypatch, structured, **more):
    async def answered(*_args, **_more):
        return ToolResult(text="words", structured=structured, **more)

    monkeypatch.setattr(Toolset, "_answered", answered)
    return asyncio.run(searching(found("https://a.test/"))[0].call("web_search", {"query": "kelp"}))
"""


def run(folder: Path, body: str) -> str:
    """What pytest says of a test module in which results are made up."""
    (folder / "test_made_up.py").write_text(PRELUDE + body, encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "support.checked_results", folder],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(TESTS), "HOME": str(folder), "COLUMNS": "200"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.req("tools:structured:checked-everywhere")
def test_a_result_that_breaks_its_schema_fails_the_test_that_made_it(tmp_path: Path) -> None:
    said = run(
        tmp_path,
        """
def test_that_only_calls(monkeypatch):
    ask(monkeypatch, {"query": "kelp", "invented": True})


def test_that_swallows_whatever_comes(monkeypatch):
    with contextlib.suppress(BaseException):
        ask(monkeypatch, None)


def test_that_makes_no_json(monkeypatch):
    ask(monkeypatch, {"query": {1, 2}})


def test_that_makes_an_error(monkeypatch):
    assert ask(monkeypatch, None, is_error=True).is_error


def test_that_makes_nothing():
    pass
""",
    )
    assert "3 failed, 2 passed" in said
    for name in ("that_only_calls", "that_swallows_whatever_comes", "that_makes_no_json"):
        assert f"FAILED test_made_up.py::test_{name} - AssertionError: web_search: the structured result" in said


@pytest.mark.req("tools:structured:checked-everywhere")
def test_results_that_keep_their_schema_are_counted(tmp_path: Path) -> None:
    said = run(
        tmp_path,
        """
def test_that_searches():
    result = asyncio.run(searching(found("https://a.test/"))[0].call("web_search", {"query": "kelp"}))
    assert not result.is_error
""",
    )
    assert "tool results held to their published schemas: 1" in said
    assert "1 passed" in said


NUMBERS = st.integers() | st.floats() | st.booleans() | st.none() | st.sampled_from([1.0, -1.0, 1.5])
VALUES = st.recursive(
    NUMBERS | st.text(max_size=3) | st.sampled_from(["ok", "url", "failed"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
)
SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": ["integer", "null"], "minimum": 0},
        "b": {"type": "array", "items": {"type": "string", "enum": ["ok", "failed"]}},
        "c": {"type": "object", "additionalProperties": {"type": "number"}},
    },
    "required": ["a"],
    "additionalProperties": False,
}
JUDGE = Judge(json.dumps(SCHEMA))


@pytest.mark.req("tools:structured:checked-everywhere")
@given(st.dictionaries(st.sampled_from("abcd"), VALUES) | VALUES)
@example({"a": 1.5})
@example({"a": 1.0})
@example({"a": True})
@example({"a": -1, "b": ["ok"], "c": {"x": 1}})
def test_what_was_looked_at_before_is_judged_as_if_it_was_not(value: Any) -> None:
    sent = json.loads(json.dumps(value))
    assert (JUDGE.fault(sent) is None) == jsonschema.Draft202012Validator(SCHEMA).is_valid(sent)


@pytest.mark.req("tools:structured:checked-everywhere")
@pytest.mark.parametrize("part", [{"pattern": "^a"}, {"minimum": 3}, {"maxItems": 1}])
def test_a_schema_that_asks_for_more_is_looked_at_each_time(part: dict[str, Any]) -> None:
    judge = Judge(json.dumps({"type": "object", "properties": {"a": part}}))
    values: list[Any] = [{"a": one} for one in ("a", "b", 2, 3, [1], [1, 2])]
    validator = jsonschema.Draft202012Validator({"properties": {"a": part}})
    assert [judge.fault(one) is None for one in values] == [validator.is_valid(one) for one in values]


@pytest.mark.req("tools:structured:checked-everywhere")
def test_this_run_is_looked_at_too(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.pluginmanager.has_plugin("checked-results")
