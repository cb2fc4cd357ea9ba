"""Copies of values with some fields changed, for what every call does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from operator import attrgetter
from types import MemberDescriptorType
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a kind of value is read and written: all fields at once, and each slot by its field's name."""

    held: Callable[[Any], tuple[Any, ...]]
    places: tuple[Callable[[Any, Any], None], ...]
    by_name: Mapping[str, Callable[[Any, Any], None]]


def changed(value: T, **changes: Any) -> T:
    """As `dataclasses.replace`, in a fifth of its time; for dataclasses of at least two fields, all given to `init`.

    What has slots is written into them: its `__init__` would set field after field for twice as long.
    """
    kind: Any = type(value)
    shape = _shape(kind)
    if shape is None:
        return replace(value, **changes)  # type: ignore[type-var] # a dataclass, or this says that it is none
    copy: T = kind.__new__(kind)
    for put, part in zip(shape.places, shape.held(value), strict=True):
        put(copy, part)
    for name, part in changes.items():
        if name not in shape.by_name:
            raise TypeError(f"{kind.__name__} has no field {name!r}")
        shape.by_name[name](copy, part)
    return copy


@cache
def _shape(kind: Any) -> _Shape | None:
    """None for a kind whose `__init__` does more, or that keeps a field elsewhere than in a slot: a plugin's may."""
    if not kind.__module__.startswith("webseam."):
        return None
    names = tuple(one.name for one in fields(kind))
    slots = [getattr(kind, name, None) for name in names]
    if hasattr(kind, "__post_init__") or not all(isinstance(one, MemberDescriptorType) for one in slots):
        return None
    places = tuple(one.__set__ for one in slots if one is not None)
    return _Shape(attrgetter(*names), places, dict(zip(names, places, strict=True)))
