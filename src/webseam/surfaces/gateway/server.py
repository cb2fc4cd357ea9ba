"""The gateway on uvicorn: a listening socket, and an end that loses no call."""

import asyncio
import gc
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import nullcontext
from typing import cast

import uvicorn

from webseam.core.limits import GATEWAY_FILES, GATEWAY_UNREAD_SECONDS
from webseam.surfaces.gateway.app import Gateway
from webseam.surfaces.gateway.corked import Corked
from webseam.surfaces.mcp.http import Prompt, http_config


class Connection(Prompt):
    """A connection that is also cut where its client does not read an answer: that holds memory and a socket."""

    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Send each answer's head and body together."""
        super().connection_made(cast("asyncio.Transport", Corked(transport, self.loop, self._wait)))

    def eof_received(self) -> None:
        """Close as for any other reason; asyncio would, behind the back of what is held."""
        self.transport.close()

    def pause_writing(self) -> None:
        """More waits to be read than is kept for a connection."""
        super().pause_writing()
        self._wait()

    def resume_writing(self) -> None:
        """It was read, or most of it: the rest of a last answer has what is left of its time."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._stop_waiting()

    def _wait(self) -> None:
        if self._unread is None:
            self._unread = self.loop.call_later(GATEWAY_UNREAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


_SIGNALS = (signal.SIGTERM, signal.SIGINT)


async def serve(
    app: Gateway, listening: socket.socket, *, drain_seconds: float, ready: Callable[[], None] = lambda: None
) -> bool:
    """Serve until SIGTERM or SIGINT.

    Then `/readyz` answers 503 and no new call is begun; those that run may go on for `drain_seconds`, and a second
    signal ends them. Returns whether all of them ended by themselves.

    Args:
        app: what is served.
        listening: where.
        drain_seconds: how long running calls may go on.
        ready: called as soon as a signal ends it in this way.
    """
    allow_files()
    asked = _Asked()
    server = uvicorn.Server(server_config(app))
    server.capture_signals = nullcontext  # type: ignore[method-assign, assignment] # its handlers would close the socket at once
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    ready()
    await asyncio.wait((serving, asked.first), return_when=asyncio.FIRST_COMPLETED)
    ended = serving.done() or await _drained(app, drain_seconds, asked)
    server.should_exit = True
    await serving
    return ended


def allow_files() -> None:
    """Let the process have as many files as all calls may need, as far as its hard limit goes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = GATEWAY_FILES if hard == resource.RLIM_INFINITY else min(hard, GATEWAY_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def set_aside() -> None:
    """Tell the garbage collector that what is here by now stays: it would look through all modules again and again."""
    gc.collect()
    gc.freeze()


class _Asked:
    """Futures of the first and the second signal."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.first: asyncio.Future[None] = loop.create_future()
        self.second: asyncio.Future[None] = loop.create_future()
        for one in _SIGNALS:
            loop.add_signal_handler(one, self._came)

    def _came(self) -> None:
        for future in (self.first, self.second):
            if not future.done():
                future.set_result(None)
                return


async def _drained(app: Gateway, seconds: float, asked: _Asked) -> bool:
    draining = asyncio.create_task(app.drain(seconds))
    await asyncio.wait((draining, asked.second), return_when=asyncio.FIRST_COMPLETED)
    if draining.done() and draining.result():
        return True
    draining.cancel()
    await app.cut_off()
    return False


def server_config(app: Gateway) -> uvicorn.Config:
    """How a gateway is served: as MCP over HTTP is, by connections that end with their answers once it goes away."""
    return http_config(app, protocol=Connection, leaves=lambda: app.house.places.draining)
