"""Cassettes: values there and back, and what becomes of files that are damaged, cut or somebody else's."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webseam.core.errors import Code, WebError
from webseam.core.limits import CASSETTE_BYTES
from webseam.core.plain import to_plain
from webseam.core.types import (
    Attempt,
    Body,
    CacheFacts,
    DocumentBody,
    ExtractResult,
    FetchResult,
    HtmlBody,
    ImageBody,
    Note,
    PageMetadata,
    PdfBody,
    Redirect,
    SearchResult,
    Source,
    TextBody,
    Usage,
)
from webseam.stores.cassette import read_cassette
from webseam.stores.cassette_entry import error_to_plain
from webseam.stores.cassette_file import append_lines
from webseam.stores.codec import from_plain

HEAD = {"cassette": 1, "webseam": "0.0.0", "at": "2026-01-02T03:04:05.678Z"}
ERROR = {"code": "WEB_RATE_LIMITED", "message": "Slow down.", "dispatched": True, "retryable": True}

NO_FACTS: list[dict[str, Any]] = [
    {"seconds": float("nan")},
    {"seconds": -1},
    {"turn": float("inf")},
    {"session": []},
]


def a_call(query: str = "kelp", **outcome: Any) -> dict[str, Any]:
    asked = {"capability": "search", "request": {"query": query}}
    return {"call": asked, "at": HEAD["at"], "seconds": 0.5, **(outcome or {"error": ERROR})}


def refusal(path: Path) -> WebError:
    with pytest.raises(WebError) as caught:
        read_cassette(path)
    assert caught.value.code == Code.CONFIG_INVALID
    return caught.value


def filled(folder: Path, *lines: object, end: str = "\n") -> Path:
    path = folder / "run.jsonl"
    rows = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(rows) + end, encoding="utf-8")
    return path


# Values ------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=()), max_size=20)
BODIES: st.SearchStrategy[Body] = st.one_of(
    st.builds(HtmlBody, content=TEXTS),
    st.builds(TextBody, content=TEXTS),
    st.builds(PdfBody, pages=st.lists(TEXTS, max_size=3).map(tuple), page_count=st.integers(0, 9)),
    st.builds(DocumentBody, content=TEXTS, metadata=st.none() | st.builds(PageMetadata, title=TEXTS)),
    st.builds(ImageBody, data=st.binary(max_size=20), width=st.integers(0, 9), height=st.integers(0, 9)),
)
SECONDS = st.floats(0, 1e6)
ATTEMPTS = st.lists(
    st.builds(
        Attempt,
        provider=TEXTS,
        outcome=st.sampled_from(["ok", "ungrounded", "failed", "skipped"]),
        code=st.none() | TEXTS,
        dispatched=st.booleans(),
        elapsed=SECONDS,
    ),
    max_size=2,
).map(tuple)
FOUND = st.builds(
    SearchResult,
    provider=TEXTS,
    grounding=st.sampled_from(["searched", "ungrounded"]),
    content=st.none() | TEXTS,
    sources=st.lists(st.builds(Source, url=TEXTS, title=st.none() | TEXTS, snippet=st.none() | TEXTS), max_size=2).map(
        tuple
    ),
    truncated=st.booleans(),
    dropped=st.dictionaries(TEXTS, st.integers(), max_size=2),
    controls=st.dictionaries(TEXTS, st.sampled_from(["native", "enforced", "unsupported"]), max_size=2),
    notices=st.lists(TEXTS, max_size=2).map(tuple),
    attempts=ATTEMPTS,
    usage=st.none() | st.builds(Usage, calls=st.none() | st.integers(0, 9), cost=st.none() | SECONDS),
    raw=st.none() | st.dictionaries(TEXTS, st.lists(st.none() | st.integers() | TEXTS), min_size=1, max_size=2),
)
PAGES = st.builds(
    FetchResult,
    provider=TEXTS,
    url=TEXTS,
    status_code=st.integers(100, 599),
    body=BODIES,
    charset_source=st.none() | st.sampled_from(["bom", "header", "meta", "utf-8", "detected", "default"]),
    received_bytes=st.integers(0),
    redirects=st.lists(st.builds(Redirect, status_code=st.integers(300, 399), url=TEXTS), max_size=2).map(tuple),
    retry_after=st.none() | SECONDS,
    cache=st.none() | st.builds(CacheFacts, age=SECONDS, stale=st.booleans()),
    notes=st.lists(st.builds(Note, code=TEXTS, detail=st.none() | TEXTS), max_size=2).map(tuple),
    attempts=ATTEMPTS,
)
EXTRACTS = st.builds(ExtractResult, provider=TEXTS, url=TEXTS, markdown=TEXTS, title=st.none() | TEXTS)


@pytest.mark.req("replay:values")
@given(st.one_of(FOUND, PAGES, EXTRACTS))
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_a_result_comes_back_as_it_was(value: Any) -> None:
    line = json.dumps(to_plain(value))
    assert from_plain(type(value), json.loads(line)) == value


@pytest.mark.req("replay:values")
def test_an_error_comes_back_with_its_tries_and_those_of_its_members(tmp_path: Path) -> None:
    tries = (Attempt(provider="a", outcome="failed", code="X", dispatched=True, elapsed=0.123456789),)
    error = WebError("X", "Wait.", provider="a", dispatched=True, retry_after=3.5, attempts=tries, status=429)
    error.__cause__ = ExceptionGroup("members", [WebError(Code.RATE_LIMITED, "Slow.", provider="b"), ValueError("x")])
    path = tmp_path / "run.jsonl"
    append_lines(path, [HEAD, a_call(error=error_to_plain(error))])
    [entry] = read_cassette(path).entries
    found = entry.error
    assert found is not None
    assert {**vars(found)} == {**vars(error)}
    assert isinstance(found.__cause__, ExceptionGroup)
    assert [str(one) for one in found.__cause__.exceptions] == ["WEB_RATE_LIMITED: Slow."]
    assert entry.attempts == tries


@pytest.mark.req("replay:damage")
@pytest.mark.parametrize(
    ("result", "place"),
    [
        ({}, "SearchResult.provider is missing"),
        ({"provider": 1}, "SearchResult.provider is not what it should be"),
        ({"provider": "x", "truncated": 1}, "SearchResult.truncated"),
        ({"provider": "x", "grounding": "so"}, "SearchResult.grounding"),
        ({"provider": "x", "sources": [{"url": "u"}, {"url": None}]}, "SearchResult.sources[1].url"),
        ({"provider": "x", "dropped": {"a": "b"}}, "SearchResult.dropped.a"),
        ({"provider": "x", "usage": {"cost": "1"}}, "SearchResult.usage.cost"),
        ([], "SearchResult is not what it should be"),
    ],
)
def test_a_value_of_another_shape_is_refused_with_its_place(tmp_path: Path, result: Any, place: str) -> None:
    told = refusal(filled(tmp_path, HEAD, a_call(result=result))).message
    assert f"line 2 does not say what a call was ({place}" in told


@pytest.mark.req("replay:damage")
def test_a_body_of_no_known_kind_is_refused(tmp_path: Path) -> None:
    call = {"capability": "fetch", "request": {"url": "https://a.test/"}}
    page = {"provider": "http", "url": "https://a.test/", "status_code": 200}
    for body, place in (({"kind": "video"}, "FetchResult.body"), ({"kind": "image", "data": "?"}, "no base64")):
        line = {"call": call, "at": "", "seconds": 0, "result": {**page, "body": body}}
        assert place in refusal(filled(tmp_path, HEAD, line)).message


# Files -------------------------------------------------------------------------------------------------


@pytest.mark.req("replay:append")
def test_a_session_is_added_to_those_before(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    append_lines(path, [HEAD, a_call("one"), {"draw": "n", "text": "1"}])
    before = path.read_bytes()
    append_lines(path, [HEAD, a_call("two"), {"draw": "n", "text": "2"}])
    assert path.read_bytes().startswith(before)
    cassette = read_cassette(path)
    assert [one.call["request"]["query"] for one in cassette.entries] == ["one", "two"]
    assert (dict(cassette.draws), cassette.sessions, cassette.notes) == ({"n": ("1", "2")}, 2, ())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.req("replay:cut")
def test_a_cut_last_line_is_told_and_passed_over(tmp_path: Path) -> None:
    path = filled(tmp_path, HEAD, a_call("one"), json.dumps(a_call("two"))[:40], end="")
    cassette = read_cassette(path)
    assert [one.call["request"]["query"] for one in cassette.entries] == ["one"]
    [note] = cassette.notes
    assert "line 3 was cut" in note

    append_lines(path, [HEAD, a_call("three")])
    cassette = read_cassette(path)
    assert [one.call["request"]["query"] for one in cassette.entries] == ["one", "three"]
    assert cassette.notes == (note,)


@pytest.mark.req("replay:cut")
def test_a_session_goes_on_behind_a_line_that_the_disk_cut(tmp_path: Path) -> None:
    path = filled(tmp_path, HEAD, a_call("one"), json.dumps(a_call("two"))[:40], end="")
    append_lines(path, [a_call("three")])
    cassette = read_cassette(path)
    assert [one.call["request"]["query"] for one in cassette.entries] == ["one", "three"]
    assert len(cassette.notes) == 1


@pytest.mark.req("replay:two")
def test_each_line_is_of_the_session_that_it_names(tmp_path: Path) -> None:
    first, second = (HEAD | {"session": name} for name in "ab")
    calls = [a_call(name) | {"session": name} for name in "baba"]
    draws = [{"draw": "n", "text": name, "session": name} for name in "ba"]
    # where two processes write at once, both may end the line of a third one
    between = ("", {"cassette": 1})
    cassette = read_cassette(filled(tmp_path, first, second, *calls, *between, *draws))
    assert [one.session for one in cassette.entries] == [2, 1, 2, 1]
    assert (dict(cassette.draws), cassette.sessions, cassette.notes) == ({"n": ("a", "b")}, 2, ())


@pytest.mark.req("replay:cut")
def test_a_last_line_that_lacks_only_its_break_counts(tmp_path: Path) -> None:
    cassette = read_cassette(filled(tmp_path, HEAD, a_call("one"), end=""))
    assert (len(cassette.entries), cassette.notes) == (1, ())


@pytest.mark.req("replay:cut")
@given(at=st.integers(1))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_wherever_a_recording_is_cut_what_stands_before_is_kept(tmp_path: Path, at: int) -> None:
    path = filled(tmp_path, HEAD, a_call("one"), a_call("two"))
    data = path.read_bytes()
    first = data.index(b"\n") + 1
    kept = data[: first + at % (len(data) - first)]
    path.write_bytes(kept)
    cassette = read_cassette(path)
    whole = kept.count(b"\n") - 1
    assert whole <= len(cassette.entries) <= whole + 1


@pytest.mark.req("replay:damage")
@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ((HEAD, "{", a_call()), "line 2 is no JSON object"),
        ((HEAD, a_call(), "[]"), "line 3 is no JSON object"),
        ((HEAD, a_call(), "nonsense"), "line 3 is no JSON object"),
        ((HEAD, "", a_call()), "line 2 is no JSON object"),
        ((HEAD, "[" * 100_000), "line 2 is no JSON object"),
        ((HEAD, {}), "line 2 does not say"),
        ((HEAD, {"call": {}}), "line 2 does not say"),
        ((HEAD, a_call() | {"seconds": "long"}), "line 2 does not say"),
        ((HEAD, a_call(error=ERROR, cancelled=[])), "line 2 does not say what a call was (one outcome is wanted)"),
        ((HEAD, a_call(error={"code": "X"})), "line 2 does not say"),
        ((HEAD, a_call(error=[])), "line 2 does not say"),
        ((HEAD, a_call(error=ERROR | {"retry_after": "soon"})), "line 2 does not say"),
        ((HEAD, a_call(error=ERROR | {"members": [ERROR, {}]})), "line 2 does not say"),
        *(
            ((HEAD, a_call() | {"call": {"capability": "search", **call}}), "line 2 does not say")
            for call in (
                {},
                {"request": "kelp"},
                {"request": {"query": 5}},
                {"request": {"query": "kelp"}, "provider": 5},
                {"request": {"query": "kelp"}, "route": 5},
                {"request": {"query": "kelp"}, "fanout": ["exa", 5]},
            )
        ),
        *(((HEAD, a_call() | facts), "line 2 does not say") for facts in NO_FACTS),
        ((HEAD, a_call(result=None)), "line 2 does not say"),
        (({"cassette": 2},), "line 1 is of cassette format 2, and this webseam reads 1"),
        ((HEAD, {"cassette": "1"}), "line 2 is of cassette format '1'"),
        ((a_call(),), "line 1 is not the start of a cassette"),
        (("# notes",), "line 1 is not the start of a cassette"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_with_the_line(tmp_path: Path, lines: Any, told: str) -> None:
    path = filled(tmp_path, *lines)
    message = refusal(path).message
    assert told in message
    assert str(path) in message


@pytest.mark.req("replay:damage")
def test_a_file_that_is_empty_absent_a_folder_or_no_path_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    assert "line 1" in refusal(empty).message
    assert "No such file" in refusal(tmp_path / "none").message
    assert "Is a directory" in refusal(tmp_path).message
    assert "not a possible path" in refusal(Path("a\0b")).message
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(CASSETTE_BYTES + 1)
    assert "500,000,000 bytes" in refusal(tmp_path / "huge").message


@pytest.mark.req("replay:damage")
def test_nothing_is_added_to_a_file_that_is_no_cassette(tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("Chapter one", encoding="utf-8")
    for place, told in ((path, "line 1"), (tmp_path, "directory"), (tmp_path / "no" / "x", "No such"), ("\0", "path")):
        with pytest.raises(WebError, match=told) as caught:
            append_lines(Path(place), [HEAD])
        assert caught.value.code == Code.CONFIG_INVALID
    assert path.read_text(encoding="utf-8") == "Chapter one"
