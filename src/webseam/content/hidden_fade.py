"""Whether an inline style fades its element out: as scripts take it back once a page is ready. Pure."""

from collections.abc import Mapping
from typing import Final

from webseam.content.css_values import FAINT, all_sides, arguments, fraction, number, pixels

_HALF: Final = 50.0
_CORNERS: Final = 4  # values of a shorthand for all sides
_RIGHT_ANGLES: Final = {"deg": 90.0, "turn": 0.25, "grad": 100.0}


def is_faded(declared: Mapping[str, str]) -> bool:
    """Whether a style leaves nothing of its element: no visibility, opacity, size or area."""
    if declared.get("visibility") in ("hidden", "collapse"):
        return True
    filters = arguments(declared.get("filter", ""), "opacity") or [""]
    if any(_is_faint(value) for value in (declared.get("opacity", ""), filters[0])):
        return True
    scales = declared.get("scale", "").split() + (arguments(declared.get("transform", ""), "scale(?:x|y|3d)?") or [])
    flat = any(_is_flat(part) for part in (*scales, declared.get("zoom", "")))
    return flat or _is_turned_away(declared.get("transform", "")) or _is_clipped_away(declared)


def _is_faint(value: str) -> bool:
    found = fraction(value)
    return found is not None and found <= FAINT


def _is_flat(scale: str) -> bool:
    """Of no size; a negative one is a mirror."""
    found = fraction(scale)
    return found is not None and abs(found) <= FAINT


def _is_turned_away(transform: str) -> bool:
    """Seen from its edge, or a matrix that leaves no area."""
    angle = number((arguments(transform, "rotate(?:x|y)") or [""])[0])
    if (
        angle is not None
        and angle[1] in _RIGHT_ANGLES
        and angle[0] % (2 * _RIGHT_ANGLES[angle[1]]) == _RIGHT_ANGLES[angle[1]]
    ):
        return True
    matrix = [fraction(part) for part in arguments(transform, "matrix") or ()][:_CORNERS]
    if len(matrix) < _CORNERS or None in matrix:
        return False
    a, b, c, d = (part or 0.0 for part in matrix)
    return abs(a * d - b * c) <= FAINT**2


def _is_clipped_away(declared: Mapping[str, str]) -> bool:
    shape = declared.get("clip-path", "")
    inset = arguments(shape, "inset")
    if inset:
        return _is_inset_away(inset)
    round_ = arguments(shape, "(?:circle|ellipse)")
    if round_:
        return pixels(round_[0]) == 0
    corners = arguments(shape, "polygon") or []
    return bool(corners) and len(set(zip(corners[::2], corners[1::2], strict=False))) == 1


def _is_inset_away(inset: list[str]) -> bool:
    """Whether opposite sides of an area meet."""
    sides = inset[: inset.index("round")] if "round" in inset else inset
    shares = [one[0] if (one := number(side)) and one[1] == "%" else 0.0 for side in sides]
    top, right, bottom, left = all_sides(shares or [0.0])
    return top + bottom >= 2 * _HALF or right + left >= 2 * _HALF
