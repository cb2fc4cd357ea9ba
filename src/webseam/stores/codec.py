"""The vocabulary back from plain data: what `to_plain` wrote, read again as the same values."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from webseam.core.types import DocumentBody, HtmlBody, ImageBody, PdfBody, TextBody

T = TypeVar("T")

_BODIES: Final[dict[str, type]] = {
    "html": HtmlBody,
    "text": TextBody,
    "pdf": PdfBody,
    "document": DocumentBody,
    "image": ImageBody,
}


def from_plain(kind: type[T], plain: Any) -> T:
    """The value of type `kind` whose plain form is `plain`; fields that it does not know are passed over.

    Raises:
        ValueError: `plain` is no such value; the message names the place.
    """
    value: T = _read(kind, plain, kind.__name__)
    return value


def _read(kind: Any, plain: Any, place: str) -> Any:
    if kind is Any:
        return plain
    if is_dataclass(kind):
        return _dataclass(kind, plain, place)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _union(arguments, plain, place)
    if origin is Literal:
        return _checked(plain in arguments, plain, place)
    if origin is tuple:
        _checked(isinstance(plain, list), plain, place)
        return tuple(_read(arguments[0], part, f"{place}[{at}]") for at, part in enumerate(plain))
    if origin is not None:  # the one generic besides is a mapping
        _checked(isinstance(plain, dict), plain, place)
        return {key: _read(arguments[1], part, f"{place}.{key}") for key, part in plain.items()}
    return _scalar(kind, plain, place)


def _scalar(kind: Any, plain: Any, place: str) -> Any:
    if kind is bytes:
        return _bytes(plain, place)
    if kind is float:
        return _checked(isinstance(plain, int | float) and not isinstance(plain, bool), plain, place)
    return _checked(type(plain) is kind, plain, place)


def _bytes(plain: Any, place: str) -> bytes:
    try:
        return base64.b64decode(plain, validate=True)
    except (TypeError, binascii.Error) as exc:
        raise ValueError(f"{place} is no base64") from exc


def _union(members: tuple[Any, ...], plain: Any, place: str) -> Any:
    """None, the one other member, or the body that `kind` names."""
    if plain is None and NoneType in members:
        return None
    rest = [one for one in members if one is not NoneType]
    if len(rest) == 1:
        return _read(rest[0], plain, place)
    _checked(isinstance(plain, dict) and plain.get("kind") in _BODIES, plain, place)
    return _dataclass(_BODIES[plain["kind"]], plain, place)


def _dataclass(kind: Any, plain: Any, place: str) -> Any:
    _checked(isinstance(plain, dict), plain, place)
    hints = _hints(kind)
    values = {}
    for one in fields(kind):
        if one.name in plain:
            values[one.name] = _read(hints[one.name], plain[one.name], f"{place}.{one.name}")
        elif _is_required(one):
            values[one.name] = _empty(hints[one.name], f"{place}.{one.name}")
    return kind(**values)


def _is_required(one: "Field[Any]") -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _empty(hint: Any, place: str) -> Any:
    """What `to_plain` leaves out of a field without a default: an empty tuple or mapping."""
    if get_origin(hint) is tuple:
        return ()
    if isinstance(get_origin(hint), type) and issubclass(get_origin(hint), Mapping):
        return {}
    raise ValueError(f"{place} is missing")


def _checked(is_right: bool, plain: Any, place: str) -> Any:  # noqa: FBT001 - reads as an assertion
    if not is_right:
        raise ValueError(f"{place} is not what it should be ({type(plain).__name__})")
    return plain


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
