"""What a renderer puts out for the blocks of a Markdown text: what of it is text, what raw HTML. Pure, linear."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from webseam.content.inline_html import inline_html

Piece: TypeAlias = tuple[int, int, str]
"""Start and end in the text, and what it is: `text`, `html`, or else a tag that the renderer puts in there."""

Slice: TypeAlias = tuple[int, int]
"""Start and end of a line, or of a part of one."""

NOTE: Final = re.compile(
    r"""\[(?:[^\[\]\\]|\\.){1,999}\]:[ \t]*+\n?[ \t]*+(?:\#\S{0,200}+|<>)(?:[ \t]++\n?|\n)[ \t>]*+"""
    r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))[ \t]*+(?=\n|\Z)"""
)
"""A definition of a link to nowhere with a title: how notes that nobody sees are written in Markdown."""

CELL: Final = "<table><tr><td>"
"""How each cell of a table begins, here."""

_CELL: Final = re.compile(r"(?<!\\)\|")


class Pieces:
    """The pieces of `text` so far, in order: see `Piece`."""

    __slots__ = ("made", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.made: list[Piece] = []

    def tag(self, tag: str) -> None:
        """A tag that is not in the text."""
        self.made.append((0, 0, tag))

    def html(self, start: int, end: int) -> None:
        """A line of a block of raw HTML."""
        self.made += ((start, end, "html"), (0, 0, "\n"))

    def plain(self, start: int, end: int) -> None:
        """A line of code, in a block that is open."""
        self.made += ((start, end, "text"), (0, 0, "\n"))

    def code(self, start: int, end: int) -> None:
        """A line that is a block of its own, and nothing in it markup."""
        self.made += ((0, 0, "<pre>"), (start, end, "text"), (0, 0, "</pre>"))

    def paragraph(self, lines: list[Slice], block: tuple[str, str]) -> None:
        """The lines of a paragraph, between the tags of `block`; notes at its start are a comment."""
        notes = self._notes(lines)
        if notes:
            hidden = ((start, end, "text") for start, end in lines[:notes])
            self.made += ((0, 0, "<!-- "), *hidden, (0, 0, " -->"))
        if notes < len(lines):
            self.inline(block[0], lines[notes:], block[1])

    def row(self, start: int, end: int) -> None:
        """A line of a table, cell by cell."""
        for bar in _CELL.finditer(self.text, start, end):
            self.inline(CELL, [(start, bar.start())], "</td></tr></table>")
            self.made.append((*bar.span(), "text"))
            start = bar.end()
        self.inline(CELL, [(start, end)], "</td></tr></table>")

    def inline(self, opening: str, lines: Sequence[Slice], closing: str) -> None:
        """The text of a block, raw HTML in it, between two tags."""
        self.tag(opening)
        self.made += _inline(self.text, lines)
        self.tag(closing)

    def _notes(self, lines: list[Slice]) -> int:
        """How many lines at the start of a paragraph are notes that nobody sees."""
        if not lines or self.text[lines[0][0]] != "[":
            return 0
        joined, at = "\n".join(self.text[start:end] for start, end in lines), 0
        while note := NOTE.match(joined, at):
            at = note.end() + 1
        return joined.count("\n", 0, at) + (at > len(joined))


def cells(text: str, start: int, end: int) -> int:
    """How many cells a line of a table has."""
    row = text[start:end].strip(" \t")
    return len(_CELL.findall(row.removeprefix("|"))) + (not row.endswith("|") or row.endswith("\\|"))


def _inline(text: str, lines: Sequence[Slice]) -> Iterator[Piece]:
    """The pieces of a block's text; raw HTML may reach over the ends of its lines."""
    joined = "\n".join(text[start:end] for start, end in lines)
    cuts = [edge for found in inline_html(joined) for edge in found] if "<" in joined else []
    place, kind, before = 0, "text", 0
    for start, end in lines:
        at = start
        while place < len(cuts) and (edge := cuts[place] - before + start) <= end:
            yield at, edge, kind
            at, place = edge, place + 1
            kind = "html" if place % 2 else "text"
        yield at, end, kind
        yield 0, 0, "\n"
        before += end - start + 1
