"""Lengths and chunks (RFC 9112 sections 6 and 7)."""

from typing import Final

from webseam.testing.web.answers import PLAIN, chunked, head, open_ended, page
from webseam.testing.web.certificates import issued
from webseam.testing.web.plays import bits, ends, floods, sends
from webseam.testing.web.scenario import FAILED, PAGE, SITE, row

_CHUNKED: Final = "Transfer-Encoding: chunked"
_BODY: Final = head(200, f"Content-Type: {PLAIN}", _CHUNKED)


def _lengths(*values: str, body: bytes = b"hello") -> bytes:
    return head(200, f"Content-Type: {PLAIN}", *(f"Content-Length: {value}" for value in values)) + body


# fmt: off
FRAMING: Final = (
    row("B15", "more than its length", sends(_lengths("5", body=b"hello and more")), f"{PAGE}|{FAILED}", hides="and more"),
    row("B16", "two lengths that differ", ends(_lengths("5", "6")), FAILED, "not well-formed"),
    row("B17", "a length and chunks", ends(head(200, f"Content-Type: {PLAIN}", "Content-Length: 5", _CHUNKED) + b"5\r\nhello\r\n0\r\n\r\n"), FAILED, "not well-formed"),
    row("B17", "a transfer coding of gzip", ends(head(200, f"Content-Type: {PLAIN}", "Transfer-Encoding: gzip") + b"hello"), FAILED, "not well-formed"),
    *(row("B18", f"a length of {value}", ends(_lengths(value)), FAILED, "not well-formed") for value in ("-1", "+5", "0x5", "5 5", "5,6", "")),
    row("B18", "a length of 5, 5", ends(_lengths("5, 5")), FAILED, "not well-formed"),
    row("B19", "chunks that break off", ends(chunked(b"hello ", b"there", rest=b"")), PAGE, "hello there", notes=("incomplete",)),
    row("B19", "a chunk that breaks off", ends(_BODY + b"9\r\nhello"), PAGE, "hello", notes=("incomplete",)),
    row("B20", "a chunk size that is no number", ends(_BODY + b"zz\r\nhello\r\n"), FAILED, "not well-formed"),
    row("B20", "a chunk size of 16 digits", ends(_BODY + b"ffffffffffffffff\r\nhello"), PAGE, "hello", notes=("incomplete",)),
    row("B20", "a chunk size of 17 digits", ends(_BODY + b"fffffffffffffffff\r\nhello"), FAILED, "not well-formed"),
    row("B20", "a negative chunk size", ends(_BODY + b"-5\r\nhello\r\n"), FAILED, "not well-formed"),
    row("B21", "a chunk extension of 200 kB", ends(_BODY + b"5;" + b"x" * 200_000 + b"\r\nhello\r\n0\r\n\r\n"), FAILED, "framing outweighs"),
    row("B21", "an endless chunk extension", floods(_BODY + b"5;", b"x" * 65_536), FAILED),
    row("B22", "endless chunks of a byte", floods(_BODY, b"1\r\nx\r\n" * 10_000), PAGE, "xxx", cut=None, seconds=20),
    row("B22", "5,000 chunks of a byte, each in a TLS record", bits(_BODY, b"1\r\nx\r\n", 5_000, b"0\r\n\r\n"), PAGE, "x" * 5_000, url=f"https://{SITE}/", certificate=issued(SITE)),
    row("B23", "endless trailers", floods(chunked(b"hello", rest=b"0\r\n"), b"X-More: yes\r\n" * 1_000), f"{PAGE}|{FAILED}"),
    row("B23", "one endless trailer", floods(chunked(b"hello", rest=b"0\r\nX: "), b"y" * 65_536), f"{PAGE}|{FAILED}"),
    row("B24", "endless chunks", floods(_BODY, b"400\r\n" + b"x" * 1_024 + b"\r\n"), PAGE, "xxx", cut=True),
    row("B24", "an endless body until close", floods(open_ended(), b"x" * 65_536), PAGE, "xxx", cut=True),
    row("C17", "two answers glued together", sends(page(b"<p>first</p>") + page(b"<p>smuggled</p>")), f"{PAGE}|{FAILED}", hides="smuggled"),
)
