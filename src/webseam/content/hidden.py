"""Whether attributes or an inline style hide an element. Pure.

What a stylesheet hides cannot be told without a layout engine.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from webseam.content.css import STYLE_CHARS, declarations, is_clipped
from webseam.content.css_values import arguments, pixels
from webseam.content.hidden_colour import background_colour, is_camouflaged, is_same, text_colour
from webseam.content.hidden_fade import is_faded
from webseam.content.hidden_place import is_off_screen

if TYPE_CHECKING:
    from turbohtml import Element

Hiding: TypeAlias = Literal["fade", "gone", "trick"]

_TINY: Final = 2.0  # pixels of type that nobody reads
_DOT: Final = 1.0  # pixels of a box for machines: screen readers, or worse
_INHERITED: Final = ("font", "font-size", "color", "-webkit-text-fill-color", "visibility")
_FOLDS: Final = (
    (("height", "max-height"), ("padding-top", "padding-bottom", "padding-block", "min-height")),
    (("width", "max-width"), ("padding-left", "padding-right", "padding-inline", "min-width")),
)
_FOLDING: Final = frozenset({"padding", *(name for fold in _FOLDS for names in fold for name in names)})
_SIZE: Final = re.compile(r"([+-]?[\d.]+(?:px|pt|em|rem|%|pc|ex|ch|vw|vh|in|cm|mm|q)|[+-]?0+(?:\.0*)?)(?:/\S+)?")


def hiding(style: str) -> Hiding | None:
    """How `style` makes its element invisible, in any spelling CSS allows; None when it does not.

    `fade` (no visibility or opacity, scaled or clipped to nothing) and `gone` (`display:none`, folded up) are what
    scripts take back once a page is ready. `trick` hides text for good: type or boxes too small to see, a place far
    off the screen, text without colour or in the colour of its own background.
    """
    return _hiding(style[:STYLE_CHARS])


def marking(element: "Element") -> Hiding | None:
    """How an element's attributes, its style apart, hide it."""
    hidden = element.attr("hidden")
    if (hidden is not None and hidden.lower() != "until-found") or element.attr("popover") is not None:
        return "gone"
    return "gone" if (element.attr("aria-hidden") or "").lower() == "true" else None


def hides(element: "Element") -> bool:
    """Whether an element hides what it holds, so that no edit may take it away and leave that."""
    style = element.attr("style")
    return (style is not None and hiding(style) is not None) or marking(element) is not None


def is_undone(hidden: str, inner: str) -> bool:
    """Whether an element in one that `hidden` hides shows its text all the same, for it has the style `inner`.

    Size of type, colour and visibility are inherited, so that an element may set its own; all else hides what
    is inside.
    """
    around, declared = declarations(hidden), declarations(inner)
    if hiding(inner) or not declared:
        return False
    if _is_tiny(around):
        return "font-size" in declared or "font" in declared
    if is_camouflaged(around):
        front = text_colour(declared)
        return front is not None and not is_same(front, background_colour(around))
    return declared.get("visibility") == "visible" and around.get("visibility") == "hidden"


@lru_cache(maxsize=512)
def is_inherited(style: str) -> bool:
    """Whether nothing but what elements inherit hides an element of this style."""
    declared = declarations(style)
    left = {name: value for name, value in declared.items() if name not in _INHERITED}
    return hiding(style) is not None and _hiding(";".join(f"{name}:{value}" for name, value in left.items())) is None


@lru_cache(maxsize=512)
def _hiding(style: str) -> Hiding | None:
    """Remembered: a site spells its few styles again on every page."""
    declared = declarations(style)
    for kind, names, judge in _JUDGES:
        if not names.isdisjoint(declared) and judge(declared):
            return kind
    return None


def _is_tiny(declared: Mapping[str, str]) -> bool:
    """The last of `font` and `font-size` counts."""
    size = next((value for name, value in reversed(tuple(declared.items())) if name in ("font-size", "font")), "")
    named = declared.get("font") == size and next((one[1] for one in _SIZE.finditer(size) if _starts(one)), "")
    wide = pixels(named or size)
    return wide is not None and wide < (_TINY if (named or size)[-1:] != "%" else 100.0) and wide > -1


def _starts(found: re.Match[str]) -> bool:
    """Whether a match is a word of its own: 700 in `700 12px a` is a weight."""
    before, after = found.string[: found.start()], found.string[found.end() :]
    return (not before or before[-1] == " ") and (not after or after[0] == " ")


def _is_dot(declared: Mapping[str, str]) -> bool:
    width, height = pixels(declared.get("width", "")), pixels(declared.get("height", ""))
    if width is None or height is None:
        return False
    return (width == 0 and height == 0) or (max(width, height) <= _DOT and is_clipped(declared))


def _is_out(declared: Mapping[str, str]) -> bool:
    return declared["display"] == "none"


def _is_folded(declared: Mapping[str, str]) -> bool:
    """No height or width and what overflows is cut off.

    Padding makes room again, as for a picture's shape; so does a least size, and the width that a row shares out.
    """
    if declared.get("content-visibility") == "hidden":
        return True
    if not is_clipped(declared):
        return False
    lengths = {name: pixels(value) for name, value in declared.items() if name in _FOLDING}
    if "flex" in declared or "flex-grow" in declared:
        lengths["min-width"] = None
    return any(
        any((length := lengths.get(side)) is not None and 0 <= length <= _DOT for side in sides)
        and not any(lengths.get(edge, 0.0) != 0 for edge in ("padding", *edges))
        for sides, edges in _FOLDS
    )


def _is_cut_away(declared: Mapping[str, str]) -> bool:
    """`clip` to an area of nothing; `clip-path` is judged as a fade, as scripts unroll what it hides."""
    edges = [pixels(part) for part in arguments(declared.get("clip", ""), "rect") or ()]
    if len(edges) != 4 or None in edges or declared.get("position") not in ("absolute", "fixed"):  # noqa: PLR2004 - sides
        return False
    top, right, bottom, left = (edge or 0.0 for edge in edges)
    return bottom - top <= _DOT or right - left <= _DOT


# What a judge looks at comes first, for most styles concern none of them.
_JUDGES: Final[tuple[tuple[Hiding, frozenset[str], Callable[[Mapping[str, str]], bool]], ...]] = (
    ("trick", frozenset({"font", "font-size"}), _is_tiny),
    ("trick", frozenset({"width"}), _is_dot),
    (
        "trick",
        frozenset({"text-indent", "margin", "margin-left", "margin-top", "position", "translate", "transform"}),
        is_off_screen,
    ),
    ("trick", frozenset({"clip"}), _is_cut_away),
    ("trick", frozenset({"color", "-webkit-text-fill-color"}), is_camouflaged),
    ("gone", frozenset({"display"}), _is_out),
    ("gone", frozenset({"overflow", "overflow-x", "overflow-y", "content-visibility"}), _is_folded),
    ("fade", frozenset({"visibility", "opacity", "filter", "scale", "transform", "zoom", "clip-path"}), is_faded),
)
