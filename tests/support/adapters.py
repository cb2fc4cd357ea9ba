"""For the adapters: a scripted page server and search behind a real `Toolset`, and the list of hostile URLs."""

import base64
import re
from asyncio import StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import pytest

from support.net import LOOPBACK, PUBLIC, Request, ScriptedResolver, Server, Wire, always, answer, http_web, serve
from support.tools import ScriptedSearch
from support.url_rows import CODES, REACHED, REFUSED, TOLERANT
from webseam.core.gate import Gate
from webseam.core.settings import FetchSettings, ToolSettings
from webseam.core.types import SearchResult, Source
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch
from webseam.tools.run import Run
from webseam.tools.toolset import Toolset

Ask: TypeAlias = Callable[[str, dict[str, Any]], Awaitable[str]]
"""One tool call through an adapter: name and arguments to the text that the model gets."""

TITLE = "Kelp permits"
SENTENCE = "A farm needs a lease of the seabed before the first line is set."
SNIPPET = "A farm needs a lease."
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="
)
"""A PNG of one pixel."""

_PAGES = {
    "/permits": answer(f"<!doctype html><title>{TITLE}</title><h1>{TITLE}</h1><p>{SENTENCE}</p>".encode()),
    "/long": answer(f"<!doctype html><title>{TITLE}</title>{'<p>' + SENTENCE}".encode() * 4_000),
    "/pixel.png": answer(PICTURE, content_type="image/png"),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A toolset whose fetches reach `site` and whose searches find its page; `search.asked` keeps the queries."""

    tools: Toolset
    site: Server
    search: ScriptedSearch
    web: Web

    @property
    def url(self) -> str:
        """The page that a search finds."""
        return f"{self.site.url}/permits"

    @property
    def fetched(self) -> list[str]:
        """Paths that the site was asked for, in order."""
        return [request.target for request in self.site.requests]


async def _page(request: Request, writer: StreamWriter) -> None:
    """`/slow` never answers: the request ends when its client goes."""
    if request.target == "/slow":
        await request.gone()
        writer.close()
        return
    writer.write(_PAGES.get(request.target, answer(b"<p>missing</p>", status=404)))


@asynccontextmanager
async def stage(
    *,
    settings: ToolSettings | None = None,
    fetch: FetchSettings = LOOPBACK,
    gate: Gate | None = None,
    run: Run | None = None,
) -> AsyncIterator[Stage]:
    """A site on loopback behind the real fetch provider, and a scripted search; closed at the end."""
    async with serve(_page) as site:
        found = Source(url=f"{site.url}/permits", title=TITLE, snippet=SNIPPET, published_at="2026-05-01")
        search = ScriptedSearch(answer=SearchResult(provider="scripted", sources=(found,)))
        reader = HttpFetch(settings=fetch)
        web = Web(gate=gate)
        web.register_fetch(reader)
        web.register_search(search)
        web.at_close(reader.aclose)
        tools = Toolset(web, settings=settings, run=run)
        try:
            async with web:
                yield Stage(tools, site, search, web)
                await tools.aclose()
        finally:
            await tools.aclose()


def seeing() -> FetchSettings:
    """Loopback opened, and pictures fetched."""
    return replace(LOOPBACK, images=True)


# The list of hostile URLs -------------------------------------------------------------------------------

_CODE = re.compile(r"\((WEB_[A-Z_]+|INVALID_ARGS|TOOL_TIMEOUT)\)")
_CODES = CODES | {"INVALID_ARGS": {"invalid"}}
"""A blank URL, or half of a character, never gets as far as the seam."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A toolset with no exception in its settings: every name resolves to a public address, mapped to loopback."""

    tools: Toolset
    wire: Wire
    resolver: ScriptedResolver


@asynccontextmanager
async def guarded_stage() -> AsyncIterator[Guarded]:
    """For `assert_verdicts`; closed at the end."""
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    async with serve(always(answer(b"<p>reached</p>", headers={"Connection": "close"}), close=True)) as server:
        wire = Wire(default=server.port)
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            tools = Toolset(web)
            try:
                yield Guarded(tools, wire, resolver)
            finally:
                await tools.aclose()


async def assert_verdicts(ask: Ask, place: Guarded) -> None:
    """Every refused row is refused with its code and nothing dialled; every allowed row is dialled, and http reached.

    Nobody speaks TLS here: for https it counts that the guard let the dial through.
    """
    for row in REFUSED:
        assert set(row["want"]) & _CODES[await _ended(ask, row)], row
    assert (place.wire.dialled, sum(place.resolver.asked.values())) == ([], 0)
    for row in TOLERANT:
        code = await _ended(ask, row)
        assert code == "page" or set(row["want"]) & _CODES[code], row
    plain = place.wire.default
    for row in REACHED:
        secure = row.get("href", "").startswith("https")
        place.wire.default, before = None if secure else plain, len(place.wire.dialled)
        assert await _ended(ask, row) == ("WEB_PROVIDER_ERROR" if secure else "page"), row
        assert len(place.wire.dialled) > before or not secure, row


async def _ended(ask: Ask, row: dict[str, Any]) -> str:
    """`page`, or the code that the model is told."""
    text = await ask("web_fetch", {"url": row["url"]})
    if "reached" in text:
        return "page"
    found = _CODE.search(text)
    assert text.startswith("Error: "), (row, text)
    assert found is not None, (row, text)
    return found[1]


def needs(module: str, group: str = "frameworks") -> Any:
    """The framework, or a skip that says which dependency group brings it."""
    return pytest.importorskip(
        module, reason=f"{module} is not installed; `uv sync --group {group}` brings it", exc_type=ImportError
    )
