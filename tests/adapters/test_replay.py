"""An agent run through any framework's own loop replays to the byte with the network unplugged: issue 6.6."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

import webseam
from support.adapters import PICTURE
from support.agent_loops import LOOPS
from support.agent_script import Turns
from support.cli import Answer, install_toys, site
from support.scripted import Use
from support.unplugged import no_sockets
from support.wiring import Desk
from webseam.tools.toolset import Toolset

# An agent of LlamaIndex looks at each of its attributes when it is made, the deprecated ones of pydantic among them.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:inspect")

PROSE: Final = "<p>Kelp farms need a permit, which takes six weeks, and there is no exception to it anywhere.</p>"
CONFIG: Final[dict[str, Any]] = {
    "search": {"provider": "odd"},
    "fetch": {"private_networks": ["127.0.0.0/8"], "images": True},
    "tools": {"extract": True},
}


def answer(path: str) -> Answer:
    if path == "/old":
        return 301, {"Location": "/long"}, b""
    if path == "/none":
        return 404, {}, b"<title>Nothing</title><p>There is nothing here.</p>"
    if path == "/pixel.png":
        return 200, {"Content-Type": "image/png"}, PICTURE
    return 200, {}, f"<title>Permits</title><nav>Menu</nav><article><h1>Permits</h1>{PROSE * 400}</article>".encode()


def turns(base: str) -> Turns:
    """What an agent does; its framework runs the calls of one turn beside each other, some in threads in any order.

    So no two calls of a turn are equal, or fetch what becomes the same page.
    """
    long = f"{base}/long"
    return [
        [Use("web_search", {"query": "hits"}), Use("web_search", {"query": "none"})],
        [Use("web_search", {"query": "WEB_QUOTA_EXHAUSTED"}), Use("web_search", {"query": "claim"})],
        [Use("web_fetch", {"url": f"{base}{path}"}) for path in ("/long", "/none", "/pixel.png")],
        [Use("web_fetch", {"url": f"{base}/old"})],
        [Use("web_fetch", {"url": long, "offset": 30_000}), Use("web_fetch", {"url": long, "find": "six weeks"})],
        [Use("web_extract", {"url": long}), Use("web_extract", {"url": f"{base}/none"})],
        [Use("web_fetch", {"url": "http://10.0.0.1/"}), Use("web_fetch", {"url": "no url"})],
        [Use("web_fetch", {"url": long})],
    ]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk with the toy vendors installed."""
    install_toys(tmp_path / "toys")
    monkeypatch.syspath_prepend(tmp_path / "toys")
    return Desk(tmp_path)


async def session(desk: Desk, framework: str, base: str, **edge: Any) -> list[str]:
    """All that the model was given, turn by turn."""
    async with webseam.open(config=CONFIG, environ=desk.environ, cwd=desk.cwd, **edge) as web:
        tools = Toolset(web)
        try:
            return await LOOPS[framework](tools, turns(base))
        finally:
            await tools.aclose()


@pytest.mark.req("replay:frameworks")
@pytest.mark.parametrize("framework", LOOPS)
async def test_what_a_frameworks_model_was_told_is_told_again_with_the_network_unplugged(
    desk: Desk, framework: str
) -> None:
    with site(answer) as base:
        recorded = await session(desk, framework, base, record=desk.home / "run.jsonl")
    assert len(recorded) == len(turns(base)) + 1
    told = json.dumps(recorded)
    for part in (
        "a.test",
        "WEB_QUOTA_EXHAUSTED",
        "six weeks",
        "There is nothing here",
        "WEB_BLOCKED_URL",
        "WEB_INVALID_URL",
    ):
        assert part in told, part

    with no_sockets():
        replayed = await session(desk, framework, base, replay=desk.home / "run.jsonl")

    assert replayed == recorded
