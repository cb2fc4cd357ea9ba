"""The local index as a provider behind the real seam."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.index import filled, page
from support.vendor import HeldKey
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import WebError
from webseam.core.limits import INDEX_RESULTS
from webseam.core.plugin import Kit, Seams
from webseam.core.settings import FetchSettings
from webseam.core.types import SearchControls, SearchRequest, Source
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport
from webseam.providers.search.local import SPEC, LocalSearch, Options


def built(data_dir: Path, *, provider_id: str = "local", options: Any = None) -> LocalSearch:
    kit = Kit(
        id=provider_id,
        options=options or Options(),
        secret=HeldKey(None),
        transport=VendorTransport(),
        fetch=FetchSettings(),
        data_dir=data_dir,
        seams=Seams(),
        on_close=lambda _close: None,
    )
    provider = SPEC.build(kit)
    assert isinstance(provider, LocalSearch)
    return provider


def seam(provider: LocalSearch) -> Web:
    web = Web(search=provider.id)
    web.register_search(provider)
    return web


def test_it_is_keyless_and_so_registered_only_when_named() -> None:
    assert (SPEC.kind, SPEC.capability, SPEC.keyless, SPEC.key_env) == ("local", "search", True, ())


@pytest.mark.req("search:local:answer")
async def test_an_answer_holds_what_the_index_knows_and_nothing_left_the_process(tmp_path: Path) -> None:
    await filled(
        tmp_path,
        page("https://a.test/", "Kelp needs a permit.", "Permits", published_at="May 2026"),
        page("https://b.test/", "kelp, untitled"),
    )
    result = await seam(built(tmp_path)).search("kelp")
    assert result.sources[0] in (
        Source(url="https://a.test/", title="Permits", snippet="Kelp needs a permit.", published_at="May 2026"),
        Source(url="https://b.test/", snippet="kelp, untitled"),
    )
    assert {source.url for source in result.sources} == {"https://a.test/", "https://b.test/"}
    assert (result.provider, result.grounding, result.truncated, result.notices) == ("local", "searched", False, ())
    assert (result.content, result.usage) == (None, None)
    assert [(one.outcome, one.dispatched) for one in result.attempts] == [("ok", False)]


@pytest.mark.req("search:local:unavailable")
async def test_without_an_index_it_is_unavailable_and_says_what_to_run(tmp_path: Path) -> None:
    provider = built(tmp_path)
    web = seam(provider)
    assert not provider.available()
    assert "webseam index" in (provider.unavailable_reason() or "")
    with pytest.raises(WebError) as caught:
        await web.search("kelp")
    assert caught.value.code == "WEB_PROVIDER_CONFIGURED_UNAVAILABLE"
    assert "webseam index" in str(web.describe()[0])
    await filled(tmp_path, page("https://a.test/", "kelp"))
    assert provider.unavailable_reason() is None
    assert len((await web.search("kelp")).sources) == 1


@pytest.mark.req("search:local:unavailable")
async def test_an_index_that_goes_away_or_is_foreign_is_an_error_under_the_providers_name(tmp_path: Path) -> None:
    provider = built(tmp_path, provider_id="mine")
    with pytest.raises(WebError, match="webseam index") as caught:
        await provider.search(SearchRequest(query="kelp"), call=Call())
    assert (caught.value.code, caught.value.provider) == ("WEB_PROVIDER_UNAVAILABLE", "mine")
    (tmp_path / "index.sqlite3").write_text("my diary" * 100, encoding="utf-8")
    with pytest.raises(WebError, match="not a webseam index") as caught:
        await seam(provider).search("kelp")
    assert (caught.value.code, caught.value.provider) == ("WEB_CONFIG_INVALID", "mine")
    assert not caught.value.dispatched


@pytest.mark.req("search:local:path")
async def test_a_configured_path_wins_over_the_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    index = await filled(tmp_path, page("https://a.test/", "kelp"))
    for path in (str(index.path), "~/index.sqlite3"):
        assert built(tmp_path / "elsewhere", options=Options(path=path)).available()
    assert not built(tmp_path / "elsewhere", options=Options(path="  ")).available()


@pytest.mark.req("search:local:controls")
async def test_domains_are_its_own_to_hold_and_other_controls_are_refused(tmp_path: Path) -> None:
    await filled(tmp_path, *(page(f"https://{host}/{n}", "kelp") for host in ("a.test", "b.test") for n in range(12)))
    web = seam(built(tmp_path))
    only = await web.search("kelp", max_results=3, controls=SearchControls(include_domains=("b.test",)))
    other = await web.search("kelp", max_results=3, controls=SearchControls(exclude_domains=("a.test",)))
    assert [source.url for source in only.sources] == [f"https://b.test/{n}" for n in (0, 1, 10)]
    assert other.sources == only.sources
    assert (dict(only.controls), dict(only.dropped)) == ({"include_domains": "native"}, {})
    with pytest.raises(WebError, match="language") as caught:
        await web.search("kelp", controls=SearchControls(language="de"))
    assert caught.value.code == "WEB_UNSUPPORTED_CONTROL"


@pytest.mark.req("search:local:bounds")
@pytest.mark.parametrize(
    ("asked", "pages", "given", "truncated"),
    [
        (None, INDEX_RESULTS + 1, INDEX_RESULTS, True),
        (None, INDEX_RESULTS, INDEX_RESULTS, False),
        (3, 5, 3, False),
        (500, 120, 100, True),
        (500, 90, 90, False),
    ],
)
async def test_only_its_own_bound_counts_as_a_cut(
    tmp_path: Path, asked: int | None, pages: int, given: int, *, truncated: bool
) -> None:
    await filled(tmp_path, *(page(f"https://a.test/{n}", "kelp") for n in range(pages)))
    result = await built(tmp_path).search(SearchRequest(query="kelp", max_results=asked), call=Call())
    assert (len(result.sources), result.truncated) == (given, truncated)


@pytest.mark.req("search:local:notices")
async def test_a_weaker_search_than_asked_is_said(tmp_path: Path) -> None:
    await filled(tmp_path, page("https://a.test/", "kelp"))
    web = seam(built(tmp_path))
    partial = await web.search("kelp submarine")
    wordless = await web.search("?!")
    long = await web.search("kelp " + " ".join(f"w{n}" for n in range(40)))
    assert "No page of the local index holds all of these words" in partial.notices[0]
    assert wordless.notices == ("The query holds no words to look for.",)
    assert long.notices[-1] == "Only the first 32 words were looked for; 9 more were not."
    assert (await web.search("submarine")).notices == ()


@pytest.mark.req("search:local:time")
async def test_a_call_that_is_over_is_not_begun(tmp_path: Path) -> None:
    await filled(tmp_path, page("https://a.test/", "kelp"))
    abort = asyncio.Event()
    abort.set()
    for call, code in ((Call(abort=abort), "WEB_ABORTED"), (Call(deadline=Deadline.after(0)), "WEB_SEARCH_TIMEOUT")):
        with pytest.raises(WebError) as caught:
            await built(tmp_path).search(SearchRequest(query="kelp"), call=call)
        assert caught.value.code == code


def test_importing_it_imports_no_http_client_and_no_parser() -> None:
    script = (
        "import sys, webseam.providers.search.local; print([m for m in ('aiohttp', 'turbohtml') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603 - our own interpreter and our own words
    assert done.stdout.strip() == "[]"
