"""Film, sound, frames and drawings in the tree, made into links and pictures before the parts that are no text go."""

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from webseam.content.dissolving import telling
from webseam.content.nodes import elements_of, text_node
from webseam.content.pictures import shown
from webseam.content.rare import Rare

if TYPE_CHECKING:
    from turbohtml import Element

_SOURCES: Final = ("src", "data-src", "data")
_NAMES: Final = ("title", "aria-label")
_FRAME: Final = "frame"  # of a page of frames, whose names are for its readers
_OTHER_SCHEME: Final = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_TRACKER: Final = ("0", "1")  # pixels of a frame that nobody is meant to see
_KINDS: Final = {
    "video": "video",
    "audio": "audio",
    "iframe": "frame",
    "frame": "frame",
    "object": "object",
    "embed": "object",
    "amp-video": "video",
    "amp-audio": "audio",
    "amp-iframe": "frame",
}


def link_media(element: "Element") -> None:
    """`[video: title](source)` in the place of a film, a sound, a frame or an embedded document.

    One without a web source, or of no size, stays as it is and goes with all else that is no text.
    """
    source = _source(element)
    if source is None or element.attr("width") in _TRACKER or element.attr("height") in _TRACKER:
        return
    keys = (*_NAMES, "name") if element.tag == _FRAME else _NAMES
    name = next((name for key in keys if (name := shown(element.attr(key) or ""))), "")
    kind = _KINDS[element.tag]
    within = element.closest("a") is not None
    element.clear()
    element.attrs.pop("title", None)
    element.tag = "span" if within else "a"
    if not within:
        element.attrs["href"] = source
    element.append(text_node(f"{kind}: {name}" if name else kind))
    if element.next_sibling is not None and keys is not _NAMES:
        element.insert_after(text_node(" "))


def show_amp_picture(element: "Element") -> None:
    """`<amp-img>` as the picture that a script makes of it."""
    element.clear()
    element.tag = "img"


def link_area(area: "Element") -> None:
    """An area of an image map as a link called by its alternative text."""
    name = shown(area.attr("alt") or "")
    if name:
        area.tag = "a"
        area.append(text_node(name))
        area.insert_after(text_node(" "))


def read_drawings(rare: Rare) -> "Callable[[], dict[Element, str]]":
    """An edit that makes drawings which stand for a picture into one, and takes all others out.

    No text in a drawing is kept: where it would be seen, if anywhere, cannot be told without a layout engine. The edit
    returns the names of drawings by the link around them.
    """
    drawings = rare.get("svg", [])
    return partial(_read, [one for one in drawings if one.parent is None or one.parent.closest("svg") is None])


def _read(outermost: "list[Element]") -> "dict[Element, str]":
    names: dict[Element, str] = {}
    for drawing in outermost:
        name = _name(drawing)
        link = drawing.closest("a") if name else None
        if link is not None:
            names[link] = name
        if name and link is None and drawing.attr("role") == "img":
            _replace(drawing, name)
        else:
            drawing.decompose()
    return names


def _replace(drawing: "Element", name: str) -> None:
    """A picture of that name, as hidden as the drawing is."""
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    drawing.replace_with(text_node(" "), Element("img", telling(drawing) | {"alt": name}), text_node(" "))


def _name(drawing: "Element") -> str:
    label = shown(drawing.attr("aria-label") or "")
    return label or next((shown(part.text) for part in elements_of(drawing) if part.tag == "title"), "")


def _source(element: "Element") -> str | None:
    own = (element.attr(name) for name in _SOURCES)
    listed = (part.attr("src") for part in elements_of(element) if part.tag == "source")
    found = next((value.strip() for value in (*own, *listed) if value and value.strip()), None)
    return None if found is None or _OTHER_SCHEME.match(found) else found


MEDIA_EDITS: Final[dict[str, "Callable[[Element], None]"]] = {
    **dict.fromkeys(_KINDS, link_media),
    "area[href]": link_area,
    **dict.fromkeys(("amp-img", "amp-anim"), show_amp_picture),
}
"""Edits by selector."""
