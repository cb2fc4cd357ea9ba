"""Marks in a generated answer that lead to its sources, set by the vendor's offsets, never by a search for `[1]`.

A mark is a Markdown link whose text is the number of the source. An offset that fits nothing changes nothing: the text
stays as it was said, and the page is still listed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from webseam.core.marks import mark, remarked
from webseam.providers.wires.clean import unwrap
from webseam.providers.wires.rows import Row, count, text

POINTER_CHARS: Final = 10_000
"""A longer span is no vendor's pointer to a page: it holds a URL, which has 2,048 characters, and a title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Text that stands in the place of `start` to `end`; equal offsets set it in between."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """`text` with these edits, offsets in characters; one that runs into another or out of the text is left out."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        if at <= edit.start <= edit.end <= len(text):
            parts += (text[at : edit.start], edit.text)
            at = edit.end
    return "".join((*parts, text[at:]))


def is_marker(span: str, url: str) -> bool:
    """Whether a cited span is nothing but the vendor's own pointer to `url`, so that a mark may take its place.

    That is one Markdown link to the page, in brackets of its own or not (`([a.example](https://a.example/))`,
    `[[1]](https://a.example/)`), or a pointer such as `【1†source】`.
    """
    bare = span.strip()
    if bare.startswith("【") and bare.endswith("】"):
        return "】" not in bare[:-1]
    if bare.startswith("(") and bare.endswith("))"):
        bare = bare[1:-1]
    label, opening, target = bare.removesuffix(")").partition("](")
    return bool(opening) and bare.endswith(")") and label.startswith("[") and unwrap(target) == url


def pointed(said: str, citations: Iterable[Row], numbers: Mapping[str, int]) -> str:
    """`said` with marks where the vendor's own pointers stood; its offsets count characters and span the pointer.

    A span that is more than a pointer, or one to a page without a number, stays as it is, and so does the space around.
    """
    edits: list[Edit] = []
    for row in citations:
        start, end, url = count(row.get("start_index")), count(row.get("end_index")), unwrap(text(row.get("url")) or "")
        if start is None or end is None or end - start > POINTER_CHARS or url not in numbers:
            continue
        span = said[start:end]
        if is_marker(span, url):
            before, after = span[: len(span) - len(span.lstrip())], span[len(span.rstrip()) :]
            edits.append(Edit(start=start, end=end, text=before + mark(numbers[url], url) + after))
    return edited(said, edits)


__all__ = ["POINTER_CHARS", "Edit", "edited", "is_marker", "mark", "pointed", "remarked"]
