"""Blocking twins of `Web`'s calls, for scripts and notebooks."""

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

from webseam.core.events import Emit
from webseam.core.gate import Gate
from webseam.core.limits import INTERRUPT_SECONDS
from webseam.core.selection import Choice
from webseam.core.tracing import Tracer
from webseam.core.types import NO_CONTROLS, ExtractResult, FetchResult, SearchControls, SearchResult
from webseam.core.web import Web
from webseam.tools.run import Run
from webseam.wiring.opening import open_web

T = TypeVar("T")


class Opening(TypedDict, total=False):
    """What the twins take of `webseam.open`, with the same meaning."""

    config: Mapping[str, Any] | None
    environ: Mapping[str, str] | None
    cwd: Path | None
    gate: Gate | None
    run: Run | None
    emit: Emit
    tracer: Tracer | None
    record: str | Path | None
    replay: str | Path | None
    offline: bool


def search(
    query: str,
    *,
    provider: Choice = None,
    max_results: int | None = None,
    controls: SearchControls = NO_CONTROLS,
    timeout: float | None = None,
    **opening: Unpack[Opening],
) -> SearchResult:
    """Search once and wait for the answer; opens and closes a `Web` of its own.

    Args:
        query: the question.
        provider: id, route or `FanOut` that overrides the configuration.
        max_results: at most so many sources.
        controls: limits on the search.
        timeout: seconds for the whole call.
        opening: how to open that `Web`: `config`, `environ`, `cwd`, `gate`, `run`, `emit`, `tracer`, `record`, `replay`
            and `offline`, as `webseam.open` takes them.

    Raises:
        WebError: see `Code`.
    """

    async def ask() -> SearchResult:
        async with _opened(opening, search=provider, capabilities=("search",)) as web:
            return await web.search(query, max_results=max_results, controls=controls, timeout=timeout)

    return wait_for(ask)


def fetch(
    url: str, *, provider: Choice = None, timeout: float | None = None, **opening: Unpack[Opening]
) -> FetchResult:
    """Fetch one page and wait for it; see `search` for the arguments.

    Raises:
        WebError: see `Code`.
    """

    async def ask() -> FetchResult:
        async with _opened(opening, fetch=provider, capabilities=("fetch",)) as web:
            return await web.fetch(url, timeout=timeout)

    return wait_for(ask)


def extract(
    url: str, *, provider: Choice = None, timeout: float | None = None, **opening: Unpack[Opening]
) -> ExtractResult:
    """Have one page read by an extractor and wait for it; see `search` for the arguments.

    Raises:
        WebError: see `Code`.
    """

    async def ask() -> ExtractResult:
        async with _opened(opening, extract=provider, capabilities=("fetch", "extract")) as web:
            return await web.extract(url, timeout=timeout)

    return wait_for(ask)


def _opened(opening: Opening, **own: Any) -> Web:
    """The `Web` of one call.

    Raises:
        TypeError: for a name that is none of `Opening`.
    """
    strange = opening.keys() - Opening.__annotations__.keys()
    if strange:
        allowed = ", ".join(("provider", "timeout", *Opening.__annotations__))
        raise TypeError(f"unexpected keyword argument {min(strange)!r}; allowed: {allowed}")
    return open_web(**own, **opening)


def wait_for(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine function to its end on an event loop of its own.

    Where a loop is running in this thread (a notebook, a coroutine), the work runs in a thread beside it: the running
    loop stands still meanwhile, but cannot deadlock, since nothing of the work is on it. A Ctrl-C ends the work too, in
    a notebook and under `asyncio.run`.
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
    given_up = threading.Event()
    context = contextvars.copy_context()

    async def abortable() -> T:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None  # noqa: S101 - a coroutine that runs is in a task
        started.append(lambda: loop.call_soon_threadsafe(task.cancel))
        if given_up.is_set():
            raise asyncio.CancelledError
        return await work()

    def run() -> None:
        try:
            outcome.append(asyncio.run(abortable()))
        except BaseException as exc:  # noqa: BLE001 - raised anew in the thread that waits
            failure.append(exc)

    thread = threading.Thread(target=context.run, args=(run,), name="webseam-blocking", daemon=True)
    try:
        thread.start()
        _wait(thread)
    except BaseException:  # an interrupt: what it waits for must not go on behind its back
        given_up.set()
        with contextlib.suppress(RuntimeError):  # the loop has just ended by itself
            for abort in started:
                abort()
        raise
    if failure:
        raise failure[0]
    return outcome[0]


def _wait(thread: threading.Thread) -> None:
    """Until the thread has ended.

    A notebook's interrupt is raised here. `asyncio.run` has a handler of its own, which raises nothing and cancels the
    running task: it is asked, for that task cannot hear of it while it stands here.

    Raises:
        CancelledError: the task was cancelled.
    """
    task = asyncio.current_task()
    before = 0 if task is None else task.cancelling()
    while thread.is_alive():
        thread.join(INTERRUPT_SECONDS)
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError
