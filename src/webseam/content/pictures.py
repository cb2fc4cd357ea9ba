"""Pictures of a page: a web source, the lazy one where the real one is a placeholder, or only their text."""

from typing import TYPE_CHECKING, Final

from webseam.content.links import absolute
from webseam.core.limits import ALT_CHARS

if TYPE_CHECKING:
    from turbohtml import Document, Element

_SOURCES: Final = ("src", "data-src", "data-original", "data-lazy-src")
_ABSOLUTE: Final = ("http:", "https:")
_OPEN, _CLOSE = "\uf8f0", "\uf8f1"  # private-use characters, which mean nothing in anybody's text


def choose_sources(doc: "Document") -> "list[Element]":
    """Give each picture the first of its sources that is no data, and a text of one line and bounded length.

    Must run before links are made absolute. The pictures, in document order.
    """
    images = doc.select("img")
    for image in images:
        source = _source(image)
        if source is not None:
            image.attrs["src"] = source
        elif image.attr("src") is not None:
            del image.attrs["src"]
        alt = image.attr("alt")
        if alt and (len(alt) > ALT_CHARS or "\n" in alt or "\r" in alt):
            image.attrs["alt"] = _shown(alt)
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
        alt = _shown(image.attr("alt") or "")
        image.replace_with(Text(f"{_OPEN}{alt}{_CLOSE}" if alt else ""))
        replaced = True
    return replaced


def with_texts(text: str) -> str:
    """Brackets around the texts of pictures without a source: put in late, so that the renderer escapes none."""
    return text.replace(_OPEN, "[image: ").replace(_CLOSE, "]")


def _source(image: "Element") -> str | None:
    for name in _SOURCES:
        value = (image.attr(name) or "").strip()
        if value and value[:5].lower() != "data:":
            return value
    return None


def _shown(alt: str) -> str:
    shown = " ".join(alt.split())
    return shown if len(shown) <= ALT_CHARS else shown[: ALT_CHARS - 1].rstrip() + "\u2026"
