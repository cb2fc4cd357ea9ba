"""MCP over stdio: one JSON-RPC message a line, nothing else on stdout, and an end as soon as the client is gone.

The SDK's own transport blocks in a thread that nothing can interrupt, so it outlives a client that closes our stdout
alone (R192). Here threads that end with the process do the blocking, and the event loop only hears of it.
"""

import asyncio
import os
import queue
import select
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, TypeAlias

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage

from webseam.core.limits import MCP_SETTLE_SECONDS
from webseam.surfaces.mcp.lines import Lines, parsed, written

_CHUNK: Final = 65_536
_BROKEN: Final = select.POLLERR | select.POLLHUP | select.POLLNVAL

Incoming: TypeAlias = SessionMessage | Exception


class Unanswered:
    """Requests that wait for their answer: one that was piped in gets it although the input has ended behind it."""

    def __init__(self) -> None:
        self._keys: set[types.RequestId] = set()
        self._none = asyncio.Event()
        self._none.set()

    def came(self, message: types.JSONRPCMessage) -> None:
        """A message of the client."""
        if isinstance(message, types.JSONRPCRequest):
            self._keys.add(message.id)
            self._none.clear()
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._without((message.params or {}).get("requestId"))

    def left(self, message: types.JSONRPCMessage) -> None:
        """A message to the client, in its hands now."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._without(message.id)

    def _without(self, key: object) -> None:
        """Nobody waits for this one any more; clients name anything as what they cancel."""
        if isinstance(key, str | int):
            self._keys.discard(key)
        if not self._keys:
            self._none.set()

    @property
    def settled(self) -> bool:
        """Whether every request has its answer, or its client no wish for one."""
        return self._none.is_set()

    async def settle(self) -> None:
        """Wait for the answers, as long as they take no longer than a client that is gone may notice."""
        try:
            async with asyncio.timeout(MCP_SETTLE_SECONDS):
                await self._none.wait()
        except TimeoutError:
            return


class Wire:
    """Two descriptors behind threads; `gone` is set once nobody reads what is written."""

    def __init__(self, source: int, target: int) -> None:
        self._source = source
        self._target = target
        self._loop = asyncio.get_running_loop()
        self._out: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        self.gone = asyncio.Event()

    def start(self, arrived: MemoryObjectSendStream[bytes | None]) -> None:
        """Begin to read, to write and to watch. Threads of the process: none of them keeps it alive."""
        for work in (lambda: self._read(arrived), self._write, self._watch):
            threading.Thread(target=work, daemon=True).start()

    async def send(self, data: bytes) -> None:
        """Write all of `data`; returns when the system has it, or nobody reads any more."""
        done = self._loop.create_future()
        self._out.put((data, done))
        await done

    def _read(self, arrived: MemoryObjectSendStream[bytes | None]) -> None:
        lines = Lines()
        while True:
            data = _read_some(self._source)
            for line in lines.feed(data) if data else lines.last():
                if not self._handed(arrived.send(line)):
                    return
            if not data:
                self._handed(arrived.aclose())
                return

    def _handed(self, work: Any) -> bool:
        """Do it in the loop and wait, so that no more is read than is dealt with; False once the loop is over."""
        try:
            asyncio.run_coroutine_threadsafe(work, self._loop).result()
        except (RuntimeError, asyncio.CancelledError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            work.close()
            return False
        return True

    def _write(self) -> None:
        while True:
            data, done = self._out.get()
            whole = _write_all(self._target, data)
            if not self._told(partial(_settle, done)) or (not whole and not self._told(self.gone.set)):
                return

    def _watch(self) -> None:
        """Wait until the reader goes: asked for nothing, poll tells only that."""
        poller = select.poll()
        poller.register(self._target, 0)
        while not any(mask & _BROKEN for _, mask in poller.poll()):
            pass
        self._told(self.gone.set)

    def _told(self, call: Callable[[], Any]) -> bool:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:  # the loop is closed: the process ends
            return False
        return True


def _settle(done: "asyncio.Future[None]") -> None:
    if not done.done():  # whoever waited may have been cancelled
        done.set_result(None)


def _read_some(source: int) -> bytes:
    try:
        return os.read(source, _CHUNK)
    except OSError:  # a socket that was reset ends as one that was closed
        return b""


def _write_all(target: int, data: bytes) -> bool:
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(target, view) :]
    except OSError:
        return False
    return True


async def _handed_on(incoming: MemoryObjectSendStream[Incoming], message: SessionMessage) -> bool:
    """Give the session a message; False once it takes no more."""
    try:
        await incoming.send(message)
    except anyio.BrokenResourceError:
        return False
    return True


@asynccontextmanager
async def _streams(
    wire: Wire,
) -> AsyncIterator[tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]]:
    """What the SDK reads from and writes to."""
    open_calls = Unanswered()
    arrived, arriving = anyio.create_memory_object_stream[bytes | None](0)
    incoming, received = anyio.create_memory_object_stream[Incoming](0)
    outgoing, leaving = anyio.create_memory_object_stream[SessionMessage](0)

    async def take() -> None:
        async with incoming, arriving:
            async for line in arriving:
                message = parsed(line)
                if isinstance(message, types.JSONRPCError):
                    await wire.send(written(message))
                elif message is not None:
                    open_calls.came(message.message)
                    if not await _handed_on(incoming, message):
                        return
            await open_calls.settle()

    async def give() -> None:
        async with leaving:
            async for message in leaving:
                await wire.send(written(message.message))
                open_calls.left(message.message)

    async with anyio.create_task_group() as group:
        group.start_soon(take)
        group.start_soon(give)
        wire.start(arrived)
        yield received, outgoing
        group.cancel_scope.cancel()


def _no_news() -> None:
    """Nobody needs to know."""


async def serve_stdio(
    server: Server[Any], *, source: int = 0, target: int = 1, ending: Callable[[], None] = _no_news
) -> bool:
    """Serve one client over two descriptors until it is gone.

    Args:
        server: what `make_server` made.
        source: the descriptor that the client writes to; blocking.
        target: the descriptor that it reads; nothing else may write there.
        ending: called when the session is over, before calls that still run are cancelled.

    Returns:
        Whether the client ended the session by closing `source`; False when it stopped reading `target`.
    """
    wire = Wire(source, target)
    async with _streams(wire) as (received, outgoing):
        session = asyncio.create_task(server.run(received, outgoing, server.create_initialization_options()))
        watch = asyncio.create_task(wire.gone.wait())
        try:
            await asyncio.wait((session, watch), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended = session.done()
            ending()
            for task in (session, watch):
                task.cancel()
            await asyncio.gather(session, watch, return_exceptions=True)
    return ended and not wire.gone.is_set()
