"""TLS over loopback with an authority of the test's own."""

import asyncio
import datetime as dt
import ssl
from pathlib import Path
from typing import Any

import pytest

from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, http_web, serve
from support.tls import Authority
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings

PAGE = always(answer(b"<p>secure</p>"))
NOW = dt.datetime.now(dt.UTC)
DAY = dt.timedelta(days=1)


async def _fetch(context: ssl.SSLContext, bundle: Path | None, url: str = "https://a.example/") -> Any:
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    settings = FetchSettings(ca_bundle=str(bundle) if bundle else None)
    async with serve(PAGE, ssl=context) as server:
        wire = Wire(default=server.port)
        async with http_web(settings, resolver=resolver, make_socket=wire.make) as web:
            return await web.fetch(url), server


@pytest.mark.req("net:tls:trust")
async def test_a_certificate_of_the_configured_authority_is_trusted(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    page, server = await _fetch(authority.server("a.example"), authority.bundle)

    assert page.status_code == 200
    assert server.requests[0].host == "a.example"


@pytest.mark.req("net:tls:trust")
async def test_ssl_cert_file_is_honoured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.bundle))
    page, _ = await _fetch(authority.server("a.example"), None)

    assert page.status_code == 200


@pytest.mark.req("net:tls:trust")
async def test_a_trailing_dot_is_dropped_for_tls_and_host(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    page, server = await _fetch(authority.server("a.example"), authority.bundle, "https://a.example./x")

    assert server.requests[0].host == "a.example"
    assert page.url == "https://a.example./x"


@pytest.mark.req("net:tls:trust", "net:http:failures")
@pytest.mark.parametrize(
    ("names", "options", "trusted", "told"),
    [
        (("a.example",), {"not_after": NOW - DAY, "not_before": NOW - 9 * DAY},
         True, "expired"),
        (("a.example",), {"not_before": NOW + DAY, "not_after": NOW + 9 * DAY},
         True, "not valid yet"),
        (("b.example",), {}, True, "another host"),
        (("*.example",), {}, True, "another host"),
        (("a.example",), {}, False, "not trusted"),
    ],
)  # fmt: skip
async def test_a_wrong_certificate_is_named_for_what_is_wrong(
    names: tuple[str, ...], options: dict[str, Any], told: str, tmp_path: Path, *, trusted: bool
) -> None:
    authority = Authority(tmp_path)
    url = "https://x.a.example/" if names == ("*.example",) else "https://a.example/"
    with pytest.raises(WebError) as caught:
        await _fetch(authority.server(*names, **options), authority.bundle if trusted else None, url)

    assert caught.value.code == "WEB_PROVIDER_ERROR"
    assert "TLS" in caught.value.message
    assert told in caught.value.message or (not trusted and "self-signed" in caught.value.message)
    assert caught.value.dispatched is False


@pytest.mark.req("net:tls:trust", "net:http:failures")
async def test_a_server_that_speaks_no_tls_is_told_so() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    listener = await asyncio.start_server(greet, "127.0.0.1", 0)
    wire = Wire(default=listener.sockets[0].getsockname()[1])
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with listener, http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
        with pytest.raises(WebError, match="does not speak TLS") as caught:
            await web.fetch("https://a.example/")

    assert caught.value.dispatched is False


async def _broken_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(65_536)
    writer.close()


async def _garbage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(65_536)
    writer.write(b"\x16\x03\x03\xff\xff" + b"x" * 70_000)
    await writer.drain()
    writer.close()


@pytest.mark.req("net:tls:trust", "net:http:failures")
@pytest.mark.parametrize(("server", "told"), [(_broken_off, "broke off the TLS handshake"), (_garbage, "TLS error")])
async def test_a_handshake_that_fails_is_told_as_one_and_was_not_dispatched(server: Any, told: str) -> None:
    listener = await asyncio.start_server(server, "127.0.0.1", 0)
    wire = Wire(default=listener.sockets[0].getsockname()[1])
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with listener, http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
        with pytest.raises(WebError, match=told) as caught:
            await web.fetch("https://a.example/")

    assert caught.value.dispatched is False
    assert wire.dialled == [PUBLIC]


@pytest.mark.req("net:tls:trust")
async def test_no_client_certificate_is_ever_sent(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    context = authority.server("a.example")
    context.load_verify_locations(authority.bundle)
    context.verify_mode = ssl.CERT_OPTIONAL
    page, _ = await _fetch(context, authority.bundle)
    assert page.status_code == 200

    context.verify_mode = ssl.CERT_REQUIRED
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(WebError, match=r"broke off the TLS handshake|reset"):
        await _fetch(context, authority.bundle)


@pytest.mark.req("net:tls:trust")
async def test_two_names_on_one_address_are_checked_each_by_its_own_name(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with serve(PAGE, ssl=authority.server("a.example")) as server:
        wire = Wire(default=server.port)
        settings = FetchSettings(ca_bundle=str(authority.bundle))
        async with http_web(settings, resolver=resolver, make_socket=wire.make) as web:
            assert (await web.fetch("https://a.example/")).status_code == 200
            with pytest.raises(WebError, match="another host"):
                await web.fetch("https://b.example/")


@pytest.mark.req("net:redirect:same-site")
async def test_an_upgrade_to_https_and_www_is_followed_and_a_downgrade_is_not(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    down = always(answer(status=301, headers={"Location": "http://www.a.example/plain"}))
    up = always(answer(status=301, headers={"Location": "https://www.a.example/"}))
    secure = authority.server("www.a.example", "d.example")
    async with serve(up) as plain, serve(PAGE, ssl=secure) as tls, serve(down, ssl=secure) as falling:
        wire = Wire(routes={(PUBLIC, 80): plain.port, (PUBLIC, 443): tls.port})
        settings = FetchSettings(ca_bundle=str(authority.bundle))
        async with http_web(settings, resolver=resolver, make_socket=wire.make) as web:
            page = await web.fetch("http://a.example/")
            assert page.url == "https://www.a.example/"
            wire.routes[(PUBLIC, 443)] = falling.port
            with pytest.raises(WebError, match="down to http") as caught:
                await web.fetch("https://d.example/")

    assert caught.value.code == "WEB_REDIRECT_BLOCKED"
    assert resolver.asked == {"a.example": 1, "www.a.example": 1, "d.example": 1}


@pytest.mark.req("net:time:whole")
async def test_a_stalled_handshake_ends_with_the_deadline() -> None:
    hold = asyncio.Event()

    async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await hold.wait()
        writer.close()

    listener = await asyncio.start_server(silent, "127.0.0.1", 0)
    wire = Wire(default=listener.sockets[0].getsockname()[1])
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
        with pytest.raises(WebError) as caught:
            await web.fetch("https://a.example/", timeout=0.3)
    hold.set()
    listener.close()

    assert caught.value.code == "WEB_FETCH_TIMEOUT"
    assert caught.value.dispatched is False


def test_a_bundle_that_cannot_be_read_is_a_configuration_error(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pem"
    bad.write_text("no certificates here", encoding="utf-8")

    async def run() -> None:
        await _fetch(Authority(tmp_path).server("a.example"), bad)

    with pytest.raises(WebError, match="ca_bundle"):
        asyncio.run(run())
