"""A site with a robots.txt, and the seam that keeps to it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from support.net import LOOPBACK, Handler, Server, answer, http_web, serve
from webseam.core.errors import Code, WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.settings import FetchSettings
from webseam.core.web import Web

ROBOTS = replace(LOOPBACK, robots="on")
PAGE = answer(b"<!doctype html><title>T</title><p>Hello, page.</p>")


def rules(text: str, **how: Any) -> bytes:
    """A robots.txt as a server sends it."""
    return answer(text.encode(), content_type="text/plain", **how)


def moved(location: str, status: int = 301) -> bytes:
    return answer(b"", status=status, headers={"Location": location})


CLOSED = rules("User-agent: *\nDisallow: /")
PRIVATE = rules("User-agent: *\nDisallow: /private")
DISALLOWED = str(Code.ROBOTS_DISALLOWED)


@dataclass
class Clock:
    """Seconds that pass when a test says so."""

    at: float = 1_000.0

    def __call__(self) -> float:
        return self.at


class Doorman:
    """A gate that remembers what it was asked, and refuses the URLs of some hosts."""

    def __init__(self, *closed: str) -> None:
        self.closed = closed
        self.asked: list[str] = []

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        self.asked.append(request.target)
        return Verdict(allowed=not any(host in request.target for host in self.closed))


@dataclass
class Site:
    """A server where every page is there, and the seam in front of it."""

    server: Server
    web: Web

    async def code(self, url: str, **how: Any) -> str:
        """The word `ok`, or the code that a fetch ends in; a path stands for a page of the server."""
        try:
            await self.web.fetch(url if "://" in url else self.server.url + url, **how)
        except WebError as exc:
            return exc.code
        return "ok"

    @property
    def asked(self) -> list[str]:
        """The targets that were requested, in order."""
        return [request.target for request in self.server.requests]


@asynccontextmanager
async def site(
    robots: bytes | Handler,
    *,
    pages: Mapping[str, bytes] | None = None,
    settings: FetchSettings = ROBOTS,
    **provider: Any,
) -> AsyncIterator[Site]:
    """Serve `robots` (bytes, or a handler) as robots.txt, `pages` by path, and a page under every other path."""

    async def handler(request: Any, writer: Any) -> None:
        if request.target != "/robots.txt":
            writer.write((pages or {}).get(request.target, PAGE))
        elif isinstance(robots, bytes):
            writer.write(robots)
        else:
            await robots(request, writer)

    async with serve(handler) as server, http_web(settings, **provider) as web:
        yield Site(server, web)
