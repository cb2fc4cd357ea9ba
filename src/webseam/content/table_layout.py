"""Tables that only lay a page out, unfolded into blocks, so that what stands in them stays prose, lists and code."""

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final

from webseam.content.nodes import elements_of
from webseam.content.table_spans import cells_of, rows_of

if TYPE_CHECKING:
    from turbohtml import Document, Element, Node

_NO_TABLE: Final = ("presentation", "none")  # WAI-ARIA 1.2 section 5.4
_ONE_CELL: Final = ("tr:only-child>td:only-child", "tr:only-child>th:only-child")
_STRONG: Final = ("td h1", "td h2", "td h3", "td h4", "td h5", "td h6", "td table")
_WEAK: Final = ("td pre", "td blockquote", "td hr", "td br")  # a table of data may hold one, and lose its lines
_SMALL: Final = ("td ul", "td ol", "td dl", "td p+p")  # in a row that stands alone, which compares nothing
LAYOUT: Final = ("table[role]", "tbody>tr:only-child", *_STRONG, *_WEAK)
"""Selectors of what may make a table one of layout; a single row stands in a group of its own."""
_BLOCK: Final = ":is(p,div,table,ul,ol,dl,pre,blockquote,h1,h2,h3,h4,h5,h6,hr,section,article,br)"


def unfold_layout(doc: "Document") -> None:
    """Make blocks of the tables that hold no rows and columns of data.

    These are: tables whose role says so; tables of one cell; tables without any header cell that hold headings or
    further tables, or in every second row code of several lines, a quotation, a rule or an empty line; and single rows
    of lists or paragraphs.
    """
    layout = {
        table: None for table in doc.select("table[role]") if (table.attr("role") or "").strip().lower() in _NO_TABLE
    }
    single = (_table_of(cell) for selector in _ONE_CELL for cell in doc.select(selector))
    layout |= {table: None for table in single if table is not None and _is_single(table, cells=1)}
    layout |= dict.fromkeys(_of_blocks(doc))
    for table in layout:
        _unfold(table)


def _of_blocks(doc: "Document") -> "list[Element]":
    """The headless tables of blocks, in the order of the page."""
    strong = {_table_of(block.parent) for selector in _STRONG for block in doc.select(selector)}
    weak = Counter(_table_of(block) for selector in _WEAK for block in doc.select(selector) if _is_big(block))
    small = {_table_of(block) for selector in _SMALL for block in doc.select(selector)}
    if not (strong or weak or small):
        return []
    headed = {_table_of(cell) for cell in doc.select("th")}
    return [
        table
        for table in doc.select("table")
        if table not in headed
        and (table in strong or (table in small and _is_single(table)) or _fills(weak.get(table, 0), table))
    ]


def _fills(blocks: int, table: "Element") -> bool:
    """Whether there is such a block for every second row."""
    return blocks > 0 and blocks * 2 >= sum(1 for _ in rows_of(table))


def _table_of(node: "Node | None") -> "Element | None":
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    return node.closest("table") if isinstance(node, Element) else None


def _is_big(block: "Element") -> bool:
    """Whether a block needs lines of its own; a break does where an empty line follows, code where it has several."""
    if block.tag == "br":
        return _is_break(_after(block))
    return block.tag != "pre" or "\n" in block.text.strip("\n")


def _after(node: "Element") -> "Node | None":
    from turbohtml import Text  # noqa: PLC0415 - as above

    following = node.next_sibling
    blank = isinstance(following, Text) and not following.data.strip()
    return following.next_sibling if blank and following is not None else following


def _is_break(node: "Node | None") -> bool:
    from turbohtml import Element  # noqa: PLC0415 - as above

    return isinstance(node, Element) and node.tag == "br"


def _is_single(table: "Element", *, cells: int | None = None) -> bool:
    """Whether the table has one row, and at most so many cells in it."""
    rows = list(islice(rows_of(table), 2))
    return len(rows) == 1 and (cells is None or len(list(islice(cells_of(rows[0]), cells + 1))) <= cells)


def _unfold(table: "Element") -> None:
    """A block for each row; cells without blocks stay side by side in it."""
    for row in list(rows_of(table)):
        cells = list(cells_of(row))
        together = len(cells) > 1 and row.select_one(_BLOCK) is None
        for cell in cells:
            cell.tag = "span" if together else "div"
        if together:
            _space_out(cells)
        row.tag = "div"
    for part in elements_of(table):
        part.tag = "div"
    table.tag = "div"


def _space_out(cells: "list[Element]") -> None:
    from turbohtml import Text  # noqa: PLC0415 - as above

    for cell in cells[1:]:
        cell.insert_before(Text(" "))
