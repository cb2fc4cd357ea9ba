"""The title of a page: what the document is called, and the heading that repeats it."""

import re
from typing import TYPE_CHECKING, Final

from webseam.content.main_parts import units, words

if TYPE_CHECKING:
    from turbohtml import Document

    from webseam.content.main_parts import Part

_HEADINGS: Final = ("h1", "h2")
_LEAST: Final = 12  # units of a block that is taken for the title without being a heading
_LONGEST: Final = 500  # characters of a document's title that are compared
_LONG: Final = 20  # units of what stands between two marks and is no site's name
_BETWEEN: Final = re.compile(r"\s[|\u2013\u2014\u00b7\u2022\u00bb\u00ab:/-]+\s|\s*[|_\uff5c]+\s*|:\s")


class Title:
    """What a document is called, mostly the title of its text with the site's name before or behind."""

    def __init__(self, doc: "Document") -> None:
        named = doc.select_one("title")
        self._name = words(named)[:_LONGEST] if named is not None else ""
        self._pieces = [piece for piece in _BETWEEN.split(self._name) if units(piece) >= _LONG]

    def is_said_by(self, text: str) -> bool:
        """Whether a heading repeats the title, or says it and little more: a label, a byline."""
        if text in self._name:
            return True
        return any(len(text) < 2 * len(piece) and piece in text for piece in self._pieces)

    def besides(self, root: "Part", kept: "list[Part]") -> "Part | None":
        """The heading that is to be kept besides: one that repeats the title, unless one like that is kept."""
        if any(part.tag in _HEADINGS and part.text and self.is_said_by(words(part.element)) for part in kept):
            return None
        parts = list(root.walk())
        heading = self._best([part for part in parts if part.tag in _HEADINGS and part.text])
        if heading is not None or any(part.tag == "h1" for part in kept):
            return heading
        first = next((part for part in parts if part.tag == "h1" and part.text), None)
        if first is not None or not self._name:
            return first
        blocks = [part for part in parts if _LEAST <= part.own <= 2 * len(self._name) and not part.parts]
        told = {id(part) for part in blocks if self.is_said_by(words(part.element))}
        return None if any(id(part) in told for part in kept) else self._best(blocks)

    def _best(self, parts: "list[Part]") -> "Part | None":
        """The part that says the title: at its start, where a site's own name seldom stands, or the longest."""
        texts = [(words(part.element), part) for part in parts]
        found = [
            (self._name.startswith(text), len(text), -place)
            for place, (text, _) in enumerate(texts)
            if self.is_said_by(text)
        ]
        return texts[-max(found)[2]][1] if found else None
