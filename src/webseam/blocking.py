"""Blocking twins of `Web.search` and `Web.fetch`, for scripts and notebooks."""

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from webseam.core.selection import Choice
from webseam.core.types import NO_CONTROLS, FetchResult, SearchControls, SearchResult
from webseam.wiring.opening import open_web

T = TypeVar("T")


def search(
    query: str,
    *,
    provider: Choice = None,
    max_results: int | None = None,
    controls: SearchControls = NO_CONTROLS,
    timeout: float | None = None,
    config: Mapping[str, Any] | None = None,
) -> SearchResult:
    """Search once and wait for the answer; opens and closes a `Web` of its own.

    Args:
        query: the question.
        provider: id, route or `FanOut` that overrides the configuration.
        max_results: at most so many sources.
        controls: limits on the search.
        timeout: seconds for the whole call.
        config: settings that override the configuration, nested as `webseam.toml` is.

    Raises:
        WebError: see `Code`.
    """

    async def ask() -> SearchResult:
        async with open_web(search=provider, config=config, capabilities=("search",)) as web:
            return await web.search(query, max_results=max_results, controls=controls, timeout=timeout)

    return wait_for(ask)


def fetch(
    url: str,
    *,
    provider: Choice = None,
    timeout: float | None = None,
    config: Mapping[str, Any] | None = None,
) -> FetchResult:
    """Fetch one page and wait for it; see `search` for the arguments.

    Raises:
        WebError: see `Code`.
    """

    async def ask() -> FetchResult:
        async with open_web(fetch=provider, config=config, capabilities=("fetch",)) as web:
            return await web.fetch(url, timeout=timeout)

    return wait_for(ask)


def wait_for(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine function to its end on an event loop of its own.

    Where a loop is running in this thread (a notebook, a coroutine), the work runs in a thread beside it: the running
    loop stands still meanwhile, but cannot deadlock, since nothing of the work is on it. A Ctrl-C ends the work too.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:  # the usual case: no loop runs here
        return asyncio.run(work())
    return _in_thread(work)


def _in_thread(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    outcome: list[T] = []
    failure: list[BaseException] = []
    started: list[Callable[[], object]] = []
    context = contextvars.copy_context()

    async def abortable() -> T:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None  # noqa: S101 - a coroutine that runs is in a task
        started.append(lambda: loop.call_soon_threadsafe(task.cancel))
        return await work()

    def run() -> None:
        try:
            outcome.append(asyncio.run(abortable()))
        except BaseException as exc:  # noqa: BLE001 - raised anew in the thread that waits
            failure.append(exc)

    thread = threading.Thread(target=context.run, args=(run,), name="webseam-blocking", daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:  # a notebook's interrupt: what it waits for must not go on behind its back
        with contextlib.suppress(RuntimeError):  # the loop has just ended by itself
            for abort in started:
                abort()
        raise
    if failure:
        raise failure[0]
    return outcome[0]
