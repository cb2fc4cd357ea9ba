"""Pictures over the wire: as blocks for models that see, and only where that is asked for."""

import base64
from dataclasses import replace
from typing import Any

import pytest

from support.net import LOOPBACK, always, answer, http_web, serve
from webseam.core.types import FetchResult
from webseam.tools.result import ImageBlock, ToolResult
from webseam.tools.toolset import Toolset

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big") + bytes(40)
GIF = b"GIF89a" + (3).to_bytes(2, "little") + (2).to_bytes(2, "little") + bytes(20)
ICON = b"\x00\x00\x01\x00" + bytes(40)
PICTURES = replace(LOOPBACK, images=True)


async def called(data: bytes, kind: str | None, *, settings: Any = PICTURES, **args: Any) -> ToolResult:
    async with serve(always(answer(data, content_type=kind), close=True)) as server, http_web(settings) as web:
        tools = Toolset(web)
        result = await tools.call("web_fetch", {"url": server.url + "/x", **args})
        await tools.aclose()
        return result


async def fetched(data: bytes, kind: str) -> FetchResult:
    async with serve(always(answer(data, content_type=kind), close=True)) as server, http_web(PICTURES) as web:
        return await web.fetch(server.url + "/x")


@pytest.mark.req("images:block")
@pytest.mark.parametrize(
    ("data", "kind", "proved", "size"),
    [
        (PNG, "image/png", "image/png", (640, 480)),
        (PNG, "image/jpeg", "image/png", (640, 480)),
        (PNG, None, "image/png", (640, 480)),
        (GIF, "text/html", "image/gif", (3, 2)),
    ],
)
async def test_a_picture_is_a_block_of_the_type_that_its_bytes_prove(
    data: bytes, kind: str | None, proved: str, size: tuple[int, int]
) -> None:
    result = await called(data, kind)
    block = ImageBlock(media_type=proved, data=base64.b64encode(data).decode(), width=size[0], height=size[1])
    assert (result.images, result.is_error) == ((block,), False)
    assert f"[image: {size[0]}x{size[1]} {proved}, {len(data)} bytes]" in result.text
    assert block.data not in str(result.structured)


@pytest.mark.req("images:block")
async def test_no_block_stands_beside_what_is_no_picture_or_is_read_on() -> None:
    assert (await called(b"<p>kelp</p>", "text/html")).images == ()
    assert (await called(PNG, "image/png", offset=5)).images == ()
    assert (await called(PNG, "image/png", find="image")).images == ()


@pytest.mark.req("images:block")
@pytest.mark.parametrize(("data", "kind"), [(ICON, "image/x-icon"), (b"kelp in a tank", "image/png")])
async def test_a_picture_of_unknown_size_is_no_block_and_claims_no_size(data: bytes, kind: str) -> None:
    result = await called(data, kind)
    assert (result.images, result.is_error) == ((), False)
    assert f"[image: {kind}, {len(data)} bytes]" in result.text


@pytest.mark.req("images:capped")
async def test_pictures_are_refused_with_type_and_size_where_they_are_off() -> None:
    result = await called(PNG, "image/png", settings=LOOPBACK)
    assert (result.is_error, result.images) == (True, ())
    assert f"image/png ({len(PNG)} bytes)" in result.text


@pytest.mark.req("images:size")
async def test_first_bytes_win_over_another_picture_type() -> None:
    page = await fetched(PNG, "image/jpeg")
    assert (page.media_type, [note.code for note in page.notes]) == ("image/png", ["type_mismatch"])
    assert (await fetched(PNG, "image/apng")).media_type == "image/apng"
