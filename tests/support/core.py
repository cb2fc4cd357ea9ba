"""Short words for the tests of the seam."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, TypeVar

import pytest

from webseam.core.errors import Code, WebError
from webseam.core.providers import SearchProvider
from webseam.core.types import ExtractResult, FetchResult, SearchResult, Source, TextBody
from webseam.core.web import Web

T = TypeVar("T")

DISPATCHED = True
"""As an argument of `failing`: the request had left."""


def hits(*urls: str, **more: Any) -> SearchResult:
    """A grounded answer with these URLs."""
    return SearchResult(provider="script", sources=tuple(Source(url=url) for url in urls), **more)


def bare(answer: str = "From memory.", **more: Any) -> SearchResult:
    """An answer that no search backs."""
    return SearchResult(provider="script", grounding="ungrounded", content=answer, **more)


def page(url: str = "https://example.test/", text: str = "Hello.", **more: Any) -> FetchResult:
    """A small text page."""
    return FetchResult(provider="script", url=url, status_code=200, body=TextBody(content=text), **more)


def extract(url: str = "https://example.test/", text: str = "# Hello", **more: Any) -> ExtractResult:
    """A small extraction."""
    return ExtractResult(provider="script", url=url, markdown=text, **more)


def failing(code: str = Code.PROVIDER_ERROR, dispatched: bool = False, **more: Any) -> WebError:  # noqa: FBT001, FBT002 - reads as a word at the call
    """An error as a provider raises it."""
    return WebError(code, "It failed. Try again.", dispatched=dispatched, **more)


def searching(*providers: SearchProvider, **options: Any) -> Web:
    """A seam with these search providers registered."""
    web = Web(**options)
    for one in providers:
        web.register_search(one)
    return web


async def refused(work: Awaitable[object]) -> WebError:
    """The error that `work` ends in."""
    with pytest.raises(WebError) as caught:
        await work
    return caught.value


async def outcome(work: Awaitable[T]) -> T | WebError:
    """The result of `work`, or the error it ends in."""
    try:
        return await work
    except WebError as error:
        return error


def told(attempts: Sequence[Any]) -> list[tuple[str, str, str | None, bool]]:
    """Attempts without their times: provider, outcome, code, dispatched."""
    return [(one.provider, one.outcome, one.code, one.dispatched) for one in attempts]


async def settle() -> None:
    """Let every task that can run do so: enough turns of the loop for a cancelled watcher to end."""
    for _ in range(5):
        await asyncio.sleep(0)
