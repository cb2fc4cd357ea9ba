"""Fetching through a proxy that the operator configured: what it is told, what is judged before, what stays direct."""

from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, http_web, serve
from support.proxy import forwarding
from support.tls import Authority
from webseam.core.errors import Code, WebError
from webseam.core.settings import NO_PROXY, FetchSettings, ProxySettings
from webseam.core.types import HtmlBody
from webseam.core.url import Url
from webseam.net.proxy import Proxies, exempt
from webseam.wiring.proxies import proxy_settings
from webseam.wiring.schema import FetchSection

PAGE = answer(b"<p>kelp</p>")
NAMES = {"public.example": [[PUBLIC]], "inner.example": [["10.0.0.7"]], "*": [[PUBLIC]]}


def through(url: str, *, trusted: bool = False, no_proxy: tuple[str, ...] = ()) -> FetchSettings:
    return FetchSettings(proxy=ProxySettings(http=url, https=url, no_proxy=no_proxy, trusted=trusted))


@pytest.mark.req("net:proxy:used")
async def test_a_page_comes_through_the_proxy_and_the_result_says_so() -> None:
    resolver, wire = ScriptedResolver(NAMES), Wire()
    async with (
        serve(forwarding({"http://public.example/a?b": PAGE})) as proxy,
        http_web(through(proxy.url), resolver=resolver) as web,
    ):
        page = await web.fetch("http://public.example/a?b#c")

    (request,) = proxy.requests
    assert request.raw.startswith(b"GET http://public.example/a?b HTTP/1.1\r\nHost: public.example\r\n")
    assert b"proxy-authorization" not in request.raw.lower()
    assert page.body == HtmlBody(content="<p>kelp</p>")
    assert [note.code for note in page.notes] == ["proxied"]
    assert wire.dialled == []
    assert resolver.asked == {"public.example": 1}


@pytest.mark.req("net:proxy:credentials")
async def test_the_proxys_password_goes_to_the_proxy_alone_and_into_no_error() -> None:
    settings = FetchSettings(proxy=ProxySettings(http="http://user:s3cr3t-word@127.0.0.1:1", https=None))
    assert "s3cr3t" not in repr(settings)
    async with serve(always(answer(b"go away", status=407))) as proxy:
        named = replace(settings.proxy, http=f"http://user:s3cr3t-word@127.0.0.1:{proxy.port}")
        async with http_web(replace(settings, proxy=named), resolver=ScriptedResolver(NAMES)) as web:
            with pytest.raises(WebError) as caught:
                await web.fetch("http://public.example/")

    sent = b"Proxy-Authorization: Basic " + b64encode(b"user:s3cr3t-word")
    assert sent in proxy.requests[0].raw
    assert caught.value.code == Code.PROVIDER_ERROR
    assert "the proxy of fetch.proxy refused it (HTTP 407)" in caught.value.message
    assert "go away" not in caught.value.message
    assert "s3cr3t" not in repr(caught.value) + repr(caught.value.__cause__)


@pytest.mark.req("net:proxy:tunnel")
async def test_an_https_page_comes_through_a_tunnel_and_its_own_certificate_is_checked(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with (
        serve(always(PAGE), ssl=authority.server("public.example")) as right,
        serve(always(PAGE), ssl=authority.server("wrong.example")) as wrong,
        serve(forwarding({}, {"public.example:443": right.port, "inside.example:443": wrong.port})) as proxy,
        http_web(replace(through(proxy.url), ca_bundle=str(authority.bundle)), resolver=ScriptedResolver(NAMES)) as web,
    ):
        page = await web.fetch("https://public.example/a")
        with pytest.raises(WebError, match="TLS error, the certificate is for another host"):
            await web.fetch("https://inside.example/")
        with pytest.raises(WebError, match=r"refused it \(HTTP 403\)") as refused:
            await web.fetch("https://other.example/")

    assert page.body == HtmlBody(content="<p>kelp</p>")
    assert [one.target for one in right.requests] == ["/a"]
    assert b"proxy" not in right.requests[0].raw.lower()
    assert wrong.requests == []
    assert "secret words" not in refused.value.message


@pytest.mark.req("net:proxy:judged")
@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("url", ["http://10.0.0.7/", "http://[::1]/", "http://169.254.169.254/", "http://localhost/"])
async def test_literals_and_special_names_are_refused_before_the_proxy_hears_of_them(
    url: str, *, trusted: bool
) -> None:
    async with (
        serve(forwarding({})) as proxy,
        http_web(through(proxy.url, trusted=trusted), resolver=ScriptedResolver(NAMES)) as web,
    ):
        with pytest.raises(WebError) as caught:
            await web.fetch(url)

    assert caught.value.code == Code.BLOCKED_URL
    assert (proxy.connections, caught.value.dispatched) == (0, False)


@pytest.mark.req("net:proxy:judged")
async def test_a_name_is_judged_here_first_unless_the_proxy_is_trusted_with_it() -> None:
    resolver = ScriptedResolver(NAMES)
    async with serve(forwarding({"http://inner.example/": PAGE})) as proxy:
        async with http_web(through(proxy.url), resolver=resolver) as web:
            with pytest.raises(WebError) as caught:
                await web.fetch("http://inner.example/")
        assert (caught.value.code, proxy.connections) == (Code.BLOCKED_URL, 0)
        assert "fetch.trust_proxy" in caught.value.message

        async with http_web(through(proxy.url, trusted=True), resolver=resolver) as web:
            page = await web.fetch("http://inner.example/")

    assert page.status_code == 200
    assert resolver.asked == {"inner.example": 1}


@pytest.mark.req("net:proxy:exempt")
async def test_an_exempt_host_is_dialled_directly_and_judged() -> None:
    wire = Wire()
    async with serve(always(PAGE)) as origin, serve(forwarding({})) as proxy:
        wire.default = origin.port
        settings = through(proxy.url, no_proxy=("public.example", "inner.example"))
        async with http_web(settings, resolver=ScriptedResolver(NAMES), make_socket=wire.make) as web:
            page = await web.fetch("http://www.public.example/")
            with pytest.raises(WebError) as caught:
                await web.fetch("http://inner.example/")

    assert (page.notes, wire.dialled) == ((), [PUBLIC])
    assert caught.value.code == Code.BLOCKED_URL
    assert proxy.connections == 0


@pytest.mark.req("net:proxy:failure")
async def test_a_proxy_that_is_down_is_named_as_what_failed() -> None:
    async with serve(always(PAGE)) as gone:
        port = gone.port
    async with http_web(through(f"http://127.0.0.1:{port}"), resolver=ScriptedResolver(NAMES)) as web:
        with pytest.raises(WebError) as caught:
            await web.fetch("http://public.example/")

    assert "through the proxy of fetch.proxy failed: the connection was refused" in caught.value.message
    assert (caught.value.dispatched, caught.value.retryable) == (False, True)


@pytest.mark.req("net:proxy:failure")
async def test_a_proxy_whose_name_does_not_resolve_is_not_taken_for_the_pages_host() -> None:
    resolver = ScriptedResolver({"public.example": [[PUBLIC]]})
    async with http_web(through("http://proxy.example:3128"), resolver=resolver) as web:
        with pytest.raises(WebError, match=r"did not resolve.* the host of the proxy in fetch\.proxy\.$"):
            await web.fetch("http://public.example/")


@pytest.mark.req("net:proxy:redirects")
async def test_a_redirect_through_the_proxy_is_judged_like_any_other() -> None:
    moved = {"http://public.example/": answer(status=302, headers={"Location": "http://10.0.0.7/"})}
    async with serve(forwarding(moved)) as proxy, http_web(through(proxy.url), resolver=ScriptedResolver(NAMES)) as web:
        with pytest.raises(WebError) as caught:
            await web.fetch("http://public.example/")

    assert caught.value.code == Code.BLOCKED_URL
    assert len(proxy.requests) == 1


# Which requests go through it --------------------------------------------------------------------------

EXEMPTS: list[tuple[str, str, bool]] = [
    ("corp.example", "http://corp.example/", True),
    ("corp.example", "http://api.corp.example/", True),
    (".corp.example", "http://corp.example/", True),
    ("*.corp.example", "http://a.b.corp.example/", True),
    ("corp.example", "http://notcorp.example/", False),
    ("corp.example", "http://corp.example.evil.example/", False),
    ("CORP.example.", "http://Corp.Example./", True),
    ("b\u00fccher.example", "http://xn--bcher-kva.example/", True),
    ("corp.example:8080", "http://corp.example:8080/", True),
    ("corp.example:8080", "http://corp.example/", False),
    ("10.0.0.0/8", "http://10.1.2.3/", True),
    ("10.0.0.0/8", "http://0xa010203/", True),
    ("10.0.0.0/8", "http://11.1.2.3/", False),
    ("10.0.0.0/8", "http://10.example/", False),
    ("10.1.2.3", "http://10.1.2.3:81/", True),
    ("10.1.2.3:80", "http://10.1.2.3:81/", False),
    ("[::1]", "http://[::1]/", True),
    ("::1", "http://[0:0::1]/", True),
    ("[fd00::]/8", "http://[fd00::7]/", False),
    ("fd00::/8", "http://[fd00::7]/", True),
    ("[::1]:8080", "http://[::1]:8080/", True),
    ("*", "http://anything.example/", True),
    ("*:8080", "http://anything.example:8080/", True),
    ("", "http://corp.example/", False),
    ("http://corp.example", "http://corp.example/", False),
]


@pytest.mark.req("net:proxy:no-proxy")
@pytest.mark.parametrize(("entry", "url", "direct"), EXEMPTS)
def test_an_entry_of_no_proxy_means_what_the_documentation_says(entry: str, url: str, *, direct: bool) -> None:
    proxies = Proxies.of(ProxySettings(http="http://p.example:3128", no_proxy=(entry,)))
    assert (proxies.choose(Url.parse(url)) is None) is direct


@pytest.mark.req("net:proxy:no-proxy")
@given(st.text(max_size=40), st.sampled_from(["http://a.example:81/", "https://[::1]/", "http://10.0.0.1/"]))
@example("10.0.0.0/8,[::1]", "http://10.0.0.1/")
@example("a:99999999999999999999", "http://a.example:81/")
def test_no_entry_ever_breaks(entry: str, url: str) -> None:
    exempt(entry)
    Proxies.of(ProxySettings(http="http://p.example", https="http://p.example", no_proxy=(entry,))).choose(
        Url.parse(url)
    )


@pytest.mark.req("net:proxy:malformed")
@pytest.mark.parametrize("text", ["socks5://p.example:1080", "ftp://p.example", "http://", "http://[", "::::"])
def test_a_proxy_that_is_none_is_a_configuration_error_without_its_password(text: str) -> None:
    with pytest.raises(WebError) as caught:
        Proxies.of(ProxySettings(http=text.replace("://", "://user:s3cr3t@")))
    assert caught.value.code == Code.CONFIG_INVALID
    assert "s3cr3t" not in repr(caught.value)


ENVIRONMENT = {
    "HTTP_PROXY": "http://upper.example:1",
    "http_proxy": "http://lower.example:1",
    "HTTPS_PROXY": "secure.example:2",
    "NO_PROXY": "a.example, 10.0.0.0/8  b.example",
}


@pytest.mark.req("net:proxy:environment")
def test_the_environment_counts_only_where_the_configuration_says_so() -> None:
    assert proxy_settings(FetchSection(), ENVIRONMENT) == NO_PROXY
    assert proxy_settings(FetchSection(proxy="environment"), {}) == NO_PROXY

    found = proxy_settings(FetchSection(proxy="environment", no_proxy=("c.example",)), ENVIRONMENT)
    assert (found.http, found.https) == ("http://lower.example:1", "secure.example:2")
    assert found.no_proxy == ("c.example", "a.example", "10.0.0.0/8", "b.example")
    assert Proxies.of(found).https == Url.parse("http://secure.example:2")


@pytest.mark.req("net:proxy:environment")
def test_in_a_cgi_process_the_upper_case_variable_is_the_clients_word() -> None:
    found = proxy_settings(
        FetchSection(proxy="environment"), {"REQUEST_METHOD": "GET", "HTTP_PROXY": "http://evil.example"}
    )
    assert found == NO_PROXY
    every = proxy_settings(FetchSection(proxy="environment"), {"ALL_PROXY": "http://all.example"})
    assert (every.http, every.https) == ("http://all.example", "http://all.example")
