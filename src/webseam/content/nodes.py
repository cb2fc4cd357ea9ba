"""Nodes of the parser's tree, made and listed; the parser itself loads with the first page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Element, Text


def text_node(data: str) -> "Text":
    """A new text, to be put into a tree."""
    from turbohtml import Text  # noqa: PLC0415 - heavy; loaded by whoever parsed the tree

    return Text(data)


def elements_of(node: "Element") -> "Iterator[Element]":
    """The elements directly in a node."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    return (child for child in node.children if isinstance(child, Element))
