"""Office documents and books: what they hold as Markdown, and what hostile ones end in."""

import struct
import sys
from datetime import date, datetime, time

import pytest

from support.office import (
    DOCX,
    EPUB,
    compound,
    core,
    docx,
    docx_table,
    epub,
    locked_zip,
    odt,
    package,
    paragraph,
    pptx,
    rels,
    shape,
    slide_table,
    xlsx,
)
from webseam.content.office import OfficeText, office_text
from webseam.content.office_package import OfficeUnreadable
from webseam.content.office_sheets import shown

FORMATS = "http://schemas.openxmlformats.org"
DRAWING = f"{FORMATS}/drawingml/2006"
XXE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def read(data: bytes) -> OfficeText:
    return office_text(data)


def trouble(data: bytes) -> str:
    with pytest.raises(OfficeUnreadable) as caught:
        office_text(data)
    return caught.value.trouble


@pytest.mark.req("office:docx", "office:about")
def test_a_docx_keeps_headings_links_and_tables() -> None:
    body = paragraph("Kelp *x*", style="Heading1") + paragraph("Lines", style="Heading2") + paragraph("see")
    body += paragraph("link", link="rId1") + docx_table([["a|", "b"], ["1", "2"]])
    made = read(docx(body, more={"docProps/core.xml": core("The title", "Ann")}))
    assert made.text == (
        "# Kelp \\*x\\*\n\n## Lines\n\nsee\n\n[link](https://kelp.example/a?b&c)\n\n"
        "| a\\| | b |\n| --- | --- |\n| 1 | 2 |"
    )
    assert (made.media_type, made.cut) == (DOCX, False)
    assert (made.about["title"], made.about["author"]) == ("The title", "Ann")
    assert made.about["published_at"] == "2026-01-02T03:04:05Z"


@pytest.mark.req("office:docx")
def test_text_that_word_hides_is_counted_and_not_shown() -> None:
    run = "<w:r><w:rPr><w:vanish{}/></w:rPr><w:t>{}</w:t></w:r>"
    off = ' w:val="0"'
    body = f"<w:p>{run.format('', 'secret')}{run.format(off, 'shown')}</w:p>" + paragraph("l", link="rId1")
    made = read(docx(body, more={"word/media/p.png": b"x"}))
    assert made.text == "shown\n\n[l](https://kelp.example/a?b&c)\n\n*Pieces of hidden text left out: 1.*"


@pytest.mark.req("office:sheets")
def test_a_workbook_is_a_table_a_sheet() -> None:
    made = read(xlsx({"One": [["", "name", "n"], ["", "a|b", 3.0], [], ["", "x", 0.1 + 0.2]], "Two": []}))
    assert made.text == "## One\n\n| name | n |\n| --- | --- |\n| a\\|b | 3 |\n| x | 0.3 |\n\n## Two"


@pytest.mark.req("office:sheets")
def test_hidden_sheets_are_counted_and_not_shown() -> None:
    made = read(xlsx({"One": [["a", "b"], ["c", "d"]], "Away": [["secret"]]}, hidden=["Away"]))
    assert "secret" not in made.text
    assert made.text.endswith("*Hidden sheets left out: 1.*")


@pytest.mark.req("office:sheets")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "TRUE"),
        (1e20, "1e+20"),
        (1234567.25, "1234567.25"),
        (-2.0, "-2"),
        (datetime(2026, 1, 2), "2026-01-02"),  # noqa: DTZ001 - cells have no zone
        (datetime(2026, 1, 2, 3, 4), "2026-01-02T03:04:00"),  # noqa: DTZ001 - cells have no zone
        (date(2026, 1, 2), "2026-01-02"),
        (time(3, 4), "03:04:00"),
        ("kelp", "kelp"),
    ],
)
def test_a_cell_reads_as_it_is_shown(value: float | str | datetime | date | time, text: str) -> None:
    assert shown(value) == text


@pytest.mark.req("office:capped")
def test_rows_beyond_the_cells_allowed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.content.office_sheets.OFFICE_CELLS", 6)
    made = read(xlsx({"One": [["a", "b"], *([1, 2] for _ in range(5))], "Two": [["x"]]}))
    assert made.cut
    assert (
        "*Further rows of this sheet left out: 3.*\n\n## Two\n\n*Further rows of this sheet left out: 1.*" in made.text
    )


@pytest.mark.req("office:capped")
def test_text_beyond_the_characters_allowed_is_cut_at_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.content.office.OFFICE_CHARS", 30)
    made = read(docx("".join(paragraph(f"line {at}") for at in range(9))))
    assert (made.text, made.cut) == ("line 0\n\nline 1\n\nline 2", True)


@pytest.mark.req("office:slides", "office:about")
def test_a_pptx_is_its_slides_in_the_order_shown() -> None:
    first = shape([(0, "Kelp")], holder="title") + shape([(0, "a"), (1, "b"), (0, "c")], holder="body")
    first += shape([(0, "box")], link="rId1") + slide_table([["h", "i"], ["1", "2"]])
    made = read(
        pptx(
            [first, shape([(0, "Second")], holder="ctrTitle") + shape([(0, "7")], holder="sldNum"), shape([(0, "no")])],
            notes={1: "said"},
            hidden=[3],
            reverse=True,
        )
    )
    assert made.text == (
        "## Slide 2: Second\n\n## Slide 3: Kelp\n\n- a\n  - b\n- c\n\n[box](https://kelp.example/)\n\n"
        "| h | i |\n| --- | --- |\n| 1 | 2 |\n\n### Notes\n\nsaid\n\n*Hidden slides left out: 1.*"
    )
    assert made.about["title"] == "Kelp deck"


@pytest.mark.req("office:capped")
def test_slides_beyond_the_number_allowed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.content.office_pptx.OFFICE_SLIDES", 2)
    made = read(pptx([shape([(0, f"s{at}")]) for at in range(4)]))
    assert (made.cut, made.text.endswith("s1\n\n*Further slides left out: 2.*")) == (True, True)


@pytest.mark.req("office:books", "office:about")
def test_an_epub_is_its_chapters_in_order_and_its_inner_links_are_words() -> None:
    first = "<html><head><title>t</title></head><body><h1>One</h1><p>a <a class='n' href='c%201.xhtml'>next</a> "
    first += '<a href="https://a.example/">web</a> <code>&lt;a href="x"&gt;</code></p></body></html>'
    second = '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><h1>Two</h1></html>'
    made = read(epub([first, second]))
    assert made.text == '# One\n\na next [web](https://a.example/) `<a href="x">`\n\n# Two'
    assert (made.media_type, made.about["author"], made.about["language"]) == (EPUB, "Ann, Bo", "en")


@pytest.mark.req("office:books")
def test_an_odt_is_its_text() -> None:
    made = read(
        odt(
            '<text:h text:outline-level="2">Kelp</text:h><text:p>a<text:s text:c="3"/>b<text:line-break/>'
            '<text:a xlink:href="https://a.example/">l</text:a><text:a xlink:href="javascript:x">j</text:a></text:p>'
            "<text:list><text:list-item><text:p>i</text:p></text:list-item></text:list>"
            "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
        )
    )
    assert made.text.replace("  \n", "\n").replace("\\\n", "\n") == "## Kelp\n\na b\n[l](https://a.example/)j\n\n- i"
    assert made.about["author"] == "Ann"


@pytest.mark.req("office:refused")
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (locked_zip(), "encrypted"),
        (compound("EncryptedPackage"), "encrypted"),
        (epub(["<p>x</p>"], encrypted="OEBPS/text/c%200.xhtml"), "encrypted"),
        (compound("WordDocument"), "unsupported"),
        (compound("PowerPoint Document"), "unsupported"),
        (compound("Workbook"), "broken"),
        (package({"a.txt": "x"}), "unsupported"),
        (package({"mimetype": "application/vnd.oasis.opendocument.graphics"}), "unsupported"),
        (docx(paragraph("x"))[:300], "broken"),
        (package({"word/document.xml": "<w"}), "broken"),
        (package({"xl/workbook.xml": "<w"}), "broken"),
        (package({"ppt/presentation.xml": "<p"}), "broken"),
        (package({"META-INF/container.xml": "<container/>"}), "broken"),
        (epub([]), "broken"),
        (b"", "broken"),
        (b"PK\x03\x04" + bytes(99), "broken"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, why: str) -> None:
    assert trouble(data) == why


@pytest.mark.req("office:hostile")
@pytest.mark.parametrize(
    "data",
    [
        docx(paragraph("x") + "<w:p><w:r><w:t>&a;</w:t></w:r></w:p>", prolog=XXE),
        docx(paragraph("x"), more={"word/footnotes.xml": XXE + "<x>&a;</x>"}),
        docx(paragraph("x"), more={"word/footnotes.xml": ("\ufeff" + XXE + "<x>&a;</x>").encode("utf-16-le")}),
        package({"ppt/presentation.xml": XXE + "<p>&a;</p>"}),
        package({"META-INF/container.xml": XXE + "<p>&a;</p>"}),
    ],
)
def test_a_document_type_is_refused(data: bytes) -> None:
    assert trouble(data) == "broken"


@pytest.mark.req("office:hostile")
def test_a_workbook_with_an_entity_reads_no_file() -> None:
    made = read(xlsx({"One": [["kelp"]]}, prolog=XXE))
    assert "root:" not in made.text


@pytest.mark.req("office:hostile")
def test_a_picture_outside_of_the_file_is_not_opened() -> None:
    drawing = (
        f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{DRAWING}/wordprocessingDrawing">'
        f'<wp:docPr id="1" name="p" descr="a kelp bed"/><a:graphic xmlns:a="{DRAWING}/main">'
        f'<a:graphicData><pic:pic xmlns:pic="{DRAWING}/picture"><pic:blipFill>'
        '<a:blip r:link="rId3"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline>'
        "</w:drawing></w:r></w:p>"
    )
    assert read(docx(drawing)).text == "\\[image: a kelp bed\\]"


@pytest.mark.req("office:hostile")
def test_a_bomb_is_refused_by_what_it_unpacks_to(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = epub(["<p>" + "a" * 2_000_000 + "</p>"])
    monkeypatch.setattr("webseam.content.office_package.OFFICE_BYTES", 1_000_000)
    assert trouble(declared) == "too_large"
    liar = bytearray(declared)
    at = liar.rindex(b"OEBPS/text/c 0.xhtml") - 46
    struct.pack_into("<I", liar, at + 24, 10)
    assert trouble(bytes(liar)) in ("broken", "too_large")


@pytest.mark.req("office:hostile")
def test_too_many_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.content.office_package.OFFICE_PARTS", 2)
    assert trouble(docx(paragraph("x"))) == "too_large"


@pytest.mark.req("office:hostile")
def test_a_name_that_leads_out_of_the_package_leads_nowhere() -> None:
    slides = package(
        {
            "ppt/presentation.xml": f'<p:x xmlns:p="{FORMATS}/presentationml/2006/main" '
            f'xmlns:r="{FORMATS}/officeDocument/2006/relationships"><p:sldId r:id="rId1"/></p:x>',
            "ppt/_rels/presentation.xml.rels": rels([("slide", "../../../etc/passwd")]),
        }
    )
    assert trouble(slides) == "broken"


@pytest.mark.req("office:missing")
@pytest.mark.parametrize(("library", "data"), [("mammoth", docx("")), ("python_calamine", xlsx({}))])
def test_a_missing_library_is_told(library: str, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert trouble(data) == "missing"
