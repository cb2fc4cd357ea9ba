"""Small office documents and books for tests, written part by part with zipfile."""

import io
import struct
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from html import escape

_DOC = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_P = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    f'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="{_DOC}"'
)
_S = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{_DOC}"'
_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table", "meta")
)
_OUTSIDE = ' TargetMode="External"'
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
EPUB = "application/epub+zip"
ODT = "application/vnd.oasis.opendocument.text"


def package(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip file of these parts, in this order; `mimetype` is stored, as its readers ask."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in parts.items():
            made.writestr(name, data, zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED)
    return out.getvalue()


def rels(targets: Iterable[tuple[str, str]]) -> str:
    """Relations `rId1`, `rId2` ... to these (type, target)."""
    rows = (
        f'<Relationship Id="rId{at}" Type="{_DOC}/{kind}" Target="{escape(target)}"'
        f"{_OUTSIDE if kind == 'hyperlink' else ''}/>"
        for at, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(rows)}</Relationships>'


def core(title: str, author: str) -> str:
    """docProps/core.xml."""
    return (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
        f"<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator>"
        "<dcterms:created>2026-01-02T03:04:05Z</dcterms:created></cp:coreProperties>"
    )


def _types(main: str, kind: str) -> str:
    return (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/{main}" ContentType="{kind}.main+xml"/></Types>'
    )


def _open_xml(main: str, kind: str, parts: Mapping[str, str | bytes]) -> bytes:
    head = {"[Content_Types].xml": _types(main, kind), "_rels/.rels": rels([("officeDocument", main)])}
    return package({**head, **parts})


def paragraph(text: str, *, style: str = "", link: str = "") -> str:
    """A paragraph of a DOCX; `style` is `Heading1` and the like, `link` a relation."""
    told = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    run = f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'
    shown = f'<w:hyperlink r:id="{link}">{run}</w:hyperlink>' if link else run
    return f"<w:p>{told}{shown}</w:p>"


def docx_table(rows: Iterable[Sequence[str]]) -> str:
    """A table of a DOCX."""
    made = "".join(f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in rows)
    return f"<w:tbl>{made}</w:tbl>"


def docx(body: str, *, more: Mapping[str, str | bytes] | None = None, prolog: str = "") -> bytes:
    """A DOCX of this body; its relation `rId1` links to https://kelp.example/a?b&c."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{at}"><w:name w:val="heading {at}"/></w:style>' for at in (1, 2)
    )
    parts = {
        "word/document.xml": f'{prolog}<w:document {_W} xmlns:r="{_DOC}"><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f"<w:styles {_W}>{styles}</w:styles>",
        "word/_rels/document.xml.rels": rels(
            [("hyperlink", "https://kelp.example/a?b&c"), ("styles", "styles.xml"), ("image", "file:///etc/passwd")]
        ),
    }
    return _open_xml("word/document.xml", DOCX, {**parts, **(more or {})})


def xlsx(
    sheets: Mapping[str, Iterable[Sequence[str | float]]], *, hidden: Iterable[str] = (), prolog: str = ""
) -> bytes:
    """An XLSX of these sheets by name; a string is text, a number a number."""
    away = set(hidden)
    listed, parts = [], {}
    for at, (name, rows) in enumerate(sheets.items(), 1):
        state = ' state="hidden"' if name in away else ""
        listed.append(f'<sheet name="{escape(name)}" sheetId="{at}" r:id="rId{at}"{state}/>')
        made = "".join(_row(number, row) for number, row in enumerate(rows, 1))
        parts[f"xl/worksheets/sheet{at}.xml"] = f"{prolog}<worksheet {_S}><sheetData>{made}</sheetData></worksheet>"
    parts["xl/workbook.xml"] = f"<workbook {_S}><sheets>{''.join(listed)}</sheets></workbook>"
    parts["xl/_rels/workbook.xml.rels"] = rels(
        ("worksheet", f"worksheets/sheet{at}.xml") for at in range(1, len(listed) + 1)
    )
    return _open_xml("xl/workbook.xml", XLSX, parts)


def _row(number: int, row: Sequence[str | float]) -> str:
    cells = (
        f'<c r="{chr(65 + at)}{number}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
        if isinstance(cell, str)
        else f'<c r="{chr(65 + at)}{number}"><v>{cell}</v></c>'
        for at, cell in enumerate(row)
        if cell != ""
    )
    return f'<row r="{number}">{"".join(cells)}</row>'


def shape(lines: Iterable[tuple[int, str]], *, holder: str = "", link: str = "") -> str:
    """A text shape of a slide: (level, text) a line; `holder` is the kind of placeholder."""
    place = f'<p:ph type="{holder}"/>' if holder else ""
    told = f'<a:rPr><a:hlinkClick r:id="{link}"/></a:rPr>' if link else ""
    made = "".join(
        f'<a:p><a:pPr lvl="{level}"/><a:r>{told}<a:t>{escape(text)}</a:t></a:r></a:p>' for level, text in lines
    )
    return f"<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody>{made}</p:txBody></p:sp>"


def slide_table(rows: Iterable[Sequence[str]]) -> str:
    """A table of a slide."""
    made = "".join(
        "<a:tr>"
        + "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{escape(one)}</a:t></a:r></a:p></a:txBody></a:tc>" for one in row)
        + "</a:tr>"
        for row in rows
    )
    return (
        f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{made}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def pptx(
    slides: Sequence[str],
    *,
    notes: Mapping[int, str] | None = None,
    hidden: Iterable[int] = (),
    reverse: bool = False,
    diagram: str = "",
) -> bytes:
    """A PPTX of these slides, from 1; `reverse` shows them in the other order than their files have.

    `diagram` is the data of one that each slide names as `rId2`.
    """
    away, said = set(hidden), notes or {}
    parts: dict[str, str | bytes] = {"docProps/core.xml": core("Kelp deck", "Ann")}
    for at, content in enumerate(slides, 1):
        show = ' show="0"' if at in away else ""
        parts[f"ppt/slides/slide{at}.xml"] = (
            f"<p:sld {_P}{show}><p:cSld><p:spTree>{content}</p:spTree></p:cSld></p:sld>"
        )
        targets = [("hyperlink", "https://kelp.example/")]
        if diagram:
            targets.append(("diagramData", "../diagrams/data1.xml"))
            parts["ppt/diagrams/data1.xml"] = diagram
        if at in said:
            targets.append(("notesSlide", f"../notesSlides/notesSlide{at}.xml"))
            note = shape([(0, said[at])], holder="body") + shape([(0, "7")], holder="sldNum")
            parts[f"ppt/notesSlides/notesSlide{at}.xml"] = f"<p:notes {_P}><p:cSld>{note}</p:cSld></p:notes>"
        parts[f"ppt/slides/_rels/slide{at}.xml.rels"] = rels(targets)
    order = range(len(slides), 0, -1) if reverse else range(1, len(slides) + 1)
    ids = "".join(f'<p:sldId id="{255 + at}" r:id="rId{at}"/>' for at in order)
    parts["ppt/presentation.xml"] = f"<p:presentation {_P}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
    parts["ppt/_rels/presentation.xml.rels"] = rels(
        ("slide", f"slides/slide{at}.xml") for at in range(1, len(slides) + 1)
    )
    return _open_xml("ppt/presentation.xml", PPTX, parts)


def epub(chapters: Sequence[str], *, encrypted: str = "", more: Mapping[str, str | bytes] | None = None) -> bytes:
    """An EPUB of these XHTML chapters; `encrypted` names a file that its encryption.xml says is locked."""
    items = "".join(
        f'<item id="c{at}" href="text/c%20{at}.xhtml" media-type="application/xhtml+xml"/>'
        for at in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{at}"/>' for at in range(len(chapters)))
    about = "<dc:title>The kelp book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator>"
    about += "<dc:language>en</dc:language><dc:date>2026-01-02</dc:date>"
    cipher = f'<EncryptedData><CipherData><CipherReference URI="{encrypted}"/></CipherData></EncryptedData>'
    locked = f"<encryption>{cipher}</encryption>"
    container = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    parts: dict[str, str | bytes] = {
        "mimetype": EPUB,
        "META-INF/container.xml": container,
        **({"META-INF/encryption.xml": locked} if encrypted else {}),
        "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata>{about}</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>",
    }
    parts |= {f"OEBPS/text/c {at}.xhtml": one for at, one in enumerate(chapters)}
    return package({**parts, **(more or {})})


def odt(body: str) -> bytes:
    """An ODT of this content of `office:text`."""
    xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    return package(
        {
            "mimetype": ODT,
            "content.xml": f"<office:document-content {_ODF} {xlink}><office:body><office:text>{body}</office:text>"
            "</office:body></office:document-content>",
            "meta.xml": f"<office:document-meta {_ODF} {xlink}><office:meta><dc:title>Kelp</dc:title>"
            "<meta:initial-creator>Ann</meta:initial-creator></office:meta></office:document-meta>",
        }
    )


def locked_zip() -> bytes:
    """A package whose first file says that it is encrypted."""
    data = bytearray(docx(paragraph("x")))
    central = data.rindex(b"PK\x01\x02")
    (flags,) = struct.unpack_from("<H", data, central + 8)
    struct.pack_into("<H", data, central + 8, flags | 1)
    return bytes(data)


def compound(stream: str) -> bytes:
    """The beginning of a compound file with a stream of this name, as Office wrote before 2007."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + stream.encode("utf-16-le") + bytes(512)
