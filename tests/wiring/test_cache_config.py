"""`fetch.cache` and `fetch.stale_if_error` from configuration to the page."""

from typing import Any

import pytest

import webseam
from support.net import serve
from support.pages import Origin, page
from support.wiring import Desk
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings
from webseam.wiring.room_settings import fetch_settings


@pytest.mark.req("cache:config")
def test_a_project_file_may_turn_the_cache_off_and_not_on(desk: Desk) -> None:
    desk.user('[fetch]\ncache = "memory"\nstale_if_error = 60\n')
    desk.project('[fetch]\ncache = "off"\nstale_if_error = 30\n')
    config = desk.load().config.fetch
    assert (config.cache, config.stale_if_error) == ("off", 30)

    for text in ('cache = "disk"', "stale_if_error = 61"):
        with pytest.raises(WebError) as caught:
            desk.project(f"[fetch]\n{text}\n").load()
        assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.mark.req("cache:config")
@pytest.mark.parametrize("text", ['cache = "on"', "cache = true", "stale_if_error = -1", "stale_if_error = 86401"])
def test_a_value_that_is_none_is_refused(desk: Desk, text: str) -> None:
    with pytest.raises(WebError) as caught:
        desk.user(f"[fetch]\n{text}\n").load()
    assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.mark.req("cache:off")
def test_nothing_is_kept_by_default(desk: Desk) -> None:
    loaded = desk.load()
    settings = fetch_settings(loaded.config, loaded.environ)
    assert (settings.cache, settings.stale_if_error) == ("off", 0.0) == (FetchSettings().cache, 0.0)


@pytest.mark.req("cache:config", "cache:disk:shared")
@pytest.mark.parametrize(("mode", "requests"), [("off", 2), ("memory", 2), ("disk", 1)])
async def test_the_setting_reaches_the_fetcher(desk: Desk, mode: str, requests: int) -> None:
    origin = Origin({"/": page("one")})
    config: dict[str, Any] = {"fetch": {"cache": mode, "private_networks": ["127.0.0.0/8"]}}
    async with serve(origin.handler()) as server:
        for _ in range(2):
            async with webseam.open(config=config, environ=desk.environ, cwd=desk.cwd) as web:
                await web.fetch(server.url)

    assert len(origin.asked) == requests
