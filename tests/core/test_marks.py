"""Marks of an answer lead only to pages that are among its sources, numbered as they are listed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import hits, searching
from webseam.core.marks import held_marks, mark
from webseam.core.types import SearchControls, SearchResult
from webseam.testing import ScriptedSearch

A, B, C = "https://a.test/", "https://b.test/(x)", "https://c.test/"


async def ask(result: SearchResult, **options: object) -> SearchResult:
    return await searching(ScriptedSearch("s", [result])).search("kelp", **options)  # type: ignore[arg-type]


@pytest.mark.req("core:guarantee:marks")
async def test_a_mark_to_a_page_that_a_domain_excludes_goes_and_the_others_are_numbered_anew() -> None:
    said = f"One {mark(1, A)} {mark(2, B)}. Two {mark(1, A)}. Three {mark(3, C)}, and [7](https://a.test/)."
    result = await ask(hits(A, B, C, content=said), controls=SearchControls(exclude_domains=("a.test",)))

    assert result.content == f"One {mark(1, B)}. Two. Three {mark(2, C)}, and [7](https://a.test/)."


@pytest.mark.req("core:guarantee:marks")
@pytest.mark.parametrize("url", ["javascript:alert", "data:text/html,x", "/p"])
async def test_no_mark_leads_to_what_is_no_web_page(url: str) -> None:
    result = await ask(hits(url, A, content=f"One {mark(1, url)}. Two {mark(2, A)}."))

    assert result.content == f"One. Two {mark(1, A)}."


@pytest.mark.req("core:guarantee:marks")
async def test_an_answer_of_nothing_but_refused_marks_is_absent() -> None:
    result = await ask(hits(A, content=mark(1, A)), controls=SearchControls(include_domains=("b.test",)))

    assert (result.content, result.sources, result.dropped) == (None, (), {"domain": 1})


@pytest.mark.req("core:guarantee:marks")
async def test_repeats_and_the_bound_on_results_change_no_mark() -> None:
    said = f"One {mark(1, A)}. Two {mark(2, B)}."
    result = await ask(hits(A, A, B, content=said), max_results=1)

    assert (result.content, len(result.sources), result.truncated) == (said, 1, True)


@pytest.mark.req("core:guarantee:marks")
@given(st.text(st.sampled_from("ab []()123 "), max_size=40), st.sets(st.sampled_from([A, B, C])))
def test_other_text_of_an_answer_is_never_changed(text: str, listed: set[str]) -> None:
    assert held_marks(text, [A, B, C], [url for url in (A, B, C) if url in listed]) == text
