"""Blocks that the renderer would run together: side by side in list items, swallowed by a heading, lines of code."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from webseam.content.dissolving import dissolve
from webseam.content.rare import RARE, Rare, Selectors

if TYPE_CHECKING:
    from turbohtml import Document, Element, Node

_TITLES: Final = tuple(f"h{level}" for level in range(1, 7))
_SWALLOWED: Final = {
    title: Selectors[None].of({f"{title}>{block}": None for block in ("ul", "ol", "table", "p+p")}) for title in _TITLES
}
_USUAL: Final = tuple(title for title in _TITLES if title not in RARE)
_LISTS: Final = ("ul", "ol")
_BLOCKS: Final = frozenset(("p", "div", "ul", "ol", "dl", "table", "pre", "blockquote", "section", "hr", *_TITLES))


def end_titles(doc: "Document", rare: Rare) -> "Callable[[], None]":
    """An edit that ends a heading which nobody closed before the first block behind its words."""
    titles = [title for title in _TITLES if title in rare]
    titles += [title for title in _USUAL if doc.select_one(title) is not None]
    asked = [one for title in titles for one in _SWALLOWED[title].likely(rare)]
    return partial(_end, {block.parent: None for one in asked for block in doc.select(one.selector)})


def _end(titles: "dict[Node | None, None]") -> None:
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    for title in titles:
        parts = list(title.children) if isinstance(title, Element) else []
        worded = next((place for place, part in enumerate(parts) if part.text.strip()), len(parts))
        after = (place for place, part in enumerate(parts) if place > worded and _is_block(part))
        if isinstance(title, Element) and (place := next(after, None)) is not None:
            title.insert_after(*parts[place:])


def _is_block(node: "Node") -> bool:
    from turbohtml import Element  # noqa: PLC0415 - as above

    return isinstance(node, Element) and node.tag in _BLOCKS


def _into_one(quote: "Element") -> None:
    """Two quotations side by side in a list item become two parts of one."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    before = quote.previous_sibling
    while before is not None and not isinstance(before, Element):
        before = before.previous_sibling
    if isinstance(before, Element) and quote.closest("li") is not None:
        quote.tag = "div"
        before.append(quote)


def _lift(inner: "Element") -> None:
    """A list around nothing but a list only indents: the renderer would make code of a third level."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    if isinstance(inner.parent, Element):
        dissolve(inner.parent)


def _hold_apart(table: "Element") -> None:
    """Two tables side by side in a list item stay two."""
    from turbohtml import Text  # noqa: PLC0415 - as above

    if table.closest("li") is not None:
        table.insert_before(Text("\u00a0"))


def _as_code(fragment: "Element") -> None:
    """Lines of source, each in a box of its own (Doxygen), as one block of code; without their numbers."""
    from turbohtml import Element, Text  # noqa: PLC0415 - as above

    lines = [part for part in fragment.children if isinstance(part, Element) and part.has_class("line")]
    if lines:
        for number in fragment.select("span.lineno"):
            number.decompose()
        fragment.replace_with(Element("pre", None, [Text("\n".join(line.text for line in lines))]))


BLOCK_EDITS: "Final[dict[str, Callable[[Element], None]]]" = {
    "blockquote+blockquote": _into_one,
    "table+table": _hold_apart,
    "div.fragment": _as_code,
    **dict.fromkeys((f"{outer}>{inner}:only-child" for outer in _LISTS for inner in _LISTS), _lift),
}
"""Edits by selector."""
