"""Windows over a long text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webseam.content.paging import Window, cut

PIECES = [
    "a",
    "word ",
    "\n",
    "\n\n",
    "```\n",
    "- x\n",
    "| a | b |\n",
    "|---|---|\n",
    "# A\n",
    "[t](u) ",
    "\r\n",
    "e\u0301",
    "\U0001f469\u200d\U0001f4bb",
    "\u2764\ufe0f",
    "\U0001f1e9\U0001f1ea",
    "\ud83d",
    "\ude00",
    " ",
    "~~~~\n",
]
texts = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


def windows(text: str, limit: int) -> list[str]:
    parts, offset = [], 0
    while True:
        window = cut(text, offset=offset, limit=limit)
        parts.append(text[window.start : window.end])
        if window.next_offset is None:
            return parts
        assert window.next_offset > offset
        offset = window.next_offset


@pytest.mark.req("content:paging:exact")
@given(texts, st.integers(1, 40))
@example("a" * 100, 7)
@example("", 1)
def test_following_the_offsets_reaches_every_character_once(text: str, limit: int) -> None:
    parts = windows(text, limit)
    assert "".join(parts) == text
    assert all(len(part) <= limit for part in parts)
    assert all(parts) or not text


@pytest.mark.req("content:paging:exact")
@given(texts, st.integers(0, 200), st.integers(1, 40))
def test_any_offset_is_taken_as_given(text: str, offset: int, limit: int) -> None:
    window = cut(text, offset=offset, limit=limit)
    assert window.start == min(offset, len(text))
    assert window.total == len(text)
    assert (window.next_offset is None) == (window.end == len(text))


@pytest.mark.req("content:paging:end")
def test_nothing_is_offered_at_the_exact_end() -> None:
    assert cut("x" * 5_000, offset=0, limit=5_000) == Window(start=0, end=5_000, total=5_000, next_offset=None)
    assert cut("x" * 5_000, offset=5_000, limit=5_000) == Window(start=5_000, end=5_000, total=5_000, next_offset=None)
    assert cut("x", offset=99, limit=5) == Window(start=1, end=1, total=1, next_offset=None)
    assert cut("", offset=0, limit=5) == Window(start=0, end=0, total=0, next_offset=None)


@pytest.mark.req("content:paging:end")
@pytest.mark.parametrize(("offset", "limit"), [(-1, 5), (0, 0), (0, -1)])
def test_an_impossible_window_is_an_error(offset: int, limit: int) -> None:
    with pytest.raises(ValueError, match="at least"):
        cut("text", offset=offset, limit=limit)


# Why; text; limit; where the first window ends.
BOUNDARIES = [
    ("a blank line", "one two\n\nthree four five", 14, "one two\n\n"),
    ("a blank line of CRLF", "one two\r\n\r\nthree four five", 14, "one two\r\n\r\n"),
    ("the last of several", "a\n\nb\n\nc\n\nd", 7, "a\n\nb\n\n"),
    ("a line", "row one\nrow two and more", 12, "row one\n"),
    (
        "a line in the second half before a blank one in the first",
        "a\n\n" + "b" * 20 + "\n" + "c" * 20,
        30,
        "a\n\n" + "b" * 20 + "\n",
    ),
    ("a table row whole", "| a | b |\n| c | d |\n| e | f |", 25, "| a | b |\n| c | d |\n"),
    ("a space", "one two three four", 9, "one two "),
    ("before a link", "words and [a link](https://site.test/x) end", 25, "words and "),
    ("before a picture", "words and ![a pic](https://site.test/x) end", 25, "words and "),
    ("behind a link", "[a link](https://site.test/x) and then some", 36, "[a link](https://site.test/x) and "),
    ("before a link with a picture in it", "intro text [![a b](i) c d](u) end here", 20, "intro text "),
    ("before a link with a space in its target", "words and [a](<https://site.test/x y>) end", 32, "words and "),
    ("before a link where no space is", "x" * 12 + "[a](https://site.test/x)" + "y" * 9, 25, "x" * 12),
    ("before a code block that fits", "some text\n\n```\ncode\n\ncode\n```\nend", 25, "some text\n\n"),
    ("behind a code block", "```\ncode\n```\n\nsome text that is longer", 20, "```\ncode\n```\n\n"),
    ("a line inside a code block that is too long", "```\n" + "code\n" * 20 + "```\n", 33, "```\n" + "code\n" * 5),
    ("a fence inside a longer fence is code", "a\n\n````\n```\n\nx\n\n```\n````\nend", 20, "a\n\n"),
    ("one long word", "x" * 50, 20, "x" * 20),
]


@pytest.mark.req("content:paging:boundary")
@pytest.mark.parametrize(
    ("text", "limit", "first"), [row[1:] for row in BOUNDARIES], ids=[row[0] for row in BOUNDARIES]
)
def test_a_window_ends_where_a_reader_would_stop(text: str, limit: int, first: str) -> None:
    assert text[: cut(text, offset=0, limit=limit).end] == first


@pytest.mark.req("content:paging:boundary")
def test_a_window_that_starts_in_a_code_block_knows_that_it_does() -> None:
    text = "```\n" + "code\n\n" * 30 + "```\n\nafter the code block there is prose"
    window = cut(text, offset=100, limit=110)
    assert text[: window.end].endswith("```\n\n")


CLUSTERS = [
    "\r\n",
    "e\u0301",
    "e" + "\u0301" * 10,
    "\u2764\ufe0f",
    "\u845b\U000e0100",
    "\U0001f469\u200d\U0001f4bb",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f44d\U0001f3fd",
    "\U0001f1e9\U0001f1ea",
    "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    "\u0915\u094d\u200d\u0937",
    "\u0915\u094d\u0937",
    "\u1112\u1161\u11ab",
    "\ud83d\ude00",
    "\uff76\uff9e",
]


@pytest.mark.req("content:paging:characters")
@pytest.mark.parametrize("cluster", CLUSTERS, ids=ascii)
@pytest.mark.parametrize("before", [0, 1, 2, 3])
def test_a_character_is_never_split(cluster: str, before: int) -> None:
    text = "x" * 20 + cluster * 4 + "y" * 20
    ends = {20 + len(cluster) * n for n in range(5)} | set(range(20)) | set(range(20 + 4 * len(cluster), len(text) + 1))
    for limit in range(15 + before, len(text), 4):
        assert cut(text, offset=0, limit=limit).end in ends


@pytest.mark.req("content:paging:exact")
@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "[" * 300_000,
        "`" * 300_000,
        "\u0301" * 300_000,
        "[a](" * 75_000,
        "```\n" * 75_000,
        " [" * 150_000,
        "\U0001f1e9" * 100_000,
    ],
)
def test_hostile_texts_are_cut_in_bounded_time(text: str) -> None:
    assert "".join(windows(text, 20_000)) == text


@pytest.mark.req("content:paging:linear")
@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "line", ["~~~ " * 1_250_000, "- " * 1_000_000 + "```a " * 400_000], ids=["fences", "list marks"]
)
def test_a_line_of_fences_is_looked_through_once(line: str) -> None:
    window = cut(line, offset=len(line) - 50_000, limit=1_000)
    assert (window.end - window.start, window.next_offset) == (1_000, window.end)


LEADS = [
    ("a heading", "one two\n\n## Head\n\nthree four five six", 24, "one two\n\n"),
    ("headings upon each other", "one two\n\n# A\n\n## B\n\nthree four five six", 22, "one two\n\n"),
    ("the head of a table", "one two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", 32, "one two\n\n"),
    (
        "a heading with text behind it",
        "one two\n\n## Head\n\nthree\n\nfour five",
        28,
        "one two\n\n## Head\n\nthree\n\n",
    ),
    ("an underlined heading", "one two\n\nHead\n====\n\nthree four five six", 24, "one two\n\n"),
    ("a heading under a line", "one two\n\nHead\n---\nthree four five six", 20, "one two\n\n"),
    ("a rule", "one two\n\n---\n\nthree four five six", 15, "one two\n\n---\n\n"),
    ("the mark of a page", "one two\n\n--- page 2 of 3 ---\n\nthree four five", 33, "one two\n\n"),
    ("a heading that is all", "## Head\n\nthree four five six", 12, "## Head\n\n"),
    ("a row of a table", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n", 35, "| a | b |\n|---|---|\n| 1 | 2 |\n"),
]


@pytest.mark.req("content:paging:leads")
@pytest.mark.parametrize(("text", "limit", "first"), [row[1:] for row in LEADS], ids=[row[0] for row in LEADS])
def test_no_heading_is_left_behind_at_the_end_of_a_window(text: str, limit: int, first: str) -> None:
    assert text[: cut(text, offset=0, limit=limit).end] == first


BLOCKS = [
    "## A heading\n\n",
    "A paragraph with [a link](https://site.test/path) in it.\n\n",
    "| a | b |\n|---|---|\n| one cell | [x](https://site.test/a) |\n| `c` | d |\n\n",
    "```python\ndef f():\n\n    return 1\n```\n\n",
    "- an item\n- another one\n\n",
    "> a quotation of\n> two lines\n\n",
    "\u6d77\u85fb\u517b\u6b96\u3002\n\n",
]


@pytest.mark.req("content:paging:boundary", "content:paging:leads")
@given(st.lists(st.sampled_from(BLOCKS), max_size=40).map("".join), st.integers(200, 400))
def test_of_a_text_of_small_blocks_every_window_ends_between_rows_fences_and_links(text: str, limit: int) -> None:
    parts = windows(text, limit)
    assert "".join(parts) == text
    for part in parts[:-1]:
        assert part.endswith("\n")
        assert part.count("```") % 2 == 0
        assert part.count("[") == part.count("](")
        assert not part.rstrip().split("\n")[-1].startswith(("#", "|---"))
