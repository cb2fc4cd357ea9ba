"""Text -> the words it is found by. Index and query go through the same two functions, so they always agree.

SQLite's own `unicode61` is not enough (measured on 3.40): it cuts Hindi at every vowel sign, keeps a Chinese or Thai
sentence as one word, and folds accents of Latin letters only. So words are made here and stored ready-made.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from webseam.core.limits import INDEX_WORD_CHARS

_UNSPACED: Final = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece"  # Thai, Lao
    "\u1000-\u1049\u1050-\u109d\u1780-\u17d3"  # Burmese, Khmer
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30ff\u3105-\u312f\u31a0-\u31ff"  # kana, bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"  # ideographs
    "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"  # Hangul: spaced, but particles cling to the words
)
_ACCENTS: Final = (
    "\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew points
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"  # Arabic marks
)
_INVISIBLE: Final = "\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff"
_INDIC: Final = "\u0900-\u0963\u0966-\u096f\u0971-\u0dff\u0f71-\u0f84\u0f90-\u0fbc"

_WORD: Final = re.compile(
    rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}](?:[^\W_{_UNSPACED}]|[{_ACCENTS}{_INVISIBLE}{_INDIC}])*",
)
_DROPPED: Final = re.compile(f"[{_ACCENTS}{_INVISIBLE}]+")
_RUN: Final = re.compile(f"[{_UNSPACED}]")


def fold(text: str) -> str:
    """`text` without the differences that a searcher does not mean: case, accents, width, ligatures, soft hyphens."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFKC", _DROPPED.sub("", apart))


def is_run(word: str) -> bool:
    """Whether a word of `spans` is a run of a script written without spaces."""
    return _RUN.match(word) is not None


def spans(text: str) -> Iterator[re.Match[str]]:
    """Where the words stand: a spaced word, or a whole run of a script that is written without spaces."""
    return _WORD.finditer(text)


def tokens(folded: str) -> list[str]:
    """The tokens of folded text, in order. A run `ABC` gives `AB BC C`: every part of it is found by a phrase."""
    made: list[str] = []
    for match in _WORD.finditer(folded):
        word = match[0]
        if word.isascii() or not is_run(word):
            made.append(word[:INDEX_WORD_CHARS])
        else:
            made.extend(word[at : at + 2] for at in range(len(word)))
    return made


def token_stream(text: str) -> str:
    """What is stored for `text`: its tokens, a space between them."""
    return " ".join(tokens(fold(text)))


@lru_cache(maxsize=16_384)
def folded_word(word: str) -> str:
    """`fold` of one word, remembered: a page says the same words over and over."""
    return fold(word)


def word_forms(word: str) -> tuple[tuple[str, ...], str | None]:
    """Spellings that count as `word`, and the beginning that does; the exact word ranks above them in BM25.

    No stemmer: Porter is English only and, once stored, cannot be undone. English plurals are spelled out both
    ways; of longer words the beginning is enough, which serves inflected languages alike.
    """
    if not word.isalpha():
        return (word,), None
    if not word.isascii():
        cut = 0 if len(word) < _STEM + 1 else 1 if len(word) < _LONG else 2
        return (word,), word[: len(word) - cut] if len(word) > _STEM else None
    beginning = _beginning(word)
    forms = _plurals(word)
    if beginning is None:
        forms += tuple(f"{_stem(word)}{ending}" for ending in _endings(_stem(word)))
    elif beginning[-1] == beginning[-2] and beginning != word:  # "running" is of "run"
        forms += (beginning[:-1],)
    return forms, beginning


_STEM: Final = 4  # shorter beginnings take in unrelated words ("cat" -> "catalog")
_LONG: Final = 8
_LONGER: Final = 10
_NO_PLURAL: Final = ("ss", "us", "is")
_ES: Final = ("s", "x", "z", "ch", "sh")


def _stem(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith(_NO_PLURAL) else word


def _endings(stem: str) -> tuple[str, ...]:
    """English endings of a word too short for its beginning to be enough: "farm", "farming", "farmer"."""
    if len(stem) < _STEM - 1:
        return ()
    if stem.endswith("e"):
        return ("d", "r", "rs")
    short_vowel = stem[-1] not in "aeiouwxy" and stem[-2] in "aeiou" and stem[-3] not in "aeiou"
    doubled = stem[-1] if short_vowel else ""
    return (f"{doubled}ing", f"{doubled}ed", f"{doubled}er", f"{doubled}ers")


def _plurals(word: str) -> tuple[str, ...]:
    if len(word) < _STEM - 1:
        return (word,)
    if word.endswith("ies") and len(word) > _STEM:
        return word, word[:-3] + "y", word[:-1]
    if word.endswith("s") and not word.endswith(_NO_PLURAL):
        single = word[:-1]
        return (word, single, word[:-2]) if word[:-2].endswith(_ES) else (word, single)
    if word.endswith("y"):
        return word, word + "s", word[:-1] + "ies"
    return word, word + ("es" if word.endswith(_ES) else "s")


def _beginning(word: str) -> str | None:
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _STEM:
            return stem
    stem = _stem(word)
    cut = 0 if len(stem) < _LONG else 1 if len(stem) < _LONGER else 2
    return stem[: len(stem) - cut] if len(stem) > _STEM else None
