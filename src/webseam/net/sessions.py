"""The HTTP client's sessions, one for each event loop: a session and its connections belong to that loop alone."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Final

import aiohttp

from webseam.core.errors import closed
from webseam.core.loops import ending_with_loop
from webseam.net.guard import GuardedConnector, SocketFactory
from webseam.net.nat64 import Nat64

READ_BUFFER_BYTES: Final = 262_144
"""What the client buffers before it stops reading: a page of ordinary size arrives without a pause."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """What one event loop has; `held` ends with that loop."""

    session: aiohttp.ClientSession
    nat64: Nat64
    held: AsyncGenerator[None, None]


class Sessions:
    """Sessions without cookies, environment, redirects or decompression, over guarded connectors.

    Args:
        headers: sent with every request.
        connect_seconds: TCP of one address.
        dial_seconds: look-up, TCP and TLS of one request together.
        make_socket: how sockets are made.
    """

    def __init__(
        self, headers: Mapping[str, str], *, connect_seconds: float, dial_seconds: float, make_socket: SocketFactory
    ) -> None:
        self._headers = headers
        self._timeout = aiohttp.ClientTimeout(total=None, connect=None, sock_connect=connect_seconds, sock_read=None)
        self._dial_seconds = dial_seconds
        self._make_socket = make_socket
        self._open: dict[asyncio.AbstractEventLoop, _Opened] = {}
        self._closed = False

    async def here(self) -> aiohttp.ClientSession:
        """The session of the running loop.

        Raises:
            WebError: everything is closed.
        """
        return (await self._opened()).session

    async def nat64(self) -> Nat64:
        """What is known of the network's translator, in the running loop.

        Raises:
            WebError: everything is closed.
        """
        return (await self._opened()).nat64

    async def aclose(self) -> None:
        """Close all connections; later requests are refused, so that none opens anew what nobody would close."""
        self._closed = True
        opened = self._open.pop(asyncio.get_running_loop(), None)
        if opened is not None:
            await opened.held.aclose()
        await self._forget_ended_loops()

    async def _opened(self) -> _Opened:
        if self._closed:
            raise closed()
        loop = asyncio.get_running_loop()
        opened = self._open.get(loop)
        if opened is None:
            opened = self._open[loop] = await self._made()
            await self._forget_ended_loops()
        return opened

    async def _forget_ended_loops(self) -> None:
        for loop in [one for one in self._open if one.is_closed()]:
            await self._open.pop(loop).session.close()

    async def _made(self) -> _Opened:
        """Awaits nothing that is not there at once: two calls cannot both make one."""
        nat64 = Nat64()
        session = aiohttp.ClientSession(
            connector=GuardedConnector(self._make_socket, dial_seconds=self._dial_seconds, nat64=nat64),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=self._headers,
            auto_decompress=False,
            trust_env=False,
            timeout=self._timeout,
            requote_redirect_url=False,
            read_bufsize=READ_BUFFER_BYTES,
        )
        return _Opened(session, nat64, await ending_with_loop(session.close))
