"""Content types and charsets, honest and not (WHATWG MIME Sniffing, Encoding)."""

from typing import Final

from webseam.testing.web.answers import HTML, PLAIN, WELCOME, page
from webseam.testing.web.plays import Play, sends
from webseam.testing.web.scenario import NO_TEXT, PAGE, row

_PNG: Final = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03" + bytes(20)
_PDF: Final = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"
_ZIP: Final = b"PK\x03\x04" + bytes(40)
_HTML: Final = {"body_kind": "html"}
_TEXT: Final = {"body_kind": "text"}
_BEACON: Final = b"# Title\n\n<script>steal()</script>![x](http://127.0.0.1/beacon.png)\n\x1b[31m\n"
_LATE: Final = b"<!--" + b"-" * 2_048 + b"--><meta charset=windows-1251><p>" + "Привет".encode("cp1251")


def _typed(kind: str | None, body: bytes = WELCOME) -> Play:
    return sends(page(body, kind=kind))


# fmt: off
TYPES: Final = (
    row("E01", "HTML without a type", _typed(None), PAGE, "Welcome to", facts=_HTML),
    row("E02", "HTML as text/plain", _typed(PLAIN), PAGE, "<p>Welcome", facts=_TEXT),
    row("E03", "HTML as application/octet-stream", _typed("application/octet-stream"), PAGE, "Welcome to", facts=_HTML),
    *(row("E04", f"{name} as text/html", _typed(HTML, body), NO_TEXT, f"/{name.lower()}") for name, body in (("PNG", _PNG), ("PDF", _PDF), ("ZIP", _ZIP))),
    row("E05", "UTF-8 with bytes that are none", _typed(HTML, b"<p>ok \xff ok"), PAGE, "ok \ufffd ok", notes=("decode_errors",)),
    row("E07", "a BOM against its label", _typed("text/html; charset=windows-1252", b"\xef\xbb\xbf<p>" + "é".encode()), PAGE, "é", facts={"charset_source": "bom"}),
    row("E08", "UTF-16LE with a BOM", _typed("text/html", b"\xff\xfe" + "<p>ünï".encode("utf-16-le")), PAGE, "ünï"),
    row("E08", "UTF-16LE without one", _typed(None, "<p>unmarked</p>".encode("utf-16-le")), PAGE, "unmarked", hides="\0"),
    row("E08", "UTF-16LE without one as text/html", _typed("text/html", "<p>unmarked</p>".encode("utf-16-le")), PAGE, "unmarked", hides="\0"),
    row("E09", "utf-7", _typed("text/plain; charset=utf-7", b"+ADw-script+AD4- text"), PAGE, "+ADw-script+AD4- text", notes=("unknown_charset",)),
    *(row("E10", f"the charset {name}", _typed(f"text/plain; charset={name}", b"abc +x~{ ="), PAGE, "abc +x~{ =") for name in ("rot_13", "base64_codec", "idna", "unicode_escape", "punycode", "mbcs", "zlib_codec")),
    row("E10", "the charset hz", _typed("text/plain; charset=hz", b"abc"), PAGE, "abc", notes=("unknown_charset",)),
    row("E11", "a charset of 10 kB", _typed("text/html; charset=" + "x" * 10_000), PAGE, "Welcome to"),
    row("E11", "a charset in quotes", _typed('text/html; charset="\\"utf-8\\""'), PAGE, "Welcome to"),
    row("E14", "a meta charset behind 2 kB of comment", _typed("text/html", _LATE), PAGE, "Привет"),
    row("E21", "Markdown with HTML and a beacon", _typed("text/markdown", _BEACON), PAGE, "# Title", hides="\x1b"),
    *(row("E22", f"the type {kind[:21]}", _typed(kind), PAGE, "Welcome to") for kind in ("text/html, text/plain", "text/html;;", "text/html; " + "x" * 50_000)),
    row("E22", "two types on two lines", sends(page(WELCOME, "Content-Type: text/plain")), PAGE, "Welcome to"),
)
