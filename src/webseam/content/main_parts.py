"""What main content is judged by: the blocks of a page with their text, links and prose, measured in one walk."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from webseam.core.limits import MAIN_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Element, Text

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
TEXT_TAGS: Final = HEADINGS | {"p", "ul", "ol", "pre", "table", "blockquote", "figure", "dl", "details"}
INLINE: Final = frozenset(
    (
        *("abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins"),
        *("kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt"),
        *("u", "var", "wbr", "ruby", "rb", "rt", "rp", "math"),
    )
)
_TEXTUAL: Final = "p,h1,h2,h3,h4,h5,h6,article,main,section,button,input,select,textarea"
_MENUS: Final = frozenset(("nav", "ul", "ol"))
_MENU_DEPTH: Final = 20  # blocks around one: each of those looks through it once more at the worst
_CONTROLS: Final = frozenset(("button", "input", "select", "textarea"))
_CELLS: Final = frozenset(("td", "th"))
_PICTURES: Final = frozenset(("img", "picture"))
_SKIPPED: Final = _CONTROLS | frozenset(("br", "hr", "img", "picture", "option", "meter", "progress", "map", "area"))
_WEIGHTS: Final = dict.fromkeys(HEADINGS, 0.0) | dict.fromkeys(
    ("li", "td", "th", "dt", "dd", "figcaption", "label"), 0.6
)
_LINKED_HEADING: Final = 0.8  # of a heading's text: it leads to another page
_SOLID, _SHORT, _SCRAP = 80, 40, 20  # units: a sentence or two, a short sentence, a label


@dataclass(eq=False)
class Part:
    """A block with the blocks in it. Sizes are in units: a Latin letter is 1, a Cyrillic 1.5, an ideograph 2.

    `text` is all text below, `links` what of it stands in links, `count` the number of links, `own` the text outside of
    inner blocks, `prose` what of the text reads like sentences, `cell` the most prose in one table cell below,
    `controls` the number of buttons and fields, `media` whether it holds a picture, `blank` whether
    its own text has hard spaces alone, `heads` whether a heading that is a link, or a line like one, stands below.
    `favour` is what the labels make of a block's prose, `worth` the prose below with that taken in.
    `dropped` says that a part is no main content, `bare` that nothing is but the parts in it, `titled` that the page's
    title stands in it.

    Without slots, what is not set costs nothing to make: a page has thousands of these.
    """

    element: "Element"
    tag: str
    parts: "list[Part]" = field(default_factory=list, init=False)
    text: int = field(default=0, init=False)
    links: int = field(default=0, init=False)
    count: int = field(default=0, init=False)
    own: int = field(default=0, init=False)
    own_links: int = field(default=0, init=False)
    prose: float = field(default=0.0, init=False)
    cell: float = field(default=0.0, init=False)
    controls: int = field(default=0, init=False)
    media: bool = field(default=False, init=False)
    blank: bool = field(default=False, init=False)
    heads: bool = field(default=False, init=False)
    favour: float = field(default=1.0, init=False)
    worth: float = field(default=0.0, init=False)
    dropped: bool = field(default=False, init=False)
    bare: bool = field(default=False, init=False)
    titled: bool = field(default=False, init=False)

    @property
    def density(self) -> float:
        """How much of the text is links, 0 to 1."""
        return self.links / self.text if self.text else 0.0

    def walk(self) -> "Iterator[Part]":
        """This part and all below, in document order."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting.extend(reversed(part.parts))


def units(text: str) -> int:
    """The size of a text: scripts that say more in a letter count more for each."""
    if text.isascii():
        return len(text)
    return (len(text) + len(text.encode("utf-8", "surrogatepass"))) // 2


def words(element: "Element") -> str:
    """The text of an element, folded for comparing."""
    return " ".join(element.text.split()).casefold()


def measured(element: "Element", tag: str) -> Part:
    """The tree of blocks below `element`. What is nested deeper than `MAIN_DEPTH` counts as plain text."""
    from turbohtml import Element, Text  # noqa: PLC0415 - loaded by whoever parsed the tree

    return _measured(element, tag, 0, (Element, Text))


def _measured(element: "Element", tag: str, depth: int, kinds: "tuple[type[Element], type[Text]]") -> Part:
    part = Part(element, tag)
    if depth >= MAIN_DEPTH:
        part.own = part.text = units(element.text.strip())
        part.prose = _prose(part)
        return part
    elements, texts = kinds
    for child in element.children:
        if isinstance(child, texts):
            data = child.data.strip()
            if data:
                part.own += len(data) if data.isascii() else units(data)
            elif "\xa0" in child.data:
                part.blank = True
        elif isinstance(child, elements):
            name = child.tag
            if name == "a" or name == "button":  # noqa: PLR1714 - asked of every element, and faster than a set
                _add_link(part, child, name)
            elif name in _SKIPPED:
                part.controls += name in _CONTROLS
                part.media |= name in _PICTURES
            else:
                _add_block(part, child, name, depth, kinds)
    if part.own:
        _sum_own(part)
    return part


def _add_block(part: Part, child: "Element", name: str, depth: int, kinds: "tuple[type[Element], type[Text]]") -> None:
    """Most elements hold a text or a link alone: those are not gone into."""
    elements, texts = kinds
    inside = child.children
    only = inside[0] if len(inside) == 1 else None
    inline = name in INLINE
    if inline and isinstance(only, texts):
        _add_text(part, only.data)
    elif isinstance(only, texts):
        _add(part, _line(child, name, only.data), inline=False)
    elif isinstance(only, elements) and only.tag == "a":
        inner = Part(child, name)
        _add_link(inner, only, "a")
        if inner.own:
            _sum_own(inner)
        _add(part, inner, inline=inline)
    elif inside:
        menu = _menu(child, name) if name in _MENUS and depth < _MENU_DEPTH else None
        _add(part, menu or _measured(child, name, depth + 1, kinds), inline=inline)


def _line(element: "Element", tag: str, text: str) -> Part:
    """A block that holds one text."""
    part = Part(element, tag)
    _add_text(part, text)
    if part.own:
        _sum_own(part)
    return part


def _add_text(part: Part, text: str) -> None:
    data = text.strip()
    if data:
        part.own += len(data) if data.isascii() else units(data)
    elif "\xa0" in text:
        part.blank = True


def _menu(element: "Element", tag: str) -> Part | None:
    """A block of links alone, which needs no closer look: half of the elements of a page stand in some."""
    if element.select_one(_TEXTUAL) is not None:
        return None
    links = element.select("a")
    text = "".join(element.text.split())
    if tag != "nav" and "".join("".join([link.text for link in links]).split()) != text:
        return None
    part = Part(element, tag)
    part.own = part.text = part.own_links = part.links = units(text)
    part.count = len(links) or tag == "nav"
    part.media = element.select_one("img,picture") is not None
    return part


def _sum_own(part: Part) -> None:
    part.text += part.own
    part.links += part.own_links
    part.prose += _prose(part)
    if part.own_links > _LINKED_HEADING * part.own and (
        part.tag in HEADINGS or (part.tag == "div" and part.own >= _SCRAP)
    ):
        part.heads = True


def _add_link(part: Part, link: "Element", name: str) -> None:
    size = units(link.text.strip())
    part.own += size
    part.controls += name == "button"
    href = "" if name == "button" else link.attr("href", "")
    if part.tag in HEADINGS and "#" in (href or ""):  # to itself
        return
    if name == "button" or href != "":
        part.own_links += size
        part.count += 1


def _add(part: Part, inner: Part, *, inline: bool) -> None:
    if inner.count:
        part.count += inner.count
    if inner.controls:
        part.controls += inner.controls
    if inner.media:
        part.media = True
    if inline and not inner.parts:
        part.blank |= inner.blank
        part.own += inner.own
        part.own_links += inner.own_links
        return
    if not (inner.own or inner.parts or inner.media or inner.controls or inner.blank):
        return
    part.parts.append(inner)
    if inner.heads:
        part.heads = True
    part.text += inner.text
    part.links += inner.links
    part.prose += inner.prose
    if inner.cell or inner.tag in _CELLS:
        part.cell = max(part.cell, inner.cell, inner.prose if inner.tag in _CELLS else 0.0)


def _prose(part: Part) -> float:
    """What of a block's own text reads like sentences: long, and not made of links."""
    own = part.own
    if own < _SCRAP:
        return 0.0
    share = 1.0 if own >= _SOLID else 0.5 if own >= _SHORT else 0.15
    return max(0.0, own - 1.5 * part.own_links) * share * _WEIGHTS.get(part.tag, 1.0)
