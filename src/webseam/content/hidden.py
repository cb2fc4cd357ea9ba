"""Whether attributes or an inline style hide an element. Pure.

What a stylesheet hides cannot be told without a layout engine.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from webseam.content.colours import Colour, colour, first_colour
from webseam.content.css import STYLE_CHARS, declarations
from webseam.content.css_values import arguments, fraction, number, pixels

if TYPE_CHECKING:
    from turbohtml import Element

Hiding: TypeAlias = Literal["fade", "gone", "trick"]

_FAINT: Final = 0.02  # opacity at which nobody reads
_TINY: Final = 2.0  # pixels of type that nobody reads
_DOT: Final = 1.0  # pixels of a box for machines: screen readers, or worse
_FAR: Final = 500.0  # pixels left of or above a column in the middle of a wide window, where nothing scrolls to
_FARTHER: Final = 1_000.0  # pixels right of or below its place: flyouts and notes stand nearer
_NEAR_WINDOW: Final = 100.0  # pixels outside the window itself
_VERY_FAR: Final = 5_000.0  # pixels: no honest layout is as wide
_NEAR: Final = 8.0  # steps of 255 between two colours that nobody tells apart
_HALF: Final = 50.0
_CORNERS: Final = 4  # values of a shorthand for all sides
_INHERITED: Final = ("font", "font-size", "color", "-webkit-text-fill-color", "visibility")
_RIGHT_ANGLES: Final = {"deg": 90.0, "turn": 0.25, "grad": 100.0}
_FOLDS: Final = (
    (("height", "max-height"), ("padding-top", "padding-bottom", "padding-block", "min-height")),
    (("width", "max-width"), ("padding-left", "padding-right", "padding-inline", "min-width")),
)
_FOLDING: Final = frozenset({"padding", *(name for fold in _FOLDS for names in fold for name in names)})
_OUTLINES: Final = ("text-shadow", "-webkit-text-stroke", "-webkit-text-stroke-width")  # show letters without a colour
_CLIPPED: Final = ("hidden", "clip")
_SIZE: Final = re.compile(r"([+-]?[\d.]+(?:px|pt|em|rem|%|pc|ex|ch|vw|vh|in|cm|mm|q)|[+-]?0+(?:\.0*)?)(?:/\S+)?")
_PICTURE: Final = re.compile(r"url\(|gradient\(|image\(|image-set\(|element\(")


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
    if _is_camouflaged(around):
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
    return (width == 0 and height == 0) or (max(width, height) <= _DOT and _is_clipped(declared))


def _is_clipped(declared: Mapping[str, str]) -> bool:
    return any(
        word in _CLIPPED for name in ("overflow", "overflow-x", "overflow-y") for word in declared.get(name, "").split()
    )


def _is_out(declared: Mapping[str, str]) -> bool:
    return declared["display"] == "none"


def _is_folded(declared: Mapping[str, str]) -> bool:
    """No height or width and what overflows is cut off.

    Padding makes room again, as for a picture's shape; so does a least size, and the width that a row shares out.
    """
    if declared.get("content-visibility") == "hidden":
        return True
    if not _is_clipped(declared):
        return False
    lengths = {name: pixels(value) for name, value in declared.items() if name in _FOLDING}
    if "flex" in declared or "flex-grow" in declared:
        lengths["min-width"] = None
    return any(
        any((length := lengths.get(side)) is not None and 0 <= length <= _DOT for side in sides)
        and not any(lengths.get(edge, 0.0) != 0 for edge in ("padding", *edges))
        for sides, edges in _FOLDS
    )


def _is_zero(value: str) -> bool:
    return pixels(value) == 0


def _is_off_screen(declared: Mapping[str, str]) -> bool:
    indent = number(declared.get("text-indent", "")) or (0.0, "")
    pushed = (indent >= (100.0, "%") and indent[1] == "%") or (pixels(declared.get("text-indent", "")) or 0) >= _FARTHER
    if _is_before(declared.get("text-indent", ""), _FAR) or (pushed and _is_clipped(declared)):
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
    top, _, _, left = _all_sides(every)
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


def _is_cut_away(declared: Mapping[str, str]) -> bool:
    """`clip` to an area of nothing; `clip-path` is judged as a fade, as scripts unroll what it hides."""
    edges = [pixels(part) for part in arguments(declared.get("clip", ""), "rect") or ()]
    if len(edges) != 4 or None in edges or declared.get("position") not in ("absolute", "fixed"):  # noqa: PLR2004 - sides
        return False
    top, right, bottom, left = (edge or 0.0 for edge in edges)
    return bottom - top <= _DOT or right - left <= _DOT


def _is_faded(declared: Mapping[str, str]) -> bool:
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
    return found is not None and found <= _FAINT


def _is_flat(scale: str) -> bool:
    """Of no size; a negative one is a mirror."""
    found = fraction(scale)
    return found is not None and abs(found) <= _FAINT


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
    return abs(a * d - b * c) <= _FAINT**2


def _is_clipped_away(declared: Mapping[str, str]) -> bool:
    shape = declared.get("clip-path", "")
    inset = arguments(shape, "inset")
    if inset:
        return _is_inset_away(inset)
    round_ = arguments(shape, "(?:circle|ellipse)")
    if round_:
        return _is_zero(round_[0])
    corners = arguments(shape, "polygon") or []
    return bool(corners) and len(set(zip(corners[::2], corners[1::2], strict=False))) == 1


def _is_inset_away(inset: list[str]) -> bool:
    """Whether opposite sides of an area meet."""
    sides = inset[: inset.index("round")] if "round" in inset else inset
    shares = [one[0] if (one := number(side)) and one[1] == "%" else 0.0 for side in sides]
    top, right, bottom, left = _all_sides(shares or [0.0])
    return top + bottom >= 2 * _HALF or right + left >= 2 * _HALF


def _all_sides(values: list[float]) -> tuple[float, ...]:
    """Top, right, bottom and left of a shorthand of one to four values."""
    top, right = values[0], values[1 % len(values)]
    bottom, left = (values[at] if len(values) > at else same for at, same in ((2, top), (3, right)))
    return (top, right, bottom, left)


def _is_camouflaged(declared: Mapping[str, str]) -> bool:
    if _is_own_background(declared):
        return True
    front = text_colour(declared)
    if front is None:
        return False
    if front[3] <= _FAINT:
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
    if behind is None or behind[3] <= _FAINT:
        return False
    return max(abs(one - other) for one, other in zip(front[:3], behind[:3], strict=True)) <= _NEAR


# What a judge looks at comes first, for most styles concern none of them.
_JUDGES: Final[tuple[tuple[Hiding, frozenset[str], Callable[[Mapping[str, str]], bool]], ...]] = (
    ("trick", frozenset({"font", "font-size"}), _is_tiny),
    ("trick", frozenset({"width"}), _is_dot),
    (
        "trick",
        frozenset({"text-indent", "margin", "margin-left", "margin-top", "position", "translate", "transform"}),
        _is_off_screen,
    ),
    ("trick", frozenset({"clip"}), _is_cut_away),
    ("trick", frozenset({"color", "-webkit-text-fill-color"}), _is_camouflaged),
    ("gone", frozenset({"display"}), _is_out),
    ("gone", frozenset({"overflow", "overflow-x", "overflow-y", "content-visibility"}), _is_folded),
    ("fade", frozenset({"visibility", "opacity", "filter", "scale", "transform", "zoom", "clip-path"}), _is_faded),
)
