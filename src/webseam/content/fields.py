"""What form fields and gauges show, as words in the tree: values, boxes, choices."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from webseam.content.nodes import text_node

if TYPE_CHECKING:
    from turbohtml import Element, Node

_SHOWN: Final = (
    *("", "text", "search", "email", "url", "tel", "number", "date", "datetime-local", "month", "week", "time"),
    *("submit", "button", "reset"),
)
_BOXES: Final = {"checkbox": ("[ ]", "[x]"), "radio": ("( )", "(x)")}


def show_field(field: "Element") -> None:
    """The value of a field, or its box; a box that begins a list item stays one for the renderer (a task)."""
    kind = (field.attr("type") or "").strip().lower()
    if kind in _BOXES:
        if not _is_task(field):
            field.replace_with(text_node(f"{_BOXES[kind][field.attr('checked') is not None]} "))
        return
    value = field.attr("alt") if kind == "image" else field.attr("value") if kind in _SHOWN else None
    if value and value.strip():
        kept = {name: own for name in ("style", "hidden", "aria-hidden") if (own := field.attr(name)) is not None}
        field.replace_with(text_node(" "), _span(kept, value), text_node(" "))


def show_gauge(gauge: "Element") -> None:
    """`6/10` for a meter or a progress bar that has no words of its own."""
    value, most = gauge.attr("value"), gauge.attr("max")
    if value and not gauge.text.strip():
        gauge.append(text_node(f"{value}/{most}" if most else value))


def show_choice(option: "Element") -> None:
    """The label of a choice without words."""
    label = option.attr("label")
    if label and not option.text.strip():
        option.append(text_node(label))


def show_moment(time: "Element") -> None:
    """The machine's date where nothing else is written."""
    moment = time.attr("datetime")
    if moment and len(time) == 0:
        time.append(text_node(moment))


def _is_task(field: "Element") -> bool:
    """Whether the box begins a list item; a label around it is taken off."""
    node: Element = field
    for _ in range(3):
        parent = _element(node.parent)
        if parent is None or not _is_first(node):
            return False
        if parent.tag == "li":
            return True
        if parent.tag == "label":
            following = _element(parent.parent)
            if following is None or not _is_first(parent):
                return False
            parent.unwrap()
        elif parent.tag == "p":
            node = parent
        else:
            return False
    return False


def _is_first(node: "Node") -> bool:
    before = node.previous_sibling
    while before is not None and _blank(before):
        before = before.previous_sibling
    return before is None


def _blank(node: "Node") -> bool:
    from turbohtml import Text  # noqa: PLC0415 - loaded by whoever parsed the tree

    return isinstance(node, Text) and not node.data.strip()


def _element(node: "Node | None") -> "Element | None":
    from turbohtml import Element  # noqa: PLC0415 - as above

    return node if isinstance(node, Element) else None


def _span(attrs: dict[str, str], data: str) -> "Element":
    from turbohtml import Element  # noqa: PLC0415 - as above

    return Element("span", attrs, [text_node(data)])


FIELD_EDITS: Final[dict[str, "Callable[[Element], None]"]] = {
    "input": show_field,
    "meter": show_gauge,
    "progress": show_gauge,
    "time:empty": show_moment,
}
"""Edits by selector."""
