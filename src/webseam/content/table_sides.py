"""On which side the columns of a table stand: marked in its header cells, written into the delimiter row."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from webseam.content.nodes import elements_of
from webseam.content.table_spans import cells_of, make_regular, rows_of
from webseam.core.limits import TABLE_CELLS_READ

if TYPE_CHECKING:
    from turbohtml import Document, Element

_CELLS: Final = ("td[align]", "th[align]")
_STYLED: Final = ('td[style*="text-align" i]', 'th[style*="text-align" i]')
_GROUPS: Final = ("tr[align]", "thead[align]", "tbody[align]", "col[align]", "colgroup[align]")
SIDED: Final = (*_CELLS, *_GROUPS)
"""Selectors of what says on which side it stands, but by its style."""
_STYLE: Final = re.compile(r"(?:^|;)\s*text-align\s*:\s*([a-z]+)", re.IGNORECASE)
_MARKS: Final = {"": "\uf8f2", "left": "\uf8f3", "center": "\uf8f4", "right": "\uf8f5"}  # private use, as for pictures
_RULES: Final = {"\uf8f2": "---", "\uf8f3": ":---", "\uf8f4": ":---:", "\uf8f5": "---:"}
_SAME: Final = {"start": "left", "end": "right", "middle": "center"}
_HEADED: Final = re.compile("^(.*[\uf8f2-\uf8f5].*)\n([> ]*)\\|(?: --- \\|)+$", re.MULTILINE)
_MARK: Final = re.compile("[\uf8f2-\uf8f5]")
_LEFT_OVER: Final = re.compile("[\uf8f2-\uf8f5] ?")
_MOST_COLUMNS: Final = 1_000  # of one <col span>, WHATWG HTML section 4.9.4


def mark_sides(doc: "Document") -> bool:
    """Mark the columns of tables that say on which side they stand. True when `with_sides` has to finish.

    A column stands where most of its cells say, else where its header says. Tables past the budget stay unmarked.
    """
    aligned = [element for selector in (*_CELLS, *_STYLED, *_GROUPS) for element in doc.select(selector)]
    if not aligned or len(aligned) > TABLE_CELLS_READ:
        return False
    tables = {table: None for element in aligned if (table := element.closest("table")) is not None}
    make_regular(tables)
    budget = TABLE_CELLS_READ
    for table in tables:
        grid = [(row, list(cells_of(row))) for row in rows_of(table)]
        budget -= sum(1 + len(cells) for _, cells in grid)
        if budget < 0:
            break
        _mark(table, grid)
    return True


def is_styled(elements: "Iterable[Element]") -> bool:
    """Whether one of these is a cell whose style says on which side it stands."""
    return any(element.tag in ("td", "th") and _STYLE.search(element.attr("style") or "") for element in elements)


def with_sides(text: str) -> str:
    """Delimiter rows as the marks in the header rows above say, and no marks."""
    return _LEFT_OVER.sub("", _HEADED.sub(_ruled, text))


def _ruled(found: re.Match[str]) -> str:
    rules = [_RULES[mark] for mark in _MARK.findall(found[1])]
    return f"{found[1]}\n{found[2]}| {' | '.join(rules)} |"


def _mark(table: "Element", grid: "list[tuple[Element, list[Element]]]") -> None:
    from turbohtml import Text  # noqa: PLC0415 - loaded by whoever parsed the tree

    width = len(grid[0][1]) if grid else 0
    if not width or any(len(cells) != width for _, cells in grid):
        return
    columns = _column_sides(table)
    sides = [[_cell_side(cell) or _row_side(row) for cell in cells] for row, cells in grid]
    for place, header in enumerate(grid[0][1]):
        body = [row[place] for row, (_, cells) in zip(sides[1:], grid[1:], strict=True) if len(cells[place])]
        side = _most(body) or sides[0][place] or columns.get(place, "")
        header.insert(0, Text(f"{_MARKS[side]} "))


def _most(sides: list[str]) -> str:
    """The side that more than half of the cells say; none else."""
    side, count = Counter(sides).most_common(1)[0] if sides else ("", 0)
    return side if count * 2 > len(sides) else ""


def _cell_side(cell: "Element") -> str:
    styled = _STYLE.search(cell.attr("style") or "")
    return _side(styled[1] if styled else cell.attr("align"))


def _row_side(row: "Element") -> str:
    from turbohtml import Element  # noqa: PLC0415 - as above

    section = row.parent
    return _side(row.attr("align")) or (_side(section.attr("align")) if isinstance(section, Element) else "")


def _side(value: str | None) -> str:
    name = (value or "").strip().lower()
    name = _SAME.get(name, name)
    return name if name in _MARKS else ""


def _column_sides(table: "Element") -> dict[int, str]:
    """Of `<col>`, by column; one in a group takes the group's."""
    sides: list[str] = []
    for part in elements_of(table):
        columns: Iterable[Element] = (part,) if part.tag == "col" else ()
        if part.tag == "colgroup":
            columns = list(elements_of(part)) or (part,)
        for column in columns:
            digits = (column.attr("span") or "1").strip()[:4]
            span = int(digits) if digits.isdecimal() else 1
            sides += [_side(column.attr("align")) or _side(part.attr("align"))] * min(span, _MOST_COLUMNS)
    return dict(enumerate(sides))
