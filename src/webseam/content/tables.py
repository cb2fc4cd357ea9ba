"""Tables made fit for GFM in the tree: layout unfolded, cells on one line, columns on their side, rows in order."""

from typing import TYPE_CHECKING, Final

from webseam.content.nodes import elements_of
from webseam.content.rare import Rare, Selectors
from webseam.content.table_layout import LAYOUT, unfold_layout
from webseam.content.table_sides import SIDED, is_styled, mark_sides
from webseam.content.table_text import JOINED, join_blocks

if TYPE_CHECKING:
    from turbohtml import Document, Element

_LATE_HEAD: Final = "tbody~thead"
_EARLY_FOOT: Final = "tfoot:has(~tbody)"
_SIGNS: Final = Selectors[None].of(dict.fromkeys((*LAYOUT, *JOINED, *SIDED, _LATE_HEAD, _EARLY_FOOT)))


def are_plain(doc: "Document", rare: Rare, marked: "list[Element]") -> bool:
    """Whether no table of the page needs `make_readable`: asked of the index, before anything is taken out.

    `marked` are the page's elements with a style, among others.
    """
    if doc.select_one("table") is None:
        return True
    return not (is_styled(marked) or any(doc.select_one(sign.selector) for sign in _SIGNS.likely(rare)))


def make_readable(doc: "Document") -> bool:
    """Edit the tables of a page before it is rendered. True when `with_sides` has to finish the Markdown.

    The first row is the header row, whether it says so or not: GFM knows no table without one, and an empty one would
    say less. Spans and ragged rows are mended later, where the rendered text shows that there are any.
    """
    unfold_layout(doc)
    _put_in_order(doc)
    join_blocks(doc)
    return mark_sides(doc)


def _put_in_order(doc: "Document") -> None:
    """The header group first, the footer group last, as they are shown; further ones stay (CSS 2.1 section 17.2)."""
    for table, part in _first_of(doc, "thead", _LATE_HEAD).items():
        part.extract()
        table.insert(0, part)
    for table, part in _first_of(doc, "tfoot", _EARLY_FOOT).items():
        part.extract()
        table.append(part)


def _first_of(doc: "Document", tag: str, selector: str) -> "dict[Element, Element]":
    """The first group of this kind in each table where one is out of place."""
    misplaced = set(doc.select(selector))
    tables = {table: None for part in misplaced if (table := part.closest("table")) is not None}
    firsts = {table: next((part for part in elements_of(table) if part.tag == tag), None) for table in tables}
    return {table: part for table, part in firsts.items() if part is not None and part in misplaced}
