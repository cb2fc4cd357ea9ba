"""A transport that sends the head of an answer together with what follows: one system call and one packet, not two."""

import asyncio
from collections.abc import Callable


class Corked:
    """What uvicorn uses of a connection's transport; it writes the head and the body of an answer apart.

    The first piece waits for the next one, at most until the event loop's next turn; nothing is written out of order.

    Args:
        transport: of the connection.
        loop: its event loop.
        unsent: hears of a close that waits until a client has read more.
    """

    __slots__ = (
        "_held",
        "_loop",
        "_transport",
        "_unsent",
        "get_extra_info",
        "is_closing",
        "pause_reading",
        "resume_reading",
    )

    def __init__(
        self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, unsent: Callable[[], None]
    ) -> None:
        self._transport = transport
        self._loop = loop
        self._unsent = unsent
        self._held = b""
        self.get_extra_info = transport.get_extra_info
        self.is_closing = transport.is_closing
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading

    def write(self, data: bytes) -> None:
        """Send `data` with what was written just before, or with what is written next."""
        if not data:
            return
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held + data)
        else:
            self._held = bytes(data)
            self._loop.call_soon(self._flush)

    def close(self) -> None:
        """Close once everything is sent."""
        self._flush()
        self._transport.close()
        if self._transport.get_write_buffer_size():
            self._unsent()

    def abort(self) -> None:
        """Close at once."""
        self._held = b""
        self._transport.abort()

    def _flush(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self._transport.write(held)
