"""Decoders of single content codings: none puts out more than it is asked for, whatever a server sends."""

import sys
import zlib
from typing import TYPE_CHECKING, Any, Final, Protocol

from webseam.core.limits import CODED_MEMBERS, ZSTD_WINDOW_LOG

if TYPE_CHECKING:
    from backports import zstd

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
        self._pending = False
        self._done = False
        self._members = Members()

    def feed(self, data: bytes, room: int) -> bytes:
        """See `Decoder`."""
        held = self._input + data if self._input else data
        if self._done or (self._inner is None and not self._begins(held)):
            return b""
        try:
            out = bytes(self._inner.decompress(held, room))
        except zlib.error as exc:
            raise DecodeError(str(exc)) from exc
        if self._inner.eof:
            self._end()
        else:
            self._input = self._inner.unconsumed_tail
            self._pending = bool(self._input) or len(out) >= room  # zlib may hold more, though it took all input
        return out

    def _begins(self, held: bytes) -> bool:
        """Whether a stream begins here, the next gzip member included; its first bytes may come one by one."""
        self._input, self._pending = held, False
        if len(held) < (2 if self._gzip else 1):
            return False
        if not self._gzip:
            wrapped = held[0] & 0x0F == _ZLIB_METHOD and (len(held) < 2 or int.from_bytes(held[:2]) % 31 == 0)  # noqa: PLR2004 - RFC 1950 section 2.2
            self._inner = zlib.decompressobj(15 if wrapped else -15)
        elif held.startswith(_GZIP_MAGIC):
            self._members.next()
            self._inner = zlib.decompressobj(31)
        else:  # trailing bytes that are no member are ignored, as gzip(1) does
            self._done, self._input = True, b""
        return not self._done

    def _end(self) -> None:
        rest = self._inner.unused_data if self._gzip else b""
        self._inner, self._input, self._pending, self._done = None, rest, bool(rest), not self._gzip

    @property
    def pending(self) -> bool:
        """See `Decoder`."""
        return self._pending

    @property
    def finished(self) -> bool:
        """See `Decoder`."""
        return self._done or (self._gzip and self._inner is None)


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


def decoder_for(name: str) -> Decoder | None:
    """The decoder of a coding in lower case (RFC 9110 section 8.4.1); None for one that is not known."""
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
