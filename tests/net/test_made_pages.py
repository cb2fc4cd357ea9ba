"""What is kept of a page as it was made: the same results, and nothing that is no longer so."""

import gzip
import tracemalloc
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.net import answer
from support.pages import page, reading, stored, text
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.pages import StoredPage
from webseam.core.settings import FetchSettings
from webseam.core.types import CacheFacts, FetchResult, HtmlBody, Note, Redirect
from webseam.core.url import Url
from webseam.net.replies import StoredReply
from webseam.providers.fetch.http.made_pages import MadePages
from webseam.providers.fetch.http.reading import PageReader

URL = Url.parse("https://a.test/page")


def _made(content: str = "one") -> FetchResult:
    return FetchResult(provider="http", url="", status_code=200, body=HtmlBody(content=content))


@pytest.mark.req("cache:made:same")
async def test_every_result_of_a_kept_page_is_the_same_but_for_its_age_and_tries() -> None:
    site_page = page(
        "one", cache="max-age=600", Link="<alternate.md>; rel=alternate; type=text/markdown", Refresh="5; x"
    )
    async with reading(site_page) as site:
        first = await site.read()
        for seconds in (10, 20, 30):
            site.clocks.passes(10)
            again = await site.read()
            assert again == replace(first, cache=CacheFacts(age=float(seconds)), attempts=again.attempts)
        assert {note.code for note in first.notes} >= {"meta_refresh"}
        fragment = await site.read("/#part")
        assert fragment.url == first.url + "#part"
        assert site.origin.targets == ["/"]


@pytest.mark.req("cache:made:same")
async def test_a_page_is_made_once_and_its_text_is_one_object_from_then_on() -> None:
    async with reading(page("one")) as site:
        await site.read()
        second, third = await site.read(), await site.read()
        assert second.body is third.body


@pytest.mark.req("cache:made:changed")
async def test_a_page_that_changed_is_made_anew() -> None:
    async with reading(page("one")) as site:
        for expected in ("one", "two", "three"):
            site.origin.pages["/"] = page(expected)
            site.clocks.passes(61)
            for _ in range(3):
                assert expected in text(await site.read())


@pytest.mark.req("cache:made:gone")
@pytest.mark.parametrize("status", [200, 304])
async def test_nothing_stays_of_a_page_that_may_be_kept_no_longer(status: int) -> None:
    async with reading(page("one", ETag='"1"')) as site:
        made = dict(site.web._registries.fetch.items())["http"]._reader._made  # type: ignore[attr-defined]
        for _ in range(2):
            await site.read()
        assert made.held > 0
        site.clocks.passes(61)
        body = b"" if status == 304 else b"<p>one</p>"
        site.origin.pages["/"] = answer(body, status=status, headers={"Cache-Control": "no-store", "ETag": '"1"'})
        last = await site.read()
        assert text(last) == "one"
        assert (last.cache is not None) is (status == 304)
        assert made.held == 0


@pytest.mark.req("cache:made:gone")
async def test_nothing_stays_of_a_page_that_has_become_one_that_is_refused() -> None:
    async with reading(page("one")) as site:
        made = dict(site.web._registries.fetch.items())["http"]._reader._made  # type: ignore[attr-defined]
        for _ in range(2):
            await site.read()
        site.clocks.passes(61)
        site.origin.pages["/"] = answer(b"\x89PNG\r\n\x1a\n", content_type="image/png")
        with pytest.raises(WebError, match="Images are refused"):
            await site.read()
        assert made.held == 0


@pytest.mark.req("cache:made:changed")
@pytest.mark.parametrize(
    "other",
    [
        {"body": b"other"},
        {"status": 404},
        {"headers": (("Link", "<x>; rel=y"),)},
        {"proxied": True},
    ],
)
def test_another_answer_is_another_page(other: dict[str, Any]) -> None:
    kept, pages = stored(), MadePages()
    made = _made()
    pages.put(URL, "", kept, made)
    assert pages.get(URL, "", kept) is made
    assert pages.get(URL, "", replace(kept, stored_at=kept.stored_at + 9, age=3.0, lifetime=7.0)) is made
    assert pages.get(URL, "", replace(kept, **other)) is None
    assert pages.get(URL, "", kept) is None, "what is over is forgotten"


@pytest.mark.req("cache:made:tenants")
def test_a_tenant_has_nothing_of_another() -> None:
    kept, pages = stored(), MadePages()
    pages.put(URL, "one", kept, _made())
    assert pages.get(URL, "two", kept) is None
    assert pages.get(URL, "", kept) is None
    assert pages.get(Url.parse("https://a.test/other"), "one", kept) is None
    assert pages.get(Url.parse("https://a.test/page#part"), "one", kept) is not None


@pytest.mark.req("cache:made:tenants")
async def test_the_same_page_of_two_tenants_is_made_for_each() -> None:
    async with reading(page("one")) as site:
        calls = [Call(tags={"tenant": name}) for name in ("one", "two")]
        bodies = [(await site.read(call=call)).body for call in (*calls, *calls)]
        again = [(await site.read(call=call)).body for call in calls]

    assert again[0] == again[1]
    assert again[0] is not again[1]
    assert again == bodies[2:]


@pytest.mark.req("cache:made:bounded")
def test_the_page_used_longest_ago_goes_first_and_one_too_large_is_not_kept() -> None:
    urls = [Url.parse(f"https://a.test/{one}") for one in range(4)]
    pages, kept = MadePages(max_bytes=9_500), stored()
    for url in urls[:3]:
        pages.put(url, "", kept, _made())
    assert pages.get(urls[0], "", kept) is not None
    for _ in range(2):
        pages.put(urls[3], "", kept, _made("x" * 4_800))
    assert [pages.get(url, "", kept) is not None for url in urls] == [True, False, False, True]
    pages.put(urls[0], "", kept, _made("x" * 9_500))
    assert [pages.get(url, "", kept) is not None for url in urls] == [False, False, False, True]


@pytest.mark.req("cache:made:bounded")
@pytest.mark.parametrize(("headers", "notes"), [(0, 0), (256, 0), (0, 6)])
def test_the_bound_counts_all_that_small_pages_take(headers: int, notes: int) -> None:
    bound = 500_000
    tracemalloc.start()
    pages = MadePages(max_bytes=bound)
    for at in range(400):
        fields = tuple((f"name-{at}-{one}", f"value {at} {one}") for one in range(headers))
        said = tuple(Note(code="meta_refresh", detail=f"{at} {one} " + "x" * 2_000) for one in range(notes))
        url = Url.parse(f"https://a.test/{at}")
        pages.put(url, f"tenant {at}", stored(f"{at}".encode(), headers=fields), replace(_made(f"{at}"), notes=said))
        last = url, f"tenant {at}", stored(f"{at}".encode(), headers=fields)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert pages.get(*last) is not None
    assert held < bound * 1.2


_BODIES = [
    b"",
    b"one",
    b"<p>\xfcber",
    b'<meta charset="koi8-r"><p>\xd2',
    b"{}",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xfea\x00",
]
_HEADERS = [
    ("Content-Type", "text/html"),
    ("content-type", "text/plain; charset=utf-16"),
    ("Content-Type", "text/html; charset=nothing"),
    ("Content-Type", "image/png"),
    ("Content-Encoding", "gzip"),
    ("Content-Encoding", "odd"),
    ("Retry-After", "120"),
    ("Retry-After", "Fri, 15 Jan 2027 08:30:00 GMT"),
    ("Refresh", "0; url=next?a#b"),
    ("Link", '<alternate.md>; rel=alternate; type="text/markdown"'),
    ("Vary", "Accept"),
    ("Content-Length", "3"),
    ("Content-Range", "bytes 0-2/9"),
]
_ANSWERS = st.builds(
    stored,
    body=st.sampled_from([*_BODIES, *map(gzip.compress, _BODIES)]),
    status=st.sampled_from([200, 203, 204, 206, 301, 403, 404, 410, 429, 503]),
    headers=st.lists(st.sampled_from(_HEADERS), max_size=4).map(tuple),
    proxied=st.booleans(),
    stored_at=st.floats(0, 10),
)
_ASKED = st.tuples(
    st.integers(0, 2),
    st.sampled_from(["https://a.test/page", "https://a.test/page#part", "https://a.test/dir/"]),
    st.sampled_from(["", "one", "two"]),
    st.lists(st.just(Redirect(status_code=301, url="https://a.test/x")), max_size=1).map(tuple),
    st.builds(CacheFacts, age=st.sampled_from([0.0, 3.0, 500.0]), stale=st.booleans(), revalidated=st.booleans()),
)


@pytest.mark.req("cache:made:same", "cache:made:changed", "cache:made:tenants")
@given(st.lists(_ANSWERS, min_size=3, max_size=3), st.lists(_ASKED, max_size=12))
async def test_whoever_asks_in_whatever_order_has_what_is_made_anew(
    answers: list[StoredPage], asked: list[tuple[int, str, str, tuple[Redirect, ...], CacheFacts]]
) -> None:
    kept = _reader()
    for which, url, tenant, hops, facts in asked:
        told = [
            await _told(reader, StoredReply(page, facts), Url.parse(url), hops, Call(tags={"tenant": tenant}))
            for reader, page in ((kept, replace(answers[which])), (_reader(), answers[which]))
        ]
        assert told[0] == told[1]


def _reader() -> PageReader:
    return PageReader("http", FetchSettings(images=True), now=lambda: 1_800_000_000.0)


async def _told(reader: PageReader, reply: StoredReply, url: Url, hops: tuple[Redirect, ...], call: Call) -> object:
    try:
        return await reader.page(reply, url, hops, call)
    except WebError as exc:
        return exc.to_dict()
