"""Every row of the URL table through the seam, with sockets that map judged addresses to loopback."""

from asyncio import StreamWriter
from typing import Any

import pytest

from support.net import PUBLIC, ScriptedResolver, Wire, answer, http_web, serve
from support.url_rows import CODES, REACHED, REFUSED, TOLERANT
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings
from webseam.core.url import Url


async def _verdict(url: str, *, secure: bool = False) -> tuple[str, Wire, ScriptedResolver, list[Any]]:
    resolver = ScriptedResolver({"*": [[PUBLIC]]})

    async def handler(_request: Any, writer: StreamWriter) -> None:
        writer.write(answer(b"<p>reached</p>", headers={"Connection": "close"}))
        await writer.drain()
        writer.close()

    async with serve(handler) as server:
        wire = Wire(default=None if secure else server.port)
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            try:
                await web.fetch(url)
            except WebError as error:
                return error.code, wire, resolver, server.requests
        return "allowed", wire, resolver, server.requests


@pytest.mark.req("net:url:verdicts")
@pytest.mark.parametrize("row", REFUSED, ids=lambda row: f"{row['id']}-{row['kind']}")
async def test_a_refused_url_is_refused_with_its_code_and_nothing_is_dialled_or_resolved(row: dict[str, Any]) -> None:
    code, wire, resolver, requests = await _verdict(row["url"])

    assert set(row["want"]) & CODES[code]
    assert wire.dialled == []
    assert sum(resolver.asked.values()) == 0
    assert requests == []


@pytest.mark.req("net:url:reach")
@pytest.mark.parametrize(
    "row",
    [row for row in REACHED if not row.get("href", "").startswith("https")],
    ids=lambda row: f"{row['id']}-{row['kind']}",
)
async def test_an_allowed_url_reaches_the_server_as_it_was_judged(row: dict[str, Any]) -> None:
    code, wire, _, requests = await _verdict(row["url"])
    if code != "allowed":
        assert set(row["want"]) & CODES[code]
        assert wire.dialled == []
        return
    url = Url.parse(row["href"])

    assert requests[0].target == (url.path + url.query)
    expected = url.host.removesuffix(".") + ("" if url.port == 80 else f":{url.port}")
    assert requests[0].host == expected
    assert len(wire.dialled) == 1


@pytest.mark.req("net:url:reach")
@pytest.mark.parametrize(
    "row",
    [row for row in REACHED if row.get("href", "").startswith("https")],
    ids=lambda row: f"{row['id']}-{row['kind']}",
)
async def test_an_allowed_https_url_is_dialled_at_its_judged_address(row: dict[str, Any]) -> None:
    code, wire, _, _ = await _verdict(row["url"], secure=True)

    # Nobody listens: what counts here is that the guard let the dial through.
    if code == "WEB_PROVIDER_ERROR":
        assert len(wire.dialled) == 1
    else:
        assert set(row["want"]) & CODES[code]
        assert wire.dialled == []


@pytest.mark.req("net:url:verdicts")
@pytest.mark.parametrize("row", TOLERANT, ids=lambda row: f"{row['id']}-{row['kind']}")
async def test_a_url_that_may_go_either_way_is_refused_cleanly_or_fetched(row: dict[str, Any]) -> None:
    code, wire, _, requests = await _verdict(row["url"], secure=row.get("href", "").startswith("https"))

    if code in CODES:
        assert set(row["want"]) & CODES[code]
        assert wire.dialled == []
    else:
        assert code in ("allowed", "WEB_PROVIDER_ERROR")
        assert len(wire.dialled) == 1
        assert len(requests) <= 1
