"""Content codings: undone as sent, bounded whatever they hold."""

import asyncio
import gzip
import random
import zlib
from collections.abc import Callable
from dataclasses import replace

import brotli
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from support.net import LOOPBACK, Request, always, answer, http_web, serve
from webseam.core.errors import WebError
from webseam.core.types import FetchResult, HtmlBody, TextBody
from webseam.net.decoding import BodyBytes, decoded, decoders_for

TEXT = b"Plain text, told many times over. " * 40


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "GZip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
}


async def _fetch(body: bytes, coding: str, cap: int = 100_000) -> FetchResult:
    response = answer(body, content_type="text/plain", headers={"Content-Encoding": coding})
    async with serve(always(response)) as server, http_web(replace(LOOPBACK, max_bytes=cap)) as web:
        return await web.fetch(server.url)


@pytest.mark.req("net:body:codings")
@pytest.mark.parametrize("coding", CODINGS)
async def test_a_coding_is_undone(coding: str) -> None:
    packed = CODINGS[coding](TEXT)
    page = await _fetch(packed, coding)

    assert page.body == TextBody(content=TEXT.decode())
    assert page.received_bytes == len(packed)
    assert page.notes == ()


@pytest.mark.req("net:body:codings")
@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("deflate", _raw_deflate(TEXT)),
        ("gzip, identity", gzip.compress(TEXT)),
        ("identity", TEXT),
        ("", TEXT),
        ("gzip, br", brotli.compress(gzip.compress(TEXT))),
        ("gzip", gzip.compress(TEXT[:300]) + gzip.compress(TEXT[300:])),
        ("gzip", gzip.compress(TEXT) + b"trailing garbage"),
        ("zstd", zstd.compress(TEXT[:300]) + zstd.compress(TEXT[300:])),
    ],
)
async def test_the_odd_ways_servers_use_them_are_undone_too(coding: str, body: bytes) -> None:
    assert (await _fetch(body, coding)).body == TextBody(content=TEXT.decode())


@pytest.mark.req("net:body:codings")
async def test_an_unknown_coding_passes_through_with_a_note_when_it_is_text_and_is_refused_when_not() -> None:
    page = await _fetch(b"just text", "UTF-8")
    assert page.body == TextBody(content="just text")
    assert [note.code for note in page.notes] == ["unknown_coding"]

    with pytest.raises(WebError) as caught:
        await _fetch(b"\x1f\x9d\x90" + bytes(range(200)), "compress")
    assert caught.value.code == "WEB_UNSUPPORTED_CONTENT_TYPE"


@pytest.mark.req("net:body:broken")
@pytest.mark.parametrize("coding", ["gzip", "deflate"])
async def test_a_coded_body_that_ends_early_keeps_what_came_and_says_so(coding: str) -> None:
    noise = bytes(random.Random(7).choices(range(32, 127), k=20_000))  # noqa: S311 - repeatable noise
    page = await _fetch(CODINGS[coding](noise)[:-2000], coding)

    assert isinstance(page.body, TextBody)
    assert 0 < len(page.body.content) < len(noise)
    assert "incomplete" in {note.code for note in page.notes}


@pytest.mark.req("net:body:broken")
@pytest.mark.parametrize(("coding", "kept"), [("gzip", 5), ("gzip", 10), ("deflate", 2), ("br", 1), ("zstd", 6)])
async def test_a_coded_body_of_which_nothing_can_be_read_is_an_error_and_no_empty_page(coding: str, kept: int) -> None:
    with pytest.raises(WebError, match="breaks off before its first byte") as caught:
        await _fetch(CODINGS[coding](TEXT)[:kept], coding)
    assert (caught.value.code, caught.value.dispatched) == ("WEB_PROVIDER_ERROR", True)


def _bomb(coding: str) -> bytes:
    return CODINGS[coding](b" " * 50_000_000)


@pytest.mark.req("net:body:bombs")
@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
async def test_a_bomb_is_cut_at_the_cap(coding: str) -> None:
    page = await _fetch(_bomb(coding), coding)

    assert isinstance(page.body, TextBody)
    assert len(page.body.content) == 100_000
    assert page.truncated


@pytest.mark.req("net:body:bombs")
async def test_a_bomb_in_a_bomb_is_cut_at_the_cap() -> None:
    page = await _fetch(gzip.compress(gzip.compress(b" " * 50_000_000)), "gzip, gzip")

    assert page.truncated
    assert page.received_bytes < 10_000


@pytest.mark.req("net:body:bombs")
async def test_a_zstd_frame_that_wants_a_huge_window_is_refused() -> None:
    options = {int(zstd.CompressionParameter.window_log): 27, int(zstd.CompressionParameter.content_size_flag): 0}
    packer = zstd.ZstdCompressor(options=options)
    with pytest.raises(WebError, match="cannot be decompressed"):
        await _fetch(packer.compress(b"x" * 1000) + packer.flush(), "zstd")


async def _read(data: bytes, coding: str, *, step: int, cap: int) -> BodyBytes:
    pieces = iter([data[at : at + step] for at in range(0, len(data), step)])

    async def read() -> bytes:
        return next(pieces, b"")

    return await decoded(read, decoders_for(coding), cap=cap, wire_cap=10**9)


@pytest.mark.req("net:body:caps")
@given(
    st.binary(max_size=3000),
    st.sampled_from(["gzip", "deflate", "br", "zstd", ""]),
    st.integers(1, 500),
    st.integers(1, 4000),
)
def test_however_it_is_cut_into_chunks_the_body_is_the_same_up_to_the_cap(
    data: bytes, coding: str, step: int, cap: int
) -> None:
    packed = CODINGS[coding](data) if coding else data
    body = asyncio.run(_read(packed, coding, step=step, cap=cap))

    assert body.data == data[:cap]
    assert body.truncated is (len(data) > cap)
    assert body.fault is None


@pytest.mark.req("net:body:members")
@given(st.lists(st.binary(max_size=40), min_size=2, max_size=5), st.sampled_from(["gzip", "zstd"]), st.data())
def test_every_member_is_read_wherever_the_network_cuts_them(
    members: list[bytes], coding: str, data: st.DataObject
) -> None:
    packed = [CODINGS[coding](member) for member in members]
    whole = b"".join(packed)
    step = data.draw(st.integers(1, 80) | st.sampled_from([len(packed[0]), len(packed[0]) + 1]))
    body = asyncio.run(_read(whole, coding, step=step, cap=1000))

    assert (body.data, body.complete, body.fault) == (b"".join(members), True, None)


@pytest.mark.req("net:body:members")
async def test_a_page_that_comes_member_by_member_is_read_to_its_end() -> None:
    first, second = gzip.compress(b"<p>first half "), gzip.compress(b"second half")

    async def flushing(_request: Request, writer: asyncio.StreamWriter) -> None:
        head = answer(length=False, headers={"Content-Encoding": "gzip", "Connection": "close"})
        for piece in (head, first, second[:1], second[1:]):
            writer.write(piece)
            await writer.drain()
            for _ in range(5):
                await asyncio.sleep(0)  # lets the client read it alone
        writer.close()

    async with serve(flushing) as server, http_web() as web:
        page = await web.fetch(server.url)

    assert page.body == HtmlBody(content="<p>first half second half")
    assert page.notes == ()


@pytest.mark.req("net:body:codings")
@pytest.mark.parametrize("size", [65_536, 65_537, 65_600, 65_793, 131_073])
@pytest.mark.parametrize("pack", [_raw_deflate, zlib.compress, gzip.compress])
async def test_no_byte_is_left_in_a_decoder_that_has_taken_all_its_input(
    size: int, pack: Callable[[bytes], bytes]
) -> None:
    coding = "gzip" if pack is gzip.compress else "deflate"
    page = await _fetch(pack(b"a" * size), coding, cap=200_000)

    assert page.body == TextBody(content="a" * size)
    assert page.notes == ()


@given(st.binary(max_size=500), st.sampled_from(["gzip", "deflate", "br", "zstd"]), st.integers(1, 64))
def test_any_bytes_under_any_coding_end_in_a_value(data: bytes, coding: str, step: int) -> None:
    body = asyncio.run(_read(data, coding, step=step, cap=1000))
    assert len(body.data) <= 1000
