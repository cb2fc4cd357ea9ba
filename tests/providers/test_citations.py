"""Marks in an answer: where the vendor's offsets say, and nothing else of the answer changes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.providers.wires.citations import Edit, edited, is_marker, mark, pointed, remarked
from webseam.providers.wires.gemini_marks import SUPPORTS, marked

PAGE = "https://kelp.example/p"
TEXTS = st.text(st.sampled_from("ab å🌿\n.[]()"), max_size=30)
OFFSETS = st.integers(-3, 140) | st.none() | st.just("7")


@pytest.mark.req("search:citations:placed")
@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://kelp.example/", "[1](https://kelp.example/)"),
        ("https://kelp.example/a_(b)?q=<c d>", "[1](https://kelp.example/a_%28b%29?q=%3Cc%20d%3E)"),
        ("https://kelp.example/a\\b", "[1](https://kelp.example/a%5Cb)"),
    ],
)
def test_a_url_cannot_end_its_own_mark(url: str, shown: str) -> None:
    assert mark(1, url) == shown


@pytest.mark.req("search:citations:placed")
@pytest.mark.parametrize(
    "span",
    [
        f"([kelp.example]({PAGE}))",
        f" ([kelp.example]({PAGE}?utm_source=openai))",
        f"[Permits (2026)]({PAGE})",
        f"[[1]]({PAGE})",
        "【1†source】",
        "【3:0†kelp.md】 ",
    ],
)
def test_a_vendors_own_pointer_is_known_in_each_of_its_forms(span: str) -> None:
    assert is_marker(span, PAGE)


@pytest.mark.req("search:citations:kept")
@pytest.mark.parametrize(
    "span",
    [
        "",
        "Kelp grows.",
        "[1]",
        f"Kelp grows [1]({PAGE})",
        f"[1]({PAGE}) and so on",
        f"([a](https://sea.example/), [b]({PAGE}))",
        "[other](https://sea.example/)",
        f"({PAGE})",
        "【1】 grows 【2】",
        f"[cut]({PAGE}",
    ],
)
def test_a_span_that_says_more_than_where_is_no_pointer(span: str) -> None:
    assert not is_marker(span, PAGE)


@pytest.mark.req("search:citations:kept")
def test_an_edit_that_overlaps_or_leaves_the_text_is_left_out() -> None:
    edits = [Edit(start=4, end=6, text="B"), Edit(start=0, end=5, text="A"), Edit(start=8, end=99, text="C")]

    assert edited("0123456789", edits) == "A56789"
    assert edited("0123456789", [Edit(start=6, end=4, text="odd"), Edit(start=10, end=10, text="!")]) == "0123456789!"


@pytest.mark.req("search:citations:kept")
@given(text=TEXTS, cuts=st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=6))
def test_marks_set_between_characters_take_none_away(text: str, cuts: list[tuple[int, int]]) -> None:
    edits = [Edit(start=at, end=at, text="\x00") for at, _ in cuts]

    assert edited(text, edits).replace("\x00", "") == text


@pytest.mark.req("search:citations:placed")
def test_marks_are_exchanged_at_once_and_not_one_after_the_other() -> None:
    exchange = {"[1](a)": "[2](b)", "[2](b)": "[1](a)", "[3](c)": "[1](a)", "[4](d)": ""}

    assert remarked("A [1](a) B [2](b) [3](c) C [4](d). [5](e) [6]", exchange) == "A [2](b) B [1](a) C. [5](e) [6]"


@pytest.mark.req("search:citations:kept")
@given(text=TEXTS)
def test_a_text_without_marks_is_not_touched(text: str) -> None:
    assert remarked(text, {"[1](a)": "", "[2](b)": "[1](a)"}) == text


@pytest.mark.req("search:citations:placed")
@pytest.mark.parametrize(("before", "after"), [("", ""), (" ", ""), ("", " "), (" ", "\n")])
def test_the_space_around_a_pointer_stays_when_a_mark_takes_its_place(before: str, after: str) -> None:
    span = f"{before}([kelp.example]({PAGE})){after}"
    cited = {"url": f"{PAGE}?utm_source=openai", "start_index": 5, "end_index": 5 + len(span)}

    assert pointed(f"🌿Kelp{span}grows.", [cited], {PAGE: 1}) == f"🌿Kelp{before}[1]({PAGE}){after}grows."


def support(text: str | None, start: object, end: object, *chunks: object, part: object = None) -> dict[str, object]:
    segment = {"text": text, "startIndex": start, "endIndex": end, "partIndex": part}
    named = {name: value for name, value in segment.items() if value is not None}
    return {"segment": named, "groundingChunkIndices": list(chunks)}


MARKS = {0: "[1](a)", 1: "[2](b)"}


@pytest.mark.req("search:google:marks")
@pytest.mark.parametrize(
    ("texts", "supports", "shown"),
    [
        (["Tång växer."], [support("Tång växer.", None, 13, 0)], "Tång växer. [1](a)"),
        (["🌿 grows. More."], [support("🌿 grows.", 0, 11, 0, 1)], "🌿 grows. [1](a) [2](b) More."),
        (["Kelp. ", "Sea."], [support("Sea.", 0, 4, 1, part=1)], "Kelp. Sea. [2](b)"),
        (["Kelp. ", "Sea."], [support("Sea.", 6, 10, 1)], "Kelp. Sea. [2](b)"),  # offsets in the whole text
        (["Kelp grows."], [support(None, 0, 4, 0)], "Kelp [1](a) grows."),
        (["Kelp grows.\n\nMore."], [support("Kelp grows.\n\n", 0, 13, 0)], "Kelp grows. [1](a)\n\nMore."),
        (["Kelp grows."], [support("grows.", 1, 3, 0)], "Kelp grows. [1](a)"),  # off, but told only once
        (["aXa"], [support("a", 1, 2, 0)], "aXa"),  # off, and told twice
        (["Kelp"], [support("other", 0, 4, 0), support(None, 0, 99, 0), support(None, 0, None, 0)], "Kelp"),
        (["Kelp"], [support("Kelp", 0, 4, 7, "0", None, True), None, "odd", {"segment": []}], "Kelp"),
        (["Kelp"], [support("Kelp", 0, 4, 0), support("Kelp", 0, 4, 0, 1)], "Kelp [1](a) [2](b)"),
        (["å"], [support(None, 0, 1, 0)], "å [1](a)"),  # an offset inside a character
        (["e\u0301 x"], [support(None, 0, 1, 0)], "e\u0301 [1](a) x"),  # and before the accent of one
        (["👩🏽\u200d🌾 x"], [support(None, 0, 4, 0)], "👩🏽\u200d🌾 [1](a) x"),  # and inside an emoji
        (["👩🏽\u200d🌾 x"], [support(None, 0, 11, 0)], "👩🏽\u200d🌾 [1](a) x"),
        (["海藻。"], [support("海藻", 0, 6, 0)], "海藻 [1](a)。"),
    ],
)
def test_marks_stand_behind_what_their_chunks_support(texts: list[str], supports: list[object], shown: str) -> None:
    assert marked(texts, supports, MARKS) == shown


@pytest.mark.req("search:google:marks")
@given(
    texts=st.lists(TEXTS, max_size=3),
    supports=st.lists(st.builds(support, TEXTS | st.none(), OFFSETS, OFFSETS, st.integers(0, 3), part=OFFSETS)),
)
def test_whatever_the_offsets_say_no_character_of_the_answer_changes(texts: list[str], supports: list[object]) -> None:
    shown = marked(texts, supports, {0: "\x00", 1: "\x01"})

    assert re.sub(" [\x00\x01]", "", shown) == "".join(texts)


@pytest.mark.req("search:google:marks")
def test_only_so_many_supports_are_placed() -> None:
    supports = [support("Kelp", 0, 4, 0)] * SUPPORTS + [support("Kelp", 0, 4, 1)]

    assert marked(["Kelp"], supports, MARKS) == "Kelp [1](a)"
