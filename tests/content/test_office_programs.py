"""Documents as programs write them: headings by other names, formulas, diagrams, notes, second choices."""

from datetime import time, timedelta
from xml.etree import ElementTree as ET

import pytest

from support.office import docx, epub, odt, paragraph, pptx
from webseam.content.office import office_text
from webseam.content.office_formula import formula
from webseam.content.office_package import OfficeUnreadable
from webseam.content.office_sheets import shown

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
D = 'xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def style(name: str, label: str, more: str = "", *, kind: str = "paragraph") -> str:
    return f'<w:style w:type="{kind}" w:styleId="{name}"><w:name w:val="{label}"/>{more}</w:style>'


def styled(*styles: str) -> dict[str, str | bytes]:
    return {"word/styles.xml": f"<w:styles {W}>{''.join(styles)}</w:styles>"}


@pytest.mark.req("office:headings")
@pytest.mark.parametrize(
    ("styles", "wanted"),
    [
        ([style("X", "heading 2")], "## Kelp"),
        ([style("X", "Heading 8")], "###### Kelp"),
        ([style("X", "Kapitel", '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>')], "### Kelp"),
        ([style("X", "My own", '<w:basedOn w:val="B"/>'), style("B", "heading 1")], "# Kelp"),
        ([style("X", "Text", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>')], "Kelp"),
        ([style("X", "Round", '<w:basedOn w:val="X"/>')], "Kelp"),
        ([style("X", "Chars", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>', kind="character")], "Kelp"),
    ],
)
def test_headings_are_known_by_their_level_whatever_their_name(styles: list[str], wanted: str) -> None:
    assert office_text(docx(paragraph("Kelp", style="X"), more=styled(*styles))).text == wanted


@pytest.mark.req("office:headings")
@pytest.mark.parametrize("name", ["HTML Preformatted", "Preformatted Text", "Source Code"])
def test_code_keeps_its_lines(name: str) -> None:
    body = paragraph("if x:", style="X") + paragraph("    y", style="X")
    assert office_text(docx(body, more=styled(style("X", name)))).text == "```\nif x:\n    y\n```"


def math(inside: str) -> str:
    return formula(ET.fromstring(f"<m:oMath {M}>{inside}</m:oMath>"))  # noqa: S314 - our own


def sign(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.req("office:words")
@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (sign("x=y"), "x=y"),
        (f"<m:f><m:num>{sign('1')}</m:num><m:den>{sign('2a')}</m:den></m:f>", "1/(2a)"),
        (f"<m:sSup><m:e>{sign('x')}</m:e><m:sup>{sign('10')}</m:sup></m:sSup>", "x^(10)"),
        (f"<m:sSub><m:e>{sign('x')}</m:e><m:sub>{sign('i')}</m:sub></m:sSub>", "x_i"),
        (f"<m:sSubSup><m:e>{sign('x')}</m:e><m:sub>{sign('i')}</m:sub><m:sup>{sign('2')}</m:sup></m:sSubSup>", "x_i^2"),
        (f"<m:rad><m:deg/><m:e>{sign('ab')}</m:e></m:rad>", "sqrt(ab)"),
        (f"<m:rad><m:deg>{sign('3')}</m:deg><m:e>{sign('ab')}</m:e></m:rad>", "root[3](ab)"),
        (f"<m:d><m:e>{sign('a')}</m:e><m:e>{sign('b')}</m:e></m:d>", "(a, b)"),
        ("<m:box>" * 200 + sign("deep") + "</m:box>" * 200, "deep"),
    ],
)
def test_a_formula_is_one_line_that_says_the_same(inside: str, text: str) -> None:
    assert math(inside) == text


@pytest.mark.req("office:words")
@pytest.mark.parametrize("wrapped", ["{}", f"<m:oMathPara {M}>{{}}</m:oMathPara>"])
def test_formulas_and_line_breaks_of_a_docx_stay(wrapped: str) -> None:
    shown_math = wrapped.format(f"<m:oMath {M}>{sign('x=2')}</m:oMath>")
    body = f"<w:p><w:r><w:t>Let</w:t><w:cr/><w:t>be</w:t></w:r>{shown_math}</w:p>"
    assert office_text(docx(body)).text == "Let  \nbex=2"


@pytest.mark.req("office:words")
def test_a_slide_keeps_diagrams_and_pictures_and_says_a_second_choice_once() -> None:
    shape = "<p:sp><p:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>"
    body = f"<mc:AlternateContent {MC}><mc:Choice>{shape.format('new')}</mc:Choice>"
    body += f"<mc:Fallback>{shape.format('old')}</mc:Fallback></mc:AlternateContent>"
    body += (
        f"<mc:AlternateContent {MC}><mc:Choice/><mc:Fallback>{shape.format('only')}</mc:Fallback></mc:AlternateContent>"
    )
    body += f'<p:graphicFrame><d:relIds {D} r:dm="rId2"/></p:graphicFrame>'
    body += '<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 3" descr="A boat&#10;at sea"/></p:nvPicPr></p:pic>'
    point = "<d:pt><d:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></d:t></d:pt>"
    data = f"<d:dataModel {D} {A}>{point.format('one')}{point.format('two')}</d:dataModel>"
    read = office_text(pptx([body], diagram=data)).text
    assert read == "## Slide 1\n\nnew\n\nonly\n\n- one\n- two\n\n[image: A boat at sea]"


@pytest.mark.req("office:words")
def test_notes_of_an_odt_stand_at_its_end_and_pictures_are_their_text() -> None:
    body = "<text:note-body><text:p>Foot</text:p></text:note-body>"
    note = f"<text:note><text:note-citation>1</text:note-citation>{body}</text:note>"
    draw = 'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:svg"'
    picture = f"<draw:frame {draw}><draw:image/><svg:title>P</svg:title><svg:desc>A boat</svg:desc></draw:frame>"
    hidden = '<text:hidden-text text:is-hidden="true">no</text:hidden-text>'
    text = office_text(odt(f"<text:p>Kelp{note} grows.{hidden}</text:p><text:p>{picture}</text:p>")).text
    assert text == "Kelp\\[1\\] grows.\n\n[image: A boat]\n\n1. Foot"


@pytest.mark.req("office:words")
def test_cells_of_an_odt_that_span_or_repeat_keep_their_columns() -> None:
    cell = "<table:table-cell {}><text:p>{}</text:p></table:table-cell>"
    rows = [
        cell.format('table:number-columns-spanned="2"', "head") + "<table:covered-table-cell/>",
        cell.format('table:number-columns-repeated="2"', "x"),
    ]
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    assert office_text(odt(f"<table:table>{body}</table:table>")).text == "| head |  |\n| --- | --- |\n| x | x |"


@pytest.mark.req("office:hostile")
def test_repeated_cells_in_repeated_cells_do_not_multiply() -> None:
    inner = "<text:p>x</text:p>"
    for _ in range(12):
        cell = f'<table:table-cell table:number-columns-repeated="999999999">{inner}</table:table-cell>'
        inner = f"<table:table><table:table-row>{cell}</table:table-row></table:table>"
    assert office_text(odt(inner)).text.count("x") <= 50


@pytest.mark.req("office:sheets")
@pytest.mark.parametrize(
    ("value", "text"),
    [(timedelta(hours=36), "36:00:00"), (timedelta(seconds=-90), "-0:01:30"), (time(18), "18:00:00")],
)
def test_a_duration_counts_hours(value: time | timedelta, text: str) -> None:
    assert shown(value) == text


def book(href: str, *, prolog: str = "") -> bytes:
    """A book of two chapters, the second one under this address."""
    items = "".join(
        f'<item id="c{at}" href="{one}" media-type="application/xhtml+xml"/>'
        for at, one in enumerate(("text/c%200.xhtml", href))
    )
    opf = f'{prolog}<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest>'
    opf += '<spine><itemref idref="c0"/><itemref idref="c1"/></spine></package>'
    return epub(["<p>one</p>", "<p>two</p>"], more={"OEBPS/book.opf": opf})


@pytest.mark.req("office:books")
def test_a_chapter_that_is_missing_is_told() -> None:
    assert office_text(book("text/c%201.xhtml#start")).text == "one\n\ntwo"
    assert office_text(book("gone.xhtml")).text == "one\n\n*Chapters that the book names and does not hold: 1.*"


@pytest.mark.req("office:books", "office:hostile")
def test_a_document_type_may_be_named_and_may_declare_nothing() -> None:
    named = '<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "http://a.test/oeb.dtd">'
    assert office_text(book("text/c%201.xhtml", prolog=named)).text == "one\n\ntwo"
    for declared in ('<!DOCTYPE p [<!ENTITY a "b">]>', named + named, '<!DOCTYPE p SYSTEM "a" [<!ENTITY a "b">]>'):
        with pytest.raises(OfficeUnreadable):
            office_text(book("text/c%201.xhtml", prolog=declared))
