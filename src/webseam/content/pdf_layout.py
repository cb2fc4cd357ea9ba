"""Text of a PDF as one reads it: lines in order, columns apart, cells of a row apart, pages marked. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from math import inf
from typing import Final, TypeAlias

_CELL_GAP: Final = 1.2  # of a line's height: justified text hardly ever stretches a space to one
_FORGED: Final = re.compile(r"^[^\S\n]*(-{3,}\s*page\b[^\n]*)$", re.MULTILINE | re.IGNORECASE)
_LINE_STEP: Final = 2.2  # of a line's height, from one line of a column to the next
_ROW_STEP: Final = 1.4  # of the least step before: more parts two rows
_PROSE_CHARS: Final = 15  # mean of a column's lines: the cells of a table are shorter
_PROSE_WORDS: Final = 3.0  # likewise
_PIECES: Final = 12  # of a line: one that has more is a row of a table
_MIDDLE: Final = (0.35, 0.65)  # of the page's width: where the gutter of two columns of short lines lies
_ENDS: Final = (".", "?", "!", ":", ";", "\u3002")
_ALIGNED: Final = 3.0  # points that the lines of a column may begin apart


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that stands together on one line, from `left` to `right` in points."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces on one line, left to right, with the line's bottom and height in points."""

    pieces: tuple[Piece, ...]
    bottom: float = 0.0
    height: float = 0.0


_Split: TypeAlias = tuple[tuple[Piece, ...], tuple[Piece, ...]]


def marked_pages(pages: Sequence[str], page_count: int) -> str:
    """The pages as one text, each that has text behind a line `--- page 3 of 12 ---`; no page can forge such a line."""
    texts = ((at, _FORGED.sub(r"[\1]", text.strip("\n"))) for at, text in enumerate(pages, 1))
    return "\n\n".join(f"--- page {at} of {page_count} ---\n\n{text}" for at, text in texts if text.strip())


def cell_gap(height: float) -> float:
    """The widest space between two words of a line of this height; 0 where the height is not known."""
    return _CELL_GAP * max(height, 0.0)


def is_cell_gap(gap: float, height: float) -> bool:
    """Whether so much space, on a line of this height, parts two pieces and not two words."""
    return gap > cell_gap(height) > 0


def in_reading_order(lines: Sequence[Line], *, width: float) -> list[str]:
    """The text of a page's lines: columns of prose come one after the other; cells of a row are parted by a tab."""
    out: list[str] = []
    at = 0
    while at < len(lines):
        splits = list(_block(lines, at))
        rows = lines[at : at + max(len(splits), 1)]
        if _are_columns(splits, width):
            for side in (0, 1):
                column = [Line(split[side], row.bottom, row.height) for row, split in zip(rows, splits, strict=True)]
                out += in_reading_order(column, width=width)
        else:
            out += ("\t".join(piece.text for piece in row.pieces) for row in rows)
        at += len(rows)
    return [text for text in out if text]


def _block(lines: Sequence[Line], start: int) -> Iterator[_Split]:
    """Each line's pieces left and right of the first gutter at `start`, for as long as no piece crosses it.

    It ends at a gap over its whole width, too: there begins another part of the page, or another row of a table.
    """
    first = lines[start].pieces
    if not 1 < len(first) <= _PIECES:
        return
    low, high = first[0].right, first[1].left
    before: Line | None = None
    least = inf
    for line in islice(lines, start, None):
        if before is not None:
            step = before.bottom - line.bottom
            if not _follows(line, before) or step > _ROW_STEP * max(least, line.height):
                return
            least = min(least, step)
        left, right = _parted(line.pieces, low)
        low = max([low, *(piece.right for piece in left)])
        high = min([high, *(piece.left for piece in right)])
        if low >= high or (before is None and not (left and right)):
            return
        yield left, right
        before = line


def _parted(pieces: tuple[Piece, ...], edge: float) -> _Split:
    """The first pieces, which begin left of `edge`, and the rest."""
    left = tuple(takewhile(lambda piece: piece.left < edge, pieces))
    return left, pieces[len(left) :]


def _follows(line: Line, before: Line) -> bool:
    return 0 < before.bottom - line.bottom <= _LINE_STEP * max(before.height, line.height)


def _are_columns(splits: Sequence[_Split], width: float) -> bool:
    both = [split for split in splits if all(split)]
    return len(both) > 1 and _is_prose(both, width)  # one line shows no column


def _is_prose(both: Sequence[_Split], width: float) -> bool:
    """Whether the sides are columns of text, and not cells of a table."""
    sides = [[split[side] for split in both] for side in (0, 1)]
    texts = [[piece.text for pieces in side for piece in pieces] for side in sides]
    if any(2 * sum(map(str.isalpha, "".join(side))) < len("".join(side)) for side in texts):
        return False
    if all(map(_is_whole, texts)):
        return False
    if all(_mean(map(len, side)) >= _PROSE_CHARS and _mean(map(_words, side)) >= _PROSE_WORDS for side in texts):
        return True
    middle = [split[1][0].left / width for split in both] if width > 0 else []
    aligned = all(max(at) - min(at) <= _ALIGNED for at in ([p[0].left for p in side] for side in sides))
    several = all(all(" " in text for text in side) for side in texts)
    halves = all(_MIDDLE[0] <= at <= _MIDDLE[1] for at in middle) and all(len(split[1]) == 1 for split in both)
    return bool(middle) and aligned and several and halves


def _is_whole(side: Sequence[str]) -> bool:
    """Whether each line is a sentence of its own, which those of a column are not."""
    return all(text.endswith(_ENDS) and (text[0].isupper() or text[0].isdigit()) for text in side)


def _words(text: str) -> int:
    return len(text.split())


def _mean(counts: Iterable[int]) -> float:
    known = list(counts)
    return sum(known) / len(known)
