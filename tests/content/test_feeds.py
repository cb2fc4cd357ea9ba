"""Feeds: every format as a dated list, links absolute, nothing fetched, hostile ones bounded."""

import socket
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.content import page
from webseam.content.convert import Converted, Converter
from webseam.content.feed_text import demoted
from webseam.content.feeds import feed_listing
from webseam.content.json_feed import json_feed_listing
from webseam.content.listings import form_of, xml_form
from webseam.content.markdown import to_markdown
from webseam.core.deadline import Deadline
from webseam.core.limits import FEED_ENTRIES, FEED_ENTRY_CHARS
from webseam.core.types import HtmlBody, Note, TextBody

URL = "https://kelp.example/feeds/news.xml"
RSS = """<?xml version="1.0"?><!-- made by hand --><rss version="2.0"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>Kelp &amp; co</title><link>/home</link><description>News of kelp</description><language>en</language>
<item><title>A [b] &lt;i&gt;c&lt;/i&gt;</title><link>/a_b</link><dc:creator>Ann</dc:creator>
<pubDate>Fri, 02 Jan 2026 10:00:00 +0100</pubDate><description>short</description>
<content:encoded><![CDATA[<h2>Head</h2><p>x <a href="y">l</a></p><script>1</script><pre># no</pre>]]></content:encoded>
<enclosure url="e.mp3" type="audio/mpeg" length="12345"/></item>
<item><description>no title</description></item></channel></rss>"""
ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://other.example/b/">
<title type="html">Tides &amp;amp; &lt;b&gt;more&lt;/b&gt;</title><updated>2026-02-01T00:00:00Z</updated>
<entry xml:base="c/"><title>One</title><link href="one"/><updated>2026-01-03</updated><author><name>Bo</name></author>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>see <a href="two">two</a></p></div></content></entry>
<entry><title>Two</title><published>2026-01-01T00:00:00+02:00</published><updated>2026-01-09T00:00:00Z</updated>
<summary type="text">a &lt; b *c*</summary></entry></feed>"""
ATOM_03 = """<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><entry><title>E</title>
<link rel="alternate" type="text/html" href="http://old.example/e"/><issued>2003-12-13T08:29:29Z</issued></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="http://rdf.example/"><title>R</title>
<link>http://rdf.example/</link></channel><item rdf:about="http://rdf.example/1"><title>First</title>
<link>http://rdf.example/1</link><dc:date>2026-01-05T06:07:08Z</dc:date></item></rdf:RDF>"""
RSS_091 = """<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/rss.dtd">
<rss version="0.91"><channel><title>N</title><item><title>T</title><link>http://n.example/t</link></item></channel></rss>"""
JSON_FEED = r"""{"version":"https:\/\/jsonfeed.org\/version\/1.1","title":"J","home_page_url":"https://j.example/",
"authors":[{"name":"Ann"}],"items":[{"id":"1","title":"I*","url":"/i","date_published":"2026-01-02T03:04:05+01:00",
"content_html":"<h1>H</h1><p>t</p>","attachments":[{"url":"/e.mp3","mime_type":"audio/mpeg","size_in_bytes":7}]},
{"id":2,"content_text":"a\n\nb","author":{"name":"Bo"}},7]}"""


def text_of(feed: str) -> str:
    made = feed_listing(feed, url=URL)
    assert made is not None
    return made.text


async def converted(content: str, kind: str = "application/xml") -> Converted:
    converter = Converter(pictures=False)
    try:
        found = page(TextBody(content=content), url=URL, media_type=kind)
        return await converter.convert(found, deadline=Deadline.after(20))
    finally:
        await converter.aclose()


@pytest.mark.req("feeds:list")
def test_rss_is_a_dated_list_with_absolute_links() -> None:
    assert text_of(RSS) == (
        "# Kelp & co\n\nNews of kelp\n\n<https://kelp.example/home>\n\n"
        "## [A \\[b\\] c](https://kelp.example/a_b)\n\n2026-01-02T09:00:00Z, by Ann\n\n"
        "#### Head\n\nx [l](https://kelp.example/feeds/y)\n\n```\n# no\n```\n\n"
        "- File: <https://kelp.example/feeds/e.mp3> (audio/mpeg, 12,345 bytes)\n\n## Untitled\n\nno title"
    )


@pytest.mark.req("feeds:list", "feeds:dates")
def test_atom_links_mean_their_own_base_and_plain_text_stays_plain() -> None:
    assert text_of(ATOM) == (
        "# Tides & more\n\nUpdated 2026-02-01T00:00:00Z\n\n## [One](https://other.example/b/c/one)\n\n2026-01-03, by Bo"
        "\n\nsee [two](https://other.example/b/c/two)\n\n## Two\n\n2025-12-31T22:00:00Z\n\na < b \\*c\\*"
    )


@pytest.mark.req("feeds:list", "feeds:dates")
@pytest.mark.parametrize(
    ("feed", "entry"),
    [
        (ATOM_03, "## [E](http://old.example/e)\n\n2003-12-13T08:29:29Z"),
        (RDF, "## [First](http://rdf.example/1)\n\n2026-01-05T06:07:08Z"),
        (RSS_091, "## [T](http://n.example/t)"),
    ],
)
def test_older_formats_are_read(feed: str, entry: str) -> None:
    assert xml_form(feed) == "feed"
    assert text_of(feed).endswith(entry)


@pytest.mark.req("feeds:list")
def test_a_file_without_a_type_is_given_none() -> None:
    entry = "<entry><title>E</title><link rel='enclosure' href='e.mp3' length='7'/></entry>"
    feed = f"<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>{entry}</feed>"
    assert text_of(feed).endswith("e.mp3> (7 bytes)")


@pytest.mark.req("feeds:json")
def test_a_json_feed_is_the_same_list() -> None:
    made = json_feed_listing(JSON_FEED, url="https://j.example/feed.json")
    assert made is not None
    assert made.text == (
        "# J\n\n<https://j.example/>\n\n## [I\\*](https://j.example/i)\n\n2026-01-02T03:04:05+01:00\n\n### H\n\nt\n\n"
        "- File: <https://j.example/e.mp3> (audio/mpeg, 7 bytes)\n\n## Untitled\n\nby Bo\n\na\n\nb"
    )
    assert made.metadata is not None
    assert (made.metadata.title, made.metadata.author) == ("J", "Ann")


@pytest.mark.req("feeds:json")
@pytest.mark.parametrize("text", ["[" * 100_000, '{"version": "https://jsonfeed.org/version/1"', '{"items": 3}', "7"])
def test_json_that_is_no_feed_is_none(text: str) -> None:
    assert json_feed_listing(text, url=URL) is None


@pytest.mark.req("feeds:known")
@pytest.mark.parametrize(
    ("content", "kind", "form"),
    [
        (RSS, "text/plain", "feed"),
        ("\ufeff\n" + ATOM, "text/xml", "feed"),
        (RDF, "application/xml", "feed"),
        (JSON_FEED, "application/json", "json_feed"),
        ('{"items": []}', "application/feed+json", "json_feed"),
        ('{"a": "jsonfeed.org"}', "application/json", None),
        (RSS, "text/markdown", None),
        ("<html><rss>", "text/plain", None),
        ("<p>&lt;rss version=2.0&gt;", "text/plain", None),
        ('<feed xmlns="urn:other">', "application/xml", None),
        ("<rdf:RDF xmlns='urn:other'>", "application/xml", None),
        ("<rssx>", "application/xml", None),
        ("", "text/plain", None),
    ],
)
def test_a_list_is_known_by_its_content(content: str, kind: str, form: str | None) -> None:
    assert form_of(page(TextBody(content=content), media_type=kind)) == form


@pytest.mark.req("feeds:known")
def test_html_is_never_taken_for_a_feed_by_its_words() -> None:
    assert form_of(page(HtmlBody(content=RSS))) is None


@pytest.mark.req("feeds:capped")
def test_a_feed_of_many_entries_shows_the_first_and_counts_the_rest() -> None:
    items = "".join(f"<item><title>E{at}</title></item>" for at in range(FEED_ENTRIES + 50))
    made = feed_listing(f"<rss version='2.0'><channel><title>M</title>{items}</channel></rss>", url=URL)
    assert made is not None
    assert (made.left_out, made.cut, made.malformed) == (50, True, False)
    assert made.text.endswith(f"## E{FEED_ENTRIES - 1}\n\n*50 further entries of this feed are left out.*")


@pytest.mark.req("feeds:capped")
def test_one_long_entry_does_not_hide_the_next() -> None:
    long = f"<item><description>{'kelp ' * FEED_ENTRY_CHARS}</description></item>"
    made = feed_listing(f"<rss version='2.0'><channel>{long}<item><title>N</title></item></channel></rss>", url=URL)
    assert made is not None
    assert made.cut
    assert "further characters of this entry are left out.*\n\n## N" in made.text


@pytest.mark.req("feeds:malformed")
async def test_a_broken_feed_is_read_as_far_as_it_goes_and_says_so() -> None:
    made = await converted("<rss version='2.0'><channel><title>B</title><item><title>One & two</title></item><item>")
    assert "## One & two" in made.text
    assert made.notes == (Note(code="malformed_feed"),)
    assert (await converted(RSS)).notes == ()


@pytest.mark.req("feeds:hostile")
@pytest.mark.parametrize(
    "feed",
    [
        "<!DOCTYPE rss [<!ENTITY a 'aaaaaaaaaa'>"
        + "".join(f"<!ENTITY {chr(98 + at)} '{f'&{chr(97 + at)};' * 10}'>" for at in range(9))
        + "]><rss version='2.0'><channel><title>&j;</title></channel></rss>",
        "<!DOCTYPE rss [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rss><channel><title>&x;</title></channel>",
        "<rss version='2.0'><channel><title>T</title><item><description>"
        + "&lt;b&gt;" * 50_000
        + "</description></item>",
        "<rss version='2.0'><channel>" + "<item>" * 20_000,
    ],
    ids=["bomb", "external", "unclosed", "items"],
)
async def test_a_hostile_feed_is_bounded_and_reads_no_file(feed: str) -> None:
    made = await converted(feed)
    assert made.fallback in (None, "timeout")
    assert "root:" not in made.text
    assert len(made.text) < 12 * len(feed) + 4_096


@pytest.mark.req("feeds:hostile")
def test_a_feed_is_never_an_address_to_fetch_or_a_file_to_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise AssertionError("it asked for a name")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert feed_listing("http://kelp.example/feed", url=URL) is None
    assert feed_listing("/etc/passwd", url=URL) is None
    assert feed_listing("", url=URL) is None


@pytest.mark.req("feeds:hostile")
def test_a_tag_of_a_hundred_thousand_attributes_is_not_parsed() -> None:
    attributes = " ".join(f"a{at}='1'" for at in range(100_000))
    assert feed_listing(f"<rss version='2.0' {attributes}><channel/></rss>", url=URL) is None


@pytest.mark.req("feeds:verbatim")
@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ('{"b":1.0,  "a":[1e400]}', "application/json"),
        ("a,b\n1,2\n", "text/csv"),
        ("<note><to>x</to></note>", "application/xml"),
        ("# T\n\n<b>x</b>", "text/markdown"),
        ("plain  *text*\n", "text/plain"),
    ],
)
async def test_other_text_stays_as_it_is(content: str, kind: str) -> None:
    made = await converted(content, kind)
    assert (made.text, made.is_listing) == (content, False)
    assert to_markdown(page(TextBody(content=content), media_type=kind)) == content


@pytest.mark.req("feeds:list")
async def test_the_worker_and_the_calling_thread_make_the_same_list() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        here = to_markdown(page(TextBody(content=RSS), url=URL, media_type="application/rss+xml"))
    made = await converted(RSS, "application/rss+xml")
    assert (made.text, made.is_listing) == (here, True)
    assert made.metadata is not None
    assert (made.metadata.title, made.metadata.language) == ("Kelp & co", "en")


@pytest.mark.req("feeds:list")
@given(st.lists(st.sampled_from(["# a", "```", "~~~", "## b", "text", "####### c", "", "```` x"]), max_size=12))
def test_headings_go_deeper_and_no_fence_stays_open(lines: list[str]) -> None:
    made = demoted("\n".join(lines), by=2)
    assert demoted(made, by=0) == made
    assert len(made.split("\n")) - max(1, len(lines)) in (0, 1)
