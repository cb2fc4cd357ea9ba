"""A toolset under permission, over providers that keep what reached them, and a person who is asked."""

import asyncio
from typing import Any

from support.tools import ScriptedFetch, ScriptedSearch, found, html
from webseam import Call, Event, Permission, PermissionSettings, Question, Run, SearchResult, ToolResult, Toolset, Web
from webseam.tools.run import Consent

SECRET = "c2VjcmV0IGtleTogaHVudGVyMiAxMjM0"


class AnyPage(ScriptedFetch):
    """Serves every URL; `asked` keeps them."""

    async def fetch(self, request: Any, *, call: Call) -> Any:
        self.pages.setdefault(request.url, [html("<p>text</p>", url=request.url)])
        return await super().fetch(request, call=call)


class Person:
    """Answers each question; `asked` keeps them."""

    def __init__(self, *answers: Consent) -> None:
        self.answers = list(answers)
        self.asked: list[Question] = []

    async def __call__(self, question: Question) -> Consent:
        self.asked.append(question)
        await asyncio.sleep(0)
        return self.answers.pop(0)


class Bench:
    """A toolset under permission, over providers that keep what reached them."""

    def __init__(
        self, run: Run | None = None, *, also: Any = None, result: SearchResult | None = None, **settings: Any
    ) -> None:
        self.run = run or Run()
        self.search = ScriptedSearch(answer=result or found("https://hit.test/?id=1"))
        self.pages = AnyPage()
        self.events: list[Event] = []
        permission = Permission(PermissionSettings(**settings), run=self.run, also=also)
        self.web = Web(gate=permission, emit=self.events.append)
        self.web.register_search(self.search)
        self.web.register_fetch(self.pages)
        self.tools = Toolset(self.web)

    async def fetch(self, url: str, **args: Any) -> ToolResult:
        return await self.tools.call("web_fetch", {"url": url, **args})

    async def ask(self, query: str = "kelp") -> ToolResult:
        return await self.tools.call("web_search", {"query": query})

    @property
    def reached(self) -> int:
        """Requests that left."""
        return len(self.search.asked) + len(self.pages.asked)


def code(result: ToolResult) -> str | None:
    return None if result.error is None else str(result.error["code"])
