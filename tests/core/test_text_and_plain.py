"""Text that a server chose, fit for one line of an error; values as plain data: design 5, design 2."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import bare, failing, hits, page
from webseam.core.errors import Code
from webseam.core.plain import plain_fields, to_plain
from webseam.core.selection import FanOut
from webseam.core.text import is_text, one_line, redacted
from webseam.core.types import Attempt, CacheFacts, FetchResult, ImageBody, Note, PdfBody, Redirect, Source, Usage


@pytest.mark.req("core:text:one-line")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain", "plain"),
        ("  two\r\n lines\t", "two lines"),
        ("a\x1b[31mred", "a [31mred"),
        ("a\u202egnp.exe", "a gnp.exe"),
        ("a\u200bb\ufeffc\u2066d", "a b c d"),
        ("a\U000e0041\U000e0042b", "a b"),
        ("half \ud83d surrogate", "half surrogate"),
        ("nul\x00nul", "nul nul"),
        ("", ""),
        ("日本語 ok \U0001f600", "日本語 ok \U0001f600"),
        ("ig\xadnore\u034f \u3164all\U000e0155\U0001d173 rules\ufff9", "ig nore all rules"),
    ],
)
def test_text_is_put_on_one_line_without_what_cannot_be_seen(text: str, line: str) -> None:
    assert one_line(text) == line


@pytest.mark.req("core:text:one-line")
@given(text=st.text(st.characters(), max_size=600), limit=st.integers(1, 400))
def test_a_line_is_never_longer_than_its_limit_and_a_cut_is_marked(text: str, limit: int) -> None:
    line = one_line(text, limit=limit)
    whole = one_line(text, limit=10_000)
    assert len(line) <= limit
    assert line == whole or line.endswith("…")
    assert len(line.splitlines()) <= 1
    assert is_text(line)
    assert one_line(line, limit=limit) == line


@pytest.mark.req("core:text:one-line")
def test_a_line_is_plain_text_whatever_kind_of_text_it_was() -> None:
    assert [type(one_line(text)) for text in (Code.DENIED, "word", "two words")] == [str] * 3


KEY = "abcDEF123456"


@pytest.mark.req("core:text:redacted")
@pytest.mark.parametrize(
    "text",
    [
        f"api_key={KEY}",
        f"x-api-key: {KEY}",
        f'{{"apiKey": "{KEY}"}}',
        f"https://api.test/?key={KEY}&q=1",
        f"Authorization: Bearer {KEY}",
        f"Authorization: Basic {KEY}==",
        f"BEARER   {KEY}",
        f"access_token={KEY}",
        f"invalid token {KEY} given",
        f"client secret: '{KEY}'",
        f"password={KEY}",
        "Bearer onlyletters",
    ],
)
def test_what_stands_where_a_key_would_is_taken_out(text: str) -> None:
    shown = redacted(text)
    assert KEY not in shown
    assert "onlyletters" not in shown
    assert "[redacted]" in shown


@pytest.mark.req("core:text:redacted")
@pytest.mark.parametrize(
    "text",
    [
        "API key authentication failed.",
        "The token characteristics are wrong.",
        "A keyboard-interactive login is needed.",
        "monkey business",
        "Your key: short",
    ],
)
def test_common_words_after_key_or_token_stay_readable(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.req("core:text:redacted")
def test_the_secrets_given_are_taken_out_wherever_they_stand() -> None:
    assert redacted("sent s3cr3t to s3cr3t.test", ("s3cr3t", "", "abc")) == "sent [redacted] to [redacted].test"
    assert redacted("abc stays, it is too short to be a key", ("abc",)) == "abc stays, it is too short to be a key"


@pytest.mark.req("core:text:linear")
@pytest.mark.timeout(10)
@pytest.mark.parametrize("unit", ["key", "key ", "key=", "bearer ", " ", "key" + " " * 50, "token a", "key\t\n"])
def test_a_hostile_text_costs_no_more_than_its_length(unit: str) -> None:
    text = "key" + unit * (1_000_000 // len(unit)) + "!"
    assert redacted(text)
    assert len(one_line(text)) <= 300


@pytest.mark.req("core:plain:shape")
def test_a_search_result_as_plain_data() -> None:
    result = hits(
        "https://a.test/",
        content="Answer.",
        dropped={"duplicate": 1},
        controls={"country": "native"},
        attempts=(Attempt(provider="x", outcome="ok", dispatched=True),),
        usage=Usage(calls=1, cost=0.5),
        raw={"k": [1, None, b"\x00"]},
    )
    assert to_plain(result) == {
        "provider": "script",
        "grounding": "searched",
        "content": "Answer.",
        "sources": [{"url": "https://a.test/"}],
        "truncated": False,
        "dropped": {"duplicate": 1},
        "controls": {"country": "native"},
        "attempts": [{"provider": "x", "outcome": "ok", "dispatched": True, "elapsed": 0.0}],
        "usage": {"calls": 1, "cost": 0.5},
        "raw": {"k": [1, None, "AA=="]},
    }


@pytest.mark.req("core:plain:shape")
def test_what_is_absent_is_left_out_and_what_is_false_is_not() -> None:
    assert to_plain(bare("x")) == {
        "provider": "script",
        "grounding": "ungrounded",
        "content": "x",
        "truncated": False,
    }
    assert to_plain(Source(url="https://a.test/", title="T")) == {"url": "https://a.test/", "title": "T"}
    assert to_plain(CacheFacts(age=0.0)) == {"age": 0.0, "stale": False, "revalidated": False}


@pytest.mark.req("core:plain:shape")
def test_some_fields_are_those_that_are_named_and_no_name_is_none() -> None:
    source = Source(url="https://a.test/", title="T")
    assert [*plain_fields(source, ("title", "snippet", "url")).items()] == [("title", "T"), ("url", "https://a.test/")]
    assert plain_fields(source, ()) == {}
    assert plain_fields(source) == to_plain(source)


@pytest.mark.req("core:plain:shape")
def test_every_kind_of_body_has_a_plain_form_with_its_kind() -> None:
    assert to_plain(page())["body"] == {"content": "Hello.", "kind": "text"}
    assert to_plain(PdfBody(pages=("one", ""), page_count=3)) == {"pages": ["one", ""], "page_count": 3, "kind": "pdf"}
    assert to_plain(ImageBody(data=b"\xff\xd8", width=1, height=2)) == {
        "data": "/9g=",
        "width": 1,
        "height": 2,
        "kind": "image",
    }
    fetched = FetchResult(
        provider="http",
        url="https://a.test/",
        status_code=404,
        body=page().body,
        redirects=(Redirect(status_code=301, url="https://a.test/"),),
        notes=(Note(code="empty"),),
    )
    plain = to_plain(fetched)
    assert (plain["redirects"], plain["notes"]) == (
        [{"status_code": 301, "url": "https://a.test/"}],
        [{"code": "empty"}],
    )
    assert json.loads(json.dumps(plain)) == plain


@pytest.mark.req("core:plain:shape")
def test_codes_errors_sets_and_keys_become_plain() -> None:
    assert to_plain(Code.DENIED) == "WEB_DENIED"
    assert type(to_plain(Code.DENIED)) is str
    assert to_plain(failing())["code"] == "WEB_PROVIDER_ERROR"
    assert to_plain({1: frozenset({"a"})}) == {"1": ["a"]}
    assert to_plain(FanOut(("a", "b"))) == {"ids": ["a", "b"]}


@pytest.mark.req("core:plain:shape")
@pytest.mark.parametrize("odd", [object(), lambda: None, Source])
def test_what_has_no_plain_form_is_said_and_not_guessed(odd: object) -> None:
    with pytest.raises(TypeError, match="no plain form"):
        to_plain(odd)
