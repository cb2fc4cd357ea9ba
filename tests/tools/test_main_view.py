"""Main content in the channels of `web_fetch`, by the product's setting."""

import pytest

from support.tools import URL, html, inside, outside, reading, schema_errors
from webseam.core.errors import WebError
from webseam.core.settings import ToolSettings
from webseam.core.snapshots import MemorySnapshots
from webseam.core.web import Web
from webseam.tools.output import fetch_output
from webseam.tools.toolset import Toolset

LONG = "<p>The tide moves the water, and the water moves the sand, which nobody has ever managed to hold back.</p>" * 4
PAGE = f"<nav><a href=/>Harbour</a></nav><article><h1>Tides</h1>{LONG}</article><footer>Imprint</footer>"
MAIN = ToolSettings(fetch_view="main")


@pytest.mark.req("main:tool")
async def test_the_model_and_the_host_are_told_what_is_left_out() -> None:
    tools, _ = reading(html(PAGE), tools=MAIN)
    result = await tools.call("web_fetch", {"url": URL})
    assert "# Tides" in inside(result.text)
    assert "Imprint" not in result.text
    assert "Main content only: 14 characters of the page" in outside(result.text)
    assert result.structured is not None
    assert (result.structured["view_mode"], result.structured["left_out"]) == ("main", 14)
    assert schema_errors(result.structured, fetch_output()) == []


@pytest.mark.req("main:tool")
async def test_a_whole_page_for_want_of_main_content_is_told() -> None:
    tools, _ = reading(html("<nav><a href=/>Harbour</a></nav><p>Closed."), tools=MAIN)
    result = await tools.call("web_fetch", {"url": URL})
    assert "Harbour" in inside(result.text)
    assert "this is the whole page" in outside(result.text)
    assert result.structured is not None
    assert (result.structured["view_mode"], result.structured["left_out"]) == ("page", 0)


@pytest.mark.req("main:tool")
async def test_by_default_pages_are_whole_and_nothing_is_said_of_views() -> None:
    tools, _ = reading(html(PAGE))
    result = await tools.call("web_fetch", {"url": URL})
    assert "Imprint" in inside(result.text)
    assert "whole page" not in result.text
    assert result.structured is not None
    assert "view_mode" not in result.structured


@pytest.mark.req("main:setting")
def test_a_view_that_is_none_is_refused() -> None:
    with pytest.raises(WebError, match="fetch_view"):
        Toolset(Web(), settings=ToolSettings(fetch_view="article"))  # type: ignore[arg-type]  # what is refused


@pytest.mark.req("main:tool")
async def test_views_in_shared_snapshots_are_kept_apart() -> None:
    snapshots = MemorySnapshots()
    whole, scripted = reading(html(PAGE))
    seam = Web()
    seam.register_fetch(scripted)
    first = Toolset(seam, snapshots=snapshots)
    second = Toolset(seam, settings=MAIN, snapshots=snapshots)
    await first.call("web_fetch", {"url": URL})
    read_on = await second.call("web_fetch", {"url": URL, "offset": 3})
    assert "Imprint" not in read_on.text
    assert read_on.structured is not None
    assert read_on.structured["view_mode"] == "main"
    assert read_on.structured["fetched_again"] is True
    await whole.aclose()
