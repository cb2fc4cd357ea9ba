"""Kept pages through the gateway: written once, the same to the byte, and within one bound."""

import json
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from support.cli import Answer, Shell, site
from support.gateway import CONFIG, Served, serving
from webseam.core.plain import to_plain
from webseam.core.shelf import Room
from webseam.core.types import Attempt, CacheFacts, FetchResult, HtmlBody, ImageBody, Note, PdfBody, Redirect, TextBody
from webseam.surfaces.gateway.encoding import Encoder
from webseam.surfaces.gateway.reply import to_json

CACHED = CONFIG.replace("[fetch]\n", '[fetch]\ncache = "memory"\n').replace(
    'provider = "odd"', 'provider = "odd"\ncache = "memory"'
)
KEPT = FetchResult(
    provider="http",
    url="https://a.test/",
    status_code=200,
    body=HtmlBody(content='<p title="x">ü \\ \u2028 \U0001f600</p>\n'),
    media_type="text/html",
    redirects=(Redirect(status_code=301, url="https://a.test/b"),),
    notes=(Note(code="empty"),),
    cache=CacheFacts(age=3.0),
    attempts=(Attempt(provider="http", outcome="ok", elapsed=0.25),),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Own(FetchResult):
    more: str = "of a plugin"


BODIES: list[Any] = [
    KEPT.body,
    TextBody(content="half a character: \ud800"),
    TextBody(content=""),
    PdfBody(pages=("one", "two"), page_count=2),
]


@pytest.mark.req("gateway:kept:json")
@pytest.mark.parametrize("body", BODIES)
def test_a_kept_page_is_written_as_any_other_result(body: Any) -> None:
    encoder = Encoder()
    for age in (1.0, 2.0, 3.0):
        page = replace(KEPT, body=body, cache=CacheFacts(age=age))
        assert json.loads(encoder.json(page), object_pairs_hook=sorted) == json.loads(
            to_json(to_plain(page)), object_pairs_hook=sorted
        )
    other = replace(KEPT, body=body, notes=(), url="https://b.test/", retry_after=2.0, attempts=())
    assert json.loads(encoder.json(other)) == to_plain(other) | json.loads(to_json({"body": to_plain(body)}))
    own = _Own(**{one.name: getattr(KEPT, one.name) for one in fields(KEPT)})
    assert json.loads(encoder.json(own))["more"] == "of a plugin"
    fresh = replace(KEPT, cache=None)
    assert encoder.json(fresh) == to_json(to_plain(fresh))
    assert encoder.json({"any": ("thing", None)}) == b'{"any":["thing",null]}'


@pytest.mark.req("gateway:kept:json")
def test_equal_bodies_are_told_apart_and_the_bound_holds() -> None:
    encoder = Encoder(max_bytes=3_000)
    for turn in range(200):
        page = replace(KEPT, body=TextBody(content=f"page {turn}" * (turn % 90)))
        assert json.loads(encoder.json(page))["body"]["content"] == f"page {turn}" * (turn % 90)
        assert encoder.held <= 3_000


@pytest.mark.req("gateway:kept:json")
@pytest.mark.parametrize(
    "made",
    [
        lambda at: TextBody(content=f"{at}"),
        lambda at: TextBody(content=f"{at}" * 9_000),
        lambda at: ImageBody(data=b"%d" % at * 9_000, width=1, height=1),
        lambda at: PdfBody(pages=tuple(f"page {at} {one}" for one in range(50)), page_count=50),
    ],
    ids=["tiny", "text", "picture", "pdf"],
)
def test_the_bound_counts_all_that_bodies_and_their_json_take(made: Callable[[int], Any]) -> None:
    bound = 500_000
    tracemalloc.start()
    encoder = Encoder(max_bytes=bound)
    for at in range(2_000):
        encoder.json(replace(KEPT, body=made(at)))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert encoder.held > bound * 0.7
    assert held < bound * 1.2


@pytest.mark.req("gateway:snapshots:bound")
async def test_a_page_that_others_pushed_out_is_fetched_anew_and_told_so(shell: Shell) -> None:
    asked: list[str] = []

    def long(path: str) -> Answer:
        asked.append(path)
        return 200, {}, ("<p>" + "word " * 20_000).encode()

    with site(long) as base:
        async with serving(shell) as served:
            assert served.app is not None
            served.app.house.snapshots = Room(300_000)  # one such page, its text and its Markdown, and not two
            tokens = [served.token(name) for name in ("one", "two")]
            views = [await _read(served, token, f"{base}/long") for token in tokens]
            onward = views[0]["view"]["next_offset"]
            there = await _read(served, tokens[1], f"{base}/long", offset=onward)
            assert there["fetched_again"] is False
            assert asked == ["/long"] * 2
            again = await _read(served, tokens[0], f"{base}/long", offset=onward)

    assert asked == ["/long"] * 3
    assert again["fetched_again"] is True


async def _read(served: Served, token: str, url: str, **more: Any) -> Any:
    got = await served.ask("/v1/tools/web_fetch", {"url": url, **more}, token=token)
    return got.json["structured"]


def _page(path: str) -> Answer:
    return 200, {"Cache-Control": "max-age=600"}, f'<p>page {path} "ü" </p>'.encode()


@pytest.mark.req("gateway:kept:json", "gateway:metrics:kept")
async def test_a_page_from_the_cache_is_the_page_that_was_fetched_and_is_counted(shell: Shell) -> None:
    with site(_page) as base:
        async with serving(shell, CACHED) as served:
            told = [(await served.ask("/v1/fetch", {"url": f"{base}/a"})).json for _ in range(4)]
            searched = [(await served.ask("/v1/search", {"query": "hits"})).json for _ in range(3)]
            metrics = (await served.ask("/metrics")).body.decode()

    for again in told[1:]:
        cache, attempts = again.pop("cache"), again.pop("attempts")
        assert cache["age"] >= 0
        assert attempts[0]["dispatched"] is False
        assert again == {name: part for name, part in told[0].items() if name != "attempts"}
    assert ["cache" in one for one in searched] == [False, True, True]
    assert 'webseam_kept_answers_total{capability="fetch",tenant="local"} 3.0' in metrics
    assert 'webseam_kept_answers_total{capability="search",tenant="local"} 2.0' in metrics
