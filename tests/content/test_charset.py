"""Bytes to text by the Encoding Standard."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.content.charset import Decoded, decode
from webseam.content.kind import MediaType, decide
from webseam.content.labels import LABELS, encoding_of
from webseam.content.sniff import unmarked_utf16

CYRILLIC = "\u041f\u0440\u0438\u0432\u0435\u0442, \u044d\u0442\u043e \u0441\u0442\u0440\u0430\u043d\u0438\u0446\u0430"
JAPANESE = "\u65e5\u672c\u8a9e\u306e\u30da\u30fc\u30b8"

# What a label means, and bytes that tell it from what Python would make of the name.
LABEL_CASES = [
    ("utf8", b"\xc3\xa9", "\u00e9", "utf-8"),
    ("UTF-8", b"\xc3\xa9", "\u00e9", "utf-8"),
    ("iso-8859-1", b"\x93q\x94", "\u201cq\u201d", "windows-1252"),
    ("latin1", b"\x80", "\u20ac", "windows-1252"),
    ("us-ascii", b"\x80\xe9", "\u20ac\u00e9", "windows-1252"),
    ("iso-8859-9", b"\x80\xfd", "\u20ac\u0131", "windows-1254"),
    ("iso-8859-11", b"\xa1", "\u0e01", "windows-874"),
    ("tis-620", b"\x80", "\u20ac", "windows-874"),
    ("gb2312", b"\xe9F\x80", "\u9555\u20ac", "gbk"),
    ("gb18030", b"\x84\x31\xa4\x36", "\ufffc", "gb18030"),
    ("x-sjis", b"\x93\xfa\x96{\x87\x40", "\u65e5\u672c\u2460", "shift_jis"),
    ("windows-31j", b"\x93\xfa", "\u65e5", "shift_jis"),
    ("euc-jp", b"\xc6\xfc\x8f\xb0\xa1", "\u65e5\u4e02", "euc-jp"),
    ("iso-2022-jp", b"\x1b$B$3$s\x1b(B!", "\u3053\u3093!", "iso-2022-jp"),
    ("ks_c_5601-1987", b"\xc7\xd1\x81\x41", "\ud55c\uac02", "euc-kr"),
    ("korean", b"\xc7\xd1", "\ud55c", "euc-kr"),
    ("big5-hkscs", b"\xa7A\x87\x40", "\u4f60\u43f0", "big5"),
    ("koi8-u", b"\xae", "\u045e", "koi8-u"),
    ("x-mac-cyrillic", b"\x80", "\u0410", "x-mac-cyrillic"),
    ("macintosh", b"\xdb", "\u20ac", "macintosh"),
    ("x-user-defined", b"\x80", "\uf780", "x-user-defined"),
    ("utf-16", b"h\x00i\x00", "hi", "utf-16le"),
    ("utf-16be", b"\x00h\x00i", "hi", "utf-16be"),
    ("iso-8859-8-i", b"\xe0", "\u05d0", "iso-8859-8-i"),
    ("windows-1251", b"\xcf", "\u041f", "windows-1251"),
    ("  Windows-1251\n", b"\xcf", "\u041f", "windows-1251"),
]


@pytest.mark.req("content:charset:labels")
@pytest.mark.parametrize(("label", "data", "text", "charset"), LABEL_CASES)
def test_a_label_means_what_the_encoding_standard_says(label: str, data: bytes, text: str, charset: str) -> None:
    assert decode(data, label=label, html=False) == Decoded(text=text, charset=charset, source="header")


@pytest.mark.req("content:charset:labels")
def test_every_encoding_of_the_table_has_a_decoder() -> None:
    for encoding in set(LABELS.values()):
        assert decode(b"plain", label=encoding, html=False).charset == encoding


@pytest.mark.req("content:charset:labels")
def test_the_table_has_all_labels_but_those_that_yield_no_text() -> None:
    assert len(LABELS) == 228 - 6


@pytest.mark.req("content:charset:codecs")
@pytest.mark.parametrize(
    "label",
    [
        *("rot_13", "rot13", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7", "utf_7", "undefined"),
        *("hz", "hz-gb-2312", "base64_codec", "hex", "zlib", "bz2", "mbcs", "oem", "utf-8-sig", "utf-32", "cp037"),
        *("iso-2022-kr", "replacement", "quopri", "uu", "palmos", "mac_latin2", "none", "cp65001", "whatwg-gbk"),
        *("x" * 10_000, '"utf-8"', "utf-8;", "\x00", "utf\u20118", "\ud800"),
    ],
)
def test_a_label_outside_of_the_standard_is_skipped_and_reported(label: str) -> None:
    decoded = decode(b"caf\xc3\xa9 +AGE- uryyb", label=label, html=False)
    assert (decoded.text, decoded.source) == ("caf\u00e9 +AGE- uryyb", "utf-8")
    assert decoded.unknown_label is not None
    assert len(decoded.unknown_label) <= 40


@pytest.mark.req("content:charset:codecs")
def test_an_unknown_header_label_leaves_the_word_to_the_meta() -> None:
    decoded = decode(b"<meta charset=windows-1251>\xcf", label="rot_13", html=True)
    assert (decoded.charset, decoded.source, decoded.unknown_label) == ("windows-1251", "meta", "rot_13")


@pytest.mark.req("content:charset:codecs")
def test_labels_reach_only_encodings_of_the_table() -> None:
    for name in set(LABELS.values()):
        assert encoding_of(name) == name
    assert encoding_of(None) is None


# Why; body, header label, HTML or not; text, charset, source.
ORDER_CASES = [
    ("BOM before header", (b"\xef\xbb\xbf\xc3\xa9", "windows-1252", True), ("\u00e9", "utf-8", "bom")),
    ("BOM before meta", (b"\xff\xfeh\x00i\x00", "utf-8", True), ("hi", "utf-16le", "bom")),
    ("big-endian BOM", (b"\xfe\xff\x00h\x00i", None, False), ("hi", "utf-16be", "bom")),
    ("header before meta", (b"\xe9<meta charset=utf-8>", "gbk", True), ("\ufffd<meta charset=utf-8>", "gbk", "header")),
    ("meta before UTF-8", (b"<meta charset=gbk>\xc3\xa9", None, True), ("<meta charset=gbk>\u8305", "gbk", "meta")),
    ("no meta in text", (b"<meta charset=gbk>\xc3\xa9", None, False), ("<meta charset=gbk>\u00e9", "utf-8", "utf-8")),
    ("UTF-8 before a guess", ("\ud55c\uad6d".encode(), None, False), ("\ud55c\uad6d", "utf-8", "utf-8")),
    ("a guess", (CYRILLIC.encode("cp1251"), None, False), (CYRILLIC, "windows-1251", "detected")),
    (
        "a guess, for text that speaks of a meta",
        (b"<meta charset=gbk>" + CYRILLIC.encode("cp1251"), None, False),
        ("<meta charset=gbk>" + CYRILLIC, "windows-1251", "detected"),
    ),
    ("a guess, Japanese", (JAPANESE.encode("shift_jis"), None, True), (JAPANESE, "shift_jis", "detected")),
    (
        "an XML declaration in HTML",
        (b"<?xml version='1.0' encoding='iso-8859-2'?><html>\xb1\xea", None, True),
        ("<?xml version='1.0' encoding='iso-8859-2'?><html>\u0105\u0119", "iso-8859-2", "meta"),
    ),
    (
        "meta before an XML declaration",
        (b"<?xml version='1.0' encoding='gbk'?><meta charset=koi8-r>\xf0", None, True),
        ("<?xml version='1.0' encoding='gbk'?><meta charset=koi8-r>\u041f", "koi8-r", "meta"),
    ),
    ("escapes of ISO-2022-JP", (JAPANESE.encode("iso2022_jp"), None, False), (JAPANESE, "iso-2022-jp", "detected")),
    ("a header before them", (b"\x1b$BF|\x1b(B", "utf-8", True), ("\x1b$BF|\x1b(B", "utf-8", "header")),
    ("escapes that end nothing", (b"\x1b$BF|K", None, False), ("\x1b$BF|K", "utf-8", "utf-8")),
    (
        "escapes among UTF-8",
        ("\x1b$BF|\x1b(B \u00e9".encode(), None, False),
        ("\x1b$BF|\x1b(B \u00e9", "utf-8", "utf-8"),
    ),
    ("nothing at all", (b"", None, True), ("", "utf-8", "utf-8")),
]


@pytest.mark.req("content:charset:order")
@pytest.mark.parametrize(("given_", "expected"), [row[1:] for row in ORDER_CASES], ids=[row[0] for row in ORDER_CASES])
def test_the_order_is_bom_header_meta_utf8_guess(
    given_: tuple[bytes, str | None, bool], expected: tuple[str, str, str]
) -> None:
    data, label, html = given_
    decoded = decode(data, label=label, html=html)
    assert (decoded.text, decoded.charset, decoded.source) == expected


@pytest.mark.req("content:charset:order")
def test_bytes_that_give_no_hint_are_windows_1252() -> None:
    decoded = decode(b"\x81", label=None, html=False)
    assert (decoded.charset, decoded.source) == ("windows-1252", "default")


# HTML, and the encoding its meta declares; None where it declares none.
PRESCAN_CASES = [
    (b"<meta charset=windows-1251>", "windows-1251"),
    (b'<META CHARSET="Windows-1251" />', "windows-1251"),
    (b"<meta\tcharset='koi8-r'>", "koi8-r"),
    (b"<meta/charset=koi8-r>", "koi8-r"),
    (b"<meta name=x charset = koi8-r >", "koi8-r"),
    (b'<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">', "euc-kr"),
    (b"<meta content='text/html;charset=\"euc-kr\"' http-equiv=content-type>", "euc-kr"),
    (b'<meta content="text/html; charset=euc-kr">', None),
    (b'<meta http-equiv=refresh content="text/html; charset=euc-kr">', None),
    (b'<meta content="charset=gbk" charset=koi8-r>', "koi8-r"),
    (b"<meta charset=koi8-r charset=gbk>", "koi8-r"),
    (b"<meta charset=utf-16>", "utf-8"),
    (b"<meta charset=utf-16be>", "utf-8"),
    (b"<meta charset=x-user-defined>", "windows-1252"),
    (b"<!-- <meta charset=gbk> --><meta charset=koi8-r>", "koi8-r"),
    (b"<!--><meta charset=koi8-r>", "koi8-r"),
    (b"<!-- <meta charset=gbk>", None),
    (b'<a title="<meta charset=gbk>"><meta charset=koi8-r>', "koi8-r"),
    (b"<metadata charset=gbk>", None),
    (b"</meta charset=gbk><?x <meta charset=gbk?><meta charset=koi8-r>", "koi8-r"),
    (b'<meta charset="gbk', None),
    (b"<meta charset=gbk", None),
    (b" " * 1_005 + b"<meta charset=gb2312>", None),
    (b"<meta charset=nonsense><meta charset=koi8-r>", "koi8-r"),
    (b"<script>var a='<meta charset=koi8-r>'</script>", "koi8-r"),
    (b"<p" + b" " * 1_100 + b"><meta charset=koi8-r>", None),
    (b" " * 990 + b"<meta charset=koi8-r>", "koi8-r"),
]


@pytest.mark.req("content:charset:prescan")
@pytest.mark.parametrize(("html", "charset"), PRESCAN_CASES)
def test_a_meta_declares_the_charset_as_browsers_read_it(html: bytes, charset: str | None) -> None:
    decoded = decode(html, label=None, html=True)
    assert (decoded.charset, decoded.source) == ((charset, "meta") if charset else ("utf-8", "utf-8"))


@pytest.mark.req("content:charset:prescan")
def test_an_unknown_meta_label_is_reported() -> None:
    assert decode(b"<meta charset=rot13>", label=None, html=True).unknown_label == "rot13"


@pytest.mark.req("content:charset:damage")
@pytest.mark.parametrize(
    ("data", "label", "errors"),
    [
        (b"ok \x94 ok", "utf-8", 1),
        (b"<meta charset=utf-8>\xe9t\xe9", None, 2),
        (b"\xef\xbf\xbd genuine", "utf-8", 0),
        (b"\xef\xbf\xbd \xff \xef\xbf\xbd", "utf-8", 1),
        (b"\xe2\x82\xef\xbf\xbd", "utf-8", 1),
        (b"\xf0\x9f\x98", "utf-8", 1),
        (b"\xfd\xff\x00\xd8a\x00", "utf-16le", 1),
        (b"\xfd\xff", "utf-16le", 0),
        (b"\xff\xfd\x00h\x00", "utf-16be", 1),
        (b"\x84\x31\xa4\x37", "gb18030", 0),
        (b"\x84\x31\xa4\x37\xff", "gb18030", 1),
        (b"\xff\xff", "euc-jp", 2),
        (b"\xff", "windows-874", 1),
    ],
)
def test_replaced_characters_are_counted_and_genuine_ones_are_not(data: bytes, label: str | None, errors: int) -> None:
    assert decode(data, label=label, html=True).errors == errors


@pytest.mark.req("content:charset:damage")
def test_one_stray_byte_does_not_turn_a_utf8_page_into_another_encoding() -> None:
    decoded = decode((CYRILLIC * 3).encode() + b"\x94 end", label=None, html=False)
    assert (decoded.charset, decoded.source, decoded.errors) == ("utf-8", "utf-8", 1)
    assert decoded.text.startswith(CYRILLIC)


@pytest.mark.req("content:charset:cut")
@pytest.mark.parametrize(
    ("label", "data"),
    [
        ("shift_jis", JAPANESE.encode("shift_jis")),
        ("euc-jp", JAPANESE.encode("euc_jp")),
        ("iso-2022-jp", JAPANESE.encode("iso2022_jp")),
        ("big5", "\u9999\u6e2f\u7db2\u9801".encode("big5")),
        ("euc-kr", "\ud55c\uad6d \ud398\uc774\uc9c0".encode("euc_kr")),
        ("gbk", "\u4e2d\u6587\u7f51\u9875".encode("gbk")),
        ("gb18030", "\u4e2d\U00020000\u6587\u00e0\U0001f600".encode("gb18030")),
    ],
)
def test_a_page_of_several_bytes_a_character_counts_no_damage_wherever_it_is_cut(label: str, data: bytes) -> None:
    whole = decode(data, label=label, html=False).text
    for cut in range(len(data)):
        decoded = decode(data[:cut], label=label, html=False, truncated=True)
        assert (decoded.errors, whole.startswith(decoded.text)) == (0, True), cut


@pytest.mark.req("content:charset:cut")
@pytest.mark.parametrize("kept", [1, 2])
def test_a_cut_utf8_page_stays_utf8(kept: int) -> None:
    data = JAPANESE.encode()[: -3 + kept]
    assert decode(data, label=None, html=False, truncated=True) == Decoded(
        text=JAPANESE[:-1], charset="utf-8", source="utf-8"
    )
    assert decode(data, label="utf-8", html=False, truncated=True).errors == 0
    assert decode(data, label=None, html=False).charset == "utf-8"


@pytest.mark.req("content:charset:cut")
def test_a_latin_word_that_ends_like_half_a_character_is_no_utf8() -> None:
    assert decode(b"un caf\xe9", label=None, html=False).text == "un caf\u00e9"


@pytest.mark.req("content:charset:damage")
@given(
    st.binary(max_size=200),
    st.one_of(st.none(), st.sampled_from(sorted(LABELS)), st.text(max_size=12)),
    st.booleans(),
    st.booleans(),
)
def test_decoding_never_fails(data: bytes, label: str | None, html: bool, truncated: bool) -> None:  # noqa: FBT001 - drawn
    decoded = decode(data, label=label, html=html, truncated=truncated)
    assert decoded.charset in set(LABELS.values())
    assert 0 <= decoded.errors <= decoded.text.count("\ufffd")


@pytest.mark.req("content:charset:damage")
@given(st.binary(max_size=60))
def test_utf8_is_decoded_as_python_replaces_it(data: bytes) -> None:
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.startswith((b"\xff\xfe", b"\xfe\xff", codecs.BOM_UTF8)):
        assert decode(data, label="utf-8", html=False).text == data.decode(errors="replace")


@pytest.mark.req("content:charset:late-meta")
@pytest.mark.parametrize(
    ("label", "codec", "word"), [("shift_jis", "cp932", "\u65e5\u672c"), ("koi8-r", "koi8-r", "\u043c\u0438\u0440")]
)
def test_a_meta_behind_a_long_head_counts_in_a_page_that_is_no_utf_8(label: str, codec: str, word: str) -> None:
    head = b"<script>" + b"x" * 2_000 + b"</script><meta charset=" + label.encode() + b"><p>"
    made = decode(head + word.encode(codec), label=None, html=True)
    assert (made.charset, made.source) == (label, "meta")
    assert made.text.endswith(word)
    assert decode(head + word.encode(), label=None, html=True).source == "utf-8"
    assert decode(head + word.encode(codec), label=None, html=False).source != "meta"


# UTF-16 without a mark ----------------------------------------------------------------------------------

UNMARKED_HTML = f"<!doctype html><title>{JAPANESE}</title><p>{JAPANESE} \U0001f41f</p>"
HTML = MediaType(essence="text/html")
PLAIN = MediaType(essence="text/plain")
WORDS = "Kelp grows in cold water.\n"


@pytest.mark.req("content:charset:unmarked-utf-16")
@pytest.mark.parametrize("charset", ["utf-16le", "utf-16be"])
@pytest.mark.parametrize(
    ("text", "media", "kind"),
    [
        (UNMARKED_HTML, HTML, "html"),
        (UNMARKED_HTML, MediaType(), "html"),
        (UNMARKED_HTML, MediaType(essence="application/octet-stream"), "html"),
        (WORDS, PLAIN, "text"),
        (WORDS, MediaType(), "text"),
        ('{"kelp": ["\u65e5\u672c"], "n": 1}', MediaType(essence="application/json"), "text"),
        ("<?xml version='1.0'?><a>\u65e5</a>", MediaType(essence="text/xml"), "text"),
    ],
)
def test_utf_16_without_mark_and_label_is_read_where_its_bytes_leave_no_doubt(
    charset: str, text: str, media: MediaType, kind: str
) -> None:
    data = text.encode(charset)
    assert decide(media, data).kind == kind
    assert decode(data, label=None, html=kind == "html") == Decoded(text=text, charset=charset, source="detected")


@pytest.mark.req("content:charset:unmarked-utf-16")
@pytest.mark.parametrize(
    "data",
    [
        "Kelp gr".encode("utf-16le"),
        "Kelp grows".encode("utf-32le"),
        "Kelp grows".encode("utf-32be"),
        b"Kelp\x00grows\x00in\x00cold\x00water\x00",
        b"a\x00" * 20 + b"\x00b" * 3,
        b"".join(number.to_bytes(2, "little") for number in range(3, 43)),
        b"".join(number.to_bytes(2, "little") for number in range(48, 1_200, 7)),
        "Kelp grows\ufffe".encode("utf-16le"),
        b"K\x00e\x00l\x00p\x00 \x00g\x00r\x00o\x00w\x00\x01\xdcs\x00",
        bytes(100),
    ],
    ids=["short", "utf-32le", "utf-32be", "separated", "both", "counts", "samples", "no-character", "half-pair", "nul"],
)
@pytest.mark.parametrize("media", [HTML, PLAIN, MediaType()], ids=["html", "text", "none"])
def test_what_might_be_anything_with_nuls_in_it_is_refused_as_binary(data: bytes, media: MediaType) -> None:
    assert unmarked_utf16(data) is None
    assert decide(media, data).kind == "refused"


@pytest.mark.req("content:charset:unmarked-utf-16")
@pytest.mark.parametrize("essence", ["text/html", "text/plain", "application/octet-stream", None])
def test_a_label_that_says_something_else_is_believed_and_the_bytes_are_no_text_under_it(essence: str | None) -> None:
    data = UNMARKED_HTML.encode("utf-16le")
    assert decide(MediaType(essence=essence, charset="utf-8"), data).kind == "refused"
    assert decide(MediaType(essence=essence, charset="utf-16le"), data).kind in ("html", "text")


@pytest.mark.req("content:charset:unmarked-utf-16")
@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=8), st.sampled_from(["utf-16le", "utf-16be"])
)
def test_any_plain_english_in_utf_16_is_read_as_it_was_written(text: str, charset: str) -> None:
    assert decode(text.encode(charset), label=None, html=False).text == text


@pytest.mark.req("content:charset:unmarked-utf-16")
@given(st.binary(max_size=80))
def test_what_is_taken_for_utf_16_is_text_in_it(data: bytes) -> None:
    codec = unmarked_utf16(data)
    if codec is not None:
        text = data[: len(data) & ~1].decode(codec)
        assert "\x00" not in text
        assert text.encode(codec) == data[: len(data) & ~1]


@pytest.mark.req("content:charset:cut")
@pytest.mark.parametrize("charset", ["utf-16le", "utf-16be"])
@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_cut_utf_16_page_loses_its_last_character_and_counts_no_damage(charset: str, cut: int) -> None:
    text = "Kelp grows in cold water \U0001f41f"
    data = text.encode(charset)[:-cut]
    made = decode(data, label=charset, html=False, truncated=True)
    assert (made.text, made.errors) == (text[:-1], 0)
    assert decode(data, label=charset, html=False).errors == 1
