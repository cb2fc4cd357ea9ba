"""Which joiners and variation selectors mean something where they stand; the rest is a hidden channel. Pure."""

import re
import unicodedata
from typing import Final

# Without block elements: they are no emoji, and U+2581 is the word mark that `hygiene` replaces.
_EMOJI: Final = re.compile(
    "[#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u257f\u25a0-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_IDEOGRAPH: Final = re.compile("[\u2e80-\u303f\u3400-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]")
_SYMBOL_OR_MYANMAR: Final = re.compile("[\u2190-\u257f\u25a0-\u2bff\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f]")
_MONGOLIAN: Final = re.compile("[\u1820-\u18aa]")
_JOINING: Final = re.compile(  # cursive and Indic scripts: letters, and the marks written between them
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\u1a20-\u1aaf\u1b00-\u1c4f"
    "\ua840-\ua8ff\ua980-\ua9df\uaa60-\uaa7f\ufb50-\ufdff\ufe70-\ufefc\U00010d00-\U00010d3f\U00011000-\U000114df\U0001e900-\U0001e95f]"
)
_VIRAMA: Final = 9  # canonical combining class
_ZWJ: Final = "\u200d"


def kept_selectors(found: re.Match[str]) -> str:
    """The first selector of a run where its base takes one, else none."""
    base = found.string[found.start() - 1] if found.start() else ""
    first = found[0][0]
    return first if base and _takes(base, first) else ""


def _takes(base: str, selector: str) -> bool:
    if selector in ("\ufe0e", "\ufe0f"):
        return _EMOJI.match(base) is not None
    if selector <= "\u180f":
        return _MONGOLIAN.match(base) is not None
    if selector <= "\ufe02":
        return (_IDEOGRAPH.match(base) or _SYMBOL_OR_MYANMAR.match(base)) is not None
    return selector > "\ufe0f" and _IDEOGRAPH.match(base) is not None


def kept_joiners(found: re.Match[str]) -> str:
    """A single joiner between letters of a joining script, behind a virama, or inside an emoji; else none."""
    start, end, text = found.start(), found.end(), found.string
    if end - start != 1 or start == 0 or end == len(text):
        return found[0] if end - start == 1 and start and _is_virama(text[start - 1]) else ""
    before, after = text[start - 1], text[end]
    if _JOINING.match(before) and _JOINING.match(after):
        return found[0]
    in_emoji = found[0] == _ZWJ and (before == "\ufe0f" or _EMOJI.match(before)) and _EMOJI.match(after)
    return found[0] if in_emoji or _is_virama(before) else ""


def _is_virama(char: str) -> bool:
    return unicodedata.combining(char) == _VIRAMA
