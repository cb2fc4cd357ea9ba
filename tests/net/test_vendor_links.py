"""Links that a vendor wrote: where they lead is read, public addresses only are dialled, nothing is followed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from support.net import PUBLIC, Request, ScriptedResolver, Server, Wire, always, serve
from webseam.core.call import Call
from webseam.net.vendor import VendorTransport

LINK = "http://links.example/go/1?x=y"


def moved(location: str, *, status: int = 302, more: str = "") -> bytes:
    return f"HTTP/1.1 {status} Moved\r\nLocation: {location}\r\n{more}Content-Length: 0\r\n\r\n".encode("latin-1")


@asynccontextmanager
async def linked(response: bytes, *addresses: str) -> AsyncIterator[tuple[VendorTransport, Server, Wire]]:
    """A transport for which `links.example` has these addresses, a server behind them, and what was dialled."""
    async with serve(always(response)) as server:
        wire = Wire(default=server.port)
        resolver = ScriptedResolver({"links.example": [addresses or (PUBLIC,)]})
        transport = VendorTransport(resolver=resolver, socket_factory=wire.make)
        try:
            yield transport, server, wire
        finally:
            await transport.aclose()


@pytest.mark.req("net:vendor:location")
@pytest.mark.parametrize(
    ("location", "leads"),
    [
        ("https://kelp.example/a?b=c#d", "https://kelp.example/a?b=c#d"),
        ("/here", "http://links.example/here"),
        ("//kelp.example", "http://kelp.example/"),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        ("https://user:pw@kelp.example/", None),
        ("", None),
        ("https://", None),
        ("https://kelp.example/" + "a" * 9_000, None),
    ],
)
async def test_a_redirect_is_read_and_only_a_web_address_without_credentials_is_told(
    location: str, leads: str | None
) -> None:
    async with linked(moved(location)) as (transport, server, wire):
        assert await transport.location(LINK, call=Call()) == leads

    (request,) = server.requests
    assert (request.method, request.target) == ("HEAD", "/go/1?x=y")
    assert not {"authorization", "cookie", "x-api-key"} & set(request.headers)
    assert wire.dialled == [PUBLIC]


@pytest.mark.req("net:vendor:location")
@pytest.mark.parametrize("status", [200, 204, 300, 304, 404, 500])
async def test_an_answer_that_is_no_redirect_leads_nowhere(status: int) -> None:
    async with linked(moved("https://kelp.example/", status=status)) as (transport, _, _):
        assert await transport.location(LINK, call=Call()) is None


@pytest.mark.req("net:vendor:location-guarded")
@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fd00::1"])
async def test_a_link_whose_name_leads_to_any_private_address_is_not_dialled(address: str) -> None:
    async with linked(moved("https://kelp.example/"), PUBLIC, address) as (transport, server, wire):
        assert await transport.location(LINK, call=Call()) is None

    assert (server.connections, wire.dialled) == (0, [])


@pytest.mark.req("net:vendor:location-guarded")
@pytest.mark.parametrize(
    "link",
    [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://[::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://user:pw@links.example/",
        "ftp://links.example/",
        "javascript:alert(1)",
        "",
        "http://\ud800.example/",
        "http://links.example/" + "a" * 9_000,
    ],
)
async def test_a_link_that_no_fetch_could_take_is_not_asked(link: str) -> None:
    async with linked(moved("https://kelp.example/")) as (transport, server, wire):
        assert await transport.location(link, call=Call()) is None

    assert (server.connections, wire.dialled) == (0, [])


@pytest.mark.req("net:vendor:location-guarded")
@pytest.mark.parametrize("target", ["http://10.0.0.1/admin", "http://169.254.169.254/", "http://localhost/"])
async def test_a_redirect_into_a_private_network_is_told_but_its_target_never_contacted(target: str) -> None:
    async with linked(moved(target)) as (transport, server, wire):
        assert await transport.location(LINK, call=Call()) == target

    assert (server.connections, wire.dialled) == (1, [PUBLIC])


@pytest.mark.req("net:vendor:location")
@pytest.mark.parametrize(
    "response",
    [
        b"",
        b"junk\r\n\r\n",
        b"HTTP/1.1 302 Moved\r\nLocation: https://kelp.example/\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 50_000,
        b"HTTP/1.1 302 Moved\r\nLocation: \xff\xfe\r\n",
    ],
    ids=["nothing", "junk", "huge head", "informational flood", "cut"],
)
async def test_a_broken_answer_leads_nowhere_and_marks_nothing_as_sent(response: bytes) -> None:
    call = Call()
    async with serve(always(response, close=True)) as server:
        wire = Wire(default=server.port)
        transport = VendorTransport(resolver=ScriptedResolver({"links.example": [(PUBLIC,)]}), socket_factory=wire.make)
        found = await transport.location(LINK, call=call)
        await transport.aclose()

    assert (found, call.dispatch.sent) == (None, False)


@pytest.mark.req("net:vendor:location")
async def test_cancelling_while_a_link_is_followed_hangs_up() -> None:
    asked, hung_up = asyncio.Event(), asyncio.Event()

    async def hold(request: Request, _writer: asyncio.StreamWriter) -> None:
        asked.set()
        await request.gone()
        hung_up.set()

    async with serve(hold) as server:
        wire = Wire(default=server.port)
        transport = VendorTransport(resolver=ScriptedResolver({"links.example": [(PUBLIC,)]}), socket_factory=wire.make)
        following = asyncio.create_task(transport.location(LINK, call=Call()))
        await asked.wait()
        following.cancel()
        with pytest.raises(asyncio.CancelledError):
            await following
        await hung_up.wait()
        await transport.aclose()
