"""Main content on the labelled pages: webseam against trafilatura (fast, HTML output), quality and speed in one run."""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import trafilatura
from cmarkgfm import github_flavored_markdown_to_html  # type: ignore[import-untyped]  # it ships none

from support.main_pages import Labelled, Score, averages, by_kind, pages, scored, text_of
from webseam.content.markdown import html_to_markdown

URL = "https://site.example/page"
ROUNDS = 3
FILLER = "<script>" + "var q=[];q.push(function(){return 1});" * 800 + "</script>"
"""Real pages are mostly script: 30 kB of it, as in the public sets."""


def ours(html: str) -> str:
    """The main content as Markdown."""
    return html_to_markdown(html, url=URL, view="main").text


def theirs(html: str) -> str:
    """The same by trafilatura, as HTML: its own Markdown drops quotes."""
    return trafilatura.extract(html, fast=True, output_format="html", include_comments=False, include_links=True) or ""


def engine(html: str) -> str:
    """What `tools.fetch_engine = "trafilatura"` makes of a page."""
    return html_to_markdown(html, url=URL, view="main", engine="trafilatura").text


def _scores(labelled: list[Labelled], extract: Callable[[str], str], *, markdown: bool) -> list[Score]:
    found = []
    for page in labelled:
        out = extract(page.html)
        found.append(scored(page, text_of(github_flavored_markdown_to_html(out) if markdown else out)))
    return found


def _speeds(htmls: list[str]) -> dict[str, float]:
    size = sum(len(html.encode()) for html in htmls)
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    for _ in range(ROUNDS):
        for name, extract in (("ours", ours), ("theirs", theirs)):
            start = time.process_time()
            for html in htmls:
                extract(html)
            times[name].append(time.process_time() - start)
    return {name: size / statistics.median(seconds) / 1e6 for name, seconds in times.items()}


def _row(name: str, left: Score, right: Score) -> str:
    cells = (
        left.f1,
        left.precision,
        left.recall,
        left.snippets,
        right.f1,
        right.precision,
        right.recall,
        right.snippets,
    )
    return f"{name:<12}" + "".join(f"{cell:8.3f}" for cell in cells)


def main() -> None:
    """Print one row a kind, the averages, and the speeds."""
    labelled = pages()
    left, right = _scores(labelled, ours, markdown=True), _scores(labelled, theirs, markdown=False)
    print(f"{'':12}{'webseam':^32}{'trafilatura':^32}\n{'kind':12}" + "      F1       P       R    snip" * 2)
    for (kind, one), (_, other) in zip(by_kind(labelled, left), by_kind(labelled, right), strict=True):
        print(_row(kind, one, other))
    for name, chosen in (("tuned on", False), ("held out", True)):
        places = [place for place, page in enumerate(labelled) if page.held_out is chosen]
        print(_row(f"{name} {len(places)}", averages([left[n] for n in places]), averages([right[n] for n in places])))
    print(_row(f"all {len(labelled)}", averages(left), averages(right)))
    chosen_by = averages(_scores(labelled, engine, markdown=True))
    print(f"trafilatura as fetch_engine, in our Markdown: F1 {chosen_by.f1:.3f}, snippets {chosen_by.snippets:.3f}")
    for name, htmls in (
        ("as they are", [one.html for one in labelled]),
        ("with script", [FILLER + one.html for one in labelled]),
    ):
        speeds = _speeds(htmls)
        print(f"MB a CPU second, {name}: webseam {speeds['ours']:.1f}, trafilatura {speeds['theirs']:.1f}")


if __name__ == "__main__":
    main()
