"""What the fuzz targets start from: honest and hostile examples of each kind, and the case list of URLs."""

import gzip
import json
import struct
import zlib
from pathlib import Path
from typing import Final

import brotli
from backports import zstd

from support.mutation import ODD, Corpus
from webseam.net.dns_wire import make_query

DATA: Final = Path(__file__).parents[1] / "net" / "data"


def urls() -> tuple[str, ...]:
    """Every URL of the case list."""
    rows = (DATA / "urls.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(str(json.loads(row)["url"])[:400] for row in rows)


_PAGE: Final = b"<!doctype html><meta charset=utf-8><p>" + "caf\u00e9 \u4e2d\u6587 ".encode() * 40
_CODED: Final = (
    gzip.compress(_PAGE, mtime=0),
    gzip.compress(_PAGE, mtime=0) * 3,
    gzip.compress(bytes(50_000), mtime=0),
    zlib.compress(_PAGE),
    zlib.compress(_PAGE)[2:-4],
    brotli.compress(_PAGE),
    brotli.compress(bytes(50_000)),
    zstd.compress(_PAGE),
    zstd.compress(_PAGE) * 3,
    zstd.compress(bytes(50_000)),
    gzip.compress(gzip.compress(_PAGE, mtime=0), mtime=0),
    brotli.compress(gzip.compress(_PAGE, mtime=0)),
    zstd.compress(brotli.compress(_PAGE)),
    _PAGE,
)
CODED: Final = Corpus(examples=tuple(data.decode("latin-1") for data in _CODED))
BODIES: Final = tuple(
    data.decode("latin-1")
    for data in (
        _PAGE, b"", b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n" + bytes(20), b"GIF89a\x01\x00\x01\x00", b"PK\x03\x04",
        b'{"a": 1}', b"<?xml version='1.0' encoding='ebcdic'?><a/>", b"\xef\xbb\xbfbom",
        b"\xff\xfea\x00", b"\xfe\xff\x00a",
        "\u3053\u3093\u306b\u3061\u306f".encode("shift_jis"), "\u3053\u3093".encode("iso2022_jp"),
        "\u4f60\u597d".encode("gb18030"), "\u041f\u0440\u0438\u0432\u0435\u0442".encode("koi8-r"), bytes(range(256)),
        b"<meta http-equiv=content-type content='text/html; charset=euc-kr'>", b"<meta charset=utf-7>+ADw-",
    )
)  # fmt: skip
BODY: Final = Corpus(examples=BODIES)
_TYPES: Final = (
    "text/html", "text/html; charset=utf-8", 'text/html; charset="utf-8"', "TEXT/HTML;CHARSET=ISO-8859-1", "text/plain",
    "application/xhtml+xml; a=b; charset=utf-16", "application/json, text/html", "application/octet-stream", "*/*", "",
    'multipart/x; boundary="a;b\\"c"; charset=x', "image/png", "application/pdf", "application/x-gzip", "text/",
)  # fmt: skip
_LABELS: Final = (
    "utf-8", "utf8", "UTF-16", "utf-16le", "iso-8859-1", "latin1", "windows-1252", "shift_jis", "euc-jp", "gb18030",
    "iso-2022-jp", "gbk", "big5", "euc-kr", "koi8-r", "macintosh", "x-user-defined", "replacement", "hz-gb-2312",
    "utf-7", "iso-2022-kr", "idna", "punycode", "zlib", "rot13", "base64", "unicode_escape", "raw_unicode_escape",
    "undefined", "mbcs",
)  # fmt: skip
"""The web's own, and Python's codecs that a label must never reach."""

_LOCATIONS: Final = (
    "/next", "next?x=1", "?y", "#z", "", "//other.example/", "https://www.site.example/", "http://site.example/",
    "../..", "https://site.example:443/a", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "http:/x",
    "http://169.254.169.254/latest/", "\\\\x\\y", "http://u:p@site.example/", "https:///x", "/caf\u00e9",
    "http://[::ffff:127.0.0.1]/",
)  # fmt: skip
_HONEST: Final = (
    "https://www.site.example/a/b.html?q=kelp%20farm&p=2#part", "http://site.example:8080/", "https://93.184.215.14/x",
    "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8443/", "https://b\u00fccher.example/caf\u00e9?\u4e2d=\u6587",
    "http://a.b.c.d.example./", "https://xn--bcher-kva.example/%E2%82%AC", "http://1.2.3.example/",
    "https://site.example/a/../b/./c//d;v=1,2?x[]=1&y={}|",
)  # fmt: skip
_HOSTS: Final = (
    *ODD,
    "127.0.0.1",
    "localhost",
    "[::1]",
    "0x7f.1",
    "2130706433",
    "169.254.169.254",
    "@",
    "http://",
    ".",
)
_TIMES: Final = ("120", "0", "Fri, 31 Dec 2027 23:59:59 GMT", "Friday, 31-Dec-27 23:59:59 GMT", "1.5", "-3", "")
_NAMES: Final = ("gzip", "x-gzip", "deflate", "br", "zstd", "identity", "gzip, br", "br,zstd", "gzip, gzip", "", "x, y")
_ROBOTS: Final = (
    "User-agent: *\nDisallow: /private\nAllow: /private/page$\n\nUser-agent: webseam\nDisallow: /*.pdf$\n",
    "User-agent: webseam/2.1\nUser-agent: other\nCrawl-delay: 5\nDisallow: /a%2Fb*c**d$\nSitemap: http://x.example/s\n",
    "user agent webseam\rdisallow: /caf\u00e9 # why\r\nnoise\n\ufeffUser-agent:*\nDisallow:\nVisit-time: 0600-0845\n",
)
_EXEMPT: Final = ("example.com", ".example.com", "*.example.com:8080", "10.0.0.0/8", "[::1]:80", "::1", "*", "*:81", "")

DNS_QUERY: Final = make_query("www.site.example", "A", number=7)
_QUESTION: Final = DNS_QUERY[12:34]
_HERE: Final = b"\xc0\x0c"  # a pointer to the question's name
_RECORDS: Final = (
    _HERE + b"\0\1\0\1\0\0\0\x3c\0\4\x5d\xb8\xd7\x0e",
    _HERE + b"\0\5\0\1\0\0\0\x3c\0\6\3cdn\xc0\x10\3cdn\xc0\x10\0\1\0\1\0\0\0\x3c\0\4\x5d\xb8\xd7\x0e",
    _HERE + b"\0\5\0\1\0\0\0\x3c\0\2\xc0\x0c",
    _HERE + b"\0\x1c\0\1\0\0\0\x3c\0\x10" + bytes(16),
    b"\3www\4site\7example\0\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\1",
)

URLS: Final = Corpus(examples=(*urls(), *_HONEST * 60), pieces=_HOSTS)
LOCATIONS: Final = Corpus(examples=(*_LOCATIONS * 20, *urls()), pieces=_HOSTS)
TYPES: Final = Corpus(examples=_TYPES)
LABELS: Final = Corpus(examples=_LABELS)
CODINGS: Final = Corpus(examples=_NAMES, pieces=(*_NAMES, ",", " "))
TIMES: Final = Corpus(examples=_TIMES)
ROBOTS: Final = Corpus(
    examples=_ROBOTS, pieces=(*ODD, "\n", "User-agent: webseam\n", "Disallow: /", "Allow: ", "*", "$")
)
EXEMPT: Final = Corpus(examples=_EXEMPT)
DNS_RECORDS: Final = Corpus(
    examples=tuple(data.decode("latin-1") for data in (*_RECORDS, b"".join(_RECORDS), _RECORDS[0] * 4)),
    pieces=("\xc0\x0c", "\xc0\x22", "\xc0\xff", "\xff\xff", "\0", "\x3f", "\x40", "\0\4", "\0\5", "\0\1\0\1"),
)


def dns_reply(records: bytes, count: int, flags: int) -> bytes:
    """A reply to `DNS_QUERY` that claims `count` records."""
    return struct.pack(">6H", 7, flags, 1, count, 0, 0) + _QUESTION + records
