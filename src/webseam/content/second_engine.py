"""Main content by trafilatura, the optional second engine: what it picks of a page, as HTML for the ordinary path.

It is handed the page as readers see it, hidden parts gone and links absolute, and gives back its own tree. That is
written as HTML here: its own writer makes a block of every piece of code in a line, and bullets of numbered lists.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, Final

from webseam.core.limits import MAIN_HTML_CHARS, MAIN_LEAST_CHARS

MAIN_INSTALL: Final = 'pip install "webseam[main]"'

_TAGS: Final[Mapping[str, str]] = MappingProxyType(
    {"p": "p", "quote": "blockquote", "table": "table", "row": "tr", "del": "del", "div": "div", "lb": "br"}
)
_MARKS: Final[Mapping[str, str]] = MappingProxyType(
    {"#b": "strong", "#i": "em", "#u": "u", "#t": "code", "#sub": "sub", "#sup": "sup"}
)
_LISTS: Final = ("ul", "ol", "dl")
_LEVELS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_RUNNING: Final = ("p", "head", "hi", "ref", "cell", "item", "del", "span")  # code in one of these stands in a line
_VOID: Final = ("br", "img")


@dataclass(frozen=True, slots=True)
class Picked:
    """HTML of the main content of a page, and the characters of its text, white space left out."""

    html: str
    characters: int


def is_installed() -> bool:
    """Whether the second engine can be used."""
    return find_spec("trafilatura") is not None


def picked(html: str) -> Picked | None:
    """What trafilatura takes for the main content of `html`; None where it finds none, or next to nothing.

    None too for more than 500,000 characters of HTML.

    Raises:
        ImportError: it is not installed.
    """
    if len(html) > MAIN_HTML_CHARS:
        return None
    from trafilatura import bare_extraction  # noqa: PLC0415 - an extra, and 0.5 s to import

    try:
        found: Any = bare_extraction(
            html, fast=True, include_comments=False, include_links=True, include_formatting=True
        )
    except (ValueError, RecursionError):  # it looks at trees of any depth by recursion
        return None
    body = None if found is None else found.body
    if body is None:
        return None
    characters = sum(len("".join(text.split())) for text in body.itertext("*"))
    return Picked("".join(_written(body)), characters) if characters >= MAIN_LEAST_CHARS else None


def _written(body: Any) -> Iterator[str]:
    """The parts of an element as HTML, to any depth."""
    yield escape(body.text or "", quote=False)
    waiting: list[tuple[Iterator[Any], str]] = [(iter(body), "")]
    while waiting:
        part = next(waiting[-1][0], None)
        if part is None:
            yield waiting.pop()[1]
            continue
        if not isinstance(part.tag, str):  # a comment, which nobody reads
            yield escape(part.tail or "", quote=False)
            continue
        opening, closing = _tags(part)
        yield opening + escape(part.text or "", quote=False)
        waiting.append((iter(part), closing + escape(part.tail or "", quote=False)))


def _tags(part: Any) -> tuple[str, str]:
    """What opens and closes an element."""
    name, attributes = _named(part)
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{written}>", "" if name in _VOID else f"</{name}>"


def _named(part: Any) -> tuple[str, dict[str, str]]:
    """Tag and attributes in HTML of what trafilatura calls otherwise (after TEI)."""
    if part.tag == "ref":
        return "a", {"href": part.get("target") or ""}
    if part.tag == "graphic":
        return "img", {"src": part.get("src") or "", "alt": part.get("alt") or ""}
    return _tag(part, part.get("rend") or ""), {}


def _tag(part: Any, kind: str) -> str:
    match part.tag:
        case "head":
            return kind if kind in _LEVELS else "h3"
        case "hi":
            return _MARKS.get(kind, "em")
        case "list":
            return kind if kind in _LISTS else "ul"
        case "item":
            return kind[:2] if kind[:3] in ("dt-", "dd-") else "li"
        case "cell":
            return "th" if part.get("role") == "head" else "td"
        case "code":
            return _code(part)
        case _:
            return _TAGS.get(str(part.tag), "span")


def _code(part: Any) -> str:
    """A block of code, code in a line, or nothing of its own: `<pre><code>` is code in code there."""
    around = part.getparent().tag
    if around == "code":
        return "span"
    return "code" if around in _RUNNING and "\n" not in (part.text or "").strip("\n") else "pre"
