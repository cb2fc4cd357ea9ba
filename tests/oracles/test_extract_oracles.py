"""Extraction beside the vendors' own SDKs, on loopback: the same page asked for, the same reply read.

The SDKs are the dependency group `oracles`; without it these tests skip and say so.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from support.extracting import TEXT, TOLD, good, staged
from support.oracle import MISSING_SDK, SDK_SECONDS
from support.vendor import KEY
from webseam.testing import VendorCall, VendorServer

FIELDS: Final = ("url", "title", "author", "published_at", "markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """`ask` gets the SDK, the vendor's URL and a page's; what it read is under our names. `extra` is the SDK's own."""

    sdk: str
    ask: Callable[[Any, str], Mapping[str, Any]]
    extra: Mapping[str, Any]
    why: str


def _exa(sdk: Any, url: str) -> Mapping[str, Any]:
    (row,) = sdk.Exa(KEY, base_url=url).get_contents([TOLD], text=True).results
    told = {"url": row.url, "title": row.title, "author": row.author, "markdown": row.text}
    return told | {"published_at": row.published_date}


def _tavily(sdk: Any, url: str) -> Mapping[str, Any]:
    with sdk.TavilyClient(api_key=KEY, api_base_url=url) as client:
        answer = client.extract(
            [TOLD], extract_depth="basic", format="markdown", include_usage=True, timeout=SDK_SECONDS
        )
    (row,) = answer["results"]
    return {"url": row["url"], "title": row["title"], "markdown": row["raw_content"]}


def _firecrawl(sdk: Any, url: str) -> Mapping[str, Any]:
    page = sdk.Firecrawl(api_key=KEY, api_url=url).scrape(TOLD, formats=["markdown"], only_main_content=True)
    about = page.metadata
    told = {"url": about.url, "title": about.title, "author": about.author, "markdown": page.markdown}
    return told | {"published_at": about.published_time}


def _parallel(sdk: Any, url: str) -> Mapping[str, Any]:
    with sdk.Parallel(api_key=KEY, base_url=url, max_retries=0, timeout=SDK_SECONDS) as client:
        (row,) = client.extract(urls=[TOLD], advanced_settings={"full_content": True}).results
    return {"url": row.url, "title": row.title, "published_at": row.publish_date, "markdown": row.full_content}


def _you(sdk: Any, url: str) -> Mapping[str, Any]:
    with sdk.You(api_key_auth=KEY) as client:
        (row,) = client.contents(urls=[TOLD], formats=["markdown"], server_url=url)
    return {"url": row.url, "title": row.title, "markdown": row.markdown}


def _linkup(sdk: Any, url: str) -> Mapping[str, Any]:
    page = sdk.LinkupClient(api_key=KEY, base_url=url).fetch(TOLD, timeout=SDK_SECONDS)
    return {"url": TOLD, "markdown": page.markdown}


BESIDE: Final = {
    "exa": Beside(sdk="exa_py", ask=_exa, extra={}, why=""),
    "tavily": Beside(sdk="tavily", ask=_tavily, extra={"timeout": 10.0}, why="The SDK tells the server its patience."),
    "firecrawl": Beside(
        sdk="firecrawl",
        ask=_firecrawl,
        extra={
            "maxAge": 14_400_000,
            "removeBase64Images": True,
            "blockAds": True,
            "origin": ...,
            "fastMode": False,
            "mobile": False,
            "storeInCache": True,
        },
        why="The server's own defaults, spelled out.",
    ),
    "parallel": Beside(sdk="parallel", ask=_parallel, extra={}, why=""),
    "you": Beside(
        sdk="youdotcom", ask=_you, extra={"crawl_timeout": 10, "max_age": None}, why="The server's defaults."
    ),
    "linkup": Beside(sdk="linkup", ask=_linkup, extra={}, why=""),
}


async def _theirs(kind: str, sdk: Any) -> tuple[VendorCall, Mapping[str, Any]]:
    async with VendorServer(good(kind)) as server:
        read = await asyncio.to_thread(BESIDE[kind].ask, sdk, server.url)
        return server.requests[0], read


@pytest.mark.req("extract:sdk")
@pytest.mark.parametrize("kind", sorted(BESIDE))
async def test_a_page_is_asked_for_and_read_as_the_vendors_sdk_does(kind: str) -> None:
    sdk = pytest.importorskip(BESIDE[kind].sdk, reason=MISSING_SDK)
    request, read = await _theirs(kind, sdk)
    async with staged(kind, good(kind)) as stage:
        result = await stage.web.extract(TOLD)
        (ours,) = stage.server.requests
    assert (ours.method, ours.target) == (request.method, request.target)
    extra = {name: value for name, value in request.json.items() if name not in ours.json}
    assert {name: request.json[name] for name in ours.json} == ours.json
    assert set(extra) == set(BESIDE[kind].extra)
    assert all(BESIDE[kind].extra[name] in (value, ...) for name, value in extra.items())
    assert {name: getattr(result, name) for name in FIELDS} == dict.fromkeys(FIELDS) | dict(read)
    assert result.markdown == TEXT
