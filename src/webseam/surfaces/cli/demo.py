"""`webseam demo`: an agent's run through the tools, on a small real web site served from loopback.

Needs no network and no key. Loopback is opened in this run's own configuration and nowhere else. Every step checks
what it shows: a demo that ends with exit code 0 did what it says.
"""

import asyncio
import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webseam.core.errors import Code, WebError
from webseam.core.web import Web
from webseam.surfaces.cli.demo_server import demo_site
from webseam.surfaces.cli.session import Session
from webseam.tools.result import ToolResult
from webseam.tools.toolset import Toolset
from webseam.wiring.indexing import index_sitemap
from webseam.wiring.offline import offline
from webseam.wiring.opening import open_web

PAGE_CHARS = 6_000
"""A small answer, so that the long page needs a second call."""


def run_demo(session: Session) -> int:
    """Show the tour on stdout; 0 when every step went as told.

    Raises:
        WebError: `WEB_PROVIDER_ERROR` naming the step that did not; `WEB_OFFLINE`, for even its own site is dialled.
    """
    if session.offline and session.replay is None:
        raise offline()
    return asyncio.run(_tour(session))


async def _tour(session: Session) -> int:
    with tempfile.TemporaryDirectory(prefix="webseam-demo-") as folder:
        if session.replay is not None:  # the site stands in the recording: nothing is served
            await _Tour(session, "", Path(folder)).run()
            return 0
        async with demo_site() as base:
            await _Tour(session, base, Path(folder)).run()
    return 0


@dataclass(slots=True)
class _Tour:
    session: Session
    base: str
    folder: Path
    results: list[ToolResult] = field(default_factory=list)

    async def run(self) -> None:
        index_path = self.folder / "index.sqlite3"
        config: dict[str, dict[str, Any]] = {
            "search": {"provider": "local"},
            "fetch": {"private_networks": ["127.0.0.0/8"]},
            "index": {"path": str(index_path)},
            "tools": {"fetch_chars": PAGE_CHARS},
        }
        async with self._opened(config) as web:
            if web.tape is not None:  # a port and a folder of chance: a replay shows those of its recording
                self.base = web.tape.draw("demo site", self._site)
                config["index"]["path"] = web.tape.draw("demo index", lambda: str(index_path))
            self._say(f"A small web site stands on {self.base}. Its configuration for this run:\n\n{_json(config)}")
            await self._index(web, index_path)
            tools = Toolset(web)
            try:
                await self._agent(tools)
            finally:
                await tools.aclose()
        self._title("What the host got beside the text: the structured results")
        for result in self.results:
            self._say(_json(_brief(result)))

    def _opened(self, config: dict[str, dict[str, Any]]) -> Web:
        return open_web(
            config=config,
            environ={"HOME": str(self.folder)},
            cwd=self.folder,
            emit=self.session.emit,
            record=self.session.record,
            replay=self.session.replay,
            offline=self.session.offline,
        )

    def _site(self) -> str:
        """Where the site stands.

        Raises:
            WebError: `WEB_REPLAY_MISS` for a recording of something else.
        """
        if not self.base:
            raise WebError(Code.REPLAY_MISS, "The file holds no recorded demo. Make one: webseam demo --record FILE.")
        return self.base

    async def _index(self, web: Web, path: Path) -> None:
        from webseam.stores.index import LocalIndex  # noqa: PLC0415 - SQLite loads for the index only

        self._title("webseam index --sitemap")
        report = await index_sitemap(web, LocalIndex(path, read_only=False), f"{self.base}/sitemap.xml")
        _expect(len(report.indexed) >= 9, "the site was indexed")  # noqa: PLR2004 - the pages in the sitemap with text
        self._say("\n".join(f"indexed {url}" for url in report.indexed))

    async def _agent(self, tools: Toolset) -> None:
        found = await self._call(tools, "web_search", query="kelp farm permit")
        hits = found.structured["sources"] if found.structured else []
        _expect(bool(hits) and not found.is_error, "the search has hits")
        page = await self._call(tools, "web_fetch", url=f"{self.base}/guide/starting.html")
        _expect("## Seeding" in page.text and "buy now" not in page.text, "the article is Markdown without hidden text")
        table = await self._call(tools, "web_fetch", url=f"{self.base}/permit")
        _expect("| Harbour master |" in table.text, "the redirect led to the table")
        russian = await self._call(tools, "web_fetch", url=f"{self.base}/history.html")
        _expect("Ламинарию" in russian.text, "windows-1251 is read as Cyrillic")
        await self._long_page(tools)
        quoted = await self._call(tools, "web_fetch", url=f"{self.base}/forum.html")
        _expect("(on 169.254.169.254)" in quoted.text, "a disguised link shows its real host")
        await self._refused(tools, "http://169.254.169.254/latest/meta-data/", Code.BLOCKED_URL)
        await self._refused(tools, "http://192.168.1.1/admin", Code.BLOCKED_URL)
        await self._refused(tools, f"{self.base}/chart.zip", Code.UNSUPPORTED_CONTENT_TYPE)
        gone = await self._call(tools, "web_fetch", url=f"{self.base}/no-such-page")
        _expect(not gone.is_error and "404" in gone.text, "a 404 is a labelled result")

    async def _long_page(self, tools: Toolset) -> None:
        url = f"{self.base}/log/tides.html"
        first = await self._call(tools, "web_fetch", url=url)
        start = _view(first).get("next_offset")
        _expect(start is not None, "the long page has a second part")
        second = await self._call(tools, "web_fetch", url=url, offset=start)
        _expect(_view(second).get("offset") == start, "it reads on where it ended")

    async def _refused(self, tools: Toolset, url: str, code: str) -> None:
        result = await self._call(tools, "web_fetch", url=url)
        _expect(result.is_error and (result.error or {}).get("code") == code, f"{code} is told for {url}")

    async def _call(self, tools: Toolset, name: str, **arguments: object) -> ToolResult:
        self._title(f"{name}({json.dumps(arguments, ensure_ascii=False)})")
        result = await tools.call(name, arguments)
        self._say(_shortened(result.text))
        self.results.append(result)
        return result

    def _title(self, text: str) -> None:
        self.session.out.data(f"\n--- {text} ---")

    def _say(self, text: str) -> None:
        self.session.out.data(text)


def _view(result: ToolResult) -> dict[str, Any]:
    return dict((result.structured or {}).get("view", {}))


def _expect(truth: bool, promise: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not truth:
        raise WebError(Code.PROVIDER_ERROR, f"The demo did not go as it should: {promise} - it did not. Report this.")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


SHOWN_LINES = 24
"""Lines of one answer that the tour prints; what it leaves out, it says."""


def _shortened(text: str) -> str:
    lines = text.splitlines()
    if len(lines) <= SHOWN_LINES + 8:
        return text
    left = len(lines) - SHOWN_LINES - 4
    return "\n".join(
        [*lines[:SHOWN_LINES], f"[... {left} lines of this answer not printed by the demo ...]", *lines[-4:]]
    )


def _brief(result: ToolResult) -> dict[str, Any]:
    """The structured result with its page text shortened."""
    if result.is_error:
        return {"error": result.error}
    brief = dict(result.structured or {})
    content = brief.get("content")
    if isinstance(content, str) and len(content) > 80:  # noqa: PLR2004 - a line of a terminal
        brief["content"] = f"{content[:80]}[... {len(content):,} characters in all]"
    return brief
