"""Honest scripted providers for tests of the tools, a bare `Web` over them, and a small JSON Schema checker."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.settings import SeamSettings, ToolSettings
from webseam.core.types import (
    FetchRequest,
    FetchResult,
    HtmlBody,
    SearchRequest,
    SearchResult,
    Source,
    TextBody,
)
from webseam.core.web import Web
from webseam.tools.toolset import Toolset

Answer: TypeAlias = SearchResult | WebError | Callable[[SearchRequest, Call], Awaitable[SearchResult]]
Page: TypeAlias = FetchResult | WebError | Callable[[FetchRequest, Call], Awaitable[FetchResult]]


@dataclass(slots=True)
class ScriptedSearch:
    """Answers every query with `answer`, or with what `answers` holds for it; `asked` keeps the requests."""

    answer: Answer = field(default_factory=lambda: SearchResult(provider="scripted"))
    answers: dict[str, Answer] = field(default_factory=dict)
    id: str = "scripted"
    usable: bool = True
    native_controls: frozenset[str] = frozenset()
    asked: list[SearchRequest] = field(default_factory=list)

    def available(self) -> bool:
        return self.usable

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        self.asked.append(request)
        call.dispatch.mark()
        answer = self.answers.get(request.query, self.answer)
        if isinstance(answer, WebError):
            raise answer
        if isinstance(answer, SearchResult):
            return replace(answer, provider=self.id)
        return await answer(request, call)


@dataclass(slots=True)
class ScriptedFetch:
    """Serves `pages` by URL, each entry once while more than one is left; `asked` keeps the URLs."""

    pages: dict[str, list[Page]] = field(default_factory=dict)
    id: str = "scripted"
    usable: bool = True
    asked: list[str] = field(default_factory=list)

    def available(self) -> bool:
        return self.usable

    async def fetch(self, request: FetchRequest, *, call: Call) -> FetchResult:
        self.asked.append(request.url)
        call.dispatch.mark()
        queue = self.pages[request.url]
        page = queue.pop(0) if len(queue) > 1 else queue[0]
        if isinstance(page, WebError):
            raise page
        if isinstance(page, FetchResult):
            return page
        return await page(request, call)


@dataclass(slots=True)
class ListedGate:
    """Denies the targets in `denied`; `asked` keeps kind and target of every question."""

    denied: set[str] = field(default_factory=set)
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        self.asked.append((request.kind, request.target))
        return Verdict(allowed=request.target not in self.denied, reason="This target is on the block list.")


URL = "https://a.test/page"


def html(content: str, *, url: str = URL, **facts: Any) -> FetchResult:
    """An HTML page as the seam returns it."""
    known: dict[str, Any] = {"status_code": 200, "media_type": "text/html", "charset": "utf-8"} | facts
    return FetchResult(
        provider="scripted", url=url, body=HtmlBody(content=content), received_bytes=len(content), **known
    )


def plain(content: str, *, url: str = URL, **facts: Any) -> FetchResult:
    """A plain-text page as the seam returns it."""
    known: dict[str, Any] = {"status_code": 200, "media_type": "text/plain", "charset": "utf-8"} | facts
    return FetchResult(
        provider="scripted", url=url, body=TextBody(content=content), received_bytes=len(content), **known
    )


def found(*urls: str, **facts: Any) -> SearchResult:
    """A grounded result with bare sources."""
    return SearchResult(provider="scripted", sources=tuple(Source(url=url) for url in urls), **facts)


def searching(
    answer: Answer | None = None,
    *,
    tools: ToolSettings | None = None,
    seam: SeamSettings | None = None,
    **provider: Any,
) -> tuple[Toolset, ScriptedSearch]:
    """A toolset over one scripted search provider."""
    scripted = ScriptedSearch(**provider)
    if answer is not None:
        scripted.answer = answer
    web = Web(settings=seam)
    web.register_search(scripted)
    return Toolset(web, settings=tools), scripted


def reading(
    *pages: Page, tools: ToolSettings | None = None, url: str = URL, **web: Any
) -> tuple[Toolset, ScriptedFetch]:
    """A toolset over one scripted fetch provider that serves `pages` for `url`, the last one for ever."""
    scripted = ScriptedFetch(pages={url: list(pages)})
    seam = Web(**web)
    seam.register_fetch(scripted)
    return Toolset(seam, settings=tools), scripted


def inside(text: str) -> str:
    """What stands inside the boundary of an answer; fails when there is not exactly one."""
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("[Quoted from the web until the line")]
    assert starts, text
    nonce = lines[starts[0]].removeprefix("[Quoted from the web until the line with ").partition(":")[0]
    ends = [number for number, line in enumerate(lines) if line == f"[End of quotation {nonce}]"]
    assert len(ends) == 1, text
    assert text.count(nonce) == 2
    return "\n".join(lines[starts[0] + 1 : ends[0]])


def outside(text: str) -> str:
    """What we say ourselves: an answer without its quotation."""
    return text.replace(inside(text), "")


async def forever(_request: object, _call: Call) -> Any:
    """A provider that never answers and can be cancelled."""
    await asyncio.Event().wait()


_TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}


def schema_errors(value: Any, schema: dict[str, Any], path: str = "$") -> list[str]:
    """Where `value` breaks `schema`, for the keywords that our schemas use; an unknown keyword is an error."""
    errors = _keyword_errors(value, schema, path)
    if isinstance(value, dict):
        errors += _object_errors(value, schema, path)
    if isinstance(value, list) and "items" in schema:
        errors += [e for n, item in enumerate(value) for e in schema_errors(item, schema["items"], f"{path}[{n}]")]
    return errors


def _keyword_errors(value: Any, schema: dict[str, Any], path: str) -> list[str]:
    known = {
        "$schema",
        "additionalProperties",
        "description",
        "enum",
        "items",
        "maxItems",
        "minItems",
        "minimum",
        "properties",
        "required",
        "type",
    }
    errors = [f"{path}: unknown keyword {name}" for name in schema if name not in known]
    allowed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is_type(value, name) for name in allowed):
        errors.append(f"{path}: {value!r} is not {allowed}")
    if "enum" in schema and value not in schema["enum"]:
        errors.append(f"{path}: {value!r} is not in {schema['enum']}")
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        errors.append(f"{path}: {value!r} is below {schema['minimum']}")
    return errors


def _is_type(value: Any, name: str) -> bool:
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, _TYPES[name])


def _object_errors(value: dict[str, Any], schema: dict[str, Any], path: str) -> list[str]:
    properties = schema.get("properties", {})
    errors = [f"{path}: {name} is missing" for name in schema.get("required", ()) if name not in value]
    for name, part in value.items():
        inner = properties.get(name, schema.get("additionalProperties", {}))
        if inner is False:
            errors.append(f"{path}: {name} is not allowed")
        elif inner is not True:
            errors += schema_errors(part, inner, f"{path}.{name}")
    return errors
