"""Where a text may be cut without splitting a character as people see it (UAX #29, conservatively). Pure."""

import unicodedata
from typing import Final

_CLUSTER_CHARS: Final = 64  # a longer cluster is an attack, not a letter
_JOINERS: Final = ("\u200c", "\u200d", "\uff9e", "\uff9f")  # ZWNJ, ZWJ, half-width voiced sound marks
_ZWJ: Final = "\u200d"
_VIRAMA: Final = 9  # canonical combining class


def is_joined(text: str, at: int) -> bool:
    """Whether the code points before and at `at` belong to one character; both must exist."""
    before, after = text[at - 1], text[at]
    if before < "\u0300" and after < "\u0300":
        return before == "\r" and after == "\n"
    if before in ("\r", "\n"):
        return False
    if before == _ZWJ or after in _JOINERS or unicodedata.category(after) in ("Mn", "Me", "Mc"):
        return True
    if unicodedata.combining(before) == _VIRAMA and after.isalpha():
        return True
    return _is_pair(text, at, before, after)


def _is_pair(text: str, at: int, before: str, after: str) -> bool:
    """Surrogates, skin tones, tags, conjoining jamo, and the two halves of a flag."""
    if "\ud800" <= before <= "\udbff":
        return "\udc00" <= after <= "\udfff"
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    if "\u1160" <= after <= "\u11ff":
        return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    return _is_regional(before) and _is_regional(after) and _flag_letters(text, at) % 2 == 1


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flag_letters(text: str, at: int) -> int:
    count = 0
    while at - count > 0 and count < _CLUSTER_CHARS and _is_regional(text[at - count - 1]):
        count += 1
    return count


def cut_between(text: str, start: int, end: int) -> int:
    """The last place in (`start`, `end`] between two characters; `end` when one fills all of it.

    Looks back at most 64 code points: no letter is longer.
    """
    at = end
    while at > max(start, end - _CLUSTER_CHARS):
        if at >= len(text) or not is_joined(text, at):
            return at
        at -= 1
    return end
