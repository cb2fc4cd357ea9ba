"""ODT as HTML (OpenDocument 1.3 part 3, sections 5, 6 and 9): headings, paragraphs, lists, tables, links."""

from collections.abc import Iterator
from html import escape
from typing import Final
from xml.etree import ElementTree as ET

from webseam.content.office_package import Package, local_name

_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_SPANS: Final = (("colspan", "columns"), ("rowspan", "rows"))
_REPEATED: Final = 50  # cells with the same words in a row
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_TAGS: Final = {"p": "p", "list": "ul", "list-item": "li", "table": "table", "table-row": "tr", "table-cell": "td"}
_UNSEEN: Final = frozenset({"tracked-changes", "annotation", "sequence-decls", "forms", "object", "covered-table-cell"})
_SPACES: Final = 100  # of one run; honest documents indent by a few


def odt(package: Package) -> tuple[str, dict[str, str | None]]:
    """The text of a document as HTML, and what it says about itself.

    Raises:
        OfficeUnreadable: the file is damaged.
    """
    root = package.xml("content.xml")
    body = next((one for one in root.iter() if local_name(one) == "text" and "office" in one.tag), root)
    notes: list[str] = []
    text = "".join(_html(body, notes))
    told = "".join(f"<li>{one}</li>" for one in notes)
    return text + (f"<ol>{told}</ol>" if told else ""), _about(package)


def _html(element: ET.Element, notes: list[str]) -> Iterator[str]:
    """The children of an element, with the text between them; footnotes go to `notes`, and leave their number."""
    yield escape(element.text or "")
    for child in element:
        name = local_name(child)
        if name == "note":
            yield _note(child, notes)
        elif name == "frame" and (said := _picture(child)) is not None:
            yield said
        elif name not in _UNSEEN and child.get(f"{_TEXT}is-hidden") != "true":
            opened, closed = _tags(child, name)
            yield (opened + "".join(_html(child, notes)) + closed) * _times(child, name)
        yield escape(child.tail or "")


def _note(note: ET.Element, notes: list[str]) -> str:
    at = len(notes)
    notes.append("")  # keeps its place: a note may have notes
    body = note.find(f"{_TEXT}note-body")
    notes[at] = "" if body is None else "".join(_html(body, notes))
    return f"[{at + 1}]"


def _picture(frame: ET.Element) -> str | None:
    """What a picture says of itself; None for a frame around text."""
    if not any(local_name(one) == "image" for one in frame):
        return None
    told = {local_name(one): " ".join((one.text or "").split()) for one in frame}
    said = told.get("desc") or told.get("title")
    return f'<img src="picture" alt="{escape(said)}">' if said else ""


def _times(child: ET.Element, name: str) -> int:
    """How often a cell stands in its row."""
    written = child.get(f"{_TABLE}number-columns-repeated", "") if name == "table-cell" else ""
    if not (written.isascii() and written.isdigit()) or any(local_name(one) == name for one in child.iterfind(".//*")):
        return 1  # cells in cells would multiply
    return min(int(written[:9]), _REPEATED) if len(child) else 1


def _tags(child: ET.Element, name: str) -> tuple[str, str]:
    if name == "h":
        level = child.get(f"{_TEXT}outline-level", "1")
        tag = f"h{level}" if level in tuple("123456") else "h6"
        return f"<{tag}>", f"</{tag}>"
    if name == "a":
        return f'<a href="{escape(child.get(_HREF, ""))}">', "</a>"
    if name in ("s", "tab"):
        count = child.get(f"{_TEXT}c", "1")
        return " " * min(int(count) if count.isascii() and count.isdigit() else 1, _SPACES), ""
    if name == "line-break":
        return "<br>", ""
    return (f"<{_TAGS[name]}{_spans(child)}>", f"</{_TAGS[name]}>") if name in _TAGS else ("", "")


def _spans(cell: ET.Element) -> str:
    said = ((word, cell.get(f"{_TABLE}number-{told}-spanned", "1")) for word, told in _SPANS)
    return "".join(f' {word}="{many}"' for word, many in said if many != "1" and many.isascii() and many.isdigit())


def _about(package: Package) -> dict[str, str | None]:
    if "meta.xml" not in package:
        return {}
    said = {local_name(one): one.text for one in package.xml("meta.xml").iter()}
    return {
        "title": said.get("title"),
        "author": said.get("initial-creator") or said.get("creator"),
        "description": said.get("description"),
        "language": said.get("language"),
        "published_at": said.get("creation-date"),
        "modified_at": said.get("date"),
    }
