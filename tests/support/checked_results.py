"""Holds every successful tool result that a test makes to the schema that its toolset publishes for it (R181).

A plugin of pytest; what it finds fails the test that made the result, whatever became of that.
"""

import functools
import json
from collections.abc import Awaitable, Callable, Generator, Hashable
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it has no types of its own
import pytest

from webseam.core.settings import ToolSettings
from webseam.tools.result import ToolResult
from webseam.tools.schema import definitions
from webseam.tools.toolset import Toolset

Call = Callable[..., Awaitable[ToolResult]]


@functools.cache
def _schemas(settings: ToolSettings) -> dict[str, str]:
    """What a toolset publishes for each tool, as JSON: few of the many settings make a difference."""
    return {tool["name"]: json.dumps(tool["outputSchema"]) for tool in definitions(settings, "mcp")}


_KEYWORDS = {"$schema", "type", "enum", "minimum", "properties", "required", "additionalProperties", "items"}
"""For these a fault lies in keys, types, signs and the words of enumerations, whatever else a value is."""


class Judge:
    """One schema, compiled once; values that cannot differ in their fault are looked at once.

    That keeps the cost of the hook under a fiftieth of the suite's time.
    """

    def __init__(self, schema: str) -> None:
        plain = json.loads(schema)
        jsonschema.Draft202012Validator.check_schema(plain)
        self._validator = jsonschema.Draft202012Validator(plain)
        self._words: set[str] = set()
        self._plain = self._is_plain(plain)
        self._known: dict[Hashable, str | None] = {}

    def fault(self, value: Any) -> str | None:
        """What is wrong with a value, or None."""
        kind = self._kind(value) if self._plain else json.dumps(value)
        if kind not in self._known:
            error = next(self._validator.iter_errors(value), None)
            self._known[kind] = None if error is None else str(error)
        return self._known[kind]

    def _is_plain(self, schema: Any) -> bool:
        if isinstance(schema, bool):
            return True
        self._words |= {one for one in schema.get("enum", ()) if isinstance(one, str)}
        parts = [*schema.get("properties", {}).values(), *(schema[name] for name in _INNER if name in schema)]
        own = schema.keys() <= _KEYWORDS and schema.get("minimum", 0) == 0
        return all([own, *map(self._is_plain, parts)])

    def _kind(self, value: Any) -> Hashable:
        """Of a value what its fault depends on."""
        match value:
            case dict():
                return tuple(sorted((key, self._kind(one)) for key, one in value.items()))
            case list():
                return frozenset(map(self._kind, value))
            case str():
                return value if value in self._words else "text"
            case bool() | None:
                return str(value)
        return type(value).__name__, value < 0, value % 1 == 0


_INNER = ("items", "additionalProperties")
_judge = functools.cache(Judge)


def fault_of(settings: ToolSettings, name: str, result: ToolResult) -> str | None:
    """How a successful result breaks its published schema, or None."""
    try:
        sent = json.loads(json.dumps(result.structured))  # as a host on the other side of a wire has it
    except (TypeError, ValueError) as exc:
        return f"{name}: the structured result is no JSON: {exc}"
    fault = _judge(_schemas(settings)[name]).fault(sent)
    return None if fault is None else f"{name}: the structured result breaks its schema: {fault}"


class CheckedResults:
    """Checks while tests run, and counts."""

    def __init__(self) -> None:
        self.checked = 0
        self.faults: list[str] = []

    def watching(self, original: Call) -> Call:
        """`Toolset.call`, its results looked at."""

        @functools.wraps(original)
        async def call(toolset: Toolset, name: str, args: object, **more: Any) -> ToolResult:
            result = await original(toolset, name, args, **more)
            if not result.is_error:
                self.checked += 1
                fault = fault_of(toolset._settings, name, result)
                if fault is not None:
                    self.faults.append(fault)
            return result

        return call

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Fail the test that made a result which its schema does not allow."""
        _ = item
        self.faults.clear()
        outcome = yield
        if self.faults:
            raise AssertionError("; ".join(self.faults))
        return outcome

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say how many were checked."""
        if self.checked:
            terminalreporter.write_line(f"tool results held to their published schemas: {self.checked:,}")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to look at results, until pytest ends; nothing when somebody looks already."""
    if config.pluginmanager.has_plugin("checked-results"):
        return
    checks, original = CheckedResults(), Toolset.call
    config.pluginmanager.register(checks, "checked-results")
    setattr(Toolset, "call", checks.watching(original))  # noqa: B010 - a method is no variable; all results pass here
    config.add_cleanup(functools.partial(setattr, Toolset, "call", original))
