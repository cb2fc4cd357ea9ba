"""One scenario of the hostile web, fetched as a model would, with what was seen of it."""

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch
from webseam.testing.web import HostileWeb, Scenario
from webseam.tools.result import ToolResult
from webseam.tools.toolset import Toolset

SLACK_SECONDS = 0.5
"""What a call may take beyond its deadline."""

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """How a scenario ended: the tool's answer, and the web after it.

    `grown` is by how many bytes this process rose at its peak, the server in it included; None where nobody says.
    """

    result: ToolResult
    web: HostileWeb
    grown: int | None

    @property
    def end(self) -> str:
        return "page" if self.result.error is None else str(self.result.error["code"])

    @property
    def said(self) -> str:
        """The page's text, or the error's message."""
        if self.result.error is not None:
            return str(self.result.error["message"])
        return str(self.facts["content"])

    @property
    def facts(self) -> Mapping[str, Any]:
        return self.result.structured or {}

    @property
    def everything(self) -> str:
        """All text that a caller gets, in any channel."""
        kept = (self.result.structured, self.result.error, self.result.meta)
        return self.result.text + json.dumps(kept, ensure_ascii=False)


async def seen(scenario: Scenario) -> Seen:
    """Fetch the scenario's URL through the tool, then close everything and wait until the server has noticed."""
    async with HostileWeb(scenario) as hostile:
        fetch = HttpFetch(settings=hostile.settings, resolver=hostile.resolver, make_socket=hostile.wire.make)
        web = Web()
        web.register_fetch(fetch)
        web.at_close(fetch.aclose)
        tools = Toolset(web)
        _forget_peak()
        before = _memory("VmHWM")
        started = time.monotonic()
        async with web:
            call = asyncio.create_task(_ask(tools, scenario))
            result = await asyncio.wait_for(call, scenario.seconds + SLACK_SECONDS)
        assert time.monotonic() - started <= scenario.seconds + SLACK_SECONDS
        after = _memory("VmHWM")
        await tools.aclose()
        await asyncio.wait_for(hostile.left(), 10)
    return Seen(result=result, web=hostile, grown=None if after is None or before is None else after - before)


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
