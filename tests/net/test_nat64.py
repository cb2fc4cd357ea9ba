"""NAT64: what leads to IPv4 is judged by the IPv4 address inside, whichever prefix a network translates by."""

import asyncio
import socket
from collections.abc import Awaitable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, http_web, serve
from support.proxy import forwarding
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings, ProxySettings
from webseam.net.addresses import is_metadata, refusal
from webseam.net.nat64 import DISCOVERY_NAME, Nat64, embedded, prefixes_in, refusal_behind
from webseam.net.policy import AddressPolicy
from webseam.testing import ManualClock
from webseam.testing.dns import DnsServer, Script

LENGTHS = (32, 40, 48, 56, 64, 96)
PAGE = always(answer(b"<p>page</p>"))


def behind(prefix: str, length: int, inner: str) -> IPv6Address:
    """RFC 6052 section 2.2, octet by octet: the IPv4 address after the prefix, octet 8 left out."""
    octets = bytearray(IPv6Address(prefix).packed)
    at = length // 8
    for octet in IPv4Address(inner).packed:
        at += at == 8 and length != 96
        octets[at] = octet
        at += 1
    return IPv6Address(bytes(octets))


@pytest.mark.req("dialling:nat64:judged")
@pytest.mark.parametrize(
    ("length", "address"),
    [
        (32, "2001:db8:c000:221::"),
        (40, "2001:db8:1c0:2:21::"),
        (48, "2001:db8:122:c000:2:2100::"),
        (56, "2001:db8:122:3c0:0:221::"),
        (64, "2001:db8:122:344:c0:2:2100::"),
        (96, "2001:db8:122:344::192.0.2.33"),
    ],
)
def test_the_examples_of_the_rfc_hold_their_address(length: int, address: str) -> None:
    assert embedded(IPv6Address(address), length) == IPv4Address("192.0.2.33")


@pytest.mark.req("dialling:nat64:judged")
@given(inner=st.ip_addresses(v=4), length=st.sampled_from(LENGTHS), network=st.integers(0, 0xFFFFFF))
def test_an_address_behind_a_discovered_prefix_is_judged_by_what_is_inside(
    inner: IPv4Address, length: int, network: int
) -> None:
    prefix = str(IPv6Address((0x2A << 120) | (network << 96)))
    found = prefixes_in([behind(prefix, length, "192.0.0.170")])
    address = behind(prefix, length, str(inner))

    assert found == (IPv6Network((prefix, length)),)
    assert embedded(address, length) == inner
    assert (refusal_behind(address, found) is None) == (refusal(inner) is None and not is_metadata(address))


@pytest.mark.req("dialling:nat64:exception")
@pytest.mark.parametrize(
    ("address", "prefixes"),
    [
        ("64:ff9b::10.20.0.1", ()),
        ("2a00:1::10.20.0.1", (IPv6Network("2a00:1::/96"),)),
        ("2a00:1::5efe:10.20.0.1", ()),
    ],
)
def test_the_range_that_a_refusal_names_opens_what_leads_there_and_nothing_beside_it(
    address: str, prefixes: tuple[IPv6Network, ...]
) -> None:
    judged = IPv6Address(address)
    with pytest.raises(WebError, match=r"\(10\.0\.0\.0/8\).*add its range to fetch\.private_networks"):
        AddressPolicy().judge("site.example", judged, prefixes)

    AddressPolicy(networks=(IPv4Network("10.20.0.0/16"),)).judge("site.example", judged, prefixes)
    with pytest.raises(WebError):
        AddressPolicy(networks=(IPv4Network("10.21.0.0/16"),)).judge("site.example", judged, prefixes)


@pytest.mark.req("dialling:nat64:exception")
@pytest.mark.parametrize(
    "address", ["64:ff9b::169.254.169.254", "2a00:1::5efe:169.254.169.254", "2a00:1::100.100.100.200"]
)
def test_no_range_opens_a_metadata_address_behind_a_translator(address: str) -> None:
    every = AddressPolicy(networks=(IPv4Network("0.0.0.0/0"), IPv6Network("::/0")))
    with pytest.raises(WebError, match="No setting opens it"):
        every.judge("site.example", IPv6Address(address), (IPv6Network("2a00:1::/96"),))


@pytest.mark.req("dialling:nat64:discovery")
@pytest.mark.parametrize(
    ("answers", "prefixes"),
    [
        (["64:ff9b::192.0.0.170", "64:ff9b::192.0.0.171", "192.0.0.170"], ["64:ff9b::/96"]),
        (["64:ff9b:1::192.0.0.170"], ["64:ff9b:1::/96"]),
        (["fd00:64::192.0.0.171"], ["fd00:64::/96"]),
        (["2a00:1::192.0.0.170", "2a00:2::192.0.0.170"], ["2a00:1::/96", "2a00:2::/96"]),
        (["fd00:64:c000:aa::"], []),
        (["::192.0.0.170", "::ffff:192.0.0.170", "fe80::192.0.0.170", "ff02::192.0.0.170"], []),
        (["2a00:0:c000:aa::192.0.0.170"], []),
        (["2a00::1", "192.0.0.170"], []),
        (["2a00::ff:0:192.0.0.170"], ["2a00::ff:0:0:0/96"]),
        (["2a00::100:0:192.0.0.170"], []),
        (["2a00:0:0:0:ff00::192.0.0.170"], []),
        ([f"2a00:{number}::192.0.0.170" for number in range(9)], [f"2a00:{number}::/96" for number in range(4)]),
    ],
)
def test_prefixes_are_read_from_the_answers_for_the_discovery_name(answers: list[str], prefixes: list[str]) -> None:
    parsed = [IPv6Address(one) if ":" in one else IPv4Address(one) for one in answers]
    assert list(prefixes_in(parsed)) == [IPv6Network(prefix) for prefix in prefixes]


async def fetched(address: str, discovery: Sequence[str], url: str = "http://a.example/") -> tuple[str, list[str]]:
    """The outcome of one fetch in a network whose resolver answers so; and what was dialled."""
    scripts: dict[str, Script] = {"a.example": [[address]], DISCOVERY_NAME: [discovery]}
    async with DnsServer(scripts) as names, serve(PAGE) as server:
        wire = Wire(default=server.port)
        async with http_web(FetchSettings(nameservers=(names.address,)), make_socket=wire.make) as web:
            try:
                await web.fetch(url)
            except WebError as error:
                return error.code, wire.dialled
    return "ok", wire.dialled


@pytest.mark.req("dialling:nat64:judged")
@pytest.mark.parametrize(
    ("address", "discovery", "outcome"),
    [
        ("64:ff9b::93.184.215.14", [], "ok"),
        ("64:ff9b::10.0.0.1", [], "WEB_BLOCKED_URL"),
        ("64:ff9b:1::93.184.215.14", [], "WEB_BLOCKED_URL"),
        ("64:ff9b:1::93.184.215.14", ["64:ff9b:1::192.0.0.170"], "ok"),
        ("64:ff9b:1::10.0.0.1", ["64:ff9b:1::192.0.0.170"], "WEB_BLOCKED_URL"),
        ("fd00:64::93.184.215.14", ["fd00:64::192.0.0.170"], "ok"),
        ("fd00:65::93.184.215.14", ["fd00:64::192.0.0.170"], "WEB_BLOCKED_URL"),
        ("2a00:64::93.184.215.14", ["2a00:64::192.0.0.170"], "ok"),
        ("2a00:64::127.0.0.1", ["2a00:64::192.0.0.170"], "WEB_BLOCKED_URL"),
        ("2a00:64::192.168.1.1", ["2a00:64::192.0.0.170"], "WEB_BLOCKED_URL"),
        ("2a00:64::169.254.169.254", ["2a00:64::192.0.0.170"], "WEB_BLOCKED_URL"),
        ("2a00:64::127.0.0.1", ["2a00:65::192.0.0.170"], "ok"),
    ],
)
async def test_a_network_that_translates_is_reached_and_its_inside_is_not(
    address: str, discovery: list[str], outcome: str
) -> None:
    got, dialled = await fetched(address, discovery)
    assert got == outcome
    assert dialled == ([str(IPv6Address(address))] if outcome == "ok" else [])


@pytest.mark.req("dialling:nat64:judged")
async def test_a_literal_behind_a_discovered_prefix_is_judged_by_its_inside_too() -> None:
    discovery = ["2a00:64::192.0.0.170"]
    assert await fetched(PUBLIC, discovery, "http://[2a00:64::10.0.0.1]/") == ("WEB_BLOCKED_URL", [])
    assert (await fetched(PUBLIC, discovery, "http://[2a00:64::93.184.215.14]/"))[0] == "ok"


@pytest.mark.req("dialling:nat64:discovery")
async def test_the_prefixes_are_asked_for_once_and_only_before_an_ipv6_address_is_dialled() -> None:
    closing = always(answer(b"<p>page</p>", headers={"Connection": "close"}), close=True)
    resolver = ScriptedResolver({"four.example": [[PUBLIC]], "six.example": [["2606:4700::1"]], DISCOVERY_NAME: [[]]})
    async with serve(closing) as server:
        wire = Wire(default=server.port)
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            await web.fetch("http://four.example/")
            await web.fetch(f"http://{PUBLIC}/")
            assert resolver.asked[DISCOVERY_NAME] == 0
            await asyncio.gather(*(web.fetch(f"http://six.example/{number}") for number in range(5)))

    assert resolver.asked[DISCOVERY_NAME] == 1
    assert resolver.asked["six.example"] == 5


class Failing:
    """Answers once, then fails as told."""

    def __init__(self, failure: Exception) -> None:
        self.failure = failure
        self.asked = 0

    async def resolve(self, _host: str, /) -> Sequence[str]:
        self.asked += 1
        if self.asked > 1:
            raise self.failure
        return ("2a00:64::192.0.0.170",)


@pytest.mark.req("dialling:nat64:discovery")
@pytest.mark.parametrize(
    ("failure", "kept", "again_after"),
    [
        (socket.gaierror(socket.EAI_NONAME, "no such name"), False, 600),
        (socket.gaierror(socket.EAI_AGAIN, "later"), True, 10),
        (TimeoutError(), True, 10),
        (UnicodeError("odd"), True, 10),
    ],
)
async def test_what_was_known_holds_while_the_resolver_fails_and_is_asked_for_again(
    failure: Exception, *, kept: bool, again_after: float
) -> None:
    clock, resolver = ManualClock(), Failing(failure)
    nat64, six = Nat64(clock), [IPv6Address("2a00:64::1")]
    first = await nat64.prefixes(resolver, six)
    clock.advance(599)
    assert await nat64.prefixes(resolver, six) == first == (IPv6Network("2a00:64::/96"),)
    assert resolver.asked == 1
    clock.advance(1)
    assert await nat64.prefixes(resolver, six) == (first if kept else ())
    clock.advance(again_after - 1)
    await nat64.prefixes(resolver, six)
    assert resolver.asked == 2
    clock.advance(1)
    await nat64.prefixes(resolver, six)
    assert resolver.asked == 3


@pytest.mark.req("dialling:nat64:proxy")
@pytest.mark.parametrize(
    ("address", "outcome"),
    [("2a00:64::10.0.0.1", "WEB_BLOCKED_URL"), ("2a00:64::93.184.215.14", "ok"), ("2a00:65::10.0.0.1", "ok")],
)
@pytest.mark.parametrize("literal", [False, True])
async def test_before_a_proxy_an_address_is_judged_by_its_inside_too(
    address: str, outcome: str, *, literal: bool
) -> None:
    url = f"http://[{IPv6Address(address)}]/" if literal else "http://a.example/"
    resolver = ScriptedResolver({"a.example": [[address]], DISCOVERY_NAME: [["2a00:64::192.0.0.170"]]})
    page = answer(b"<p>page</p>")
    async with serve(forwarding({url: page})) as proxy:
        settings = FetchSettings(proxy=ProxySettings(http=proxy.url, https=proxy.url))
        async with http_web(settings, resolver=resolver) as web:
            got = await code_of(web.fetch(url))

    assert got == outcome
    assert proxy.connections == (1 if outcome == "ok" else 0)


@pytest.mark.req("dialling:nat64:proxy")
async def test_a_trusted_proxy_is_still_not_sent_to_a_literal_with_a_private_inside() -> None:
    resolver = ScriptedResolver({DISCOVERY_NAME: [["2a00:64::192.0.0.170"]]})
    async with serve(forwarding({})) as proxy:
        settings = FetchSettings(proxy=ProxySettings(http=proxy.url, https=proxy.url, trusted=True))
        async with http_web(settings, resolver=resolver) as web:
            got = await code_of(web.fetch("http://[2a00:64::10.0.0.1]/"))

    assert (got, proxy.connections) == ("WEB_BLOCKED_URL", 0)


async def code_of(fetch: Awaitable[object]) -> str:
    try:
        await fetch
    except WebError as error:
        return error.code
    return "ok"
