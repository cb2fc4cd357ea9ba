"""Formulas of Word (Office Math, ECMA-376 part 1, section 22.1) as one line of text. Pure."""

from typing import Final
from xml.etree import ElementTree as ET

_M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_DEEPEST: Final = 50


def formula(math: ET.Element, *, depth: int = 0) -> str:
    """Fractions as `(a)/(b)`, powers as `a^(b)`, indices as `a_(b)`, roots as `sqrt(a)`; other parts in their order.

    Parts nested deeper than anybody writes lose their structure, and no character.
    """
    if depth > _DEEPEST:
        return "".join(one.text or "" for one in math.iter(f"{_M}t"))
    return "".join(_part(child, depth + 1) for child in math)


def _part(element: ET.Element, depth: int) -> str:
    name = element.tag.removeprefix(_M)
    match name:
        case "t":
            return element.text or ""
        case "f":
            return f"{_grouped(element, 'num', depth)}/{_grouped(element, 'den', depth)}"
        case "sSup" | "sSub":
            mark = "^" if name == "sSup" else "_"
            return f"{_inner(element, 'e', depth)}{mark}{_grouped(element, name[1:].lower(), depth)}"
        case "sSubSup":
            base, low, high = (
                _inner(element, "e", depth),
                _grouped(element, "sub", depth),
                _grouped(element, "sup", depth),
            )
            return f"{base}_{low}^{high}"
        case "rad":
            degree, inside = _inner(element, "deg", depth), _grouped(element, "e", depth)
            return f"root[{degree}]{inside}" if degree else f"sqrt{inside}"
        case "d":
            return f"({', '.join(formula(one, depth=depth) for one in element.iterfind(f'{_M}e'))})"
        case _:
            return formula(element, depth=depth)


def _inner(element: ET.Element, name: str, depth: int) -> str:
    part = element.find(f"{_M}{name}")
    return "" if part is None else formula(part, depth=depth)


def _grouped(element: ET.Element, name: str, depth: int) -> str:
    """In brackets, unless it is one sign."""
    inside = _inner(element, name, depth)
    return inside if len(inside) == 1 else f"({inside})"
