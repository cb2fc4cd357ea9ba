"""Passages that hold a phrase, with the offsets at which they stand."""

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from webseam.content.finding import Found, Hit, find, passages, phrases_of
from webseam.content.folding import folded

TEXT = """# Kelp *farming*

A **permit** is needed: see [the harbour
office](https://site.test/office "Office") for it. Use `snake_case` or C# with \\*stars\\*.

> quoted over
> two lines

| item | price |
|---|---|
| Total | 42 |

Die STRA\u00dfE, cafe\u0301 and \ufb01n. \u6d77\u85fb
\u517b\u6b96 \u9700\u8981.
"""

# Why; phrase; what stands in the text.
MATCHES = [
    ("words", "is needed", ["is needed"]),
    ("letter case", "A PERMIT IS", ["A **permit** is"]),
    ("through emphasis", "kelp farming", ["Kelp *farming"]),
    ("over a line break", "see the harbour office", ["see [the harbour\noffice"]),
    ("through a link", "office for it", ['office](https://site.test/office "Office") for it']),
    ("white space of any kind", "  needed:\t see ", ["needed: see"]),
    ("over quotation marks", "quoted over two lines", ["quoted over\n> two lines"]),
    ("cells of a table", "total 42", ["Total | 42"]),
    ("a table as it is written", "| Total | 42 |", ["| Total | 42 |"]),
    ("signs count where they are asked for", "C#", ["C#"]),
    ("an underscore counts", "snake_case", ["snake_case"]),
    ("an escape", "*stars*", ["*stars\\*"]),
    ("the target of a link", "site.test/office", ["site.test/office"]),
    ("case folding that is longer", "strasse", ["STRA\u00dfE"]),
    ("a ligature", "fin.", ["\ufb01n."]),
    ("composed letters", "caf\u00e9 and", ["cafe\u0301 and"]),
    ("scripts without spaces", "\u6d77\u85fb\u517b\u6b96\u9700\u8981", ["\u6d77\u85fb\n\u517b\u6b96 \u9700\u8981"]),
    ("emphasis as it is written", "**permit**", ["**permit**"]),
    ("marks that the text has not", "a *permit*", ["A **permit"]),
    ("nothing", "seaweed", []),
    ("no part of it", "permits", []),
    ("signs alone", "***", []),
]


@pytest.mark.req("content:find:match")
@pytest.mark.parametrize(("phrase", "expected"), [row[1:] for row in MATCHES], ids=[row[0] for row in MATCHES])
def test_a_phrase_matches_what_a_reader_would_call_the_same(phrase: str, expected: list[str]) -> None:
    found = find(TEXT, [phrase])
    assert [
        TEXT[hit.start : hit.end].lstrip("*") if phrase[0] != "*" else TEXT[hit.start : hit.end] for hit in found.hits
    ] == expected
    assert found.totals == (len(expected),)


KEYBOARD = [
    ("don't", "I don\u2019t know", "don\u2019t"),
    ("don\u2019t", "I don't know", "don't"),
    ("o'clock", "six o\u02bcclock", "o\u02bcclock"),
    ('said "yes"', "He said \u201cyes\u201d then", "said \u201cyes\u201d"),
    ('"hallo"', "\u201eHallo\u201c", "\u201eHallo\u201c"),
    ('"bonjour"', "\u00abBonjour\u00bb", "\u00abBonjour\u00bb"),
    ("1914-1918", "war 1914\u20131918", "1914\u20131918"),
    ("a - b", "a \u2014 b", "a \u2014 b"),
    ("non-stop", "non\u2011stop", "non\u2011stop"),
    ("-5 \u00b0C", "\u22125 \u00b0C", "\u22125 \u00b0C"),
    ("wait... what", "wait\u2026 what", "wait\u2026 what"),
    ("wait\u2026 what", "wait... what", "wait... what"),
    ("5' 10\"", "5\u2032 10\u2033", "5\u2032 10\u2033"),
    ("h2o", "H\u2082O", "H\u2082O"),
    ("x2", "x\u00b2", "x\u00b2"),
    ("x2", "x^2", "x^2"),
    ("ABC 1", "\uff21\uff22\uff23 \uff11", "\uff21\uff22\uff23 \uff11"),
    ("istanbul", "\u0130stanbul", "\u0130stanbul"),
    ("i\u0307stanbul", "\u0130STANBUL", "\u0130STANBUL"),
    ("\u0131sparta", "Isparta", "Isparta"),
    ("see https://a.test/b now", "see <https://a.test/b> now", "see <https://a.test/b> now"),
]


@pytest.mark.req("content:find:keyboard")
@pytest.mark.parametrize(("phrase", "text", "expected"), KEYBOARD, ids=range(len(KEYBOARD)))
def test_signs_match_as_a_keyboard_has_them(phrase: str, text: str, expected: str) -> None:
    for around in ("{}", "caf\u00e9 {} end", "cafe\u0301 \u2026 {} \u00df"):
        whole = around.format(text)
        assert [whole[hit.start : hit.end] for hit in find(whole, [phrase]).hits] == [expected]


# Text; a phrase over two blocks of it, or over what a reader skips.
BLOCKS = [
    ("- one\n- two", "one two"),
    ("+ one\n+ two", "one two"),
    ("1. one\n2. two", "one two"),
    ("> - one\n> - two", "one two"),
    ("- [ ] one\n- [x] two", "one two"),
    ("* [ ] one\n* [x] two", "one two"),
    ("| one |\n| :--- |\n| two |", "one two"),
    ("one\n===\n\ntwo", "one two"),
    ("one\n\n---\n\ntwo", "one two"),
    ("one\\\ntwo", "one two"),
    ("one[\\[1\\]](https://a.test/p#c1) two", "one two"),
    ("one.[\\[note 3\\]](#n3)[\\[4\\]](#n4) Two", "one. two"),
]


@pytest.mark.req("content:find:blocks")
@pytest.mark.parametrize(("text", "phrase"), BLOCKS, ids=range(len(BLOCKS)))
def test_a_phrase_is_found_over_what_stands_between_blocks(text: str, phrase: str) -> None:
    found = find(f"before\n\n{text}\n\nafter", [phrase])
    (hit,) = found.hits
    assert (hit.start, hit.end) == (8 + text.index("one"), 8 + text.lower().index("two") + 3)
    assert find(f"{text}\n\n- {phrase}", [phrase]).totals == (1 + ("\\\n" in text),)


WORDS = [
    "kelp",
    "Kelp ",
    "a",
    " ",
    "\n",
    "\n\n",
    "*",
    "_",
    "`",
    "# ",
    "[a](u)",
    "|",
    "\\",
    "- ",
    "\t",
    "\u00df",
    "e\u0301",
    "\u2019",
    "\u2026",
    "1. ",
    "<",
]
PHRASES = ["kelp", "a", "aa", "kelp a", "a kelp", "*a", "a_a", "\u00e9", "\u6d77 \u6d77"]
texts = st.lists(st.sampled_from([*WORDS, "\u00df", "e\u0301", "\u6d77"]), max_size=50).map("".join)


def naive(text: str, phrase: str, start: int) -> list[int]:
    """Where a phrase stands, by looking at each place: letter case and white space aside."""
    wanted = r"\s+".join(re.escape(word) for word in phrase.split())
    return [at for at in range(start, len(text)) if re.compile(wanted, re.IGNORECASE).match(text, at)]


@pytest.mark.req("content:find:every-hit")
@settings(max_examples=300)
@given(
    texts,
    st.lists(
        st.sampled_from(["kelp", "a", "aa", "kelp a", "a kelp", "*a", "a_a", "u", "a - a", "a.", "1. a", "a\u2019a"]),
        min_size=1,
        max_size=3,
    ),
)
@example("kelp * a", ["kelp a"])
@example("a" * 9, ["aa"])
def test_every_place_that_a_naive_search_finds_is_in_a_hit(text: str, phrases: list[str]) -> None:
    found = find(text, phrases)
    for number, phrase in enumerate(phrases):
        mine = [hit for hit in found.hits if hit.phrase == number]
        assert found.totals[number] == len(mine)
        for at in naive(text, phrase, 0):
            assert any(hit.start <= at < hit.end for hit in mine), (text, phrase, at)


@pytest.mark.req("content:find:every-hit")
@given(texts, st.integers(0, 60))
def test_looking_from_an_offset_on_leaves_out_what_begins_before(text: str, start: int) -> None:
    whole, later = find(text, ["kelp"]), find(text, ["kelp"], start=start)
    assert later.hits == tuple(hit for hit in whole.hits if hit.start >= start)
    assert later.totals == (len(later.hits),)


@pytest.mark.req("content:find:passages")
@settings(max_examples=300)
@given(texts, st.integers(1, 60), st.integers(0, 40))
def test_every_hit_begins_in_one_passage_and_passages_stand_in_order(text: str, size: int, low: int) -> None:
    found = find(text, ["kelp", "a"], start=low)
    made = passages(text, found.hits, size=size, low=low)
    assert [hit for one in made for hit in one.hits] == list(found.hits)
    assert all(low <= one.start < one.end <= min(len(text), one.start + size) for one in made)
    assert all(one.start <= hit.start < one.end for one in made for hit in one.hits)
    assert all(one.end <= other.start for one, other in pairwise(made))


@pytest.mark.req("content:find:passages")
def test_a_passage_is_the_paragraph_or_the_lines_around_the_match() -> None:
    short = "before\n\nthe kelp grows\nfast\n\nafter"
    (one,) = passages(short, find(short, ["kelp"]).hits, size=100)
    assert short[one.start : one.end] == "the kelp grows\nfast"
    long = "\n".join(f"line {number} of the log" for number in range(100))
    (one,) = passages(long, find(long, ["line 50 of"]).hits, size=100)
    assert "line 50 of the log\n" in long[one.start : one.end]
    assert long[one.start - 1] == "\n"
    assert long[one.end - 1] == "\n"


@pytest.mark.req("content:find:passages")
def test_a_heading_brings_the_paragraph_behind_it_where_that_fits() -> None:
    text = "before\n\n## Kelp\n\ngrows fast\n\nafter"
    hits = find(text, ["kelp"]).hits
    assert [text[one.start : one.end] for one in passages(text, hits, size=100)] == ["## Kelp\n\ngrows fast"]
    assert [text[one.start : one.end] for one in passages(text, hits, size=10)] == ["## Kelp"]
    assert [one.end for one in passages(text[:26], hits, size=100)] == [26]


@pytest.mark.req("content:find:passages")
def test_a_passage_is_not_cut_inside_a_link_beside_the_match() -> None:
    text = "words " * 20 + "kelp " + "[a long link text](https://site.test/a-long-path) " * 20
    (one, *_) = passages(text, find(text, ["kelp"]).hits, size=150)
    shown = text[one.start : one.end]
    assert shown.count("[") == shown.count("](") == shown.count(")")


@pytest.mark.req("content:find:phrases")
def test_phrases_stand_one_a_line() -> None:
    assert phrases_of(" kelp  farming \n\npermit\r\nkelp farming\n") == ("kelp farming", "permit")
    assert phrases_of(" \n ") == ()


@pytest.mark.req("content:find:every-hit")
def test_of_very_many_places_the_first_are_located_and_all_counted() -> None:
    text = "a b " * 5_000
    found = find(text, ["a", "nothing", "b"])
    assert found.totals == (5_000, 0, 5_000)
    assert [hit.start for hit in found.hits] == list(range(0, 2 * len(found.hits), 2))
    assert 2_000 < len(found.hits) <= 4_000
    rest = find(text, ["a", "nothing", "b"], start=found.hits[-1].end)
    assert rest.totals[0] + rest.totals[2] == 10_000 - len(found.hits)


@pytest.mark.req("content:find:match")
def test_every_character_whose_folding_is_longer_is_a_part_of_its_own() -> None:
    for code in range(0x110000):
        char = chr(code)
        if len(char.casefold()) > 1:
            one = folded(f"a{char}b", readable=True)
            assert one.span(1, len(one.text) - 1) == (1, 2), hex(code)


@pytest.mark.req("content:find:linear")
@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "](a",
        "e\u0301",
        "* ",
        "\n",
        "\\",
        "](<",
        " ",
        "a",
        "*\u0301",
        "\u1100\u1161",
        "](a(",
        "\n- ",
        "1.",
        "\n|-",
        "[\\[",
        "[\\[1\\]](",
        "\u2026",
        "\u2019\u2013",
    ],
    ids=ascii,
)
def test_hostile_texts_are_searched_in_bounded_time(piece: str) -> None:
    text = piece * (500_000 // len(piece))
    found = find(text, ["a b", "a" * 500 + "b"])
    assert isinstance(found, Found)
    assert all(isinstance(hit, Hit) for hit in found.hits)
