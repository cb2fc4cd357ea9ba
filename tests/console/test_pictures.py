"""The pictures of the documents: made from the console itself, with data that is made up here."""

import io
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from support.cli import Shell
from support.console import CONFIG, Console, console
from support.gateway import Served, serving
from webseam.wiring.tenants import Policy

if TYPE_CHECKING:
    from playwright.async_api import Browser

WRITE: Final = bool(os.environ.get("WEBSEAM_WRITE_DOCS"))
"""Read before the tests' environment is scrubbed."""
HOW: Final = "WEBSEAM_WRITE_DOCS=1 make docs"
DOCS: Final = Path(__file__).parents[2] / "docs"
FOLDER: Final = DOCS / "console"
MOST_BYTES: Final = 120_000
COLOURS: Final = 96
"""A page of text and lines has few; half the bytes of a picture are for the rest."""
NOON: Final = datetime(2026, 11, 30, 14, 20, tzinfo=UTC).timestamp()
HOUR: Final = 3_600
PICTURES: Final[dict[str, dict[str, Any]]] = {
    "playground": {},
    "activity": {},
    "providers": {},
    "usage": {},
    "policy": {},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 400, "height": 860}},
}
CACHED: Final = CONFIG.replace("[fetch]", 'cache = "memory"\n[fetch]')
TIDY: Final = """
(home) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(home, '/home/office');
}
"""
"""A test's folders have names that nobody has at home."""
TABS: Final = {"dark": "playground", "narrow": "activity"}
PNG: Final = b"\x89PNG\r\n\x1a\n"


class Clock:
    """A day that passes as it is told to."""

    def __init__(self) -> None:
        self.at = NOON

    def __call__(self) -> float:
        return self.at


async def day(served: Served, clock: Clock, tokens: list[str]) -> None:
    """A day's calls: few at night, most before noon, some of them failed, refused or tried twice."""
    turn = 0
    for half in range(47, -1, -1):
        busy = max(1, 9 - abs(half - 11) // 2)
        for number in range(busy):
            clock.at = NOON - half * HOUR / 2 - 90 * (busy - number)
            query = f"season {turn % 60}" if turn % 19 else "fail early"
            token = tokens[turn % len(tokens)]
            if turn % 11:
                await served.ask("/v1/tools/web_search", {"query": query}, token=token)
            else:
                await served.ask("/v1/tools/web_fetch", {"url": "http://10.0.0.1/"}, token=token)
            turn += 1
    clock.at = NOON


async def shown(made: Console, name: str, token: str, home: Path) -> None:
    """The part of a picture, as it is when all of it is there."""
    await made.open(TABS.get(name, name))
    await made.page.get_by_label("Token").fill(token)
    await made.page.get_by_role("button", name="Sign in").click()
    panel = made.page.get_by_role("tabpanel")
    await panel.get_by_role("heading", level=2).wait_for()
    if TABS.get(name, name) == "playground":
        await made.run("Search the web", Query="kelp farming permits", Country="NO")
    elif TABS.get(name, name) == "activity":
        await panel.get_by_text("Live", exact=True).wait_for()
    await panel.locator("tbody tr, .rules li, .sources li").last.wait_for(state="attached")
    await made.page.evaluate(TIDY, str(home))


async def taken(made: Console, name: str) -> bytes:
    """The picture, in few colours."""
    image = pytest.importorskip("PIL.Image", reason="pillow is not installed, which makes the pictures small")
    whole = TABS.get(name, name) in ("playground", "usage")
    data = await made.page.screenshot(full_page=whole, animations="disabled")
    out = io.BytesIO()
    image.open(io.BytesIO(data)).convert("RGB").quantize(COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()


@pytest.mark.req("console:docs")
@pytest.mark.skipif(not WRITE, reason=f"pictures are made anew by `{HOW}`")
@pytest.mark.parametrize("name", PICTURES)
async def test_a_picture_is_made_of_each_part(shell: Shell, browser: "Browser", name: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    clock = Clock()
    async with serving(shell, CACHED, now=clock) as served:
        tokens = [served.token("coast"), served.token("harbour", Policy(calls_per_day=400, rate="60/min"))]
        office = served.token("office", Policy(admin=True, calls_per_day=2_000, deny_hosts=("ads.example",)))
        await day(served, clock, tokens)
        async with console(browser, served, **PICTURES[name]) as made:
            await shown(made, name, office, shell.desk.home)
            (FOLDER / f"{name}.png").write_bytes(await taken(made, name))


@pytest.mark.req("console:docs")
@pytest.mark.parametrize("name", PICTURES)
def test_each_picture_is_small_and_described_in_words(name: str) -> None:
    picture = FOLDER / f"{name}.png"
    assert picture.read_bytes().startswith(PNG), f"make the pictures anew: {HOW}"
    assert picture.stat().st_size <= MOST_BYTES
    page = (DOCS / "console.md").read_text(encoding="utf-8")
    assert re.search(rf"!\[[^\]]{{20,}}\]\(console/{name}\.png\)", page), "each picture is described in words"


@pytest.mark.req("console:docs")
def test_the_page_explains_every_tab_and_is_linked() -> None:
    page = (DOCS / "console.md").read_text(encoding="utf-8")
    for tab in ("Playground", "Activity", "Providers", "Usage", "Policy"):
        assert f"## {tab}\n" in page
    for linking in ("README.md", "gateway.md"):
        assert "(console.md" in (DOCS / linking).read_text(encoding="utf-8")
    assert {one.stem for one in FOLDER.glob("*.png")} == set(PICTURES)
