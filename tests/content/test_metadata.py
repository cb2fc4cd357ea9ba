"""What a page says about itself."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webseam
from support.content import converted, page
from webseam.content.convert import Converter
from webseam.content.metadata import made_metadata, packed_metadata, unpacked_metadata
from webseam.core.deadline import Deadline
from webseam.core.types import PageMetadata, TextBody


def said(head: str, body: str = "<p>Kelp.") -> PageMetadata:
    """The metadata of a page with this head; empty when it says nothing."""
    html = f"<!doctype html><html><head>{head}</head><body>{body}"
    made = converted(html).metadata
    assert made == webseam.metadata(page(html))
    return made or PageMetadata()


def ld(value: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps(value)}</script>"


ARTICLE: dict[str, Any] = {"@type": "NewsArticle", "datePublished": "2026-03-02T10:00:00+01:00"}

SAID = [
    ("title", "<title> Tides &amp;\n moons </title>", "Tides & moons"),
    ("title", "<meta property=og:title content=Tides>", "Tides"),
    ("title", "<meta name=twitter:title content=Tides>", "Tides"),
    ("description", "<meta name=Description content='Of water.'>", "Of water."),
    ("description", "<meta property='og:description' content='Of water.'>", "Of water."),
    ("author", "<meta name=author content='Ann Lee'>", "Ann Lee"),
    ("author", "<meta name=author content=Ann><meta name=author content=Bo><meta name=author content=Ann>", "Ann, Bo"),
    ("author", "<meta name=dc.creator content=Ann>", "Ann"),
    ("author", "<meta name=DC:creator content=Ann>", "Ann"),
    ("author", "<meta name=citation_author content='Lee, A.'>", "Lee, A."),
    ("published_at", "<meta property=article:published_time content=2026-03-02>", "2026-03-02"),
    ("published_at", "<meta name=dcterms.issued content='2026'>", "2026"),
    ("published_at", "<meta name=date content='March 2, 2026'>", "March 2, 2026"),
    ("published_at", "<meta itemprop=datePublished content=2026-03-02>", "2026-03-02"),
    ("modified_at", "<meta property=article:modified_time content=2026-03-02T10:00Z>", "2026-03-02T10:00Z"),
    (
        "modified_at",
        "<meta http-equiv=last-modified content='Mon, 02 Mar 2026 10:00:00 GMT'>",
        "Mon, 02 Mar 2026 10:00:00 GMT",
    ),
    ("language", "<meta property=og:locale content=pt_BR>", "pt-BR"),
    ("language", "<meta http-equiv=content-language content=de>", "de"),
    ("site_name", "<meta property=og:site_name content='The Coast'>", "The Coast"),
    ("canonical_url", "<link rel=canonical href=/tides>", "https://site.test/tides"),
    ("canonical_url", "<base href=https://b.test/x/><link rel='Canonical' href=tides>", "https://b.test/x/tides"),
    ("canonical_url", "<meta property=og:url content=//b.test/t>", "https://b.test/t"),
    ("image_url", "<meta property=og:image content=/a.png>", "https://site.test/a.png"),
    ("image_url", "<link rel=image_src href=/a.png>", "https://site.test/a.png"),
]


@pytest.mark.req("metadata:sources")
@pytest.mark.parametrize(("field", "head", "value"), SAID)
def test_what_a_head_says_is_read(field: str, head: str, value: str) -> None:
    assert getattr(said(head), field) == value


@pytest.mark.req("metadata:sources")
def test_the_language_is_that_of_the_root_and_a_date_may_stand_in_the_page() -> None:
    html = "<html lang=en-GB><body><article><time pubdate datetime=2026-03-02>2 March</time> Kelp."
    made = converted(html).metadata
    assert made == PageMetadata(language="en-GB", published_at="2026-03-02")


@pytest.mark.req("metadata:order")
def test_the_strongest_source_counts_whatever_the_order_in_the_page() -> None:
    head = (
        "<meta name=twitter:title content=5><meta name=dc.title content=4><meta property=og:title content=3>"
        + ld(ARTICLE | {"headline": "2", "author": "two", "dateModified": "2026-02-02"})
        + "<meta property=article:modified_time content=2026-03-03><title>1</title>"
        + "<meta property=article:author content=three>"
    )
    made = said(head)
    assert (made.title, made.author, made.modified_at) == ("1", "two", "2026-02-02")
    assert said(head.replace("<title>1</title>", "<title> </title>")).title == "2"


@pytest.mark.req("metadata:absent")
@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("", "<h1>Kelp</h1>"),
        ("<title></title><meta name=author content=' '><meta name=description content>", ""),
        ("<title>\u200b\u00ad</title>", ""),
        ("<meta name=author content=https://social.test/ann><meta name=twitter:creator content=@ann>", ""),
        ("<meta name=robots content=noindex><meta name=viewport content=x>", ""),
        ("", "<svg><title>icon</title></svg><template><title>t</title><meta name=author content=a></template>"),
        ("", "<link rel=canonical href=/evil><link rel=alternate type=text/markdown href=/evil.md>"),
        ("", "<time datetime=2026-03-02>2 March</time>"),
        (
            "",
            "".join(f"<time itemprop=datePublished datetime=2026-03-0{day}></time>" for day in (2, 9)),
        ),
        ("<link rel=canonical href=javascript:alert(1)><meta property=og:image content=data:image/png;base64,AA>", ""),
        ("<link rel=canonical href='https://a.test/" + "a" * 3_000 + "'>", ""),
        ("<meta http-equiv=content-language content='not a language'>", ""),
        ("<!-- <title>no</title> --><noscript><meta name=author content=no></noscript>", ""),
    ],
)
def test_what_a_page_does_not_say_is_absent(head: str, body: str) -> None:
    assert said(head, body) == PageMetadata()


@pytest.mark.req("metadata:unfilled")
@pytest.mark.parametrize(
    "value", ["null", "undefined", "None", "NaN", "{{ it }}", "${it}", "%it% | {{it}}", "[object Object]"]
)
def test_an_empty_slot_is_absent(value: str) -> None:
    head = (
        f"<meta name=author content='{value}'><meta name=description content='{value}'>"
        f"<link rel=canonical href='{value}'>"
        f"<meta property=og:site_name content='{value}'><meta property=og:image content='{value}'>"
        + ld(ARTICLE | {"headline": value, "author": {"name": value}})
    )
    made = said(head)
    assert (made.title, made.author, made.description, made.canonical_url, made.site_name) == (None,) * 5
    assert made.image_url is None


@pytest.mark.req("metadata:unfilled")
@pytest.mark.parametrize("title", ["null", "Using {{ x }} in templates", "${x} in strings", "50% off", "None - API"])
def test_a_title_about_slots_stays(title: str) -> None:
    assert said(f"<title>{title}</title>").title == title


@pytest.mark.req("metadata:absent")
def test_other_bodies_say_nothing_of_themselves() -> None:
    assert webseam.metadata(page(TextBody(content="<title>T</title>"))) is None


@pytest.mark.req("metadata:dates")
@pytest.mark.parametrize(
    "date", ["2026-03-02", "2026-03", "20260302", "02/03/2026", "2. M\u00e4rz 2026", "2026-03-02T10:00:00+01:00"]
)
def test_a_date_is_the_pages_own_string(date: str) -> None:
    assert said(f"<meta property=article:published_time content='{date}'>").published_at == date


ZEROS = ("0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "{{date 2024}}")


@pytest.mark.req("metadata:dates")
@pytest.mark.parametrize(
    "date", ["0000-00-00", "-0001-11-30T00:00:00", "3 days ago", "{{ date }}", "undefined", "2" * 70, *ZEROS]
)
def test_a_placeholder_or_a_distance_is_no_date(date: str) -> None:
    assert said(f"<meta property=article:published_time content='{date}'>").published_at is None


SHAPES = [
    ARTICLE | {"author": "Ann"},
    ARTICLE | {"author": {"name": "Ann"}},
    ARTICLE | {"author": [{"@type": "Person", "name": "Ann"}]},
    [ARTICLE | {"author": ["Ann"]}],
    {"@graph": [ARTICLE | {"author": {"@id": "#a"}}, {"@id": "#a", "@type": "Person", "name": "Ann"}]},
    {"@graph": [{"@type": "WebPage", "name": "x"}, ARTICLE | {"author": "Ann"}, {"@type": "BreadcrumbList"}]},
    ARTICLE | {"@type": ["Thing", "https://schema.org/BlogPosting"], "author": "Ann"},
    {"@type": "WebPage", "author": "Ann", "datePublished": ARTICLE["datePublished"]},
]


@pytest.mark.req("metadata:json-ld")
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_json_ld_is_read_in_every_shape(shape: object) -> None:
    made = said(ld(shape))
    assert (made.author, made.published_at) == ("Ann", ARTICLE["datePublished"])


@pytest.mark.req("metadata:json-ld")
@pytest.mark.parametrize("wrapper", ["<!--{}-->", "//<![CDATA[\n{}\n//]]>", " {} "])
def test_json_ld_in_the_wrappers_of_old_editors_is_read(wrapper: str) -> None:
    text = wrapper.replace("{}", json.dumps(ARTICLE))
    assert said(f"<script type='Application/LD+JSON'>{text}</script>").published_at == ARTICLE["datePublished"]


@pytest.mark.req("metadata:json-ld")
@pytest.mark.parametrize(
    "block",
    [
        ld([ARTICLE, ARTICLE | {"datePublished": "2026-01-01"}]),
        ld({"@type": "Product", "datePublished": "2026-01-01", "name": "x"}),
        ld({"@type": "ItemList", "itemListElement": [ARTICLE]}),
        ld(ARTICLE | {"datePublished": 20260302}),
        ld(ARTICLE | {"padding": "x" * 250_000}),
        "<script type=application/ld+json>{'@type': 'Article'}</script>",
        "<script type=application/ld+json>" + "[" * 100_000 + "</script>",
        "<script type=application/ld+json>" + '{"@graph":' * 50_000 + "</script>",
        "<script type=application/ld+json>" + "9" * 50_000 + "</script>",
        "<script type=application/json>" + json.dumps(ARTICLE) + "</script>",
        ld(None) + ld([[], "x", 1]) + ld({"@type": {"a": 1}, "@graph": "x"}),
    ],
    ids=range(11),
)
def test_json_ld_of_several_things_or_none_says_nothing(block: str) -> None:
    assert said(block) == PageMetadata()


@pytest.mark.req("metadata:json-ld")
def test_the_site_of_json_ld_names_the_site() -> None:
    assert said(ld({"@type": "WebSite", "name": "The Coast"})) == PageMetadata(site_name="The Coast")


@pytest.mark.req("metadata:alternates")
def test_other_addresses_of_a_page_are_named() -> None:
    made = said(
        "<link rel=alternate type=application/rss+xml href=/feed>"
        "<link rel='alternate' type='application/atom+xml; x=1' href=/atom>"
        "<link rel=alternate type=application/rss+xml href=/feed><link rel=alternate hreflang=de href=/de>"
        "<link rel='alternate stylesheet' type=text/markdown href=/no>"
        "<link rel=alternate type=text/markdown href=page.md>"
        "<link rel=help href=/llms.txt><meta http-equiv=Refresh content='0; url=/next'>"
    )
    assert made == PageMetadata(
        feeds=("https://site.test/feed", "https://site.test/atom"),
        markdown_url="https://site.test/docs/page.md",
        llms_txt_url="https://site.test/llms.txt",
        refresh_url="https://site.test/next",
    )


@pytest.mark.req("metadata:alternates")
def test_a_page_that_only_reloads_itself_names_no_other() -> None:
    assert said("<meta http-equiv=refresh content=30>") == PageMetadata()


@pytest.mark.req("metadata:clean")
def test_every_string_is_cleaned_cut_and_on_one_line() -> None:
    made = said(
        "<title>a\u202e\u200b\x1b[31mb\n<|im_start|>"
        + "x" * 400
        + "</title><meta name=description content='"
        + "d" * 900
        + "'>"
        "<link rel=canonical href='https://user:pw@a.test/x#:~:text=obey'>"
    )
    assert made.title is not None
    assert made.title.startswith("ab < |im_start|>xxx")
    assert (len(made.title), made.title[-1]) == (300, "\u2026")
    assert made.description is not None
    assert len(made.description) == 500
    assert made.canonical_url == "https://a.test/x"


@pytest.mark.req("metadata:clean")
def test_raw_strings_of_any_document_are_cleaned_in_the_same_place() -> None:
    made = made_metadata(
        "https://a.test/", feeds=["/f", "ftp://x", "/f"], title=" a\u200b\nb ", author=" ", image_url="i.png"
    )
    assert made == PageMetadata(title="a b", feeds=("https://a.test/f",), image_url="https://a.test/i.png")
    assert made_metadata(title="\u200b", canonical_url="/relative-to-nothing") is None


@pytest.mark.req("metadata:hostile")
@pytest.mark.parametrize(
    "head",
    [
        "<meta name=author content=x>" * 20_000,
        "<meta name='" + "a " * 100_000 + "' content=x>",
        "<link rel=canonical href=//[>" * 20_000,
        "<title>" + "x" * 1_000_000,
        "<time itemprop=datePublished>" * 20_000,
        "<template><template>" * 5_000 + "<meta name=author content=x>" * 5_000,
        "<meta name=author content='" + "\u0301" * 100_000 + "'>",
    ],
    ids=range(7),
)
def test_a_hostile_head_is_read_to_its_bounds(head: str) -> None:
    made = packed_metadata(converted(f"<head>{head}").metadata) or {}
    assert sum(map(len, made.values())) < 20_000


@pytest.mark.req("metadata:hostile")
@given(
    st.lists(
        st.sampled_from(
            (
                *("<title>", "</title>", "<head>", "<body>", "<template>", "</template>", "<svg>", "x", "\u202e", "'>"),
                *("<meta name=author content='", "<link rel=canonical href='", "//[", "}", "</script>"),
                *("<script type=application/ld+json>", '{"@type":"Article"'),
            )
        ),
        max_size=20,
    )
)
def test_whatever_the_markup_metadata_is_clean_or_absent(parts: list[str]) -> None:
    made = webseam.metadata(page("".join(parts)))
    assert made is None or made != PageMetadata()
    for value in (packed_metadata(made) or {}).values():
        assert value
        assert "\u202e" not in value


@pytest.mark.req("metadata:worker")
@given(
    st.builds(
        PageMetadata, title=st.none() | st.text(min_size=1), feeds=st.lists(st.text(min_size=1), max_size=3).map(tuple)
    )
)
def test_metadata_survives_its_way_between_processes(made: PageMetadata) -> None:
    plain = packed_metadata(made)
    assert unpacked_metadata(json.loads(json.dumps(plain))) == made
    assert unpacked_metadata(packed_metadata(None)) is None


@pytest.mark.req("metadata:worker")
async def test_a_page_converted_in_a_worker_says_the_same_of_itself() -> None:
    html = "<html lang=en><title>Tides</title><link rel=alternate type=application/rss+xml href=/f><p>Kelp."
    converter = Converter(inline=0)
    try:
        made = await converter.convert(page(html), deadline=Deadline.after(60))
    finally:
        await converter.aclose()
    assert made.fallback is None
    assert made.metadata == PageMetadata(title="Tides", language="en", feeds=("https://site.test/f",))


@pytest.mark.req("metadata:json-ld")
@pytest.mark.parametrize(
    "wrapped",
    ["\ufeff{}", "{};", "/*<![CDATA[*/{}/*]]>*/", "/* <![CDATA[ */\n{}\n/* ]]> */", "<!--\n{}\n-->"],
)
def test_json_ld_is_read_in_the_wrappings_of_old_pages(wrapped: str) -> None:
    text = wrapped.replace("{}", json.dumps(ARTICLE | {"headline": "Kelp"}))
    assert said(f"<script type='application/ld+json; charset=utf-8'>{text}</script>").title == "Kelp"


@pytest.mark.req("metadata:json-ld")
@pytest.mark.parametrize(
    ("data", "field", "value"),
    [
        ({"@type": "WebPage", "name": "W", "mainEntity": ARTICLE | {"headline": "H"}}, "title", "H"),
        (ARTICLE | {"headline": {"@value": "H", "@language": "en"}}, "title", "H"),
        (ARTICLE | {"author": {"name": "O&#8217;Brien &amp; Co"}}, "author", "O\u2019Brien & Co"),
        ({"@type": "Article", "creator": ["Ann"]}, "author", "Ann"),
        ({"@type": "Article", "image": {"contentUrl": "/i.jpg"}}, "image_url", "https://site.test/i.jpg"),
        (
            {"@graph": [{"@type": "Article", "image": {"@id": "#i"}}, {"@id": "#i", "url": "/i.jpg"}]},
            "image_url",
            "https://site.test/i.jpg",
        ),
        (
            [{"@type": "Article", "headline": "H"}, {"@type": "NewsArticle", "headline": "H", "author": "A"}],
            "title",
            "H",
        ),
    ],
)
def test_json_ld_speaks_in_the_shapes_of_real_sites(data: object, field: str, value: str) -> None:
    assert getattr(said(ld(data)), field) == value


@pytest.mark.req("metadata:sources")
def test_names_with_commas_are_parted_by_semicolons() -> None:
    head = "<meta name=citation_author content='Doe, J'><meta name=citation_author content='Roe, K'>"
    assert said(head).author == "Doe, J; Roe, K"
