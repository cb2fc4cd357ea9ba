"""Redirects: which are followed, which are handed back, and that a refused target receives nothing."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.net import LOOPBACK, Request, answer, http_web, paths, serve
from webseam.core.errors import WebError
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
@pytest.mark.parametrize(("location", "end"), [("/b", "/b#part"), ("/b#own", "/b#own"), ("/b#", "/b#")])
async def test_a_target_without_a_fragment_of_its_own_inherits_the_one_that_was_asked_for(
    location: str, end: str
) -> None:
    async with serve(paths({"/a": _hop(location), "/b": answer(b"<p>here</p>")})) as server, http_web() as web:
        got = await web.fetch(server.url + "/a#part")

    assert got.url == server.url + end


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


REFUSED = {
    "http://127.0.0.1:22/": "Use the site's web port.",
    "http://metadata.google.internal/": "No setting opens it; use another source.",
    "http://169.254.169.254/": "No setting opens it; use another source.",
    "http://10.0.0.1/": "add its range to fetch.private_networks.",
    "http://intranet/": "list it in fetch.private_hosts.",
    "http://user:word@public.example/": "Take it out of the URL.",
    "/": "use another source.",
    "/" + "a" * 2_100: "Use another source.",
    "http://public.example/": "Fetch http://public.example/ instead.",
    "http://[::1": "Give an absolute http or https URL, such as https://example.com/.",
}


@pytest.mark.req("net:refusals:told")
@pytest.mark.parametrize("target", REFUSED, ids=range(len(REFUSED)))
async def test_a_refused_redirect_says_how_to_go_on(target: str) -> None:
    async with serve(paths({"/": _hop(target)})) as server, http_web() as web:
        with pytest.raises(WebError) as caught:
            await web.fetch(server.url)

    assert caught.value.exit_code == 4
    assert caught.value.message.endswith(REFUSED[target])


@pytest.mark.req("net:refusals:told")
async def test_a_redirect_that_is_one_too_many_or_leads_nowhere_says_how_to_go_on() -> None:
    nowhere = answer(status=302)
    async with (
        serve(paths({"/a": _hop("/b"), "/b": nowhere})) as server,
        http_web(replace(LOOPBACK, max_redirects=0)) as strict,
        http_web() as web,
    ):
        with pytest.raises(WebError, match=r"raise fetch\.max_redirects\.$"):
            await strict.fetch(server.url + "/a")
        with pytest.raises(WebError, match=r"Use another source\.$"):
            await web.fetch(server.url + "/a")
