"""Servers that flood, lie and break off, asked through the seam with raw sockets (security A to C)."""

import asyncio
import gzip
import zlib

import pytest

from support.net import Handler, Request, always, answer, http_web, paths, serve
from webseam.core.types import FetchResult, HtmlBody, TextBody
from webseam.net.decoding import BodyBytes, decoded, decoders_for

GZIP_EMPTY = gzip.compress(b"")
ZSTD_SKIPPABLE = b"\x50\x2a\x4d\x18\0\0\0\0"  # RFC 8878 section 3.1.2, of no bytes
GZIP_NOTHING = b"\0\0\0\xff\xff"  # an empty stored block, RFC 1951 section 3.2.4


async def _fetch(response: bytes) -> FetchResult:
    async with serve(always(response, close=True)) as server, http_web() as web:
        return await web.fetch(server.url)


def _notes(page: FetchResult) -> dict[str, str | None]:
    return {note.code: note.detail for note in page.notes}


# Codings ----------------------------------------------------------------------------------------------------


def _twice(pattern: bytes, times: int, *, head: bytes = b"") -> bytes:
    """`times` of `pattern` in gzip, made without holding it whole."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(head), *(packer.compress(pattern * 10_000) for _ in range(times // 10_000))]
    return b"".join(parts) + packer.flush()


async def _decoded(coding: str, body: bytes) -> BodyBytes:
    pieces = iter((body, b""))

    async def read() -> bytes:
        return next(pieces)

    return await decoded(read, decoders_for(coding), cap=5_000_000, wire_cap=5_000_000)


@pytest.mark.req("net:body:floods")
@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", GZIP_EMPTY * 10_002),
        ("zstd", ZSTD_SKIPPABLE * 10_002),
        ("gzip, gzip", _twice(GZIP_EMPTY, 200_000)),
        ("zstd, gzip", _twice(ZSTD_SKIPPABLE, 600_000)),
    ],
)
async def test_a_flood_of_empty_compressed_members_ends_though_it_never_fills_the_cap(coding: str, body: bytes) -> None:
    read = await _decoded(coding, body)

    assert read.fault == "more than 10,000 compressed members"
    assert read.data == b""


@pytest.mark.req("net:body:floods")
async def test_what_one_coding_hands_to_the_next_is_held_to_the_cap() -> None:
    read = await _decoded("gzip, gzip", _twice(GZIP_NOTHING, 2_000_000, head=GZIP_EMPTY[:10]))

    assert read.truncated
    assert read.data == b""


@pytest.mark.req("net:body:floods")
async def test_as_many_members_as_an_honest_body_has_are_all_read() -> None:
    lines = [b"line %d\n" % number for number in range(5_000)]
    read = await _decoded("gzip", b"".join(map(gzip.compress, lines)))

    assert read.data == b"".join(lines)
    assert (read.fault, read.truncated, read.complete) == (None, False, True)


@pytest.mark.req("net:body:codings")
@pytest.mark.parametrize(
    ("lines", "layers"), [(("gzip", "gzip"), 2), (("identity", "gzip"), 1), (("gzip", "identity"), 1)]
)
async def test_codings_on_lines_of_their_own_are_one_list(lines: tuple[str, ...], layers: int) -> None:
    body = b"all of it"
    for _ in range(layers):
        body = gzip.compress(body)
    head = "".join(f"Content-Encoding: {line}\r\n" for line in lines)
    page = await _fetch(f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n{head}\r\n".encode() + body)

    assert page.body == TextBody(content="all of it")


@pytest.mark.req("net:body:codings")
async def test_an_empty_body_is_whole_whatever_coding_it_names() -> None:
    page = await _fetch(answer(b"", status=404, headers={"Content-Encoding": "gzip"}))

    assert set(_notes(page)) == {"empty"}


@pytest.mark.req("net:body:caps")
async def test_the_length_that_a_304_tells_is_that_of_another_answer() -> None:
    page = await _fetch(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 1000000000\r\n\r\n")

    assert (page.status_code, set(_notes(page))) == (304, {"empty"})


# Server text ------------------------------------------------------------------------------------------------


@pytest.mark.req("net:http:server-text")
@pytest.mark.parametrize(
    ("sent", "shown"), [("\x1b[31mfoo", "[31mfoo"), ("\xff\xfe", None), ("a" * 500, "a" * 39 + "\u2026")]
)
async def test_a_coding_is_shown_on_one_short_line_without_control_characters(sent: str, shown: str | None) -> None:
    page = await _fetch(answer(b"plain words", content_type="text/plain", headers={"Content-Encoding": sent}))

    assert _notes(page)["unknown_coding"] == shown


@pytest.mark.req("net:http:server-text")
@pytest.mark.parametrize(("sent", "shown"), [("bytes 0-3/10", "bytes 0-3/10"), ("\x07bytes\xff", "bytes"), ("", None)])
async def test_a_part_of_a_page_says_which_part(sent: str, shown: str | None) -> None:
    page = await _fetch(answer(b"part", status=206, content_type="text/plain", headers={"Content-Range": sent}))

    assert _notes(page)["partial_content"] == shown


@pytest.mark.req("net:redirect:same-site")
@pytest.mark.parametrize("raw", ["/caf\xe9?q=\xff", "/caf\xc3\xa9?q=%FF"])
async def test_a_location_of_raw_bytes_is_followed_as_the_bytes_it_holds(raw: str) -> None:
    expected = "/caf%E9?q=%FF" if "\xc3" not in raw else "/caf%C3%A9?q=%FF"
    pages = {"/": answer(status=302, headers={"Location": raw}), expected: answer(b"<p>here</p>")}
    async with serve(paths(pages)) as server, http_web() as web:
        page = await web.fetch(server.url)

    assert (page.status_code, page.url) == (200, server.url + expected)


# Breaks -----------------------------------------------------------------------------------------------------


def _then(tail: bytes) -> Handler:
    """A chunked body whose rest comes once the client has taken the first chunk from the wire."""

    async def handler(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        await writer.drain()
        for _ in range(20):
            await asyncio.sleep(0)
        writer.write(tail)

    return handler


@pytest.mark.req("net:body:broken")
@pytest.mark.parametrize("tail", [b"zz\r\n", b"0\r\nno trailer\r\n\r\n", b"5\r\n more and junk", b"-1\r\n"])
async def test_a_chunk_that_is_malformed_ends_the_body_at_once(tail: bytes) -> None:
    async with serve(_then(tail)) as server, http_web() as web:
        page = await web.fetch(server.url, timeout=5)

    assert isinstance(page.body, HtmlBody)
    assert page.body.content.startswith("hello")
    assert "incomplete" in _notes(page)
