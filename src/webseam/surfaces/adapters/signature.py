"""A tool as a Python function, for frameworks whose models write code."""

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any, Final

_PYTHON_TYPES: Final = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list[str]}


def signature(schema: Mapping[str, Any]) -> Signature:
    """What the tool takes, by place or by name, in the order of its schema; what is optional is None by default."""
    return Signature([_parameter(name, schema) for name in schema["properties"]], return_annotation=str)


def arguments(takes: Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, by name; what is missing or too much is for the tool's own check to tell."""
    return {**takes.bind_partial(*args).arguments, **kwargs}


def as_function(
    published: Mapping[str, Any], takes: Signature, answer: Callable[[dict[str, Any]], str]
) -> Callable[..., str]:
    """A plain function with the tool's name, description and signature."""

    def function(*args: Any, **kwargs: Any) -> str:
        return answer(arguments(takes, args, kwargs))

    function.__name__ = function.__qualname__ = published["name"]
    function.__doc__ = published["description"]
    function.__signature__ = takes  # type: ignore[attr-defined]  # where `inspect` looks first (PEP 362)
    return function


def _parameter(name: str, schema: Mapping[str, Any]) -> Parameter:
    kind: Any = _PYTHON_TYPES[schema["properties"][name]["type"]]
    if name in schema["required"]:
        return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=kind)
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=kind | None, default=None)
