"""A vendor on loopback that plays scripted replies and keeps every request: for tests of search providers.

async with VendorServer(Reply.json({"hits": []})) as server:
    ...  # point the provider at server.url
    assert server.requests[0].json == {"q": "kelp"}
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Literal, Self, TypeAlias

Ending: TypeAlias = Literal["whole", "cut", "held", "held-halfway", "dropped"]
"""Where a reply ends: whole; halfway through its body, hung up; never begun, held open; halfway, held open; never
begun, hung up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One scripted response."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    ending: Ending = "whole"

    @classmethod
    def json(cls, value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Self:
        """A reply of JSON."""
        named = {"content-type": "application/json"} | dict(headers or {})
        return cls(status=status, headers=named, body=json.dumps(value).encode())


SPENT: Final = Reply(status=500, headers={"content-type": "text/plain"}, body=b"the script has ended")
"""What comes when more is asked than was scripted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorCall:
    """One request as it came; header names in lower case."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def json(self) -> Any:
        """The body read as JSON."""
        return json.loads(self.body)

    def header(self, name: str) -> str | None:
        """The first header of this name."""
        return next((value for key, value in self.headers if key == name.lower()), None)


class VendorServer:
    """Plays one reply a request, in order, over HTTP/1.1 with persistent connections.

    Args:
        replies: what to answer; `replies` stays a list that may change while the server runs.

    Attributes:
        requests: what came.
        connections: how many were opened.
        held: set when a reply of ending `held` or `held-halfway` has gone as far as it goes.
        released: set when the other side gave up on a held reply.
    """

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.requests: list[VendorCall] = []
        self.connections = 0
        self.held = asyncio.Event()
        self.released = asyncio.Event()
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Origin of the server, without a path."""
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in tuple(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._server.wait_closed()

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await _request(reader)) is not None:
                self.requests.append(request)
                reply = self.replies.pop(0) if self.replies else SPENT
                if not await self._play(reply, reader, writer):
                    return
        except ConnectionError:
            self.released.set()  # the other side hung up in the middle of a reply
        finally:
            writer.close()

    async def _play(self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Send the reply as far as it goes; whether the connection goes on."""
        if reply.ending in ("whole", "cut", "held-halfway"):
            sent = len(reply.body) if reply.ending == "whole" else len(reply.body) // 2
            writer.write(_head(reply) + reply.body[:sent])
            await writer.drain()
        if reply.ending in ("held", "held-halfway"):
            self.held.set()
            await reader.read()
            self.released.set()
        return reply.ending == "whole"


def _head(reply: Reply) -> bytes:
    fields = {"content-length": str(len(reply.body))} | dict(reply.headers)
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {reply.status} Scripted\r\n{lines}\r\n".encode("latin-1")


async def _request(reader: asyncio.StreamReader) -> VendorCall | None:
    """The next request, or None when no more comes. Bodies have a length: webseam's client sends no other."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    line, *rest = head.strip().split("\r\n")
    headers = tuple((name.strip().lower(), value.strip()) for name, _, value in (one.partition(":") for one in rest))
    method, target, _ = line.split(" ", 2)
    body = await reader.readexactly(int(dict(headers).get("content-length", "0")))
    return VendorCall(method=method, target=target, headers=headers, body=body)
