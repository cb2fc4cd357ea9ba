"""Marks in Google's prose: behind each segment that it says its chunks support, by offsets in bytes of UTF-8."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final
from unicodedata import category

from webseam.providers.wires.rows import Row, count, items, mapping

SUPPORTS: Final = 500
"""Supports of one answer that are placed: 10,000 words have fewer sentences, and each may cost a walk through them."""

_CONTINUES: Final = range(0x80, 0xC0)  # a byte inside a character (RFC 3629 section 3)
_CHARACTER_BYTES: Final = 4  # at most (RFC 3629 section 3)
_JOINER: Final = "\u200d".encode()
_JOINED: Final = "\u200d\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"  # the joiner and the tones of skin
_SPACE: Final = frozenset(b" \t\r\n")


def marked(texts: Sequence[str], supports: Sequence[Any], marks: Mapping[int, str]) -> str:
    """The texts of the parts as one, with the marks of the chunks behind each segment that they support.

    A segment that names its text must hold it, or have it in one other place; else its marks stay out. No character is
    changed or cut, whatever the offsets say.
    """
    whole = "".join(texts).encode()
    starts = [0, *accumulate(len(said.encode()) for said in texts)]
    ends: dict[int, dict[str, None]] = {}
    for support in map(mapping, supports[:SUPPORTS]):
        end = _end(whole, starts, support)
        if end is not None:
            ends.setdefault(end, {}).update(dict.fromkeys(_named(support, marks)))
    pieces: list[bytes] = []
    at = 0
    for end in sorted(ends):
        pieces += (whole[at:end], *(f" {one}".encode() for one in ends[end]))
        at = end
    return b"".join((*pieces, whole[at:])).decode()


def _named(support: Row, marks: Mapping[int, str]) -> Iterator[str]:
    """The marks of the chunks that a support names; older models spell it another way."""
    for at in (*items(support.get("groundingChunkIndices")), *items(support.get("supportChunkIndices"))):
        if (index := count(at)) is not None and index in marks:
            yield marks[index]


def _end(whole: bytes, starts: list[int], support: Row) -> int | None:
    """Where a segment ends in the whole text, at the end of a word; None where that cannot be told."""
    segment = mapping(support.get("segment"))
    told = segment.get("text") or support.get("segment_text")
    part = count(segment.get("partIndex")) or 0
    bases = dict.fromkeys((starts[part] if part < len(starts) else 0, 0))
    first, last = count(segment.get("startIndex")) or 0, count(segment.get("endIndex"))
    if isinstance(told, str) and told:
        end = _quoted(whole, told.encode(), [(base + first, base + (last or 0)) for base in bases])
    else:
        end = None if last is None else next(iter(bases)) + last
    return None if end is None or end > len(whole) else _tidy(whole, end)


def _quoted(whole: bytes, quoted: bytes, spans: list[tuple[int, int]]) -> int | None:
    for start, end in spans:
        if whole[start:end] == quoted:
            return end
    at = whole.find(quoted)
    alone = at >= 0 and whole.find(quoted, at + 1) < 0
    return at + len(quoted) if alone else None


def _goes_on(whole: bytes, at: int) -> bool:
    """Whether what starts at `at` belongs to the character before: a combining mark, a tone or a part of an emoji."""
    char = whole[at : at + _CHARACTER_BYTES].decode("utf-8", "ignore")[:1]
    return category(char).startswith("M") or char in _JOINED or whole[at - len(_JOINER) : at] == _JOINER


def _tidy(whole: bytes, end: int) -> int:
    """Not inside a character, as people see one, and not behind the space that follows a sentence."""
    while end < len(whole) and (whole[end] in _CONTINUES or _goes_on(whole, end)):
        end += 1
    while end > 0 and whole[end - 1] in _SPACE:
        end -= 1
    return end
