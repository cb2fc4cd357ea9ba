"""Headings inside links: the renderer would drop the heading, so the two change places."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from webseam.content.dissolving import dissolve
from webseam.content.rare import Rare, Selectors

if TYPE_CHECKING:
    from turbohtml import Document, Element

_LINKED: Final = Selectors[None].of({f"a[href] h{level}": None for level in range(1, 7)})


def link_headings(doc: "Document", rare: Rare) -> "Callable[[], None]":
    """An edit that makes `<a><h3>` a heading with a link, `<h3><a>`.

    What else the link holds (the picture and the words of a card) stays beside the heading without a link of its own:
    the first heading of a link is what it is called, and the target is there once.
    """
    firsts: dict[Element, Element] = {}
    for asked in _LINKED.likely(rare):
        for heading in doc.select(asked.selector):
            link = heading.closest("a[href]")
            if link is not None:
                firsts.setdefault(link, heading)
    return partial(_swap, firsts)


def _swap(firsts: "dict[Element, Element]") -> None:
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    for link, heading in firsts.items():
        href = link.attr("href")
        if href is not None and link.parent is not None and heading.parent is not None:
            dissolve(link)
            heading.wrap_children(Element("a", {"href": href}))
