"""One scenario of the hostile web, fetched as a model or a person would, and the invariants that hold in each."""

import asyncio
import json
import time
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.limits import MESSAGE_CHARS, URL_CHARS
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch
from webseam.testing.web import ADDRESS, SITE, HostileWeb, Scenario
from webseam.testing.web.answers import REASON
from webseam.tools.result import ToolResult
from webseam.tools.toolset import Toolset

SLACK_SECONDS = 0.5
"""What a call may take beyond its deadline."""

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


MEMORY_CAPS = 8
"""Most memory that a fetch may take, in caps of its body."""

SENT = {"host", "user-agent", "accept", "accept-encoding"}
"""All that a request may carry: no cookie, no credentials, no referrer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """How a scenario ended, and the web after it.

    Attributes:
        facts: of the page, under the names of the tool's structured result; empty for an error.
        error: as a caller gets it; None for a page.
        everything: all text that a caller gets, in any channel.
        grown: by how many bytes this process rose at its peak, the server in it included; None where nobody says.
    """

    web: HostileWeb
    facts: Mapping[str, Any]
    error: Mapping[str, Any] | None
    everything: str
    grown: int | None

    @property
    def end(self) -> str:
        return "page" if self.error is None else str(self.error["code"])

    @property
    def said(self) -> str:
        """The page's text, or the error's message."""
        return str(self.facts["content"] if self.error is None else self.error["message"])


def peak_growth() -> Callable[[], int | None]:
    """Start to watch this process's memory; the call tells by how much it rose at its peak."""
    _forget_peak()
    before = _memory("VmHWM")

    def grown() -> int | None:
        after = _memory("VmHWM")
        return None if after is None or before is None else after - before

    return grown


async def seen(scenario: Scenario) -> Seen:
    """Fetch the scenario's URL through the tool, then close everything and wait until the server has noticed."""
    async with HostileWeb(scenario) as hostile:
        fetch = HttpFetch(settings=hostile.settings, resolver=hostile.resolver, make_socket=hostile.wire.make)
        web = Web()
        web.register_fetch(fetch)
        web.at_close(fetch.aclose)
        tools = Toolset(web)
        grown = peak_growth()
        started = time.monotonic()
        async with web:
            call = asyncio.create_task(_ask(tools, scenario))
            result = await asyncio.wait_for(call, scenario.seconds + SLACK_SECONDS)
        assert time.monotonic() - started <= scenario.seconds + SLACK_SECONDS
        rise = grown()
        await tools.aclose()
        await asyncio.wait_for(hostile.left(), 10)
    kept = (result.structured, result.error, result.meta)
    everything = result.text + json.dumps(kept, ensure_ascii=False)
    return Seen(web=hostile, facts=result.structured or {}, error=result.error, everything=everything, grown=rise)


async def _ask(tools: Toolset, scenario: Scenario) -> ToolResult:
    return await tools.call("web_fetch", {"url": scenario.url}, call=Call(deadline=Deadline.after(scenario.seconds)))


def _forget_peak() -> None:
    """Let the kernel count the peak of this process's memory anew (proc(5)); elsewhere it is not measured."""
    if _RESET.exists():
        _RESET.write_text("5", encoding="ascii")


def _memory(name: str) -> int | None:
    if not _RESET.exists():
        return None
    line = next(one for one in _STATUS.read_text(encoding="ascii").splitlines() if one.startswith(name))
    return int(line.split()[1]) * 1024


# Invariants -------------------------------------------------------------------------------------------------


def check(scenario: Scenario, got: Seen, *, caps: int = MEMORY_CAPS) -> None:
    """The end is the table's, and all that holds in every scenario holds; `caps` bounds memory."""
    _ended_as_told(scenario, got)
    _kept_within_bounds(scenario, got, caps)
    _asked_for_nothing_else(scenario, got)
    _server_text_is_clean(got)


def _ended_as_told(scenario: Scenario, got: Seen) -> None:
    assert got.end in scenario.ends, got.said
    if len(scenario.ends) == 1:
        assert scenario.says in got.said
    if got.end == "WEB_FETCH_TIMEOUT":
        assert "in the time it had" in got.said
    assert not scenario.hides or scenario.hides not in got.everything
    if got.end == "page":
        assert set(scenario.notes) <= {note["code"] for note in got.facts["notes"]}
        assert {name: got.facts.get(name) for name in scenario.facts} == scenario.facts
        assert scenario.cut in (None, "bytes" in got.facts["cut_by"])


def _kept_within_bounds(scenario: Scenario, got: Seen, caps: int) -> None:
    """Time is held to where it passes, by whoever fetches."""
    assert got.grown is None or got.grown <= caps * scenario.cap
    assert got.web.wire.made
    assert all(made.fileno() == -1 for made in got.web.wire.made)


def _asked_for_nothing_else(scenario: Scenario, got: Seen) -> None:
    web = got.web
    assert set(web.wire.dialled) == {ADDRESS}
    assert all(name == SITE or name.endswith(f".{SITE}") for name in web.resolver.asked)
    assert web.resolver.asked.total() <= len(web.wire.dialled)
    assert len(web.requests) <= scenario.requests
    assert all(asked.names == SENT and asked.method == "GET" for asked in web.requests)
    if got.error is not None and web.requests:
        assert got.error["dispatched"] is True
    if got.error is not None and scenario.requests == 0:
        assert got.error["dispatched"] is (scenario.id == "F13")  # refused by the server, after its handshake


def _server_text_is_clean(got: Seen) -> None:
    assert REASON not in got.everything
    assert not {char for char in got.everything if unicodedata.category(char) == "Cc"} - {"\n", "\t"}
    assert all(len(note.get("detail", "")) <= URL_CHARS for note in got.facts.get("notes", ()))
    if got.error is not None:
        assert len(got.said) <= URL_CHARS + MESSAGE_CHARS
        assert "\n" not in got.said
