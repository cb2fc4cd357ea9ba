"""What the `Link` header of a page names: the same page as Markdown, a guide to the site for models. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from webseam.core.limits import URL_CHARS
from webseam.core.text import one_line
from webseam.core.types import Note

_HEADER_CHARS: Final = 16_384  # of a header that may fill 64 kB
_LINK: Final = re.compile(
    r"""<([^<>]{1,2048})>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^\s";,]*))?)*)"""
)  # RFC 8288 section 3
_PARAMETER: Final = re.compile(r""";\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s";,]*))""")
_MARKDOWN: Final = ("text/markdown", "text/x-markdown")


def link_notes(header: str | None) -> Iterator[Note]:
    """The first `markdown_alternate` and the first `llms_txt` of a `Link` header; detail: the target as written."""
    seen: set[str] = set()
    for found in _LINK.finditer(header[:_HEADER_CHARS]) if header else ():
        said = {part[1].lower(): (part[2] or part[3] or "").lower() for part in _PARAMETER.finditer(found[2])}
        code = _code(said.get("rel", "").split(), said.get("type", "").partition(";")[0].strip())
        if code is not None and code not in seen:
            seen.add(code)
            yield Note(code=code, detail=one_line(found[1], limit=URL_CHARS))


def _code(relations: list[str], kind: str) -> str | None:
    if "llms-txt" in relations:
        return "llms_txt"
    return "markdown_alternate" if "alternate" in relations and kind in _MARKDOWN else None
