"""`webseam fetch` of a part: windows that join, passages that match, the outline; on the demo's site."""

from collections.abc import Iterator

import pytest

from support.cli import Shell
from support.demo import demo_web

LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'
LONG = "/log/tides.html"
# Path; characters of a window.
PAGES = [(LONG, 4_000), (LONG, 777), ("/recipes.md", 200), ("/prices.json", 50), ("/reference/lines.html", 300)]


@pytest.fixture(scope="module")
def demo() -> Iterator[str]:
    with demo_web() as url:
        yield url


@pytest.fixture
def local(shell: Shell) -> Shell:
    shell.desk.user(LOCAL)
    return shell


@pytest.mark.req("cli:fetch:chars")
@pytest.mark.parametrize(("path", "chars"), PAGES)
def test_following_the_offsets_gives_exactly_the_whole(local: Shell, demo: str, path: str, chars: int) -> None:
    whole = local.run("fetch", "--json", demo + path).json
    assert (whole["next_offset"], whole["total_chars"]) == (None, len(whole["markdown"]))
    text, offset = "", 0
    while offset is not None:
        part = local.run("fetch", "--json", "--chars", str(chars), "--offset", str(offset), demo + path).json
        assert (part["offset"], part["total_chars"]) == (offset, whole["total_chars"])
        assert 0 < len(part["markdown"]) <= chars
        text += part["markdown"]
        offset = part["next_offset"]
    assert text == whole["markdown"]
    assert len(text) > chars


@pytest.mark.req("cli:fetch:chars")
def test_as_text_too_the_parts_join_and_the_next_offset_is_told(local: Shell, demo: str) -> None:
    whole = local.run("fetch", demo + LONG).out
    text, told = "", ["next offset: 0 of"]
    while told:
        offset = told[0].removeprefix("next offset: ").split()[0]
        part = local.run("fetch", "--chars", "9000", "--offset", offset, demo + LONG)
        assert part.code == 0
        text += part.out
        told = [line for line in part.err.splitlines() if line.startswith("next offset: ")]
    assert text == whole
    assert text.count("## Day ") == 240


@pytest.mark.req("cli:fetch:find")
def test_passages_that_match_stand_at_their_offsets(local: Shell, demo: str) -> None:
    whole = local.run("fetch", "--json", demo + LONG).json["markdown"]
    found = local.run("fetch", "--json", "--find", "TWO  buoys", "--find", "day 77", demo + LONG).json
    assert found["matches"] == [{"phrase": "TWO buoys", "total": 21}, {"phrase": "day 77", "total": 1}]
    assert sum(one["matches"] for one in found["passages"]) == 22
    for one in found["passages"]:
        assert whole[one["offset"] : one["offset"] + len(one["text"])] == one["text"]
    assert ["Tide log of the season", "Day 77"] in [one["headings"] for one in found["passages"]]
    assert "markdown" not in found
    shown = local.run("fetch", "--find", "day 77", demo + LONG)
    at = whole.index("## Day 77")
    said, heading, blank, text = shown.out.splitlines()
    assert said == f"At offset {at}, under Tide log of the season > Day 77:"
    assert (heading, blank) == ("## Day 77", "")
    assert text.startswith("High water ")
    assert "1 match: day 77" in shown.err.splitlines()


@pytest.mark.req("cli:fetch:find")
def test_no_match_prints_nothing_says_so_and_is_no_failure(local: Shell, demo: str) -> None:
    none = local.run("fetch", "--find", "penguins", demo + LONG)
    assert (none.code, none.out) == (0, "")
    assert "0 matches: penguins" in none.err.splitlines()


@pytest.mark.req("cli:fetch:outline")
def test_the_outline_gives_offsets_to_read_from(local: Shell, demo: str) -> None:
    lines = local.run("fetch", "--outline", demo + LONG).out.splitlines()
    assert (len(lines), lines[0]) == (241, "- 0: Tide log of the season")
    assert lines[5].startswith("  - ")
    assert lines[5].endswith(": Day 5")
    offset = lines[5].removeprefix("  - ").partition(":")[0]
    assert local.run("fetch", "--offset", offset, demo + LONG).out.startswith("## Day 5\n")
    told = local.run("fetch", "--json", "--outline", demo + LONG).json
    assert told["outline"][5] == {"level": 2, "title": "Day 5", "offset": int(offset)}
    assert "markdown" not in told
    assert "outline: the page has no headings" in local.run("fetch", "--outline", f"{demo}/prices.json").err


@pytest.mark.req("cli:fetch:chars", "cli:fetch:find", "cli:fetch:outline")
@pytest.mark.parametrize(
    "flags",
    [
        ("--chars", "0"),
        ("--chars", "5", "--find", "x"),
        ("--outline", "--find", "x"),
        ("--outline", "--offset", "5"),
        ("--find", "  "),
        ("--raw-body", "--chars", "5"),
        ("--raw-body", "--outline"),
    ],
)
def test_flags_that_make_no_sense_are_usage_errors(local: Shell, flags: tuple[str, ...]) -> None:
    ran = local.run("fetch", *flags, "http://127.0.0.1:1/")
    assert (ran.code, ran.out) == (2, "")
