"""The dial guard, asked directly for what no caller should ever ask."""

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import aiohttp
import pytest

from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, http_web, serve
from webseam.core.call import Dispatch
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings
from webseam.core.url import Url
from webseam.net.addresses import parse_address
from webseam.net.client import client_url
from webseam.net.guard import HOP, CountedSocket, DialRefusedError, GuardedConnector, Hop, JudgingResolver, plain_socket
from webseam.net.policy import AddressPolicy
from webseam.net.resolver import dial_order, look_up

PAGE = always(answer(b"<p>x</p>"))


@contextmanager
def running(hop: Hop) -> Iterator[None]:
    """Make `hop` the running request of this task, as the client does around its one call."""
    token = HOP.set(hop)
    try:
        yield
    finally:
        HOP.reset(token)


def _hop(**fields: object) -> Hop:
    facts: dict[str, object] = {
        "host": "a.example",
        "port": 80,
        "policy": AddressPolicy(),
        "resolver": ScriptedResolver({"*": [[PUBLIC]]}),
        "dns_seconds": 1.0,
        "dispatch": Dispatch(),
    }
    return Hop(**(facts | fields))  # type: ignore[arg-type] # a table of fields


@pytest.mark.req("net:guard:unannounced")
async def test_a_session_on_the_guard_dials_nothing_that_no_request_announced() -> None:
    async with serve(PAGE) as server, aiohttp.ClientSession(connector=GuardedConnector()) as session:
        with pytest.raises(aiohttp.ClientError):
            await session.get(server.url)
        with running(_hop()), pytest.raises(aiohttp.ClientError):
            await session.get(server.url)
        with running(_hop()), pytest.raises(aiohttp.ClientError):
            await session.get(f"http://localhost:{server.port}/")

    assert server.connections == 0


@pytest.mark.req("net:guard:unannounced")
async def test_an_address_is_judged_once_more_by_the_socket_factory() -> None:
    hop = _hop(host="127.0.0.1", judged=(parse_address("127.0.0.1"),))
    async with serve(PAGE) as server, aiohttp.ClientSession(connector=GuardedConnector()) as session:
        hop.port = server.port
        with running(hop), pytest.raises(aiohttp.ClientError):
            await session.get(server.url)

    assert hop.verdict is not None
    assert hop.verdict.code == "WEB_BLOCKED_URL"
    assert server.connections == 0


@pytest.mark.req("net:guard:unannounced")
async def test_a_peer_that_is_not_the_judged_address_ends_the_request_before_a_byte_is_sent() -> None:
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with serve(PAGE) as server:
        wire = Wire(default=server.port, peers={PUBLIC: "127.0.0.1"})
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            with pytest.raises(WebError, match="not judged") as caught:
                await web.fetch("http://a.example/")

    assert caught.value.dispatched is False
    assert server.requests == []


async def test_the_resolver_answers_for_the_announced_host_only_and_asks_once() -> None:
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    hop = _hop(resolver=resolver)
    with running(hop):
        first = await JudgingResolver().resolve("a.example.", 80)
        second = await JudgingResolver().resolve("a.example", 80)
        with pytest.raises(DialRefusedError):
            await JudgingResolver().resolve("b.example", 80)

    assert [row["host"] for row in first] == [row["host"] for row in second] == [PUBLIC]
    assert resolver.asked == {"a.example": 1}


def test_at_most_four_addresses_are_dialled_with_families_interleaved() -> None:
    answers = ["2606::1", "2606::2", "2606::3", "1.1.1.1", "1.1.1.2", "1.1.1.1"]
    parsed = [one for one in map(parse_address, answers) if one is not None]

    assert [str(one) for one in dial_order(parsed)] == ["2606::1", "1.1.1.1", "2606::2", "1.1.1.2"]


@pytest.mark.parametrize("host", ["a.example", "A.EXAMPLE", "a.example.", "[::1]", "1.2.3.4", "b\u00fccher.example"])
def test_the_client_sees_the_host_that_was_judged(host: str) -> None:
    url = Url.parse(f"http://{host}:81/p?q=%zz")
    target = client_url(url)

    assert (target.raw_host, target.port) == (url.name, 81)


async def test_a_resolver_that_raises_anything_known_ends_in_a_typed_error() -> None:
    class Odd:
        async def resolve(self, host: str, /) -> list[str]:
            raise {"u": UnicodeError("idna"), "o": OSError("down"), "g": socket.gaierror(socket.EAI_AGAIN, "x")}[
                host[0]
            ]

    codes = []
    for host in ("unicode", "os", "gai"):
        with pytest.raises(WebError) as caught:
            await look_up(Odd(), host, 1.0)
        codes.append((caught.value.code, caught.value.retryable))
    assert codes == [("WEB_INVALID_URL", False), ("WEB_PROVIDER_ERROR", False), ("WEB_PROVIDER_ERROR", True)]


@pytest.mark.req("net:failures:named")
@pytest.mark.parametrize(
    ("number", "told"),
    [
        (socket.EAI_NONAME, "no such host is known"),
        (socket.EAI_FAIL, "the resolver failed; try again"),
        (socket.EAI_MEMORY, "the resolver failed; try again"),
        (socket.EAI_SYSTEM, "the resolver failed; try again"),
    ],
)
async def test_only_a_resolver_that_says_so_makes_a_name_unknown(number: int, told: str) -> None:
    class Failing:
        async def resolve(self, _host: str, /) -> list[str]:
            raise socket.gaierror(number, "10.0.0.1 said so")

    with pytest.raises(WebError, match=told) as caught:
        await look_up(Failing(), "site.example", 1.0)
    assert caught.value.retryable is (number != socket.EAI_NONAME)
    assert caught.value.message.startswith("The name site.example did not resolve: ")
    assert "10.0.0.1" not in caught.value.message


@pytest.mark.req("net:failures:named")
@pytest.mark.parametrize("addresses", [[PUBLIC], [PUBLIC, "93.184.215.15"]])
@pytest.mark.parametrize(
    ("number", "told"),
    [(errno.EMFILE, "this process has too many files"), (errno.ENFILE, "this machine has too many files")],
)
async def test_a_process_that_can_make_no_socket_does_not_blame_the_host(
    number: int, told: str, addresses: list[str]
) -> None:
    def spent(_info: Any) -> CountedSocket:
        raise OSError(number, "spent")

    resolver = ScriptedResolver({"site.example": [addresses]})
    async with http_web(FetchSettings(), resolver=resolver, make_socket=spent) as web:
        with pytest.raises(WebError, match=told) as caught:
            await web.fetch("http://site.example/")
    assert (caught.value.dispatched, caught.value.retryable) == (False, True)


def test_a_socket_of_ours_is_a_real_one() -> None:
    with plain_socket((socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", 1))) as made:
        assert made.budget > 0
