"""Values as plain data for JSON: absent fields left out, bytes as base64, errors by `to_dict`."""

import base64
from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Final

from webseam.core.errors import WebError

_BARE: Final = frozenset({str, bool, int, float, type(None)})
"""Types that stand for themselves: most of what a result holds."""


def to_plain(value: Any) -> Any:
    """Dicts, lists, strings, numbers and booleans only; keys are the field names of the vocabulary."""
    kind = type(value)
    if kind in _BARE:
        return value
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, WebError):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((name, getattr(value, name)) for name in _names(value.__class__))
        return {name: to_plain(part) for name, part in pairs if not _absent(part)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(part) for part in value]
    raise TypeError(f"no plain form for {type(value).__name__}")


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    shape: Any = kind
    return tuple(one.name for one in fields(shape))


def _absent(part: Any) -> bool:
    return part is None or (not part and isinstance(part, tuple | Mapping))
