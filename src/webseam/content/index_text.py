"""What an index keeps of a page: the words a reader sees, and the page's own title. Pure; linear in the text."""

import html as entities
import re
from collections.abc import Iterator
from typing import Final

from webseam.content.hidden_html import without_hidden
from webseam.core.limits import HIDDEN_INDEX_CHARS

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_LINE_END: Final = re.compile(r"\r\n?")
_HEADING: Final = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$")
_TOP_HEADING: Final = re.compile(r" {0,3}#[ \t]")
_RULE: Final = re.compile(r"[ \t]*(?:[-=*_|:+][ \t]*)+$")  # rules, underlines of headings, separators of tables
_DEFINITION: Final = re.compile(r" {0,3}\[[^\[\]]+\]:[ \t]*\S")
_LEAD: Final = re.compile(r"(?:[ \t]*(?:>|[-*+](?=[ \t])))+[ \t]*")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]*>|<!--|-->")
_ADDRESS: Final = re.compile(r"<([a-z]+:[^<>\s]+)>")
_LINK: Final = re.compile(
    r"""(?<!\\)!?\[([^\[\]]*)\](?:\((?:[^()\s]|\([^()\s]*\))*(?:[ \t]+(?:"[^"]*"|'[^']*'))?\)|\[[^\[\]]*\])"""
)
_MARKS: Final = re.compile(r"(?<![\\\s])[*`~]+|(?<!\\)[*`~]+(?!\s|$)|(?<![^\W_])(?<!\\)_+(?=\w)|(?<=\w)_+(?![^\W_])")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK_DEPTH: Final = 2  # a picture inside a link
_FRONT_MATTER: Final = re.compile(
    r"\ufeff?---[ \t]*\r?\n((?:(?!---[ \t]*\r?$).*\n){0,200})---[ \t]*\r?(?:\n|\Z)", re.MULTILINE
)
_YAML_TITLE: Final = re.compile(r"^title[ \t]*:[ \t]*([\"']?)(.*?)\1[ \t\r]*$", re.MULTILINE)


def markdown_to_plain(markdown: str) -> str:
    """The words of `markdown` that a reader sees, line by line; code is kept as it stands.

    Fences, link targets and what stands in comments and hidden elements are not kept; in a text of more than 1,000,000
    characters the last of these is, for looking it through could take too long.
    """
    text = _LINE_END.sub("\n", markdown)
    seen = without_hidden(text).text if len(text) <= HIDDEN_INDEX_CHARS else text
    lines = [line if is_code else _plain(line) for line, is_code in _lines(seen)]
    return "\n".join(lines).strip()


def markdown_title(markdown: str) -> str | None:
    """The first heading of the first level; None when there is none (a title is never invented)."""
    for line, is_code in _lines(markdown):
        heading = None if is_code or not _TOP_HEADING.match(line) else _HEADING.match(line)
        if heading is not None and (title := _inline(heading[1]).strip()):
            return title
    return None


def html_title(html: str) -> str | None:
    """The page's `<title>`, else its first `<h1>`, on one line; None when it has neither."""
    from turbohtml import parse  # noqa: PLC0415 - 90 ms to import, on the first page

    doc = parse(html, positions=False)
    titles = [title for title in doc.select("title") if title.closest("svg") is None]
    for element in (*titles[:1], *doc.select("h1")[:1]):
        if text := " ".join(element.text.split()):
            return text
    return None


def front_matter(markdown: str) -> tuple[str | None, str]:
    """The `title` of a YAML block at the top of a Markdown file, and the file without that block."""
    found = _FRONT_MATTER.match(markdown)
    if found is None:
        return None, markdown
    title = _YAML_TITLE.search(found[1])
    return (title[2].strip() or None) if title else None, markdown[found.end() :]


def _lines(markdown: str) -> Iterator[tuple[str, bool]]:
    """Lines without the fences, and whether each is code (CommonMark 4.5)."""
    fence: str | None = None
    for line in markdown.splitlines():
        found = _FENCE.match(line)
        if fence is None and found:
            fence = found[1]
        elif fence is not None and found and found[1].startswith(fence) and not line.strip(" \t`~"):
            fence = None
        else:
            yield line, fence is not None


def _plain(line: str) -> str:
    if _RULE.match(line) or _DEFINITION.match(line):
        return ""
    heading = _HEADING.match(line)
    if heading is not None:
        return _inline(heading[1])
    lead = _LEAD.match(line)
    rest = line[lead.end() :] if lead else line
    return _inline(rest.strip().strip("|").replace("|", " ") if rest.lstrip().startswith("|") else rest)


def _inline(text: str) -> str:
    text = _ADDRESS.sub(r"\1", text)
    for _ in range(_LINK_DEPTH):
        text = _LINK.sub(r"\1", text)
    text = _TAG.sub(" ", text)
    return entities.unescape(_ESCAPE.sub(r"\1", _MARKS.sub("", text)))
