"""Every scenario of the hostile web once more, through the command as people run it."""

import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support.cli import Shell, fetch_table
from support.scenarios import MEMORY_CAPS, Seen, check, peak_growth
from webseam.core.errors import EXIT_CODES
from webseam.core.plugin import Seams
from webseam.testing.web import SCENARIOS, HostileWeb, Scenario

SLACK_SECONDS = 3
"""What a command may take beyond its page's deadline: its configuration is read and its rooms are loaded too."""

PRINTED_CAPS = 2 * MEMORY_CAPS
"""Most memory that a command may take, in caps of a body: besides the fetch it holds the page as one JSON text, which
may have four characters for one of the body, as text and as bytes."""


@pytest.mark.req("cli:hostile:web")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: f"{one.id} {one.what}")
async def test_a_hostile_server_is_met_on_the_command_line_as_in_the_library(
    shell: Shell, scenario: Scenario, tmp_path: Path
) -> None:
    written = tmp_path / "page.json"  # a stream of the test's would be measured with the command's memory
    async with HostileWeb(scenario) as hostile:
        settings = hostile.settings
        bundle = {} if settings.ca_bundle is None else {"ca_bundle": settings.ca_bundle}
        shell.desk.user(fetch_table(max_bytes=settings.max_bytes, **bundle))
        seams = Seams(resolver=hostile.resolver, socket_factory=hostile.wire.make)
        argv = ("fetch", "--json", "-o", str(written), "--timeout", str(scenario.seconds), "--", scenario.url)
        grown = peak_growth()
        started = time.monotonic()
        ran = await asyncio.to_thread(shell.run, *argv, seams=seams)
        taken = time.monotonic() - started
        rise = grown()
        await asyncio.wait_for(hostile.left(), 10)

    assert taken <= scenario.seconds + SLACK_SECONDS
    text = written.read_text(encoding="utf-8") if written.exists() else ""
    facts = _facts(json.loads(text)) if text else {}
    error = None if ran.code == 0 else ran.error
    got = Seen(web=hostile, facts=facts, error=error, everything=text + ran.err, grown=rise)
    check(scenario, got, caps=PRINTED_CAPS)
    assert ran.code == (0 if got.end == "page" else EXIT_CODES[got.end])
    assert (ran.out, len(ran.err.splitlines())) == ("", got.end != "page"), ran.err
    assert bool(text) is (got.end == "page")


def _facts(page: Mapping[str, Any]) -> dict[str, Any]:
    """The command's page under the names of the tool's structured result."""
    named = {"content": page["markdown"], "body_kind": page["body"]["kind"]}
    return {**page, **named, "notes": page.get("notes", ())}
