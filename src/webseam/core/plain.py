"""Values as plain data for JSON: absent fields left out, bytes as base64, errors by `to_dict`."""

import base64
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Any, Final

from webseam.core.errors import WebError

_BARE: Final = frozenset({str, bool, int, float, type(None)})
"""Types that stand for themselves: most of what a result holds."""
_OWN_FORM: Final = (bool, int, float, Enum, str, bytes, WebError)
"""Whatever else a value is, one of these is written as that."""


def to_plain(value: Any) -> Any:
    """Dicts, lists, strings, numbers and booleans only; keys are the field names of the vocabulary."""
    kind = type(value)
    if kind in _BARE:
        return value
    if kind is tuple:
        return [to_plain(part) for part in value]
    if hasattr(kind, "__dataclass_fields__") and not issubclass(kind, _OWN_FORM):
        return plain_fields(value)
    return _other(value)


def _other(value: Any) -> Any:
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, WebError):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(part) for part in value]
    raise TypeError(f"no plain form for {type(value).__name__}")


def plain_fields(value: Any, names: Sequence[str] | None = None) -> dict[str, Any]:
    """The fields of a dataclass, in their order; or those of these names, in the order of these."""
    plain: dict[str, Any] = {}
    for name in _names(value.__class__) if names is None else names:
        part = getattr(value, name)
        if part is None:
            continue
        if type(part) in _BARE:
            plain[name] = part
        elif part or not (type(part) is tuple or isinstance(part, tuple | Mapping)):
            plain[name] = to_plain(part)
    return plain


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    shape: Any = kind
    return tuple(one.name for one in fields(shape))
