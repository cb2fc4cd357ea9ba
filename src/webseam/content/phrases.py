"""Small repairs of phrases, headings and lists in the tree, where the renderer would lose or repeat something."""

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from webseam.content.code_blocks import end_line
from webseam.content.css import declarations
from webseam.content.dissolving import dissolve, telling
from webseam.content.nodes import text_node
from webseam.content.pictures import shown
from webseam.content.rare import Rare, Selectors

if TYPE_CHECKING:
    from turbohtml import Document, Element

_ICONS: Final = Selectors[None].of(dict.fromkeys(("a:empty", "a svg", "a i:empty", "a span:empty", "a div:empty")))
_EMPTY_TITLES: Final = tuple(f"h{level}:empty" for level in range(1, 7))
_BOLD: Final = ("b", "strong")
_ITALIC: Final = ("i", "em")
_HERE: Final = "#"
_LIGHT: Final = ("normal", "400", "lighter", "inherit")
_WORD: Final = re.compile(r"\w")


def icon_links(doc: "Document", rare: Rare) -> "list[Element]":
    """Links that hold an icon or nothing; whether they have words is told by `name_links`."""
    icons = [element for asked in _ICONS.likely(rare) for element in doc.select(asked.selector)]
    found = [link for element in icons if (link := element.closest("a"))]
    return list(dict.fromkeys(found))


def name_links(links: "list[Element]", names: "dict[Element, str]") -> "list[Element]":
    """Call links without words by their label, their title or their drawing's name; those that have none of these.

    A nameless link within the page is no link any more: it marks a place.
    """
    nameless: list[Element] = []
    for link in links:
        if link.text.strip() or _holds_picture(link):
            continue
        name = shown(link.attr("aria-label") or link.attr("title") or names.get(link, "") or _icon_name(link))
        if name:
            link.attrs.pop("title", None)
            link.append(text_node(name))
        elif (link.attr("href") or _HERE).startswith(_HERE):
            link.attrs.pop("href", None)
        else:
            nameless.append(link)
    return nameless


def _icon_name(link: "Element") -> str:
    """What the icon in a link is called."""
    icon = link.select_one("[title],[aria-label]")
    return (icon.attr("aria-label") or icon.attr("title") or "") if icon is not None else ""


def call_by_target(links: "list[Element]") -> None:
    """Show the URL of links that nothing else names; must run when links are absolute."""
    for link in links:
        href = link.attr("href")
        if href:
            link.append(text_node(href))


def _holds_picture(link: "Element") -> bool:
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    return any(isinstance(node, Element) and node.tag in ("img", "video", "iframe") for node in link.descendants)


def explain_abbreviations(rare: Rare) -> "Callable[[], None]":
    """An edit: `WWW (World Wide Web)`, where it stands first."""
    return partial(_explain, rare.get("abbr", []))


def _explain(abbreviations: "list[Element]") -> None:
    explained: set[tuple[str, str]] = set()
    for abbreviation in abbreviations:
        short, long = " ".join(abbreviation.text.split()), shown(abbreviation.attr("title") or "")
        if short and long and long != short and (short, long) not in explained:
            explained.add((short, long))
            abbreviation.append(text_node(f" ({long})"))


def count_down(ordered: "Element") -> None:
    """The numbers of a reversed list, written out on its items."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    items = [node for node in ordered.children if isinstance(node, Element) and node.tag == "li"]
    start = ordered.attr("start") or ""
    number = int(start) if start.isdecimal() and len(start) < 10 else len(items)  # noqa: PLR2004 - CommonMark's most
    for item in items:
        if number >= 0 and item.attr("value") is None:
            item.attrs["value"] = str(number)
        number -= 1


def _tame_title(element: "Element") -> None:
    """A tooltip on one line and of bounded length; none where it only repeats the text."""
    title, text = element.attr("title") or "", element.text
    kept = "" if title == text else shown(title)  # most titles that repeat the text do so to the letter
    if not kept or kept == " ".join(text.split()):
        del element.attrs["title"]
    elif kept != title:
        element.attrs["title"] = kept


def _unwrap(element: "Element") -> None:
    if element.parent is not None:
        dissolve(element)


def _remove(element: "Element") -> None:
    element.decompose()


def _join(element: "Element") -> None:
    """`<b>a</b><b>b</b>` as one: two marks side by side would end each other."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    before = element.previous_sibling
    if isinstance(before, Element) and _mark(before) == _mark(element):
        kept = telling(before)
        if kept:
            before.wrap_children(Element("span", kept))
            for name in kept:
                del before.attrs[name]
        before.append(element)
        dissolve(element)


def _mark(element: "Element") -> str:
    """What an element is marked with."""
    return "strong" if element.tag in _BOLD else "em" if element.tag in _ITALIC else element.tag


def _turn(inner: "Element") -> None:
    """`<b><i>` as `<i><b>`, which mean the same: the renderer can write only the latter."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    outer = inner.parent
    if isinstance(outer, Element) and outer.tag in _BOLD and inner.tag in _ITALIC and len(outer) == 1:
        outer.tag, inner.tag = "em", "strong"


def _as_code(element: "Element") -> None:
    element.tag = "code"


def _link_outside(link: "Element") -> None:
    """`<code><a>` as `<a><code>`, `<code><a>f</a>()` too: the renderer would drop the link."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    code, href = link.parent, link.attr("href") or ""
    if isinstance(code, Element) and code[0] is link and code.closest("pre") is None and _names(link, code):
        link.unwrap()
        code.wrap(Element("a", {"href": href, **telling(link)}))


def _names(link: "Element", code: "Element") -> bool:
    """Whether the link is the name of all the code: nothing but signs behind it."""
    return len(code) == 1 or _WORD.search(code.text, len(link.text)) is None


def _unmark(element: "Element") -> None:
    """No emphasis where the style takes it back (editors wrap what they export in such a `<b>`)."""
    style = declarations(element.attr("style") or "")
    if style.get("font-weight") in _LIGHT or style.get("font-style") == "normal":
        element.tag = "span"


PHRASE_EDITS: Final[dict[str, "Callable[[Element], None]"]] = {
    "tt": _as_code,
    "a[title]": _tame_title,
    "img[title]": _tame_title,
    "code>a[href]": _link_outside,
    "ol[reversed]": count_down,
    **dict.fromkeys(_EMPTY_TITLES, _remove),
    "pre>code+code": end_line,
    "code+code": _join,
    **dict.fromkeys(("b[style]", "strong[style]", "i[style]", "em[style]"), _unmark),
}
"""Edits by selector."""
_SAME: Final = (
    *((one, other) for one in _BOLD for other in _BOLD),
    *((one, other) for one in _ITALIC for other in _ITALIC),
)
_MIXED: Final = tuple((bold, italic) for bold in _BOLD for italic in _ITALIC)
_EMPHASIS: Final = (  # outer or earlier tag, inner or later tag, selector, what narrows it, edit
    *((outer, inner, f"{outer} {inner}", "", _unwrap) for outer, inner in _SAME),
    *((one, other, f"{one}+{other}", ":not(:empty)", _join) for one, other in _SAME),
    *((outer, inner, f"{outer}>{inner}", "", _turn) for outer, inner in _MIXED),
)


def mend_emphasis(doc: "Document") -> "Callable[[], None]":
    """An edit for emphasis within or beside emphasis."""
    present = {tag for tag in (*_BOLD, *_ITALIC) if doc.select_one(tag) is not None}
    planned = [
        (edit, element)
        for outer, inner, selector, narrower, edit in _EMPHASIS
        if outer in present and inner in present and doc.select(selector)
        for element in doc.select(selector + narrower)
    ]
    return partial(_apply, planned)


def _apply(planned: "list[tuple[Callable[[Element], None], Element]]") -> None:
    for edit, element in planned:
        edit(element)
