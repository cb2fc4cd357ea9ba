"""Code blocks in the tree: their language where the renderer finds it, line numbers and copy buttons out."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from webseam.content.nodes import elements_of
from webseam.content.rare import Rare

if TYPE_CHECKING:
    from turbohtml import Document, Element

_LANGUAGE: Final = re.compile(r"[a-z0-9][a-z0-9+#._-]{0,29}")
_BRUSH: Final = re.compile(r"\bbrush:\s*([\w+#.-]+)")
_PREFIXES: Final = ("language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "src-", "lang:")
_AFTER: Final = ("sourceCode", "hljs", "src")  # marks whose next class is the language
_NO_LANGUAGE: Final = ("default", "none", "text", "plaintext", "nohighlight", "notranslate", "source", "plain", "txt")
_SPOKEN: Final = ("en", "de", "fr", "es", "it", "ja", "zh", "ru", "pt", "ko", "nl", "pl")  # `lang` of prose in a <pre>
_ATTRIBUTES: Final = ("data-lang", "data-language", "data-enlighter-language")
_SETTINGS: Final = "data-syntaxhighlighter-params"
_MARKED: Final = (  # where a language may stand otherwise than as the renderer reads it
    "pre:is([class],[lang],[data-lang],[data-language])",
    'pre>code:is([data-lang],[data-language],[class*="`"],[class]:not([class*="language-"]))',
    'div:is([class*="highlight"],[class*="language-"],[data-lang],[data-language]) pre',
    'figure[class*="highlight"] pre',
)
_AROUND: Final = 3  # wrappers of a highlighter
_WRAPPERS: Final = ("div", "figure", "span")
_NUMBERS: Final = (
    *("pre span.linenos", "pre span.lineno", "pre span.linenumber", "pre span.lnt", "pre span.ln"),
    "pre span.line-numbers-rows",
)
_BUTTON: Final = "pre button"
_GUTTER_CLASSES: Final = frozenset(("linenos", "gutter", "rouge-gutter", "blob-num", "crayon-nums"))
_GUTTER: Final = "td.linenos,td.gutter,td.rouge-gutter,td.lntd:first-child,td.blob-num,td.crayon-nums"
_LINES: Final = ("td.blob-code", "td.code div.line", "td.crayon-code div.crayon-line")
_NUMBERED: Final = ("table[class]", "pre table")
_IN_CELLS: Final = ("td div", "td pre")  # code beside its numbers
_BOXED: Final = ("pre span.line+span.line", "pre span.code-line+span.code-line")  # a box each, with no line end between


def read_code(doc: "Document", rare: Rare) -> "Callable[[], None]":
    """An edit that names languages as `language-x`, and leaves line numbers, their tables and copy buttons out."""
    cells = doc.select("td[class]") if _may_be_numbered(doc) else []
    gutters = [cell for cell in cells if _is_gutter(cell)]
    tables: dict[Element, list[Element]] = {table: [] for cell in gutters if (table := cell.closest("table"))}
    blocks = doc.select("pre")
    for part in (*blocks, *(line for lines in _LINES for line in doc.select(lines))) if tables else ():
        table = part.closest("table")
        if table in tables and not (part.tag == "pre" and part.closest(_GUTTER)):
            tables[table].append(part)
    if not blocks:
        return partial(_mend, {}, [], gutters, tables, [])
    numbers = doc.select(_BUTTON) if "button" in rare else []
    boxed: list[Element] = []
    if doc.select_one("span") is not None:
        boxed = [line for selector in _BOXED for line in doc.select(selector)]
        numbers += [number for selector in _NUMBERS for number in doc.select(selector)]
    marked = {_block(element): None for selector in _MARKED for element in doc.select(selector)}
    return partial(_mend, marked, numbers, gutters, tables, boxed)


def _may_be_numbered(doc: "Document") -> bool:
    """Whether a table may hold the numbers of lines: the cheaper signs first."""
    if any(doc.select_one(sign) for sign in _NUMBERED):
        return True
    return any(doc.select_one(sign) for sign in _IN_CELLS) and doc.select_one("td.gutter") is not None


def end_line(line: "Element") -> None:
    """A line end before a line in a box of its own, where none stands there."""
    from turbohtml import Element, Text  # noqa: PLC0415 - loaded by whoever parsed the tree

    before = line.previous_sibling
    if isinstance(before, Element) and not before.text.endswith("\n"):
        line.insert_before(Text("\n"))


def _is_gutter(cell: "Element") -> bool:
    classes = (cell.attr("class") or "").split()
    return not _GUTTER_CLASSES.isdisjoint(classes) or ("lntd" in classes and cell.previous_sibling is None)


def _mend(
    marked: "dict[Element, None]",
    numbers: "list[Element]",
    gutters: "list[Element]",
    tables: "dict[Element, list[Element]]",
    boxed: "list[Element]",
) -> None:
    for line in boxed:
        end_line(line)
    for block in marked:
        _name_language(block)
    for element in (*numbers, *gutters):
        element.decompose()
    for table, parts in tables.items():
        if parts and table.parent is not None:
            _replace_table(table, parts)


def _block(element: "Element") -> "Element":
    parent = element.parent
    return parent if element.tag == "code" and isinstance(parent, type(element)) else element


def _name_language(pre: "Element") -> None:
    codes = [node for node in elements_of(pre) if node.tag == "code"]
    parts = (*codes[:1], pre)
    found = next((name for name in _languages(parts) if name), "")
    for part in parts:
        if found:
            part.attrs["class"] = f"language-{found}"
        elif part.attr("class") is not None:
            del part.attrs["class"]


def _languages(parts: "tuple[Element, ...]") -> Iterator[str]:
    for part in parts:
        yield from (_clean(part.attr(name) or "") for name in _ATTRIBUTES)
        yield _of_classes(part.attr("class") or "")
        yield _of_classes(part.attr(_SETTINGS) or "")
    spoken = _clean(parts[-1].attr("lang") or "")
    yield "" if spoken.partition("-")[0] in _SPOKEN else spoken
    around = parts[-1].parent
    for _ in range(_AROUND):
        if not isinstance(around, type(parts[-1])) or around.tag not in _WRAPPERS:
            return
        yield _clean(around.attr("data-lang") or "") or _of_classes(around.attr("class") or "")
        around = around.parent


def _of_classes(classes: str) -> str:
    brush = _BRUSH.search(classes)
    if brush is not None:
        return _clean(brush[1])
    names = classes.split()
    for name in names:
        for prefix in _PREFIXES:
            if name.startswith(prefix):
                return _clean(name.removeprefix(prefix))
    after = (names[place + 1] for place, name in enumerate(names[:-1]) if name in _AFTER)
    return next((found for name in after if (found := _clean(name))), "")


def _clean(name: str) -> str:
    lowered = name.strip().lower()
    return lowered if _LANGUAGE.fullmatch(lowered) and lowered not in _NO_LANGUAGE else ""


def _replace_table(table: "Element", parts: "list[Element]") -> None:
    """A gutter and the code beside it become that code; rows of one line each become one block."""
    from turbohtml import Element, Text  # noqa: PLC0415 - loaded by whoever parsed the tree

    blocks = [part for part in parts if part.tag == "pre"]
    if not blocks:
        blocks = [Element("pre", None, [Text("\n".join(part.text.strip("\n") for part in parts))])]
    outer = table.parent.closest("pre") if isinstance(table.parent, Element) else None
    (table if outer is None else outer).replace_with(*blocks)
