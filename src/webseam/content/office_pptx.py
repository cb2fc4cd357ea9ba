"""PPTX as HTML (ECMA-376 part 1, sections 19 and 20): a slide under its title, its notes behind it."""

import posixpath
from collections.abc import Iterator
from html import escape
from typing import Final
from xml.etree import ElementTree as ET

from webseam.content.office_package import OfficeUnreadable, Package, local_name
from webseam.core.limits import OFFICE_SLIDES

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_D: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_START: Final = "ppt/presentation.xml"
_TITLES: Final = frozenset({"title", "ctrTitle"})
_FURNITURE: Final = frozenset({"dt", "ftr", "sldNum", "hdr", "sldImg"})
_Relations = dict[str, tuple[str, str]]


def slides(package: Package) -> tuple[tuple[str, ...], bool]:
    """Each slide as HTML, and whether some were left out for their number; hidden slides are not shown.

    Raises:
        OfficeUnreadable: the file is damaged.
    """
    relations = package.relations(_START)
    ids = [one.get(f"{_R}id", "") for one in package.xml(_START).iter(f"{_P}sldId")]
    names = [_part(_START, relations[one][1]) for one in ids if one in relations]
    parts: list[str] = []
    hidden = 0
    for number, name in enumerate(names[:OFFICE_SLIDES], 1):
        root = package.xml(name)
        if root.get("show") in ("0", "false"):
            hidden += 1
        else:
            parts.append(_slide(package, name, root, number))
    if ids and not names:
        raise OfficeUnreadable("broken")
    if hidden:
        parts.append(f"<p><em>Hidden slides left out: {hidden:,}.</em></p>")
    if len(names) > OFFICE_SLIDES:
        parts.append(f"<p><em>Further slides left out: {len(names) - OFFICE_SLIDES:,}.</em></p>")
    return tuple(parts), len(names) > OFFICE_SLIDES


def _part(origin: str, target: str) -> str:
    """The name of a part that another one names; it is looked up in the package, and nowhere else."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(origin), target)).lstrip("/")


def _slide(package: Package, name: str, root: ET.Element, number: int) -> str:
    relations = package.relations(name)
    title, body = "", []
    for kind, shape in _shapes(root):
        if kind in _TITLES and not title:
            title = " ".join("".join(_inline(one, {})) for one in shape.iter(f"{_A}p")).strip()
        elif kind not in _FURNITURE:
            body.append(_shown(package, name, shape, relations, kind))
    notes = next((_part(name, target) for kind, target in relations.values() if kind == "notesSlide"), None)
    said = "" if notes is None or notes not in package else _notes(package.xml(notes))
    head = f"Slide {number}" + (f": {title}" if title else "")
    return f"<h2>{head}</h2>{''.join(body)}{said}"


def _shapes(root: ET.Element) -> Iterator[tuple[str | None, ET.Element]]:
    """Text shapes, tables, pictures and diagrams in the order of the file, with the placeholder that they fill, if any.

    What is there a second time, for programs that cannot show the first, is left out.
    """
    seconds = {id(one) for choice in root.iter(f"{_MC}AlternateContent") for one in _seconds(choice)}
    for element in root.iter():
        if id(element) in seconds:
            continue
        if element.tag == f"{_P}sp":
            holder = element.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
            yield (None if holder is None else holder.get("type", "body")), element
        elif element.tag in (f"{_A}tbl", f"{_P}pic", f"{_D}relIds"):
            yield None, element


def _seconds(choice: ET.Element) -> Iterator[ET.Element]:
    first = choice.find(f"{_MC}Choice")
    if first is not None and any(one.tag in (f"{_P}sp", f"{_A}tbl") for one in first.iter()):
        for fallback in choice.iterfind(f"{_MC}Fallback"):
            yield from fallback.iter()


def _shown(package: Package, name: str, shape: ET.Element, relations: _Relations, kind: str | None) -> str:
    if shape.tag == f"{_A}tbl":
        return _table(shape, relations)
    if shape.tag == f"{_P}pic":
        told = shape.find(f"{_P}nvPicPr/{_P}cNvPr")
        said = "" if told is None else " ".join(told.get("descr", "").split())
        return f'<p><img src="picture" alt="{escape(said)}"></p>' if said else ""
    if shape.tag == f"{_D}relIds":
        part = _part(name, relations.get(shape.get(f"{_R}dm", ""), ("", ""))[1])
        return _points(package.xml(part)) if part in package else ""
    return _text(shape, relations, kind)


def _points(diagram: ET.Element) -> str:
    """The words of a diagram (SmartArt), a point each."""
    said = ("".join(_inline(one, {})).strip() for point in diagram.iter(f"{_D}t") for one in point.iter(f"{_A}p"))
    points = "".join(f"<li>{one}</li>" for one in said if one)
    return f"<ul>{points}</ul>" if points else ""


def _text(shape: ET.Element, relations: _Relations, kind: str | None) -> str:
    """Paragraphs; those of a placeholder for text are the points of a list, indented by their level."""
    made: list[str] = []
    depth = 0
    for paragraph in shape.iter(f"{_A}p"):
        said = "".join(_inline(paragraph, relations)).strip()
        if not said:
            continue
        if kind is None or kind == "subTitle":
            made.append(f"<p>{said}</p>")
            continue
        told = paragraph.find(f"{_A}pPr")
        level = 1 + min(int(_digits(None if told is None else told.get("lvl"))), 8)
        made.append("<ul>" * (level - depth) if level > depth else "</ul>" * (depth - level))
        depth = level
        made.append(f"<li>{said}</li>")
    return "".join(made) + "</ul>" * depth


def _digits(written: str | None) -> str:
    return written if written is not None and written.isascii() and written.isdigit() else "0"


def _inline(paragraph: ET.Element, relations: _Relations) -> Iterator[str]:
    for run in paragraph:
        name = local_name(run)
        if name == "br":
            yield " "
        elif name in ("r", "fld"):
            text = escape("".join(one.text or "" for one in run.iter(f"{_A}t")))
            link = run.find(f"{_A}rPr/{_A}hlinkClick")
            kind, target = relations.get("" if link is None else link.get(f"{_R}id", ""), ("", ""))
            yield f'<a href="{escape(target)}">{text}</a>' if kind == "hyperlink" else text


def _table(table: ET.Element, relations: _Relations) -> str:
    rows = []
    for at, row in enumerate(table.iter(f"{_A}tr")):
        tag = "td" if at else "th"
        cells = (
            f"<{tag}>{' '.join(''.join(_inline(one, relations)) for one in cell.iter(f'{_A}p'))}</{tag}>"
            for cell in row.iter(f"{_A}tc")
        )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _notes(root: ET.Element) -> str:
    said = [
        "".join(_inline(one, {})) for kind, shape in _shapes(root) if kind == "body" for one in shape.iter(f"{_A}p")
    ]
    text = "".join(f"<p>{one}</p>" for one in said if one.strip())
    return f"<h3>Notes</h3>{text}" if text else ""
