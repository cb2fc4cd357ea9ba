"""Lines of a page of a PDF, with the places of their words, as PDFium tells them. For worker processes only."""

import re
from collections.abc import Iterator
from ctypes import CFUNCTYPE, addressof, byref, c_double, c_int, c_void_p, cast, sizeof
from itertools import pairwise
from math import pi
from typing import TYPE_CHECKING, Final

from webseam.content.pdf_layout import Line, Piece, cell_gap, is_cell_gap

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

_DIGIT_GAP: Final = 0.22  # of a line's height, glyph to glyph: the narrowest space of a justified line has 0.24
_LEVEL: Final = 0.2  # of a line's height, by which parts of a row may stand higher or lower
_DIGITS: Final = re.compile(r"\d \d")
_WORD: Final = re.compile(r"[^ \r\n\ufffe]+\ufffe?|\ufffe")  # U+FFFE is PDFium's hyphen at a line's end
_TURNED: Final = (  # which sides of a box are its left, right and bottom on a line that is turned, and their signs
    (0, 1, 1, 2, 1),
    (2, 3, 1, 1, -1),
    (1, 0, -1, 3, -1),
    (3, 2, -1, 0, 1),
)
_PROTOTYPE: Final = CFUNCTYPE(c_int, c_void_p, c_int, *[c_void_p] * 4)


class _Boxes:
    """Places of characters on a page, in points from its lower left corner.

    PDFium tells them one by one, so this is where the time goes: addresses that stay cost half of pointers made anew.
    """

    __slots__ = ("_ask", "_at", "_box", "_page")

    def __init__(self, page: "PdfTextPage") -> None:
        from pypdfium2.raw import FPDFText_GetCharBox  # noqa: PLC0415 - loaded by now

        self._box = (c_double * 4)()  # left, right, bottom, top
        start, size = addressof(self._box), sizeof(c_double)
        self._at = tuple(start + size * place for place in range(4))
        self._page = cast(page.raw, c_void_p).value
        self._ask = _PROTOTYPE(cast(FPDFText_GetCharBox, c_void_p).value or 0)

    def ends(self, words: list[tuple[int, int]], turn: int) -> list[tuple[float, float]]:
        """Where words begin and end, along a line that is turned by so many quarters."""
        ask, page, at, box = self._ask, self._page, self._at, self._box
        near, far, sign, _, _ = _TURNED[turn]
        out: list[tuple[float, float]] = []
        for start, end in words:
            ask(page, start, *at)
            left = box[near]
            ask(page, end - 1, *at)
            out.append((sign * left, sign * box[far]))
        return out

    def base(self, at: int, turn: int) -> float:
        """Bottom of a character, as it stands on a line so turned."""
        self._ask(self._page, at, *self._at)
        *_, bottom, sign = _TURNED[turn]
        return sign * self._box[bottom]


def _line_box(page: "PdfTextPage", at: int, turn: int) -> tuple[float, float]:
    """Bottom and height of the line on which a character stands; zeros where that is not known."""
    from pypdfium2.raw import FS_RECTF, FPDFText_GetLooseCharBox  # noqa: PLC0415 - loaded by now

    box = FS_RECTF()
    FPDFText_GetLooseCharBox(page, at, byref(box))
    *_, bottom, sign = _TURNED[turn]
    height = box.right - box.left if turn % 2 else box.top - box.bottom
    return sign * (box.left, box.right, box.bottom, box.top)[bottom], height


def _turn(page: "PdfTextPage", at: int) -> int:
    """By how many quarters, counter-clockwise, the text at a character is turned."""
    from pypdfium2.raw import FPDFText_GetCharAngle  # noqa: PLC0415 - loaded by now

    clockwise = float(FPDFText_GetCharAngle(page, at))  # -1 where it is not known
    return -round(max(0.0, clockwise) / (pi / 2)) % 4


def lines_of(page: "PdfTextPage", text: str) -> Iterator[Line]:
    """The lines of a page, each cut into pieces where much space parts its words."""
    row: list[Piece] = []
    bottom = height = 0.0
    for line in _parts(page, text):
        if row and not _goes_on(row[-1], line, bottom, height):
            yield Line(tuple(row), bottom, height)
            row = []
        if not row:
            bottom, height = line.bottom, line.height
        row += line.pieces
    if row:
        yield Line(tuple(row), bottom, height)


def _goes_on(last: Piece, line: Line, bottom: float, height: float) -> bool:
    """Whether a line is the rest of the row before it: PDFium breaks rows at cells of one digit."""
    return is_cell_gap(line.pieces[0].left - last.right, height) and abs(bottom - line.bottom) < _LEVEL * height


def _parts(page: "PdfTextPage", text: str) -> Iterator[Line]:
    boxes, start = _Boxes(page), 0
    for shown in text.split("\r\n"):
        words = [(start + word.start(), start + word.end()) for word in _WORD.finditer(shown)]
        if words:
            yield from _cut(_Shown(page, text, words, boxes))
        start += len(shown) + 2


class _Shown:
    """What PDFium takes for a line; it runs short ones together."""

    __slots__ = ("bottom", "boxes", "ends", "height", "page", "text", "turn", "words")

    def __init__(self, page: "PdfTextPage", text: str, words: list[tuple[int, int]], boxes: _Boxes) -> None:
        self.page, self.text, self.words, self.boxes = page, text, words, boxes
        self.turn = _turn(page, words[0][0])
        self.ends = boxes.ends(words, self.turn)
        self.bottom, self.height = _line_box(page, words[0][0], self.turn)

    def is_below(self, at: int, first: int, height: float) -> bool:
        """Whether a character stands on another line than `first` does."""
        return abs(self.boxes.base(first, self.turn) - self.boxes.base(at, self.turn)) > height / 2

    def is_plain(self) -> bool:
        """Whether its words follow each other on one line without a gap, as nearly all do."""
        most = cell_gap(self.height)
        if not all(0 <= after[0] - before[1] <= most for before, after in pairwise(self.ends)):
            return False
        return _DIGITS.search(self.text, self.words[0][0], self.words[-1][1]) is None


def _cut(shown: _Shown) -> Iterator[Line]:
    """The lines that PDFium's line is."""
    text, words = shown.text, shown.words
    if shown.is_plain():
        whole = " ".join([text[start:end] for start, end in words])
        yield Line((Piece(whole, shown.ends[0][0], shown.ends[-1][1]),), shown.bottom, shown.height)
        return
    pieces: list[Piece] = []
    bottom, height = shown.bottom, shown.height
    right, first, before = 0.0, words[0][0], 0
    for (start, end), (next_left, next_right) in zip(words, shown.ends, strict=True):
        if pieces and next_left < right and shown.is_below(start, first, height):
            yield Line(tuple(pieces), bottom, height)
            pieces, first = [], start
            bottom, height = _line_box(shown.page, start, shown.turn)
        if not pieces or is_cell_gap(next_left - right, height):
            pieces.append(Piece(text[start:end], next_left, next_right))
        else:
            space = "" if _is_kerning(shown.page, text, before, start, (next_left - right) / (height or 1)) else " "
            last = pieces[-1]
            pieces[-1] = Piece(last.text + space + text[start:end], last.left, next_right)
        right, before = next_right, end
    yield Line(tuple(pieces), bottom, height)


def _is_kerning(page: "PdfTextPage", text: str, end: int, start: int, gap: float) -> bool:
    """Whether a gap between digits, in heights of the line, only looks like a space to PDFium."""
    if start - end != 1 or gap >= _DIGIT_GAP or not (text[end - 1].isdigit() and text[start].isdigit()):
        return False
    from pypdfium2.raw import FPDFText_IsGenerated  # noqa: PLC0415 - loaded by now

    return bool(FPDFText_IsGenerated(page, end) == 1)
