"""Resolver scripts: what is looked up, judged and dialled."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.net import PUBLIC, Handler, Request, ScriptedResolver, Wire, answer, http_web, serve
from support.resolver_rows import PLAYED, check, named, names_served, wired
from support.tls import Authority
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.gate import AccessRequest, Gate, Verdict
from webseam.core.settings import FetchSettings
from webseam.core.types import HtmlBody
from webseam.core.url import Url


def _only(hosts: list[str] | None) -> Gate | None:
    """A host's own policy: these hosts exactly, as the canonical URL names them."""
    if hosts is None:
        return None

    async def gate(request: AccessRequest, /) -> Verdict:
        return Verdict(allowed=Url.parse(request.target).name in hosts)

    return gate


@pytest.mark.req("net:dns:scenarios", "dialling:nameservers:scenarios")
@pytest.mark.parametrize(("row", "served"), PLAYED, ids=named)
async def test_a_resolver_script_ends_as_judged(row: dict[str, Any], *, served: bool, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    policy = row.get("policy", {})
    private = {name: policy[name] for name in ("private_networks", "private_hosts") if name in policy}
    async with names_served(row, by_server=served) as names, wired(row, authority) as wire:
        settings = FetchSettings(
            ca_bundle=str(authority.bundle), nameservers=names.nameservers, dns_seconds=1.5, **private
        )
        async with http_web(settings, make_socket=wire.make, resolver=names.resolver) as web:
            got = ""
            for _ in range(sum("fetch" in step for step in row["wire"]) or 1):
                try:
                    await web.fetch(row["url"], call=Call(gate=_only(policy.get("only_hosts"))))
                    got = "ok"
                except WebError as error:
                    got = error.code
        check(row, got, wire, names.looked_up)


def _page() -> Handler:
    async def handler(_request: Request, writer: Any) -> None:
        writer.write(answer(b"<p>secure</p>"))

    return handler


INWARDS = (
    "127.0.0.1",
    "10.0.0.5",
    "169.254.169.254",
    "100.64.0.1",
    "::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "2002:7f00:1::",
)


@pytest.mark.req("net:dns:scenarios", "dialling:nameservers:scenarios")
@pytest.mark.parametrize("by_server", [False, True])
@pytest.mark.parametrize("inwards", INWARDS)
@pytest.mark.parametrize("connects", [True, False], ids=["connects", "refuses"])
async def test_a_private_second_answer_is_never_asked_for_and_never_dialled(
    inwards: str, *, connects: bool, by_server: bool
) -> None:
    row = {"names": {"a.example": [[PUBLIC], [inwards]]}}
    async with names_served(row, by_server=by_server) as names, serve(_page()) as server:
        wire = Wire(default=server.port if connects else None)
        settings = FetchSettings(nameservers=names.nameservers)
        async with http_web(settings, resolver=names.resolver, make_socket=wire.make) as web:
            if connects:
                assert isinstance((await web.fetch("http://a.example/")).body, HtmlBody)
            else:
                with pytest.raises(WebError, match="refused"):
                    await web.fetch("http://a.example/")

    assert names.looked_up("a.example") == 1
    assert wire.dialled == [PUBLIC]


METADATA = ("169.254.169.254", "fd00:ec2::254", "168.63.129.16", "100.100.100.200", "::ffff:169.254.169.254", "fe80::1")


@pytest.mark.req("net:dns:metadata")
@pytest.mark.parametrize("address", METADATA)
async def test_no_setting_opens_a_metadata_address(address: str) -> None:
    everything = FetchSettings(
        private_networks=("0.0.0.0/0", "::/0"), private_hosts=("wiki.corp.example", "metadata.google.internal")
    )
    resolver = ScriptedResolver({"*": [[address]]})
    wire = Wire(default=1)
    async with http_web(everything, resolver=resolver, make_socket=wire.make) as web:
        literal = f"[{address}]" if ":" in address else address
        for url in ("http://wiki.corp.example/", "http://metadata.google.internal/", f"http://{literal}/"):
            with pytest.raises(WebError) as caught:
                await web.fetch(url)
            assert caught.value.code == "WEB_BLOCKED_URL"
    assert wire.dialled == []


@pytest.mark.req("net:dns:exceptions")
@pytest.mark.parametrize(
    ("settings", "url", "reached"),
    [
        (FetchSettings(), "http://wiki.example/", False),
        (FetchSettings(private_networks=("10.0.0.0/8",)), "http://wiki.example/", True),
        (FetchSettings(private_networks=("10.0.0.0/8",)), "http://10.0.0.5/", True),
        (FetchSettings(private_networks=("10.9.0.0/16",)), "http://wiki.example/", False),
        (FetchSettings(private_hosts=("WIKI.example.",)), "http://wiki.example/", True),
        (FetchSettings(private_hosts=("wiki.example",)), "http://x.wiki.example/", False),
        (FetchSettings(private_hosts=("intranet",)), "http://intranet/", True),
        (FetchSettings(private_hosts=("intranet",)), "http://10.0.0.5/", False),
        (FetchSettings(private_networks=("10.0.0.0/8",)), "http://intranet/", False),
    ],
)
async def test_only_a_named_exception_opens_a_private_address(
    settings: FetchSettings, url: str, *, reached: bool
) -> None:
    resolver = ScriptedResolver({"*": [["10.0.0.5"]]})
    async with serve(_page()) as server:
        wire = Wire(default=server.port)
        async with http_web(settings, resolver=resolver, make_socket=wire.make) as web:
            if reached:
                assert (await web.fetch(url)).status_code == 200
            else:
                with pytest.raises(WebError, match="private_"):
                    await web.fetch(url)
    assert bool(wire.dialled) is reached


@pytest.mark.req("net:dns:message")
@pytest.mark.parametrize("address", ["10.20.30.40", "192.168.7.7", "198.18.0.9", "fd12::7", "127.0.0.53"])
async def test_a_refusal_names_the_class_and_the_setting_and_never_the_address(address: str) -> None:
    resolver = ScriptedResolver({"*": [[address]]})
    async with http_web(FetchSettings(), resolver=resolver) as web:
        with pytest.raises(WebError) as caught:
            await web.fetch("http://a.example/")

    told = json.dumps(caught.value.to_dict())
    assert address not in told
    assert "fetch.private_networks" in told
    assert "/" in caught.value.message.partition("(")[2].partition(")")[0]
    assert caught.value.dispatched is False


@pytest.mark.parametrize("network", ["10.0.0.0/99", "nonsense", "", "10.0.0.0/8/8"])
def test_a_network_that_does_not_parse_is_a_configuration_error(network: str) -> None:
    from webseam.providers.fetch.http import HttpFetch  # noqa: PLC0415 - the constructor is the subject

    with pytest.raises(WebError, match="private_networks"):
        HttpFetch(settings=FetchSettings(private_networks=(network,)))
