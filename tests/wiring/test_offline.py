"""Runs without network: what would leave is refused, what is here answers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import webseam
from support.cli import Answer, site
from support.wiring import Desk
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchResult
from webseam.core.web import Web
from webseam.stores.index import LocalIndex
from webseam.wiring.indexing import index_urls

LOOPBACK = {"private_networks": ["127.0.0.0/8"]}


def opened(desk: Desk, config: Mapping[str, Any] | None = None, **more: Any) -> Web:
    return webseam.open(environ=desk.environ, cwd=desk.cwd, config=config, **{"offline": True, **more})


@pytest.mark.req("offline:refused")
@pytest.mark.parametrize("url", ["https://example.com/", "http://1.1.1.1/", "https://[2606:4700::1111]/"])
@pytest.mark.parametrize("autonomous", [False, True])
@pytest.mark.parametrize("settings", [{}, {"nameservers": ["127.0.0.1:9"]}, {"proxy": "http://127.0.0.1:9"}])
async def test_no_page_is_asked_for_nor_its_robots_file(
    desk: Desk, url: str, settings: dict[str, Any], *, autonomous: bool
) -> None:
    async with opened(desk, {"fetch": settings}) as web:
        with pytest.raises(WebError) as caught:
            await web.fetch(url, call=Call(autonomous=autonomous))
    assert (caught.value.code, caught.value.exit_code) == (Code.OFFLINE, 4)
    assert not caught.value.dispatched


@pytest.mark.req("offline:refused")
@pytest.mark.parametrize("provider", ["exa", "brave", "exa-mcp", "wikipedia", "openai"])
async def test_no_vendor_is_asked(desk: Desk, provider: str) -> None:
    desk.env(EXA_API_KEY="k" * 20, BRAVE_API_KEY="k" * 20, OPENAI_API_KEY="k" * 20)
    async with opened(desk, search=provider) as web:
        with pytest.raises(WebError) as caught:
            await web.search("kelp")
    assert caught.value.code == Code.OFFLINE
    assert not any(one.dispatched for one in caught.value.attempts)


@pytest.mark.req("offline:refused")
async def test_an_allowed_private_address_is_refused_too(desk: Desk) -> None:
    asked: list[str] = []

    def answer(path: str) -> Answer:
        asked.append(path)
        return 200, {}, b"<h1>Kelp</h1>"

    with site(answer) as base:
        async with opened(desk, {"fetch": LOOPBACK}) as web:
            with pytest.raises(WebError) as caught:
                await web.fetch(base)
    assert caught.value.code == Code.OFFLINE
    assert asked == []


@pytest.mark.req("offline:local")
async def test_the_local_index_answers(desk: Desk, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite3"
    config = {"fetch": LOOPBACK, "index": {"path": str(index)}, "search": {"provider": "local"}}

    def answer(_path: str) -> Answer:
        return 200, {}, b"<title>Kelp</title><h1>Kelp</h1><p>Seaweed that is farmed on lines.</p>"

    with site(answer) as base:
        async with opened(desk, config, offline=False) as web:
            await index_urls(web, LocalIndex(index, read_only=False), [f"{base}/"])
    async with opened(desk, config) as web:
        found: SearchResult = await web.search("seaweed")
    assert [one.title for one in found.sources] == ["Kelp"]
