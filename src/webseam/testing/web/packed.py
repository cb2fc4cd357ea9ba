"""Content codings as hostile servers use them; made piece by piece, so that a bomb costs its maker nothing."""

import gzip
import random
import zlib
from collections.abc import Callable
from typing import Final

FILLER: Final = b"word " * 200_000
SENTENCE: Final = b"Words that were packed, sent and unpacked again. "


def gzip_bomb(megabytes: int = 200) -> bytes:
    """One member that opens to so many megabytes of text."""
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(FILLER) for _ in range(megabytes)) + packer.flush()


def brotli_bomb(megabytes: int = 200) -> bytes:
    """The same in br."""
    import brotli  # noqa: PLC0415 - first use

    packer = brotli.Compressor(quality=5)
    return b"".join(packer.process(FILLER) for _ in range(megabytes)) + bytes(packer.finish())


def zstd_bomb(megabytes: int = 200) -> bytes:
    """The same in zstd."""
    from webseam.net.codings import zstd_library  # noqa: PLC0415 - first use

    packer = zstd_library().ZstdCompressor()
    return b"".join(packer.compress(FILLER) for _ in range(megabytes)) + bytes(packer.flush())


def spaces(size: int) -> bytes:
    """So many blanks in gzip: text all the same."""
    return gzip.compress(b" " * size)


def raw_deflate(data: bytes) -> bytes:
    """Deflate without its zlib wrapper, as some servers send it."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def noise(size: int) -> bytes:
    """Repeatable printable characters that hardly pack."""
    return bytes(random.Random(7).choices(range(40, 127), k=size))  # noqa: S311 - repeatable, no secret


def times(data: bytes, layers: int, pack: Callable[[bytes], bytes] = gzip.compress) -> bytes:
    """`data` packed so many times over."""
    for _ in range(layers):
        data = pack(data)
    return data
