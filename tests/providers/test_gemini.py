"""The generateContent wire: evidence, what counts as a page, and a stream that is read as the same answer whole."""

from contextlib import suppress
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.vendor import says, staged
from webseam.core.errors import WebError
from webseam.core.types import SearchControls, SearchResult
from webseam.providers.search.google import VENDOR, GoogleOptions
from webseam.providers.wires.asking import Answer, Question
from webseam.providers.wires.controls import check
from webseam.providers.wires.gemini_stream import GeminiFold

KELP = {"web": {"uri": "https://kelp.example/", "title": "kelp.example"}}


def candidate(grounding: Any, *texts: str, finish: Any = "STOP") -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text} for text in texts]}
    return {"content": content, "finishReason": finish, "groundingMetadata": grounding}


def read(payload: Any) -> SearchResult | str:
    question = Question(
        provider="google",
        query="kelp",
        max_results=None,
        controls=check(SearchControls(), "google"),
        safe_search=None,
        options=GoogleOptions(),
        keyed=True,
        today=date(2026, 11, 30),
    )
    try:
        return VENDOR.read(Answer(question=question, payload=payload))
    except WebError as error:
        return error.code


@pytest.mark.req("search:google:evidence")
@pytest.mark.parametrize(
    "claim",
    [
        {},
        None,
        {"groundingChunks": [KELP]},
        {"webSearchQueries": []},
        {"webSearchQueries": ["", "  "]},
        {"webSearchQueries": [None, 7, ["kelp"]]},
        {"webSearchQueries": "kelp"},
        {"searchEntryPoint": {"renderedContent": "<div>kelp</div>"}},
        {"retrievalMetadata": {"googleSearchDynamicRetrievalScore": 0.99}},
        {"imageSearchQueries": ["kelp"], "groundingChunks": [KELP]},
    ],
)
async def test_without_a_query_nothing_was_searched(claim: Any) -> None:
    async with staged("google", says({"candidates": [candidate(claim, "Kelp grows.")]})) as stage:
        result = await stage.web.search("kelp")

    assert (result.grounding, result.sources, result.content) == ("ungrounded", (), "Kelp grows.")


@pytest.mark.req("search:google:evidence")
@pytest.mark.parametrize("queries", [["kelp"], ["", "kelp"], [" kelp "]])
async def test_a_query_proves_a_search_also_without_pages(queries: list[str]) -> None:
    grounding = {"webSearchQueries": queries, "groundingChunks": [{"maps": {"uri": "https://maps.example/"}}]}
    async with staged("google", says({"candidates": [candidate(grounding, "Kelp grows.")]})) as stage:
        result = await stage.web.search("kelp")

    assert (result.grounding, result.sources, result.dropped) == ("searched", (), {})
    assert result.usage is not None
    assert result.usage.calls == 1


@pytest.mark.req("search:google:evidence")
@pytest.mark.parametrize("model", ["gemini-x", "models/gemini-x", "../../v1/kelp?key=1"])
async def test_a_model_stays_in_its_place_of_the_path(model: str) -> None:
    grounding = {"webSearchQueries": ["kelp"]}
    async with staged("google", says({"candidates": [candidate(grounding)]}), model=model) as stage:
        await stage.web.search("kelp")

    shown = {"../../v1/kelp?key=1": "..%2F..%2Fv1%2Fkelp%3Fkey%3D1"}.get(model, "gemini-x")
    assert stage.server.requests[0].target == f"/v1/models/{shown}:generateContent"


# Streams -----------------------------------------------------------------------------------------------

WORDS = st.text(st.sampled_from("kelp å🌿.[]()"), max_size=10)
INDICES = st.integers(0, 3)
SUPPORTS = st.builds(
    lambda start, end, text, chunks: {
        "segment": {"startIndex": start, "endIndex": end, **({"text": text} if text else {})},
        "groundingChunkIndices": chunks,
    },
    st.integers(0, 20),
    st.integers(0, 20),
    WORDS,
    st.lists(INDICES, max_size=3),
)
CHUNKS = st.builds(lambda uri: {"web": {"uri": uri}}, st.sampled_from(["https://a.example/", "https://b.example/"]))
GROUNDING = st.fixed_dictionaries(
    {
        "webSearchQueries": st.lists(st.sampled_from(["kelp", " "]), max_size=2),
        "groundingChunks": st.lists(CHUNKS, max_size=3),
        "groundingSupports": st.lists(SUPPORTS, max_size=3),
    }
)


@pytest.mark.req("search:google:fold")
@given(pieces=st.lists(WORDS, min_size=1, max_size=5), grounding=GROUNDING, late=st.booleans())
def test_a_stream_is_read_as_the_same_answer_whole(pieces: list[str], grounding: Any, *, late: bool) -> None:
    chunks = [{"candidates": [{"content": {"parts": [{"text": piece}]}}]} for piece in pieces]
    last: dict[str, Any] = {"finishReason": "STOP", "groundingMetadata": grounding}
    closing = [{"candidates": [{"finishReason": "STOP"}]}, {"candidates": [last]}] if late else [{"candidates": [last]}]
    fold = GeminiFold("google")
    for chunk in [*chunks, *closing]:
        assert not fold.ended
        fold.take("message", chunk)

    assert fold.complete
    assert fold.text == "".join(pieces)
    assert read(fold.payload()) == read({"candidates": [candidate(grounding, "".join(pieces))]})


FIELDS = """
candidates content parts text thought finishReason groundingMetadata webSearchQueries groundingChunks web uri title
groundingSupports segment startIndex endIndex partIndex groundingChunkIndices promptFeedback blockReason usageMetadata
promptTokenCount error code message details status
"""
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS.split()), inner, max_size=5),
)
OBJECTS = st.dictionaries(st.sampled_from(FIELDS.split()), JUNK, max_size=5)
ANSWERS = st.builds(lambda rows: {"candidates": rows}, st.lists(OBJECTS | JUNK, max_size=2)) | OBJECTS


@pytest.mark.req("search:google:any")
@settings(deadline=None)
@given(chunks=st.lists(ANSWERS, max_size=4), body=ANSWERS | JUNK)
def test_whatever_comes_is_a_result_or_a_web_error(chunks: list[dict[str, Any]], body: Any) -> None:
    fold = GeminiFold("google")
    for chunk in chunks:
        with suppress(WebError):
            fold.take("message", chunk)

    for payload in (fold.payload(), body):
        found = read(payload)
        assert isinstance(found, str) or found.grounding == "searched" or not found.sources
