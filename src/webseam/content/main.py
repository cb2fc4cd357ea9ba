"""The main content of a page: its tree with navigation, teasers, comments, forms and notices taken out.

Nodes are selected, not text, so that code, tables, quotes and links come through the ordinary conversion. Time is
linear in the page. When little would be kept, the tree is left as it is.
"""

from itertools import islice
from typing import TYPE_CHECKING, Final

from webseam.content.main_mark import mark
from webseam.content.main_parts import INLINE, Part, measured
from webseam.content.main_title import Title
from webseam.content.main_trim import refine
from webseam.core.limits import MAIN_ELEMENTS, MAIN_LEAST_CHARS

if TYPE_CHECKING:
    from turbohtml import Document, Element, Node

_LEAST_SHARE: Final = 0.15  # of a page's text outside of links: less is a guess that went wrong
_TITLED_SHARE: Final = 0.05  # the same where a heading repeats the document's title: short texts have long comments


def keep_main(doc: "Document") -> int | None:
    """Take out of the tree what is not the page's main content.

    What is hidden must be gone before: nothing is put in, and only the title's heading is moved.

    Returns:
        How many characters of text, white space left out, were taken out; None when the page was left whole.
    """
    body = doc.select_one("body")
    if body is None or next(islice(body.iter_elements(), MAIN_ELEMENTS, None), None) is not None:
        return None
    root = measured(body, "body")
    text, links = root.text, root.links
    said = Title(doc)
    least = _TITLED_SHARE if mark(root, said) else _LEAST_SHARE
    refine(root)
    kept = _kept(root)
    left, linked = sum(part.own for part in kept), sum(part.own_links for part in kept)
    if left < MAIN_LEAST_CHARS or left == text or left - linked < least * (text - links):
        return None
    return _take_out(root, said.besides(root, kept))


def _kept(root: Part) -> list[Part]:
    """What is left, in document order."""
    found: list[Part] = []
    waiting = [root]
    while waiting:
        part = waiting.pop()
        found.append(part)
        waiting.extend(inner for inner in reversed(part.parts) if not inner.dropped)
    return found


def _take_out(root: Part, title: Part | None) -> int:
    """Take what is dropped out of the tree, with the bare text around; how many characters that were.

    The one block that is kept of what is dropped moves to where the one around it stood.
    """
    around = _around(root, title) if title is not None else frozenset()
    waiting = [root]
    taken = 0
    if title is not None:
        title.dropped = False
    while waiting:
        part = waiting.pop()
        if part.bare:
            taken += _strip(part)
        for inner in part.parts:
            if not inner.dropped:
                waiting.append(inner)
                continue
            if title is not None and id(inner) in around:
                inner.element.insert_before(title.element.extract())
            taken += _characters(inner.element.text)
            _part(inner.element)
            inner.element.extract()
    return taken


def _part(element: "Element") -> None:
    """Keep the running text before and behind a block apart when that goes."""
    kind = type(element)
    if _runs(element.previous_sibling, kind) and _runs(element.next_sibling, kind):
        element.insert_before(kind("br"))


def _runs(node: "Node | None", elements: "type[Element]") -> bool:
    """Whether a node is running text: a text that is not blank, a link, an element in a line."""
    if node is None:
        return False
    if isinstance(node, elements):
        return node.tag == "a" or node.tag in INLINE
    return bool(node.text.strip())


def _around(root: Part, title: Part) -> frozenset[int]:
    """The ids of the parts that the title stands in. Parts do not know those around them: cycles would pile up."""
    above = {id(inner): part for part in root.walk() for inner in part.parts}
    found: list[int] = []
    part = above.get(id(title))
    while part is not None:
        found.append(id(part))
        part = above.get(id(part))
    return frozenset(found)


def _strip(part: Part) -> int:
    blocks = {inner.element for inner in part.parts}
    taken = 0
    for node in list(part.element.children):
        if node not in blocks:
            taken += _characters(node.text)
            node.extract()
    return taken


def _characters(text: str) -> int:
    return len("".join(text.split()))
