"""Pictures of a page: a web source, the lazy one where the real one is a placeholder, or only their text."""

import re
from typing import TYPE_CHECKING, Final

from webseam.content.links import absolute
from webseam.core.limits import ALT_CHARS

if TYPE_CHECKING:
    from turbohtml import Document, Element

_SOURCES: Final = ("src", "data-src", "data-original", "data-lazy-src")
_SETS: Final = ("data-srcset", "srcset")
_OFFERS: Final = 12  # siblings before a picture that are looked at, white space between them included
_SPACER_BYTES: Final = 256  # a smaller nameless picture in a data: URL only holds a place
_ABSOLUTE: Final = ("http:", "https:")
_ESCAPED: Final = re.compile(r"\\\[(image: [^\[\]\n]*)\\\]")
_OPEN, _CLOSE = "\uf8f0", "\uf8f1"  # private-use characters, which mean nothing in anybody's text


def choose_sources(doc: "Document") -> "list[Element]":
    """Give each picture the first of its sources that is no data, and a text of one line and bounded length.

    Must run before links are made absolute. The pictures, in document order.
    """
    images = doc.select("img")
    for image in images:
        own = image.attr("src")
        plain = own is not None and own == own.strip() != "" and not _is_data(own)
        source = own if plain else _source(image)
        alt = image.attr("alt")
        if alt and (len(alt) > ALT_CHARS or "\n" in alt or "\r" in alt):
            image.attrs["alt"] = shown(alt)
        if source is not None:
            if source != own:
                image.attrs["src"] = source
        elif own is not None:
            image.attrs["alt"] = _with_size(shown(alt or ""), own.strip())
            del image.attrs["src"]
    return images


def replace_by_texts(images: "list[Element]", base: str, *, every: bool) -> bool:
    """Put its text in the place of `every` picture, or of each that has no http(s) source.

    Must run after links were made absolute. True when `with_texts` has to finish the rendered Markdown.
    """
    from turbohtml import Text  # noqa: PLC0415 - loaded by whoever parsed the tree

    replaced = False
    for image in images:
        if image.parent is None:
            continue
        found = image.attr("src") or "about:blank"
        if not every and found.startswith(_ABSOLUTE):
            continue
        source = None if every else absolute(found, base)
        if source is not None and not source.startswith("mailto:"):
            image.attrs["src"] = source
            continue
        alt = shown(image.attr("alt") or "")
        image.replace_with(Text(f"{_OPEN}{alt}{_CLOSE}" if alt else ""))
        replaced = True
    return replaced


def with_texts(text: str) -> str:
    """Brackets around the texts of pictures without a source: put in late, so that the renderer escapes none."""
    return text.replace(_OPEN, "[image: ").replace(_CLOSE, "]")


def with_unescaped_texts(text: str) -> str:
    """The same for texts that the renderer took for the page's own, and escaped."""
    return _ESCAPED.sub(r"[\1]", text)


def _source(image: "Element") -> str | None:
    """The first source that is no data: its own, a lazy one, one of a set, or one that its `<picture>` offers."""
    for name in _SOURCES:
        value = (image.attr(name) or "").strip()
        if value and not _is_data(value):
            return value
    sets = (image.attr(name) for name in _SETS)
    return next((first for value in (*sets, *_offered(image)) if value and (first := _first_of(value))), None)


def _offered(image: "Element") -> "list[str | None]":
    """What the sources before an image in its `<picture>` name; few are looked at, so that time stays linear."""
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    offers: list[str | None] = []
    node = image.previous_sibling
    for _ in range(_OFFERS):
        if isinstance(node, Element) and node.tag == "source":
            offers = [*(node.attr(name) for name in _SETS), *offers]
        node = node.previous_sibling if node is not None else None
    return offers


def _first_of(candidates: str) -> str | None:
    """The first URL of a `srcset` (WHATWG HTML section 4.8.4.2.1)."""
    words = candidates.strip(" \t\n\f\r,").split(maxsplit=1)
    found = words[0].rstrip(",") if words else ""
    return found if found and not _is_data(found) else None


def _is_data(source: str) -> bool:
    return source[:5].lower() == "data:"


def _with_size(alt: str, source: str) -> str:
    """The text of a picture whose data are left out (R126)."""
    size = _data_bytes(source) if _is_data(source) else 0
    return ", ".join(filter(None, (alt, f"{size} bytes of data" if size and (alt or size >= _SPACER_BYTES) else "")))


def _data_bytes(source: str) -> int:
    """Bytes that a `data:` URL holds (RFC 2397)."""
    head, _, data = source.partition(",")
    if head.rstrip().lower().endswith(";base64"):
        return len(data.rstrip("= ")) * 3 // 4
    return len(data) - 2 * data.count("%")


def shown(text: str) -> str:
    """A name or an alternative text on one line and of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= ALT_CHARS else line[: ALT_CHARS - 1].rstrip() + "\u2026"
