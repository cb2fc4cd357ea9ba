"""Every resolver script once more, through the command as people run it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from support.cli import Shell, fetch_table
from support.resolver_rows import PLAYED, ROWS, Names, check, named, names_served, script_of, wired
from support.tls import Authority
from webseam.core.errors import EXIT_CODES
from webseam.core.plugin import Seams
from webseam.testing.dns import DnsServer

ANEW = {"d010": {"want": ["blocked_address"], "lookups": {"a.example": 2}}}
"""A command ends with its connections, so the next one looks the name up anew and judges what it finds."""

HANGS = {"d054"}
"""Rows that wait for a time limit: a person's own, here, to spare the default of five seconds."""


def _configured(row: dict[str, Any], names: Names, authority: Authority) -> str:
    policy = row.get("policy", {})
    private = {name: policy[name] for name in ("private_networks", "private_hosts") if name in policy}
    fetch = fetch_table(ca_bundle=str(authority.bundle), nameservers=names.nameservers, **private)
    only = policy.get("only_hosts")
    return fetch if only is None else f"{fetch}[permission]\nallow_hosts = {json.dumps(only)}\n"


@pytest.mark.req("cli:hostile:names", "permission:hosts:rows")
@pytest.mark.parametrize(("row", "served"), PLAYED, ids=named)
async def test_a_resolver_script_ends_on_the_command_line_as_judged(
    shell: Shell, row: dict[str, Any], *, served: bool, tmp_path: Path
) -> None:
    authority = Authority(tmp_path)
    times = ("--timeout", "1.5") if row["id"] in HANGS else ()
    judged = row | ANEW.get(row["id"], {})
    async with names_served(row, by_server=served) as names, wired(row, authority) as wire:
        shell.desk.user(_configured(row, names, authority))
        seams = Seams(resolver=names.resolver, socket_factory=wire.make)
        for _ in range(sum("fetch" in step for step in row["wire"]) or 1):
            ran = await asyncio.to_thread(shell.run, "fetch", "--json", *times, "--", row["url"], seams=seams)
        got = "ok" if ran.code == 0 else ran.error["code"]
        check(judged, got, wire, names.looked_up)

    assert ran.code == (0 if got == "ok" else EXIT_CODES[got])
    assert len(ran.err.splitlines()) == (got != "ok"), ran.err
    assert ("markdown" in ran.out) is (got == "ok")
    for address in (address for steps in row["names"].values() for address in _answers(steps)):
        assert address not in ran.err.replace(f"({address}/", "(")  # some blocks hold one address


def _answers(steps: list[Any]) -> list[str]:
    """Every address that a script answers, which no message may repeat."""
    return [one for step in steps for one in (step.get("answers", ()) if isinstance(step, dict) else step)]


INWARDS = [
    row for row in ROWS if (row["want"], list(row["names"]), row["wire"]) == (["blocked_address"], ["a.example"], [])
]
"""Rows that end before anything is dialled, and so need no socket of ours."""


@pytest.mark.req("cli:hostile:names", "cli:hostile:executable")
async def test_the_executable_refuses_every_name_that_a_nameserver_answers_inwards(shell: Shell) -> None:
    names = {f"{row['id']}.test": script_of(row["names"]["a.example"]) for row in INWARDS}
    async with DnsServer(names) as server:
        shell.desk.user(fetch_table(nameservers=[server.address]))
        urls = [f"http://{name}/" for name in names]
        done = await asyncio.to_thread(shell.spawn, "fetch", "--json", "--timeout", "30", *urls)

    told = [json.loads(line)["error"] for line in done.stderr.splitlines()]
    assert [(one["code"], one["dispatched"]) for one in told] == [("WEB_BLOCKED_URL", False)] * len(INWARDS)
    assert (done.returncode, done.stdout) == (4, b"")
    assert {server.asked[name, kind] for name in names for kind in ("A", "AAAA")} == {1}
