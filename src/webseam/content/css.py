"""Inline styles read as a browser reads them, as far as judging visibility needs it. Pure."""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from webseam.content.colours import colour
from webseam.content.css_values import fraction, pixels

STYLE_CHARS: Final = 4_096
"""A longer style is a picture in a data: URL; what stands behind is not read."""

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|(.))", re.DOTALL)
_TIGHT: Final = re.compile(r" ?([,(/]) ?| (\))")
_IMPORTANT: Final = re.compile(r" ?! ?important\Z")
_LAST_CODE_POINT: Final = 0x10FFFF
_WIDE: Final = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_DISPLAY: Final = re.compile(
    r"none|contents|list-item|flow|flow-root|ruby|run-in|math|initial|inherit|unset|revert(?:-layer)?"
    r"|(?:inline-)?(?:block|flex|grid|table)|inline|table-[a-z-]+|-(?:webkit|moz|ms)-[a-z-]+"
)
_VISIBILITIES: Final = _WIDE | {"visible", "hidden", "collapse"}
_LENGTH: Final = _WIDE | {"auto", "none", "normal", "min-content", "max-content", "fit-content", "stretch"}
_SIZES: Final = _WIDE | {
    *(
        "xx-small",
        "x-small",
        "small",
        "medium",
        "large",
        "x-large",
        "xx-large",
        "xxx-large",
        "smaller",
        "larger",
        "math",
    )
}
_SIDES: Final = ("left", "top", "right", "bottom", "width", "height", "max-width", "max-height", "text-indent")
_COLOURS: Final = ("color", "background-color", "-webkit-text-fill-color")
_SYSTEM_COLOURS: Final = re.compile(r"currentcolor|[a-z]*text|canvas|field|highlight|mark|buttonface|accentcolor")
_CLIPPED: Final = ("hidden", "clip")
_VAR: Final = re.compile(r"var\((--[\w-]{1,100})(?:,([^()]*))?\)")
# What a left-to-right page means by logical names, and by those of one browser.
_ALIASES: Final[Mapping[str, str]] = {
    "inset-inline-start": "left",
    "inset-inline-end": "right",
    "inset-block-start": "top",
    "inset-block-end": "bottom",
    "margin-inline-start": "margin-left",
    "inline-size": "width",
    "block-size": "height",
    "max-inline-size": "max-width",
    "max-block-size": "max-height",
    **{f"-{maker}-{name}": name for maker in ("webkit", "moz", "ms") for name in ("transform", "filter", "clip-path")},
}


@lru_cache(maxsize=512)
def declarations(style: str) -> Mapping[str, str]:
    """Property to value, lower case, without comments, escapes and needless white space.

    The last declaration of a property counts, one marked `!important` before all others; one whose value is no value
    of `display`, `visibility` or `opacity` is ignored. In the order in which they take effect.
    """
    style = style[:STYLE_CHARS]
    if "\\" in style or "/*" in style:
        style = _ESCAPE.sub(_unescaped, _COMMENT.sub(" ", style))
    plain = " ".join(style.split()).lower()
    normal: dict[str, str] = {}
    important: dict[str, str] = {}
    for part in plain.split(";"):
        name, _, value = part.partition(":")
        name, value = name.strip(), value.strip()
        name = _ALIASES.get(name, name)
        value = _TIGHT.sub(r"\1\2", value) if " " in value else value
        bare = _IMPORTANT.sub("", value) if "!" in value else value
        if bare and _is_valid(name, bare):
            target = normal if bare == value else important
            target.pop(name, None)
            target[name] = bare
    left = {name: value for name, value in normal.items() if name not in important} if important else normal
    return MappingProxyType(_with_variables(left | important))


def is_clipped(declared: Mapping[str, str]) -> bool:
    """Whether what overflows an element of these declarations is cut off."""
    return any(
        word in _CLIPPED for name in ("overflow", "overflow-x", "overflow-y") for word in declared.get(name, "").split()
    )


def _with_variables(declared: dict[str, str]) -> dict[str, str]:
    """What `var()` means where the same style says it, or else falls back to."""
    for name, value in declared.items():
        if "var(" in value:
            declared[name] = _VAR.sub(
                lambda found: declared.get(found[1]) or (found[2] or "").strip() or found[0], value
            )
    return declared


def _is_valid(name: str, value: str) -> bool:
    """Whether a browser would take `value`; a function counts as valid, whatever it is of."""
    if "(" in value:
        return True
    if name == "display":
        return all(_DISPLAY.fullmatch(word) for word in value.split())
    if name == "visibility":
        return value in _VISIBILITIES
    if name == "opacity":
        return value in _WIDE or fraction(value) is not None
    if name == "font-size":
        return value in _SIZES or pixels(value) is not None
    if name in _COLOURS:
        return value in _WIDE or colour(value) is not None or _SYSTEM_COLOURS.fullmatch(value) is not None
    return name not in _SIDES or value in _LENGTH or pixels(value) is not None


def _unescaped(found: re.Match[str]) -> str:
    if not found[1]:
        return found[2]
    code = int(found[1], 16)
    return chr(code) if 0 < code <= _LAST_CODE_POINT else ""
