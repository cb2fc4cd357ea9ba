"""DOCX as HTML through mammoth: styles become headings and lists, footnotes stay, pictures become their text."""

import io
from typing import IO, TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile, ZipFile

from webseam.content.office_formula import formula
from webseam.content.office_package import OfficeUnreadable, Package

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAIN: Final = "word/document.xml"
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FORMULAS: Final = (f"{_MATH}oMath", f"{_MATH}oMathPara")
_MENDED: Final = (b"vanish", b"oMath", b"<w:cr")
_STYLES: Final = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh > em
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
p[style-name='Code'] => pre:separator('\\n')
p[style-name='HTML Preformatted'] => pre:separator('\\n')
p[style-name='Preformatted Text'] => pre:separator('\\n')
p[style-name='Source Code'] => pre:separator('\\n')
strike => s
"""


def seen(package: Package) -> tuple[bytes | None, int]:
    """The document as mammoth should read it, and how many pieces of hidden text it had; None where it may as it is.

    Text that Word hides is taken out, formulas become text, carriage returns line breaks: mammoth drops both.

    Raises:
        OfficeUnreadable: the file is damaged.
    """
    if _MAIN not in package or not any(mark in package.read(_MAIN) for mark in _MENDED):
        return None, 0
    root, hidden = package.xml(_MAIN), 0
    for parent in list(root.iter()):
        if parent.tag == f"{_W}cr":
            parent.tag = f"{_W}br"
        for at, child in reversed(list(enumerate(parent))):
            if _is_hidden(child):
                parent.remove(child)
                hidden += 1
            elif child.tag in _FORMULAS:
                parent[at] = _run(formula(child))
    return _rewritten(package, ET.tostring(root)), hidden


def _run(text: str) -> ET.Element:
    run = ET.Element(f"{_W}r")
    ET.SubElement(run, f"{_W}t").text = text
    return run


def _rewritten(package: Package, main: bytes) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as made:
        for name in package.names:
            if name == _MAIN:
                made.writestr(name, main)
            elif name.lower().endswith((".xml", ".rels")):  # of pictures only their words are read
                made.writestr(name, package.read(name))
    return out.getvalue()


def _is_hidden(run: ET.Element) -> bool:
    """ECMA-376 part 1, 17.3.2.41: a switch that is on unless it says otherwise."""
    switch = run.find(f"{_W}rPr/{_W}vanish") if run.tag == f"{_W}r" else None
    return switch is not None and switch.get(f"{_W}val", "true") not in ("0", "false", "off")


def docx(file: IO[bytes], *, styles: str = "") -> str:
    """The text of a document as HTML; `styles` are further lines of mammoth's style map.

    Raises:
        OfficeUnreadable: mammoth is not installed, or the file is damaged.
    """
    try:
        import mammoth  # type: ignore[import-untyped]  # noqa: PLC0415 - it has no types; an extra, 0.17 s
    except ImportError as exc:
        raise OfficeUnreadable("missing") from exc

    def words(image: Any) -> "Sequence[Any]":
        return [mammoth.html.text(f"[image: {image.alt_text}]")] if image.alt_text else []

    try:
        made = mammoth.convert_to_html(
            file, style_map=_STYLES + styles, convert_image=words, external_file_access=False
        )
    except (KeyError, ValueError, IndexError, AttributeError, TypeError, ExpatError, OSError, BadZipFile) as exc:
        raise OfficeUnreadable("broken") from exc
    return str(made.value)
