"""Vendors behind a configured proxy: a tunnel that the proxy cannot look into, and nothing plain."""

from pathlib import Path

import pytest

from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, serve
from support.proxy import forwarding
from support.tls import Authority
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Seams
from webseam.core.settings import NO_PROXY, ProxySettings
from webseam.core.transport import VendorRequest
from webseam.net.proxy import Proxies
from webseam.net.vendor import VendorTransport
from webseam.wiring.build import build
from webseam.wiring.config import load
from webseam.wiring.proxies import vendor_proxy_settings
from webseam.wiring.schema import SearchSection

KEY = "sk-s3cret-0123456789"
JSON = answer(b'{"a":1}', content_type="application/json")


def to(url: str) -> VendorRequest:
    return VendorRequest(provider="toy", method="POST", url=url, json={"q": "kelp"}, headers={"X-Key": KEY})


def through(url: str, *, no_proxy: tuple[str, ...] = ()) -> Proxies:
    return Proxies.of(ProxySettings(http=url, https=url, no_proxy=no_proxy, section="search"))


@pytest.mark.req("net:vendor-proxy:tunnel")
async def test_a_vendor_is_asked_through_a_tunnel_and_the_proxy_sees_its_name_alone(tmp_path: Path) -> None:
    authority, resolver = Authority(tmp_path), ScriptedResolver({})
    async with (
        serve(always(JSON), ssl=authority.server("api.vendor.example")) as vendor,
        serve(forwarding({}, {"api.vendor.example:443": vendor.port})) as proxy,
    ):
        named = through(f"http://user:p4ss@127.0.0.1:{proxy.port}")
        transport = VendorTransport(resolver=resolver, ca_bundle=str(authority.bundle), proxies=named)
        call = Call()
        got = await transport.send(to("https://api.vendor.example/search"), call=call)
        await transport.aclose()

    assert (got.status, got.body, call.dispatch.sent) == (200, b'{"a":1}', True)
    (asked,) = proxy.requests
    assert (asked.method, asked.target) == ("CONNECT", "api.vendor.example:443")
    assert KEY.encode() not in asked.raw
    assert b"kelp" not in asked.raw
    (seen,) = vendor.requests
    assert seen.headers["x-key"] == KEY
    assert b"proxy" not in seen.raw.lower()
    assert resolver.asked == {}  # names are the proxy's business


@pytest.mark.req("net:vendor-proxy:tunnel")
async def test_a_vendor_whose_certificate_is_not_its_own_gets_no_key(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with (
        serve(always(JSON), ssl=authority.server("other.example")) as other,
        serve(forwarding({}, {"api.vendor.example:443": other.port})) as proxy,
    ):
        transport = VendorTransport(ca_bundle=str(authority.bundle), proxies=through(proxy.url))
        call = Call()
        with pytest.raises(WebError, match=r"through the proxy of search\.proxy failed: TLS error") as caught:
            await transport.send(to("https://api.vendor.example/"), call=call)
        await transport.aclose()

    assert (caught.value.code, call.dispatch.sent, other.requests) == (Code.PROVIDER_ERROR, False, [])


@pytest.mark.req("net:vendor-proxy:plain")
async def test_a_vendor_over_plain_http_is_refused_before_the_proxy_hears_of_it() -> None:
    async with serve(forwarding({})) as proxy:
        transport = VendorTransport(proxies=through(proxy.url))
        call = Call()
        with pytest.raises(WebError, match="toy is asked over plain http") as caught:
            await transport.send(to("http://search.corp.example/"), call=call)
        await transport.aclose()

    assert (caught.value.code, call.dispatch.sent, proxy.connections) == (Code.CONFIG_INVALID, False, 0)
    assert "search.no_proxy" in caught.value.message


@pytest.mark.req("net:vendor-proxy:plain")
async def test_an_exempt_vendor_is_asked_directly() -> None:
    wire = Wire()
    async with serve(always(JSON)) as vendor, serve(forwarding({})) as proxy:
        wire.default = vendor.port
        transport = VendorTransport(
            resolver=ScriptedResolver({"*": [[PUBLIC]]}),
            socket_factory=wire.make,
            proxies=through(proxy.url, no_proxy=("corp.example",)),
        )
        got = await transport.send(to("http://search.corp.example/"), call=Call())
        await transport.aclose()

    assert (got.status, wire.dialled, proxy.connections) == (200, [PUBLIC], 0)


@pytest.mark.req("net:vendor-proxy:failure")
@pytest.mark.parametrize(("answered", "said"), [(403, "HTTP 403"), (407, "HTTP 407"), (502, "HTTP 502")])
async def test_a_proxy_that_refuses_is_named_with_its_setting_and_its_words_stay_outside(
    answered: int, said: str
) -> None:
    async with serve(always(answer(b"ask the helpdesk", status=answered), close=True)) as proxy:
        named = through(f"http://user:p4ss@127.0.0.1:{proxy.port}")
        transport = VendorTransport(proxies=named)
        call = Call()
        with pytest.raises(WebError) as caught:
            await transport.send(to("https://api.vendor.example/"), call=call)
        await transport.aclose()

    assert f"the proxy of search.proxy refused it ({said})" in caught.value.message
    assert "search.no_proxy" in caught.value.message
    assert "helpdesk" not in caught.value.message
    assert "p4ss" not in repr(caught.value) + repr(caught.value.__cause__)
    assert call.dispatch.sent is False


@pytest.mark.req("net:vendor-proxy:links")
async def test_a_link_that_a_vendor_wrote_goes_through_the_proxy_and_is_judged_first() -> None:
    moved = answer(status=302, headers={"Location": "https://page.example/a"})
    resolver = ScriptedResolver({"links.example": [[PUBLIC]], "inner.example": [["10.0.0.7"]]})
    async with serve(forwarding({"http://links.example/1": moved})) as proxy:
        transport = VendorTransport(resolver=resolver, proxies=through(proxy.url))
        found = await transport.location("http://links.example/1", call=Call())
        inner = await transport.location("http://inner.example/1", call=Call())
        await transport.aclose()

    assert (found, inner) == ("https://page.example/a", None)
    assert [one.target for one in proxy.requests] == ["http://links.example/1"]


# The setting ------------------------------------------------------------------------------------------------


@pytest.mark.req("net:vendor-proxy:setting")
def test_the_setting_is_a_url_or_the_environment_and_blank_means_none() -> None:
    environ = {"HTTPS_PROXY": "http://env.example:1", "NO_PROXY": "a.example"}
    assert vendor_proxy_settings(SearchSection(), environ) == NO_PROXY

    url = "http://p.example:3128"
    assert vendor_proxy_settings(SearchSection(proxy=url, no_proxy=("b.example",)), environ) == ProxySettings(
        http=url, https=url, no_proxy=("b.example",), section="search"
    )
    found = vendor_proxy_settings(SearchSection(proxy="environment", no_proxy=("b.example",)), environ)
    assert (found.http, found.https) == (None, "http://env.example:1")
    assert found.no_proxy == ("b.example", "a.example")


@pytest.mark.req("net:vendor-proxy:setting")
async def test_a_search_goes_the_way_that_the_configuration_names(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    tavily = answer(b'{"results":[{"url":"https://kelp.example/","title":"Kelp"}]}', content_type="application/json")
    async with (
        serve(always(tavily), ssl=authority.server("api.tavily.com")) as vendor,
        serve(forwarding({}, {"api.tavily.com:443": vendor.port})) as proxy,
    ):
        arguments = {
            "search": {"provider": "tavily", "proxy": proxy.url},
            "fetch": {"ca_bundle": str(authority.bundle)},
            "providers": {"tavily": {"key": KEY}},
        }
        loaded = load(environ={"HOME": str(tmp_path)}, cwd=tmp_path, arguments=arguments)
        async with build(loaded, seams=Seams(resolver=ScriptedResolver({}))).web as web:
            result = await web.search("kelp")

    assert [source.url for source in result.sources] == ["https://kelp.example/"]
    assert [one.target for one in proxy.requests] == ["api.tavily.com:443"]


@pytest.mark.req("net:vendor-proxy:setting")
def test_a_search_proxy_that_is_none_names_its_own_setting_before_anything_is_asked(tmp_path: Path) -> None:
    arguments = {"search": {"provider": "tavily", "proxy": "socks5://user:p4ss@proxy.example"}}
    loaded = load(environ={"HOME": str(tmp_path)}, cwd=tmp_path, arguments=arguments)
    with pytest.raises(WebError, match=r"search\.proxy is no http or https URL") as caught:
        build(loaded)

    assert caught.value.code == Code.CONFIG_INVALID
    assert "p4ss" not in repr(caught.value)
