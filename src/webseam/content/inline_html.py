"""Raw HTML within the text of one Markdown block (CommonMark 0.31, section 6.6). Pure, linear."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

# No possessive groups: Python 3.11.4 and older give wrong answers where one holds a choice (cpython issue 106052).
_NAME: Final = r"[A-Za-z][A-Za-z0-9-]*+"
_ATTRIBUTE: Final = r"""[ \t]*+\n?+[ \t]*+(?<=[ \t\n])[A-Za-z_:][A-Za-z0-9_.:-]*+"""
_VALUE: Final = r"""[ \t]*+\n?+[ \t]*+=[ \t]*+\n?+[ \t]*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+")"""
TAG: Final = rf"<(?:{_NAME}(?:{_ATTRIBUTE}(?:{_VALUE})?)*[ \t]*+\n?+[ \t]*+/?>|/{_NAME}[ \t]*+\n?+[ \t]*+>)"

_SIGN: Final = re.compile(r"[\\`<]|\](?=\()")
_TICKS: Final = re.compile(r"`+")
_TAG: Final = re.compile(TAG)
_AUTOLINK: Final = re.compile(r"<[A-Za-z][A-Za-z0-9.+-]{1,31}:[^\x00-\x20<>]*+>")
_POINTED: Final = re.compile(  # of a link whose target stands in pointed brackets, which make no tag of it
    r"""\]\([ \t]*+\n?+[ \t]*+<(?:[^<>\n\\]|\\.)*>(?:[ \t\n]++(?:"[^"]*+"|'[^']*+'))?[ \t]*+\n?+[ \t]*+\)"""
)
_ENDS: Final = (("<!-->", ""), ("<!--->", ""), ("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">"))


def inline_html(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each tag, comment, instruction, declaration and CDATA section of a block's text, in order.

    What stands in spans of code, behind a backslash, in autolinks or as the target of a link is text.
    """
    spans, missing, at = _Spans(text), set[str](), 0
    last = text.rfind("<") + 1
    while (found := _SIGN.search(text, at, last)) is not None:
        start, sign = found.start(), found[0]
        at = start + 1
        if sign == "\\":
            at += 1
        elif sign == "`":
            at = spans.end(start)
        elif sign == "]":
            link = _POINTED.match(text, start) if text.rfind("[", 0, start) >= 0 else None
            at = link.end() if link else at
        elif autolink := _AUTOLINK.match(text, start):
            at = autolink.end()
        elif end := _html_end(text, start, missing):
            yield start, end
            at = end


def _html_end(text: str, start: int, missing: set[str]) -> int | None:
    """Where raw HTML that begins at `start` ends; `missing` are ends that no longer come in this text."""
    if text[start + 1 : start + 2] not in ("!", "?"):
        tag = _TAG.match(text, start)
        return tag.end() if tag else None
    opening, closing = next((one for one in _ENDS if text.startswith(one[0], start)), ("", ""))
    after = start + len(opening)
    if not closing:
        return after
    if closing in missing or (opening == "<!" and not text[after : after + 1].isalpha()):
        return None
    end = text.find(closing, after)
    if end < 0:
        missing.add(closing)
        return None
    return end + len(closing)


class _Spans:
    """Spans of code by where they open: a run of backticks closes the nearest one of its length before it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._runs: dict[int, list[int]] = defaultdict(list)
        for run in _TICKS.finditer(text):
            self._runs[len(run[0])].append(run.start())

    def end(self, start: int) -> int:
        """Where the span ends that opens at `start`; where its backticks end when nothing closes it."""
        run = _TICKS.match(self._text, start)
        length = len(run[0]) if run else 1
        starts = self._runs.get(length, [])
        place = bisect_left(starts, start + length)
        return (starts[place] if place < len(starts) else start) + length
