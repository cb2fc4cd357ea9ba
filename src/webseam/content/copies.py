"""A block written twice in a row, once for wide screens and once for narrow ones: nobody ever sees both (R117)."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from webseam.core.limits import COPY_CHARS, COPY_NODES_READ

if TYPE_CHECKING:
    from turbohtml import Document, Element, Node

_BLOCKS: Final = ("div", "section", "p", "article", "aside", "nav", "header", "footer", "ul", "ol", "figure")
_CLASSED: Final = (*((tag, f"{tag}[class]") for tag in _BLOCKS), ("p", "p>span[class]"))
_PLACES: Final = frozenset(("odd", "even", "first", "last"))  # classes that tell neighbours apart anyway
_SPARE_NODES: Final = 16
_FEW: Final = 8  # blocks that are looked at in less time than the lines of a text are compared in
_BEGINNING: Final = 32  # characters of a text that tell most neighbours apart
_DIGITS: Final = re.compile(r"\d+")


def twins(doc: "Document") -> "list[Element]":
    """Blocks behind which a copy may stand: who writes a block twice tells the two apart by a class.

    To be asked before the first edit: on most pages paragraphs have no class (measured on a 105 kB page: 5 us).
    """
    tags = {tag for tag, sign in _CLASSED if doc.select_one(sign) is not None}
    return list(doc.iter_elements(tags)) if tags else []


def may_repeat(blocks: "list[Element]", text: str) -> bool:
    """Whether one of these begins like the block behind it, and the Markdown repeats itself: a quick look at first.

    Which of the two looks is the quicker one is a matter of how many blocks there are.
    """
    if len(blocks) > _FEW:
        return repeats_itself(text) and next(_alike(blocks), None) is not None
    return next(_alike(blocks), None) is not None and repeats_itself(text)


def _alike(blocks: "list[Element]") -> "Iterator[tuple[Element, Element]]":
    """The neighbours among these that begin with the same words."""
    before: Element | None = None
    said = ""
    for first, second in _neighbours(blocks):
        one = said if first == before else next(first.stripped_strings, "")
        before, said = second, next(second.stripped_strings, "")
        if one[:1] == said[:1] and _begin_alike(one, said, first):
            yield first, second


def _begin_alike(one: str, other: str, element: "Element") -> bool:
    """Whether these pieces of text may begin the same words; pictures and links have none."""
    if not one:
        return element.select_one("a,img") is not None
    begin, start = ("".join(text[:_BEGINNING].split()) for text in (one, other))
    return begin.startswith(start) or start.startswith(begin)


def repeats_itself(text: str) -> bool:
    """Whether lines of at least 40 characters stand in the Markdown twice in a row: a quick look, as of every page."""
    lines = list(filter(None, text.split("\n")))
    firsts: dict[str, int] = {}
    places = list(map(firsts.setdefault, lines, range(len(lines))))  # where each line stands first
    if len(firsts) == len(lines):
        return False
    last: dict[int, int] = {}
    for place, first in enumerate(places):
        if first != place:
            if _is_run(lines, last.get(first, first), place):
                return True
            last[first] = place
    return False


def _is_run(lines: list[str], start: int, middle: int) -> bool:
    end = 2 * middle - start
    if end > len(lines) or lines[end - 1] != lines[middle - 1]:  # spares most the comparison
        return False
    run = lines[start:middle]
    return lines[middle:end] == run and sum(map(len, run)) >= COPY_CHARS


def copies(blocks: "list[Element]") -> "list[Element]":
    """What stands behind one of these, says the same, and has other classes, its own or those within."""
    found: dict[Element, None] = {}
    left = COPY_NODES_READ
    for first, second in _alike(blocks):
        if first in found:
            continue
        words, read = _words(first, left)
        others, also = _words(second, min(left, 2 * read + _SPARE_NODES))
        left -= read + also
        if left <= 0:
            break
        if words == others and len(words) >= COPY_CHARS and _classes(first) != _classes(second):
            found[second] = None
    return list(found)


def _words(element: "Element", most: int) -> tuple[str, int]:
    """What an element says and shows but for white space, and how many nodes were read for it."""
    nodes = list(islice(element.descendants, most))
    return "".join("".join(map(_said, nodes)).split()), len(nodes) + 1


def _said(node: "Node") -> str:
    from turbohtml import Element, Text  # noqa: PLC0415 - loaded by whoever parsed the tree

    if isinstance(node, Text):
        return node.data
    if isinstance(node, Element) and node.tag in ("a", "img"):
        return f"({node.attr('href') or node.tag})"
    return ""


def _neighbours(blocks: "list[Element]") -> "Iterator[tuple[Element, Element]]":
    """Those of these blocks behind which one of their kind stands, and that one; nothing but space between."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    for first in blocks:
        second = first.next_sibling
        while second is not None and not isinstance(second, Element):
            second = second.next_sibling if not second.text.strip() else None
        if second is not None and second.tag == first.tag:
            yield first, second


def _classes(element: "Element") -> frozenset[str]:
    """All class names in an element, without numbers."""
    named = (element, *element.select("[class]"))
    names = {_DIGITS.sub("", name) for part in named for name in (part.attr("class") or "").split()}
    return frozenset(names - _PLACES)
