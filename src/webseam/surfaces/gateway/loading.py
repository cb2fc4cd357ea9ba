"""What a gateway loads before it says that it is ready: its first calls would else hold up everybody beside them."""

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from webseam.wiring.config import Loaded
from webseam.wiring.schema import Config

_ALWAYS: Final = (
    "webseam.net.client",  # with the HTTP client, the most of it: 0.1 s
    "webseam.net.page_cache",
    "webseam.net.vendor",
    "brotli",
    "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd",
    "turbohtml",
    "turbohtml.detect",
    "concurrent.futures.thread",
    "encodings.idna",  # the system's resolver, at the first name
)
_LAZY: Final = {"anyio": ("connect_tcp", "create_memory_object_stream")}
"""What a library loads when these are first looked at: MCP's sessions do."""


def load_modules(loaded: Loaded) -> None:
    """Import whatever calls of this configuration import at their first; what only few pages need is left to them."""
    for name in (*_ALWAYS, *_by(loaded.config)):
        import_module(name)
    for name, wanted in _LAZY.items():
        for one in wanted:
            getattr(import_module(name), one)


def _by(config: Config) -> Iterator[str]:
    """What this configuration makes use of."""
    if config.fleet.url:
        yield "valkey.asyncio"
    if config.fetch.robots != "off":
        yield "protego"
    if config.tools.fetch_engine == "trafilatura":
        yield "trafilatura"
