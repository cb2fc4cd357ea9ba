"""The blocks of a Markdown text as far as they tell what of it is raw HTML (CommonMark 0.31, section 4). Pure, linear.

Inside the containers of GitHub's dialect, tables are known too, for a cell ends what is open in it.
"""

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from webseam.content.inline_html import TAG
from webseam.content.markdown_line import CODE_INDENT, Line
from webseam.content.markdown_pieces import Piece, Pieces, Slice, cells
from webseam.core.limits import MARKDOWN_DEPTH

_FENCE: Final = re.compile(r"(`{3,})[^`\n]*+(?=\n|\Z)|(~{3,})")
_HEADING: Final = re.compile(r"#{1,6}(?=[ \t\n]|\Z)")
_RULE: Final = re.compile(r"(?:(?:\*[ \t]*+){3,}+|(?:-[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)(?=\n|\Z)")
_UNDERLINE: Final = re.compile(r"(?:=+|-+)[ \t]*(?=\n|\Z)")
_MARKER: Final = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?=[ \t\n]|\Z)")
_TABLE_RULE: Final = re.compile(r"[|:\- \t]*+")
_BLOCK_TAGS: Final = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu"
    "|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr"
    "|track|ul"
)
_HTML: Final = tuple(  # section 4.6: how the kinds 1 to 5 begin and end
    (re.compile(start, re.IGNORECASE), re.compile(end, re.IGNORECASE))
    for start, end in (
        (r"<(?:pre|script|style|textarea)(?=[ \t>\n]|\Z)", r"</(?:pre|script|style|textarea)>"),
        (r"<!--", r"-->"),
        (r"<\?", r"\?>"),
        (r"<!\[CDATA\[", r"\]\]>"),
        (r"<![a-z]", r">"),
    )
)
_BLOCK: Final = re.compile(rf"</?(?:{_BLOCK_TAGS})(?=[ \t\n]|/?>|\Z)", re.IGNORECASE)
_LONE_TAG: Final = re.compile(rf"(?!<(?:pre|script|style|textarea)\b)(?:{TAG})[ \t]*+(?=\n|\Z)", re.IGNORECASE)

_QUOTE: Final = 0
"""A container that is a block quote; any other is a list item, told by the columns that its content is set in."""


def pieces(text: str) -> list[Piece]:
    """What a renderer puts out for `text`, in order: each character is in one piece but for the marks of containers.

    A piece of `html` goes out as it stands, one of `text` as its characters; tags that are not in the text have no
    length. `text` has LF line ends.
    """
    reader = _Reader(text, Pieces(text))
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if not reader.takes(start, end):
            reader.read(Line(text, start, end))
        start = end + 1
    reader.close(0)
    return reader.out.made


@dataclass(slots=True)
class _Reader:
    """Reads line by line.

    `closing` are the tags that end the open containers. `leaf` is the open block, `ends` what closes it. `lines` are
    those of an open paragraph, of which the last may head a table, or the one at `header` does.
    """

    text: str
    out: Pieces
    containers: list[int] = field(default_factory=list)
    leaf: Literal["html", "fence"] | None = None
    ends: re.Pattern[str] | None = None
    closing: list[str] = field(default_factory=list)
    lines: list[Slice] = field(default_factory=list)
    can_head: bool = False
    header: int | None = None

    @property
    def is_paragraph(self) -> bool:
        """Whether a paragraph is open, and no table, which more kinds of blocks end."""
        return bool(self.lines) and self.header is None

    def takes(self, start: int, end: int) -> bool:
        """Take a line that is plain to see: outside of containers a blank one, code, or text that begins no block."""
        if self.containers:
            return False
        if self.leaf == "fence":
            if self.text[start : start + 4].lstrip(" ")[:1] in ("`", "~"):
                return False
            self.out.plain(start, end)
            return True
        if self.leaf or self.header is not None or self.can_head or not self.text[start:end][:1].isalpha():
            return False
        self.lines.append((start, end))
        self.can_head = True
        return True

    def read(self, line: Line) -> None:
        """One line, without its end."""
        matched = self._matched(line)
        if self.leaf and matched == len(self.containers) and self._goes_on(line):
            return
        if line.first == line.end:
            self.close(matched)
            return
        depth = self._opened(line, matched)
        if depth is None:
            return
        is_lazy = depth < len(self.containers)
        if self.is_paragraph or (self.lines and not is_lazy and line.indent() < CODE_INDENT):
            self._add(line, is_lazy=is_lazy)
            return
        self.close(depth)
        if line.indent() >= CODE_INDENT:
            self.out.code(line.at, line.end)
        elif line.first < line.end:
            self._add(line, is_lazy=False)

    def close(self, depth: int) -> None:
        """Close the open block, and the containers deeper than `depth`."""
        if self.lines:
            self._put_lines()
        self.leaf = None
        while len(self.containers) > depth:
            self.containers.pop()
            self.out.tag(self.closing.pop())

    def _matched(self, line: Line) -> int:
        """How many of the open containers this line goes on in; their marks are passed."""
        for depth, container in enumerate(self.containers):
            first = line.first
            if container == _QUOTE:
                if line.indent() >= CODE_INDENT or self.text[first : min(first + 1, line.end)] != ">":
                    return depth
                line.pass_mark(first + 1)
                line.skip(1)
            elif first < line.end:
                if line.indent() < container:
                    return depth
                line.skip(container)
        return len(self.containers)

    def _goes_on(self, line: Line) -> bool:
        """Whether a line belongs to the open code or HTML, of which it may be the last."""
        if self.leaf == "fence":
            self.out.code(line.at, line.end)
            closes = line.indent() < CODE_INDENT and self.ends and self.ends.match(self.text, line.first, line.end)
            self.leaf = None if closes else "fence"
            return True
        if self.ends is None and line.first == line.end:
            return False
        self._put_html(line.at, line.end, self.ends)
        return True

    def _opened(self, line: Line, depth: int) -> int | None:
        """The depth of the containers that hold the line, new ones opened; None when another block has taken it."""
        while line.indent() < CODE_INDENT and line.first < line.end:
            first = line.first
            if self._leaf_begins(line, first, depth):
                return None
            marker = self._marker(line, first, depth)
            if len(self.containers[:depth]) >= MARKDOWN_DEPTH or (marker is None and self.text[first] != ">"):
                break
            self.close(depth)
            if marker is None:
                line.pass_mark(first + 1)
                line.skip(1)
                self._open("<blockquote>", "</blockquote>", _QUOTE)
            else:
                self._open_item(line, marker)
            depth += 1
        return depth

    def _marker(self, line: Line, first: int, depth: int) -> re.Match[str] | None:
        """The mark of a list item, where one may stand: few of them end a paragraph."""
        marker = _MARKER.match(self.text, first, line.end)
        if marker is None or not self.is_paragraph or depth < len(self.containers):
            return marker
        is_blank = not self.text[marker.end() : line.end].strip(" \t")
        return None if is_blank or marker[1] not in (None, "1") else marker

    def _open_item(self, line: Line, marker: re.Match[str]) -> None:
        before = line.indent()
        line.pass_mark(marker.end())
        inner = line.indent()
        wide = inner if line.first < line.end and inner <= CODE_INDENT else 1
        line.skip(wide)
        is_first = marker[1] in (None, "1")
        opening, closing = ("<ul><li>", "</li></ul>") if is_first else (f'<ol start="{marker[1]}"><li>', "</li></ol>")
        self._open(opening, closing, before + len(marker[0]) + wide)

    def _open(self, opening: str, closing: str, container: int) -> None:
        self.containers.append(container)
        self.closing.append(closing)
        self.out.tag(opening)

    def _add(self, line: Line, *, is_lazy: bool) -> None:
        """A line of a paragraph or table; one that only goes on lazily heads no table and rules none."""
        if self.header is None and self.can_head and not is_lazy and self._rules(line):
            self.header = len(self.lines) - 1
        self.lines.append((line.first, line.end))
        self.can_head = not is_lazy

    def _rules(self, line: Line) -> bool:
        """Whether a line rules the one before off as the head of a table, with as many cells."""
        if "-" not in self.text[line.first : line.end] or not _TABLE_RULE.fullmatch(self.text, line.first, line.end):
            return False
        return cells(self.text, line.first, line.end) == cells(self.text, *self.lines[-1])

    def _leaf_begins(self, line: Line, first: int, depth: int) -> bool:
        """Whether the line begins another block than a paragraph, which is then read."""
        text, end = self.text, line.end
        mark = text[first]
        if mark == "<":
            return self._html_begins(line, first, depth)
        if mark in "`~" and (fence := _FENCE.match(text, first, end)):
            self.close(depth)
            sign = fence[1] or fence[2]
            self.out.code(line.at, line.end)
            self.leaf, self.ends = "fence", re.compile(rf"{re.escape(sign)}{sign[0]}*+[ \t]*\Z")
            return True
        if mark == "#" and _HEADING.match(text, first, end):
            self.close(depth)
            self.out.inline("<h1>", [(first, end)], "</h1>")
            return True
        is_over = self.is_paragraph and depth == len(self.containers)
        if is_over and _UNDERLINE.match(text, first, end):
            self._put_lines(("<h1>", "</h1>"))
            self.out.code(line.at, line.end)
            return True
        if _RULE.match(text, first, end):
            self.close(depth)
            self.out.code(line.at, line.end)
            return True
        return False

    def _html_begins(self, line: Line, first: int, depth: int) -> bool:
        text, end = self.text, line.end
        ends = next((ends for starts, ends in _HTML if starts.match(text, first, end)), None)
        lone = not self.is_paragraph and _LONE_TAG.match(text, first, end)
        if ends is None and not lone and not _BLOCK.match(text, first, end):
            return False
        self.close(depth)
        self.leaf = "html"
        self._put_html(first, end, ends)
        return True

    # What goes out ------------------------------------------------------------------------------------

    def _put_html(self, start: int, end: int, ends: re.Pattern[str] | None) -> None:
        self.out.html(start, end)
        self.ends = ends
        if ends is not None and ends.search(self.text, start, end):
            self.leaf = None

    def _put_lines(self, block: tuple[str, str] = ("<p>", "</p>")) -> None:
        """The text of a paragraph, and of a table that its last lines may be."""
        lines, head = self.lines, len(self.lines) if self.header is None else self.header
        self.lines, self.header, self.can_head = [], None, False
        self.out.paragraph(lines[:head], block)
        for line in lines[head:]:
            self.out.row(*line)
