"""A hostile proxy, or whoever sits on the way to it: what it says to CONNECT may end a fetch and never become one."""

import asyncio
from pathlib import Path

import pytest

from support.core import refused
from support.net import Request, ScriptedResolver, always, answer, http_web, serve
from support.proxy import forwarding
from support.tls import Authority
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.limits import HEADER_BYTES
from webseam.core.settings import FetchSettings, ProxySettings
from webseam.core.types import HtmlBody

ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n"
FORGED = answer(b"<p>forged</p>")
PAGE = answer(b"<p>kelp</p>")
NAMES = {"*": [["93.184.215.14"]]}


def settings_for(port: int, bundle: Path | None = None) -> FetchSettings:
    place = f"http://127.0.0.1:{port}"
    bundled = None if bundle is None else str(bundle)
    return FetchSettings(proxy=ProxySettings(http=place, https=place), ca_bundle=bundled)


# What the proxy writes before it closes; part of the error's message.
ANSWERS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "through the proxy of fetch.proxy failed"),
    "garbage": (b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00", "not well-formed HTTP"),
    "tls": (b"\x15\x03\x01\x00\x02\x02\x28", "not well-formed HTTP"),
    "half a head": (ESTABLISHED, "through the proxy of fetch.proxy failed"),
    "a huge field": (ESTABLISHED + b"X: " + b"x" * (HEADER_BYTES + 1) + b"\r\n\r\n", "not well-formed HTTP"),
    "many fields": (ESTABLISHED + b"X: y\r\n" * 1_000 + b"\r\n", "not well-formed HTTP"),
    "a flood of 1xx": (b"HTTP/1.1 103 Early\r\n\r\n" * 60_000, "through the proxy of fetch.proxy failed"),
    "a redirect": (answer(status=302, headers={"Location": "http://10.0.0.7/"}), "refused it (HTTP 302)"),
    "a challenge": (answer(status=407, headers={"Proxy-Authenticate": "Basic"}), "refused it (HTTP 407)"),
    "a page with 200": (ESTABLISHED + b"Content-Length: 13\r\n\r\n<p>forged</p>", "through the proxy"),
    "a page for the page": (ESTABLISHED + b"\r\n" + FORGED, "through the proxy of fetch.proxy failed"),
    "half a TLS record": (ESTABLISHED + b"\r\n\x16\x03\x03\x40\x00abc", "through the proxy of fetch.proxy failed"),
    "a TLS alert": (ESTABLISHED + b"\r\n\x15\x03\x03\x00\x02\x02\x28", "through the proxy of fetch.proxy failed"),
}


@pytest.mark.req("net:proxy:hostile")
@pytest.mark.parametrize("name", ANSWERS)
async def test_what_is_no_tunnel_is_an_error_of_the_proxy_and_never_a_page(name: str) -> None:
    said, part = ANSWERS[name]
    async with serve(always(said, close=True)) as proxy:
        async with http_web(settings_for(proxy.port), resolver=ScriptedResolver(NAMES)) as web:
            call = Call()
            error = await refused(web.fetch("https://public.example/", call=call))
        await proxy.closed.wait()

    assert error.code == "WEB_PROVIDER_ERROR"
    assert part in error.message
    assert call.dispatch.sent is False
    assert proxy.open == 0
    assert "forged" not in error.message


@pytest.mark.req("net:proxy:hostile")
@pytest.mark.parametrize("early", [FORGED, bytes(40), b"HTTP/1.1 200 OK\r\n", b"\x16\x03\x03\x40\x00"])
@pytest.mark.parametrize("apart", [False, True])
async def test_bytes_before_the_tunnels_tls_are_never_taken_for_the_page(
    tmp_path: Path, early: bytes, *, apart: bool
) -> None:
    authority = Authority(tmp_path)
    async with (
        serve(always(PAGE), ssl=authority.server("public.example")) as origin,
        serve(forwarding({}, {"public.example:443": origin.port}, early=early, apart=apart)) as proxy,
        http_web(settings_for(proxy.port, authority.bundle), resolver=ScriptedResolver(NAMES)) as web,
    ):
        try:
            got: object = (await web.fetch("https://public.example/")).body
        except WebError as error:
            got = error.code

    assert got in (HtmlBody(content="<p>kelp</p>"), "WEB_PROVIDER_ERROR")  # which of them depends on the packets


@pytest.mark.req("net:proxy:hostile")
async def test_a_proxy_that_never_answers_ends_with_the_time_for_dialling() -> None:
    async def silent(request: Request, _writer: asyncio.StreamWriter) -> None:
        await request.gone()

    async with serve(silent) as proxy:
        settings = settings_for(proxy.port)
        short = FetchSettings(proxy=settings.proxy, dns_seconds=0.1, connect_seconds=0.1)
        async with http_web(short, resolver=ScriptedResolver(NAMES)) as web:
            error = await refused(web.fetch("https://public.example/"))
        await proxy.closed.wait()

    assert "no connection within the connect timeout" in error.message
    assert error.dispatched is False
