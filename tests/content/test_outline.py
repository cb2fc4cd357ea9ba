"""Headings of Markdown with their offsets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.content.outline import Heading, outline, path_at, upper


def told(text: str) -> list[tuple[int, str]]:
    return [(one.level, one.title) for one in outline(text)]


# Why; Markdown; levels and titles.
CASES = [
    ("levels", "# A\n\n## B\n\ntext\n\n###### F", [(1, "A"), (2, "B"), (6, "F")]),
    ("seven signs are text", "####### A", []),
    ("no space is text", "#A\n\n#5", []),
    ("closing signs", "## A ##\n\n# C#\n\n### #", [(2, "A"), (1, "C#")]),
    ("up to three spaces", "   # A\n\n    # B", [(1, "A")]),
    ("underlined", "Kelp farming\n===\n\nPermits\n---\n\ntext", [(1, "Kelp farming"), (2, "Permits")]),
    ("a rule is none", "text\n\n---\n\ntext\n\n***\n", []),
    ("a row of a table is none", "| a |\n|---|\n| b |\n---\n", []),
    ("a list item is none", "- a\n---\n\n1. b\n---\n", []),
    ("front matter is none", "---\ntitle: x\n---\n\n# A\n", [(1, "A")]),
    ("code", "```\n# no\n```\n\n# A\n\n~~~sh\n# no\n\nno\n===\n~~~\n\n## B", [(1, "A"), (2, "B")]),
    ("a shorter fence in code", "````\n```\n# no\n````\n# A", [(1, "A")]),
    ("a span of code is no fence", "``` a ``` b\n\n# A", [(1, "A")]),
    ("a fence with words closes nothing", "```\n``` x\n# no\n```\n# A", [(1, "A")]),
    ("a list mark before a fence closes nothing", "```\n- ```\n# no\n```\n# A", [(1, "A")]),
    ("a quotation's fence closes nothing", "```\n> ```\n# no\n```\n# A", [(1, "A")]),
    ("a fence set in as code closes nothing", "```\n    ```\n# no\n```\n# A", [(1, "A")]),
    ("code in a list", "- ```\n  # no\n  ```\n# A\n1. ~~~\n   # no\n   ~~~\n# B", [(1, "A"), (1, "B")]),
    ("code in a quotation", "> - ```\n>   a\n>   ```\n\n# A", [(1, "A")]),
    ("code that never ends", "# A\n```\n# no\n", [(1, "A")]),
    ("marks", "# *A* `b_c` **d** \\[e\\] snake_case", [(1, "A b_c d [e] snake_case")]),
    ("a link", '## [The guide](https://site.test/a_(b) "T") now', [(2, "The guide now")]),
    ("empty", "#\n\n##  \n\ntext", []),
    ("pages", "--- page 1 of 2 ---\n\na\n\n--- page 2 of 2 ---\n\nb", [(1, "page 1 of 2"), (1, "page 2 of 2")]),
    ("headings before pages", "--- page 1 of 2 ---\n\n# A", [(1, "A")]),
]  # fmt: skip


@pytest.mark.req("content:outline:headings")
@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_headings_are_what_a_reader_sees_as_such(text: str, expected: list[tuple[int, str]]) -> None:
    assert told(text) == expected


@pytest.mark.req("content:outline:offsets")
@given(st.lists(st.sampled_from(["# A\n", "B\n===\n", "text\n", "\n", "```\n", "  ## C c\n", "--- page 1 of 1 ---\n"])))
def test_each_offset_is_where_a_line_with_the_title_begins(pieces: list[str]) -> None:
    text = "".join(pieces)
    last = -1
    for one in outline(text):
        assert one.offset > last
        assert one.offset == 0 or text[one.offset - 1] == "\n"
        assert one.title in text[one.offset :].partition("\n")[0]
        last = one.offset


HEADINGS = outline("# A\n\n## B\n\n### C\n\n## D\n\n# E\n")


@pytest.mark.req("content:outline:path")
def test_a_path_names_the_headings_that_a_place_is_under() -> None:
    ends = [one.offset + 3 for one in HEADINGS]
    assert [path_at(HEADINGS, end) for end in ends] == [("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]
    assert path_at(HEADINGS, HEADINGS[2].offset) == ("A", "B", "C")
    assert path_at(outline("text\n\n# A"), 0) == ()


@pytest.mark.req("content:outline:path")
def test_a_place_behind_the_last_heading_looked_at_is_under_none() -> None:
    headings = outline("# A\n" * 30_000)
    assert len(headings) == 20_000
    assert path_at(headings, headings[-1].offset) == ("A",)
    assert path_at(headings, headings[-1].offset + 4) == ()


@pytest.mark.req("content:outline:upper")
@pytest.mark.parametrize(("most", "titles"), [(9, "ABCDE"), (5, "ABCDE"), (4, "ABDE"), (3, "AE"), (1, "A"), (0, "")])
def test_the_upper_levels_that_fit_are_kept_whole(most: int, titles: str) -> None:
    assert "".join(one.title for one in upper(HEADINGS, most=most)) == titles
    assert upper((), most=1) == ()


@pytest.mark.req("content:outline:headings")
@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    ["#\n" * 300_000, "# \n" * 200_000, "a\n-\n" * 150_000, "```\n" * 200_000, " " * 500_000, "# [" + "[" * 300_000],
)
def test_hostile_texts_end_in_bounded_time(text: str) -> None:
    assert all(isinstance(one, Heading) for one in outline(text))
