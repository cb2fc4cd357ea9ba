"""Content codings undone within bounds: no step puts out more than it is asked for, whatever a server sends."""

import sys
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from webseam.core.errors import Code, WebError
from webseam.core.limits import CODED_BODY_RATIO_CHUNK, CODED_MEMBERS, CONTENT_CODINGS, ZSTD_WINDOW_LOG

if TYPE_CHECKING:
    from backports import zstd

ACCEPT_ENCODING: Final = "gzip, deflate, br, zstd"
"""What is asked for: exactly what the bounded decoders undo."""

_GZIP_MAGIC: Final = b"\x1f\x8b"
_ZLIB_METHOD: Final = 8  # RFC 1950 section 2.2


class DecodeError(Exception):
    """The bytes are not what the coding says."""


class Members:
    """Counts the members of one coded body: each costs time, and an empty one no output."""

    def __init__(self) -> None:
        self._left = CODED_MEMBERS

    def next(self) -> None:
        """Another member begins.

        Raises:
            DecodeError: there were too many.
        """
        self._left -= 1
        if self._left < 0:
            raise DecodeError(f"more than {CODED_MEMBERS:,} compressed members")


class Decoder(Protocol):
    """One coding, fed as bytes arrive."""

    def feed(self, data: bytes, room: int) -> bytes:
        """At most about `room` bytes more; call again with b"" while `pending`."""
        ...

    @property
    def pending(self) -> bool:
        """Whether fed input waits for room."""
        ...

    @property
    def finished(self) -> bool:
        """Whether the coded stream is complete."""
        ...


class ZlibDecoder:
    """gzip (all members, RFC 1952 section 2.2) or deflate, zlib-wrapped or raw as servers send it."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._inner: Any = zlib.decompressobj(31) if gzip else None
        self._input = b""
        self._done = False
        self._members = Members()

    def feed(self, data: bytes, room: int) -> bytes:
        """See `Decoder`."""
        if self._done:
            return b""
        pending = self._input + data if self._input else data
        if self._inner is None:
            if not pending:
                return b""
            wrapped = pending[0] & 0x0F == _ZLIB_METHOD and (len(pending) < 2 or int.from_bytes(pending[:2]) % 31 == 0)  # noqa: PLR2004 - RFC 1950 section 2.2
            self._inner = zlib.decompressobj(15 if wrapped else -15)
        try:
            out = self._inner.decompress(pending, room)
        except zlib.error as exc:
            raise DecodeError(str(exc)) from exc
        self._input = self._inner.unconsumed_tail
        if self._inner.eof:
            self._next_member()
        return bytes(out)

    def _next_member(self) -> None:
        rest = self._inner.unused_data
        if self._gzip and rest.startswith(_GZIP_MAGIC):
            self._members.next()
            self._inner = zlib.decompressobj(31)
            self._input = rest
        else:  # trailing bytes that are no member are ignored, as gzip(1) does
            self._done = True
            self._input = b""

    @property
    def pending(self) -> bool:
        """See `Decoder`."""
        return bool(self._input)

    @property
    def finished(self) -> bool:
        """See `Decoder`."""
        return self._done


class BrotliDecoder:
    """br (RFC 7932)."""

    def __init__(self) -> None:
        import brotli  # noqa: PLC0415 - first use

        self._error: type[Exception] = brotli.error
        self._inner: Any = brotli.Decompressor()

    def feed(self, data: bytes, room: int) -> bytes:
        """See `Decoder`; the library's limit is soft."""
        try:
            return bytes(self._inner.process(data, output_buffer_limit=room))
        except self._error as exc:
            raise DecodeError("not a brotli stream") from exc

    @property
    def pending(self) -> bool:
        """See `Decoder`."""
        try:
            return not self._inner.can_accept_more_data()
        except self._error:  # the same
            return False

    @property
    def finished(self) -> bool:
        """See `Decoder`."""
        try:
            return bool(self._inner.is_finished())
        except self._error:  # asked of a stream that broke, it raises
            return False


class ZstdDecoder:
    """zstd (RFC 8878), all frames, with a window of at most 8 MB (RFC 9659)."""

    def __init__(self) -> None:
        self._lib = zstd_library()
        self._members = Members()
        self._inner = self._frame()
        self._input = b""
        self._started = False

    def _frame(self) -> "zstd.ZstdDecompressor":
        self._members.next()
        frame: zstd.ZstdDecompressor = self._lib.ZstdDecompressor(
            options={self._lib.DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG}
        )
        return frame

    def feed(self, data: bytes, room: int) -> bytes:
        """See `Decoder`."""
        pending = self._input + data if self._input else data
        if self._inner.eof:
            if not pending:
                return b""
            self._inner = self._frame()
        self._started = self._started or bool(pending)
        try:
            out = self._inner.decompress(pending, room)
        except self._lib.ZstdError as exc:
            raise DecodeError("not a zstd stream, or one that needs too much memory") from exc
        self._input = self._inner.unused_data if self._inner.eof else b""
        return out

    @property
    def pending(self) -> bool:
        """See `Decoder`."""
        return bool(self._input) or (self._started and not self._inner.eof and not self._inner.needs_input)

    @property
    def finished(self) -> bool:
        """See `Decoder`."""
        return self._inner.eof and not self._input


def zstd_library() -> Any:
    """The zstd module: the standard library's from Python 3.14 on, its backport before."""
    if sys.version_info >= (3, 14):
        from compression import zstd as lib  # noqa: PLC0415 - first use
    else:
        from backports import zstd as lib  # noqa: PLC0415 - first use
    return lib


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
        decoder = _decoder(name)
        if decoder is None:
            return Stack(unknown=name)
        stack.decoders.append(decoder)
    return stack


def _decoder(name: str) -> Decoder | None:
    match name:
        case "gzip" | "x-gzip":
            return ZlibDecoder(gzip=True)
        case "deflate":
            return ZlibDecoder(gzip=False)
        case "br":
            return BrotliDecoder()
        case "zstd":
            return ZstdDecoder()
        case _:
            return None


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
