"""Text in the colour of what another element paints behind it."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from webseam.content.colours import Colour, colour
from webseam.content.css import declarations
from webseam.content.hidden_colour import background_colour, has_picture, is_same, text_colour

if TYPE_CHECKING:
    from turbohtml import Document, Element

_Style: TypeAlias = Mapping[str, str]

_PAINTED: Final = re.compile(r"background|\\", re.IGNORECASE)  # or an escape, which may spell it
_COLOURED: Final = re.compile(r"color|background|\\", re.IGNORECASE)
_PAINTED_BY_BROWSERS: Final = ("button", "input", "mark", "select", "textarea", "dialog")
_PLAIN: Final = frozenset(  # what stylesheets rarely paint by its tag alone
    {
        *("font", "span", "p", "div", "b", "i", "em", "strong", "u", "s", "small", "big", "center", "blockquote"),
        *("li", "ul", "ol", "td", "tr", "tbody", "table", "section", "article", "main"),
    }
)


def coloured(style: str) -> _Style | None:
    """The declarations of a style with a colour in it; None for any other."""
    return declarations(style) if _COLOURED.search(style) else None


def camouflaged(
    doc: "Document", marked: "Sequence[Element]", styles: Sequence[str], colours: Mapping[str, _Style | None]
) -> "list[Element]":
    """Elements whose own colour is that of the background around them, where both stand in the page itself.

    A picture behind the text ends the search, and so does what a stylesheet may paint, for nobody can tell. Each
    element on the way up is looked at once.

    Args:
        doc: the page.
        marked: its elements with a `style` or `bgcolor`, among others.
        styles: the style of each.
        colours: what `coloured` says of each style.
    """
    if not any(
        _PAINTED.search(style) or element.attr("bgcolor") for element, style in zip(marked, styles, strict=True)
    ):
        return []
    declared = [colours[style] for style in styles]
    painted = _painted(marked, declared)
    if not painted:
        return []
    styled = is_styled(doc)
    fronts = _coloured(doc, marked, declared)
    own = [] if styled else _in_inherited_colour(doc, painted, fronts)
    behind = ((element, front, _nearest(element, painted, styled=styled)) for element, front in fronts.items())
    return own + [element for element, front, colour in behind if colour is not None and is_same(front, colour)]


def _in_inherited_colour(
    doc: "Document", painted: "dict[Element, Colour | None]", fronts: "dict[Element, Colour]"
) -> "list[Element]":
    """Elements that paint the colour which their text inherits behind it; links have one of their own."""
    known: dict[Element, Colour | None] = {**dict.fromkeys(doc.select("a")), **fronts}
    return [
        element
        for element, behind in painted.items()
        if behind is not None
        and element not in fronts
        and (front := _nearest(element, known, styled=False)) is not None
        and is_same(front, behind)
    ]


def is_styled(doc: "Document") -> bool:
    """Whether a page has stylesheets, which may paint whatever has a class or an id."""
    return bool(doc.select("style") or doc.select('link[rel~="stylesheet" i]'))


def may_show(element: "Element", *, styled: bool) -> bool:
    """Whether an element in one of the colour behind it has a colour or background of its own, and so may be seen."""
    own = _COLOURED.search(element.attr("style") or "") or element.attr("bgcolor") or element.attr("color")
    return bool(own) or _is_opaque(element, styled=styled)


def _is_opaque(element: "Element", *, styled: bool) -> bool:
    """Whether something may be painted behind the text of an element that its attributes do not tell."""
    if element.tag in _PAINTED_BY_BROWSERS or element.attr("background"):
        return True
    return styled and (element.tag not in _PLAIN or bool(element.attr("class") or element.attr("id")))


def _painted(marked: "Sequence[Element]", declared: "Sequence[_Style | None]") -> "dict[Element, Colour | None]":
    """What elements paint behind their text, those that paint anything; None for a picture."""
    painted: dict[Element, Colour | None] = {}
    for element, style in zip(marked, declared, strict=True):
        behind = (background_colour(style) if style else None) or _legacy(element.attr("bgcolor") or "")
        if style and has_picture(style):
            painted[element] = None
        elif behind is not None and behind[3] > 0:
            painted[element] = behind
    return painted


def _coloured(
    doc: "Document", marked: "Sequence[Element]", declared: "Sequence[_Style | None]"
) -> "dict[Element, Colour]":
    """The colour of text that elements ask for, those that ask for any."""
    fronts = {
        element: front
        for element, style in zip(marked, declared, strict=True)
        if style and (front := text_colour(style)) is not None
    }
    for selector, name in (("font", "color"), ("body", "text")):
        for element in doc.select(selector):
            if element not in fronts and (front := _legacy(element.attr(name) or "")) is not None:
                fronts[element] = front
    return fronts


def _legacy(value: str) -> Colour | None:
    """The value of `color` or `bgcolor`, which may lack its `#`."""
    value = value.strip().lower()
    return None if not value else colour(value) or colour(f"#{value}")


def _nearest(element: "Element", known: "dict[Element, Colour | None]", *, styled: bool) -> Colour | None:
    """The colour of `element` or the nearest around it that has one; remembered for all elements on the way."""
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    passed: list[Element] = []
    node = element
    while node not in known:
        passed.append(node)
        parent = node.parent
        if not isinstance(parent, Element) or _is_opaque(node, styled=styled):
            known[node] = None
            break
        node = parent
    found = known[node]
    known.update(dict.fromkeys(passed, found))
    return found
