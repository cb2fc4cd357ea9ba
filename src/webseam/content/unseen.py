"""What of a page is no text, and what of it nobody sees: taken out of the tree, unless it is the page itself."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from webseam.content.camouflage import camouflaged, coloured, is_styled, may_show
from webseam.content.hidden import Hiding, hiding, is_inherited, is_undone, marking
from webseam.content.rare import Rare
from webseam.content.white_space import keeps_lines
from webseam.core.limits import HIDDEN_PAGE_CHARS

if TYPE_CHECKING:
    from turbohtml import Document, Element, Node

# One compound selector is answered from the parser's index; a list of them walks the tree (measured: 20 times dearer).
_NOT_TEXT: Final = (
    *("script", "style", "template", "noscript", "iframe", "object", "embed", "applet", "svg", "video", "audio"),
    *("canvas", "noframes", "noembed"),
)
_CLOSED: Final = {
    "input": ('input[type="hidden" i]',),
    "dialog": ("dialog:not([open])",),
    "img": ('img[width="0"]', 'img[height="0"]', 'img[width="1"][height="1"]'),
}
_MARKED: Final = ":is([hidden],[aria-hidden],[style],[popover],[bgcolor])"  # one walk instead of five
_WHOLE: Final = ("html", "body")
_MAIN: Final = ("main", "h1")
_LINKS_GROW: Final = 8  # times its text that Markdown made of links may have
_UNDONE: Final = 1_000  # elements of a page looked at that may undo the hiding of others
_NOTHING: Final[AbstractSet[int]] = frozenset()
_NOBODY: "Final[AbstractSet[Element]]" = frozenset()


@dataclass(frozen=True, slots=True)
class Hidden:
    """Elements taken out as hidden; `veils` are those that scripts often reveal, by their place in the page.

    `main` are its main parts and first headings, hidden or not. `lined` are elements whose style is about white space,
    `copies` blocks left out because each repeats the one before for another width of screen.
    """

    elements: "list[Element]"
    veils: "dict[int, tuple[Hiding, Element]]"
    main: "list[Element]"
    lined: "list[Element]"
    copies: "list[Element]"

    def leave_out(self, copies: "list[Element]") -> bool:
        """Take such copies out of the tree. True when there were any."""
        for copy in copies:
            copy.extract()
        self.copies.extend(copies)
        return bool(copies)

    @property
    def headless(self) -> bool:
        """Whether no main part or heading of the page is both left in it and filled."""
        return not any(element.closest("html") is not None and _has_text(element) for element in self.main)


def marked_elements(doc: "Document") -> "list[Element]":
    """Elements that may be hidden, or hide what stands in them: all that have a style, among others."""
    return doc.select(_MARKED)


def remove_unseen(doc: "Document", rare: Rare, marked: "list[Element]", *, keep: AbstractSet[int] = _NOTHING) -> Hidden:
    """Take out what is no text and what is hidden, but for the veils at the places in `keep` and those around them.

    `rare` are the rare elements that the page held when nothing was edited yet, `marked` its `marked_elements`.
    """
    unseen = [element for tag in _NOT_TEXT if tag in rare for element in doc.select(tag)]
    closed = [
        element
        for tag, selectors in _CLOSED.items()
        if tag in rare or (tag == "img" and doc.select_one(tag) is not None)
        for selector in selectors
        for element in doc.select(selector)
    ]
    styles = [element.attr("style") or "" for element in marked]
    kinds, colours = {}, {}
    for style in set(styles):  # both of one style at once, while its declarations are remembered
        kinds[style], colours[style] = hiding(style), coloured(style)
    lining = {style for style in kinds if keeps_lines(style)}
    lined = [element for element, style in zip(marked, styles, strict=True) if style in lining] if lining else []
    hidden = Hidden(closed, {}, [element for selector in _MAIN for element in doc.select(selector)], lined, [])
    around = _around([marked[place] for place in keep]) if keep else _NOBODY
    in_disguise = [element for element in camouflaged(doc, marked, styles, colours) if element.tag not in _WHOLE]
    disguised = set(in_disguise)
    for place, (element, style) in enumerate(zip(marked, styles, strict=True)):
        kind = "trick" if element in disguised else kinds[style] or marking(element)
        if kind is None or element.tag in _WHOLE or (keep and kind != "trick" and element in around):
            continue
        if kind == "fade" and element.tag == "img":  # a picture to come: its text shows no more than that of any other
            continue
        hidden.elements.append(element)
        if kind != "trick":
            hidden.veils[place] = (kind, element)
    hidden.elements.extend(disguised.difference(marked))
    styled = bool(in_disguise) and is_styled(doc)
    for element in unseen:
        element.decompose()
    _save_undone(marked, styles, hidden.elements)
    _save_shown(in_disguise, set(hidden.elements), styled=styled)
    for element in hidden.elements:
        element.extract()
    return hidden


def _save_undone(marked: "list[Element]", styles: list[str], hidden: "list[Element]") -> None:
    """Elements that undo what hides the one around them, put in its place: `font-size:0` closes gaps in lists."""
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    taken = set(hidden)
    inherited = {style for style in islice(set(styles), _UNDONE) if is_inherited(style)} if taken else set()
    left = _UNDONE
    for element, style in zip(marked, styles, strict=True):
        if style in inherited and element in taken and left > 0:
            inner = element.select("[style]")[:left]
            left -= len(inner) + 1
            shown = _outermost(one for one in inner if one not in taken and is_undone(style, one.attr("style") or ""))
            if shown:
                element.insert_before(Element(element.tag, None, shown))


def _save_shown(disguised: "list[Element]", taken: "set[Element]", *, styled: bool) -> None:
    """Parts of elements in the colour of their background that have other colours, put in their place."""
    left = _UNDONE
    for element in disguised[:_UNDONE]:
        inner = [part for part in islice(element.descendants, left) if isinstance(part, type(element))]
        left -= len(inner)
        shown = _outermost(one for one in inner if one not in taken and may_show(one, styled=styled))
        if shown:
            element.insert_before(type(element)(element.tag, None, shown))


def _outermost(elements: "Iterator[Element]") -> "list[Element]":
    """Those of some elements, in the page's order, that stand in no other of them."""
    inside: set[Element] = set()
    found = []
    for one in elements:
        if one not in inside:
            inside.update(one.select("*"))
            found.append(one)
    return found


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


def is_seen_at_once(doc: "Document", hidden: Hidden) -> bool:
    """A quicker yes, without Markdown: next to nothing is hidden, or less than is left beside a filled main part."""
    if not hidden.elements:
        return True
    visible, rough = _size(doc), sum(len(element.text) for element in hidden.elements)
    return visible > 0 and (rough < HIDDEN_PAGE_CHARS or (rough < visible and not hidden.headless))


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
    from turbohtml import Element  # noqa: PLC0415 - as above

    seen: set[Element] = set()
    for element in elements:
        node: Node | None = element
        while isinstance(node, Element) and node not in seen:
            seen.add(node)
            node = node.parent
    return seen


def _size(node: "Document | Element") -> int:
    """Characters of text, white space left out."""
    return len("".join(node.text.split()))


def _has_text(element: "Element") -> bool:
    return any(part.strip() for part in element.strings)


def _is_main(element: "Element") -> bool:
    named = element.tag in _MAIN or element.attr("role") == "main"
    return named or any(element.select_one(selector) is not None for selector in (*_MAIN, '[role="main"]'))
