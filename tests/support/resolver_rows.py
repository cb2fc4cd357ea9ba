"""The table of resolver scripts, both ends of a row's network, and what its verdicts stand for."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.net import PUBLIC, Handler, Request, ScriptedResolver, Wire, always, answer, serve
from support.tls import Authority
from webseam.core.limits import ADDRESSES_DIALLED
from webseam.testing.dns import DnsServer, DnsStep

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "net" / "data" / "dns.jsonl").read_text(encoding="utf-8").splitlines()
]
OUTCOMES = {
    "blocked_address": "WEB_BLOCKED_URL",
    "connect_error": "WEB_PROVIDER_ERROR",
    "dns_error": "WEB_PROVIDER_ERROR",
    "dns_timeout": "WEB_FETCH_TIMEOUT",
    "invalid": "WEB_INVALID_URL",
    "redirect_refused": "WEB_REDIRECT_BLOCKED",
    "blocked_host": "WEB_DENIED",
    "ok": "ok",
}


def site_of(row: dict[str, Any]) -> Handler:
    """The server side of a row: a redirect where the row has one, else a page; closing unless it keeps alive."""
    hop = next((step for step in row["wire"] if "location" in step), None)
    keeps = bool(row.get("policy", {}).get("keepalive"))

    async def handler(_request: Request, writer: Any) -> None:
        extra = {} if keeps else {"Connection": "close"}
        if hop is None:
            writer.write(answer(b"<p>page</p>", headers=extra))
        else:
            writer.write(answer(b"", status=hop["status"], headers={"Location": hop["location"], **extra}))
        if not keeps:
            await writer.drain()
            writer.close()

    return handler


def names_of(row: dict[str, Any]) -> dict[str, Any]:
    """A CNAME chain ends at its addresses; that is all the resolver's callers see."""
    return {
        name: [step.get("answers", step) if isinstance(step, dict) and "cname" in step else step for step in steps]
        for name, steps in row["names"].items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Who answers for a row's names: a script in this process, or a DNS server at `nameservers`."""

    resolver: ScriptedResolver | None = None
    nameservers: tuple[str, ...] = ()
    looked_up: Callable[[str], int]
    """How often a name was asked for."""


@asynccontextmanager
async def names_served(row: dict[str, Any], *, by_server: bool) -> AsyncIterator[Names]:
    """Play the row's resolver script."""
    if not by_server:
        resolver = ScriptedResolver(names_of(row))
        yield Names(resolver=resolver, looked_up=resolver.asked.__getitem__)
        return
    async with DnsServer({name: script_of(steps) for name, steps in row["names"].items()}) as server:
        yield Names(
            nameservers=(server.address,),
            looked_up=lambda name: max(server.asked[name, "A"], server.asked[name, "AAAA"]),
        )


SILENT_SECONDS = 60
NO_DNS_RECORD = {"d060"}
"""An answer that is no address: a DNS record cannot hold it."""

PLAYED = [(row, by) for row in ROWS for by in (False, True) if not (by and row["id"] in NO_DNS_RECORD)]
"""Each row by a script, and by a DNS server where one can play it."""


def named(value: Any) -> str:
    """The id of a test's parameter."""
    return f"{value['id']}-{value['title'].replace(' ', '-')}" if isinstance(value, dict) else f"{value:d}"


def script_of(steps: list[Any]) -> tuple[DnsStep, ...]:
    """A name's steps as a DNS server can play them; scope ids are the system's addition."""
    return tuple(map(_step, steps))


def _step(step: Any) -> DnsStep:
    facts: dict[str, Any] = {"answers": step} if isinstance(step, list) else step
    seconds = facts.get("delay_s", 0)
    return DnsStep(
        answers=[address.partition("%")[0] for address in facts.get("answers", ())],
        aliases=facts.get("cname", ()),
        rcode=facts.get("error", "NOERROR"),
        silent=seconds > SILENT_SECONDS,
        delay=seconds if seconds <= SILENT_SECONDS else 0,
    )


@asynccontextmanager
async def wired(row: dict[str, Any], authority: Authority) -> AsyncIterator[Wire]:
    """The row's site on loopback, port 443 of it with a certificate, and the sockets that lead there."""
    secure = always(answer(b"<p>secure</p>"))
    async with serve(site_of(row)) as plain, serve(secure, ssl=authority.server("a.example")) as tls:
        wire = Wire(default=None if "all addresses refuse" in row["title"] else plain.port)
        for step in row["wire"]:
            if "connect" in step:
                wire.routes[step["dial"]] = step["connect"]
            if "peername" in step:
                wire.peers[step["dial"]] = step["peername"]
        wire.routes[PUBLIC, 443] = tls.port
        yield wire


def check(row: dict[str, Any], got: str, wire: Wire, looked_up: Callable[[str], int]) -> None:
    """A row ends as judged, and neither more was dialled nor more was asked for."""
    assert got in {OUTCOMES[want] for want in row["want"]}, got
    if got == OUTCOMES[row["want"][0]] and "peername" not in str(row["wire"]):
        assert set(wire.dialled) == set(row["dials"]) or got == "ok"
        assert set(wire.dialled) <= set(row["dials"]) or len(row["names"]["a.example"][0]) > ADDRESSES_DIALLED
    for name, most in row["lookups"].items():
        assert looked_up(name) <= most
