"""Whether an inline style puts its element where nobody sees it: far off its place, or off the screen. Pure."""

from collections.abc import Mapping
from typing import Final

from webseam.content.css import is_clipped
from webseam.content.css_values import all_sides, arguments, number, pixels

_FAR: Final = 500.0  # pixels left of or above a column in the middle of a wide window, where nothing scrolls to
_FARTHER: Final = 1_000.0  # pixels right of or below its place: flyouts and notes stand nearer
_NEAR_WINDOW: Final = 100.0  # pixels outside the window itself
_VERY_FAR: Final = 5_000.0  # pixels: no honest layout is as wide


def is_off_screen(declared: Mapping[str, str]) -> bool:
    """Whether a style puts its element, or the text in it, where nobody scrolls to."""
    indent = number(declared.get("text-indent", "")) or (0.0, "")
    pushed = (indent >= (100.0, "%") and indent[1] == "%") or (pixels(declared.get("text-indent", "")) or 0) >= _FARTHER
    if _is_before(declared.get("text-indent", ""), _FAR) or (pushed and is_clipped(declared)):
        return True
    return _is_pulled_away(declared) or _is_placed_away(declared) or _is_moved_away(declared)


def _is_before(value: str, far: float) -> bool:
    place = pixels(value)
    return place is not None and place <= -far


def _is_pulled_away(declared: Mapping[str, str]) -> bool:
    """By a margin; a share of the width is how columns are laid out, and padding brings the text back."""
    if any(name.startswith("padding") for name in declared):
        return False
    every = [_pulled(side) for side in declared.get("margin", "").split()] or [0.0]
    top, _, _, left = all_sides(every)
    sides = (_pulled(declared.get("margin-top", "")) or top, _pulled(declared.get("margin-left", "")) or left)
    return min(sides) <= -_FARTHER


def _pulled(side: str) -> float:
    return 0.0 if side[-1:] in ("%", "w") else pixels(side) or 0.0


def _is_placed_away(declared: Mapping[str, str]) -> bool:
    position = declared.get("position", "")
    if position not in ("absolute", "fixed", "relative"):
        return False
    inset = declared.get("inset", "").split()
    start = _NEAR_WINDOW if position == "fixed" else _FAR
    end = _NEAR_WINDOW if position == "fixed" else _FARTHER
    return (
        any(_is_before(declared.get(side, ""), start) for side in ("left", "top"))
        or (position != "relative" and any(_is_before(declared.get(side, ""), end) for side in ("right", "bottom")))
        or any(_is_before(side, end) for side in inset)
        or any((pixels(declared.get(side, "")) or 0) >= _VERY_FAR for side in ("left", "bottom", "right"))
    )


def _is_moved_away(declared: Mapping[str, str]) -> bool:
    moved = declared.get("translate", "").split()
    moved += arguments(declared.get("transform", ""), "translate(?:x|y|3d)?") or []
    return any(abs(pixels(part) or 0) >= _VERY_FAR and not part.endswith("%") for part in moved)
