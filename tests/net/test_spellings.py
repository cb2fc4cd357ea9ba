"""However a refused host is spelled it is refused unseen, and what is allowed reaches the server as it was meant."""

import asyncio
from ipaddress import IPv6Address

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.net import PUBLIC, ScriptedResolver, Server, Wire, always, answer, serve
from support.spellings import (
    REFUSED_V4,
    REFUSED_V6,
    Legitimate,
    embeddings,
    legitimate,
    refused_hosts,
    refused_urls,
)
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings
from webseam.core.types import FetchRequest
from webseam.core.url import Url, web_url
from webseam.net.client import client_url
from webseam.net.policy import AddressPolicy
from webseam.net.redirects import next_hop, refuse_foreign
from webseam.providers.fetch.http import HttpFetch

POLICY = AddressPolicy.of(FetchSettings())
EMBEDDED = tuple(inside for one in REFUSED_V4 for inside in embeddings(one))
PAGE = Url.parse("https://site.example/page")


@pytest.mark.req("safety:spelling:refused")
@pytest.mark.parametrize(
    "address", [*REFUSED_V6, *(inside for one in REFUSED_V4 for inside in embeddings(one))], ids=str
)
def test_every_refused_address_is_refused_in_every_embedding(address: IPv6Address) -> None:
    with pytest.raises(WebError) as caught:
        POLICY.check_target(web_url(f"http://[{address}]/"))

    assert caught.value.code == "WEB_BLOCKED_URL"


@pytest.mark.req("net:url:verdicts", "safety:spelling:refused")
@settings(deadline=None)
@given(refused_urls())
@example("http://0x/")
@example("http://\u2460\u2461\u2466.\u2080.\u2070.\u00b9/")
@example("http://[::ffff:7f00:1]:80/")
def test_every_spelling_of_a_refused_host_is_refused_and_nothing_is_asked_or_dialled(url: str) -> None:
    resolver, wire = ScriptedResolver({"*": [[PUBLIC]]}), Wire()
    fetch = HttpFetch(resolver=resolver, make_socket=wire.make)
    with pytest.raises(WebError) as caught:
        asyncio.run(fetch.fetch(FetchRequest(url=url), call=Call()))

    assert caught.value.code == "WEB_BLOCKED_URL"
    assert caught.value.dispatched is False
    assert (resolver.asked, wire.dialled) == ({}, [])


@pytest.mark.req("safety:spelling:refused")
@given(refused_hosts())
def test_every_spelling_of_a_refused_host_is_refused_as_a_redirect_target(host: str) -> None:
    with pytest.raises(WebError) as caught:
        POLICY.check_target(next_hop(PAGE, 302, f"//{host}/", followed=0, allowed=5))

    assert caught.value.code == "WEB_BLOCKED_URL"


@pytest.mark.req("safety:spelling:refused")
@given(refused_urls())
def test_a_redirect_to_a_refused_url_is_refused_or_reads_as_a_path_of_the_same_site(url: str) -> None:
    try:
        target: Url | WebError = _followed(url)
    except WebError as error:
        target = error

    if isinstance(target, WebError):
        assert target.code == "WEB_BLOCKED_URL"
    else:  # `https:10.0.0.5` on an https page has no authority (WHATWG URL, "special relative or authority")
        assert target.origin == PAGE.origin


def _followed(location: str) -> Url:
    target = next_hop(PAGE, 302, location, followed=0, allowed=5)
    POLICY.check_target(target)
    refuse_foreign(PAGE, target, frozenset())
    return target


@pytest.mark.req("net:url:reach", "safety:spelling:reached")
@given(legitimate())
def test_a_legitimate_url_means_to_the_client_what_it_was_built_of(made: Legitimate) -> None:
    url = web_url(made.text)
    POLICY.check_target(url)
    target = client_url(url)

    assert (target.scheme, target.raw_host, target.port) == (made.scheme, made.host.strip("[]"), made.port)
    assert target.raw_path_qs == url.path + url.query
    assert Url.parse(str(target)).path == url.path


@pytest.mark.req("net:url:reach", "safety:spelling:reached")
@settings(deadline=None)
@given(legitimate().filter(lambda made: made.scheme == "http"))
def test_a_legitimate_url_reaches_its_server_with_the_host_and_port_it_was_built_of(made: Legitimate) -> None:
    server, wire = asyncio.run(_fetched(made))

    assert [request.host for request in server.requests] == [made.shown]
    assert wire.dialled == [made.literal or PUBLIC]


async def _fetched(made: Legitimate) -> tuple[Server, Wire]:
    """Only the judged address and port lead to the server."""
    async with serve(always(answer(b"<p>reached</p>"), close=True)) as server:
        wire = Wire(routes={(made.literal or PUBLIC, made.port): server.port})
        fetch = HttpFetch(resolver=ScriptedResolver({made.host: [[PUBLIC]]}), make_socket=wire.make)
        await fetch.fetch(FetchRequest(url=made.text), call=Call())
        await fetch.aclose()
    return server, wire


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
