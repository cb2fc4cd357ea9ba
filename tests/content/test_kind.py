"""What a body is: by header, by signature, by sniffing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.content.kind import Decision, MediaType, decide, parse_media_type

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF"
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
ZIP = b"PK\x03\x04\x14\x00\x00\x00"
GZIP = b"\x1f\x8b\x08\x00\x00\x00"
ELF = b"\x7fELF\x02\x01\x01\x00"


def decided(header: str | None, head: bytes) -> Decision:
    return decide(parse_media_type(header), head)


@pytest.mark.req("content:kind:parse")
@pytest.mark.parametrize(
    ("value", "essence", "charset"),
    [
        (None, None, None),
        ("", None, None),
        ("text/html", "text/html", None),
        (" TEXT/HTML ; CharSet=UTF-8", "text/html", "utf-8"),
        ("text/html;;", "text/html", None),
        ("text/html;;charset=utf-8", "text/html", "utf-8"),
        ("text/html, text/plain", "text/html", None),
        ("nonsense, text/plain; charset=koi8-r", "text/plain", "koi8-r"),
        ('text/html; charset="utf-8"', "text/html", "utf-8"),
        ("text/html; charset='utf-8'", "text/html", "utf-8"),
        ('text/html; x="a;charset=gbk,"; charset=big5', "text/html", "big5"),
        ("text/html; charset=gbk; charset=big5", "text/html", "gbk"),
        ("text/html; charset = gbk", "text/html", "gbk"),
        ("text/html; charset=", "text/html", None),
        ("text/html charset=gbk", "text/html", "gbk"),
        ("; charset=gbk", None, "gbk"),
        ("text", None, None),
        ("text/", None, None),
        ("/html", None, None),
        ("text/html/x", None, None),
        ("a/b\r\nX: y", "a/b", None),
        ("text/html; charset=utf-8\x1b[31m", "text/html", "utf-8\x1b[31m"),
        ('text/html; charset="utf-8', "text/html", "utf-8"),
    ],
)
def test_a_content_type_is_read_tolerantly(value: str | None, essence: str | None, charset: str | None) -> None:
    assert parse_media_type(value) == MediaType(essence=essence, charset=charset)


@pytest.mark.req("content:kind:parse")
@pytest.mark.parametrize(
    "value",
    [
        "text/html; x=" + "a" * 200_000,
        "," * 200_000,
        '"' * 200_001,
        "text/html;" + ";" * 200_000,
        "a" * 200_000,
        '"\\' * 99_999,
    ],
)
def test_a_content_type_of_any_length_is_read(value: str) -> None:
    assert parse_media_type(value).essence in (None, "text/html")


@pytest.mark.req("content:kind:parse")
def test_an_overlong_charset_does_not_travel_on() -> None:
    assert len(parse_media_type("text/html; charset=" + "x" * 10_000).charset or "") <= 64


@pytest.mark.req("content:kind:parse")
@given(st.text(alphabet='ab/;,="\\ charset\r\n\x00', max_size=60))
def test_no_content_type_makes_the_parser_fail(value: str) -> None:
    parse_media_type(value)


@pytest.mark.req("content:kind:header")
@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("text/html", "html"),
        ("application/xhtml+xml", "html"),
        ("text/plain", "text"),
        ("text/markdown", "text"),
        ("text/css", "text"),
        ("text/csv", "text"),
        ("text/javascript", "text"),
        ("text/event-stream", "text"),
        ("text/anything-new", "text"),
        ("application/json", "text"),
        ("application/ld+json", "text"),
        ("application/xml", "text"),
        ("application/atom+xml", "text"),
        ("image/svg+xml", "text"),
        ("application/javascript", "text"),
        ("application/yaml", "text"),
        ("application/x-yaml", "text"),
        ("application/x-ndjson", "text"),
        ("application/toml", "text"),
        ("message/rfc822", "text"),
        ("application/pdf", "pdf"),
        ("application/x-pdf", "pdf"),
        ("image/png", "image"),
        ("image/heic", "image"),
        ("application/zip", "refused"),
        ("application/msword", "refused"),
        ("audio/mpeg", "refused"),
        ("video/mp4", "refused"),
        ("font/woff2", "refused"),
        ("multipart/mixed", "refused"),
        ("multipart/x-mixed-replace; boundary=x", "refused"),
    ],
)
def test_the_header_decides(header: str, kind: str) -> None:
    decision = decided(header, b"hello")
    assert decision.kind == kind
    assert decision.media_type == header.partition(";")[0]
    assert not decision.mismatch


@pytest.mark.req("content:kind:header")
def test_a_refusal_names_the_type() -> None:
    assert decided("application/zip", ZIP).reason == "application/zip"
    assert decided("multipart/mixed; boundary=b", PNG).reason == "multipart/mixed"
    assert decided("image/png", PNG).reason == "image/png"


@pytest.mark.req("content:kind:text-stays")
def test_html_sent_as_plain_text_stays_text() -> None:
    assert decided("text/plain", b"<!doctype html><p>x").kind == "text"


@pytest.mark.req("content:kind:magic")
@pytest.mark.parametrize("header", ["text/html", "text/plain; charset=utf-8", "application/json", "video/mp4"])
@pytest.mark.parametrize(
    ("head", "kind", "media_type"),
    [(PNG, "image", "image/png"), (JPEG, "image", "image/jpeg"), (PDF, "pdf", "application/pdf")],
)
def test_the_signature_of_pdf_and_pictures_wins(header: str, head: bytes, kind: str, media_type: str) -> None:
    decision = decided(header, head)
    assert (decision.kind, decision.media_type, decision.mismatch) == (kind, media_type, True)


@pytest.mark.req("content:kind:magic")
@pytest.mark.parametrize("head", [PDF, b"\xef\xbb\xbf" + PDF, b"\r\n" + PDF])
def test_a_pdf_is_known_by_its_first_line(head: bytes) -> None:
    assert decided(None, head) == Decision(kind="pdf", media_type="application/pdf")


@pytest.mark.req("content:kind:magic")
@pytest.mark.parametrize("header", ["image/png", "application/pdf"])
def test_a_page_sent_as_picture_or_pdf_is_a_page(header: str) -> None:
    assert decided(header, b"\n<html><title>404") == Decision(kind="html", media_type="text/html", mismatch=True)


@pytest.mark.req("content:kind:magic")
@pytest.mark.parametrize(
    ("head", "media_type"),
    [
        (b"GIF89a\x01\x00", "image/gif"),
        (b"RIFF\x24\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"\x00\x00\x00\x1cftypavif", "image/avif"),
        (b"II*\x00", "image/tiff"),
        (b"\x00\x00\x01\x00\x01\x00", "image/x-icon"),
        (b"BM\x36\x00\x0c\x00\x00\x00\x00\x00", "image/bmp"),
    ],
)
def test_pictures_are_known_by_their_signature(head: bytes, media_type: str) -> None:
    assert decided("application/octet-stream", head).media_type == media_type
    assert decided("application/octet-stream", head).kind == "image"


@pytest.mark.req("content:kind:sniff")
@pytest.mark.parametrize(
    "header",
    [None, "", "*/*", "application/octet-stream", "binary/octet-stream", "nonsense", "application/force-download"],
)
@pytest.mark.parametrize(
    ("head", "kind", "media_type"),
    [
        (b"<!DOCTYPE html><p>x", "html", "text/html"),
        (b"\n \t<!doctype  HTML>", "html", "text/html"),
        (b"\xef\xbb\xbf<html lang=en>", "html", "text/html"),
        (b"<!-- x --><p>", "html", "text/html"),
        (b"<BODY>", "html", "text/html"),
        (b"<?xml version='1.0'?><html xmlns='x'>", "html", "text/html"),
        (b"<?xml version='1.0'?><rss>", "text", "text/xml"),
        (b'{"a": 1', "text", "application/json"),
        (b'[ {"a\\"b": 1', "text", "application/json"),
        (b"[]", "text", "application/json"),
        (b"[link] {see} below", "text", "text/plain"),
        (b"<abbr>no tag that is sniffed", "text", "text/plain"),
        ("\u65e5\u672c".encode() * 600, "text", "text/plain"),
        (b"", "text", "text/plain"),
        (b"\xff\xfe<\x00p\x00>\x00", "html", "text/html"),
        (b"\xfe\xff\x00h\x00i", "text", "text/plain"),
        (b"plain\x1b[31m ansi", "text", "text/plain"),
    ],
)
def test_without_a_useful_header_the_first_bytes_decide(
    header: str | None, head: bytes, kind: str, media_type: str
) -> None:
    decision = decided(header, head)
    assert (decision.kind, decision.media_type, decision.mismatch) == (kind, media_type, False)


@pytest.mark.req("content:kind:sniff")
def test_the_sniff_is_bounded() -> None:
    assert decided(None, b" " * 1_445 + b"<html>").media_type == "text/plain"


@pytest.mark.req("content:kind:binary")
@pytest.mark.parametrize("header", ["text/html", "text/plain", "application/json"])
@pytest.mark.parametrize(
    ("head", "named"),
    [
        (ZIP, "application/zip"),
        (GZIP, "application/gzip"),
        (ELF, "application/x-elf"),
        (b"Rar!\x1a\x07\x00", "application/vnd.rar"),
        (b"abc\x00def", "binary data"),
        (b"\x01\x02\x03\x04", "binary data"),
        (b"<\x00p\x00>\x00", "binary data"),
    ],
)
def test_binary_under_a_text_type_is_refused_by_name(header: str, head: bytes, named: str) -> None:
    decision = decided(header, head)
    assert decision.kind == "refused"
    assert decision.reason == f"{named} sent as {header}"


@pytest.mark.req("content:kind:binary")
@pytest.mark.parametrize("header", [None, "application/octet-stream"])
def test_binary_without_a_type_is_refused(header: str | None) -> None:
    assert decided(header, b"\x00\x01\x02").kind == "refused"
    assert decided(header, b"a" * 1_000 + b"\x02").kind == "refused"
    assert decided(header, ZIP).reason == "application/zip"


@pytest.mark.req("content:kind:binary")
def test_a_stray_control_character_does_not_make_a_page_binary() -> None:
    assert decided("text/html", b"<p>a page" * 50 + b"\x0b").kind == "html"


@pytest.mark.req("content:kind:binary")
@pytest.mark.parametrize(
    ("header", "head"),
    [
        ("text/html", b"\xff\xfe<\x00p\x00"),
        ("text/plain", b"\xfe\xff\x00h"),
        ("text/html; charset=utf-16le", b"<\x00p\x00"),
    ],
)
def test_utf16_text_is_not_binary(header: str, head: bytes) -> None:
    assert decided(header, head).kind in ("html", "text")


@pytest.mark.req("content:kind:binary")
@given(st.one_of(st.none(), st.sampled_from(["text/html", "text/plain", "image/png", "x"])), st.binary(max_size=64))
def test_every_body_gets_a_decision_with_a_reason_where_refused(header: str | None, head: bytes) -> None:
    decision = decided(header, head)
    assert (decision.kind == "refused") <= bool(decision.reason)
