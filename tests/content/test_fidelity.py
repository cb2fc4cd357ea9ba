"""The fidelity suite: a page's Markdown, rendered back, means what the page says."""

import pytest

from support.fidelity import Case, as_text, load, rendered, score, structure, wanted
from webseam.content.markdown import html_to_markdown

CASES = load()
FEWEST = 200


def _convert(html: str, url: str) -> str:
    return html_to_markdown(html, url=url).text


@pytest.mark.req("fidelity:suite:structure")
@pytest.mark.parametrize("each", CASES, ids=lambda each: each.id)
def test_the_markdown_rendered_back_means_what_the_page_says(each: Case) -> None:
    text = _convert(each.html, each.url)
    found = structure(rendered(text))
    assert found in wanted(each), f"\n{text}\n\n{as_text(found)}\nwanted\n" + "\nor\n".join(map(as_text, wanted(each)))


@pytest.mark.req("fidelity:suite:structure")
def test_the_suite_is_large_and_can_tell_converters_apart() -> None:
    assert len(CASES) >= FEWEST
    assert len(score(lambda html, _: html)) < FEWEST / 4
    assert len(score(lambda _html, _url: "")) < FEWEST / 4
