"""Extraction as configured: which provider is taken, what a table holds, project files, record and replay."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import webseam
from support.cli import Answer, site
from support.extracting import ALL, SAMPLES, TEXT, VENDORS
from support.wiring import Desk
from webseam.core.errors import Code, WebError
from webseam.core.selection import FanOut
from webseam.wiring.build import Built, build
from webseam.wiring.catalogue import EXTRACT_NOTICE

KEYS = {
    "deepseek": "DEEPSEEK_API_KEY",
    "exa": "EXA_API_KEY",
    "firecrawl": "FIRECRAWL_API_KEY",
    "jina": "JINA_API_KEY",
    "linkup": "LINKUP_API_KEY",
    "parallel": "PARALLEL_API_KEY",
    "tavily": "TAVILY_API_KEY",
    "you": "YDC_API_KEY",
}
PROSE = "<p>Kelp farms need a permit, which takes six weeks, and there is no exception to it anywhere.</p>" * 9


@pytest.fixture
def pages() -> Iterator[str]:
    """A site with an article, and a vendor beside it."""

    def answer(path: str) -> Answer:
        if path == "/old":
            return 301, {"Location": "/permits"}, b""
        if path == "/nothing-here":
            return 404, {}, b"<p>Gone</p>"
        if path == "/extract":
            rows = [{"url": "https://kelp.example/", "raw_content": "Read by a vendor."}]
            return 200, {"Content-Type": "application/json"}, json.dumps({"results": rows}).encode()
        body = f"<title>Permits</title><nav>Menu</nav><article><h1>Permits</h1>{PROSE}</article>"
        return 200, {}, body.encode()

    with site(answer) as url:
        yield url


def built(desk: Desk) -> Built:
    """With the kinds that are really installed."""
    return build(desk.load())


def extract_of(desk: Desk) -> tuple[list[str], Any]:
    """The registered ids, and what is chosen."""
    described = built(desk).web.describe()[2]
    return [state.id for state in described.providers], described.choice


@pytest.mark.req("extract:wiring:default")
def test_with_nothing_configured_pages_are_read_here_and_it_says_so(desk: Desk) -> None:
    assert extract_of(desk) == (["local"], "local")
    assert built(desk).plan.extract_notice == EXTRACT_NOTICE
    assert "extract.provider" in EXTRACT_NOTICE


@pytest.mark.req("extract:wiring:key")
@pytest.mark.parametrize("kind", VENDORS)
def test_the_key_of_a_vendors_search_serves_its_extraction(desk: Desk, kind: str) -> None:
    desk.env(**{KEYS[kind]: "k" * 20})
    assert extract_of(desk) == ([kind], None)
    assert built(desk).web.describe()[2].selected == (kind,)
    assert built(desk).plan.extract_notice is None


@pytest.mark.req("extract:wiring:ambiguous")
def test_two_keys_are_ambiguous_and_the_message_names_the_setting(desk: Desk) -> None:
    desk.env(EXA_API_KEY="k" * 20, TAVILY_API_KEY="k" * 20)
    with pytest.raises(WebError) as caught:
        asyncio.run(built(desk).web.extract("https://kelp.example/"))
    assert caught.value.code == Code.PROVIDER_AMBIGUOUS
    assert "exa, tavily" in caught.value.message
    assert "extract.provider" in caught.value.message
    assert extract_of(desk.user("[extract]\nprovider = 'local'\n"))[1] == "local"


@pytest.mark.req("extract:wiring:table")
def test_one_table_holds_the_options_of_search_and_of_extraction(desk: Desk) -> None:
    desk.env(TAVILY_API_KEY="k" * 20)
    desk.user("[providers.tavily]\nnum_results = 3\nextract_depth = 'advanced'\nbase_url = 'https://t.example'\n")
    plan = built(desk).plan
    search, extract = (one for one in plan.planned if one.id == "tavily")
    assert (search.options.num_results, search.options.base_url) == (3, "https://t.example")
    assert (extract.options.extract_depth, extract.options.base_url) == ("advanced", "https://t.example")


@pytest.mark.req("extract:wiring:table")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("extract_depht = 'basic'", "extract_depth"),
        ("extract_depth = 'deep'", "extract_depth"),
        ("num_results = 0", "num_results"),
    ],
)
def test_a_wrong_option_of_either_is_refused(desk: Desk, line: str, says: str) -> None:
    desk.env(TAVILY_API_KEY="k" * 20).user(f"[providers.tavily]\n{line}\n")
    with pytest.raises(WebError, match=says) as caught:
        built(desk)
    assert caught.value.code == Code.CONFIG_INVALID


@pytest.mark.req("extract:wiring:local")
def test_the_table_of_the_local_index_names_no_extractor(desk: Desk) -> None:
    desk.env(EXA_API_KEY="k" * 20).user("[providers.local]\npath = 'index.sqlite3'\n")
    assert extract_of(desk) == (["exa"], None)
    desk.user("[index]\npath = 'index.sqlite3'\n[extract]\nprovider = 'local'\n")
    assert extract_of(desk) == (["exa", "local"], "local")


@pytest.mark.req("extract:wiring:table")
def test_a_table_without_a_key_leaves_the_default(desk: Desk) -> None:
    assert extract_of(desk.user("[providers.exa]\nnum_results = 3\n")) == (["exa", "local"], "local")


@pytest.mark.req("extract:wiring:project")
def test_a_project_file_opens_no_keyless_vendor_that_the_user_closed(desk: Desk) -> None:
    desk.user("[search]\nkeyless = false\n").project("[extract]\nprovider = 'jina'\n")
    with pytest.raises(WebError, match=r"search\.keyless"):
        built(desk)
    assert extract_of(desk.project("[extract]\nprovider = 'local'\n"))[1] == "local"


@pytest.mark.req("extract:wiring:tool")
def test_the_tool_is_a_setting(desk: Desk) -> None:
    assert not built(desk).web.tools.extract
    assert built(desk.user("[tools]\nextract = true\n")).web.tools.extract


@pytest.mark.req("extract:wiring:open")
async def test_open_takes_a_provider_or_a_route_and_no_fanout(tmp_path: Path, pages: str) -> None:
    config = {"fetch": {"private_networks": ["127.0.0.0/8"]}, "providers": {"tavily": {"base_url": pages}}}
    given: dict[str, Any] = {"config": config, "environ": {}, "cwd": tmp_path}
    async with webseam.open(extract="local", **given) as web:
        result = await web.extract(f"{pages}/permits")
    assert (result.provider, result.title) == ("local", "Permits")
    assert "Menu" not in result.markdown
    async with webseam.open(extract=["tavily", "local"], **given) as web:
        assert (await web.extract("https://kelp.example/")).markdown == "Read by a vendor."
    with pytest.raises(WebError, match="Only search can fan out; give extract"):
        webseam.open(extract=FanOut(("exa", "jina")), **given)


@pytest.mark.req("extract:blocking")
def test_the_blocking_twin_extracts(tmp_path: Path, pages: str) -> None:
    config = {"fetch": {"private_networks": ["127.0.0.0/8"]}}
    result = webseam.extract(f"{pages}/permits", provider="local", config=config, environ={}, cwd=tmp_path)
    assert "six weeks" in result.markdown


@pytest.mark.req("extract:wiring:offline")
async def test_offline_refuses_an_extraction(tmp_path: Path) -> None:
    async with webseam.open(offline=True, environ={}, cwd=tmp_path) as web:
        with pytest.raises(WebError) as caught:
            await web.extract("https://kelp.example/")
    assert caught.value.code == Code.OFFLINE


@pytest.mark.req("extract:replay")
async def test_a_recorded_run_replays_to_the_byte_with_its_site_gone(tmp_path: Path, pages: str) -> None:
    config = {"fetch": {"private_networks": ["127.0.0.0/8"]}, "tools": {"extract": True, "fetch_chars": 900}}
    calls = [{"url": f"{pages}/permits"}, {"url": f"{pages}/permits", "offset": 300}, {"url": "http://10.0.0.1/"}]

    async def run(**edge: Any) -> list[Any]:
        async with webseam.open(config=config, environ={}, cwd=tmp_path, **edge) as web:
            tools = webseam.Toolset(web)
            return [await tools.call("web_extract", one) for one in calls]

    file = tmp_path / "run.jsonl"
    recorded = await run(record=file)
    assert [one.is_error for one in recorded] == [False, False, True]
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    asked = [one["call"]["capability"] for one in lines if "call" in one]
    assert asked == ["extract", "extract"]  # the page that `local` fetched is a part of its own call
    again = await run(replay=file)
    assert [one.text for one in again] == [one.text for one in recorded]
    assert [one.structured for one in again] == [one.structured for one in recorded]
    async with webseam.open(config=config, environ={}, cwd=tmp_path, replay=file) as web:
        with pytest.raises(WebError, match="extract"):
            await web.extract("https://never.example/")


@pytest.mark.req("extract:wiring:pools")
async def test_keys_of_a_pool_rotate_for_extraction_too(tmp_path: Path) -> None:
    seen: list[str] = []
    body = json.dumps({"results": [{"url": "https://kelp.example/", "raw_content": TEXT}]}).encode()

    def answer(path: str) -> Answer:
        seen.append(path)
        return (402 if len(seen) == 1 else 200), {"Content-Type": "application/json"}, body

    with site(answer) as url:
        config = {"providers": {"tavily": {"base_url": url, "keys": ["k" * 20, "l" * 20]}}}
        async with webseam.open(extract="tavily", config=config, environ={}, cwd=tmp_path) as web:
            result = await web.extract("https://kelp.example/")
    assert result.markdown == TEXT
    assert [one.outcome for one in result.attempts] == ["failed", "ok"]
    assert seen == ["/extract", SAMPLES["tavily"].path]


@pytest.mark.req("extract:docs")
@pytest.mark.parametrize("kind", sorted(ALL))
def test_the_page_names_every_extractor_with_its_key_and_options(kind: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "extract.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith(f"| `{kind}` |"))
    *_, key, options, _ = row.split("|")
    struct: Any = ALL[kind].options
    assert re.findall(r"`(\w+)`", options) == list(struct.__struct_fields__)
    assert re.findall(r"`(\w+)`", key) == list(ALL[kind].key_env)
    assert ("none" in key) is (ALL[kind].keyless or ALL[kind].key_optional)


@pytest.mark.req("extract:gate:once")
async def test_a_redirect_on_the_way_is_asked_about_once(tmp_path: Path, pages: str) -> None:
    config = {
        "fetch": {"private_networks": ["127.0.0.0/8"]},
        "tools": {"extract": True},
        "permission": {"max_calls": 1, "unseen": "deny"},
    }
    run = webseam.Run()
    run.saw_url(f"{pages}/old")
    async with webseam.open(config=config, run=run, environ={}, cwd=tmp_path) as web:
        result = await webseam.Toolset(web).call("web_extract", {"url": f"{pages}/old"})
    asked = [(one["kind"], one["target"]) for one in result.meta["permission"]]
    assert asked == [("extract", f"{pages}/old"), ("redirect", f"{pages}/permits")]
    assert run.calls == 1


@pytest.mark.req("extract:free")
@pytest.mark.parametrize("table", [{}, {"rate": "50/s"}], ids=["alone", "in a pool"])
async def test_a_page_that_this_machine_fetched_in_vain_is_billed_to_nobody(
    tmp_path: Path, pages: str, table: dict[str, str]
) -> None:
    config: dict[str, Any] = {
        "fetch": {"private_networks": ["127.0.0.0/8"]},
        "tools": {"extract": True},
        "extract": {"provider": "local"},
        "providers": {"local": table} if table else {},
    }
    async with webseam.open(config=config, environ={}, cwd=tmp_path) as web:
        result = await webseam.Toolset(web).call("web_extract", {"url": f"{pages}/nothing-here"})
    assert "HTTP 404" in result.text
    assert "The request had been sent." in result.text
    assert "billed" not in result.text
    assert result.error is not None
    assert [(one["dispatched"], one.get("free")) for one in result.error["attempts"]] == [(True, True)]
