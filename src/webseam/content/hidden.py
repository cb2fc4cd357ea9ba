"""Whether an inline style hides its element. Pure. What a stylesheet hides cannot be told without a layout engine."""

import re
from functools import lru_cache
from typing import Final, Literal, TypeAlias

Hiding: TypeAlias = Literal["fade", "gone", "trick"]

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|(.))", re.DOTALL)
_SPACE: Final = re.compile(r"\s+")
_ZERO: Final = re.compile(r"[+-]?(?:0+(?:\.0*)?|\.0+)(?:e[+-]?\d+)?(?:%|[a-z]+)?")
_FAR_AWAY: Final = re.compile(r"-\d{3,}(?:\.\d*)?(?:px|em|rem|pt|vw|vh|%)")
_HEX: Final = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_COLOURS: Final = {"white": "#ffffff", "black": "#000000", "rgb(255,255,255)": "#ffffff", "rgb(0,0,0)": "#000000"}
_STYLE_CHARS: Final = 4_096  # a longer style is a picture in a data: URL
_LAST_CODE_POINT: Final = 0x10FFFF


def hiding(style: str) -> Hiding | None:
    """How `style` makes its element invisible, in any spelling CSS allows; None when it does not.

    `fade` (`visibility:hidden|collapse`, `opacity:0`) and `gone` (`display:none`) are what scripts take back once a
    page is ready. `trick` hides text for good: `font-size:0`, a box of no size, a place far off the screen, and text
    in the colour of its own background. The last declaration of a property counts.
    """
    return _hiding(style[:_STYLE_CHARS])


@lru_cache(maxsize=512)
def _hiding(style: str) -> Hiding | None:
    """Remembered: a site spells its few styles again on every page."""
    declared = _declarations(style)
    if _is_trick(declared):
        return "trick"
    if declared.get("display") == "none":
        return "gone"
    faded = declared.get("visibility") in ("hidden", "collapse") or _is_zero(declared, "opacity")
    return "fade" if faded else None


def _is_trick(declared: dict[str, str]) -> bool:
    if _is_zero(declared, "font-size") or (_is_zero(declared, "width") and _is_zero(declared, "height")):
        return True
    return _is_off_screen(declared) or _is_camouflaged(declared)


def _declarations(style: str) -> dict[str, str]:
    """Property to value, lower case, without comments, escapes, white space and `!important`."""
    plain = _SPACE.sub("", _ESCAPE.sub(_unescaped, _COMMENT.sub(" ", style))).lower()
    pairs = (part.partition(":") for part in plain.split(";"))
    return {name: value.removesuffix("!important") for name, _, value in pairs if value}


def _unescaped(found: re.Match[str]) -> str:
    if not found[1]:
        return found[2]
    code = int(found[1], 16)
    return chr(code) if 0 < code <= _LAST_CODE_POINT else ""


def _is_zero(declared: dict[str, str], name: str) -> bool:
    return _ZERO.fullmatch(declared.get(name, "")) is not None


def _is_off_screen(declared: dict[str, str]) -> bool:
    if _FAR_AWAY.fullmatch(declared.get("text-indent", "")):
        return True
    return declared.get("position") in ("absolute", "fixed") and any(
        _FAR_AWAY.fullmatch(declared.get(side, "")) for side in ("left", "top", "right", "bottom")
    )


def _is_camouflaged(declared: dict[str, str]) -> bool:
    colour = _colour(declared.get("color", ""))
    behind = _colour(declared.get("background-color") or declared.get("background", ""))
    return bool(colour) and colour == behind


def _colour(value: str) -> str:
    short = _HEX.fullmatch(value)
    value = f"#{short[1] * 2}{short[2] * 2}{short[3] * 2}" if short else value
    return "" if value in ("transparent", "inherit", "currentcolor") else _COLOURS.get(value, value)
