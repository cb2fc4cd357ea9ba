"""Fidelity cases: HTML converted, the Markdown rendered back by a GFM renderer, and both compared by structure.

What is compared: blocks and their nesting, runs of words with their emphasis and link target, code to the letter with
its language, pictures, list starts and task states, table cells and their alignment. How Markdown spells it is free.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, TypeAlias

import cmarkgfm  # type: ignore[import-untyped]  # it ships none
from turbohtml import Comment, Element, Node, Text, parse

URL: Final = "https://site.test/docs/page.html"
Convert: TypeAlias = Callable[[str, str], str]
"""HTML and the URL of its page to Markdown."""
Block: TypeAlias = tuple[object, ...]
Token: TypeAlias = tuple[object, ...] | str

_MARKS: Final = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "del": "del", "s": "del", "strike": "del"}
_TITLES: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BLOCKS: Final = _TITLES | frozenset(("p", "ul", "ol", "li", "blockquote", "pre", "hr", "table", "div"))
_NO_MARKS: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Case:
    """A page and what its Markdown must mean: any of `wants`, written as HTML; the page itself when there is none."""

    id: str
    html: str
    wants: tuple[str, ...] = ()
    url: str = URL


def case(name: str, html: str, *wants: str, url: str = URL) -> Case:
    """A case; without `wants` the page's own structure is what is wanted."""
    return Case(name, html, wants, url)


def load(package: str = "content.fidelity") -> tuple[Case, ...]:
    """The cases of every module of the suite, in order of modules; ids are unique."""
    home = import_module(package)
    modules = sorted(found.name for found in iter_modules(home.__path__))
    cases = tuple(each for name in modules for each in import_module(f"{package}.{name}").CASES)
    assert len({each.id for each in cases}) == len(cases), "two cases share an id"
    return cases


def wanted(each: Case) -> tuple[tuple[Block, ...], ...]:
    """The structures of which the output must have one."""
    return tuple(structure(html) for html in each.wants or (each.html,))


def rendered(markdown: str) -> str:
    """The HTML that a GFM renderer makes of Markdown; raw HTML in it becomes a comment."""
    return str(cmarkgfm.github_flavored_markdown_to_html(markdown))


def passes(each: Case, convert: Convert) -> bool:
    """Whether the case's Markdown means what it must."""
    return structure(rendered(convert(each.html, each.url))) in wanted(each)


def score(convert: Convert, cases: Iterable[Case] | None = None) -> list[str]:
    """The ids of the cases that a converter passes; one that it fails on with any error does not pass."""
    return [each.id for each in (load() if cases is None else cases) if _safely(each, convert)]


def _safely(each: Case, convert: Convert) -> bool:
    try:
        return passes(each, convert)
    except Exception:  # noqa: BLE001 - other people's converters raise anything; that is a miss
        return False


def structure(html: str) -> tuple[Block, ...]:
    """The normal form of HTML that consists of what Markdown can say."""
    body = parse(html).select_one("body")
    return tuple(_blocks(body)) if body is not None else ()


def _blocks(parent: Element) -> Iterator[Block]:
    """Blocks of a container; inline pieces between them are paragraphs."""
    inline: list[Node] = []
    for node in parent.children:
        if isinstance(node, Element) and node.tag in _BLOCKS:
            yield from _paragraph(inline)
            inline = []
            yield from _block(node)
        else:
            inline.append(node)
    yield from _paragraph(inline)


def _block(element: Element) -> Iterator[Block]:
    if element.tag in _TITLES:
        yield (element.tag, _tokens(element.children))
    elif element.tag in ("p", "div"):
        yield from _blocks(element)
    elif element.tag in ("ul", "ol"):
        start = int(element.attr("start") or 1) if element.tag == "ol" else None
        yield (element.tag, start, tuple(tuple(_blocks(item)) for item in element.select(":scope>li")))
    elif element.tag == "pre":
        yield ("pre", _language(element), element.text.strip("\n"))
    elif element.tag == "table":
        yield _table(element)
    elif element.tag == "hr":
        yield ("hr",)
    else:
        yield (element.tag, tuple(_blocks(element)))


def _paragraph(nodes: list[Node]) -> Iterator[Block]:
    tokens = _tokens(nodes)
    if tokens:
        yield ("p", tokens)


def _language(pre: Element) -> str:
    code = pre.select_one("code")
    names = (code.attr("class") or "" if code is not None else "").split()
    named = next((name.removeprefix("language-") for name in names if name.startswith("language-")), "")
    return (pre.attr("lang") or named).lower()


def _table(table: Element) -> Block:
    rows = table.select("tr")
    aligned = tuple(cell.attr("align") or "" for cell in rows[0].select("th,td")) if rows else ()
    cells = tuple(tuple(_tokens(cell.children) for cell in row.select("th,td")) for row in rows)
    return ("table", aligned, cells)


def _tokens(nodes: Iterable[Node]) -> tuple[Token, ...]:
    """Words with what marks them, single spaces between them, breaks, code, pictures and boxes."""
    made: list[Token] = []
    for token in _raw_tokens(nodes, _NO_MARKS):
        last = made[-1] if made else " "
        if token == " " and last in (" ", "\n"):
            continue
        if token == "\n" and last == " " and made:
            made.pop()
        if token[0] == "word" and last[0] == "word" and token[2] == last[2]:
            made[-1] = ("word", f"{last[1]}{token[1]}", token[2])
        else:
            made.append(token)
    while made and made[-1] in (" ", "\n"):
        made.pop()
    return tuple(made)


def _raw_tokens(nodes: Iterable[Node], marks: frozenset[str]) -> Iterator[Token]:
    for node in nodes:
        if isinstance(node, Text):
            yield from _words(node.data, marks)
        elif isinstance(node, Element):
            yield from _inline(node, marks)
        elif isinstance(node, Comment):
            yield ("raw html",)  # what the renderer puts in the place of HTML, and nothing that a case may want


def _words(data: str, marks: frozenset[str]) -> Iterator[Token]:
    words = data.split()
    if data[:1].isspace():
        yield " "
    for place, word in enumerate(words):
        if place:
            yield " "
        yield ("word", word, marks)
    if words and data[-1:].isspace():
        yield " "


def _inline(element: Element, marks: frozenset[str]) -> Iterator[Token]:
    if element.tag == "br":
        yield "\n"
    elif element.tag == "img":
        yield ("img", " ".join((element.attr("alt") or "").split()), element.attr("src") or "", marks)
    elif element.tag == "code":
        yield ("code", " ".join(element.text.split()), marks)
    elif element.tag == "input":
        yield ("box", element.attr("checked") is not None)
    else:
        own = _MARKS.get(element.tag)
        href = element.attr("href") if element.tag == "a" else None
        added = {own} if own else {f"-> {href}"} if href is not None else set()
        yield from _raw_tokens(element.children, marks | added)


def as_text(blocks: tuple[Block, ...]) -> str:
    """A structure to read in a failure."""
    return "\n".join(map(repr, blocks)) or "(nothing)"
