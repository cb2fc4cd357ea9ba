"""The command line with a cache of searches and a fleet: what it shows, and what it never shows."""

import asyncio
from pathlib import Path

import pytest

from support.cli import Shell
from support.pages import stored
from webseam.stores.pages_disk import DiskPages
from webseam.wiring.caching import SEARCHES_FILE

PASSWORD = "pw/kelp@1234"


@pytest.mark.req("fleet:secret")
@pytest.mark.parametrize("url", ["redis://me:pw%2Fkelp%401234@cache.example", f"redis://:{PASSWORD}@cache.example"])
def test_the_url_is_shown_without_user_and_password(shell: Shell, url: str) -> None:
    shell.desk.user(f"[fleet]\nurl = '{url}'\n")
    for how in ((), ("--json",)):
        done = shell.run("config", "show", *how)
        told = done.out + done.err
        assert "kelp" not in told.replace(str(shell.desk.home), "")
        assert "1234" not in told
    if "%" in url:
        values = {row["setting"]: row["value"] for row in shell.run("config", "show", "--json").json["values"]}
        assert values["fleet.url"] == "redis://********@cache.example"


@pytest.mark.req("search-cache:config")
def test_cache_counts_and_forgets_searches_too(shell: Shell) -> None:
    shell.desk.user("[search]\ncache = 'disk'\n")
    path = Path(shell.run("cache", "show", "--json").json["path"]).with_name(SEARCHES_FILE)
    asyncio.run(DiskPages(path).put("k", stored()))

    shown = shell.run("cache", "show", "--json").json["search"]
    assert (shown["searches"], shown["mode"], shown["path"]) == (1, "disk", str(path))
    assert "searches: 1, " in shell.run("cache", "show").out
    assert shell.run("cache", "clear", "--json").json["cleared"] == 1
    assert shell.run("cache", "show", "--json").json["search"]["searches"] == 0


@pytest.mark.req("search-cache:hit")
def test_a_search_says_that_it_is_a_stored_one(shell: Shell) -> None:
    shell.desk.user("[search]\nprovider = 'local'\ncache = 'disk'\n")
    pages = shell.desk.cwd / "site"
    pages.mkdir()
    (pages / "kelp.md").write_text("# Kelp\n\nKelp is a brown alga.\n", encoding="utf-8")
    shell.run("index", "--folder", "site", "--base-url", "https://kelp.test/")
    first, second = shell.run("search", "kelp"), shell.run("search", "kelp")

    assert first.out == second.out
    assert "cache:" not in first.err
    assert "cache: a stored answer" in second.err


@pytest.mark.req("search-cache:hit")
def test_a_comparison_of_vendors_asks_each_now(shell: Shell) -> None:
    shell.desk.user("[search]\ncache = 'disk'\n[providers.odd2]\nkind = 'odd'\n")
    for _ in range(2):
        ran = shell.run("compare", "hits", "--provider", "odd", "--provider", "odd2", "--json")
        assert [one["elapsed"] is None for one in ran.json["providers"]] == [False, False]
