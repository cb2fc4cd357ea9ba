"""However a blocked address is spelled it is refused unseen, and what is allowed reaches the client as judged."""

import asyncio
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from support.net import ScriptedResolver, Wire
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.types import FetchRequest
from webseam.core.url import Url, web_url
from webseam.net.client import client_url
from webseam.providers.fetch.http import HttpFetch

BLOCKED = tuple(
    map(
        IPv4Address,
        (
            "0.0.0.0",
            "10.0.0.5",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.168.1.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
        ),
    )
)
WIDE = str.maketrans("0123456789abcdefx.", "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19"
                     "\uff41\uff42\uff43\uff44\uff45\uff46\uff58\u3002")  # fmt: skip


@st.composite
def _numbers(draw: DrawFn, address: IPv4Address) -> str:
    """One to four numbers in any base (WHATWG URL, IPv4 parser), the last one filling the rest."""
    raw = address.packed
    count = draw(st.integers(1, 4))
    values = [*raw[: count - 1], int.from_bytes(raw[count - 1 :])]
    bases = st.sampled_from(("{}", "0x{:x}", "0X{:X}", "0x000{:x}", "0{:o}", "000{:o}"))
    return ".".join(draw(bases).format(value) for value in values) + draw(st.sampled_from(("", ".")))


@st.composite
def _disguised(draw: DrawFn, text: str) -> str:
    """Characters percent-encoded or made wide, as the host parser undoes (UTS 46)."""
    ways = st.sampled_from(("as is", "as is", "percent", "wide", "upper"))
    made = []
    for char in text:
        way = draw(ways)
        made.append(
            {"percent": f"%{ord(char):02x}", "wide": char.translate(WIDE), "upper": char.upper()}.get(way, char)
        )
    return "".join(made)


@st.composite
def _embedded(draw: DrawFn, address: IPv4Address) -> str:
    """The address inside an IPv6 one: mapped, compatible, translated, NAT64, 6to4, ISATAP."""
    low = int(address)
    value = draw(
        st.sampled_from(
            (
                low,
                0xFFFF << 32 | low,
                0xFFFF << 48 | low,
                0x64FF9B << 96 | low,
                0x2002 << 112 | low << 80 | 1,
                0x2606_2800 << 96 | 0x5EFE << 32 | low,
            )
        )
    )
    six = IPv6Address(value)
    dotted = f"{IPv6Address(value >> 32 << 32).exploded.rsplit(':', 2)[0]}:{IPv4Address(value & 0xFFFFFFFF)}"
    return f"[{draw(st.sampled_from((str(six), six.exploded, six.exploded.upper(), dotted)))}]"


@st.composite
def _blocked_urls(draw: DrawFn) -> str:
    address = draw(st.sampled_from(BLOCKED))
    host = draw(st.one_of(_numbers(address).flatmap(_disguised), _embedded(address)))
    scheme = draw(st.sampled_from(("http", "https", "HTTP", "h\tttp")))
    slashes = draw(st.sampled_from(("://", ":/", ":", ":\\\\", ":////", ":/\n/")))
    port = draw(st.sampled_from(("", ":", ":80", ":8080", ":65535", ":000443")))
    around = draw(st.sampled_from(("", " ", "\x00", "\n")))
    return f"{around}{scheme}{slashes}{host}{port}{draw(st.sampled_from(('', '/', '/a?b#c', '?x', chr(92))))}{around}"


@pytest.mark.req("net:url:verdicts")
@given(_blocked_urls())
def test_every_spelling_of_a_blocked_address_is_refused_and_nothing_is_asked_or_dialled(url: str) -> None:
    resolver, wire = ScriptedResolver({"*": [["93.184.215.14"]]}), Wire()
    fetch = HttpFetch(resolver=resolver, make_socket=wire.make)
    with pytest.raises(WebError) as caught:
        asyncio.run(fetch.fetch(FetchRequest(url=url), call=Call()))

    assert caught.value.code == "WEB_BLOCKED_URL"
    assert caught.value.dispatched is False
    assert (resolver.asked, wire.dialled) == ({}, [])


LABELS = st.text("abcxyz019-\u00e9\u00df\u4e2d\uff41", min_size=1, max_size=12).filter(lambda label: label[0] != "-")


@pytest.mark.req("net:url:reach")
@given(
    host=st.lists(LABELS, min_size=1, max_size=4).map(lambda labels: ".".join([*labels, "example"])),
    dot=st.sampled_from(("", ".")),
    scheme=st.sampled_from(("http", "https")),
    port=st.one_of(st.just(""), st.integers(1, 65_535).map(lambda number: f":{number}")),
    rest=st.text(max_size=30),
)
def test_a_url_reaches_the_client_with_the_host_port_and_path_that_were_judged(
    host: str, dot: str, scheme: str, port: str, rest: str
) -> None:
    try:
        url = web_url(f"{scheme}://{host}{dot}{port}/{rest}")
    except WebError:
        return  # no URL, which the verdict tests are about
    target = client_url(url)

    assert (target.scheme, target.raw_host, target.port) == (url.scheme, url.name, url.port)
    assert target.raw_path_qs == url.path + url.query
    assert Url.parse(str(target)).path == url.path
