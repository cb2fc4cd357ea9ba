"""What of a page is no text, and what of it nobody sees: taken out of the tree, unless it is the page itself."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from webseam.content.hidden import Hiding, hiding
from webseam.core.limits import HIDDEN_PAGE_CHARS

if TYPE_CHECKING:
    from turbohtml import Document, Element, Node

# One compound selector is answered from the parser's index; a list of them walks the tree (measured: 20 times dearer).
_NOT_TEXT: Final = (
    *("script", "style", "template", "noscript", "iframe", "object", "embed", "applet", "svg", "video", "audio"),
    *("canvas", "noframes", "noembed"),
)
_CLOSED: Final = ('input[type="hidden" i]', "dialog:not([open])")
_MARKED: Final = ":is([hidden],[aria-hidden],[style])"  # one walk over all elements instead of three
_WHOLE: Final = ("html", "body")
_MAIN: Final = ("main", "h1")
_LINKS_GROW: Final = 8  # times its text that Markdown made of links may have
_NOTHING: Final[AbstractSet[int]] = frozenset()
_NOBODY: "Final[AbstractSet[Element]]" = frozenset()


@dataclass(frozen=True, slots=True)
class Hidden:
    """Elements taken out as hidden; `veils` are those that scripts often reveal, by their place in the page.

    `main` are its main parts and first headings, hidden or not.
    """

    elements: "list[Element]"
    veils: "dict[int, tuple[Hiding, Element]]"
    main: "list[Element]"

    @property
    def headless(self) -> bool:
        """Whether no main part or heading of the page is both left in it and filled."""
        return not any(element.closest("html") is not None and _has_text(element) for element in self.main)


def remove_unseen(doc: "Document", *, keep: AbstractSet[int] = _NOTHING) -> Hidden:
    """Take out what is no text and what is hidden, but for the veils at the places in `keep` and those around them."""
    unseen = [element for selector in _NOT_TEXT for element in doc.select(selector)]
    closed = [element for selector in _CLOSED for element in doc.select(selector)]
    hidden = Hidden(closed, {}, [element for selector in _MAIN for element in doc.select(selector)])
    marked = doc.select(_MARKED)
    styles = [element.attr("style") or "" for element in marked]
    kinds = {style: hiding(style) for style in set(styles)}
    around = _around([marked[place] for place in keep]) if keep else _NOBODY
    for place, (element, style) in enumerate(zip(marked, styles, strict=True)):
        kind = kinds[style] or _marking(element)
        if kind is None or element.tag in _WHOLE or (keep and kind != "trick" and element in around):
            continue
        hidden.elements.append(element)
        if kind != "trick":
            hidden.veils[place] = (kind, element)
    for element in unseen:
        element.decompose()
    for element in hidden.elements:
        element.extract()
    return hidden


def is_mostly_seen(hidden: Hidden, *, shown: int, size: int) -> bool:
    """A quick yes for ordinary pages: nothing is hidden, or little beside `shown` characters of Markdown.

    `size` is that of the page's HTML: what is hidden and what is shown share it.
    """
    if not hidden.elements:
        return True
    if shown * 2 >= size and not hidden.headless:
        return True
    rough = sum(len(element.text) for element in hidden.elements)
    if not rough or (shown and rough < HIDDEN_PAGE_CHARS):
        return True
    return rough * _LINKS_GROW < shown and not hidden.headless


def worth_showing(doc: "Document", hidden: Hidden) -> AbstractSet[int]:
    """The places of those veils that are the page itself: most of its text, or its main part or heading.

    Fading elements count together, others only with half of the text or with the main part in them. Less than 200
    characters beside visible text are never worth it (R125): they may be there for machines only.
    """
    visible = _size(doc)
    sizes = {place: _size(element) for place, (_, element) in hidden.veils.items()}
    half = (visible + sum(sizes.values())) / 2
    headless = hidden.headless
    mains = {place for place, (_, element) in hidden.veils.items() if headless and _is_main(element)}
    kept = mains | {place for place, (kind, _) in hidden.veils.items() if kind == "fade" or sizes[place] >= half}
    size = sum(sizes[place] for place in kept)
    is_page = size > visible or bool(mains) or (headless and bool(hidden.main))
    return kept if is_page and (size >= HIDDEN_PAGE_CHARS or (size and not visible)) else _NOTHING


def hold_most(doc: "Document", hidden: Hidden) -> bool:
    """Whether the hidden elements hold more text than all that is left."""
    return sum(map(_size, hidden.elements)) > _size(doc)


def _around(elements: "list[Element]") -> "set[Element]":
    """The elements and all that they stand in; each is visited once."""
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    seen: set[Element] = set()
    for element in elements:
        node: Node | None = element
        while isinstance(node, Element) and node not in seen:
            seen.add(node)
            node = node.parent
    return seen


def _marking(element: "Element") -> Hiding | None:
    hidden = element.attr("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return "gone"
    return "gone" if (element.attr("aria-hidden") or "").lower() == "true" else None


def _size(node: "Document | Element") -> int:
    """Characters of text, white space left out."""
    return len("".join(node.text.split()))


def _has_text(element: "Element") -> bool:
    return any(part.strip() for part in element.strings)


def _is_main(element: "Element") -> bool:
    named = element.tag in _MAIN or element.attr("role") == "main"
    return named or any(element.select_one(selector) is not None for selector in (*_MAIN, '[role="main"]'))
