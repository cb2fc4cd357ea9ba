"""Marks in a generated answer that lead to its sources: Markdown links whose text is the number of the source."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

_UNSAFE: Final = str.maketrans({"(": "%28", ")": "%29", "<": "%3C", ">": "%3E", " ": "%20", "\n": "%0A", "\\": "%5C"})
"""What would end the target of a Markdown link, percent-encoded."""

_MARK: Final = re.compile(r" ?(\[\d{1,6}\]\([^()\s]++\))", re.ASCII)
_AGAIN: Final = re.compile(r"(\[\d{1,6}\]\([^()\s]++\))(?: \1)+", re.ASCII)


def mark(number: int, url: str) -> str:
    """The Markdown link to a source; `number` counts the sources from 1."""
    return f"[{number}]({url.translate(_UNSAFE)})"


def remarked(text: str, marks: Mapping[str, str]) -> str:
    """`text` with other marks in the place of these, each once where equal ones come to stand together.

    An empty one takes the mark out. Marks that are not named stay.
    """

    def other(found: re.Match[str]) -> str:
        new = marks.get(found[1])
        return found[0] if new is None else found[0].removesuffix(found[1]) + new if new else ""

    return _AGAIN.sub(r"\1", _MARK.sub(other, text))


def held_marks(text: str, named: Iterable[str], listed: Iterable[str]) -> str:
    """`text` without the marks of pages that are not `listed`, the others numbered as they are listed.

    Args:
        text: with marks that count the pages of `named`, each once.
        named: the URLs that a provider gave.
        listed: those of them that are sources in the end.
    """
    old = {url: number for number, url in enumerate(dict.fromkeys(named), 1)}
    new = {url: number for number, url in enumerate(dict.fromkeys(listed), 1)}
    if len(old) == len(new):
        return text
    return remarked(text, {mark(old[url], url): mark(new[url], url) if url in new else "" for url in old})
