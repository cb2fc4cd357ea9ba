"""Words of a PDF as they are meant: those broken at a line's end whole, ligatures as letters. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

_LIGATURES: Final = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st"}
_FOLDED: Final = str.maketrans(_LIGATURES | {"\ufb06": "st", "\u00a0": " ", "\0": None})
_MARKS: Final = "\u00ad\ufffe\x02"  # PDFium gives U+FFFE or U+0002 for a hyphen at a line's end
_BREAK: Final = re.compile(rf"(?<=\w)[{_MARKS}][ \t]*(?:\r?\n)?(?=\w)")
_FIRST: Final = re.compile(r"[\w-]*\Z")
_SECOND: Final = re.compile(r"\w*")
_WORD_CHARS: Final = 60  # looked at on either side of a break
_WORD: Final = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_UNSEEN: Final = re.compile(r"[\x01\x03-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\uffff]")
_HYPHEN: Final = re.compile(r"[\ufffe\x02]")
_EMPTY_RIGHT: Final = re.compile(r"[ \t]+$", re.MULTILINE)
_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


def known_words(texts: Iterable[str]) -> Mapping[str, int]:
    """How often each word, and each compound with hyphens, stands in texts as PDFium gives them.

    The halves of a broken word are none. Nothing is counted where no word is broken.
    """
    whole = "\n".join(texts)
    if not any(mark in whole for mark in _MARKS):
        return _NOTHING
    whole = whole.translate(_FOLDED)
    breaks = list(_BREAK.finditer(whole))
    known = Counter(_WORD.findall(_BREAK.sub("\n", whole).casefold()))
    known.subtract(half.casefold() for found in breaks for half in _halves(found))
    return known


def mended(text: str, known: Mapping[str, int] = _NOTHING) -> str:
    """The text of a page as PDFium gives it: words broken at a line end whole, ligatures as letters, nothing unseen.

    A hyphen at a line's end belongs to a compound or only to the line: it stays where `known` has the compound, or has
    both halves and not the whole; where a half is a number, or the second begins in upper case, as names do; and where
    the first half is a compound. Else it goes.
    """
    whole = _BREAK.sub(partial(_joined, known), text.translate(_FOLDED).replace("\r\n", "\n"))
    return _EMPTY_RIGHT.sub("", _UNSEEN.sub("", _HYPHEN.sub("-", whole))).strip("\n")


def _halves(found: re.Match[str]) -> tuple[str, str]:
    """What stands before and behind a break."""
    start, end = found.span()
    first, second = _FIRST.search(found.string[max(0, start - _WORD_CHARS) : start]), _SECOND.match(found.string, end)
    return first[0] if first else "", second[0] if second else ""


def _joined(known: Mapping[str, int], found: re.Match[str]) -> str:
    """What becomes of a break; a soft hyphen says what it is."""
    return "-" if not found[0].startswith("\u00ad") and _is_compound(*_halves(found), known) else ""


def _is_compound(first: str, second: str, known: Mapping[str, int]) -> bool:
    one, other = first.casefold(), second.casefold()
    joined, parted = known.get(one + other, 0), known.get(f"{one}-{other}", 0)
    if joined or parted:
        return parted > joined
    if "-" in first or first[-1].isdigit() or second[0].isdigit() or (second[0].isupper() and not first.isupper()):
        return True
    return known.get(one, 0) > 0 and known.get(other, 0) > 0
