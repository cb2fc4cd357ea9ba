"""JSON Schemas of the vocabulary, read from its types: what `to_plain` makes of a value satisfies its schema."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

Schema: TypeAlias = dict[str, Any]

_PLAIN: Final[Mapping[Any, Schema]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    Any: {},
}


class Schemas:
    """The schemas of types, by name as they are asked for.

    Args:
        left_out: fields that are never in an answer, as `SearchResult.raw`.
        bounds: what a type does not tell, by field: `SearchRequest.query`.
    """

    def __init__(self, *, left_out: frozenset[str] = frozenset(), bounds: Mapping[str, Schema] | None = None) -> None:
        self.components: dict[str, Schema] = {}
        self._left_out = left_out
        self._bounds = bounds or {}

    def of(self, kind: Any) -> Schema:
        """The schema of a type; a dataclass is referred to by its name.

        Raises:
            TypeError: for a type that has no plain form.
        """
        origin, arguments = get_origin(kind), get_args(kind)
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        if isinstance(kind, type) and is_dataclass(kind):
            return self._referred(kind)
        if origin is Literal:
            return {"type": "string", "enum": list(arguments)}
        if origin in (Union, UnionType):
            return self._union([one for one in arguments if one is not NoneType])
        if origin is tuple:
            return {"type": "array", "items": self.of(arguments[0])}
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        raise TypeError(f"no schema for {kind!r}")

    def closed(self, kind: type) -> Schema:
        """The same for what comes in: only these names; what has a default may be left out, or null."""
        reference = self.of(kind)
        schema = self.components[kind.__name__]
        needed = [one.name for one in _fields(kind) if one.default is MISSING and one.default_factory is MISSING]
        schema["properties"] = {
            name: one if name in needed else {"anyOf": [one, {"type": "null"}]}
            for name, one in schema["properties"].items()
        }
        schema.update(required=needed, additionalProperties=False)
        return reference

    def _union(self, kinds: list[Any]) -> Schema:
        return self.of(kinds[0]) if len(kinds) == 1 else {"oneOf": [self.of(one) for one in kinds]}

    def _referred(self, kind: type) -> Schema:
        name = kind.__name__
        if name not in self.components:
            self.components[name] = {}  # for a type that refers to itself
            self.components[name] |= self._object(kind)
        return {"$ref": f"#/components/schemas/{name}"}

    def _object(self, kind: type) -> Schema:
        hints = get_type_hints(kind)
        named = [one for one in _fields(kind) if f"{kind.__name__}.{one.name}" not in self._left_out]
        properties = {
            one.name: self.of(hints[one.name]) | self._bounds.get(f"{kind.__name__}.{one.name}", {}) for one in named
        }
        required = [one.name for one in named if not _may_be_absent(hints[one.name])]
        return {"type": "object", "properties": properties, "required": required}


def _may_be_absent(kind: Any) -> bool:
    """As `to_plain` leaves out None and what is empty."""
    return get_origin(kind) in (tuple, dict, Mapping) or kind is Any or NoneType in get_args(kind)


def _fields(kind: Any) -> tuple[Field[Any], ...]:
    return fields(kind)
