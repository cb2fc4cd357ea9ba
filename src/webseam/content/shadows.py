"""Parts of a page that its HTML puts into shadow trees: readers see them without any script."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from turbohtml import Document, ShadowRoot

SHADOWS: Final = "template[shadowrootmode]"
"""Selector of such parts in a tree that was parsed without them; looking through the markup takes 70 times as long."""

_NESTED: Final = 32  # trees in one another; moving a part takes time for all that stands in it


def show_shadows(doc: "Document") -> None:
    """Put open shadow trees into their hosts, before what the hosts hold themselves (WHATWG DOM section 4.2.2)."""
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    level: list[Document | ShadowRoot] = [doc]
    every: list[tuple[Element, ShadowRoot]] = []
    for _ in range(_NESTED):
        nodes = (node for tree in level for node in tree.descendants)
        found = [(node, root) for node in nodes if isinstance(node, Element) and (root := node.shadow_root) is not None]
        level = [root for _, root in found]
        every += found
    for host, root in reversed(every):
        for part in reversed(list(root.children)):
            host.insert(0, part)
