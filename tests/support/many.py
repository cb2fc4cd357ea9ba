"""A site of any number of pages that counts what it is asked, quick enough for batches; and lines of results."""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Many:
    """Every path is a page. `at` calls back once as many requests have come in."""

    url: str = ""
    asked: Counter[str] = field(default_factory=Counter)
    at: dict[int, Callable[[], None]] = field(default_factory=dict)
    open: set[asyncio.Transport] = field(default_factory=set)

    def page(self, path: str) -> bytes:
        self.asked[path] += 1
        called = self.at.pop(self.asked.total(), None) if self.at else None
        if called is not None:
            called()
        body = f"<title>Page</title><h1>Page {path}</h1><p>Kelp grows <b>here</b>.</p>".encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body


class _Wire(asyncio.Protocol):
    def __init__(self, many: Many) -> None:
        self._many = many
        self._got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._many.open.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._many.open.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._got += data
        while b"\r\n\r\n" in self._got:
            head, self._got = self._got.split(b"\r\n\r\n", 1)
            self._transport.write(self._many.page(head.split(b" ", 2)[1].decode()))


@contextmanager
def many_pages() -> Iterator[Many]:
    """The site on loopback, in a thread."""
    many = Many()
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    def serve() -> None:
        asyncio.set_event_loop(loop)
        server = loop.run_until_complete(loop.create_server(lambda: _Wire(many), "127.0.0.1", 0, backlog=512))
        many.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ready.set()
        loop.run_forever()
        server.close()
        for one in tuple(many.open):
            one.abort()
        loop.run_until_complete(server.wait_closed())

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait()
    try:
        yield many
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def records_in(path: Path) -> list[dict[str, Any]]:
    """The lines of a results file."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
