"""Tables made regular in the tree: blank cells where a span covered the grid; bounded whatever the spans say."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from webseam.content.nodes import elements_of
from webseam.core.limits import TABLE_CELLS_ADDED, TABLE_CELLS_READ

if TYPE_CHECKING:
    from turbohtml import Document, Element

_SPANNED: Final = ("td[colspan]", "td[rowspan]", "th[colspan]", "th[rowspan]")
_COLSPAN_MOST: Final = 1_000  # WHATWG HTML section 4.9.11
_ROWSPAN_MOST: Final = 65_534  # the same


def make_regular(tables: "Iterable[Element]") -> bool:
    """Make these tables regular, within one page's budget. False when it ran out: the tables after that stay."""
    return _Mender().mend(tables)


def mend_spanned(doc: "Document") -> bool:
    """Make the tables that hold spans regular. False when the budget ran out and tables should become lines."""
    spanned = [cell for selector in _SPANNED for cell in doc.select(selector)]
    tables = {table: None for cell in spanned if (table := cell.closest("table")) is not None}
    return _Mender().mend(tables)


def mend_all(doc: "Document") -> bool:
    """Make every table regular, ragged rows included; as `mend_spanned`."""
    return _Mender().mend(doc.select("table"))


class _Mender:
    """One page's budget. Blank cells stand where a span covered the grid; short rows are filled up."""

    def __init__(self) -> None:
        self._read = 0
        self._added = 0

    def mend(self, tables: "Iterable[Element]") -> bool:
        return all(self._mend(table) for table in tables)

    def _mend(self, table: "Element") -> bool:
        rows = list(rows_of(table))
        grid = self._place(rows)
        if grid is None:
            return False
        starts = sorted({column for placed in grid for column, _ in placed})
        self._added += len(starts) * len(rows) - sum(map(len, grid))
        if self._added > TABLE_CELLS_ADDED:
            return False
        for row, placed in zip(rows, grid, strict=True):
            _fill(row, placed, starts)
        return True

    def _place(self, rows: "list[Element]") -> "list[list[tuple[int, Element]]] | None":
        """The grid column where each cell starts, by the table model of WHATWG HTML, row by row."""
        covered: dict[int, int] = {}  # column: rows below the present one that a cell above still covers
        grid: list[list[tuple[int, Element]]] = []
        for index, row in enumerate(rows):
            below = len(rows) - index - 1
            placed: list[tuple[int, Element]] = []
            column = 0
            spans: dict[int, int] = {}
            for cell in cells_of(row):
                while column in covered:
                    column += 1
                placed.append((column, cell))
                width, height = _spans(cell)
                if height:
                    spans.update(dict.fromkeys(range(column, column + width), min(height, below)))
                column += width
                self._read += 1 + (width if height else 0)
            if self._read > TABLE_CELLS_READ:
                return None
            covered = {at: left - 1 for at, left in covered.items() if left > 1} | {
                at: left for at, left in spans.items() if left > 0
            }
            self._read += len(covered)
            grid.append(placed)
        return grid


def rows_of(table: "Element") -> "Iterator[Element]":
    """The table's own rows, not those of tables inside its cells."""
    for part in elements_of(table):
        if part.tag == "tr":
            yield part
        elif part.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in elements_of(part) if row.tag == "tr")


def cells_of(row: "Element") -> "Iterator[Element]":
    """The cells of a row."""
    return (cell for cell in elements_of(row) if cell.tag in ("td", "th"))


def _spans(cell: "Element") -> tuple[int, int]:
    """Columns covered, and rows covered below the cell's own."""
    width = min(max(_number(cell.attr("colspan")), 1), _COLSPAN_MOST)
    rows = _number(cell.attr("rowspan"), zero=_ROWSPAN_MOST)
    return width, min(max(rows, 1), _ROWSPAN_MOST) - 1


def _number(text: str | None, *, zero: int = 1) -> int:
    """Leading digits of an attribute, as browsers read it; 1 when there are none, `zero` for 0."""
    digits = ""
    for char in (text or "").strip()[:9]:
        if not "0" <= char <= "9":
            break
        digits += char
    return (int(digits) or zero) if digits else 1


def _fill(row: "Element", placed: "list[tuple[int, Element]]", starts: list[int]) -> None:
    """Put a blank cell into each column of the row where none of its own cells starts."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    own = dict(placed)
    tag = placed[0][1].tag if placed else "td"
    for _, cell in placed:
        for name in ("colspan", "rowspan"):
            if name in cell.attrs:
                del cell.attrs[name]
    if len(own) < len(starts):
        cells = [own.get(column) or Element(tag) for column in starts]
        row.clear()
        row.extend(cells)
