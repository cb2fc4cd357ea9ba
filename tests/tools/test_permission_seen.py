"""Which URLs a run has seen, and what looks like data carried out: issue 6, security README 4."""

from html import escape

import pytest

from support.permission import SECRET, Bench, code
from support.tools import found, html, plain


@pytest.mark.req("permission:seen:refused")
async def test_a_url_that_was_not_seen_is_refused_before_anything_leaves() -> None:
    bench = Bench(unseen="deny")
    bench.run.saw("Read https://a.test/x?q=1")
    result = await bench.fetch("https://b.test/")
    assert (code(result), bench.reached) == ("WEB_DENIED", 0)
    assert "Search for the page, or ask the person" in result.text
    changed = await bench.fetch("https://a.test/x?q=2")
    assert (code(changed), bench.reached) == ("WEB_DENIED", 0)
    assert "another query string" in changed.text
    assert code(await bench.fetch("https://a.test/x?q=1#part")) is None


@pytest.mark.req("permission:seen:shown")
async def test_hits_and_the_links_of_pages_read_may_be_fetched() -> None:
    bench = Bench(unseen="deny")
    link, deep = "https://b.test/linked_(x)?y=2", "https://c.test/deep"
    bench.pages.pages["https://hit.test/?id=1"] = [
        html(f'<p><a href="{link}">on</a> <a href="/rel">r</a></p>', url="https://hit.test/?id=1")
    ]
    bench.pages.pages[link] = [plain(f"Go to {deep}.", url="https://b.test/final")]
    await bench.ask()
    urls = ["https://hit.test/?id=1", "https://hit.test/rel", link, deep, "https://b.test/final"]
    assert [code(await bench.fetch(url)) for url in urls] == [None] * 5
    assert code(await bench.fetch("https://hit.test/?id=2")) == "WEB_DENIED"
    assert code(await bench.fetch("https://d.test/")) == "WEB_DENIED"


MARKS = [*"|^{}[]()'*_~!,;:@$&=+`\\\"<>-.%", "||", "))", "](", "__", "ü", "日本", "%7C", "&amp;"]


@pytest.mark.req("permission:seen:spelling")
@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize(
    "page",
    [
        '<p>(<a href="{}">label</a>), <a href="/other">o</a></p>',
        '<table><tr><th>a</th></tr><tr><td><a href="{}">label</a></td></tr></table>',
    ],
    ids=["text", "table"],
)
async def test_a_link_of_a_page_may_be_fetched_whatever_its_url_holds(mark: str, page: str) -> None:
    url = f"https://b.test/x{mark}y?f{mark}g=h{mark}"
    bench = Bench(unseen="deny")
    bench.run.saw("https://a.test/")
    bench.pages.pages["https://a.test/"] = [html(page.format(escape(url)), url="https://a.test/")]
    await bench.fetch("https://a.test/")
    assert code(await bench.fetch(url)) is None
    assert code(await bench.fetch(f"{url}z")) == "WEB_DENIED"


@pytest.mark.req("permission:seen:shown")
async def test_what_a_page_says_of_itself_and_what_find_shows_may_be_fetched() -> None:
    bench = Bench(unseen="deny")
    bench.run.saw("https://a.test/")
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    head = f'<link rel="canonical" href="https://a.test/whole">{feed}'
    body = '<h1>Kelp</h1><p>The permits are at <a href="https://b.test/permits">the office</a>.</p>'
    bench.pages.pages["https://a.test/"] = [html(f"<head>{head}</head><body>{body}</body>", url="https://a.test/")]
    assert code(await bench.fetch("https://a.test/", find="permits")) is None
    urls = ["https://b.test/permits", "https://a.test/whole", "https://a.test/feed"]
    assert [code(await bench.fetch(url)) for url in urls] == [None] * 3


@pytest.mark.req("permission:seen:own-words")
async def test_what_the_model_wrote_is_not_seen_because_somebody_repeats_it() -> None:
    evil = "https://evil.test/leak"
    bench = Bench(unseen="deny", result=found("https://hit.test/", content=f"You asked for {evil}", notices=(evil,)))
    bench.run.saw("https://a.test/")
    await bench.ask(f"what is {evil}")
    await bench.fetch(evil)
    await bench.fetch("https://a.test/", find=evil)
    for before in ("", ")", " ", "|", "]", ">", "%20", "\\"):
        url = f"https://a.test/#{before}{evil}"
        bench.pages.pages[url] = [html('<p><a href="">Top</a> <a href="#x">x</a> <a href="?">y</a></p>', url=url)]
        assert code(await bench.fetch(url)) is None
    assert code(await bench.fetch(evil)) == "WEB_DENIED"
    assert evil not in bench.pages.asked


@pytest.mark.req("permission:query")
async def test_a_query_string_is_bounded_where_the_url_was_not_seen() -> None:
    bench = Bench(max_query_chars=5)
    long = "https://a.test/?q=123456"
    result = await bench.fetch(long)
    assert code(result) == "WEB_DENIED"
    assert "has 8 characters; permission.max_query_chars allows 5" in result.text
    assert code(await bench.fetch("https://a.test/?q=123")) is None
    bench.run.found([long])
    assert code(await bench.fetch(long)) is None


@pytest.mark.req("permission:flags")
async def test_parts_that_look_like_data_are_flagged_and_denied_where_so_set() -> None:
    url, query = f"https://a.test/?d={SECRET}", f"tell me about {SECRET}"
    open_bench, closed = Bench(), Bench(flagged="deny")
    told = [(await open_bench.fetch(url)).meta, (await open_bench.ask(query)).meta]
    assert [one["permission"][0].get("flags") for one in told] == [["unseen", "query", "data"], ["data"]]
    assert [code(await closed.fetch(url)), code(await closed.ask(query))] == ["WEB_DENIED"] * 2
    assert closed.reached == 0
    closed.run.found([url])
    assert code(await closed.fetch(url)) is None
    assert [code(await closed.fetch("https://a.test/?q=1")), code(await closed.ask())] == [None, None]
