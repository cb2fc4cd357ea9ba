"""Entries from standard input as they arrive: a batch begins with the first, and a pipe need not end."""

import asyncio
import codecs
import io
import os
import stat
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Final, TextIO

from webseam.core.errors import Code, WebError
from webseam.core.limits import BATCH_INPUT_CHARS

_PIECE: Final = 65_536
_MARK: Final = "\ufeff"


def entries_in(lines: Iterable[str]) -> list[str]:
    """The lines without blank ones, and without the byte order mark that some editors write."""
    stripped = (line.strip().removeprefix(_MARK).strip() for line in lines)
    return [line for line in stripped if line]


def nothing() -> WebError:
    """Standard input held no entry."""
    return WebError(Code.INVALID_ARGS, "Standard input is empty. Give one entry per line.")


def not_text() -> WebError:
    """Standard input is in another encoding."""
    return WebError(Code.INVALID_ARGS, "Standard input is not UTF-8 text. Convert it first.")


async def arriving(stream: TextIO) -> AsyncIterator[Sequence[str]]:
    """The entries of a stream of which nothing was read yet, those together that came together.

    A pipe, a socket and a terminal are read as they have something; a file, and what is no file, at once.

    Raises:
        WebError: `INVALID_ARGS` when it is not UTF-8, has a line that is longer than any entry, or holds nothing.
    """
    empty = True
    try:
        async for lines in _lines(stream):
            entries = entries_in(lines)
            if entries:
                empty = False
                yield entries
    except UnicodeDecodeError as exc:
        raise not_text() from exc
    if empty:
        raise nothing()


async def _lines(stream: TextIO) -> AsyncIterator[Iterable[str]]:
    descriptor = _awaitable(stream)
    if descriptor is None:
        yield list(stream)
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    rest = ""
    async for data in _pieces(descriptor):
        *whole, rest = (rest + decoder.decode(data)).replace("\r", "\n").split("\n")
        if len(rest) > BATCH_INPUT_CHARS:
            raise WebError(Code.INVALID_ARGS, "Standard input has a line that is longer than any entry.")
        yield whole
    yield [rest + decoder.decode(b"", final=True)]


def _awaitable(stream: TextIO) -> int | None:
    """The descriptor of a stream that can be waited for."""
    try:
        descriptor = stream.fileno()
        mode = os.fstat(descriptor).st_mode
    except (OSError, io.UnsupportedOperation):
        return None
    waits = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stream.isatty()
    return descriptor if waits and os.name == "posix" else None


async def _pieces(descriptor: int) -> AsyncIterator[bytes]:
    """What the descriptor gives, up to its end; nothing is read by a thread, which Ctrl-C would have to wait for."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    while True:
        ready.clear()
        loop.add_reader(descriptor, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(descriptor)
        data = os.read(descriptor, _PIECE)
        if not data:
            return
        yield data
