"""Estimates of tokens: additive, by script, and on the costly side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.content.tokens import estimated_tokens, fitting

# Text; tokens in the vocabularies of about 100,000 entries that hosts' models use, or more where those differ.
KNOWN = [
    ("The quick brown fox jumps over the lazy dog.", 10),
    ("Farming kelp needs a permit from the harbour office, which takes about three weeks.", 17),
    ("2026-11-30", 6),
    ("| a | b |\n|---|---|\n| 1 | 2 |\n", 17),
    ("\u6d77\u85fb\u517b\u6b96\u9700\u8981\u8bb8\u53ef\u8bc1", 12),
    ("\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440", 6),
]


@pytest.mark.req("content:tokens:estimate")
@pytest.mark.parametrize(("text", "tokens"), KNOWN)
def test_the_estimate_is_not_below_what_tokenisers_make_and_not_far_above(text: str, tokens: int) -> None:
    assert tokens <= estimated_tokens(text) <= 3 * tokens


@pytest.mark.req("content:tokens:estimate")
def test_prose_takes_three_to_four_characters_a_token_and_han_about_one() -> None:
    prose = "Farming kelp needs a permit from the harbour office. It takes about three weeks to get one. " * 50
    assert 3 < len(prose) / estimated_tokens(prose) < 4.2
    han = "\u6d77\u85fb\u517b\u6b96" * 100
    assert 0.7 < len(han) / estimated_tokens(han) <= 1


@pytest.mark.req("content:tokens:fit")
@given(st.text(), st.text())
def test_two_texts_joined_are_estimated_at_most_as_both(one: str, other: str) -> None:
    assert estimated_tokens(one + other) <= estimated_tokens(one) + estimated_tokens(other)


@pytest.mark.req("content:tokens:fit")
@given(st.text(max_size=60), st.integers(0, 30), st.integers(0, 20), st.integers(0, 60))
def test_what_fits_is_as_much_as_fits(text: str, tokens: int, start: int, most: int) -> None:
    size = fitting(text, tokens, start=start, most=most)
    rest = text[start:]
    assert size <= min(len(rest), most)
    assert estimated_tokens(rest[:size]) <= tokens
    if size < min(len(rest), most):
        assert tokens == 0 or estimated_tokens(rest[: size + 1]) > tokens
