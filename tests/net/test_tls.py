"""TLS over loopback with an authority of the test's own."""

import asyncio
import ssl
from pathlib import Path
from typing import Any

import pytest

from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, http_web, serve
from support.tls import Authority
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings
from webseam.net.trust import tls_context

PAGE = always(answer(b"<p>secure</p>"))


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


def test_a_bundle_that_cannot_be_read_is_a_configuration_error(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pem"
    bad.write_text("no certificates here", encoding="utf-8")

    async def run() -> None:
        await _fetch(Authority(tmp_path).server("a.example"), bad)

    with pytest.raises(WebError, match="ca_bundle"):
        asyncio.run(run())


@pytest.mark.req("net:tls:key-log")
async def test_no_secret_of_a_connection_is_written_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "keys.log"
    monkeypatch.setenv("SSLKEYLOGFILE", str(log))
    authority = Authority(tmp_path)
    page, _ = await _fetch(authority.server("a.example"), authority.bundle)

    assert page.status_code == 200
    assert not log.exists() or "SECRET" not in log.read_text(encoding="ascii")


@pytest.mark.req("net:tls:trust")
def test_our_context_is_the_default_one_but_for_what_is_said(tmp_path: Path) -> None:
    bundle = str(Authority(tmp_path).bundle)
    ours, usual = tls_context(bundle), ssl.create_default_context(cafile=bundle)

    assert (ours.verify_mode, ours.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert ours.verify_flags == usual.verify_flags
    assert ours.options == usual.options | ssl.OP_NO_RENEGOTIATION
    assert ours.get_ciphers() == usual.get_ciphers()
    assert ours.minimum_version >= ssl.TLSVersion.TLSv1_2
