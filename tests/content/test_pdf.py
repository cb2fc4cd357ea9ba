"""Text of PDFs: order, cells, numbers, damage."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.pdf import cyclic, lines, pdf, run, turned
from support.pdf_aes import Encrypted, aes_128, aes_256
from webseam.content.pdf import PdfText, PdfUnreadable, pdf_text
from webseam.content.pdf_layout import Line, Piece, in_reading_order, marked_pages
from webseam.content.pdf_words import mended

LEFT = ["Kelp grows along cold coasts", "in forests of many metres,", "and shelters a great", "many animals."]
RIGHT = ["Permits are given by the", "state for one season, and", "cost a share of what is", "landed."]


def only_page(content: bytes) -> str:
    read = pdf_text(pdf([content]))
    assert read.page_count == 1
    return read.pages[0]


def side_by_side(left: list[str], right: list[str]) -> bytes:
    rows = range(max(len(left), len(right)))
    drawn = [
        (run(left[at], 50, 700 - 14 * at) if at < len(left) else b"")
        + (run(right[at], 320, 700 - 14 * at) if at < len(right) else b"")
        for at in rows
    ]
    return b"".join(drawn)


@pytest.mark.req("pdf:text")
def test_pages_come_in_order_with_their_number() -> None:
    read = pdf_text(pdf([lines(["Hello"]), b"", lines(["two", "lines"])], packed=True))
    assert read == PdfText(pages=("Hello", "", "two\nlines"), page_count=3)


@pytest.mark.req("pdf:columns")
@pytest.mark.parametrize(
    ("left", "right"), [(LEFT, RIGHT), (LEFT, RIGHT[:2]), (LEFT[:2], RIGHT), (LEFT[:2], RIGHT[:2])]
)
def test_columns_are_read_one_after_the_other(left: list[str], right: list[str]) -> None:
    assert only_page(side_by_side(left, right)).split("\n") == [*left, *right]


@pytest.mark.req("pdf:columns")
def test_short_lines_in_two_halves_are_columns() -> None:
    left, right = [f"Left {at}" for at in "abc"], [f"Right {at}" for at in "abc"]
    assert only_page(side_by_side(left, right)).split("\n") == [*left, *right]


@pytest.mark.req("pdf:columns")
def test_a_line_across_the_gutter_ends_the_columns() -> None:
    wide = "This line runs over the whole width of the page, from the left margin to the right one, as titles do."
    content = run(wide, 50, 714) + side_by_side(LEFT, RIGHT) + run(wide, 50, 644)
    assert only_page(content).split("\n") == [wide, *LEFT, *RIGHT, wide]


@pytest.mark.req("pdf:columns")
def test_three_columns_are_three() -> None:
    texts = ["a column of words that runs", "on to a second line and", "then to a third one here"]
    content = b"".join(
        run(f"{name} {text}", x, 700 - 14 * at, size=8)
        for at, text in enumerate(texts)
        for name, x in (("A", 50), ("B", 230), ("C", 410))
    )
    assert [line[0] for line in only_page(content).split("\n")] == list("AAABBBCCC")


@pytest.mark.req("pdf:cells")
def test_cells_of_a_row_are_parted_and_rows_stay() -> None:
    rows = [("A", "10", "20"), ("B", "11", "21"), ("C", "12", "22")]
    content = b"".join(
        run(cell, 50 + 100 * column, 700 - 14 * at) for at, row in enumerate(rows) for column, cell in enumerate(row)
    )
    assert only_page(content).split("\n") == ["\t".join(row) for row in rows]


@pytest.mark.req("pdf:cells")
@pytest.mark.parametrize("gap", [60, 120, 250])
def test_cells_of_one_digit_stay_in_their_row(gap: int) -> None:
    rows = [("kelp", "0", "cold"), ("dulse", "7", "warm"), ("nori", "12", "x")]
    content = b"".join(
        run(cell, 50 + gap * column, 700 - 14 * at) for at, row in enumerate(rows) for column, cell in enumerate(row)
    )
    assert only_page(content).split("\n") == ["\t".join(row) for row in rows]


@pytest.mark.req("pdf:cells", "pdf:broken")
def test_a_row_of_endless_cells_is_one_row() -> None:
    cells = b"".join(run("7", 50 + 40 * at, 700) for at in range(3_000))
    assert only_page(cells).split() == ["7"] * 3_000


@pytest.mark.req("pdf:cells")
def test_rows_of_long_prose_stay_rows() -> None:
    rows = [
        (["The permit which is given", "to growers of the north"], ["A permit is given by the", "harbour office"]),
        (["The storm lines which are laid", "around every farm"], ["Lines are checked after", "every storm"]),
        (["The buoys that mark them", "by day and by night"], ["Buoys are counted in", "spring and autumn"]),
    ]
    content, y = b"", 740
    for left, right in rows:
        content += b"".join(
            run(a, 50, y - 14 * at) + run(b, 320, y - 14 * at)
            for at, (a, b) in enumerate(zip(left, right, strict=True))
        )
        y -= 38
    assert only_page(content).split("\n") == [line for left, right in rows for line in (*left, *right)]


@pytest.mark.req("pdf:cells")
def test_questions_and_answers_on_lines_of_their_own_are_rows() -> None:
    rows = [
        ("What does a permit cost?", "A share of what is landed."),
        ("Who gives the permit?", "The harbour office of it."),
    ]
    content = b"".join(run(a, 50, 740 - 14 * at) + run(b, 320, 740 - 14 * at) for at, (a, b) in enumerate(rows))
    assert only_page(content).split("\n") == ["\t".join(row) for row in rows]


@pytest.mark.req("pdf:columns")
def test_a_title_over_each_column_stays_with_it() -> None:
    below = b"".join(
        run(a, 50, 700 - 14 * at) + run(b, 320, 700 - 14 * at)
        for at, (a, b) in enumerate(zip(LEFT, RIGHT, strict=True))
    )
    content = run("Kelp on the coast", 50, 725) + run("Permits of the state", 320, 725) + below
    assert only_page(content).split("\n") == ["Kelp on the coast", *LEFT, "Permits of the state", *RIGHT]


_ALONG = ((1, 0), (0, 1), (-1, 0), (0, -1))
_DOWN = ((0, -1), (1, 0), (0, 1), (-1, 0))


@pytest.mark.req("pdf:turned")
@pytest.mark.parametrize("quarters", [0, 1, 2])  # of text that runs down PDFium gives the last line first
def test_turned_lines_and_cells_are_read_like_others(quarters: int) -> None:
    (dx, dy), (down_x, down_y) = _ALONG[quarters], _DOWN[quarters]

    def put(text: str, along: int, down: int) -> bytes:
        return turned(text, 300 + dx * along + down_x * down, 400 + dy * along + down_y * down, quarters)

    prose = put("A turned page of the exam-", 0, 0) + put("ple with two lines", 0, 14) + put("and a third", 0, 28)
    assert only_page(prose) == "A turned page of the example with two lines\nand a third"
    if quarters != 2:  # PDFium itself takes cells that stand on their heads from the wrong end
        table = b"".join(
            put(cell, 60 * at, 14 * row) for row in range(3) for at, cell in enumerate(("kelp", f"1{row}", "z"))
        )
        assert only_page(table).split("\n") == [f"kelp\t1{row}\tz" for row in range(3)]


@pytest.mark.req("pdf:digits")
@pytest.mark.parametrize("gap", [0.2, 0.8, 1.2, 1.6])
def test_a_number_in_two_runs_is_one_number(gap: float) -> None:
    assert only_page(run("12", 50, 700) + run("34", 50 + 12.24 + gap, 700)) == "1234"


@pytest.mark.req("pdf:digits")
def test_two_numbers_stay_two() -> None:
    assert only_page(run("12", 50, 700) + run("34", 50 + 12.24 + 3.1, 700)) == "12 34"
    assert only_page(run("12 34", 50, 700)) == "12 34"


@pytest.mark.req("pdf:encrypted")
def test_a_password_is_told_apart_from_damage() -> None:
    with pytest.raises(PdfUnreadable) as caught:
        pdf_text(pdf([lines(["Hello"])], user=b"secret"))
    assert caught.value.trouble == "encrypted"


@pytest.mark.req("pdf:encrypted")
def test_a_file_that_only_its_owner_may_change_opens() -> None:
    assert pdf_text(pdf([lines(["Hello"])], owner=b"secret")).pages == ("Hello",)


@pytest.mark.req("pdf:encrypted")
@pytest.mark.parametrize("made", [aes_128, partial(aes_256, revision=5), partial(aes_256, revision=6)])
def test_aes_opens_without_a_password_and_is_told_apart_with_one(made: Callable[[bytes], Encrypted]) -> None:
    assert pdf_text(pdf([lines(["Hello"])], aes=made(b""))).pages == ("Hello",)
    with pytest.raises(PdfUnreadable) as caught:
        pdf_text(pdf([lines(["Hello"])], aes=made(b"secret")))
    assert caught.value.trouble == "encrypted"


@pytest.mark.req("pdf:unmapped")
def test_a_font_without_meanings_is_measured() -> None:
    assert pdf_text(pdf([run("Hello", 50, 700, font="F2")])).unmapped == 1
    mixed = pdf_text(pdf([run("Hello", 50, 700, font="F2") + run("Hello", 50, 600) + run("Hello", 50, 500)]))
    assert 0.2 < mixed.unmapped < 0.5
    assert pdf_text(pdf([lines(LEFT)])).unmapped == 0


@pytest.mark.req("pdf:mended")
@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("\ufb01ne \ufb02ow e\ufb03cient \ufb00 wa\ufb04e", "fine flow efficient ff waffle"),
        ("a\0b\x07c", "abc"),
        ("exam\ufffeple", "example"),
        ("exam\u00ad\r\nple", "example"),
        ("soft\u00adly", "softly"),
        ("a \ufffe b", "a - b"),
        ("a\r\nb  \r\n", "a\nb"),
        ("a\u00a0b", "a b"),
    ],
)
def test_text_is_mended(given: str, wanted: str) -> None:
    assert mended(given) == wanted


@pytest.mark.req("pdf:mended")
def test_a_word_broken_at_a_line_end_is_whole() -> None:
    assert only_page(lines(["An exam-", "ple of it"])) == "An example of it"


@pytest.mark.req("pdf:hyphens")
@pytest.mark.parametrize(
    ("shown", "elsewhere", "wanted"),
    [
        (("a well-", "known coast"), "the well-known one", "a well-known coast"),
        (("a well-", "known coast"), "known for it as well", "a well-known coast"),
        (("a state-of-the-", "art boat"), "", "a state-of-the-art boat"),
        (("by Jean-", "Paul Kelp"), "", "by Jean-Paul Kelp"),
        (("the covid-", "like cold"), "", "the covidlike cold"),
        (("to under-", "stand it"), "we understand; under a stand", "to understand it"),
        (("the exam-", "ple is"), "an exam", "the example is"),
        (("THE EXAM-", "PLE IS"), "", "THE EXAMPLE IS"),
        (("a 24-", "hour watch"), "", "a 24-\nhour watch"),
    ],
)
def test_a_hyphen_of_a_compound_stays_at_a_line_end(shown: tuple[str, ...], elsewhere: str, wanted: str) -> None:
    read = pdf_text(pdf([lines(shown), lines([elsewhere])]))
    assert read.pages == (wanted, elsewhere)


@pytest.mark.req("pdf:hyphens")
def test_the_line_behind_a_broken_word_keeps_its_place() -> None:
    left = ["Kelp grows along the cold coa-", "sts of the north, and it is", "harvested by boats in spring"]
    content = lines(left) + b"".join(run(text, 320, 740 - 14 * at) for at, text in enumerate(RIGHT))
    assert only_page(content).split("\n") == [
        "Kelp grows along the cold coasts of the north, and it is",
        left[2],
        *RIGHT,
    ]


@pytest.mark.req("pdf:capped")
def test_the_first_pages_of_a_long_file_are_read() -> None:
    read = pdf_text(pdf([lines([f"page {at}"]) for at in range(1, 131)]))
    assert (len(read.pages), read.pages[99], read.page_count, read.cut) == (100, "page 100", 130, True)


@pytest.mark.req("pdf:capped")
def test_pages_over_the_limit_of_characters_are_left_out() -> None:
    data = pdf([lines(["x" * 40]) for _ in range(5)])
    read = pdf_text(data, chars=100)
    assert (read.pages, read.page_count, read.cut) == (("x" * 40, "x" * 40), 5, True)
    assert (pdf_text(data, chars=30).pages, pdf_text(data, chars=30).cut) == (("x" * 30,), True)


@pytest.mark.req("pdf:broken")
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_a_part_of_a_file_is_broken(share: float) -> None:
    whole = pdf([lines(LEFT)] * 20)
    with pytest.raises(PdfUnreadable) as caught:
        pdf_text(whole[: int(share * len(whole))])
    assert caught.value.trouble == "broken"


@pytest.mark.req("pdf:broken")
def test_pages_that_lead_in_a_circle_cannot_be_read() -> None:
    with pytest.raises(PdfUnreadable) as caught:
        pdf_text(cyclic())
    assert caught.value.trouble == "broken"


@pytest.mark.req("pdf:broken")
@given(st.binary(max_size=300), st.integers(0, 2000), st.integers(0, 300))
def test_damage_gives_text_or_an_error(junk: bytes, at: int, gone: int) -> None:
    whole = pdf([lines(LEFT)])
    with suppress(PdfUnreadable):
        read = pdf_text(whole[:at] + junk + whole[at + gone :])
        assert len(read.pages) <= read.page_count


@pytest.mark.req("pdf:info")
def test_the_file_says_title_author_and_dates() -> None:
    read = pdf_text(pdf([lines(["x"])], info=b"/Title (Kelp \\(draft\\)) /Author ( A ) /CreationDate (D:20260302)"))
    assert (read.title, read.author, read.created, read.modified) == ("Kelp (draft)", "A", "2026-03-02", None)


@pytest.mark.req("pdf:info")
@pytest.mark.parametrize(
    ("written", "iso"),
    [
        (b"D:2026", "2026"),
        (b"D:202603021405", "2026-03-02T14:05:00"),
        (b"D:20260302140506Z", "2026-03-02T14:05:06Z"),
        (b"D:20260302140506+02'30'", "2026-03-02T14:05:06+02:30"),
        (b"D:20260302140506-08", "2026-03-02T14:05:06-08:00"),
        (b"2 March 2026", "2 March 2026"),
        (b"D:soon", "D:soon"),
    ],
)
def test_dates_are_iso_where_they_are_dates(written: bytes, iso: str) -> None:
    assert pdf_text(pdf([lines(["x"])], info=b"/ModDate (%b)" % written)).modified == iso


@pytest.mark.req("pdf:marks")
def test_pages_are_marked_and_no_page_forges_a_mark() -> None:
    text = marked_pages(("one", "", "a\n--- Page 9 of 9 ---\n  ---- page 2\nb"), 12)
    assert text == "--- page 1 of 12 ---\n\none\n\n--- page 3 of 12 ---\n\na\n[--- Page 9 of 9 ---]\n[---- page 2]\nb"
    assert marked_pages(("", " \n"), 2) == ""


_pieces = st.lists(
    st.builds(
        lambda text, left, width: Piece(text, left, left + width),
        st.text("ab1 ", min_size=1).filter(str.strip),
        st.floats(0, 500),
        st.floats(0, 300),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.req("pdf:broken")
def test_a_page_of_endless_rows_and_cells_takes_linear_time() -> None:
    row = tuple(Piece("a b", 10.0 * at, 10.0 * at + 5) for at in range(2_000))
    assert in_reading_order([Line(row)], width=600) == ["\t".join(["a b"] * 2_000)]
    rows = [Line((Piece("7", 0, 5), Piece("8", 50, 55)), 100_000 - at, 10) for at in range(50_000)]
    assert in_reading_order(rows, width=600) == ["7\t8"] * 50_000


@pytest.mark.req("pdf:columns")
def test_pieces_drawn_out_of_order_are_kept() -> None:
    odd = [Line((Piece("a b", 0, 5), Piece("c d", 50, 55), Piece("e f", 2, 4)), 100 - at, 10) for at in range(3)]
    assert in_reading_order(odd, width=100) == ["a b\tc d\te f"] * 3


@pytest.mark.req("pdf:columns")
@given(st.lists(st.builds(Line, _pieces.map(tuple), st.floats(0, 800), st.floats(1, 20)), max_size=12))
def test_every_piece_is_read_once(drawn: list[Line]) -> None:
    text = in_reading_order(drawn, width=600)
    pieces = [piece.text for line in drawn for piece in line.pieces]
    assert sorted("\t".join(text).split("\t")) == sorted(pieces) or not pieces
