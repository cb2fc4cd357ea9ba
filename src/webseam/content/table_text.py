"""Blocks inside the cells of a table, joined so that they read on one line: GFM cells hold no block."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from webseam.content.nodes import elements_of, text_node
from webseam.content.table_spans import cells_of, rows_of
from webseam.core.limits import TABLE_BLOCKS

if TYPE_CHECKING:
    from turbohtml import Document, Element

_LISTS: Final = ("td ul", "td ol", "td menu", "th ul", "th ol", "th menu")  # :is(td,th) costs three times as much
_TERMS: Final = ("td dl", "th dl")
_CODE: Final = ("td pre", "th pre")
_INNER: Final = ("td table", "th table")
JOINED: Final = ("td ul", "td ol", "td dl", "td pre", "td table", "th ul", "th ol")
"""Selectors that tell of work for `join_blocks`; what else it joins hardly ever stands alone, and each costs time."""
_AROUND: Final = "ul,ol,menu,td,th"
_CELLS: Final = ("td", "th")
_BLANK: Final = "\t\n\f\r "  # ASCII white space, WHATWG Infra section 4.6
_PARAGRAPHS: Final = ("p", "div")


def join_blocks(doc: "Document") -> None:
    """Join lists, definitions, code and inner tables in cells.

    `a; b` for the items of a list, `1. a; 2. b` where it is ordered, `a (b, c)` for a list in an item, `term: meaning`,
    a code span for each line of code, `a, b; c, d` for the rows of a table. Past 5,000 blocks a page, the rest is left
    to the renderer, which sets spaces.
    """
    lists, terms, code, inner = (_all(doc, selectors) for selectors in (_LISTS, _TERMS, _CODE, _INNER))
    if not (lists or terms or code or inner) or len(lists) + len(terms) + len(code) + len(inner) > TABLE_BLOCKS:
        return
    nested = [_is_nested(found) for found in lists]
    for found, is_nested in zip(lists, nested, strict=True):
        _join_list(found, nested=is_nested)
    for found in terms:
        _join_terms(found)
    for found in code:
        _join_code(found)
    for found in inner:
        _join_table(found)


def _all(doc: "Document", selectors: tuple[str, ...]) -> "list[Element]":
    return [found for selector in selectors for found in doc.select(selector)]


def _is_nested(found: "Element") -> bool:
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    around = found.parent.closest(_AROUND) if isinstance(found.parent, Element) else None
    return around is not None and around.tag not in _CELLS


def _join_list(found: "Element", *, nested: bool) -> None:
    items = [item for item in elements_of(found) if item.tag == "li"]
    number = _start(found) if found.tag == "ol" else None
    for place, item in enumerate(items):
        _show_box(item)
        if number is not None:
            item.insert(0, text_node(f"{number}. "))
            number += 1
        _soften(item)
        if place:
            item.insert_before(text_node(", " if nested else "; "))
        item.tag = "span"
    if nested and items:
        found.insert(0, text_node("("))
        found.append(text_node(")"))
    found.tag = "span"
    _drop_blanks(found)
    _set_off(found)


def _show_box(item: "Element") -> None:
    """A task's state as text; the renderer shows it only where a list item starts."""
    box = next(elements_of(item), None)
    if box is not None and box.tag == "input" and (box.attr("type") or "").lower() == "checkbox":
        box.replace_with(text_node("[ ] " if box.attr("checked") is None else "[x] "))


def _start(found: "Element") -> int:
    digits = (found.attr("start") or "1").strip()[:9]
    return int(digits) if digits.isdecimal() else 1


def _join_terms(found: "Element") -> None:
    marks = {("dt", "dd"): ": ", ("dd", "dd"): ", ", ("dd", "dt"): "; ", ("dt", "dt"): ", "}
    before = ""
    for part in list(elements_of(found)):
        tag = part.tag
        if (mark := marks.get((before, tag))) is not None:
            part.insert_before(text_node(mark))
        if tag in ("dt", "dd"):
            _soften(part)
            part.tag = "span"
            before = tag
    found.tag = "span"
    _drop_blanks(found)
    _set_off(found)


def _join_code(found: "Element") -> None:
    """One code span a line; a code without line ends is the renderer's."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    text = found.text
    if "\n" not in text:
        return
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found.clear()
    for line in lines:
        found.extend([Element("code", None, [text_node(line)]), text_node(" ")])
    found.tag = "span"
    _set_off(found)


def _join_table(table: "Element") -> None:
    rows = list(rows_of(table))
    parts = list(elements_of(table))
    for row in rows:
        cells = list(cells_of(row))
        for cell in cells:
            _soften(cell)
            cell.tag = "span"
        _separate(cells, ", ")
        _drop_blanks(row)
        row.tag = "span"
    _separate(rows, "; ")
    for part in parts:
        if part.tag == "caption":
            part.append(text_node(": "))
        _drop_blanks(part)
        part.tag = "span"
    _drop_blanks(table)
    table.tag = "span"
    _set_off(table)


def _set_off(found: "Element") -> None:
    """A space between a block made inline and what stands beside it."""
    if found.previous_sibling is not None:
        found.insert_before(text_node(" "))
    if found.next_sibling is not None:
        found.insert_after(text_node(" "))


def _separate(elements: "Iterable[Element]", mark: str) -> None:
    for place, element in enumerate(elements):
        if place:
            element.insert_before(text_node(mark))


def _soften(item: "Element") -> None:
    """Make an item's paragraphs inline, and take the white space off its end, where a mark follows."""
    from turbohtml import Text  # noqa: PLC0415 - as above

    for part in list(elements_of(item)):
        if part.tag in _PARAGRAPHS:
            part.tag = "span"
            part.insert_before(text_node(" "))
    while len(item) and isinstance(last := item[-1], Text):
        kept = last.data.rstrip(_BLANK)
        last.extract()
        if kept:
            item.append(text_node(kept))
            break


def _drop_blanks(element: "Element") -> None:
    """Take out the white space between the parts, which would stand beside the marks."""
    from turbohtml import Text  # noqa: PLC0415 - as above

    for node in [node for node in element.children if isinstance(node, Text) and not node.data.strip(_BLANK)]:
        node.extract()
