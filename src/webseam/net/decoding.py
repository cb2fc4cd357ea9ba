"""Content codings undone while a body is read: both its bytes and what they unpack to are held to a cap."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from webseam.core.errors import Code, WebError
from webseam.core.limits import CODED_BODY_RATIO_CHUNK, CONTENT_CODINGS
from webseam.net.codings import DecodeError, Decoder, decoder_for

ACCEPT_ENCODING: Final = "gzip, deflate, br, zstd"
"""What is asked for: exactly what the bounded decoders undo."""


@dataclass(slots=True)
class Stack:
    """The codings of one body, in the order to undo; `unknown` names a token that is none."""

    decoders: list[Decoder] = field(default_factory=list)
    unknown: str | None = None


def decoders_for(header: str | None) -> Stack:
    """Decoders for a `Content-Encoding` value (RFC 9110 section 8.4).

    Raises:
        WebError: `WEB_PROVIDER_ERROR` for more than two codings.
    """
    stack = Stack()
    if not header:
        return stack
    named = (part.strip().lower() for part in header.split(","))
    names = [name for name in named if name and name != "identity"]
    if len(names) > CONTENT_CODINGS:
        raise WebError(
            Code.PROVIDER_ERROR,
            f"The body is coded {len(names)} times over; at most {CONTENT_CODINGS} codings are undone.",
            retryable=False,
        )
    for name in reversed(names):
        decoder = decoder_for(name)
        if decoder is None:
            return Stack(unknown=name)
        stack.decoders.append(decoder)
    return stack


@dataclass(frozen=True, slots=True)
class BodyBytes:
    """A body as read: `truncated` by a cap, `fault` when its coding broke, `complete` when its coding ended."""

    data: bytes
    received: int
    truncated: bool = False
    fault: str | None = None
    complete: bool = True


Read: TypeAlias = Callable[[], Awaitable[bytes]]
"""Gives the next piece of a body as it arrives, b"" at the end."""


async def decoded(read: Read, stack: Stack, *, cap: int, wire_cap: int) -> BodyBytes:
    """Read and decode until the end or a cap; both caps are in bytes, exactly at a cap is not cut (dsh-39).

    What one coding hands to the next is held to `wire_cap` too: it may be endless and end in no byte at all.
    """
    reader = BodyReader(read, stack, cap=cap, wire_cap=wire_cap)
    await reader.fill(None)
    return reader.result()


class BodyReader:
    """Reads a body in two steps: some bytes to judge it by, then the rest.

    `at_end` tells early that nothing follows; one that cannot know says False, and an empty read tells.
    """

    def __init__(
        self, read: Read, stack: Stack, *, cap: int, wire_cap: int, at_end: Callable[[], bool] = lambda: False
    ) -> None:
        self._read = read
        self._at_end = at_end
        self._decoders = stack.decoders
        self._cap = cap
        self._wire_cap = wire_cap
        self._parts: list[bytes] = []
        self._size = 0
        self._received = 0
        self._between = 0
        self._truncated = False
        self._fault: str | None = None
        self._ended = False

    def limit(self, cap: int) -> None:
        """Hold the body to other caps than before: what it is, and with that its cap, its beginning tells."""
        self._cap = self._wire_cap = cap
        if self._size > cap:
            self._parts = [b"".join(self._parts)[:cap]]
            self._size, self._truncated = cap, True
        if self._received > cap:
            self._received, self._truncated = cap, True

    async def fill(self, enough: int | None) -> None:
        """Read until `enough` decoded bytes are in `head` (None: all of it)."""
        while not self.done and (enough is None or self._size < enough):
            chunk = await self._read()
            if not chunk:
                self._ended = True
                break
            self._take(chunk)
            self._ended = self._at_end()
        if len(self._parts) > 1:
            self._parts = [b"".join(self._parts)]

    @property
    def done(self) -> bool:
        """Whether nothing more will be read."""
        return self._ended or self._truncated or self._fault is not None

    @property
    def head(self) -> bytes:
        """The decoded bytes that are here."""
        return self._parts[0] if self._parts else b""

    @property
    def empty(self) -> bool:
        """Whether the body has ended without a byte."""
        return self._ended and not self._size

    async def next(self) -> bytes:
        """The next decoded bytes, b"" at the end; what was given is not kept. Not to be mixed with `result`."""
        await self.fill(self._size + 1)
        out = b"".join(self._parts)
        self._parts.clear()
        return out

    def _take(self, chunk: bytes) -> None:
        room = self._wire_cap - self._received
        if len(chunk) > room:
            chunk, self._truncated = chunk[:room], True
        self._received += len(chunk)
        if not self._decoders:
            self._keep(chunk)
            return
        try:
            self._decode(chunk, 0)
        except DecodeError as exc:
            self._fault = str(exc)

    def _decode(self, data: bytes, level: int) -> None:
        if level == len(self._decoders):
            self._keep(data)
            return
        if level:
            room = self._wire_cap - self._between
            self._truncated = self._truncated or len(data) > room
            data = data[:room]
            self._between += len(data)
        decoder = self._decoders[level]
        out = decoder.feed(data, CODED_BODY_RATIO_CHUNK)
        while True:
            if out:
                self._decode(out, level + 1)
            if self._truncated or not decoder.pending:
                return
            out = decoder.feed(b"", CODED_BODY_RATIO_CHUNK)

    def _keep(self, data: bytes) -> None:
        room = self._cap - self._size
        if len(data) > room:
            data, self._truncated = data[:room], True
        if data:
            self._parts.append(data)
            self._size += len(data)

    def result(self) -> BodyBytes:
        """What was read."""
        return BodyBytes(
            data=self.head if len(self._parts) <= 1 else b"".join(self._parts),
            received=self._received,
            truncated=self._truncated,
            fault=self._fault,
            complete=self._truncated or not self._received or all(one.finished for one in self._decoders),
        )
