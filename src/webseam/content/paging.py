"""Cutting a long text into windows at places a reader would choose; the windows joined are the text. Pure."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Final

from webseam.content.clusters import cut_between, is_joined

_BLANK_LINES: Final = ("\n\n", "\n\r\n")
_LINES: Final = ("\n",)
_FENCE: Final = re.compile(r"`{3,}|~{3,}")
_BEFORE_FENCE: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+[ \t>]*)*")
_LINK: Final = re.compile(
    r"!?\[(?:[^\[\]\n]|\[[^\[\]\n]{0,500}\](?:\([^()\s]{0,2100}\))?){0,1000}\]"
    r"\((?:<[^<>\n]{0,2100}>|(?:[^()\s]|\([^()\s]{0,400}\)){0,4000})(?:\s\"[^\"\n]{0,400}\")?\)"
)
_LEAD: Final = re.compile(
    r"(?:(?<=\n) {0,3}(?:#{1,6}[ \t][^\n]*|\|[^\n]*\n {0,3}\|[-:| ]+\||--- page \d+ of \d+ ---)"
    r"|(?<=\n\n)(?! {4}) {0,3}[^\s>|\-][^\n]*\n {0,3}(?:=+|-+))\s*\Z"  # underlined, CommonMark 0.31, section 4.3
)
_LEAD_CHARS: Final = 2_000  # a heading or the head of a table longer than this is let stand
_LINK_CHARS: Final = 8_192  # how far back the start of a link is looked for
_SET_IN: Final = 3  # spaces before a fence that are no code (CommonMark 0.31, section 4.5)
_TRIES: Final = 8  # brackets, and spaces, looked at before giving up


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Code points `start` to `end` of a text of `total`; `next_offset` is None where nothing follows."""

    start: int
    end: int
    total: int
    next_offset: int | None


def cut(text: str, *, offset: int, limit: int) -> Window:
    """The window of at most `limit` code points from `offset` on.

    It ends at a blank line, else at the end of a line, else at a space, else between two characters as people see
    them: in its second half where possible, and outside of code blocks and links where the window has such a place.
    No heading, no page mark and no head of a table is left as the last of a window that holds something else.
    Following `next_offset` from 0 reaches every code point exactly once (R068, R069). An offset at or past the end
    gives an empty window.

    Raises:
        ValueError: a negative offset, or a limit below 1.
    """
    if offset < 0 or limit < 1:
        raise ValueError("the offset is at least 0 and the limit at least 1")
    total = len(text)
    if offset + limit >= total:
        return Window(start=min(offset, total), end=total, total=total, next_offset=None)
    end = _before_lead(text, offset, _boundary(text, offset, offset + limit))
    return Window(start=offset, end=end, total=total, next_offset=end)


def _boundary(text: str, start: int, end: int) -> int:
    half = start + (end - start) // 2
    blocks = _CodeBlocks(text, end)
    found = blocks.last_outside(_BLANK_LINES, half, end) or blocks.last_outside(_LINES, half, end)
    if found is None and not blocks.holds(end):
        found = _space(text, start, half, end)
    found = found or blocks.last_outside(_BLANK_LINES, start, end) or blocks.last_outside(_LINES, start, end)
    if found is None and blocks.holds(end):
        found = text.rfind("\n", start, end) + 1
    return found or _space(text, start, start, end) or _between(text, start, end)


def _before_lead(text: str, start: int, end: int) -> int:
    """`end`, or the place before headings, or before the head of a table, that would be the last of a window."""
    for _ in range(_TRIES):
        first = max(start, end - _LEAD_CHARS)
        part = text[first:end]
        found = _LEAD.search(part) if part.endswith("\n") else None
        if found is None or not part[: found.start()].strip():
            break
        end = first + found.start()
    return end


def _between(text: str, start: int, end: int) -> int:
    """The place before the link that `end` is inside of, else between two characters."""
    link = link_around(text, end)
    return link if link is not None and link > start else cut_between(text, start, end)


class _CodeBlocks:
    """The fenced blocks that begin before `end`: a cut inside one leaves half a block to each side."""

    def __init__(self, text: str, end: int) -> None:
        blocks = list(code_blocks(text, end)) if "```" in text or "~~~" in text else []
        self._text = text
        self._starts = [start for start, _ in blocks]
        self._ends = [stop for _, stop in blocks]

    def holds(self, position: int) -> bool:
        return self._start_around(position) is not None

    def last_outside(self, marks: tuple[str, ...], low: int, end: int) -> int | None:
        """The last position in (`low`, `end`] that follows one of `marks` and is in no block."""
        return max((found for mark in marks if (found := self._last(mark, low, end)) is not None), default=None)

    def _last(self, mark: str, low: int, end: int) -> int | None:
        at = end
        while (found := self._text.rfind(mark, low, at)) >= 0:
            position = found + len(mark)
            start = self._start_around(position)
            if start is None:
                return position
            at = start
        return None

    def _start_around(self, position: int) -> int | None:
        index = bisect_left(self._starts, position) - 1
        inside = index >= 0 and self._starts[index] < position < self._ends[index]
        return self._starts[index] if inside else None


def code_blocks(text: str, end: int) -> Iterator[tuple[int, float]]:
    """Start and end of the fenced blocks that open before `end`; one still open there ends at infinity."""
    start, fence, opening, seen = 0, "", "", 0
    for found in _FENCE.finditer(text, 0, end):
        first, seen = seen, found.end()
        line = text.rfind("\n", first, found.start()) + 1
        if (first and not line) or not _BEFORE_FENCE.fullmatch(text, line, found.start()):  # only a line's first can be
            continue
        newline = text.find("\n", found.end())
        rest = text[found.end() : newline if newline >= 0 else len(text)]
        before = text[line : found.start()]
        if not fence:
            if found[0][0] == "~" or "`" not in rest:  # else a span of code (CommonMark 0.31, section 4.5)
                start, fence, opening = line, found[0], before
        elif found[0].startswith(fence) and not rest.strip() and _closes(before, opening):
            yield start, newline + 1 if newline >= 0 else inf
            fence = ""
    if fence:
        yield start, inf


def _closes(before: str, opening: str) -> bool:
    """Whether a fence behind `before` can end the block whose first fence stands behind `opening`."""
    same = before.count(">") == opening.count(">") and len(before) <= len(opening) + _SET_IN
    return same and not before.strip(" \t>")


def _space(text: str, start: int, low: int, end: int) -> int | None:
    """The last place in (`low`, `end`] behind a space and outside of a link, else the place before that link."""
    at = end
    for _ in range(_TRIES):
        found = text.rfind(" ", low, at)
        if found < 0:
            return None
        link = link_around(text, found + 1)
        if link is not None and link > start:
            return link
        if link is None and not is_joined(text, found + 1):
            return found + 1
        at = found
    return None


def link_around(text: str, position: int) -> int | None:
    """Where the outermost link begins that `position` is inside of."""
    outermost = None
    at = position
    for _ in range(_TRIES):
        at = text.rfind("[", max(0, position - _LINK_CHARS), at)
        if at < 0:
            break
        link = _LINK.match(text, at)
        if link is not None and link.end() > position:
            outermost = at - 1 if at and text[at - 1] == "!" else at
    return outermost
