"""A line of Markdown and how far it has been read: white space counts in columns (CommonMark 0.31, 2.2). Pure."""

import re
from typing import Final

CODE_INDENT: Final = 4
"""Columns of white space that make code of a line; as wide as a tab stop."""

_SPACE: Final = re.compile(r"[ \t]*")


class Line:
    """The rest of a line from `at` on, which is its column `column`, behind `extra` columns of a tab read in part.

    `first` is where the first character stands that is no white space; the end of the line where there is none.
    """

    __slots__ = ("at", "column", "end", "extra", "first", "text")

    def __init__(self, text: str, at: int, end: int) -> None:
        self.text, self.at, self.end = text, at, end
        self.column = self.extra = 0
        self.first = self._first()

    def _first(self) -> int:
        found = _SPACE.match(self.text, self.at, self.end)
        return found.end() if found else self.at

    def indent(self) -> int:
        """Columns of white space before `first`."""
        if self.text.find("\t", self.at, self.first) < 0:
            return self.extra + self.first - self.at
        space, before = self.text[self.at : self.first], self.column % CODE_INDENT
        return self.extra + len((" " * before + space).expandtabs(CODE_INDENT)) - before

    def skip(self, columns: int) -> None:
        """Leave at most so many columns of white space behind."""
        while columns > 0:
            if self.extra:
                self.extra -= 1
                columns -= 1
            elif self.text[self.at : min(self.at + 1, self.end)] in (" ", "\t"):
                self.extra = 1 if self.text[self.at] == " " else CODE_INDENT - self.column % CODE_INDENT
                self.column += self.extra
                self.at += 1
            else:
                return

    def pass_mark(self, end: int) -> None:
        """Go on behind a container's mark, which ends at `end`."""
        self.column += self.indent() - self.extra + end - self.first
        self.at, self.extra = end, 0
        self.first = self._first()
