"""Prose whose inline style keeps its line ends: the renderer takes it for code, a reader sees lines."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from webseam.content.css import declarations

if TYPE_CHECKING:
    from turbohtml import Element, Node, Text

_PROPERTY: Final = "white-space"
_DECLARATION: Final = re.compile(r"white-space[^;]*;?", re.IGNORECASE)
_KEEPING: Final = ("pre", "pre-wrap", "pre-line", "break-spaces")
_CODE: Final = ("div", "p", "code", "samp", "kbd")
_VERBATIM: Final = ("pre", "textarea", "listing", "xmp")
_CODE_BLOCK: Final = ",".join(_VERBATIM)
_INLINE: Final = frozenset(("span", "a", "b", "strong", "i", "em", "u", "s", "font", "small", "mark", "code"))
_BLOCKS: Final = frozenset((*_VERBATIM, *("p", "div", "ul", "ol", "li", "dl", "table", "blockquote", "hr", "section")))


def keeps_lines(style: str) -> bool:
    """Whether an inline style says anything about white space."""
    return _PROPERTY in style.lower()


def show_lines(elements: "Iterable[Element]") -> None:
    """Break the lines of such elements, given in the order of the page, where their style keeps them.

    Lines in fixed width, of `<code>`, or of `white-space: pre` stay code.
    """
    seen: set[Element] = set()
    for element in elements:
        style = element.attr("style") or ""
        if element not in seen and declarations(style).get(_PROPERTY) in _KEEPING:
            nodes = list(element.descendants)
            seen.update(_elements(nodes))
            if element.closest(_CODE_BLOCK) is not None or _is_code(element):
                continue
            for text in _lines(nodes):
                _break(text)
        element.attrs["style"] = _DECLARATION.sub("", style)


def _is_code(element: "Element") -> bool:
    if element.tag not in _CODE or "\n" not in element.text.strip():
        return False
    style = declarations(element.attr("style") or "")
    fixed = "mono" in f"{style.get('font-family')}{style.get('font')}" or "courier" in style.get("font-family", "")
    return element.tag not in ("div", "p") or fixed or style.get(_PROPERTY) == "pre"


def _elements(nodes: "list[Node]") -> "Iterator[Element]":
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    return (node for node in nodes if isinstance(node, Element))


def _lines(nodes: "list[Node]") -> "Iterator[Text]":
    """Texts of several lines; what only indents the markup between blocks is none."""
    from turbohtml import Element, Text  # noqa: PLC0415 - as above

    for node in nodes:
        if isinstance(node, Text) and "\n" in node.data and isinstance(node.parent, Element):
            between = not (_is_edge(node, node.previous_sibling) or _is_edge(node, node.next_sibling))
            if node.parent.tag not in _VERBATIM and (between or node.data.strip()):
                yield node


def _is_edge(text: "Text", beside: "Node | None") -> bool:
    """Whether a block ends or begins there."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    if beside is None:
        return isinstance(text.parent, Element) and text.parent.tag not in _INLINE
    return isinstance(beside, Element) and beside.tag in _BLOCKS


def _break(text: "Text") -> None:
    """A line break for each line end but those at the edges of a block."""
    from turbohtml import Element, Text  # noqa: PLC0415 - as above

    kept = text.data.lstrip("\n") if _is_edge(text, text.previous_sibling) else text.data
    kept = kept.rstrip() if _is_edge(text, text.next_sibling) else kept
    first, *others = kept.split("\n")
    for line in others:
        text.insert_before(Text(first), Element("br"))
        first = line
    text.replace_with(Text(first))
