"""HTML emphasis tags made Markdown: the renderer writes them all over a page with one ambiguous place. Pure."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

_TAG: Final = re.compile(
    r"</?(strong|em|del|s|code|br)>"
)  # no look-behind: it would cost the search its quick first character
_MARKS: Final = {"strong": "**", "em": "*", "del": "~~", "s": "~~"}
_INK: Final = re.compile(r"\S")
_STRUCK: Final = re.compile(r"~|<(?:del|s)>")
_TICKS: Final = re.compile(r"`+")
_BEFORE_FENCE: Final = re.compile(r"[ >]*(?:(?:[-*+]|\d{1,9}[.)]) +[ >]*)*")
_FENCE: Final = "```"  # the renderer's only fence, made longer where the code holds one
_DELIMITERS: Final = ("*", "~", "<", ">")
_TICK_RUNS: Final = 400  # runs of back-ticks paired on one line; behind them nothing counts as code


def without_raw_emphasis(text: str) -> str:
    """`text` with `**`, `*` and `~~` for `<strong>`, `<em>` and `<del>`, or nothing where these would be ambiguous.

    What is struck out stays so, with spaces around it where need be: it would mean the opposite. Other tags that the
    renderer falls back to are taken out. Code blocks and code spans keep what looks like tags.
    """
    blocks = list(code_blocks(text))
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
    spans = list(code_spans(line)) if "`" in line else []
    tags = [tag for tag in _TAG.finditer(line) if not _is_literal(line, tag.start(), spans)]
    pairs = list(_pairs(tags))
    marked = {at for pair in pairs if _is_clear(line, *pair) for at in (pair[0].start(), pair[1].start())}
    apart = _set_apart(line, [pair for pair in pairs if pair[0].start() not in marked])
    kept: list[str] = []
    done = 0
    last = " "  # character kept so far
    for tag in tags:
        mark = apart.get(tag.start()) or (_MARKS.get(tag[1], "") if tag.start() in marked else "")
        last = line[tag.start() - 1] if tag.start() > done else last
        if tag[1] == "br" and not last.isspace():  # it stood between two words
            mark = last = " "
        closes = tag[0].startswith("</")
        spaces = _spaces_before(line, tag.start()) if mark and closes else 0
        skipped = _spaces_after(line, tag.end()) if mark and not closes else 0
        start, end = tag.start() - spaces, tag.end() + skipped
        kept += (line[done:start], line[tag.end() : end], mark, line[start : tag.start()])
        done = end
    return "".join((*kept, line[done:]))


def _set_apart(line: str, unclear: list[tuple[re.Match[str], re.Match[str]]]) -> dict[int, str]:
    """Marks with spaces around them for what is struck out, by the place of the tag; none within one another."""
    found: dict[int, str] = {}
    for opening, closing in unclear:
        start, end = opening.start(), closing.end()
        within = opening.end(), closing.start()
        if _MARKS.get(opening[1]) == "~~" and _INK.search(line, *within) and not _STRUCK.search(line, *within):
            found[start] = "~~" if line[max(start - 1, 0) : start].strip() == "" else " ~~"
            found[closing.start()] = "~~" if line[end : end + 1].strip() == "" else "~~ "
    return found


def _spaces_before(line: str, at: int) -> int:
    start = at
    while start and line[start - 1].isspace():
        start -= 1
    return at - start


def _spaces_after(line: str, at: int) -> int:
    end = at
    while end < len(line) and line[end].isspace():
        end += 1
    return end - at


def _is_literal(line: str, at: int, spans: list[tuple[int, int]]) -> bool:
    """Whether the tag at `at` is escaped, or stands in code."""
    first = at
    while first and line[first - 1] == "\\":
        first -= 1
    return (at - first) % 2 == 1 or any(start <= at < end for start, end in spans)


def _pairs(tags: list[re.Match[str]]) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Opening tags with their closing ones."""
    opened: list[re.Match[str]] = []
    for tag in tags:
        if not tag[0].startswith("</"):
            opened.append(tag)
        elif opened and opened[-1][1] == tag[1]:
            yield opened.pop(), tag


def _is_clear(line: str, opening: re.Match[str], closing: re.Match[str]) -> bool:
    """Whether delimiter runs in these places open and close emphasis (CommonMark section 6.2, flanking).

    Spaces just within the tags count as outside of them: that is where they will stand.
    """
    start = opening.end() + _spaces_after(line, opening.end())
    end = closing.start() - _spaces_before(line, closing.start())
    if start >= end:
        return False
    before = " " if start > opening.end() else line[opening.start() - 1 : opening.start()]
    after = " " if end < closing.start() else line[closing.end() : closing.end() + 1]
    return _flanks(before, line[start]) and _flanks(after, line[end - 1])


def _flanks(outer: str, inner: str) -> bool:
    if inner.isspace() or inner in _DELIMITERS or outer in _DELIMITERS:
        return False
    return inner.isalnum() or not outer.isalnum()


def code_spans(line: str) -> Iterator[tuple[int, int]]:
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


def code_blocks(text: str) -> Iterator[tuple[int, int]]:
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
