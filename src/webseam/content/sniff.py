"""What bytes look like: signatures and the bounded sniff of WHATWG MIME Sniffing. Pure."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from struct import unpack_from
from typing import Final

from webseam.content.listings import xml_form
from webseam.core.limits import SNIFF_BYTES

_SPACE: Final = b"\t\n\x0c\r "
_PREFIXES: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"\x00\x00\x02\x00", "image/x-icon"),
    (b"\x00\x00\x00\x0cJXL \r\n\x87\n", "image/jxl"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh91AY&SY", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\x7fELF", "application/x-elf"),
    (b"\xcf\xfa\xed\xfe", "application/x-mach-binary"),
    (b"\xca\xfe\xba\xbe", "application/java-vm"),
    (b"\x00asm", "application/wasm"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (b"OggS\x00", "application/ogg"),
    (b"fLaC\x00", "audio/flac"),
    (b"\x1a\x45\xdf\xa3", "video/webm"),
    (b"wOFF\x00\x01\x00\x00", "font/woff"),
    (b"wOF2\x00\x01\x00\x00", "font/woff2"),
    (b"OTTO\x00", "font/otf"),
)
_ZIP: Final = b"PK\x03\x04"
_ZIP_HEAD: Final = 30
_OOXML: Final = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"word/", b"xl/", b"ppt/")
_STATED: Final = (
    b"application/epub+zip",
    b"application/vnd.oasis.opendocument.text",
    b"application/vnd.oasis.opendocument.spreadsheet",
)
_XML_STARTS: Final = (b"<", b" ", b"\n", b"\r", b"\t", BOM_UTF8)
_FEED_STARTS: Final = (
    b"<?xml",
    b"<rss",
    b"<feed",
    b"<rdf:",
    b"<RDF",
    b"<urlset",
    b"<sitemapindex",
    b"<!-- ",
    b"<!DOCTYPE rss",
)
_FEED_BYTES: Final = 256
_PAGE_START: Final = b"<!doctype html"
_USUAL: Final = len(_PAGE_START)
_RIFF: Final = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_BRANDS: Final = {b"avif": "image/avif", b"avis": "image/avif", b"heic": "image/heic", b"heix": "image/heic"}
_BINARY: Final = bytes((*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)))
_STRAY_SHARE: Final = 100  # one control byte in a hundred is a slip of an editor, not a binary file
_UTF16_UNITS: Final = 8  # fewer may come about by chance
_NO_CHARACTERS: Final = ("\ufffe".encode(), "\uffff".encode())
_HTML: Final = re.compile(
    rb"<(?:!--|(?:!doctype\s+html|html|head|body|title|meta|link|script|style|iframe|h1|div|font|table|a|b|br|p)[\s/>])",
    re.IGNORECASE,
)
_XHTML: Final = re.compile(rb"<(?:!doctype\s+)?html[\s>]", re.IGNORECASE)
_JSON: Final = re.compile(rb'(?:\[\s*)?\{\s*"(?:[^"\\\x00-\x1f]|\\.){0,200}"\s*:')
_EMPTY_JSON: Final = re.compile(rb"\s*(?:\{\s*\}|\[\s*\])\s*\Z")


def utf16_codec(head: bytes) -> str | None:
    """Python's codec for a UTF-16 byte order mark."""
    if head.startswith(BOM_UTF16_LE):
        return "utf-16-le"
    return "utf-16-be" if head.startswith(BOM_UTF16_BE) else None


def unmarked_utf16(head: bytes) -> str | None:
    """Python's codec for UTF-16 without a byte order mark, where the evidence is plain; None for everything else.

    Plain is: at least eight units, in half of them the high byte NUL and in none the low one, and what they spell is
    text without control characters. Numbers of 16 bits and UTF-32 do not look like that.
    """
    if head.find(0, 0, SNIFF_BYTES) < 0:
        return None
    head = head[: min(len(head), SNIFF_BYTES) & ~1]
    units = len(head) // 2
    if units < _UTF16_UNITS:
        return None
    first, second = head[::2].count(0), head[1::2].count(0)
    if min(first, second) or max(first, second) * 2 < units:
        return None
    codec = "utf-16-le" if second else "utf-16-be"
    try:
        text = getincrementaldecoder(codec)().decode(head).encode()
    except UnicodeDecodeError:  # surrogates that are no pair
        return None
    return None if any(one in text for one in _NO_CHARACTERS) or text.translate(None, _BINARY) != text else codec


def signature(head: bytes) -> str | None:
    """The media type that a file signature proves, or None; only signatures that no text begins with by chance."""
    if head[:1] == b"<":  # markup, as nearly every page is: no signature begins so
        return None
    if head.removeprefix(BOM_UTF8).lstrip(_SPACE).startswith(b"%PDF-"):
        return "application/pdf"
    for prefix, media_type in _PREFIXES:
        if head.startswith(prefix):
            return media_type
    if head[4:8] == b"ftyp" and head[:2] == bytes(2):
        return _BRANDS.get(head[8:12], "video/mp4")
    if head.startswith(b"RIFF"):
        return _RIFF.get(head[8:12])
    if head.startswith(b"BM") and head[6:10] == bytes(4):
        return "image/bmp"
    return None


def package_type(head: bytes) -> str | None:
    """The media type of an office document or book by the first file of its zip package; None for any other zip.

    OOXML does not say there which one it is, and is `application/zip`.
    """
    if not head.startswith(_ZIP):
        return None
    name_length, extra_length = unpack_from("<HH", head.ljust(_ZIP_HEAD, b"\0"), 26)  # APPNOTE.TXT 4.3.7
    name = head[_ZIP_HEAD : _ZIP_HEAD + name_length]
    if name == b"mimetype":
        start = _ZIP_HEAD + name_length + extra_length
        return next((kind.decode() for kind in _STATED if head.startswith(kind, start)), None)
    return "application/zip" if name.startswith(_OOXML) else None


def mislabelled_feed(head: bytes) -> str | None:
    """The media type of a feed or sitemap that is called HTML (WHATWG MIME Sniffing, "mislabeled feed")."""
    if head[:_USUAL].lower() == _PAGE_START:  # nearly every page: the rest costs 2 us
        return None
    start = _start_of(head[:_FEED_BYTES]) if head.startswith(_XML_STARTS) else b""
    if not start.startswith(_FEED_STARTS):
        return None
    form = xml_form(_start_of(head).decode("latin-1"))
    if form is None:
        return None
    return (
        "application/xml" if form == "sitemap" else "application/rss+xml" if b"<rss" in head else "application/atom+xml"
    )


def is_binary(head: bytes, *, strict: bool) -> bool:
    """Whether the bytes are no text: NUL, or WHATWG binary data bytes.

    Under a declared text type (`strict` False) up to one other control byte in a hundred is let pass.
    """
    head = head[:SNIFF_BYTES]
    found = len(head) - len(head.translate(None, _BINARY))
    if not found:
        return False
    return strict or b"\x00" in head or found * _STRAY_SHARE > len(head)


def looks_like_html(head: bytes) -> bool:
    """Whether the first thing after white space is a tag that browsers take for HTML."""
    return _HTML.match(_start_of(head)) is not None


def sniffed_text_type(head: bytes) -> str | None:
    """Media type of bytes without a usable header: HTML, XML, JSON or plain text; None for binary."""
    start = _start_of(head)
    if _HTML.match(start):
        return "text/html"
    if start.startswith(b"<?xml"):
        return "text/html" if _XHTML.search(start) else "text/xml"
    if (utf16_codec(head) or unmarked_utf16(head)) is None and is_binary(head, strict=True):
        return None
    return "application/json" if _JSON.match(start) or _EMPTY_JSON.match(start) else "text/plain"


def _start_of(head: bytes) -> bytes:
    """The sniffed bytes as ASCII-compatible ones, without a byte order mark and leading white space."""
    head = head[:SNIFF_BYTES]
    codec = utf16_codec(head) or unmarked_utf16(head)
    if codec is not None:
        head = head.decode(codec, "ignore").encode("utf-8", "ignore")
    return head.removeprefix(BOM_UTF8).lstrip(_SPACE)
