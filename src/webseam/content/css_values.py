"""Numbers, lengths and the arguments of functions in CSS values, as far as judging visibility needs them. Pure."""

import re
from functools import cache
from typing import Final

_NUMBER: Final = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)(%|[a-z]*)")
_ABSOLUTE: Final = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945}
_FONTS: Final = {"em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "lh": 20.0, "rlh": 20.0, "cap": 11.0, "ic": 16.0}
_VIEWS: Final = tuple(f"{size}v{side}" for size in ("", "s", "l", "d") for side in ("w", "h", "i", "b", "min", "max"))
_PIXELS: Final = _ABSOLUTE | _FONTS | dict.fromkeys((*_VIEWS, "cqw", "cqh", "cqi", "cqb", "%"), 10.0)
_INNERMOST: Final = re.compile(r"(calc|min|max|clamp|)\(([^()]*)\)")  # CSS Values 4 section 10
_ARGUMENTS: Final = {"": (1, 1), "calc": (1, 1), "min": (1, 16), "max": (1, 16), "clamp": (3, 3)}  # least and most
_UNIT: Final = re.compile(r"\d(?:[a-z]|%)")
_TERM: Final = re.compile(r" ([+-]) ")
_FACTOR: Final = re.compile(r" ?([*/]) ?")
_NESTED: Final = 8  # functions in one value

FAINT: Final = 0.02
"""Opacity at which nobody reads; as a scale, a size at which nobody does."""


def number(value: str) -> tuple[float, str] | None:
    """A number and its unit; None when `value` is something else. `calc()` and its kin are worked out, in pixels."""
    if not value:
        return None
    found = _NUMBER.fullmatch(_calculated(value) if value[-1] == ")" else value)
    return (float(found[1]), found[2]) if found else None


def pixels(value: str) -> float | None:
    """A length in pixels of a window of 1,000 by 1,000 with 16 pixels to the em; None when it is none."""
    found = number(value)
    return found[0] * _PIXELS[found[1]] if found and found[1] in _PIXELS else None


def fraction(value: str) -> float | None:
    """A number or percentage, as `opacity` takes them."""
    found = number(value)
    if found is None or found[1] not in ("", "%"):
        return None
    return found[0] / 100 if found[1] else found[0]


def arguments(value: str, function: str) -> list[str] | None:
    """The arguments of the first `function(...)` in `value`, however parted; None when there is none."""
    found = _called(function).search(value) if value else None
    return found[1].replace(",", " ").replace("/", " ").split() if found else None


def all_sides(values: list[float]) -> tuple[float, ...]:
    """Top, right, bottom and left of a shorthand of one to four values."""
    top, right = values[0], values[1 % len(values)]
    bottom, left = (values[at] if len(values) > at else same for at, same in ((2, top), (3, right)))
    return (top, right, bottom, left)


@cache
def _called(function: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){function}\(([^()]*)\)")


def _calculated(value: str) -> str:
    """A value whose innermost functions are worked out one after the other; as it stands where that fails."""
    for _ in range(_NESTED):
        after = _INNERMOST.sub(_worked_out, value)
        if after == value:
            break
        value = after
    return value


def _worked_out(found: re.Match[str]) -> str:
    name, whole = found[1], found[2].strip()
    if _NUMBER.fullmatch(whole):
        return whole
    sums = [_sum(part.strip()) for part in whole.split(",")]
    known = [part for part in sums if part is not None]
    least, most = _ARGUMENTS[name]
    if len(known) != len(sums) or not least <= len(known) <= most:
        return found[0]
    made = min(known) if name == "min" else _clamped(known) if name == "clamp" else max(known)
    return f"{made:f}px" if _UNIT.search(whole) else f"{made:f}"


def _clamped(parts: list[float]) -> float:
    least, middle, most = parts
    return max(least, min(middle, most))


def _sum(text: str) -> float | None:
    terms = _TERM.split(text)
    total = _product(terms[0])
    for sign, term in zip(terms[1::2], terms[2::2], strict=True):
        value = _product(term)
        if total is None or value is None:
            return None
        total += value if sign == "+" else -value
    return total


def _product(text: str) -> float | None:
    factors = _FACTOR.split(text)
    total = pixels(factors[0])
    for sign, factor in zip(factors[1::2], factors[2::2], strict=True):
        value = pixels(factor)
        if total is None or value is None or (sign == "/" and value == 0):
            return None
        total = total * value if sign == "*" else total / value
    return total
