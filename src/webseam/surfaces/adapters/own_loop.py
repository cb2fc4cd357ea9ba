"""For frameworks that call in a blocking way: one event loop, in a thread of its own, for all calls of a `Toolset`."""

import asyncio
import concurrent.futures
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from webseam.core.call import Dispatch
from webseam.core.errors import Code, WebError
from webseam.core.limits import ABORT_POLL_SECONDS
from webseam.surfaces.adapters.framework import Caller
from webseam.tools.parameters import FETCH
from webseam.tools.result import ToolResult, failed
from webseam.tools.toolset import Toolset


@dataclass(frozen=True, slots=True)
class _Home:
    thread: threading.Thread
    loop: asyncio.AbstractEventLoop
    stop: asyncio.Event


class _Errand:
    """Work that can be given up at any moment, also while it is being handed over: an interrupt waits for nothing."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, ToolResult]]) -> None:
        self._work = work
        self._task: asyncio.Task[Any] | None = None
        self._left = False

    async def run(self) -> ToolResult:
        self._task = asyncio.current_task()
        if self._left:
            raise asyncio.CancelledError
        return await self._work()

    def leave(self) -> None:
        self._left = True  # before the task is looked at: `run` does the same the other way round
        if self._task is None:
            return
        try:
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)
        except RuntimeError:
            return  # the loop has ended, and the work with it


class _Shared:
    """The loop of a toolset, for all threads that wait: it starts with the first call and ends with `aclose`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._home: _Home | None = None

    def take(self, errand: _Errand, tools: Toolset) -> concurrent.futures.Future[ToolResult]:
        """The errand on its way to the loop; one that arrives before a close is ended by it, never forgotten."""
        with self._lock:
            if self._home is None:
                self._home = _start()
                tools.at_close(self.aclose)
            if threading.current_thread() is self._home.thread:
                raise WebError(Code.INVALID_ARGS, "A tool cannot wait for another one on its own event loop. Await it.")
            return asyncio.run_coroutine_threadsafe(errand.run(), self._home.loop)

    async def aclose(self) -> None:
        """End what runs, and the loop, with which all ends that was made on it; idempotent."""
        with self._lock:
            home, self._home = self._home, None
        if home is None:
            return
        home.loop.call_soon_threadsafe(home.stop.set)
        if threading.current_thread() is not home.thread:
            await asyncio.to_thread(home.thread.join)


class OwnLoop:
    """Runs the calls of `ask` for threads that wait, on the one loop of its tools, which ends with `tools.aclose()`.

    Calls from several threads, and of several such objects over the same tools, run at the same time on that loop, so
    that connections are reused and tools made anew for each conversation leave no thread behind. A thread whose own
    event loop runs may wait too: that loop stands still meanwhile, but nothing of the work is on it.
    """

    def __init__(self, ask: Caller) -> None:
        self.ask = ask
        self._shared = ask.tools.kept("own loop", _Shared)

    def answer(self, name: str, args: object, context: Any = None) -> ToolResult:
        """The answer of a tool, waited for; what ended the waiting is an answer too. Only an interrupt is raised."""
        dispatch = Dispatch()
        try:
            return self._wait(partial(self._call, name, args, context, dispatch))
        except WebError as error:
            error.dispatched = dispatch.sent
            return failed(error, lambda: secrets.token_hex(16), billed=name != FETCH)

    async def _call(self, name: str, args: object, context: Any, dispatch: Dispatch) -> ToolResult:
        call = self.ask.call
        if call is None or call.abort is None:
            return await self.ask(name, args, context, dispatch=dispatch)
        async with _followed(call.abort) as abort:
            ask = replace(self.ask, call=replace(call, abort=abort))
            return await ask(name, args, context, dispatch=dispatch)

    def _wait(self, work: Callable[[], Coroutine[Any, Any, ToolResult]]) -> ToolResult:
        """What `work` returns; an interrupt of the waiting thread ends the work too.

        Raises:
            WebError: `WEB_ABORTED` when `tools` were closed meanwhile; `INVALID_ARGS` in a callback of the work itself,
                which would wait for ever.
        """
        errand = _Errand(work)
        try:
            return self._shared.take(errand, self.ask.tools).result()
        except concurrent.futures.CancelledError as exc:
            raise WebError(Code.ABORTED, "The tools were closed while this call ran.", dispatched=True) from exc
        except BaseException:
            errand.leave()
            raise


@asynccontextmanager
async def _followed(signal: asyncio.Event) -> AsyncIterator[asyncio.Event]:
    """An event of the running loop, set soon after `signal`, which is set on another loop or in another thread.

    No event wakes a loop that is not its own; whether it is set may be read anywhere.
    """
    own = asyncio.Event()

    async def follow() -> None:
        while not signal.is_set():  # noqa: ASYNC110 - there is nothing to wait for, see above
            await asyncio.sleep(ABORT_POLL_SECONDS)
        own.set()

    if signal.is_set():
        own.set()
    following = asyncio.create_task(follow())
    try:
        yield own
    finally:
        following.cancel()


def _start() -> _Home:
    ready: concurrent.futures.Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = concurrent.futures.Future()

    async def serve() -> None:
        stop = asyncio.Event()
        ready.set_result((asyncio.get_running_loop(), stop))
        await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="webseam-tools", daemon=True)
    thread.start()
    return _Home(thread, *ready.result())
