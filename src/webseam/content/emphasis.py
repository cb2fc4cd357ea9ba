"""HTML emphasis tags made Markdown: the renderer writes them all over a page with one ambiguous place. Pure."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

_TAG: Final = re.compile(
    r"</?(strong|em|del|s|code|br)>"
)  # no look-behind: it would cost the search its quick first character
_MARKS: Final = {"strong": "**", "em": "*", "del": "~~", "s": "~~"}
_TICKS: Final = re.compile(r"`+")
_BEFORE_FENCE: Final = re.compile(r"[ >]*(?:(?:[-*+]|\d{1,9}[.)]) +[ >]*)*")
_FENCE: Final = "```"  # the renderer's only fence, made longer where the code holds one
_DELIMITERS: Final = ("*", "~", "<", ">")
_TICK_RUNS: Final = 400  # runs of back-ticks paired on one line; behind them nothing counts as code


def without_raw_emphasis(text: str) -> str:
    """`text` with `**`, `*` and `~~` for `<strong>`, `<em>` and `<del>`, or nothing where these would be ambiguous.

    Other tags that the renderer falls back to are taken out. Code blocks and code spans
    keep what looks like tags.
    """
    blocks = list(_code_blocks(text))
    kept: list[str] = []
    at = done = 0
    while (found := _TAG.search(text, at)) is not None:
        while blocks and blocks[0][1] <= found.start():
            blocks.pop(0)
        if blocks and blocks[0][0] <= found.start():
            at = blocks[0][1]
            continue
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        at = len(text) if end < 0 else end
        kept += (text[done:start], _plain_line(text[start:at]))
        done = at
    return "".join((*kept, text[done:]))


def _plain_line(line: str) -> str:
    spans = list(_code_spans(line)) if "`" in line else []
    tags = [tag for tag in _TAG.finditer(line) if not _is_literal(line, tag.start(), spans)]
    marked = {at for pair in _pairs(tags) if _is_clear(line, *pair) for at in (pair[0].start(), pair[1].start())}
    kept: list[str] = []
    done = 0
    for tag in tags:
        kept += (line[done : tag.start()], _MARKS.get(tag[1], "") if tag.start() in marked else "")
        done = tag.end()
    return "".join((*kept, line[done:]))


def _is_literal(line: str, at: int, spans: list[tuple[int, int]]) -> bool:
    """Whether the tag at `at` is escaped, or stands in code."""
    return (at > 0 and line[at - 1] == "\\") or any(start <= at < end for start, end in spans)


def _pairs(tags: list[re.Match[str]]) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Opening tags with their closing ones."""
    opened: list[re.Match[str]] = []
    for tag in tags:
        if not tag[0].startswith("</"):
            opened.append(tag)
        elif opened and opened[-1][1] == tag[1]:
            yield opened.pop(), tag


def _is_clear(line: str, opening: re.Match[str], closing: re.Match[str]) -> bool:
    """Whether delimiter runs in these places open and close emphasis (CommonMark section 6.2, flanking)."""
    before, first = line[opening.start() - 1 : opening.start()], line[opening.end() : opening.end() + 1]
    last, after = line[closing.start() - 1 : closing.start()], line[closing.end() : closing.end() + 1]
    return _flanks(before, first) and _flanks(after, last)


def _flanks(outer: str, inner: str) -> bool:
    if inner.isspace() or inner in _DELIMITERS or outer in _DELIMITERS:
        return False
    return inner.isalnum() or not outer.isalnum()


def _code_spans(line: str) -> Iterator[tuple[int, int]]:
    """Code spans: from a run of back-ticks to the next run of the same length (CommonMark section 6.1)."""
    runs = list(islice(_TICKS.finditer(line), _TICK_RUNS))
    index = 0
    while index < len(runs):
        run = runs[index]
        escaped = run.start() > 0 and line[run.start() - 1] == "\\"
        partner = next((at for at in range(index + 1, len(runs)) if runs[at][0] == run[0]), None)
        if partner is not None and not escaped:
            yield run.start(), runs[partner].end()
            index = partner
        index += 1


def _code_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each fenced block; one that never closes runs to the end."""
    start, fence, at = 0, "", 0
    while (at := text.find(_FENCE, at)) >= 0:
        end = at + len(_FENCE)
        while text[end : end + 1] == "`":
            end += 1
        if _BEFORE_FENCE.fullmatch(text, text.rfind("\n", 0, at) + 1, at):
            if not fence:
                start, fence = at, text[at:end]
            elif end - at >= len(fence):
                yield start, end
                fence = ""
        at = end
    if fence:
        yield start, len(text)
