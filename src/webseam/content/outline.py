"""The headings of a Markdown text with the offsets at which they stand, code blocks aside. Pure, linear."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Final

from webseam.content.hygiene import clean_line
from webseam.content.paging import code_blocks
from webseam.core.limits import OUTLINE_LINES, TITLE_CHARS

_LINE: Final = re.compile(
    r"(?:\A|\n)(?P<line> {0,3}(?:(?P<hashes>#{1,6})[ \t]+(?P<title>[^\s][^\n]*)|(?P<under>=+|-+)[ \t]*))(?=\n|\Z)"
)
"""CommonMark 0.31, sections 4.2 and 4.3; a line at a time, so that it is found by its line end."""

_PAGE: Final = re.compile(r"(?:\A|\n)--- (page [0-9]{1,6} of [0-9]{1,6}) ---(?=\n|\Z)")
_NO_TITLE: Final = re.compile(r" {0,3}(?:[#>|]|[-*+] |\d{1,9}[.)] |```|~~~|={2,}|-{2,})| {4}|\t|\s*\Z")
"""What stands above an underline and is no paragraph: marks of other blocks, code by indentation, a blank line."""

_CLOSING: Final = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_LINK: Final = re.compile(
    r"!?\[([^\[\]\n]{0,1000})\]\((?:<[^<>\n]{0,2100}>|(?:[^()\s]|\([^()\s]{0,400}\)){0,2100})(?:\s\"[^\"\n]{0,400}\")?\)"
)
_MARKS: Final = re.compile(r"\\([!-/:-@\[-`{-~])|\*{1,3}|`+|~~|(?<!\w)_{1,3}|_{1,3}(?!\w)")
_TITLE_READ: Final = 4_000  # characters of a heading looked at: a title has 300, its link may be long
_MATTER: Final = "---\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading: its level from 1 to 6, its words without marks, and the offset at which its line begins."""

    level: int
    title: str
    offset: int


def outline(text: str) -> tuple[Heading, ...]:
    """The headings of a Markdown text in order; those of its pages where it has none and is a paged document.

    Both spellings of headings count, at the start of a line. Nothing in a fenced block or in front matter does.
    Of a text with very many lines that may be headings, it ends before the text does.
    """
    if found := tuple(_headings(text)):
        return found
    pages = islice(_PAGE.finditer(text), OUTLINE_LINES)
    return tuple(Heading(level=1, title=page[1], offset=page.start(1) - len("--- ")) for page in pages)


def _headings(text: str) -> Iterator[Heading]:
    fenced = _Blocks(code_blocks(text, len(text)) if "```" in text or "~~~" in text else ())
    for found in islice(_LINE.finditer(text, _front_matter(text)), OUTLINE_LINES):
        offset = found.start("line")
        if fenced.hold(offset):
            continue
        if found["hashes"]:
            title = _words(_CLOSING.sub("", found["title"][:_TITLE_READ]))
            if title:
                yield Heading(level=len(found["hashes"]), title=title, offset=offset)
        elif offset and (above := _paragraph(text, offset - 1)) is not None and not fenced.hold(above):
            title = _words(text[above : min(offset, above + _TITLE_READ)])
            yield Heading(level=1 if found["under"][0] == "=" else 2, title=title, offset=above)


class _Blocks:
    """Fenced blocks, asked for positions that only grow."""

    def __init__(self, blocks: Iterable[tuple[int, float]]) -> None:
        self._blocks = iter(blocks)
        self._now: tuple[float, float] = (-1, -1)

    def hold(self, position: int) -> bool:
        """Whether `position` lies in a block; at most a line before the last one asked for."""
        while self._now[1] <= position:
            self._now = next(self._blocks, (inf, inf))
        return self._now[0] <= position


def _front_matter(text: str) -> int:
    """Where the text begins behind a block of metadata, which looks like an underlined heading."""
    if not text.startswith(_MATTER):
        return 0
    end = text.find(f"\n{_MATTER}", 0, 20_000)
    return end + len(_MATTER) if end >= 0 else 0


def _paragraph(text: str, end: int) -> int | None:
    """The start of the line that ends at `end`, when an underline makes it a heading."""
    start = text.rfind("\n", 0, end) + 1
    return None if _NO_TITLE.match(text, start, end) else start


def _words(title: str) -> str:
    """A heading as words on one line: link texts without targets, no emphasis, no escapes."""
    plain = _MARKS.sub(lambda found: found[1] or "", _LINK.sub(r"\1", title))
    return clean_line(plain, limit=TITLE_CHARS)


def path_at(headings: Sequence[Heading], offset: int) -> tuple[str, ...]:
    """Titles of the headings that `offset` stands under, outermost first; none where the outline ended before."""
    if len(headings) >= OUTLINE_LINES and offset > headings[-1].offset:
        return ()
    path: list[str] = []
    level = 7
    for heading in reversed(headings[: bisect_right(headings, offset, key=lambda one: one.offset)]):
        if heading.level < level:
            path.insert(0, heading.title)
            level = heading.level
        if level == 1:
            break
    return tuple(path)


def upper(headings: Sequence[Heading], *, most: int) -> tuple[Heading, ...]:
    """The headings down to the lowest level at which there are at most `most`; else the first `most` of the top level.

    Levels are those that occur: of a text whose headings begin at level 3, that is the top.
    """
    kept: tuple[Heading, ...] = ()
    for level in sorted({heading.level for heading in headings}):
        wider = tuple(heading for heading in headings if heading.level <= level)
        if len(wider) > most:
            return kept or wider[:most]
        kept = wider
    return kept
