"""A text folded for search, and the way back to where each folded character stood. Pure, linear."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Final

_HAN: Final = "\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff60"
"""Scripts written without spaces, and their punctuation."""
_IS_HAN: Final = re.compile(f"[{_HAN}]")
_ESCAPE: Final = r"\\(?=[!-/:-@\[-`{-~])"
_SPACE: Final = r"[^\S ]"
_SIGNS: Final = r"[*_`~^#<>|\[\]]|\\(?=\n)"
_TARGET: Final = (
    r"\]\((?:<[^<>\n]{0,2100}+>|(?:[^()\s]|\([^()\s]{0,400}+\)){0,4000})(?:\s\"[^\"\n]{0,400}+\")?\)"  # of a link
)
_BLOCKS: Final = (
    r"\n[ \t>]*+(?:(?:[-+*]|\d{1,9}[.)])[ \t]++)+(?:\[[ xX]\][ \t])?"  # marks of list items
    r"|\n[ \t>|:=-]*+(?=\n)"  # rules, and the second line of a table or a heading
    r"|\[\\\[[^\[\]\n]{1,20}\\\]\]\([^()\s]{0,2100}+\)"  # the number of a note
)
_LINK_TARGET: Final = re.compile(_TARGET)
_WHITE: Final = re.compile(r"\s")
_MARKS: Final = "\u0300-\u036f\u0653-\u0655\u093c\u3099\u309a"  # those that compose
_COMPATIBLE: Final = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\uff01-\uff3b\uff3d-\uff5e"
_DOTTED: Final = "i\u0307"  # a capital I with a dot, folded
_DOTS: Final = "\u2026"
_KEYS: Final = str.maketrans(
    "\u2018\u2019\u201a\u201b\u02bc\u2032\u2035\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2036"
    "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u0131",
    '\'\'\'\'\'\'\'""""""""-------i',
)
"""Quotes, dashes and the Turkish I without a dot as a keyboard has them."""
_VARIANT: Final = re.compile(f"[{''.join(map(chr, _KEYS))}{_COMPATIBLE}]")
_EXPANDING: Final = "\u00df\u0130\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9e\u1f50-\u1fff\ufb00-\ufb17"
"""Characters whose case folding is longer than one, among others that a piece of their own does no harm."""
_ODD: Final = (
    rf"[^\W_]?[{_MARKS}]{{1,64}}+|[{_EXPANDING}]"
    r"|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\uac00-\ud7a3][\u11a8-\u11c2]"
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text in parts; `starts` and `origins` say where each part begins in it and in the text."""

    text: str
    starts: list[int]
    origins: list[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the folded characters `start` to `end`, at least one, stand in the text."""
        return self._origin(start)[0], self._origin(end - 1)[1]

    def _origin(self, at: int) -> tuple[int, int]:
        part = bisect_right(self.starts, at) - 1
        begin, after = self.origins[part], self.origins[part + 1]
        if part % 2:  # replaced as a whole
            return begin, after
        begin += at - self.starts[part]
        return begin, begin + 1

    def place(self, origin: int) -> int:
        """The first folded position whose character begins at `origin` of the text, or after it."""
        part = bisect_right(self.origins, origin) - 1
        if part >= len(self.starts):
            return len(self.text)
        inside = origin - self.origins[part]
        if part % 2:
            return self.starts[part + 1] if inside else self.starts[part]
        return self.starts[part] + inside


def folded(text: str, *, readable: bool, blocks: bool = False) -> Folded:
    """Case and composition folded (Unicode 3.13, NFC), white space as one space, no escapes, signs as on a keyboard.

    Between characters of scripts written without spaces, white space goes. `readable` leaves out besides what a reader
    of the Markdown does not see: emphasis, code and heading marks, bars of tables, brackets and targets of links.
    `blocks` leaves out what stands between the words of two blocks, too: marks of list items and rules, and the
    numbers of notes. The four letters I of Turkish are one.
    """
    base = text.casefold()
    simple = len(base) == len(text) and _DOTTED not in base and unicodedata.is_normalized("NFC", base)
    parts = _pattern(readable=readable, blocks=blocks, odd=not simple).split(base if simple else text)
    lengths = [len(part) for part in parts]
    made = _replaced(parts, str if simple else str.casefold)
    starts, origins = accumulate(map(len, made[:-1]), initial=0), accumulate(lengths, initial=0)
    return Folded(_plain("".join(made)), list(starts), list(origins))


def folded_phrase(phrase: str, *, readable: bool) -> str:
    """What to look for in a text folded alike; empty where nothing of the phrase is left."""
    return folded(phrase, readable=readable).text.strip().rstrip("\\")


def _plain(text: str) -> str:
    """Variants of a sign as the sign; each is replaced everywhere when it is met first."""
    at = 0
    while not text.isascii() and (found := _VARIANT.search(text, at)):
        at = found.start()
        text = text.replace(found[0], unicodedata.normalize("NFKC", found[0].translate(_KEYS)))
    return text


@cache
def _pattern(*, readable: bool, blocks: bool, odd: bool) -> re.Pattern[str]:
    """What is replaced. A single plain space stays, so that words are not parts of their own."""
    marks = [_BLOCKS] * blocks + [_TARGET, _SIGNS] * readable + [_ESCAPE, _SPACE]
    mark = "|".join(marks)
    run = rf"(?:[ ]{{2,}}+|(?<=[{_HAN}])[ ]|{mark})(?:[ ]|{mark})*"
    return re.compile(f"({_ODD}|{_DOTS}|{run})" if odd else f"({_DOTS}|{run})")


def _replaced(parts: list[str], fold: Callable[[str], str]) -> list[str]:
    """Each part as it stands in the folded text; every second one is a run or a character of its own.

    A hostile text is all runs, a million of them, so that what they become is remembered.
    """
    made = list(map(fold, parts))
    known: dict[str, str] = {}
    for at in range(1, len(parts), 2):
        part = parts[at]
        becomes = known.get(part)
        if becomes is None:
            becomes = known[part] = _becomes(part)
        if becomes == " ":
            before = parts[at - 1] or made[max(0, at - 2)]
            if before[-1:] == " " or (before[-1:] > "\u3000" and _is_joint(before, parts[at + 1])):
                becomes = ""
        made[at] = becomes
    return made


def _becomes(part: str) -> str:
    """One space for a run that has white space outside of targets; else nothing, or the character folded."""
    if part == _DOTS:
        return "..."
    if not (part[0] in " \\*_`~^#<>|[]" or part[0].isspace()):
        return unicodedata.normalize("NFC", unicodedata.normalize("NFC", part).casefold()).replace(_DOTTED, "i")
    return " " if _WHITE.search(_LINK_TARGET.sub("", part) if "](" in part else part) else ""


def _is_joint(before: str, after: str) -> bool:
    """Whether white space between them is none, in scripts written without spaces."""
    return _IS_HAN.match(before[-1:]) is not None and _IS_HAN.match(after) is not None
