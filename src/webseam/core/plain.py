"""Values as plain data for JSON: absent fields left out, bytes as base64, errors by `to_dict`."""

import base64
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from webseam.core.errors import WebError


def to_plain(value: Any) -> Any:
    """Dicts, lists, strings, numbers and booleans only; keys are the field names of the vocabulary."""
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
        pairs = ((one.name, getattr(value, one.name)) for one in fields(value))
        return {name: to_plain(part) for name, part in pairs if not _absent(part)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(part) for part in value]
    raise TypeError(f"no plain form for {type(value).__name__}")


def _absent(part: Any) -> bool:
    return part is None or (isinstance(part, tuple | Mapping) and not part)
