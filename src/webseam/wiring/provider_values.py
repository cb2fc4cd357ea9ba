"""The seam's own settings of a `[providers.<id>]` table, each checked by its type; keys are never shown."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from webseam.core.limits import TIMEOUT_SECONDS_MAX
from webseam.wiring.rates import RATE_FORM, parse_rate
from webseam.wiring.setting_checks import VARIABLE


def seam_value(name: str, value: Any) -> Any:
    """The value of one of `schema.SEAM_KEYS` in its own type, without the space around texts.

    Raises:
        ValueError: says what is allowed, and nothing of what was found.
    """
    return _READERS[name](value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a string")  # noqa: TRY004 - one kind of fault for the caller
    return value.strip()


def _variable(value: Any) -> str:
    name = _text(value)
    if name and not VARIABLE.fullmatch(name):
        raise ValueError("the name of an environment variable")
    return name


def _keys(value: Any) -> tuple[str, ...]:
    return _distinct(value, _text, "a list of keys, each one once")


def _variables(value: Any) -> tuple[str, ...]:
    return _distinct(value, _variable, "a list of names of environment variables, each one once")


def _distinct(value: Any, read: Callable[[Any], str], allowed: str) -> tuple[str, ...]:
    """At least one member, none blank, none twice: the same key twice would be called at twice its rate."""
    if not isinstance(value, list | tuple):
        raise ValueError(allowed)  # noqa: TRY004 - as above
    try:
        members = tuple(read(member) for member in value)
    except ValueError as exc:
        raise ValueError(allowed) from exc
    if not members or not all(members) or len(set(members)) < len(members):
        raise ValueError(allowed)
    return members


def _rate(value: Any) -> str:
    if not isinstance(value, str) or (value.strip() and parse_rate(value.strip()) is None):
        raise ValueError(RATE_FORM)
    return value.strip()


def _wait(value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= TIMEOUT_SECONDS_MAX:  # NaN fails it too
        raise ValueError(f"seconds, from 0 to {TIMEOUT_SECONDS_MAX:,.0f}")
    return float(value)


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "kind": _text,
    "key": _text,
    "key_env": _variable,
    "keys": _keys,
    "keys_env": _variables,
    "rate": _rate,
    "rate_wait": _wait,
}
