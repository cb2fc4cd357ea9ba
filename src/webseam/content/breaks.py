"""Floods of line breaks, thinned: the renderer's time grows with the square of a run of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from webseam.core.limits import BREAKS_IN_A_ROW, BREAKS_UNCOUNTED

if TYPE_CHECKING:
    from turbohtml import Document, Element

_SHOWN: Final = ("img", "input", "hr", "textarea", "button", "select", "svg", "video", "audio")


def thin_breaks(doc: "Document") -> None:
    """Take out the line breaks past the eighth in a row, on pages with more than 1,000 of them: nobody sees these."""
    if len(doc.select("br")) > BREAKS_UNCOUNTED:
        for element in list(_spare(doc)):
            element.extract()


def _spare(doc: "Document") -> "Iterator[Element]":
    from turbohtml import Element, Text  # noqa: PLC0415 - loaded by whoever parsed the tree

    run = 0
    for node in doc.descendants:
        if isinstance(node, Text):
            run = run if node.data.isspace() else 0
        elif isinstance(node, Element) and node.tag == "br":
            run += 1
            if run > BREAKS_IN_A_ROW:
                yield node
        elif isinstance(node, Element) and node.tag in _SHOWN:
            run = 0
