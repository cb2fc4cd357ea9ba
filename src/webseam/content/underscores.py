"""Text of finished Markdown that would turn into markup: underscores, rules of them, tags behind a bare URL. Pure.

The renderer escapes every underscore or none. Text that is searched for (`my_var_name`) must not hold a backslash.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from webseam.content.emphasis import code_blocks, code_spans

_OPENER: Final = re.compile(r"(?<![\w\\])_+(?=[^\s_])")
_CLOSER: Final = re.compile(r"(?<=[^\s_])_+(?!\w)")
_CONTAINERS: Final = " >-+*.)0123456789"
_RULE: Final = frozenset("_ \t")
_RULE_SIGNS: Final = 3  # CommonMark section 4.1
_TAG: Final = "\\<"
_BARE_URL: Final = re.compile(r"(?:://|www\.)\S*")
_TARGET: Final = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*|<?https?://[^\s>]*")


def without_accidental_emphasis(text: str) -> str:
    """`text` with a backslash before each underscore that would open emphasis; code and URLs are left alone."""
    at = text.find("_")
    while at > 0 and text[at - 1].isalnum():
        at = text.find("_", at + 1)
    return text if at < 0 else _edited(text, "_", _escaped_line)


def without_linked_tags(text: str) -> str:
    """`text` with `&lt;` for an escaped `<` in a bare URL: links end there, and would take the backslash along.

    GFM section 6.9: what stands behind it would be HTML.
    """
    return _edited(text, _TAG, _unlinked_line) if _TAG in text else text


def _edited(text: str, sign: str, edit: Callable[[str], str]) -> str:
    """`text` with each line edited that holds the sign outside of code blocks."""
    kept: list[str] = []
    done = 0
    for start, end in lines_with(text, sign):
        kept += (text[done:start], edit(text[start:end]))
        done = end
    return "".join((*kept, text[done:]))


def lines_with(text: str, sign: str) -> Iterator[tuple[int, int]]:
    """Start and end of each line that holds the sign outside of code blocks."""
    blocks = list(code_blocks(text))
    at = 0
    while (at := text.find(sign, at)) >= 0:
        while blocks and blocks[0][1] <= at:
            blocks.pop(0)
        if blocks and blocks[0][0] <= at:
            at = blocks[0][1]
            continue
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text.rfind("\n", 0, at) + 1, end
        at = end


def _escaped_line(line: str) -> str:
    """One pass each over the openers and what is to stay: a line may hold as many as a page has characters."""
    if line.count("_") >= _RULE_SIGNS and set(line.lstrip(_CONTAINERS)) <= _RULE:
        return line.replace("_", "\\_", 1)
    first = _OPENER.search(line)
    if first is None or _CLOSER.search(line, first.end()) is None:
        return line
    literal = sorted([*code_spans(line), *(target.span() for target in _TARGET.finditer(line))])
    kept: list[str] = []
    done = place = end = 0
    for found in _OPENER.finditer(line):
        while place < len(literal) and literal[place][0] <= found.start():
            end = max(end, literal[place][1])
            place += 1
        if found.start() >= end:
            kept += (line[done : found.start()], "\\_" * len(found[0]))
            done = found.end()
    return "".join((*kept, line[done:]))


def _unlinked_line(line: str) -> str:
    spans = list(code_spans(line)) if "`" in line else []

    def edit(url: re.Match[str]) -> str:
        is_code = any(start <= url.start() < end for start, end in spans)
        return url[0] if is_code else url[0].replace(_TAG, "&lt;")

    return _BARE_URL.sub(edit, line)
