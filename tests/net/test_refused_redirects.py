"""A redirect to every refused class of address, port, scheme, credential and name ends before a byte is sent there."""

import json
from ipaddress import ip_address

import pytest

from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, http_web, serve
from support.proxy import forwarding
from support.refused import ADDRESSES, CREDENTIALS, NAMES, SCHEMES
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings, ProxySettings
from webseam.net.policy import BAD_PORTS

ONWARDS = "www.a.example"
"""The site's own other name: the one foreign host that a redirect is followed to."""

STATUSES = (301, 302, 303, 307, 308)


async def refused(location: str, *, status: int = 302, to: str = PUBLIC, asked: int = 1) -> WebError:
    """What a page that leads to `location` ends in; its own server was asked once, and nothing else was dialled.

    Args:
        to: what the site's other name resolves to.
        asked: how many names were looked up.
    """
    resolver = ScriptedResolver({"a.example": [[PUBLIC]], "*": [[to]]})
    sent = location.encode().decode("latin-1")  # servers send UTF-8
    moved = answer(b"moved", status=status, headers={"Location": sent, "Connection": "close"})
    async with serve(always(moved, close=True)) as server:
        wire = Wire(default=server.port)
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            with pytest.raises(WebError) as caught:
                await web.fetch("http://a.example/")

    assert [request.target for request in server.requests] == ["/"]
    assert (wire.dialled, len(wire.made), resolver.asked.total()) == ([PUBLIC], 1, asked)
    assert caught.value.dispatched is True
    return caught.value


def _hides(error: WebError, address: str) -> None:
    told = json.dumps(error.to_dict())
    assert address not in told.replace(f"({address}/", "(")  # some blocks hold one address


@pytest.mark.req("net:redirect:refused")
@pytest.mark.parametrize("what", ADDRESSES)
async def test_a_refused_address_is_never_redirected_to(what: str) -> None:
    address = ADDRESSES[what]
    literal = f"[{address}]" if ":" in address else address

    error = await refused(f"http://{literal}/b")

    assert error.code == "WEB_BLOCKED_URL"
    assert ("No setting opens it" in error.message) is ("private_networks" not in error.message)
    _hides(error, address)


@pytest.mark.req("net:redirect:refused")
@pytest.mark.parametrize("what", ADDRESSES)
async def test_a_name_that_resolves_to_a_refused_address_is_never_redirected_to(what: str) -> None:
    looked_up = 2 + (ip_address(ADDRESSES[what]).version == 6)  # the network's NAT64 prefix is asked for too

    error = await refused(f"http://{ONWARDS}/b", to=ADDRESSES[what], asked=looked_up)

    assert error.code == "WEB_BLOCKED_URL"
    _hides(error, ADDRESSES[what])


@pytest.mark.req("net:redirect:refused")
@pytest.mark.parametrize("port", sorted(BAD_PORTS))
async def test_another_protocols_port_is_never_redirected_to(port: int) -> None:
    for host in ("a.example", ONWARDS, PUBLIC, "b.test"):
        error = await refused(f"http://{host}:{port}/b")

        assert (error.code, f"Port {port} belongs" in error.message) == ("WEB_BLOCKED_URL", True)


@pytest.mark.req("net:redirect:refused")
@pytest.mark.parametrize("url", SCHEMES)
async def test_another_scheme_is_never_redirected_to(url: str) -> None:
    error = await refused(url)

    assert (error.code, "Only http and https" in error.message) == ("WEB_INVALID_URL", True)


@pytest.mark.req("net:redirect:refused")
@pytest.mark.parametrize("url", CREDENTIALS)
async def test_a_target_with_credentials_is_never_redirected_to(url: str) -> None:
    error = await refused(url)

    assert (error.code, "user name or password" in error.message) == ("WEB_BLOCKED_URL", True)
    assert "pw" not in json.dumps(error.to_dict())


@pytest.mark.req("net:redirect:refused")
@pytest.mark.parametrize("name", NAMES)
async def test_a_local_or_metadata_name_is_never_redirected_to(name: str) -> None:
    for scheme in ("http:", "https:", ""):
        assert (await refused(f"{scheme}//{name}/b")).code == "WEB_BLOCKED_URL"


@pytest.mark.req("net:redirect:refused")
@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize(
    "location",
    [
        *(
            "//127.0.0.1/",
            "\\\\127.0.0.1\\",
            "/\\127.1",
            "http:\\\\2130706433",
            "HTTP://0x7f.1/",
            "http://0177.0.0.1./",
        ),
        *(
            "http://\u2460\u2461\u2466.0.0.1/",
            "http://127%2e0.0.1/",
            "http://%31%32%37.1/",
            "http://127\u30020\u30020\u30021/",
        ),
        *("http://[::ffff:7f00:1]:80/", "http://[0:0:0:0:0:ffff:127.0.0.1]/", "//127.0.0.1:80/"),
        *("\t//127.0.0.1/", "http://127.0.0.1?x", "http://127.0.0.1#a.example"),
    ],
)
async def test_loopback_is_never_redirected_to_however_it_is_written(location: str, status: int) -> None:
    assert (await refused(location, status=status)).code == "WEB_BLOCKED_URL"


@pytest.mark.req("net:redirect:refused")
@pytest.mark.parametrize("what", ADDRESSES)
async def test_a_robots_txt_is_not_looked_for_at_a_refused_address_either(what: str) -> None:
    address = ADDRESSES[what]
    literal = f"http://[{address}]/robots.txt" if ":" in address else f"http://{address}/robots.txt"
    resolver = ScriptedResolver({"a.example": [[PUBLIC]], "b.example": [[address]]})
    for location in (literal, "http://b.example/robots.txt"):
        moved = answer(b"moved", status=302, headers={"Location": location, "Connection": "close"})
        async with serve(always(moved, close=True)) as server:
            wire = Wire(default=server.port)
            async with http_web(FetchSettings(robots="on"), resolver=resolver, make_socket=wire.make) as web:
                with pytest.raises(WebError) as caught:
                    await web.fetch("http://a.example/")

        assert caught.value.code == "WEB_ROBOTS_DISALLOWED"
        assert ([request.target for request in server.requests], wire.dialled) == (["/robots.txt"], [PUBLIC])
        _hides(caught.value, address)


@pytest.mark.req("net:redirect:refused", "net:proxy:judged")
@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("what", ADDRESSES)
async def test_a_refused_address_is_never_redirected_to_through_a_proxy(what: str, *, trusted: bool) -> None:
    address = ADDRESSES[what]
    literal = f"http://[{address}]/b" if ":" in address else f"http://{address}/b"
    resolver = ScriptedResolver({"a.example": [[PUBLIC]], ONWARDS: [[address]]})
    for location in (literal,) if trusted else (literal, f"http://{ONWARDS}/b"):
        moved = answer(b"moved", status=302, headers={"Location": location})
        async with serve(forwarding({"http://a.example/": moved})) as proxy:
            way = ProxySettings(http=proxy.url, https=proxy.url, trusted=trusted)
            async with http_web(FetchSettings(proxy=way), resolver=resolver) as web:
                with pytest.raises(WebError) as caught:
                    await web.fetch("http://a.example/")

        assert caught.value.code == "WEB_BLOCKED_URL"
        assert [request.target for request in proxy.requests] == ["http://a.example/"]
        _hides(caught.value, address)


@pytest.mark.req("net:redirect:refused")
async def test_an_origin_that_resolves_inwards_for_its_next_hop_is_not_asked_again() -> None:
    resolver = ScriptedResolver({"a.example": [[PUBLIC], ["10.0.0.5"]]})
    moved = answer(b"", status=302, headers={"Location": "/b", "Connection": "close"})
    async with serve(always(moved, close=True)) as server:
        wire = Wire(default=server.port)
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            with pytest.raises(WebError, match="private_networks") as caught:
                await web.fetch("http://a.example/")

    assert caught.value.code == "WEB_BLOCKED_URL"
    assert (wire.dialled, len(server.requests), resolver.asked["a.example"]) == ([PUBLIC], 1, 2)
