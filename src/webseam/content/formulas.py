"""Formulas in the tree: the TeX that a page carries, verbatim, else the signs that a reader sees."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from webseam.content.hidden import hides
from webseam.content.nodes import text_node

if TYPE_CHECKING:
    from turbohtml import Element

_TEX: Final = ("application/x-tex", "tex", "latex")
_TYPESET: Final = "MathJax"
_COPIES: Final = 2  # a preview and the typeset formula before the script that holds its TeX
_SIGNS_OF_TEX: Final = frozenset("\\^_{}")


def _use_tex(annotation: "Element") -> None:
    """The TeX of a formula in its place, verbatim; other annotations only repeat it."""
    from turbohtml import Element  # noqa: PLC0415 - loaded by whoever parsed the tree

    semantics = annotation.parent
    math = semantics.parent if isinstance(semantics, Element) else None
    tex = " ".join(annotation.text.split())
    encoding = (annotation.attr("encoding") or "").lower()
    if encoding in _TEX and tex and isinstance(math, Element) and math.tag == "math" and not hides(math):
        math.replace_with(Element("code", None, [text_node(tex)]))
    else:
        annotation.decompose()


def _mark_parts(*marks: str) -> "Callable[[Element], None]":
    """An edit that puts a mark before each part but the first, and brackets around a part of several pieces."""

    def edit(element: "Element") -> None:
        from turbohtml import Element  # noqa: PLC0415 - as above

        parts = [node for node in element.children if isinstance(node, Element)]
        for part, mark in zip(parts, ("", *marks), strict=False):
            several = len(part) > 1
            part.insert_before(text_node(f"{mark}(" if several else mark))
            if several:
                part.insert_after(text_node(")"))

    return edit


def _root(element: "Element") -> None:
    element.insert_before(text_node("\u221a("))
    element.insert_after(text_node(")"))


def _use_own_text(formula: "Element") -> None:
    """The TeX that a script, or the picture beside a hidden formula, holds; what was typeset from it goes."""
    from turbohtml import Element  # noqa: PLC0415 - as above

    for _ in range(_COPIES if formula.tag == "script" else 0):
        before = formula.previous_sibling
        if isinstance(before, Element) and (before.attr("class") or "").startswith(_TYPESET):
            before.decompose()
    _use(formula, formula.attr("alt") if formula.tag == "img" else formula.text)


def _use_alternative(math: "Element") -> None:
    """The alternative text of a formula where it is TeX; prose only repeats the signs."""
    text = math.attr("alttext") or ""
    if math.parent is not None and not hides(math) and _SIGNS_OF_TEX.intersection(text):
        _use(math, text)


def _use(formula: "Element", text: str | None) -> None:
    from turbohtml import Element  # noqa: PLC0415 - as above

    tex = " ".join((text or "").split())
    if tex and formula.parent is not None:
        formula.replace_with(Element("code", None, [text_node(tex)]))


def _remove(phantom: "Element") -> None:
    """What only takes up its room (MathML Core section 3.2.7)."""
    phantom.clear()


def _separate(sign: str) -> "Callable[[Element], None]":
    """An edit that sets a part of a matrix apart from the one before."""

    def edit(element: "Element") -> None:
        if element.previous_sibling is not None:
            element.insert_before(text_node(sign))

    return edit


SCRIPT_EDITS: Final[dict[str, "Callable[[Element], None]"]] = {'script[type^="math/tex"]': _use_own_text}
"""Edits by selector."""
FORMULA_EDITS: Final[dict[str, "Callable[[Element], None]"]] = {  # names outside of HTML, for which the tree is walked
    "span.mwe-math-element>img[alt]": _use_own_text,
    "annotation": _use_tex,
    "annotation-xml": _use_tex,
    "math[alttext]": _use_alternative,
    "mphantom": _remove,
    "mtr": _separate("; "),
    "mtd": _separate(", "),
    "msqrt": _root,
    "mfrac": _mark_parts("/"),
    **dict.fromkeys(("msup", "mover"), _mark_parts("^")),
    **dict.fromkeys(("msub", "munder"), _mark_parts("_")),
    **dict.fromkeys(("msubsup", "munderover"), _mark_parts("_", "^")),
}
"""Edits by selector, for a page that holds a formula."""
