"""Content codings and sizes (RFC 9110 section 8.4)."""

import gzip
import zlib
from typing import Final

from webseam.testing.web.answers import PLAIN, head, open_ended, page, text
from webseam.testing.web.packed import SENTENCE, brotli_bomb, gzip_bomb, noise, raw_deflate, spaces, times, zstd_bomb
from webseam.testing.web.plays import drips, ends, floods, sends, stalls
from webseam.testing.web.scenario import FAILED, NO_TEXT, PAGE, TIMEOUT, TOO_LARGE, row

_WORDS: Final = SENTENCE * 20
_SHOWN: Final = SENTENCE.decode().strip()
_EVENTS: Final = open_ended("text/event-stream")


def _coded(coding: str, body: bytes) -> bytes:
    return text(body, f"Content-Encoding: {coding}")


# fmt: off
BODIES: Final = (
    row("B01", "gzip that opens to 200 MB", sends(lambda: _coded("gzip", gzip_bomb())), PAGE, "word word", cut=True),
    row("B02", "br that opens to 200 MB", sends(lambda: _coded("br", brotli_bomb())), PAGE, "word word", cut=True),
    row("B03", "zstd that opens to 200 MB", sends(lambda: _coded("zstd", zstd_bomb())), PAGE, "word word", cut=True),
    row("B03", "gzip in gzip that opens to 200 MB", sends(lambda: _coded("gzip, gzip", gzip.compress(gzip_bomb()))), PAGE, "word word", cut=True),
    row("B05", "ten codings", sends(lambda: _coded(", ".join(["gzip"] * 10), times(_WORDS, 10))), FAILED, "at most 2"),
    row("B06", "an unknown coding of plain text", sends(_coded("foo", _WORDS)), PAGE, _SHOWN, notes=("unknown_coding",)),
    row("B06", "an unknown coding of bytes", sends(_coded("foo", bytes(range(256)))), NO_TEXT, "binary data"),
    row("B06", "compress", sends(_coded("compress", b"\x1f\x9d\x90" + bytes(range(200)))), NO_TEXT, "binary data"),
    row("B06", "exi", sends(_coded("exi", b"$EXI\x80\0\1\2\3" + bytes(range(200)))), NO_TEXT, "binary data"),
    row("B07", "gzip that is not packed", sends(_coded("gzip", _WORDS)), FAILED, "cannot be decompressed"),
    row("B07", "br that is not packed", sends(_coded("br", _WORDS)), FAILED, "cannot be decompressed"),
    row("B07", "zstd that is not packed", sends(_coded("zstd", _WORDS)), FAILED, "cannot be decompressed"),
    row("B07", "deflate that is not packed", sends(_coded("deflate", b"<p>never packed</p>")), FAILED, "cannot be decompressed"),
    row("B09", "gzip that breaks off", sends(lambda: _coded("gzip", gzip.compress(noise(20_000))[:-2_000])), PAGE, notes=("incomplete",)),
    row("B10", "gzip with garbage behind it", sends(_coded("gzip", gzip.compress(_WORDS) + b"garbage")), PAGE, _SHOWN),
    row("B10", "gzip of two members", sends(_coded("gzip", gzip.compress(b"first, ") + gzip.compress(_WORDS))), PAGE, "first, Words"),
    row("B10", "gzip of 200,000 empty members", sends(lambda: _coded("gzip", gzip.compress(b"") * 200_000)), FAILED, "compressed members"),
    row("B11", "deflate in its wrapper", sends(_coded("deflate", zlib.compress(_WORDS))), PAGE, _SHOWN),
    row("B11", "raw deflate", sends(_coded("deflate", raw_deflate(_WORDS))), PAGE, _SHOWN),
    row("B12", "a bomb that stays under the cap", sends(lambda: _coded("gzip", gzip.compress(b"the start") + spaces(4_900_000))), PAGE, "the start"),
    row("B13", "a length of 10^12, then nothing", stalls(head(200, f"Content-Type: {PLAIN}", "Content-Length: 1000000000000") + b"x" * 1_000), TOO_LARGE, "1,000,000,000,000", seconds=5),
    row("B14", "less than its length", ends(head(200, f"Content-Type: {PLAIN}", "Content-Length: 50") + b"only this"), PAGE, "only this", notes=("incomplete",)),
    row("B25", "a body until close, never closed", stalls(open_ended() + b"some"), TIMEOUT, seconds=0.3),
    row("B26", "a byte at a time", drips(open_ended(), b"."), TIMEOUT, seconds=0.5),
    row("B27", "nothing after the headers", stalls(head(200, f"Content-Type: {PLAIN}", "Content-Length: 9")), TIMEOUT, seconds=0.3),
    *(row("B28", f"{code} with a body", sends(page(b"<p>smuggled</p>", status=code)), f"{PAGE}|{FAILED}", hides="smuggled") for code in (204, 304)),
    row("B28", "205 with a body", sends(page(b"", status=205)), PAGE, notes=("empty",)),
    row("B29", "206 that nobody asked for", sends(page(b"<p>a part</p>", "Content-Range: bytes 0-12/99", status=206)), PAGE, "a part", notes=("partial_content",)),
    row("B30", "an empty page", sends(page(b"")), PAGE, notes=("empty",)),
    row("B31", "multipart/mixed", sends(page(b"--x\r\n\r\nhello\r\n--x--", kind="multipart/mixed; boundary=x")), NO_TEXT, "multipart/mixed"),
    row("B31", "endless multipart/x-mixed-replace", floods(open_ended("multipart/x-mixed-replace; boundary=x"), b"--x\r\n\r\nhello\r\n" * 1000), NO_TEXT, "multipart"),
    row("B32", "an endless flood of events", floods(_EVENTS, b"data: tick\n\n" * 5_000), PAGE, "data: tick", cut=True),
    row("B32", "an endless drip of events", drips(_EVENTS, b"data: tick\n\n"), TIMEOUT, seconds=0.5),
)
