"""Sitemaps as lists of links; JSON laid out; sizes of pictures."""

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.content import page
from webseam.content.convert import Converter
from webseam.content.images import image_size
from webseam.content.json_text import pretty_json
from webseam.content.sitemap import parse_sitemap, sitemap_listing
from webseam.core.deadline import Deadline
from webseam.core.limits import SITEMAP_LINKS
from webseam.core.types import TextBody

URL = "https://kelp.example/sitemap.xml"
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="urn:image"'
URLSET = (
    f"<?xml version='1.0'?><urlset {SPACE}><url><loc> https://kelp.example/a?b=1&amp;c </loc>"
    "<lastmod>2026-01-02</lastmod>"
    "<image:image><image:loc>https://kelp.example/p.png</image:loc></image:image></url>"
    "<url><lastmod>2026-01-03T04:05:06+00:00</lastmod><loc>/b</loc></url><url><loc>javascript:alert(1)</loc></url></urlset>"
)


@pytest.mark.req("sitemap:list")
def test_a_sitemap_is_links_with_dates() -> None:
    made = sitemap_listing(URLSET, url=URL)
    assert made is not None
    assert made.text == (
        "# Pages\n\n- <https://kelp.example/a?b=1&c>, 2026-01-02\n"
        "- <https://kelp.example/b>, 2026-01-03T04:05:06+00:00\n- `javascript:alert(1)`"
    )


@pytest.mark.req("sitemap:ampersand")
def test_bare_ampersands_end_nothing_and_are_told() -> None:
    rows = "".join(
        f"<url><loc>https://kelp.example/{one}</loc></url>" for one in ("1", "?a=1&b=2&amp;c", "?q=&eacute;")
    )
    made = sitemap_listing(f"<urlset>{rows}<url><loc>https://kelp.example/4</loc></url></urlset>", url=URL)
    assert made is not None
    assert made.malformed
    assert made.text.split("\n")[2:] == [
        "- <https://kelp.example/1>",
        "- <https://kelp.example/?a=1&b=2&c>",
        "- <https://kelp.example/?q=&eacute;>",
        "- <https://kelp.example/4>",
    ]


@pytest.mark.req("sitemap:list")
async def test_an_index_lists_the_sitemaps_it_names() -> None:
    index = f"<sitemapindex {SPACE}><sitemap><loc>{URL}.gz</loc><lastmod>2026</lastmod></sitemap></sitemapindex>"
    converter = Converter()
    found = page(TextBody(content=index), url=URL, media_type="text/xml")
    made = await converter.convert(found, deadline=Deadline.after(20))
    assert (made.text, made.is_listing) == (f"# Sitemaps\n\n- <{URL}.gz>, 2026", True)


@pytest.mark.req("sitemap:hostile")
def test_a_broken_or_hostile_sitemap_gives_what_came_before() -> None:
    cut = sitemap_listing(URLSET[: URLSET.index("<url><lastmod>") + 20], url=URL)
    assert cut is not None
    assert (cut.text, cut.malformed) == ("# Pages\n\n- <https://kelp.example/a?b=1&c>, 2026-01-02", True)
    assert sitemap_listing("<!DOCTYPE x [<!ENTITY a 'b'>]>" + URLSET, url=URL) is None
    assert sitemap_listing(f"<urlset {SPACE}></urlset>", url=URL) is None
    escaped = sitemap_listing(f"<urlset {SPACE}><url><loc>`x` ] (y)\n# z</loc></url></urlset>", url=URL)
    assert escaped is not None
    assert escaped.text.count("\n") == 2


@pytest.mark.req("sitemap:list")
def test_a_sitemap_over_the_protocol_is_cut_and_counted() -> None:
    rows = "".join(f"<url><loc>https://a.example/{at}</loc></url>" for at in range(SITEMAP_LINKS + 7))
    made = sitemap_listing(f"<urlset {SPACE}>{rows}</urlset>", url=URL)
    assert made is not None
    assert (made.left_out, made.cut) == (7, True)
    assert made.text.endswith("*7 further links of this sitemap are left out.*")


@pytest.mark.req("sitemap:hostile")
@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = parse_sitemap(f"<urlset><url>{text}</url></urlset>")
    assert found.fault is not None or len(found.pages) <= text.count("loc")


@pytest.mark.req("feeds:pretty")
def test_pretty_json_changes_no_token() -> None:
    assert pretty_json('{"b":1.0,"a":[1e400,{}, [] ],"b":"\\u00e4 , ["}') == (
        '{\n  "b": 1.0,\n  "a": [\n    1e400,\n    {},\n    []\n  ],\n  "b": "\\u00e4 , ["\n}'
    )
    assert pretty_json("{a: 1}") == "{a: 1}"


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=4), some, max_size=4),
    max_leaves=12,
)


@pytest.mark.req("feeds:pretty")
@given(_VALUES)
def test_pretty_json_is_what_the_library_writes(value: object) -> None:
    assert pretty_json(json.dumps(value)) == json.dumps(value, indent=2)


JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc2\x00\x11\x08" + struct.pack(">HH", 480, 640) + bytes(9)


@pytest.mark.req("images:size")
@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", 640, 480),
        b"GIF89a" + struct.pack("<HH", 640, 480),
        JPEG,
        b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + struct.pack("<HH", 640, 480),
        b"RIFF\0\0\0\0WEBPVP8L" + bytes(5) + struct.pack("<I", 639 | 479 << 14),
        b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little"),
        b"\0\0\0\x18ftypavif" + bytes(60) + b"\0\0\0\x14ispe" + struct.pack(">III", 0, 640, 480),
        b"BM" + bytes(16) + struct.pack("<ii", 640, -480),
    ],
    ids=["png", "gif", "jpeg", "webp", "webp lossless", "webp extended", "avif", "bmp"],
)
def test_the_size_of_a_picture_is_told_by_its_first_bytes(data: bytes) -> None:
    assert image_size(data) == (640, 480)
    assert all(image_size(data[:at]) in ((0, 0), (640, 480)) for at in range(len(data)))


@pytest.mark.req("images:size")
@given(st.binary(max_size=80), st.sampled_from([b"", b"\xff\xd8\xff", b"BM", b"GIF89a", b"RIFF\0\0\0\0WEBPVP8X"]))
def test_no_bytes_break_the_reader_of_sizes(data: bytes, start: bytes) -> None:
    width, height = image_size(start + data)
    assert min(width, height) >= 0
