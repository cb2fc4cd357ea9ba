"""Redirects to refused targets, and names that turn inwards, on the command line."""

import asyncio

import pytest

from support.cli import Ran, Shell
from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, serve
from support.refused import ADDRESSES
from webseam.core.plugin import Seams

SAMPLES = {
    **{what: f"http://[{one}]/" if ":" in one else f"http://{one}/" for what, one in ADDRESSES.items()},
    "a name": "http://www.a.example/",
    "a bad port": "http://a.example:22/",
    "credentials": "http://me:pw@a.example/",
    "a local name": "https://localhost/",
    "a metadata name": "http://metadata.google.internal/",
    "another scheme": "file:///etc/passwd",
}
REFUSED = {"another scheme": "WEB_INVALID_URL"}


async def _fetched(shell: Shell, *urls: str, resolver: ScriptedResolver, wire: Wire) -> Ran:
    seams = Seams(resolver=resolver, socket_factory=wire.make)
    return await asyncio.to_thread(shell.run, "fetch", "--json", *urls, seams=seams)


@pytest.mark.req("cli:hostile:redirects")
@pytest.mark.parametrize("what", SAMPLES)
async def test_a_redirect_to_a_refused_target_ends_before_a_byte_is_sent(shell: Shell, what: str) -> None:
    resolver = ScriptedResolver({"a.example": [[PUBLIC]], "*": [["192.168.1.1"]]})
    moved = answer(b"moved", status=302, headers={"Location": SAMPLES[what], "Connection": "close"})
    async with serve(always(moved, close=True)) as server:
        wire = Wire(default=server.port)
        ran = await _fetched(shell, "http://a.example/", resolver=resolver, wire=wire)

    assert (ran.code, ran.out, len(ran.err.splitlines())) == (4, "", 1)
    assert (ran.error["code"], ran.error["dispatched"]) == (REFUSED.get(what, "WEB_BLOCKED_URL"), True)
    assert (wire.dialled, len(wire.made), len(server.requests)) == ([PUBLIC], 1, 1)


@pytest.mark.req("cli:hostile:redirects")
@pytest.mark.parametrize("inwards", ["127.0.0.1", "169.254.169.254", "fd00::1"])
async def test_a_name_that_answers_public_first_and_private_second_is_looked_up_once(
    shell: Shell, inwards: str
) -> None:
    resolver = ScriptedResolver({"a.example": [[PUBLIC], [inwards]]})
    async with serve(always(answer(b"<p>page</p>", headers={"Connection": "close"}), close=True)) as server:
        wire = Wire(default=server.port)
        ran = await _fetched(shell, "http://a.example/", resolver=resolver, wire=wire)

    assert (ran.code, ran.json["markdown"].strip(), ran.err) == (0, "page", "")
    assert (wire.dialled, resolver.asked["a.example"]) == ([PUBLIC], 1)
