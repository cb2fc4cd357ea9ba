"""The colours that an inline style gives text and what lies behind it, and whether the one hides the other. Pure."""

import re
from collections.abc import Mapping
from typing import Final

from webseam.content.colours import Colour, colour, first_colour
from webseam.content.css_values import FAINT

_NEAR: Final = 8.0  # steps of 255 between two colours that nobody tells apart
_OUTLINES: Final = ("text-shadow", "-webkit-text-stroke", "-webkit-text-stroke-width")  # show letters without a colour
_PICTURE: Final = re.compile(r"url\(|gradient\(|image\(|image-set\(|element\(")


def is_camouflaged(declared: Mapping[str, str]) -> bool:
    """Whether a style gives text no colour, or that of the background it gives too."""
    if _is_own_background(declared):
        return True
    front = text_colour(declared)
    if front is None:
        return False
    if front[3] <= FAINT:
        return "text" not in _clip_of(declared) and not any(name in declared for name in _OUTLINES)
    return is_same(front, background_colour(declared))


def _is_own_background(declared: Mapping[str, str]) -> bool:
    """One colour for both, in whatever notation."""
    front = declared.get("-webkit-text-fill-color") or declared.get("color", "")
    return "(" in front and front in (declared.get("background-color"), declared.get("background"))


def _clip_of(declared: Mapping[str, str]) -> str:
    return " ".join(declared.get(name, "") for name in ("background-clip", "-webkit-background-clip", "background"))


def text_colour(declared: Mapping[str, str]) -> Colour | None:
    """The colour of an element's text; `-webkit-text-fill-color` goes before `color`."""
    return colour(declared.get("-webkit-text-fill-color") or declared.get("color", ""))


def has_picture(declared: Mapping[str, str]) -> bool:
    """Whether a picture or gradient lies behind an element's text."""
    values = (declared.get("background", ""), declared.get("background-image", ""))
    return any("(" in value and _PICTURE.search(value) for value in values)


def background_colour(declared: Mapping[str, str]) -> Colour | None:
    """The colour behind an element's text, where its style says it and no picture covers it."""
    if has_picture(declared):
        return None
    value = next(
        (one for name, one in reversed(tuple(declared.items())) if name in ("background-color", "background")), ""
    )
    return first_colour(value)


def is_same(front: Colour, behind: Colour | None) -> bool:
    """Whether nobody tells text of one colour from the other behind it."""
    if behind is None or behind[3] <= FAINT:
        return False
    return max(abs(one - other) for one, other in zip(front[:3], behind[:3], strict=True)) <= _NEAR
