"""Pages written to break converters: each ends whole, or in a fallback that says so. What they cost is the bench's."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support import worst_cases
from support.content import markdown, page
from support.worst_cases import CASES, Worst, capped
from webseam.content.convert import Converter
from webseam.content.workers import WorkerFailed, Workers
from webseam.core.deadline import Deadline
from webseam.core.limits import BREAKS_IN_A_ROW, BREAKS_UNCOUNTED

FEWEST = 32
MOST_BYTES = 200_000_000
PATIENCE = pytest.mark.timeout(300)  # against a hang; no speed is promised here
EVERY = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
HARDEST = (
    "attributes",
    "breaks",
    "choices",
    "empty-elements",
    "misnested",
    "odd-links",
    "quote-nest",
    "table-nest-headed",
    "table-rows",
)


@pytest.fixture(scope="module")
def reports() -> Mapping[str, dict[str, Any]]:
    """What each page came to in a process of its own, none larger than a fetch would hand over."""
    command = [sys.executable, worst_cases.__file__, "--capped"]
    tests = str(Path(worst_cases.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": tests}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)  # noqa: S603 - ours
    return {report["id"]: report for report in map(json.loads, done.stdout.splitlines())}


def test_there_are_enough_of_them() -> None:
    assert len({case.id for case in CASES}) == len(CASES) >= FEWEST


@PATIENCE
@pytest.mark.req("worst:pages:whole")
@EVERY
def test_all_that_is_visible_comes_out_or_the_cut_is_told(reports: Mapping[str, dict[str, Any]], case: Worst) -> None:
    report = reports[case.id]
    assert report["cut"] or report["seen"] >= report["wanted"] > 0


@PATIENCE
@pytest.mark.req("worst:pages:no-html")
@EVERY
def test_no_raw_html_comes_out(reports: Mapping[str, dict[str, Any]], case: Worst) -> None:
    assert not reports[case.id]["raw"]


@PATIENCE
@pytest.mark.req("worst:pages:memory")
@EVERY
def test_memory_stays_bounded(reports: Mapping[str, dict[str, Any]], case: Worst) -> None:
    assert reports[case.id]["grown"] < MOST_BYTES


@PATIENCE
@pytest.mark.req("worst:pages:worker")
async def test_converted_as_a_fetched_page_each_ends_whole_or_says_why_not() -> None:
    converter = Converter(inline=0)
    try:
        for case in (case for case in CASES if case.id in HARDEST):
            size = capped(case)
            made = await converter.convert(page(case.html(size)), deadline=Deadline.after(60))
            assert made.fallback in (None, "timeout", "memory", "crash")
            assert made.fallback or made.cut or made.text.count(case.word) >= case.seen(size)
    finally:
        await converter.aclose()


@PATIENCE
@pytest.mark.req("worst:pages:bounded")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its address space")
async def test_a_page_that_would_take_too_much_memory_ends_in_bare_words() -> None:
    converter = Converter()
    try:
        greedy = await converter.convert(page("<b><p><i>zulu</b>" * 250_000), deadline=Deadline.after(60))
        assert (greedy.fallback, greedy.cut, greedy.text.split()[:2]) == ("memory", True, ["zulu", "zulu"])
        plain = await converter.convert(page("<p><i>zulu</i>" * 350_000), deadline=Deadline.after(60))
        assert (plain.fallback, plain.cut, plain.text.count("zulu")) == (None, False, 350_000)
    finally:
        await converter.aclose()


@PATIENCE
@pytest.mark.req("worst:pages:bounded")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its address space")
async def test_what_one_job_may_take_does_not_bind_the_next_one_of_its_worker() -> None:
    workers = Workers(count=1)
    small, big = b"<p>zulu", b"<p><i>zulu</i>" * 300_000
    args = {"url": "https://site.test/", "memory": 80_000_000}
    try:
        await workers.run("markdown", args, small, deadline=Deadline.after(60))
        _, text = await workers.run("markdown", {"url": args["url"]}, big, deadline=Deadline.after(60))
        assert text.count(b"zulu") == 300_000
        with pytest.raises(WorkerFailed) as caught:
            await workers.run("markdown", args, big, deadline=Deadline.after(60))
        assert caught.value.reason == "memory"
    finally:
        await workers.aclose()


@pytest.mark.req("worst:pages:breaks")
@pytest.mark.parametrize("flood", ["<br>", "<br>\n", "<br><!-- -->", "<br><i></i>", "<b><br></b>"])
def test_a_flood_of_line_breaks_is_thinned_and_the_text_around_it_stays(flood: str) -> None:
    text = markdown(f"a{flood * (BREAKS_UNCOUNTED + 1)}b<br>c")
    assert text.split() == ["a", *["\\"] * (len(text.split()) - 3), "b", "c"]
    assert text.count("\n") <= BREAKS_IN_A_ROW + 1


@pytest.mark.req("worst:pages:breaks")
@pytest.mark.parametrize("line", ["zulu<br>", "zulu<br><br>", "<img src=i alt=zulu><br>", "<hr>zulu<br>"])
def test_lines_of_text_keep_their_breaks_however_many_there_are(line: str) -> None:
    few, many = markdown(line * 10), markdown(line * (BREAKS_UNCOUNTED + 10))
    assert many.startswith(few.rstrip("\\\n"))
    assert many.count("zulu") == BREAKS_UNCOUNTED + 10
    assert many.count("\n") // (BREAKS_UNCOUNTED + 9) == few.count("\n") // 9
