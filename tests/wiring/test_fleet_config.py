"""`[fleet]`, `search.cache` and `search.cache_seconds`: what may be set, by whom, and what is told of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webseam
from support.fleet import HIT, gateway, installed_kinds, searches
from support.wiring import Desk, toys
from webseam.core.errors import Code, WebError
from webseam.testing.vendor_server import VendorServer
from webseam.wiring.build import build
from webseam.wiring.fleet_url import no_server
from webseam.wiring.recording import Edge

SECRET = "pw-kelp-1234"


def _refused(desk: Desk, text: str) -> str:
    with pytest.raises(WebError) as caught:
        desk.user(text).load()
    assert caught.value.code == Code.CONFIG_INVALID
    return caught.value.message


@pytest.mark.req("fleet:config")
@pytest.mark.parametrize(
    "url",
    [
        "redis://cache.example",
        "valkey://cache.example:6380/3",
        f"rediss://user:{SECRET}@cache.example:6380",
        "valkeys://[::1]:6379/",
        "unix:///run/redis/redis.sock",
        " redis://127.0.0.1 ",
    ],
)
def test_a_server_s_url_is_taken(desk: Desk, url: str) -> None:
    assert desk.user(f"[fleet]\nurl = '{url}'\n").load().config.fleet.url == url


@pytest.mark.req("fleet:config", "fleet:secret")
@pytest.mark.parametrize(
    "url",
    [
        f"cache.example:{SECRET}",
        f"http://:{SECRET}@cache.example",
        f"redis://:{SECRET}/x@cache.example",
        f"redis://:{SECRET}#x@cache.example",
        f"redis://:{SECRET}@",
        f"redis://:{SECRET}@cache.example:99999",
        f"redis://:{SECRET}@cache.example:0",
        f"redis://:{SECRET}@[::1",
        f"redis://:{SECRET}@cache.example/zero",
        f"rediss://:{SECRET}@cache.example?ssl_cert_reqs=none",
        f"unix://{SECRET}@/run/redis.sock",
        "unix://",
        "redis://",
    ],
)
def test_what_leads_to_no_server_is_refused_and_no_part_of_it_is_shown(desk: Desk, url: str) -> None:
    message = _refused(desk, f"[fleet]\nurl = '{url}'\n")
    assert "fleet.url" in message
    assert "redis://" in message
    assert SECRET not in message
    assert SECRET not in repr(desk.survey())


@pytest.mark.req("fleet:secret")
@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_the_check_or_shows_itself(text: str) -> None:
    told = no_server(f"redis://:{SECRET}{text}")
    assert told is None or SECRET not in told


@pytest.mark.req("fleet:config")
@pytest.mark.parametrize("prefix", ["a b", "-a", "x" * 65, "é", "a:b"])
def test_a_prefix_is_a_plain_name(desk: Desk, prefix: str) -> None:
    assert "fleet.prefix" in _refused(desk, f"[fleet]\nprefix = {json.dumps(prefix)}\n")


@pytest.mark.req("fleet:config")
@pytest.mark.parametrize("section", ["search", "fetch"])
def test_a_cache_of_the_fleet_needs_its_server(desk: Desk, section: str) -> None:
    loaded = desk.user(f'[{section}]\ncache = "fleet"\n').load()
    with pytest.raises(WebError) as caught:
        build(loaded, discover=toys)
    assert caught.value.code == Code.CONFIG_INVALID
    assert f"{section}.cache" in caught.value.message
    assert "fleet.url" in caught.value.message


@pytest.mark.req("fleet:config")
def test_the_environment_names_the_server_too(desk: Desk) -> None:
    loaded = desk.env(WEBSEAM_FLEET_URL="redis://cache.example", WEBSEAM_FLEET_WHEN_AWAY="refuse").load()
    assert (loaded.config.fleet.url, loaded.config.fleet.when_away) == ("redis://cache.example", "refuse")


@pytest.mark.req("fleet:config", "fleet:secret")
def test_a_project_file_may_name_no_server_and_its_password_is_not_shown(desk: Desk) -> None:
    with pytest.raises(WebError) as caught:
        desk.project(f"[fleet]\nurl = 'redis://:{SECRET}@evil.example'\n").load()
    assert "fleet.url" in caught.value.message
    assert SECRET not in caught.value.message


@pytest.mark.req("fleet:extra")
def test_without_the_client_opening_names_the_extra(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(WebError) as caught:
        build(desk.user("[fleet]\nurl = 'redis://cache.example'\n").load(), discover=toys)
    assert caught.value.code == Code.CONFIG_INVALID
    assert 'pip install "webseam[fleet]"' in caught.value.message


@pytest.mark.req("fleet:config")
async def test_a_run_that_is_offline_asks_no_server_and_reads_no_fleet(tmp_path: Path) -> None:
    config = {"fleet": {"url": "redis://127.0.0.1:1"}, "fetch": {"cache": "fleet"}, "search": {"cache": "fleet"}}
    async with webseam.open(config=config, environ={}, cwd=tmp_path, offline=True) as web:
        with pytest.raises(WebError) as caught:
            await web.fetch("https://kelp.test/")
    assert caught.value.code == Code.OFFLINE


@pytest.mark.req("search-cache:config")
@pytest.mark.parametrize("line", ['cache = "on"', "cache = true", "cache_seconds = 0", "cache_seconds = 86401"])
def test_a_value_that_is_none_is_refused(desk: Desk, line: str) -> None:
    assert "search.cache" in _refused(desk, f"[search]\n{line}\n")


@pytest.mark.req("search-cache:config")
def test_a_project_file_may_only_tighten(desk: Desk) -> None:
    desk.user('[search]\ncache = "disk"\ncache_seconds = 60\n')
    loaded = desk.project('[search]\ncache = "off"\ncache_seconds = 30\n').load()
    assert (loaded.config.search.cache, loaded.config.search.cache_seconds) == ("off", 30)
    for line in ('cache = "memory"', "cache_seconds = 61"):
        with pytest.raises(WebError):
            desk.project(f"[search]\n{line}\n").load()


@pytest.mark.req("search-cache:config", "search-cache:hit")
async def test_a_recording_holds_what_the_caller_saw_and_a_replay_asks_no_store(tmp_path: Path) -> None:
    file, desk = tmp_path / "run.jsonl", Desk(tmp_path / "desk")
    async with VendorServer(HIT) as vendor:
        config = searches(vendor)
        built = build(desk.load(config), discover=installed_kinds, edge=Edge(record=file))
        async with built.web as web:
            seen: list[Any] = [await web.search("kelp") for _ in range(2)]
    async with build(desk.load(config), edge=Edge(replay=file)).web as web:
        played = [await web.search("kelp") for _ in range(2)]

    assert [one.cache is not None for one in seen] == [False, True]
    assert played == seen


@pytest.mark.req("fleet:secret")
async def test_an_observer_never_hears_the_password(tmp_path: Path) -> None:
    heard: list[Any] = []
    async with VendorServer(HIT) as vendor:
        config = searches(vendor, cache="off", fleet={"url": f"redis://u:{SECRET}@127.0.0.1:1"})
        async with gateway(tmp_path, config, emit=heard.append) as web:
            await web.search(f"what is {SECRET}?")
    assert heard
    assert SECRET not in repr(heard)
