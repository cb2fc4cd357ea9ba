"""The engine that tells main content apart: its setting, and what the channels of `web_fetch` say of it."""

import sys

import pytest

from support.tools import URL, html, inside, outside, reading, schema_errors
from webseam.content.second_engine import is_installed
from webseam.core.errors import Code, WebError
from webseam.core.settings import ToolSettings
from webseam.core.snapshots import MemorySnapshots
from webseam.core.web import Web
from webseam.tools.output import fetch_output
from webseam.tools.toolset import Toolset

LINES = (
    "<p>The tide moves the water, and the water moves the sand, which nobody has ever managed to hold back.</p>"
    "<p>At noon the boats come home with what the nets have caught, and the gulls are there before them.</p>"
    "<p>In the evening the old men sit on the wall and tell each other what the weather is going to do.</p>"
)
PAGE = f"<nav><a href=/>Harbour</a></nav><article><h1>Tides</h1>{LINES}</article><footer>Imprint</footer>"
OURS = ToolSettings(fetch_view="main")
THEIRS = ToolSettings(fetch_view="main", fetch_engine="trafilatura")
installed = pytest.mark.skipif(not is_installed(), reason="the extra main, trafilatura, is not installed")


@installed
@pytest.mark.req("main:engine")
async def test_the_host_is_told_which_engine_told_main_content_apart() -> None:
    for settings, engine in ((OURS, "own"), (THEIRS, "trafilatura")):
        tools, _ = reading(html(PAGE), tools=settings)
        result = await tools.call("web_fetch", {"url": URL})
        assert "# Tides\n" in inside(result.text)
        assert "Main content only: 14 characters of the page" in outside(result.text)
        assert result.structured is not None
        told = [result.structured[name] for name in ("view_mode", "engine", "left_out")]
        assert told == ["main", engine, 14]
        assert schema_errors(result.structured, fetch_output()) == []
        await tools.aclose()


@pytest.mark.req("main:engine")
async def test_a_whole_page_names_no_engine() -> None:
    tools, _ = reading(html(PAGE))
    result = await tools.call("web_fetch", {"url": URL})
    assert result.structured is not None
    assert "engine" not in result.structured


@installed
@pytest.mark.req("main:engine")
async def test_what_another_engine_made_is_not_read_on_in() -> None:
    snapshots = MemorySnapshots()
    first, scripted = reading(html(PAGE))
    seam = Web()
    seam.register_fetch(scripted)
    for settings in (OURS, THEIRS):
        tools = Toolset(seam, settings=settings, snapshots=snapshots)
        await tools.call("web_fetch", {"url": URL})
        result = await tools.call("web_fetch", {"url": URL, "offset": 3})
        assert result.structured is not None
        assert (result.structured["engine"], result.structured["fetched_again"]) == (settings.fetch_engine, False)
        await tools.aclose()
    result = await first.call("web_fetch", {"url": URL})
    other = Toolset(seam, settings=OURS, snapshots=snapshots)
    again = await other.call("web_fetch", {"url": URL, "offset": 3})
    assert again.structured is not None
    assert (again.structured["engine"], again.structured["fetched_again"]) == ("own", True)
    await other.aclose()
    await first.aclose()


@pytest.mark.req("main:engine:missing")
def test_an_engine_that_is_not_installed_is_refused_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(WebError, match=r'pip install "webseam\[main\]"') as caught:
        Toolset(Web(), settings=THEIRS)
    assert caught.value.code == Code.CONFIG_INVALID
    Toolset(Web(), settings=OURS)


@pytest.mark.req("main:engine:missing")
@pytest.mark.parametrize("value", ["readability", "", "Own"])
def test_an_engine_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(WebError, match="fetch_engine"):
        Toolset(Web(), settings=ToolSettings(fetch_engine=value))  # type: ignore[arg-type]  # what is refused
