"""A site whose pages may be kept, the seam that keeps them, and clocks that stand still."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from typing import Any

from support.net import LOOPBACK, Handler, Request, Server, answer, serve
from webseam.core.call import Call
from webseam.core.pages import StoredPage
from webseam.core.types import FetchResult, HtmlBody
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch

CACHED = replace(LOOPBACK, cache="memory")
START = 1_800_000_000.0


@dataclass
class Clocks:
    """Wall clock and monotonic clock, which pass when a test says so."""

    wall: float = START
    steady: float = 50.0

    def now(self) -> float:
        return self.wall

    def clock(self) -> float:
        return self.steady

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds

    def date(self, offset: float = 0.0) -> str:
        """An HTTP date that far from now."""
        return formatdate(self.wall + offset, usegmt=True)


@dataclass
class Origin:
    """Answers by path; each path has its number of requests. An answer may be bytes or made from the request."""

    pages: dict[str, bytes | Callable[[Request], bytes]] = field(default_factory=dict)
    asked: list[Request] = field(default_factory=list)

    def handler(self) -> Handler:
        async def handle(request: Request, writer: Any) -> None:
            self.asked.append(request)
            made = self.pages.get(request.target, answer(b"<p>missing</p>", status=404))
            writer.write(made if isinstance(made, bytes) else made(request))

        return handle

    @property
    def targets(self) -> list[str]:
        return [request.target for request in self.asked]


@dataclass
class Reader:
    """One origin, one seam with a cache in front of it."""

    origin: Origin
    server: Server
    web: Web
    clocks: Clocks

    async def read(self, path: str = "/", **how: Any) -> FetchResult:
        return await self.web.fetch(self.server.url + path, **how)


@asynccontextmanager
async def reading(
    *pages: bytes | Callable[[Request], bytes],
    settings: Any = CACHED,
    clocks: Clocks | None = None,
    **provider: Any,
) -> AsyncIterator[Reader]:
    """A reader of an origin; the page given stands at `/`."""
    origin, own = Origin(), clocks or Clocks()
    if pages:
        origin.pages["/"] = pages[0]
    async with serve(origin.handler()) as server, cached_web(settings, own, **provider) as web:
        yield Reader(origin, server, web, own)


@asynccontextmanager
async def cached_web(settings: Any, clocks: Clocks, **provider: Any) -> AsyncIterator[Web]:
    fetch = HttpFetch(settings=settings, now=clocks.now, clock=clocks.clock, **provider)
    web = Web()
    web.register_fetch(fetch)
    web.at_close(fetch.aclose)
    async with web:
        yield web


def page(text: str = "one", *, cache: str | None = "max-age=60", **headers: str) -> bytes:
    """A page with a `Cache-Control`; header names are written with underscores."""
    given: Mapping[str, str] = {name.replace("_", "-"): value for name, value in headers.items()}
    control = {} if cache is None else {"Cache-Control": cache}
    return answer(f"<p>{text}</p>".encode(), headers={**control, **given})


def text(result: FetchResult) -> str:
    """The page's text without its markup."""
    assert isinstance(result.body, HtmlBody)
    return result.body.content.removeprefix("<p>").removesuffix("</p>")


def stored(body: bytes = b"body", **fields: Any) -> StoredPage:
    return StoredPage(**{"status": 200, "headers": (("X", "y"),), "body": body, "stored_at": 1.0, **fields})


__all__ = ["CACHED", "START", "Call", "Clocks", "Origin", "Reader", "cached_web", "page", "reading", "stored", "text"]
