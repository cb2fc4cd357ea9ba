"""Extraction vendors on loopback: what each is asked, what it answers, and how it says that it got no page."""

import tomllib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec

from support.net import ScriptedResolver
from support.vendor import KEY, ROOT, HeldKey
from webseam.core.plugin import Kit, ProviderSpec, Seams
from webseam.core.settings import FetchSettings
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport
from webseam.testing.vendor_server import Reply, VendorServer

ASKED: Final = "https://kelp.example/permits?year=2026#fees"
TOLD: Final = "https://kelp.example/permits?year=2026"
"""What a vendor is told of it."""

TEXT: Final = "# Permits\n\nA permit takes six weeks."


def _installed() -> dict[str, ProviderSpec]:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    places = {kind: place.split(":") for kind, place in declared["webseam.extract"].items()}
    return {kind: getattr(import_module(module), name) for kind, (module, name) in places.items()}


ALL: Final[Mapping[str, ProviderSpec]] = _installed()
VENDORS: Final = tuple(sorted(set(ALL) - {"local"}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A reply that speaks of the page, not of the call."""

    name: str
    reply: Reply
    says: str
    code: str = "WEB_PROVIDER_ERROR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One vendor. `good` is its answer with a text in it, `{url}` the place where it tells the final URL."""

    path: str
    body: Mapping[str, Any]
    good: Any
    proof: Mapping[str, str] = field(default_factory=lambda: {"authorization": f"Bearer {KEY}"})
    facts: Mapping[str, Any] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=lambda: {"calls": 1})
    unread: tuple[Unread, ...] = ()
    empty: Any = None
    tells_url: bool = True
    option: str = "base_url"


def _row(**fields: Any) -> dict[str, Any]:
    return {"url": "{url}", **fields}


SAMPLES: Final[Mapping[str, Sample]] = {
    "exa": Sample(
        path="/contents",
        body={"urls": [TOLD], "text": True},
        good={
            "requestId": "r-1",
            "results": [
                _row(id="x", title="Permits", author="A. Diver", publishedDate="2026-03-02T00:00:00.000Z", text=TEXT)
            ],
            "statuses": [{"id": "x", "status": "success", "source": "cached"}],
            "costDollars": {"total": 0.001},
        },
        facts={"title": "Permits", "author": "A. Diver", "published_at": "2026-03-02T00:00:00.000Z"},
        usage={"calls": 1, "cost": 0.001, "currency": "USD"},
        unread=(
            Unread(
                name="status",
                reply=Reply.json(
                    {
                        "results": [],
                        "statuses": [
                            {"id": "x", "status": "error", "error": {"tag": "CRAWL_NOT_FOUND", "httpStatusCode": 404}}
                        ],
                    }
                ),
                says="HTTP 404; CRAWL_NOT_FOUND",
            ),
            Unread(
                name="forbidden",
                reply=Reply.json(
                    {
                        "results": [],
                        "statuses": [
                            {"status": "error", "error": {"tag": "SOURCE_NOT_AVAILABLE", "httpStatusCode": 403}}
                        ],
                    }
                ),
                says="HTTP 403",
                code="WEB_PROVIDER_BLOCKED",
            ),
            Unread(name="nothing", reply=Reply.json({"results": []}), says="sent nothing"),
        ),
        empty={"results": [_row(text=" \n")]},
    ),
    "tavily": Sample(
        path="/extract",
        body={"urls": [TOLD], "extract_depth": "basic", "format": "markdown", "include_usage": True},
        good={
            "results": [_row(raw_content=TEXT, title="Permits", images=[])],
            "failed_results": [],
            "response_time": 1.1,
            "usage": {"credits": 1},
        },
        facts={"title": "Permits"},
        usage={"calls": 1, "cost": 1, "currency": "credits"},
        unread=(
            Unread(
                name="failed",
                reply=Reply.json({"results": [], "failed_results": [{"url": TOLD, "error": "Failed to fetch url"}]}),
                says="Failed to fetch url",
            ),
            Unread(name="nothing", reply=Reply.json({"results": [], "failed_results": []}), says="sent nothing"),
        ),
        empty={"results": [_row(raw_content="")]},
    ),
    "firecrawl": Sample(
        path="/v2/scrape",
        body={"url": TOLD, "formats": ["markdown"], "onlyMainContent": True},
        good={
            "success": True,
            "data": {
                "markdown": TEXT,
                "metadata": {
                    "title": "Permits",
                    "author": "A. Diver",
                    "publishedTime": "2026-03-02",
                    "sourceURL": TOLD,
                    "url": "{url}",
                    "statusCode": 200,
                    "creditsUsed": 1,
                },
                "warning": "The page was slow.",
            },
        },
        facts={"title": "Permits", "author": "A. Diver", "published_at": "2026-03-02"},
        usage={"calls": 1, "cost": 1, "currency": "credits"},
        unread=(
            Unread(
                name="target",
                reply=Reply.json(
                    {
                        "success": True,
                        "data": {"markdown": "Not here", "metadata": {"statusCode": 404, "error": "Not Found"}},
                    }
                ),
                says="HTTP 404; Not Found",
            ),
            Unread(
                name="challenge",
                reply=Reply.json({"success": True, "data": {"markdown": "Wait", "metadata": {"statusCode": 403}}}),
                says="HTTP 403",
                code="WEB_PROVIDER_BLOCKED",
            ),
        ),
        empty={"success": True, "data": {"markdown": "", "metadata": {"statusCode": 200}}},
    ),
    "jina": Sample(
        path="/",
        body={"url": TOLD},
        good={
            "code": 200,
            "status": 20000,
            "data": _row(
                title="Permits", description="", content=TEXT, publishedTime="Mon, 02 Mar 2026", usage={"tokens": 40}
            ),
            "meta": {"usage": {"tokens": 41}},
        },
        facts={"title": "Permits", "published_at": "Mon, 02 Mar 2026"},
        usage={"calls": 1, "cost": 41, "currency": "tokens"},
        unread=(
            Unread(
                name="target",
                reply=Reply.json(
                    {
                        "code": 200,
                        "data": {"content": "Gone", "warning": "Target URL returned error 404: Not Found"},
                    }
                ),
                says="HTTP 404",
            ),
            Unread(
                name="captcha",
                reply=Reply.json(
                    {"code": 200, "data": {"content": "Prove it", "warning": "This page maybe requiring CAPTCHA"}}
                ),
                says="captcha",
                code="WEB_PROVIDER_BLOCKED",
            ),
        ),
        empty={"code": 200, "data": {"content": ""}},
        option="reader_url",
    ),
    "parallel": Sample(
        path="/v1/extract",
        body={"urls": [TOLD], "advanced_settings": {"full_content": True}},
        proof={"x-api-key": KEY},
        good={
            "extract_id": "e-1",
            "session_id": "s",
            "results": [_row(title="Permits", publish_date="2026-03-02", excerpts=["A permit"], full_content=TEXT)],
            "errors": [],
            "warnings": [{"type": "warning", "message": "Served from cache"}],
        },
        facts={"title": "Permits", "published_at": "2026-03-02"},
        unread=(
            Unread(
                name="error",
                reply=Reply.json(
                    {
                        "results": [],
                        "errors": [{"url": TOLD, "error_type": "fetch_error", "http_status_code": 500, "content": "x"}],
                    }
                ),
                says="HTTP 500; fetch_error",
            ),
        ),
        empty={"results": [_row(excerpts=[], full_content=None)], "errors": []},
    ),
    "you": Sample(
        path="/v1/contents",
        body={"urls": [TOLD], "formats": ["markdown"]},
        proof={"x-api-key": KEY},
        good=[_row(title="Permits", markdown=TEXT, html=None)],
        facts={"title": "Permits"},
        unread=(Unread(name="nothing", reply=Reply.json([]), says="sent nothing"),),
        empty=[_row(title="Permits", markdown=None)],
    ),
    "linkup": Sample(
        path="/fetch",
        body={"url": TOLD},
        good={"markdown": TEXT, "favicon": "https://kelp.example/f.ico"},
        unread=(
            Unread(
                name="not-found",
                reply=Reply.json({"error": {"code": "FETCH_TARGET_NOT_FOUND", "message": "No such page"}}, status=400),
                says="No such page",
            ),
            Unread(
                name="file",
                reply=Reply.json({"error": {"code": "FETCH_URL_IS_FILE", "message": "A file"}}, status=400),
                says="A file",
                code="WEB_UNSUPPORTED_CONTENT_TYPE",
            ),
            Unread(
                name="too-large",
                reply=Reply.json({"error": {"code": "FETCH_RESPONSE_TOO_LARGE", "message": "Big"}}, status=400),
                says="Big",
                code="WEB_FETCH_TOO_LARGE",
            ),
        ),
        empty={"markdown": "\n"},
        tells_url=False,
    ),
    "deepseek": Sample(
        path="/v1/tools/fetch",
        body={"url": TOLD},
        good={"title": "Permits", "content": TEXT},
        facts={"title": "Permits"},
        unread=(
            Unread(
                name="not-fetched",
                reply=Reply.json({"error": {"message": "failed to fetch URL"}}, status=404),
                says="failed to fetch URL",
            ),
        ),
        empty={"title": "", "content": ""},
        tells_url=False,
    ),
}


def good(kind: str, url: str = TOLD) -> Reply:
    """The vendor's answer, with `url` as the page that it ended on."""
    return Reply.json(_filled(SAMPLES[kind].good, url))


def _filled(value: Any, url: str) -> Any:
    if value == "{url}":
        return url
    if isinstance(value, dict):
        return {name: _filled(inner, url) for name, inner in value.items()}
    return [_filled(inner, url) for inner in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Stage:
    """A vendor behind the seam."""

    server: VendorServer
    provider: Any
    web: Web


@asynccontextmanager
async def staged(
    kind: str, *replies: Reply, key: str | None = KEY, gate: Any = None, emit: Any = None, **options: Any
) -> AsyncIterator[Stage]:
    """The provider of this kind as wiring builds it, over the real transport, before a scripted vendor."""
    spec = ALL[kind]
    assert spec.options is not None
    transport = VendorTransport(resolver=ScriptedResolver({}))
    more = {} if emit is None else {"emit": emit}
    async with VendorServer(*replies) as server, Web(gate=gate, **more) as web:
        web.at_close(transport.aclose)
        kit = Kit(
            id=kind,
            options=msgspec.convert({SAMPLES[kind].option: server.url, **options}, spec.options),
            secret=HeldKey(key),
            transport=transport,
            fetch=FetchSettings(),
            data_dir=Path("unused"),
            seams=Seams(),
            on_close=web.at_close,
        )
        provider: Any = spec.build(kit)
        web.register_extract(provider)
        yield Stage(server, provider, web)
