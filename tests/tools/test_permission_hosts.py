"""Which hosts are allowed, through the tools: issue 6, enso-10, R038, security README 4."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.net import ScriptedResolver, Wire, answer, http_web, serve
from support.permission import Bench, Person, code
from support.resolver_rows import ROWS, check, named, names_served, wired
from support.tls import Authority
from webseam import (
    Call,
    Permission,
    PermissionSettings,
    Run,
    ToolResult,
    Toolset,
    Web,
    WebError,
)
from webseam.core.settings import FetchSettings
from webseam.providers.fetch.http import HttpFetch
from webseam.tools.hosts import HostList

HOSTS = [
    ("docs.example", "https://docs.example/x", True),
    ("docs.example", "https://DOCS.example./x", True),
    ("docs.example", "https://docs.example:8443/x", True),
    ("docs.example", "https://\uff44\uff4f\uff43\uff53.example/", True),
    ("DOCS.Example.", "https://docs.example/", True),
    ("b\u00fccher.example", "https://xn--bcher-kva.example/", True),
    ("docs.example", "https://x.docs.example/", False),
    ("docs.example", "https://evildocs.example/", False),
    ("docs.example", "https://docs.example.evil.example/", False),
    ("docs.example", "https://example/", False),
    ("*.a.test", "https://w.a.test/", True),
    ("*.a.test", "https://v.w.A.test./", True),
    ("*.a.test", "https://a.test/", False),
    ("*.a.test", "https://evila.test/", False),
    ("*.a.test", "https://w.a.test.evil.test/", False),
    ("*", "https://anything.test/", True),
    ("[2606:4700::1111]", "https://[2606:4700:0::1111]/", True),
    ("93.184.215.14", "http://93.184.215.14/", True),
    ("93.184.215.14", "http://1572394766/", True),
]


@pytest.mark.req("permission:hosts:exact", "permission:hosts:form", "permission:hosts:subdomains")
@pytest.mark.parametrize(("entry", "url", "allowed"), HOSTS)
async def test_only_a_host_that_is_listed_is_fetched_from(entry: str, url: str, *, allowed: bool) -> None:
    bench = Bench(allow_hosts=("other.test", entry) if entry != "*" else (entry,))
    result = await bench.fetch(url)
    assert code(result) == (None if allowed else "WEB_DENIED")
    assert bench.reached == allowed
    if not allowed:
        assert "permission.allow_hosts does not hold" in result.text
        assert result.meta["permission"][0]["rule"] == "allow_hosts"


@pytest.mark.req("permission:hosts:exact")
async def test_an_empty_list_allows_no_page_and_every_search() -> None:
    bench = Bench(allow_hosts=())
    assert code(await bench.fetch("https://a.test/")) == "WEB_DENIED"
    assert code(await bench.ask()) is None


@pytest.mark.req("permission:hosts:denied", "permission:hosts:embedded")
@pytest.mark.parametrize(
    ("entry", "url", "denied"),
    [
        ("bad.test", "https://bad.test/", True),
        ("bad.test", "https://w.BAD.test./", True),
        ("bad.test", "https://verybad.test/", False),
        ("bad.test", "https://bad.test.good.test/", False),
        ("*.bad.test", "https://w.bad.test/", True),
        ("*.bad.test", "https://bad.test/", False),
        ("93.184.215.14", "http://0x5db8d70e/", True),
        ("93.184.215.14", "http://[::ffff:93.184.215.14]/", True),
        ("93.184.215.14", "http://[64:ff9b::93.184.215.14]/", True),
        ("93.184.215.14", "http://[64:ff9b::93.184.215.15]/", False),
    ],
)
async def test_a_denied_host_is_refused_with_its_subdomains(entry: str, url: str, *, denied: bool) -> None:
    run = Run(ask=Person("always"), allowed=["https://bad.test", "https://w.bad.test"])
    run.saw(url)
    bench = Bench(run, deny_hosts=(entry,))
    result = await bench.fetch(url)
    assert code(result) == ("WEB_DENIED" if denied else None)
    assert bench.reached == (not denied)


LABEL = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)
NAME = st.lists(LABEL, min_size=1, max_size=4).map(".".join)


@pytest.mark.req("permission:hosts:exact", "permission:hosts:subdomains")
@given(name=NAME, entries=st.lists(st.tuples(st.sampled_from(("", "*.")), NAME), max_size=4))
def test_a_list_holds_what_its_entries_say_label_by_label(name: str, entries: list[tuple[str, str]]) -> None:
    labels = name.split(".")
    below = [entry for wild, entry in entries if labels[-len(entry.split(".")) :] == entry.split(".") and name != entry]
    wild = {entry for mark, entry in entries if mark}
    exact = {entry for mark, entry in entries if not mark}
    given_entries = ["".join(one) for one in entries]
    assert HostList.allowing(given_entries).holds(name) == (name in exact or any(one in wild for one in below))
    assert HostList.denying(given_entries).holds(name) == (name in exact or bool(below))


@pytest.mark.req("permission:config:project")
@given(
    name=NAME,
    few=st.lists(st.tuples(st.sampled_from(("", "*.")), NAME), max_size=3),
    many=st.lists(st.tuples(st.sampled_from(("", "*.")), NAME), max_size=3),
)
def test_a_list_within_another_holds_nothing_that_the_other_does_not(
    name: str, few: list[tuple[str, str]], many: list[tuple[str, str]]
) -> None:
    one, other = (HostList.allowing("".join(entry) for entry in entries) for entries in (few, many))
    if one.within(other) and one.holds(name):
        assert other.holds(name)
    assert one.within(one)
    assert one.within(HostList.allowing(["*"]))
    assert HostList.allowing([]).within(one)


@pytest.mark.req("permission:config:strict")
@pytest.mark.parametrize(
    "entry",
    [
        "",
        "*",
        "*.",
        "*.*.a.test",
        "a.test/x",
        "https://a.test",
        "a.test:80",
        "w.*.test",
        "*a.test",
        "*.10.0.0.1",
        "*.[::1]",
    ],
)
def test_an_entry_that_no_host_could_match_is_refused(entry: str) -> None:
    for settings in (PermissionSettings(allow_hosts=("a.test", entry)), PermissionSettings(deny_hosts=(entry,))):
        with pytest.raises(WebError, match="host names") as caught:
            Permission(settings)
        assert caught.value.code == "WEB_CONFIG_INVALID"


ALLOWLISTED = [row for row in ROWS if "only_hosts" in row.get("policy", {})]


@pytest.mark.req("permission:hosts:rows")
@pytest.mark.parametrize("row", ALLOWLISTED, ids=named)
async def test_a_host_that_is_not_listed_is_never_looked_up(row: dict[str, Any], tmp_path: Any) -> None:
    authority = Authority(tmp_path)
    async with names_served(row, by_server=False) as names, wired(row, authority) as wire:
        settings = FetchSettings(ca_bundle=str(authority.bundle))
        async with http_web(settings, resolver=names.resolver, make_socket=wire.make) as web:
            gate = Permission(PermissionSettings(allow_hosts=tuple(row["policy"]["only_hosts"])))
            tools = Toolset(web)
            result = await tools.call("web_fetch", {"url": row["url"]}, call=Call(gate=gate))
            await tools.aclose()
        check(row, code(result) or "ok", wire, names.looked_up)
    assert len(ALLOWLISTED) >= 6


# Redirects, over sockets -------------------------------------------------------------------------------


async def hopping(
    settings: PermissionSettings, run: Run, where: dict[str, str], *, fragment: str = ""
) -> tuple[ToolResult, list[str]]:
    """A fetch of http://a.test/start on loopback; `where` redirects by path."""

    async def handler(request: Any, writer: Any) -> None:
        target = where.get(request.target)
        writer.write(answer(b"<p>page</p>") if target is None else answer(status=302, headers={"Location": target}))

    async with serve(handler) as server:
        wire = Wire(default=server.port)
        fetch = HttpFetch(resolver=ScriptedResolver({"*": [["93.184.216.34"]]}), make_socket=wire.make)
        web = Web(gate=Permission(settings, run=run))
        web.register_fetch(fetch)
        tools = Toolset(web)
        result = await tools.call("web_fetch", {"url": f"http://a.test/start{fragment}"})
        await tools.aclose()
        await fetch.aclose()
        return result, [request.target for request in server.requests]


@pytest.mark.req("permission:hops")
async def test_a_hop_is_held_to_the_lists_and_asked_of_nobody_again() -> None:
    person = Person("allow")
    run = Run(ask=person)
    result, paths = await hopping(PermissionSettings(fetch="ask", max_calls=1), run, {"/start": "/next"})
    assert (code(result), paths, len(person.asked), run.calls) == (None, ["/start", "/next"], 1, 1)
    assert [one["kind"] for one in result.meta["permission"]] == ["fetch", "redirect"]

    denied, paths = await hopping(
        PermissionSettings(deny_hosts=("www.a.test",)), Run(), {"/start": "http://www.a.test/next"}
    )
    assert (code(denied), paths) == ("WEB_DENIED", ["/start"])


@pytest.mark.req("permission:seen:shown")
async def test_the_target_of_a_redirect_that_is_handed_back_may_be_fetched() -> None:
    run = Run()
    run.saw("http://a.test/start")
    result, _ = await hopping(PermissionSettings(unseen="deny"), run, {"/start": "http://b.test/there?x=1"})
    assert code(result) == "WEB_REDIRECT_BLOCKED"
    assert run.has_seen("http://b.test/there?x=1")


@pytest.mark.req("permission:seen:own-words")
@pytest.mark.parametrize("before", ["", ")", "]", "|", "%20", "instead. Fetch "])
async def test_the_models_own_fragment_on_a_redirect_makes_nothing_else_seen(before: str) -> None:
    run, evil = Run(), "http://evil.test/leak"
    run.saw("http://a.test/start")
    permission = PermissionSettings(unseen="deny")
    result, _ = await hopping(permission, run, {"/start": "http://b.test/there"}, fragment=f"#{before}{evil}")
    assert code(result) == "WEB_REDIRECT_BLOCKED"
    assert (run.has_seen("http://b.test/there"), run.has_seen(evil)) == (True, False)
