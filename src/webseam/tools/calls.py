"""What each tool does once its arguments are read: ask the seam, render, and tell the run what it learned."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from webseam.core.call import Call
from webseam.core.settings import ToolSettings
from webseam.core.types import SearchResult
from webseam.core.web import Web
from webseam.tools.arguments import checked_phrases, checked_queries, checked_url, search_controls
from webseam.tools.extracts import Extracts
from webseam.tools.guarded import Guarded
from webseam.tools.long_answers import looked_through
from webseam.tools.merge import answers, ask_all, merged
from webseam.tools.pages import Pages, beside
from webseam.tools.parameters import EXTRACT, FETCH
from webseam.tools.render_extract import render_extract
from webseam.tools.render_fetch import render_fetch
from webseam.tools.render_find import render_find
from webseam.tools.render_search import render_search
from webseam.tools.result import ToolResult


@dataclass(frozen=True, slots=True)
class Asked:
    """What the model asked for, the boundary's nonces for the answer, and the permission that it is under."""

    name: str
    args: object
    nonce: Callable[[], str]
    guard: Guarded


class Calls:
    """The tools over one `Web`, each from checked argument types to its result."""

    def __init__(self, web: Web, settings: ToolSettings, pages: Pages) -> None:
        self._web = web
        self._settings = settings
        self._pages = pages
        self._extracts = Extracts(web, pages)

    def seconds(self, name: str) -> float:
        """The seam's own time for a call of this tool."""
        times = self._web.settings
        return {FETCH: times.fetch_seconds, EXTRACT: times.extract_seconds}.get(name, times.search_seconds)

    async def run(self, values: dict[str, Any], call: Call, asked: Asked) -> ToolResult:
        """Run the tool that is asked for.

        Raises:
            WebError: as the seam; `INVALID_ARGS` for values that cannot be meant.
        """
        if asked.name == FETCH:
            return await self._fetch(values, call, asked)
        if asked.name == EXTRACT:
            return await self._extract(values, call, asked)
        return await self._search(values, call, asked)

    async def _search(self, values: dict[str, Any], call: Call, asked: Asked) -> ToolResult:
        settings = self._settings
        given = values["queries"] if settings.max_queries > 1 else [values["query"]]
        queries = checked_queries(given, settings.max_queries)
        controls = search_controls(values)
        own = call if len(queries) == 1 else replace(call, progress=None)  # several answers would mix in one stream

        async def ask(query: str) -> SearchResult:
            result = await self._web.search(query, controls=controls, call=own)
            asked.guard.searched(result)
            return await looked_through(result, self._pages, self._settings, call)

        if len(queries) == 1:
            return render_search(queries, await ask(queries[0]), settings, asked.nonce)
        parts = await ask_all(queries, ask)
        result = merged(queries, parts, self._web.settings.max_results)
        return render_search(queries, result, settings, asked.nonce, answers=answers(queries, parts))

    async def _fetch(self, values: dict[str, Any], call: Call, asked: Asked) -> ToolResult:
        url = checked_url(values["url"])
        offset: int = values.get("offset", 0)
        phrases = checked_phrases(values.get("find"))
        reading = await self._pages.read(url, offset, call, run=asked.guard.run, finding=bool(phrases))
        show = partial(render_find, reading, phrases) if phrases else partial(render_fetch, reading)
        result = await beside(partial(show, offset, self._settings, asked.nonce), len(reading.snapshot.text))
        asked.guard.read(url, reading.snapshot, result.structured)
        return result

    async def _extract(self, values: dict[str, Any], call: Call, asked: Asked) -> ToolResult:
        url = checked_url(values["url"])
        offset: int = values.get("offset", 0)
        reading = await self._extracts.read(url, offset, call, run=asked.guard.run)
        show = partial(render_extract, reading, offset, self._settings, asked.nonce)
        result = await beside(show, len(reading.extract.text))
        asked.guard.extracted(url, reading, result.structured)
        return result
