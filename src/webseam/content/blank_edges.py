"""White space at the edges of blocks, which the renderer keeps as `&#160;`, `&#12288;` and the like. Pure.

Nobody sees it in the page, and nobody who reads or searches Markdown wants to see it there.
"""

import re
from collections.abc import Iterator
from typing import Final

from webseam.content.underscores import lines_with

_SIGN: Final = "&#"
_BLANK: Final = r"(?<!\\)&#(?:160|5760|819[2-9]|820[0-2]|823[29]|8233|8287|12288|65279);"
# No possessive groups: Python 3.11.4 and older give wrong answers where one holds a choice (cpython issue 106052).
# Each part begins with characters of its own, so that giving back finds nothing new and time stays linear.
_BLANKS: Final = rf"(?:{_BLANK}|[^\S\n]|\ufeff)*"
_BEFORE: Final = r"([ >]*(?:(?:[-*+]|\d{1,9}[.)]) [ >]*)*(?:#{1,6} )?)"
_START: Final = re.compile(f"{_BEFORE}{_BLANK}{_BLANKS}")
_ONE: Final = re.compile(_BLANK)
_CELL: Final = re.compile(rf"(?<=\| ){_BLANK}(?= \|)")
_MARKUP: Final = re.compile(r"[-#>+=:|]|\d{1,9}[.)]|\Z")  # would begin a block (CommonMark sections 4 and 5)
_GOES_ON: Final = re.compile(r"[-+>|]|\*(?= )|\d{1,9}[.)]")  # a block that would be one with the same kind before it
_SPACE: Final = "\u00a0"
_GAP: Final = "\n\n"
_BREAK: Final = "  "
_LONGEST: Final = len("&#65279;")
_NEAR: Final = 64  # characters looked at for blanks before an entity
_LOOKED_AT: Final = 200  # ampersands, each found faster than the two signs together are in a page without any


def without_blank_edges(text: str) -> str:
    """`text` without white space at the start and end of a block's lines, code aside; paragraphs of nothing else go.

    A no-break space stays where something else would become markup without it, or two blocks one.
    """
    return "".join(_pieces(text)) if _holds_sign(text) else text


def _holds_sign(text: str) -> bool:
    at = -1
    for _ in range(_LOOKED_AT):
        at = text.find("&", at + 1)
        if at < 0 or text.startswith(_SIGN, at):
            return at >= 0
    return _SIGN in text[at:]


def _pieces(text: str) -> Iterator[str]:
    done = 0
    for start, end in lines_with(text, _SIGN):
        line = _SPACE if _ONE.fullmatch(text, start, end) else _mended(text[start:end])
        after = end + len(_GAP)
        if line == _SPACE and _stands_alone(text, start, end) and not _GOES_ON.match(text, after):
            yield text[done:start] if end < len(text) else text[done:start].removesuffix(_GAP)
            done = min(after, len(text))
        else:
            yield text[done:start]
            yield line
            done = end
    yield text[done:]


def _stands_alone(text: str, start: int, end: int) -> bool:
    return (start == 0 or text.startswith(_GAP, start - 2)) and (end == len(text) or text.startswith(_GAP, end))


def _mended(line: str) -> str:
    line, stop = (line[:-2], line[-2:]) if line.endswith(_BREAK) else (line, "")
    found = _START.match(line)
    if found is not None:
        kept = _SPACE if _MARKUP.match(line, found.end()) else ""
        line = f"{found[1]}{kept}{line[found.end() :]}"
    return _CELL.sub(_SPACE, line[: _end(line)]) + stop


def _end(line: str) -> int:
    """Where what is no blank ends, when a blank written as an entity stands behind it."""
    end = len(line)
    while line.endswith(";", 0, end):
        start = line.rfind(_SIGN, max(0, end - _LONGEST), end)
        if start < 0 or not _ONE.fullmatch(line, start, end):
            break
        end = len(line[max(0, start - _NEAR) : start].rstrip()) + max(0, start - _NEAR)
    return end
