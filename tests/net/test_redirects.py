"""Redirects: which are followed, which are handed back, and that a refused target receives nothing."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.net import LOOPBACK, PUBLIC, Request, ScriptedResolver, Wire, answer, http_web, paths, serve
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings
from webseam.core.url import Url
from webseam.net.redirects import same_site


def _hop(location: str, status: int = 302) -> bytes:
    return answer(b"moved", status=status, headers={"Location": location})


@pytest.mark.req("net:redirect:same-site")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("location", ["/b", "b", "./b", "?x=1&y=/b", "http:b"])
async def test_a_redirect_within_the_origin_is_followed(status: int, location: str) -> None:
    page = answer(b"<p>here</p>")
    async with (
        serve(paths({"/a": _hop(location, status), "/b": page, "/a?x=1&y=/b": page})) as server,
        http_web() as web,
    ):
        got = await web.fetch(server.url + "/a#part")

    assert got.status_code == 200
    assert got.url.endswith("#part")
    assert got.redirects[0].status_code == status


@pytest.mark.req("net:redirect:same-site")
async def test_a_relative_target_is_joined_to_the_hop_it_came_from() -> None:
    pages = {"/x/one": _hop("/y/two"), "/y/two": _hop("three"), "/y/three": answer(b"<p>end</p>")}
    async with serve(paths(pages)) as server, http_web() as web:
        got = await web.fetch(server.url + "/x/one")

    assert got.url == server.url + "/y/three"
    assert [hop.url for hop in got.redirects] == [server.url + "/y/two", server.url + "/y/three"]


SITES = [
    ("http://a.example/", "https://a.example/", True),
    ("http://a.example/", "https://www.a.example/", True),
    ("https://www.a.example/", "https://a.example/", True),
    ("https://a.example/", "http://a.example/", False),
    ("https://www.a.example/", "http://a.example/", False),
    ("http://a.example:8080/", "https://a.example/", False),
    ("http://a.example/", "http://a.example:8080/", False),
    ("https://a.example:8443/", "https://www.a.example:8443/", False),
    ("http://a.example/", "http://b.example/", False),
    ("http://a.example/", "http://a.example.evil.example/", False),
    ("http://a.example/", "http://w.a.example/", False),
    ("http://a.example/", "http://www.www.a.example/", False),
]


@pytest.mark.req("net:redirect:same-site")
@pytest.mark.parametrize(("current", "target", "same"), SITES)
def test_a_site_is_its_origin_and_its_own_upgrades(current: str, target: str, *, same: bool) -> None:
    assert same_site(Url.parse(current), Url.parse(target)) is same


@pytest.mark.req("net:redirect:foreign")
@pytest.mark.parametrize(
    "location",
    [
        "http://b.example/x?y=1",
        "//b.example/x?y=1",
        "/\\b.example/x?y=1",
        "http://a.example:8080/",
        "https://b.example/",
    ],
)
async def test_a_redirect_to_another_site_is_handed_back_with_its_target(location: str) -> None:
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with serve(paths({"/": _hop(location)})) as server:
        wire = Wire(default=server.port)
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            with pytest.raises(WebError) as caught:
                await web.fetch("http://a.example/")

    assert caught.value.code == "WEB_REDIRECT_BLOCKED"
    assert Url.parse(location, base=Url.parse("http://a.example/")).href in caught.value.message
    assert wire.dialled == [PUBLIC]
    assert dict(resolver.asked) == {"a.example": 1}


@pytest.mark.req("net:redirect:target")
@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://127.0.0.2:22/", "WEB_BLOCKED_URL"),
        ("http://169.254.169.254/latest/", "WEB_BLOCKED_URL"),
        ("http://[::ffff:a9fe:a9fe]/", "WEB_BLOCKED_URL"),
        ("http://2852039166/", "WEB_BLOCKED_URL"),
        ("http://10.0.0.5/", "WEB_BLOCKED_URL"),
        ("http://localhost/", "WEB_BLOCKED_URL"),
        ("http://me:secret@a.example/", "WEB_BLOCKED_URL"),
        ("file:///etc/passwd", "WEB_INVALID_URL"),
        ("data:text/html,x", "WEB_INVALID_URL"),
        ("javascript:alert(1)", "WEB_INVALID_URL"),
        ("http://[", "WEB_INVALID_URL"),
        ("/" + "x" * 5000, "WEB_REDIRECT_BLOCKED"),
        ("", "WEB_PROVIDER_ERROR"),
    ],
)
async def test_a_target_is_held_to_every_rule_before_anything_is_sent(location: str, code: str) -> None:
    async with serve(paths({"/": _hop(location)})) as server:
        wire = Wire(default=server.port)
        resolver = ScriptedResolver({"a.example": [[PUBLIC]]})
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            with pytest.raises(WebError) as caught:
                await web.fetch("http://a.example/")

    assert caught.value.code == code
    assert "secret" not in str(caught.value.to_dict())
    assert len(server.requests) == 1
    assert wire.dialled == [PUBLIC]


@pytest.mark.req("net:redirect:budget")
@pytest.mark.parametrize("allowed", [0, 1, 5])
async def test_n_redirects_allowed_means_n_plus_one_requests_at_most(allowed: int) -> None:
    async def onwards(request: Request, writer: object) -> None:
        step = int(request.target[1:])
        writer.write(_hop(f"/{step + 1}"))  # type: ignore[attr-defined] # the writer of asyncio

    async with serve(onwards) as server, http_web(replace(LOOPBACK, max_redirects=allowed)) as web:
        with pytest.raises(WebError, match=f"more than {allowed} times") as caught:
            await web.fetch(server.url + "/0")

    assert caught.value.code == "WEB_REDIRECT_BLOCKED"
    assert len(server.requests) == allowed + 1


@pytest.mark.req("net:redirect:budget")
async def test_a_chain_that_lands_on_the_last_allowed_hop_succeeds() -> None:
    pages = {f"/{step}": _hop(f"/{step + 1}") for step in range(5)} | {"/5": answer(b"<p>end</p>")}
    async with serve(paths(pages)) as server, http_web() as web:
        assert (await web.fetch(server.url + "/0")).status_code == 200

    assert len(server.requests) == 6


@pytest.mark.req("net:redirect:budget")
async def test_over_the_budget_beats_another_site() -> None:
    none = replace(LOOPBACK, max_redirects=0)
    async with serve(paths({"/": _hop("http://b.example/")})) as server, http_web(none) as web:
        with pytest.raises(WebError, match="more than 0 times"):
            await web.fetch(server.url)


@pytest.mark.req("net:redirect:budget")
@pytest.mark.parametrize(("pages", "most"), [({"/": "/"}, 1), ({"/": "/b", "/b": "/"}, 2), ({"/": "/#x"}, 1)])
async def test_a_circle_ends_at_once(pages: dict[str, str], most: int) -> None:
    served = {path: _hop(location) for path, location in pages.items()}
    async with serve(paths(served)) as server, http_web() as web:
        with pytest.raises(WebError, match="circle"):
            await web.fetch(server.url)

    assert len(server.requests) == most


@pytest.mark.req("net:redirect:budget")
async def test_a_bomb_in_the_body_of_a_redirect_is_not_read() -> None:
    async def bomb(request: Request, writer: object) -> None:
        if request.target == "/":
            head = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 200000000\r\n\r\n" + b"x" * 1000
            writer.write(head)  # type: ignore[attr-defined] # the writer of asyncio
        else:
            writer.write(answer(b"<p>end</p>"))  # type: ignore[attr-defined] # the writer of asyncio

    async with serve(bomb) as server, http_web() as web:
        assert (await web.fetch(server.url)).status_code == 200

    assert server.connections == 2


@given(st.text(max_size=60))
def test_any_location_is_a_url_or_a_typed_refusal(location: str) -> None:
    from webseam.net.redirects import next_hop, refuse_foreign  # noqa: PLC0415 - pure, no server needed

    current = Url.parse("https://a.example/dir/page")
    try:
        target = next_hop(current, 302, location, followed=0, allowed=5)
        refuse_foreign(current, target, frozenset((current.document,)))
    except WebError:
        return
    assert target.name in ("a.example", "www.a.example")
    assert target.scheme == "https"
