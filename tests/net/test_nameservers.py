"""`fetch.nameservers` against a real DNS server: what counts as an answer, who is asked next, what a setting may be."""

import asyncio
import socket
from collections.abc import Sequence
from typing import Any

import pytest

from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, black_hole, http_web, serve
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings
from webseam.net.nameservers import Nameserver, NameserverResolver, parse_nameserver
from webseam.providers.fetch.http import HttpFetch
from webseam.testing.dns import DnsServer, DnsStep, Script

OTHER = "2606:4700:4700::1111"
PAGE = always(answer(b"<p>page</p>"))


def over(*servers: str, try_seconds: float = 5.0) -> NameserverResolver:
    """A resolver over loopback servers; ample time, so that only a test about silence meets it."""
    parsed = [one for one in map(parse_nameserver, servers) if one is not None]
    return NameserverResolver(parsed, try_seconds=try_seconds)


async def resolved(step: DnsStep | Sequence[str], host: str = "a.example") -> tuple[str, ...]:
    async with DnsServer({"a.example": [step]}) as server:
        return tuple(await over(server.address).resolve(host))


@pytest.mark.req("dialling:nameservers:used")
async def test_a_page_is_fetched_from_the_address_that_the_nameserver_gives() -> None:
    async with DnsServer({"a.example": [[PUBLIC]]}) as names, serve(PAGE) as server:
        wire = Wire(default=server.port)
        settings = FetchSettings(nameservers=(names.address,))
        async with http_web(settings, make_socket=wire.make) as web:
            page = await web.fetch("http://A.example/")

    assert page.status_code == 200
    assert wire.dialled == [PUBLIC]
    assert names.asked == {("a.example", "A"): 1, ("a.example", "AAAA"): 1}
    assert set(names.names) == {"a.example."}


@pytest.mark.req("dialling:nameservers:used")
async def test_a_private_answer_of_a_nameserver_is_refused_and_no_search_domain_is_tried() -> None:
    async with DnsServer({"a.example": [["10.0.0.5"]]}) as names:
        wire = Wire(default=1)
        async with http_web(FetchSettings(nameservers=(names.address,)), make_socket=wire.make) as web:
            codes = []
            for host in ("a.example", "missing.example"):
                with pytest.raises(WebError) as caught:
                    await web.fetch(f"http://{host}/")
                codes.append(caught.value.code)

    assert codes == ["WEB_BLOCKED_URL", "WEB_PROVIDER_ERROR"]
    assert wire.dialled == []
    assert {name for name, _ in names.asked} == {"a.example", "missing.example"}


@pytest.mark.req("dialling:nameservers:forged")
@pytest.mark.parametrize("way", ["id", "question", "bare", "garbage"])
async def test_a_forged_answer_that_comes_first_is_passed_over(way: Any) -> None:
    assert await resolved(DnsStep(answers=(PUBLIC, OTHER), forged=(way,) * 5)) == (OTHER, PUBLIC)


@pytest.mark.req("dialling:nameservers:forged")
async def test_a_flood_of_forged_answers_ends_the_question() -> None:
    with pytest.raises(socket.gaierror) as caught:
        await resolved(DnsStep(answers=(PUBLIC,), forged=("id",) * 100))
    assert caught.value.errno == socket.EAI_AGAIN


@pytest.mark.req("dialling:nameservers:forged")
async def test_a_tcp_answer_to_another_question_is_a_failure() -> None:
    with pytest.raises(socket.gaierror):
        await resolved(DnsStep(answers=(PUBLIC,), truncated=True, by_tcp="forged"))


@pytest.mark.req("dialling:nameservers:cut")
async def test_an_answer_that_was_cut_is_asked_for_by_tcp() -> None:
    many = tuple(f"93.184.0.{last}" for last in range(1, 201))
    assert await resolved(DnsStep(answers=(PUBLIC,), truncated=True)) == (PUBLIC,)
    assert sorted(await resolved(many)) == sorted(many)


@pytest.mark.req("dialling:nameservers:cut")
async def test_a_server_that_cuts_and_has_no_tcp_answer_fails() -> None:
    with pytest.raises(socket.gaierror) as caught:
        await resolved(DnsStep(answers=(PUBLIC,), truncated=True, by_tcp="close"))
    assert caught.value.errno == socket.EAI_AGAIN


@pytest.mark.req("dialling:nameservers:aliases")
async def test_aliases_lead_to_the_addresses_at_their_end() -> None:
    assert await resolved(DnsStep(answers=(PUBLIC,), aliases=("b.example", "c.example"))) == (PUBLIC,)


@pytest.mark.req("dialling:nameservers:aliases")
@pytest.mark.parametrize(
    "aliases",
    [("b.example", "a.example"), tuple(f"n{number}.example" for number in range(17)), ("a.example",)],
    ids=["loop", "long", "itself"],
)
async def test_a_chain_of_aliases_without_end_is_a_failure(aliases: tuple[str, ...]) -> None:
    with pytest.raises(socket.gaierror) as caught:
        await resolved(DnsStep(aliases=aliases))
    assert caught.value.errno == socket.EAI_AGAIN


@pytest.mark.req("dialling:nameservers:next")
@pytest.mark.parametrize("rcode", ["SERVFAIL", "REFUSED", "FORMERR", "NOTIMP"])
async def test_a_server_that_fails_is_followed_by_the_next(rcode: str) -> None:
    async with DnsServer({"*": [DnsStep(rcode=rcode)]}) as broken, DnsServer({"*": [[PUBLIC]]}) as sound:
        assert await over(broken.address, sound.address).resolve("a.example") == (PUBLIC,)


@pytest.mark.req("dialling:nameservers:next")
async def test_a_server_that_cannot_be_reached_is_followed_by_the_next() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        async with DnsServer({"*": [[PUBLIC]]}) as sound:
            closed = f"127.0.0.1:{nobody.getsockname()[1]}"
            assert await over(closed, sound.address).resolve("a.example") == (PUBLIC,)


@pytest.mark.req("dialling:nameservers:next")
async def test_a_silent_server_is_followed_by_the_next_and_silence_of_all_is_a_timeout() -> None:
    async with DnsServer({"*": [DnsStep(silent=True)]}) as silent, DnsServer({"*": [[PUBLIC]]}) as sound:
        assert await over(silent.address, sound.address, try_seconds=0.05).resolve("a.example") == (PUBLIC,)
        with pytest.raises(TimeoutError):
            await over(silent.address, try_seconds=0.02).resolve("a.example")
    assert silent.asked["a.example", "A"] == 1 + 4


@pytest.mark.req("dialling:nameservers:next")
async def test_a_failing_server_is_asked_once_more_at_most_and_a_missing_name_once() -> None:
    async with DnsServer({"a.example": [DnsStep(rcode="SERVFAIL")]}) as server:
        resolver = over(server.address)
        for host in ("a.example", "b.example"):
            with pytest.raises(socket.gaierror):
                await resolver.resolve(host)
    assert server.asked["a.example", "A"] == 2
    assert server.asked["b.example", "A"] == 1


@pytest.mark.req("dialling:nameservers:family")
@pytest.mark.parametrize("broken", ["A", "AAAA"])
@pytest.mark.parametrize("other", [DnsStep(silent=True), DnsStep(rcode="SERVFAIL"), DnsStep(rcode="NXDOMAIN")])
async def test_one_family_that_fails_does_not_keep_the_other(other: DnsStep, broken: str) -> None:
    async with DnsServer({f"a.example {broken}": [other], "a.example": [[PUBLIC, OTHER]]}) as server:
        assert await over(server.address).resolve("a.example") == (OTHER if broken == "A" else PUBLIC,)


async def test_a_name_without_addresses_does_not_resolve() -> None:
    with pytest.raises(socket.gaierror) as caught:
        await resolved(())
    assert caught.value.errno == socket.EAI_NONAME


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example", ".".join(["abcdefgh"] * 32)])
async def test_a_name_that_dns_cannot_hold_is_never_asked(host: str) -> None:
    async with DnsServer({"*": [[PUBLIC]]}) as server:
        with pytest.raises(UnicodeError):
            await over(server.address).resolve(host)
    assert server.names == []


@pytest.mark.req("dialling:nameservers:setting")
@pytest.mark.parametrize(
    ("text", "address", "port"),
    [
        ("9.9.9.9", "9.9.9.9", 53),
        ("127.0.0.1:5353", "127.0.0.1", 5353),
        ("2620:fe::fe", "2620:fe::fe", 53),
        ("[2620:fe::fe]", "2620:fe::fe", 53),
        ("[2620:fe::fe]:65535", "2620:fe::fe", 65535),
    ],
)
def test_a_nameserver_is_an_address_with_or_without_a_port(text: str, address: str, port: int) -> None:
    assert parse_nameserver(text) == Nameserver(address=address, port=port)


BAD = (
    "",
    "dns.example",
    "9.9.9",
    "9.9.9.9:",
    "9.9.9.9:0",
    "9.9.9.9:65536",
    "9.9.9.9:5\u0663",
    "[::1]x",
    "[::1]:",
    "::1]:5",
)


@pytest.mark.req("dialling:nameservers:setting")
@pytest.mark.parametrize("text", BAD)
def test_anything_else_is_a_configuration_error(text: str) -> None:
    assert parse_nameserver(text) is None
    with pytest.raises(WebError, match=r"fetch\.nameservers") as caught:
        HttpFetch(settings=FetchSettings(nameservers=(text,)))
    assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.mark.req("dialling:connect:staggered")
@pytest.mark.parametrize("dead", ["timeout", "refused"])
async def test_a_dead_ipv6_address_does_not_cost_the_deadline(dead: str) -> None:
    black_hole()
    async with DnsServer({"a.example": [[OTHER, PUBLIC]]}) as names, serve(PAGE) as server:
        wire = Wire(default=server.port, routes={OTHER: dead})
        patient = FetchSettings(nameservers=(names.address,), connect_seconds=3600.0, dns_seconds=3600.0)
        async with http_web(patient, make_socket=wire.make) as web:
            page = await web.fetch("http://a.example/")

    assert page.status_code == 200
    assert wire.dialled == [OTHER, PUBLIC]


@pytest.mark.req("dialling:connect:staggered")
async def test_the_second_address_tried_is_of_the_other_family_however_many_are_dead() -> None:
    dead = ["2606:4700::1", "2606:4700::2", "2606:4700::3"]
    async with DnsServer({"a.example": [[*dead, PUBLIC]]}) as names, serve(PAGE) as server:
        wire = Wire(default=server.port, routes=dict.fromkeys(dead, "timeout"))
        patient = FetchSettings(nameservers=(names.address,), connect_seconds=3600.0, dns_seconds=3600.0)
        async with http_web(patient, make_socket=wire.make) as web:
            page = await web.fetch("http://a.example/")

    assert page.status_code == 200
    assert [address in dead for address in wire.dialled] == [True, False]


@pytest.mark.req("dialling:connect:staggered")
async def test_three_dead_addresses_leave_time_for_the_fourth_and_no_fifth_is_tried() -> None:
    answers = [f"93.184.215.{last}" for last in range(1, 7)]
    async with serve(PAGE) as server:
        wire = Wire(default=server.port, routes=dict.fromkeys(answers[:3], "timeout"))
        patient = FetchSettings(connect_seconds=3600.0)
        resolver = ScriptedResolver({"*": [answers]})
        async with http_web(patient, resolver=resolver, make_socket=wire.make) as web:
            page = await web.fetch("http://a.example/")
        alive, wire.default = wire.default, None
        async with http_web(patient, resolver=resolver, make_socket=wire.make) as web:
            wire.routes.clear()
            with pytest.raises(WebError):
                await web.fetch("http://a.example/")

    assert page.status_code == 200
    assert alive == server.port
    assert wire.dialled == answers[:4] * 2


@pytest.mark.req("dialling:line:fair")
async def test_a_page_is_fetched_while_the_names_of_a_hundred_others_hang() -> None:
    scripts: dict[str, Script] = {"h*.example": [DnsStep(silent=True)], "a.example": [[PUBLIC]]}
    async with DnsServer(scripts) as names, serve(PAGE) as server:
        wire = Wire(default=server.port)
        settings = FetchSettings(nameservers=(names.address,), dns_seconds=3600.0)
        async with http_web(settings, make_socket=wire.make) as web:
            hanging = [asyncio.create_task(web.fetch(f"http://h{number}.example/")) for number in range(100)]
            await asyncio.sleep(0)
            page = await web.fetch("http://a.example/")
            assert not any(task.done() for task in hanging)
            for task in hanging:
                task.cancel()
            await asyncio.wait(hanging)

    assert page.status_code == 200
    assert len({name for name, kind in names.asked if kind == "A"}) == 101
