"""Every row of the list of hostile URLs once more, through the command as people run it."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from support.cli import Ran, Shell
from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, serve
from support.url_rows import CODES, REACHED, REFUSED, TOLERANT
from webseam.core.plugin import Seams

BATCH = 60  # URLs of one run of the executable
PAGE = answer(b"<p>reached</p>", headers={"Connection": "close"})


def ended(ran: Ran) -> str:
    """`page`, or the code that the command ended in."""
    return "page" if ran.code == 0 else str(ran.error["code"])


async def run(shell: Shell, *argv: str, resolver: ScriptedResolver, wire: Wire) -> Ran:
    """The command in a thread of its own: it brings its event loop, and the servers need this one."""
    seams = Seams(resolver=resolver, socket_factory=wire.make)
    return await asyncio.to_thread(shell.run, *argv, seams=seams)


@pytest.mark.req("cli:hostile:urls")
@pytest.mark.parametrize("row", REFUSED, ids=lambda row: f"{row['id']}-{row['kind']}")
async def test_a_refused_url_is_refused_on_the_command_line(shell: Shell, row: dict[str, Any]) -> None:
    resolver, wire = ScriptedResolver({"*": [[PUBLIC]]}), Wire()

    ran = await run(shell, "fetch", "--json", "--", row["url"], resolver=resolver, wire=wire)

    assert ran.code == 4, ran
    assert set(row["want"]) & CODES[ended(ran)]
    assert (wire.dialled, sum(resolver.asked.values()), ran.out.count('"markdown"')) == ([], 0, 0)


@pytest.mark.req("cli:hostile:urls")
@pytest.mark.parametrize("row", REACHED, ids=lambda row: f"{row['id']}-{row['kind']}")
async def test_an_allowed_url_is_reached_from_the_command_line(shell: Shell, row: dict[str, Any]) -> None:
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with serve(always(PAGE, close=True)) as server:
        secure = row.get("href", "").startswith("https")
        wire = Wire(default=None if secure else server.port)
        ran = await run(shell, "fetch", "--json", "--", row["url"], resolver=resolver, wire=wire)

    assert ended(ran) == ("WEB_PROVIDER_ERROR" if secure else "page"), ran.err
    assert wire.dialled != []


@pytest.mark.req("cli:hostile:urls")
@pytest.mark.parametrize("row", TOLERANT, ids=lambda row: f"{row['id']}-{row['kind']}")
async def test_a_url_that_may_end_either_way_does_so_on_the_command_line(shell: Shell, row: dict[str, Any]) -> None:
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with serve(always(PAGE, close=True)) as server:
        wire = Wire(default=server.port)
        ran = await run(shell, "fetch", "--json", "--", row["url"], resolver=resolver, wire=wire)

    assert ran.code == 0 or set(row["want"]) & CODES[ended(ran)]


def batches(rows: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Rows that a process can be given as arguments: a NUL ends a string there."""
    given = [row for row in rows if "\0" not in row["url"]]
    return [given[at : at + BATCH] for at in range(0, len(given), BATCH)]


@pytest.mark.req("cli:hostile:executable")
@pytest.mark.parametrize("batch", batches(REFUSED), ids=lambda batch: batch[0]["id"])
def test_the_executable_refuses_every_such_url(shell: Shell, batch: list[dict[str, Any]]) -> None:
    urls = [row["url"].encode("utf-8", "surrogatepass") for row in batch]

    done = shell.spawn("fetch", "--json", "--", *urls)

    told = [json.loads(line)["error"] for line in done.stderr.splitlines()]
    for row, one in zip(batch, told, strict=True):
        assert set(row["want"]) & CODES[one["code"]], (row["url"], one)
    assert (done.returncode, done.stdout) == (4, b"")
