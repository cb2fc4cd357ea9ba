"""What a scripted model of any framework says, turn by turn, and what its agent is expected to have done."""

import asyncio
from dataclasses import dataclass
from typing import Any, TypeAlias

from support.adapters import SENTENCE, SNIPPET, Stage
from support.net import Server
from support.tools import inside
from webseam import ToolSettings
from webseam.tools.parameters import CONTROL_NAMES


@dataclass(frozen=True, slots=True)
class Use:
    """The model calls a tool."""

    name: str
    arguments: dict[str, Any]


Turn: TypeAlias = Use | str
"""A tool call, or the model's last words."""

DONE = "Lease the seabed first."
QUERY = "00713"
"""Words that a careless hand takes for a number (R186)."""

TOOLS = {
    "as they come": ToolSettings(),
    "all that there is": ToolSettings(max_queries=3, search_controls=CONTROL_NAMES, extract=True),
}
"""What a product may turn on, for tests of what a framework publishes."""


def research(stage: Stage) -> list[Turn]:
    """Search, read what was found, answer."""
    return [Use("web_search", {"query": QUERY}), Use("web_fetch", {"url": stage.url}), DONE]


def stumble(stage: Stage) -> list[Turn]:
    """Ask for what is refused, then for what is not a URL, then for the page, and answer."""
    return [
        Use("web_fetch", {"url": "http://10.0.0.5/"}),
        Use("web_fetch", {"url": "no url"}),
        Use("web_fetch", {"url": stage.url}),
        DONE,
    ]


def assert_researched(stage: Stage, told: list[str]) -> None:
    """The site and the search were asked, and the model was told what they said, each inside one boundary (R162).

    `told` are the answers in order.
    """
    assert [request.query for request in stage.search.asked] == [QUERY]
    assert stage.fetched == ["/permits"]
    assert SNIPPET in inside(told[0])
    assert stage.url in inside(told[0])
    assert SENTENCE in inside(told[1])


def assert_stumbled(stage: Stage, told: list[str]) -> None:
    """Two refusals in words, nothing of them dialled, and then the page."""
    assert "WEB_BLOCKED_URL" in told[0]
    assert "WEB_INVALID_URL" in told[1]
    assert all(one.startswith("Error: ") for one in told[:2])
    assert SENTENCE in told[2]
    assert stage.fetched == ["/permits"]


async def asked(site: Server) -> None:
    """Until the site has got a request."""
    while not site.requests:  # noqa: ASYNC110 - a server keeps its requests; it has no event for the first
        await asyncio.sleep(0)
