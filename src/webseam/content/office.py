"""Office documents and books as Markdown. For worker processes: a hostile file may take any time and memory."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from webseam.content.markdown import html_to_markdown
from webseam.content.office_package import OfficeUnreadable, Package, local_name, without_local_links
from webseam.core.limits import OFFICE_CHARS

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # [MS-CFB] 2.2: what Office wrote before 2007
_NOWHERE: Final = "https://document.invalid/"  # links of a document that lead nowhere on the web are taken out
_WORD: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_EXCEL: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_SLIDES: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_EPUB: Final = "application/epub+zip"
_ODT: Final = "application/vnd.oasis.opendocument.text"
_ODS: Final = "application/vnd.oasis.opendocument.spreadsheet"
_MAIN_PARTS: Final = (("word/document.xml", _WORD), ("xl/workbook.", _EXCEL), ("ppt/presentation.xml", _SLIDES))
_OLD: Final = (
    ("EncryptedPackage", "encrypted"),
    ("Workbook", "application/vnd.ms-excel"),
    ("WordDocument", "application/msword"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document as HTML, in parts: slides, sheets, chapters; `cut` says that some were left out."""

    parts: tuple[str, ...]
    cut: bool = False
    about: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeText:
    """Markdown of a document of `media_type`; `about` is what it says about itself, by the names of `PageMetadata`."""

    text: str
    media_type: str
    cut: bool = False
    about: Mapping[str, str | None] = field(default_factory=dict)


def office_text(data: bytes) -> OfficeText:
    """A DOCX, XLSX, XLS, ODS, PPTX, ODT or EPUB file as Markdown, told by what it holds and not by its name.

    Macros, pictures and embedded files are left out; nothing outside of the file is looked at. At most 5,000,000
    characters are given.

    Raises:
        OfficeUnreadable: it is none of these, needs a password, is damaged or too large, or its library is missing.
    """
    if data.startswith(_OLE):
        kind = _old_kind(data)
        package = None
    else:
        package = Package(data)
        kind = _kind(package)
    reader = _READERS.get(kind)
    if reader is None:
        raise OfficeUnreadable("unsupported", kind)
    made = reader(package, data)
    about = made.about or ({} if package is None else core_properties(package))
    texts, left, cut = [], OFFICE_CHARS, made.cut
    for part in made.parts:
        text = html_to_markdown(without_local_links(part), url=_NOWHERE, pictures=False).text
        if len(text) > left:
            texts.append(text[: max(text.rfind("\n", 0, left), 0)].rstrip())
            cut = True
            break
        texts.append(text)
        left -= len(text) + 2
    return OfficeText(text="\n\n".join(filter(None, texts)), media_type=kind, cut=cut, about=about)


def core_properties(package: Package) -> dict[str, str | None]:
    """What an OOXML package says about itself (ECMA-376 part 2, section 11)."""
    root = package.xml("docProps/core.xml") if "docProps/core.xml" in package else None
    if root is None:
        return {}
    said = {local_name(one): one.text for one in root}
    return {
        "title": said.get("title"),
        "author": said.get("creator"),
        "description": said.get("description"),
        "language": said.get("language"),
        "published_at": said.get("created"),
        "modified_at": said.get("modified"),
    }


def _kind(package: Package) -> str:
    for name, kind in _MAIN_PARTS:
        if any(one.startswith(name) for one in package.names):
            return kind
    if "mimetype" in package:  # OCF 3.3, ODF 1.3 part 2 section 3.3
        return package.read("mimetype")[:100].decode("ascii", "replace").strip()
    return _EPUB if "META-INF/container.xml" in package else "application/zip"


def _old_kind(data: bytes) -> str:
    for stream, kind in _OLD:
        if stream.encode("utf-16-le") in data:
            if kind == "encrypted":
                raise OfficeUnreadable("encrypted")
            return kind
    return "application/x-ole-storage"


def _docx(package: Package | None, data: bytes) -> Document:
    from webseam.content.office_docx import docx, seen  # noqa: PLC0415 - each loads what it needs
    from webseam.content.office_styles import heading_styles  # noqa: PLC0415 - the same

    held = _held(package)
    held.refuse_doctypes()
    shown, hidden = seen(held)
    told = f"<p><em>Pieces of hidden text left out: {hidden:,}.</em></p>" if hidden else ""
    html = docx(io.BytesIO(data if shown is None else shown), styles=heading_styles(held))
    return Document(parts=(html + told,))


def _sheets(_package: Package | None, data: bytes) -> Document:
    from webseam.content.office_sheets import sheets  # noqa: PLC0415 - see above

    parts, cut = sheets(io.BytesIO(data))
    return Document(parts=parts, cut=cut)


def _slides(package: Package | None, _data: bytes) -> Document:
    from webseam.content.office_pptx import slides  # noqa: PLC0415 - see above

    parts, cut = slides(_held(package))
    return Document(parts=parts, cut=cut)


def _epub(package: Package | None, _data: bytes) -> Document:
    from webseam.content.epub import epub  # noqa: PLC0415 - see above

    parts, about, cut = epub(_held(package))
    return Document(parts=parts, about=about, cut=cut)


def _odt(package: Package | None, _data: bytes) -> Document:
    from webseam.content.office_odt import odt  # noqa: PLC0415 - see above

    text, about = odt(_held(package))
    return Document(parts=(text,), about=about)


def _held(package: Package | None) -> Package:
    if package is None:
        raise OfficeUnreadable("broken")
    return package


_READERS: Final[Mapping[str, Callable[[Package | None, bytes], Document]]] = MappingProxyType(
    {
        _WORD: _docx,
        _EXCEL: _sheets,
        _ODS: _sheets,
        "application/vnd.ms-excel": _sheets,
        _SLIDES: _slides,
        _EPUB: _epub,
        _ODT: _odt,
    }
)


def office_head(read: OfficeText) -> dict[str, Any]:
    """All but the text, to pass between processes."""
    return {"media_type": read.media_type, "cut": read.cut, "about": dict(read.about)}
