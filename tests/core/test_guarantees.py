"""What every caller may rely on, whoever answered: design 3, dsh-3, dsh-16."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import bare, hits, refused, searching
from webseam.core.call import Call
from webseam.core.errors import Code
from webseam.core.guarantees import guarantee
from webseam.core.marks import mark
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchControls, SearchRequest, SearchResult, Source
from webseam.core.url import host_of, in_domain, is_web_url
from webseam.testing import ScriptedSearch

A, B, C = "https://a.test/", "https://b.test/", "https://c.test/"


async def ask(result: SearchResult, request: SearchRequest | str = "kelp", **options: object) -> SearchResult:
    return await searching(ScriptedSearch("s", [result])).search(request, **options)  # type: ignore[arg-type]


@pytest.mark.req("core:guarantee:max-results")
async def test_more_sources_than_asked_are_cut_and_marked() -> None:
    result = await ask(hits(A, B, C, content="An answer is never cut."), max_results=2)
    assert [one.url for one in result.sources] == [A, B]
    assert result.truncated
    assert result.content == "An answer is never cut."


@pytest.mark.req("core:guarantee:max-results")
@pytest.mark.parametrize("bound", [3, 4, 1000])
async def test_an_answer_within_the_bound_is_not_marked(bound: int) -> None:
    result = await ask(hits(A, B, C), max_results=bound)
    assert len(result.sources) == 3
    assert not result.truncated


@pytest.mark.req("core:guarantee:max-results")
async def test_the_vendors_own_cut_stays_marked() -> None:
    assert (await ask(hits(A, truncated=True), max_results=5)).truncated


@pytest.mark.req("core:guarantee:max-results")
async def test_what_is_dropped_makes_room_before_the_cut() -> None:
    result = await ask(hits("javascript:alert(1)", A, A, B), max_results=2)
    assert [one.url for one in result.sources] == [A, B]
    assert not result.truncated


@pytest.mark.req("core:guarantee:max-results")
async def test_the_default_bound_is_the_configured_one_and_a_request_without_bound_has_none() -> None:
    many = hits(*(f"https://{number}.test/" for number in range(20)))
    assert len((await ask(many)).sources) == 8
    whole = await ask(many, SearchRequest(query="kelp"))
    assert (len(whole.sources), whole.truncated) == (20, False)


@pytest.mark.req("core:guarantee:web-urls")
@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,<b>x</b>",
        "file:///etc/passwd",
        "ftp://a.test/",
        "mailto:a@a.test",
        "/relative",
        "//a.test/",
        "a.test",
        "",
        " ",
        "https://",
        "http://",
        "https:///",
        "https://a b/",
        "https://[::1",
        "https://a.test:99999/",
        "https://\udc80.test/",
        "https://a.test/\ud800",
    ],
)
async def test_what_is_no_web_url_is_dropped_and_counted(url: str) -> None:
    result = await ask(hits(url, A, url))
    assert [one.url for one in result.sources] == [A]
    assert result.dropped == {"invalid_url": 2}


@pytest.mark.req("core:guarantee:web-urls")
async def test_the_providers_own_count_is_kept_and_added_to() -> None:
    result = await ask(hits("x", A, dropped={"invalid_url": 2, "no_url": 1}))
    assert result.dropped == {"invalid_url": 3, "no_url": 1}


@pytest.mark.req("core:guarantee:credentials")
@pytest.mark.parametrize(
    ("url", "known_as"),
    [
        ("https://user:hunter2@a.test:8443/x?y=@#z", "https://a.test:8443/x?y=@#z"),
        ("https://bank.example@b.test/", "https://b.test/"),
        ("HTTP://:pw@A.test", "http://a.test/"),
        ("https://a.test/@me?to=u:p@b.test", "https://a.test/@me?to=u:p@b.test"),
        ("https://a.test/\u00fc@", "https://a.test/\u00fc@"),
    ],
)
async def test_no_source_carries_credentials_or_passes_for_another_page(url: str, known_as: str) -> None:
    result = await ask(hits(url, C))
    assert [one.url for one in result.sources] == [known_as, C]
    assert result.dropped == {}


@pytest.mark.req("core:guarantee:credentials", "core:guarantee:marks")
async def test_marks_follow_a_url_that_lost_its_credentials_and_duplicates_fold() -> None:
    secret = "https://u:hunter2@a.test/"
    prose = f"K {mark(1, secret)} and {mark(2, A)}, then {mark(3, B)}."
    result = await ask(hits(secret, A, B, content=prose))
    assert result.content == f"K {mark(1, A)} and {mark(1, A)}, then {mark(2, B)}."
    assert [one.url for one in result.sources] == [A, B]
    assert result.dropped == {"duplicate": 1}


@pytest.mark.req("core:guarantee:duplicates")
async def test_exact_duplicates_are_folded_and_near_ones_are_not() -> None:
    result = await ask(hits(A, B, A, "https://A.test/", "https://a.test/#x", A))
    assert [one.url for one in result.sources] == [A, B, "https://A.test/", "https://a.test/#x"]
    assert result.dropped == {"duplicate": 2}


@pytest.mark.req("core:guarantee:domains")
@pytest.mark.parametrize(
    ("domain", "url", "inside"),
    [
        ("a.test", "https://a.test/", True),
        ("a.test", "https://www.a.test/", True),
        ("a.test", "https://deep.www.a.test/x?y#z", True),
        ("A.Test", "https://a.TEST/", True),
        ("a.test.", "https://a.test/", True),
        ("a.test", "https://a.test./", True),
        ("bücher.test", "https://xn--bcher-kva.test/", True),
        ("xn--bcher-kva.test", "https://www.BÜCHER.test/", True),
        ("\uff41.test", "https://a.test:8443/", True),
        ("a。test", "https://a.test/", True),
        ("a.test", "https://evila.test/", False),
        ("a.test", "https://a.test.evil/", False),
        ("www.a.test", "https://a.test/", False),
        ("a.test", "https://b.test/a.test", False),
        ("a.test", "https://b.test/?https://a.test/", False),
        ("a.test", "https://a.test@b.test/", False),
        ("a.test", "https://b.test\\@a.test/", False),
        ("127.0.0.1", "http://2130706433/", True),
    ],
)
async def test_domain_controls_hold_on_the_final_url(domain: str, url: str, *, inside: bool) -> None:
    included = await ask(hits(url), controls=SearchControls(include_domains=(domain,)))
    excluded = await ask(hits(url), controls=SearchControls(exclude_domains=(domain,)))
    assert len(included.sources) == (1 if inside else 0)
    assert len(excluded.sources) == (0 if inside else 1)
    assert included.dropped == ({} if inside else {"domain": 1})
    assert excluded.dropped == ({"domain": 1} if inside else {})


@pytest.mark.req("core:guarantee:domains")
async def test_exclusion_beats_inclusion() -> None:
    controls = SearchControls(include_domains=("a.test", "b.test"), exclude_domains=("private.a.test",))
    result = await ask(hits(A, "https://private.a.test/", B, C), controls=controls)
    assert [one.url for one in result.sources] == [A, B]


@pytest.mark.req("core:guarantee:ungrounded")
async def test_an_ungrounded_answer_has_no_sources_and_counts_them() -> None:
    result = await ask(bare("I recall a page.", sources=(Source(url=A), Source(url="x"))))
    assert (result.grounding, result.sources, result.content) == ("ungrounded", (), "I recall a page.")
    assert result.dropped == {"ungrounded": 2}
    assert (await ask(bare())).dropped == {}


@pytest.mark.req("core:guarantee:ungrounded")
async def test_grounding_is_never_told_from_the_number_of_sources() -> None:
    result = await ask(hits())
    assert (result.grounding, result.sources) == ("searched", ())


@pytest.mark.req("core:guarantee:absent")
async def test_empty_strings_become_absent() -> None:
    result = await ask(
        SearchResult(provider="s", content="", sources=(Source(url=A, title="", snippet="", published_at=""),))
    )
    assert result.content is None
    assert result.sources == (Source(url=A),)


@pytest.mark.req("core:guarantee:raw")
@pytest.mark.parametrize("asked", [False, True])
async def test_the_vendors_payload_is_kept_only_when_asked_for(*, asked: bool) -> None:
    result = await ask(hits(A, raw={"secret": "shape"}), call=Call(raw=asked))
    assert result.raw == ({"secret": "shape"} if asked else None)


@pytest.mark.req("core:arguments:max-results")
@pytest.mark.parametrize("bound", [0, -1])
async def test_a_bound_below_one_is_refused_before_the_provider_is_called(bound: int) -> None:
    one = ScriptedSearch("s", [hits()])
    error = await refused(searching(one).search("kelp", max_results=bound))
    assert (error.code, one.script.requests) == (Code.INVALID_ARGS, [])
    error = await refused(searching(one).search(SearchRequest(query="kelp", max_results=bound)))
    assert (error.code, one.script.requests) == (Code.INVALID_ARGS, [])


@pytest.mark.req("core:arguments:query")
@pytest.mark.parametrize(
    "query", ["", " ", "\n\t\u3000", "\u200b\u2060", "\u202e\x00", "x" * 4097, "kelp \udc80", "\ud83d"]
)
async def test_a_blank_endless_or_broken_query_is_refused_before_the_provider_is_called(query: str) -> None:
    one = ScriptedSearch("s", [hits()])
    error = await refused(searching(one).search(query))
    assert (error.code, one.script.requests) == (Code.INVALID_ARGS, [])
    assert len(error.message) < 200


@pytest.mark.req("core:arguments:query")
@pytest.mark.parametrize("query", ["k", " kelp\n", "é" * 4096, "\U0001f600"])
async def test_any_other_query_reaches_the_provider_verbatim(query: str) -> None:
    one = ScriptedSearch("s", [hits()])
    await searching(one).search(query, max_results=3)
    assert one.script.requests == [SearchRequest(query=query, max_results=3)]


@pytest.mark.req("core:arguments:domains")
@pytest.mark.parametrize("name", ["", " ", "https://a.test/", "a.test/x", "*.a.test", "a.test:8080", "a b", "u@a.test"])
@pytest.mark.parametrize("include", [True, False])
async def test_a_domain_that_is_no_host_name_is_refused_and_never_ignored(name: str, *, include: bool) -> None:
    one = ScriptedSearch("s", [hits(A)])
    names = ("b.test", name)
    controls = SearchControls(include_domains=names) if include else SearchControls(exclude_domains=names)
    error = await refused(searching(one).search("kelp", controls=controls))
    assert (error.code, one.script.requests) == (Code.INVALID_ARGS, [])
    assert "host names such as example.com" in error.message


@pytest.mark.req("core:arguments:types")
@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (SearchRequest(query=3), "query must be text, not int"),  # type: ignore[arg-type] # what models write
        (SearchRequest(query=None), "query must be text, not NoneType"),  # type: ignore[arg-type] # the same
        (SearchRequest(query="k", max_results="5"), "max_results must be a whole number"),  # type: ignore[arg-type] # the same
        (SearchRequest(query="k", max_results=True), "max_results must be a whole number, not bool"),
        (SearchRequest(query="k", controls={"country": "SE"}), "controls must be SearchControls"),  # type: ignore[arg-type] # the same
        (
            SearchRequest(query="k", controls=SearchControls(include_domains="a.test")),  # type: ignore[arg-type] # the same
            "several host names, not str",
        ),
        (
            SearchRequest(query="k", controls=SearchControls(exclude_domains=(3,))),  # type: ignore[arg-type] # the same
            "A domain of exclude_domains must be text",
        ),
    ],
)
async def test_a_request_of_the_wrong_types_is_refused_in_words(request_: SearchRequest, named: str) -> None:
    one = ScriptedSearch("s", [hits()])
    error = await refused(searching(one).search(request_))
    assert (error.code, one.script.requests) == (Code.INVALID_ARGS, [])
    assert named in error.message


@pytest.mark.req("core:arguments:types")
async def test_a_url_or_timeout_of_the_wrong_type_is_refused_in_words() -> None:
    web = searching(ScriptedSearch("s", [hits()]))
    url: Any = None
    seconds: Any = "5"
    for call, named in (
        (web.fetch(url), "url must be text, not NoneType"),
        (web.extract(url), "url must be text"),
        (web.permit_fetch(url), "url must be text"),
        (web.search("kelp", timeout=seconds), "timeout must be a number of seconds, not str"),
    ):
        error = await refused(call)
        assert (error.code, named in error.message) == (Code.INVALID_ARGS, True), error.message


@pytest.mark.req("core:arguments:forms")
@pytest.mark.parametrize(
    ("controls", "named"),
    [
        (SearchControls(published_after="02.03.2026"), "published_after must be an ISO 8601 day"),
        (SearchControls(published_after="20260302"), "published_after must be an ISO 8601 day"),
        (SearchControls(published_before="2026-02-30"), "published_before must be an ISO 8601 day"),
        (SearchControls(published_after="2026-03-02", published_before="2026-03-01"), "published_after must be not"),
        (SearchControls(country="Sweden"), "country must be two letters"),
        (SearchControls(country="\u0661\u0662"), "country must be two letters"),
        (SearchControls(language="swedish please"), "language must be a BCP 47 tag"),
        (SearchControls(language="german"), "language must be a BCP 47 tag"),
        (SearchControls(safe_search="on"), "safe_search must be one of off, moderate, strict"),  # type: ignore[arg-type] # what models write
        (SearchControls(safe_search=True), "safe_search must be text, not bool"),  # type: ignore[arg-type] # the same
        (SearchControls(country=46), "country must be text, not int"),  # type: ignore[arg-type] # the same
        (SearchControls(published_after=20260302), "published_after must be text, not int"),  # type: ignore[arg-type] # the same
    ],
)
async def test_a_control_of_the_wrong_form_is_refused_before_anybody_is_asked(
    controls: SearchControls, named: str
) -> None:
    one = ScriptedSearch("s", [hits()], native_controls=frozenset(SearchControls.__slots__))
    settings = SeamSettings(controls="lenient")
    error = await refused(searching(one, settings=settings).search("kelp", controls=controls))
    assert (error.code, error.provider, one.script.requests) == (Code.INVALID_ARGS, None, [])
    assert error.message.startswith(named)


@pytest.mark.req("core:arguments:forms")
async def test_a_blank_control_is_absent() -> None:
    controls = SearchControls(published_after="", country="", language="")
    assert (await ask(hits(A), controls=controls)).controls == {}


SPAN = SearchControls(published_after="2026-03-02", published_before="2026-03-31")
DATES = frozenset({"published_after", "published_before"})


async def dated(*published: str | None, native: frozenset[str] = DATES, **options: Any) -> SearchResult:
    found = tuple(Source(url=f"https://{number}.test/", published_at=day) for number, day in enumerate(published))
    one = ScriptedSearch("s", [SearchResult(provider="s", sources=found)], native_controls=native)
    return await searching(one, settings=SeamSettings(controls="lenient")).search("k", controls=SPAN, **options)


@pytest.mark.req("core:guarantee:dates")
@pytest.mark.parametrize(
    "day",
    ["2026-02-28T23:59:59Z", "Feb 28, 2026", "2025-03-15", "2026-04-02", "Thu, 02 Apr 2026 00:00:00 GMT", "1893456000"],
)
async def test_a_source_that_is_dated_clearly_outside_a_native_span_is_dropped_and_counted(day: str) -> None:
    result = await dated(day, "2026-03-15")
    assert [one.published_at for one in result.sources] == ["2026-03-15"]
    assert result.dropped == {"date": 1}
    assert result.controls == {"published_after": "native", "published_before": "native"}


@pytest.mark.req("core:guarantee:dates")
@pytest.mark.parametrize(
    "day",
    [None, "", "3 days ago", "02/03/2020", "soon", "2026-03-01", "2026-03-02", "March 31, 2026", "2026-04-01T10:00Z"],
)
async def test_undated_and_adjacent_sources_stay_with_their_date_verbatim(day: str | None) -> None:
    result = await dated(day)
    assert [one.published_at for one in result.sources] == [day or None]
    assert result.dropped == {}


@pytest.mark.req("core:guarantee:dates")
async def test_each_end_of_the_span_is_held_only_where_the_vendor_honours_it() -> None:
    early, late = "2020-01-01", "2030-01-01"
    assert len((await dated(early, late, native=frozenset())).sources) == 2
    after = await dated(early, late, native=frozenset({"published_after"}))
    assert [one.published_at for one in after.sources] == [late]
    before = await dated(early, late, native=frozenset({"published_before"}))
    assert [one.published_at for one in before.sources] == [early]


@pytest.mark.req("core:guarantee:dates")
async def test_a_vendor_that_reports_a_date_as_unsupported_is_not_held_to_it() -> None:
    reported: dict[str, Any] = {"published_after": "unsupported", "published_before": "unsupported"}
    found = SearchResult(provider="s", sources=(Source(url=A, published_at="2020-01-01"),), controls=reported)
    one = ScriptedSearch("s", [found], native_controls=DATES)
    assert len((await searching(one).search("k", controls=SPAN)).sources) == 1


@pytest.mark.req("core:guarantee:dates")
async def test_what_its_date_drops_makes_room_before_the_cut() -> None:
    result = await dated("2020-01-01", "2026-03-03", max_results=1)
    assert ([one.published_at for one in result.sources], result.truncated) == (["2026-03-03"], False)


@pytest.mark.req("core:guarantee:dates")
@pytest.mark.parametrize("day", ["0001-01-01T00:00:00", "1970-01-01", "1970-01-01T00:00:00.000Z"])
async def test_what_software_writes_for_an_unknown_time_contradicts_no_span(day: str) -> None:
    result = await dated(day, "2020-01-01")
    assert [one.published_at for one in result.sources] == [day]
    assert result.dropped == {"date": 1}


@pytest.mark.req("core:guarantee:dates")
async def test_the_first_and_the_last_day_of_the_calendar_are_days_like_others() -> None:
    controls = SearchControls(published_after="0001-01-01", published_before="9999-12-31")
    found = tuple(Source(url=f"https://{day}.test/", published_at=day) for day in ("0001-01-01", "9999-12-31"))
    one = ScriptedSearch("s", [SearchResult(provider="s", sources=found)], native_controls=DATES)
    assert len((await searching(one).search("k", controls=controls)).sources) == 2


URLS = st.sampled_from(
    [A, B, C, "https://x.a.test/", "https://evila.test/", "javascript:x", "", "http://", "ftp://a.test/"]
)


@pytest.mark.req("core:guarantee:duplicates", "core:guarantee:web-urls", "core:guarantee:max-results")
@given(
    urls=st.lists(URLS, max_size=12),
    bound=st.none() | st.integers(1, 6),
    include=st.lists(st.sampled_from(["a.test", "b.test"]), max_size=2),
    exclude=st.lists(st.sampled_from(["x.a.test", "c.test"]), max_size=2),
    truncated=st.booleans(),
)
def test_a_held_answer_keeps_every_promise_and_every_row_is_accounted_for(
    urls: list[str], bound: int | None, include: list[str], exclude: list[str], *, truncated: bool
) -> None:
    controls = SearchControls(include_domains=tuple(include), exclude_domains=tuple(exclude))
    request = SearchRequest(query="kelp", max_results=bound, controls=controls)
    held = guarantee(hits(*urls, truncated=truncated), request, {})
    kept = [one.url for one in held.sources]
    assert all(map(is_web_url, kept))
    assert len(kept) == len(set(kept))
    assert bound is None or len(kept) <= bound
    assert kept == [url for url in dict.fromkeys(urls) if url in kept]
    for url in kept:
        host = host_of(url) or ""
        assert not include or any(in_domain(host, domain) for domain in include)
        assert not any(in_domain(host, domain) for domain in exclude)
    lost = len(urls) - sum(held.dropped.values()) - len(kept)
    assert lost >= 0
    assert held.truncated == (truncated or lost > 0)
    assert guarantee(held, request, {}) == held
