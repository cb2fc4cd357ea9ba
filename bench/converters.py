"""Other converters beside ours: how much of the fidelity suite each passes, and how fast it converts.

They come with the dependency group `converters`; one that is not installed is named and left out. Each converts the
benchmark's pages by turns in this one process; what is told is the median of its rounds.
"""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeAlias

import site_pages

from webseam.content.markdown import html_to_markdown

Convert: TypeAlias = Callable[[str, str], str]
"""HTML and the URL of its page to Markdown."""

URL: Final = "https://site.test/guide/page.html"
PAGES: Final = 5
ROUNDS: Final = 5
_TESTS: Final = Path(__file__).parents[1] / "tests"


def _ours(html: str, url: str) -> str:
    return html_to_markdown(html, url=url).text


def _html_to_markdown(module: Any) -> Convert:
    """With the settings that our task asks for: links resolved, no front matter."""
    return lambda html, url: str(
        module.convert(html, module.ConversionOptions(base_url=url, extract_metadata=False)).content or ""
    )


def _markdownify(module: Any) -> Convert:
    return lambda html, _url: str(module.markdownify(html, heading_style="ATX"))


def _html2text(module: Any) -> Convert:
    return partial(_by_html2text, module)


def _by_html2text(module: Any, html: str, url: str) -> str:
    """One object a page, since it keeps state; links resolved, lines not wrapped."""
    converter = module.HTML2Text(baseurl=url, bodywidth=0)
    return str(converter.handle(html))


_OTHERS: Final[dict[str, tuple[str, Callable[[Any], Convert]]]] = {
    "html-to-markdown": ("html_to_markdown", _html_to_markdown),
    "markdownify": ("markdownify", _markdownify),
    "html2text": ("html2text", _html2text),
}


def contestants() -> dict[str, Convert]:
    """Ours, and those of the others that are installed; says which are not."""
    found: dict[str, Convert] = {"webseam": _ours}
    for name, (module, made) in _OTHERS.items():
        try:
            found[f"{name} {version(name)}"] = made(import_module(module))
        except ImportError:
            print(f"{name} is not installed (it comes with: uv pip install --group converters)")
    return found


def passed(converters: dict[str, Convert]) -> tuple[dict[str, int], int]:
    """How many cases of the suite each passes, and how many there are."""
    sys.path.append(str(_TESTS))
    suite = import_module("support.fidelity")
    cases = suite.load()
    return {name: len(suite.score(convert, cases)) for name, convert in converters.items()}, len(cases)


def speeds(converters: dict[str, Convert]) -> dict[str, float]:
    """MB of HTML a second of CPU."""
    pages = [site_pages.page(number).decode() for number in range(PAGES)]
    size = sum(map(len, pages)) / 1e6
    spent: dict[str, list[float]] = {name: [] for name in converters}
    for number in range(ROUNDS + 1):
        for name, convert in converters.items():
            started = time.process_time()
            for page in pages:
                convert(page, URL)
            if number:  # the first round warms up
                spent[name].append(time.process_time() - started)
    return {name: size / statistics.median(times) for name, times in spent.items()}


def main() -> None:
    """Print the table."""
    converters = contestants()
    counts, cases = passed(converters)
    fast = speeds(converters)
    print(f"converters on {cases} fidelity cases, and on {PAGES} pages of the benchmark, medians of {ROUNDS} rounds")
    print("| converter | cases passed | MB/s | ours is faster |")
    print("| --- | ---: | ---: | ---: |")
    for name, count in counts.items():
        times = f"{fast['webseam'] / fast[name]:.1f} times" if name != "webseam" else ""
        print(f"| {name} | {count} of {cases} ({count / cases:.1%}) | {fast[name]:.1f} | {times} |")


if __name__ == "__main__":
    main()
