"""What a soak's gateways ask: vendors and pages on loopback, in this process, which count and misbehave on demand."""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Literal, Self, TypeAlias
from urllib.parse import parse_qs, urlsplit

from soak_subjects import subject_of, subjects_in

Mood: TypeAlias = Literal["fine", "limited", "broken", "hanging", "slow", "cut"]

SLOW_SECONDS: Final = 0.6
LANDED: Final = "landed"
"""The kind of page that a redirect leads to."""
_BIG: Final = 300_000
"""Bytes of a page that goes to a worker process to be converted."""
_KEEPS: Final = ("Cache-Control: max-age=3600",)


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    body: bytes
    headers: tuple[str, ...] = ()


@dataclass(slots=True)
class Origins:
    """One server: `/search/NAME` and `/extract` are vendors, `/p/KIND/SUBJECT` are pages.

    `moods` says how each of `kelp`, `dulse`, `tavily` and `http` answers now; `hits` counts what came, by provider and
    subject, before it is answered; `open` counts connections, `bursts` fetches of
    such pages as many want at once.
    """

    moods: dict[str, Mood] = field(default_factory=dict)
    hits: Counter[tuple[str, str]] = field(default_factory=Counter)
    open: int = 0
    bursts: int = 0
    port: int = 0
    _server: asyncio.Server | None = None
    _serving: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Without a path."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", 0, backlog=1_000)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._server.wait_closed()

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        try:
            while (asked := await _request(reader)) is not None:
                if not await self._answered(*asked, reader, writer):
                    return
        except ConnectionError:
            return  # a killed replica, or one that gave up on us
        finally:
            self.open -= 1
            writer.close()

    async def _answered(
        self, target: str, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Count and answer; whether the connection goes on."""
        parts = urlsplit(target).path.strip("/").split("/")
        provider = {"search": parts[-1], "extract": "tavily"}.get(parts[0], "http")
        subject = subject_of(parts[2]) if provider == "http" else subject_of(_asked(target, body))
        mood = self.moods.get(provider, "fine")
        if provider == "http" and parts[1] == LANDED:
            self.hits["landed", subject] += 1
        else:
            self.hits[provider, subject] += 1
        self.bursts += provider == "http" and parts[1] == "burst"
        if provider == "http" and mood == "fine":
            mood = _OWN_MOODS.get(parts[1], "fine")
        reply = _page(parts[1], subject) if provider == "http" else _hits(provider, subject)
        return await _played(reply, mood, reader, writer)


_OWN_MOODS: Final[dict[str, Mood]] = {"slow": "slow", "cut": "cut", "stall": "hanging", "burst": "slow"}
"""Of pages that are no better while their server is fine."""


async def _played(reply: _Reply, mood: Mood, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    if mood == "hanging":
        await reader.read()  # till whoever asked gives up
        return False
    if mood in ("limited", "broken"):
        reply = _Reply(429, b"{}", ("Retry-After: 1",)) if mood == "limited" else _Reply(500, b"{}")
    told = _told(reply)
    half = len(told) - len(reply.body) // 2 if mood in ("slow", "cut") else len(told)
    writer.write(told[:half])
    await writer.drain()
    if mood == "slow":
        await asyncio.sleep(SLOW_SECONDS)
        writer.write(told[half:])
    return mood != "cut"


def _told(reply: _Reply) -> bytes:
    kind = "application/json" if reply.body.startswith(b"{") else "text/html; charset=utf-8"
    fields = (f"Content-Type: {kind}", f"Content-Length: {len(reply.body)}", *reply.headers)
    return "\r\n".join((f"HTTP/1.1 {reply.status} Scripted", *fields, "", "")).encode() + reply.body


def _hits(provider: str, subject: str) -> _Reply:
    url = f"https://{provider}.example/{subject}"
    if provider == "tavily":
        page = {"url": url, "title": subject, "raw_content": f"# {subject}\n\nWhat {provider} has read of {subject}."}
        return _Reply(200, json.dumps({"results": [page], "failed_results": [], "usage": {"credits": 1}}).encode())
    row = {"url": url, "title": f"{provider} on {subject}", "snippet": f"All that {provider} knows of {subject}."}
    return _Reply(200, json.dumps({"items": [row]}).encode())


def _page(kind: str, subject: str) -> _Reply:
    if kind == "moved":
        return _Reply(302, b"<p>elsewhere</p>", (f"Location: /p/{LANDED}/{subject}",))
    more = "<p>Long lines of kelp.</p>" * (_BIG // 26) if kind == "big" else ""
    body = f"<!doctype html><title>{subject}</title><h1>{subject}</h1><p>This page is about {subject}.</p>{more}"
    return _Reply(200, body.encode(), () if kind == "fresh" else _KEEPS)


def _asked(target: str, body: bytes) -> str:
    """What a vendor was asked: a query, or a URL."""
    if body:
        return " ".join(subjects_in(body.decode()))
    return parse_qs(urlsplit(target).query)["q"][0]


async def _request(reader: asyncio.StreamReader) -> tuple[str, bytes] | None:
    """Target and body of the next request, or None when no more comes."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        lines = head.lower().split("\r\n")
        length = next((int(one.partition(":")[2]) for one in lines if one.startswith("content-length:")), 0)
        return head.split(" ", 2)[1], await reader.readexactly(length)
    except asyncio.IncompleteReadError:
        return None
