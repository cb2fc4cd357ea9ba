"""robots.txt as it is fetched: which calls keep to it, what its status and its redirects mean."""

import asyncio
import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.core import refused
from support.net import LOOPBACK, PUBLIC, Request, ScriptedResolver, Wire, answer
from support.robots import CLOSED, DISALLOWED, PRIVATE, ROBOTS, Doorman, moved, rules, site
from webseam.core.call import Call
from webseam.core.limits import ROBOTS_BYTES
from webseam.wiring.opening import open_web


@pytest.mark.req("net:robots:mode")
@pytest.mark.parametrize(
    ("mode", "autonomous", "kept"),
    [
        ("off", True, False),
        ("off", False, False),
        ("autonomous", True, True),
        ("autonomous", False, False),
        ("on", True, True),
        ("on", False, True),
    ],
)
async def test_the_mode_says_which_calls_keep_to_robots_txt(mode: Any, *, autonomous: bool, kept: bool) -> None:
    async with site(CLOSED, settings=replace(LOOPBACK, robots=mode)) as where:
        got = await where.code("/a", call=Call(autonomous=autonomous))

    assert got == (DISALLOWED if kept else "ok")
    assert where.asked == (["/robots.txt"] if kept else ["/a"])


@pytest.mark.req("net:robots:mode")
async def test_by_default_calls_that_no_person_asked_for_keep_to_robots_txt() -> None:
    async with site(CLOSED, settings=LOOPBACK) as where:
        assert await where.code("/a") == "ok"
        assert await where.code("/a", call=Call(autonomous=True)) == DISALLOWED


@pytest.mark.req("net:robots:mode")
async def test_the_setting_reaches_the_fetcher_of_an_opened_web(tmp_path: Path) -> None:
    config = {"fetch": {"private_networks": ["127.0.0.0/8"], "robots": "on"}}
    async with site(CLOSED) as where, open_web(config=config, environ={}, cwd=tmp_path) as web:
        error = await refused(web.fetch(where.server.url + "/a"))

    assert error.code == DISALLOWED


@pytest.mark.req("net:robots:told")
async def test_a_refusal_says_which_rule_refused_and_how_to_go_on() -> None:
    async with site(PRIVATE) as where:
        error = await refused(where.web.fetch(where.server.url + "/private/a"))

    assert error.code == DISALLOWED
    assert error.message == (
        "The robots.txt of 127.0.0.1 does not allow webseam to fetch this page (Disallow: /private). Use another "
        "source. Where you have the site's permission, fetch.robots in your own configuration decides."
    )
    assert (error.provider, error.retryable, error.dispatched, error.exit_code) == ("http", False, False, 4)


@pytest.mark.req("net:robots:once")
async def test_the_file_itself_may_always_be_fetched_and_arrives_verbatim() -> None:
    async with site(rules("User-agent: *\nDisallow: /x_y\n")) as where:
        got = await where.web.fetch(where.server.url + "/robots.txt")

    assert got.body.kind == "text"
    assert got.body.content == "User-agent: *\nDisallow: /x_y\n"
    assert where.asked == ["/robots.txt"]


STATUSES = {
    **dict.fromkeys([400, 401, 403, 404, 410, 451, 499], "ok"),
    **dict.fromkeys([429, 500, 502, 503, 504, 599, 300, 304, 600], DISALLOWED),
    **dict.fromkeys([200, 203], "ok"),
}


@pytest.mark.req("net:robots:status")
@pytest.mark.parametrize(("status", "code"), STATUSES.items())
async def test_no_file_allows_and_a_server_that_fails_or_asks_to_wait_does_not(status: int, code: str) -> None:
    body = b"" if status == 304 else b"<html>busy</html>"
    async with site(answer(body, status=status)) as where:
        assert await where.code("/a") == code
        assert ("/a" in where.asked) is (code == "ok")


@pytest.mark.req("net:robots:status")
async def test_the_body_of_an_error_is_never_read_as_rules() -> None:
    async with site(rules("User-agent: *\nDisallow: /", status=404)) as where:
        assert await where.code("/a") == "ok"
    async with site(rules("User-agent: *\nAllow: /", status=503)) as where:
        error = await refused(where.web.fetch(where.server.url + "/a"))

    assert "HTTP 503" in error.message
    assert "Try again" in error.message
    assert error.retryable is True


BROKEN = {
    "no HTTP": b"hello\r\n\r\n",
    "half a body": b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\nAllow: /\n",
    "a chunk of nonsense": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nUser-agent: *\r\n",
    "no gzip": answer(b"User-agent: *\nAllow: /", headers={"Content-Encoding": "gzip"}),
    "half a gzip": answer(gzip.compress(b"User-agent: *\nAllow: /")[:-9], headers={"Content-Encoding": "gzip"}),
    "a coding of nobody": answer(b"User-agent: *\nAllow: /", headers={"Content-Encoding": "x-nothing"}),
    "a redirect to nowhere": answer(b"", status=302),
    "a redirect to another scheme": moved("ftp://127.0.0.1/robots.txt"),
    "a redirect to credentials": moved("http://a:b@127.0.0.1/robots.txt"),
    "a redirect to a bad port": moved("http://127.0.0.1:25/robots.txt"),
    "a redirect to metadata": moved("http://169.254.169.254/robots.txt"),
    "a redirect to a private name": moved("http://x.internal/robots.txt"),
}


@pytest.mark.req("net:robots:status", "net:robots:redirect")
@pytest.mark.parametrize("what", BROKEN)
async def test_a_file_that_cannot_be_read_allows_nothing(what: str) -> None:
    async def broken(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(BROKEN[what])
        await writer.drain()
        writer.close()

    async with site(broken) as where:
        error = await refused(where.web.fetch(where.server.url + "/a"))

    assert error.code == DISALLOWED
    assert "cannot be read" in error.message
    assert "169.254" not in error.message
    assert set(where.asked) == {"/robots.txt"}


@pytest.mark.req("net:robots:status")
@pytest.mark.parametrize("route", ["refused", "timeout"])
async def test_a_host_that_does_not_answer_is_refused_and_not_dialled_for_the_page(route: str) -> None:
    wire = Wire(default=None, routes={PUBLIC: route})
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    settings = replace(ROBOTS, connect_seconds=0.2)
    async with site(CLOSED, settings=settings, resolver=resolver, make_socket=wire.make) as where:
        error = await refused(where.web.fetch("http://a.example/x"))

    assert error.code == DISALLOWED
    assert error.dispatched is False
    assert wire.dialled == [PUBLIC]
    assert resolver.asked["a.example"] == 1


@pytest.mark.req("net:robots:guard")
async def test_where_the_host_itself_may_not_be_dialled_that_is_the_verdict() -> None:
    wire = Wire(default=None)
    resolver = ScriptedResolver({"*": [["10.0.0.5"]]})
    async with site(CLOSED, resolver=resolver, make_socket=wire.make) as where:
        assert await where.code("http://a.example/x") == "WEB_BLOCKED_URL"
        assert await where.code("http://169.254.169.254/x") == "WEB_BLOCKED_URL"
        assert await where.code("http://x.internal/x") == "WEB_BLOCKED_URL"

    assert wire.dialled == []
    assert sum(resolver.asked.values()) == 1


@pytest.mark.req("net:robots:guard")
async def test_the_gate_is_asked_for_the_page_first_and_not_for_its_robots_txt() -> None:
    no, yes = Doorman("127.0.0.1"), Doorman()
    async with site(CLOSED) as where:
        assert await where.code("/a", call=Call(gate=no)) == "WEB_DENIED"
        assert where.asked == []
        assert await where.code("/a", call=Call(gate=yes)) == DISALLOWED

    assert yes.asked == [where.server.url + "/a"]
    assert where.asked == ["/robots.txt"]


@pytest.mark.req("net:robots:guard")
async def test_the_request_carries_our_name_and_no_credentials() -> None:
    async with site(rules("")) as where:
        await where.code("/a")

    headers = where.server.requests[0].headers
    assert headers["user-agent"].startswith("webseam/")
    assert headers["accept"].startswith("text/plain")
    assert not {"cookie", "authorization", "referer"} & set(headers)


@pytest.mark.req("net:robots:hops")
async def test_every_hop_of_a_page_is_asked_of_its_own_robots_txt() -> None:
    async with site(PRIVATE, pages={"/a": moved("/private/b"), "/c": moved("/d")}) as where:
        assert await where.code("/a") == DISALLOWED
        assert await where.code("/c") == "ok"

    assert where.asked == ["/robots.txt", "/a", "/c", "/d"]


@pytest.mark.req("net:robots:body")
async def test_half_a_megabyte_is_parsed_and_half_a_rule_is_not() -> None:
    head = b"User-agent: *\nDisallow: /first\n"
    filler = b"#" * (ROBOTS_BYTES - len(head) - 13) + b"\n"
    text = head + filler + b"Disallow: /late\n"
    assert text[:ROBOTS_BYTES].endswith(b"\nDisallow: /l")
    async with site(answer(text)) as where:
        assert [await where.code(path) for path in ("/first", "/lax", "/late")] == [DISALLOWED, "ok", "ok"]


@pytest.mark.req("net:robots:body")
async def test_long_rules_are_matched_too() -> None:
    text = "User-agent: *\n" + "".join(f"Disallow: /*x{number}\n" for number in range(20_000))
    async with site(rules(text)) as where:
        error = await refused(where.web.fetch(where.server.url + "/ax19999"))
        assert await where.code("/a") == "ok"

    assert "to fetch this page. Use" in error.message  # which of 20,000 it was is not looked for


@pytest.mark.req("net:robots:body")
@pytest.mark.parametrize(
    "robots",
    [
        answer(b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /\r\n"),
        answer(gzip.compress(b"User-agent: *\nDisallow: /"), headers={"Content-Encoding": "gzip"}),
        answer(b"\xff\xfe\x00\nUser-agent: *\nDisallow: /", content_type="application/octet-stream"),
    ],
    ids=["a byte order mark", "gzip", "bytes that are no UTF-8"],
)
async def test_the_file_is_read_as_it_comes(robots: bytes) -> None:
    async with site(robots) as where:
        assert await where.code("/a") == DISALLOWED


def _chain(hops: int) -> dict[str, bytes]:
    """A robots.txt that keeps everybody out, after so many redirects."""
    steps = {f"/r{number}": moved(f"/r{number + 1}") for number in range(hops)}
    return {**steps, "/robots.txt": steps["/r0"], f"/r{hops}": CLOSED}


REDIRECTS = {
    "within the site": ({"/robots.txt": moved("/rules"), "/rules": CLOSED}, DISALLOWED),
    "five times": (_chain(5), DISALLOWED),
    "six times": (_chain(6), "ok"),
    "in a circle": ({"/robots.txt": moved("/robots.txt")}, "ok"),
    "to a page that is missing": ({"/robots.txt": moved("/none"), "/none": answer(b"", status=404)}, "ok"),
}


@pytest.mark.req("net:robots:redirect")
@pytest.mark.parametrize("how", REDIRECTS)
async def test_a_robots_txt_that_redirects_is_followed_five_times(how: str) -> None:
    pages, code = REDIRECTS[how]
    async with site(pages["/robots.txt"], pages=pages) as where:
        assert await where.code("/a") == code

    assert len([target for target in where.asked if target != "/a"]) <= 6


@pytest.mark.req("net:robots:redirect")
@pytest.mark.parametrize("gate", [Doorman(), Doorman("b.example"), None], ids=["yes", "no", "none"])
async def test_the_gate_decides_whether_a_robots_txt_may_lead_to_another_site(gate: Doorman | None) -> None:
    wire = Wire()
    resolver = ScriptedResolver({"a.example": [[PUBLIC]], "b.example": [["93.184.215.15"]]})

    async def robots(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(PRIVATE if request.host == "b.example" else moved("http://b.example/robots.txt"))

    async with site(robots, resolver=resolver, make_socket=wire.make) as where:
        wire.default = where.server.port
        got = await where.code("http://a.example/a", call=Call(gate=gate))
        closed = gate is not None and bool(gate.closed)
        assert got == (DISALLOWED if closed else "ok")
        assert resolver.asked["b.example"] == (0 if closed else 1)
        assert await where.code("http://a.example/b") == "ok"

    assert resolver.asked["b.example"] == 1  # by the second call alone, where the gate of the first said no
    assert gate is None or gate.asked == ["http://a.example/a", "http://b.example/robots.txt"]


@pytest.mark.req("net:robots:redirect")
async def test_the_gate_decides_about_another_host_of_the_same_site_too() -> None:
    wire, gate = Wire(), Doorman("www.a.example")
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with site(moved("http://www.a.example/robots.txt"), resolver=resolver, make_socket=wire.make) as where:
        wire.default = where.server.port
        assert await where.code("http://a.example/a", call=Call(gate=gate)) == DISALLOWED
    assert gate.asked == ["http://a.example/a", "http://www.a.example/robots.txt"]
    assert resolver.asked["www.a.example"] == 0
