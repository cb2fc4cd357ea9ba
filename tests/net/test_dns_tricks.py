"""Answers made to slip past the judgement: by their number, by aliases, in company, and over kept connections."""

import asyncio

import pytest

from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, http_web, serve
from support.refused import ADDRESSES
from webseam.core.errors import WebError
from webseam.core.limits import ADDRESSES_DIALLED, ADDRESSES_JUDGED
from webseam.core.settings import FetchSettings
from webseam.testing.dns import DnsServer, DnsStep

PAGE = always(answer(b"<p>page</p>"))
MANY = [f"93.184.0.{number}" for number in range(1, ADDRESSES_JUDGED + 1)]


async def ended(settings: FetchSettings, wire: Wire, resolver: ScriptedResolver | None = None) -> str:
    """`page`, or the code of the error."""
    async with http_web(settings, resolver=resolver, make_socket=wire.make) as web:
        try:
            await web.fetch("http://a.example/")
        except WebError as error:
            return error.code
    return "page"


@pytest.mark.req("dialling:answers:set")
@pytest.mark.parametrize(
    ("answers", "end"),
    [
        ([], "WEB_PROVIDER_ERROR"),
        (MANY, "page"),
        ([*MANY, PUBLIC], "WEB_PROVIDER_ERROR"),
        ([*MANY[1:], "10.0.0.5"], "WEB_BLOCKED_URL"),
        ([*MANY, "10.0.0.5"], "WEB_PROVIDER_ERROR"),
        ([PUBLIC] * ADDRESSES_JUDGED, "page"),
        ([PUBLIC, "nonsense"], "WEB_PROVIDER_ERROR"),
        ([PUBLIC, ""], "WEB_PROVIDER_ERROR"),
        ([PUBLIC, "127.1"], "WEB_PROVIDER_ERROR"),
        ([PUBLIC, "0x7f.0.0.1"], "WEB_PROVIDER_ERROR"),
        ([PUBLIC, "010.0.0.5"], "WEB_PROVIDER_ERROR"),
    ],
    ids=[
        "none",
        "64",
        "65",
        "64-one-private",
        "65-one-private",
        "64-times-one",
        "nonsense",
        "blank",
        "short",
        "hex",
        "octal",
    ],
)
async def test_a_set_of_answers_is_dialled_whole_or_not_at_all(answers: list[str], end: str) -> None:
    async with serve(PAGE) as server:
        wire = Wire(default=server.port)
        got = await ended(FetchSettings(), wire, ScriptedResolver({"a.example": [answers]}))

    assert got == end
    assert len(wire.dialled) == (end == "page")
    assert len(wire.dialled) <= ADDRESSES_DIALLED


@pytest.mark.req("dialling:answers:set")
@pytest.mark.parametrize("what", ADDRESSES)
@pytest.mark.parametrize("first", [True, False])
async def test_one_refused_answer_beside_public_ones_refuses_the_set(what: str, *, first: bool) -> None:
    public = [PUBLIC, "2606:4700:4700::1111"]
    answers = [ADDRESSES[what], *public] if first else [*public, ADDRESSES[what]]
    wire = Wire(default=1)

    got = await ended(FetchSettings(), wire, ScriptedResolver({"a.example": [answers]}))

    assert (got, wire.made) == ("WEB_BLOCKED_URL", [])


@pytest.mark.req("dialling:answers:set")
@pytest.mark.parametrize("aliases", [("localhost",), ("public.test", "metadata.google.internal"), tuple("abcdefg")])
@pytest.mark.parametrize("inwards", ["127.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254"])
async def test_aliases_that_end_inwards_are_judged_by_where_they_end(aliases: tuple[str, ...], inwards: str) -> None:
    async with DnsServer({"a.example": (DnsStep(answers=[inwards], aliases=aliases),)}) as dns:
        wire = Wire(default=1)
        got = await ended(FetchSettings(nameservers=(dns.address,)), wire)

    assert (got, wire.made) == ("WEB_BLOCKED_URL", [])


@pytest.mark.req("dialling:answers:policies")
async def test_a_connection_that_one_policy_opened_serves_no_fetcher_with_another() -> None:
    resolver = ScriptedResolver({"a.example": [["10.0.0.5"]]})
    async with serve(PAGE) as server:
        wire = Wire(default=server.port)
        private = FetchSettings(private_networks=("10.0.0.0/8",))
        async with http_web(private, resolver=resolver, make_socket=wire.make) as web:
            assert (await web.fetch("http://a.example/")).status_code == 200
            assert server.open == 1  # it is kept for the next request of this fetcher
            assert await ended(FetchSettings(), wire, resolver) == "WEB_BLOCKED_URL"
            assert (await web.fetch("http://a.example/")).status_code == 200

    assert (len(server.requests), server.connections, wire.dialled) == (2, 1, ["10.0.0.5"])


@pytest.mark.req("dialling:answers:set")
async def test_fetches_at_once_are_each_judged_by_their_own_look_up() -> None:
    names = {f"{number}.example": [[PUBLIC] if number % 2 else ["10.0.0.5"]] for number in range(60)}
    turning = [[PUBLIC], ["10.0.0.5"]] * 30
    resolver = ScriptedResolver({**names, "turning.example": turning})
    closing = always(answer(b"<p>page</p>", headers={"Connection": "close"}), close=True)
    async with serve(closing) as server:
        wire = Wire(default=server.port)
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            urls = [*(f"http://{name}/" for name in names), *["http://turning.example/"] * 60]
            got = await asyncio.gather(*(web.fetch(url) for url in urls), return_exceptions=True)

    codes = [one.code if isinstance(one, WebError) else "page" for one in got]
    assert codes[:60] == ["WEB_BLOCKED_URL", "page"] * 30
    assert sorted(codes[60:]) == ["WEB_BLOCKED_URL"] * 30 + ["page"] * 30
    assert (set(wire.dialled), len(server.requests)) == ({PUBLIC}, 60)
