"""Fuzzed TLS streams and CONNECT answers: whoever stands between may break a fetch, and never put a word into it."""

import asyncio
import contextlib
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from support.fuzz import Report
from support.fuzz_wire import IN_FLIGHT, PATIENCE, note_unseen
from support.mutation import ODD, Corpus, as_bytes
from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, serve, settle
from support.tls import Authority
from webseam.core.errors import WebError
from webseam.core.limits import HEADER_BYTES, INFORMATIONAL_BYTES
from webseam.core.settings import FetchSettings, ProxySettings, SeamSettings
from webseam.core.types import HtmlBody
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch

_PAGE: Final = "<!doctype html><title>t</title><p>" + "words and more words " * 60
_FORGED: Final = answer(b"<p>forged</p>")
_HOST: Final = re.compile(rb"n(\d+)\.fuzz\.example")
_DIAL_SECONDS: Final = 0.5
"""For each of look-up and connect: a handshake whose record is cut waits for the rest of it."""

_FETCH_SECONDS: Final = 4 * _DIAL_SECONDS
"""For a whole fetch: a record that promises more than comes stalls the body."""

_HASTE: Final[dict[str, Any]] = {"ssl_handshake_timeout": 2 * _DIAL_SECONDS, "ssl_shutdown_timeout": 0.05}
"""The origin does not wait long for the rest of a broken stream, or for a goodbye."""

_ESTABLISHED: Final = "HTTP/1.1 200 Connection established\r\n"
_REPLIES: Final = (
    f"{_ESTABLISHED}\r\n",
    f"{_ESTABLISHED}Proxy-Agent: p\r\nContent-Length: 0\r\n\r\n",
    f"{_ESTABLISHED}Content-Length: 14\r\n\r\n<p>forged</p>\n",
    f"{_ESTABLISHED}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    f"{_ESTABLISHED}\r\n{_FORGED.decode()}",
    f"{_ESTABLISHED}\r\n\x16\x03\x03\x00\x04\x0e\x00\x00\x00",
    f"{_ESTABLISHED}Content-Encoding: gzip\r\nConnection: close\r\nUpgrade: tls\r\n\r\n",
    f"{_ESTABLISHED}X-Long: {'x' * (HEADER_BYTES + 1)}\r\n\r\n",
    f"{_ESTABLISHED}{'X: y' * 3}\r\n" + "X: y\r\n" * 300 + "\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n" * 2 + f"{_ESTABLISHED}\r\n",
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * (INFORMATIONAL_BYTES // 30),
    "HTTP/1.0 200 OK\r\n\r\n",
    "HTTP/1.1 204 No Content\r\n\r\n",
    "HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-1/2\r\n\r\n",
    "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n",
    'HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 2\r\n\r\nno',
    "HTTP/1.1 502 Bad\r\nContent-Length: 3\r\n\r\nbad",
    "HTTP/2 200\r\n\r\n",
    "\x05\x00\x00\x01",
    "200 OK\n\n",
    "",
)
CONNECTS: Final = Corpus(examples=_REPLIES, pieces=(*ODD, "\r\n\r\n", _ESTABLISHED, "HTTP/1.1 103 \r\n\r\n"))
KINDS: Final = ("clean", "clean", "cut", "flip", "flip", "insert", "record", "repeat", "lose", "dribble", "plain")


def connect_answer(rng: Random) -> bytes:
    """What a proxy says to CONNECT: as it should be in half of the cases, so that TLS comes to pass."""
    if rng.random() < 0.5:
        return _REPLIES[0].encode()
    text = rng.choice(_REPLIES)
    if len(text) < 4_000 and rng.random() < 0.7:
        text = CONNECTS.changed(text, rng, most=3)
    return as_bytes(text)


@dataclass(slots=True)
class Damage:
    """One change to the bytes of a TLS server, `at` so many from its first."""

    kind: str
    at: int
    rng: Random
    seen: int = 0

    def pieces(self, data: bytes) -> Iterator[bytes | None]:
        """`data` as it goes on; None: nothing more does."""
        here, self.seen = self.at - self.seen, self.seen + len(data)
        if self.kind == "clean" or not 0 <= here < len(data):
            yield data
        elif self.kind == "dribble":
            self.at += len(data)  # and so on with what follows
            yield from (data[at : at + 5] for at in range(0, len(data), 5))
        else:
            yield data[:here] if self.kind != "plain" else b""
            yield from self._rest(data, here)

    def _rest(self, data: bytes, here: int) -> Iterator[bytes | None]:
        junk = self.rng.randbytes(self.rng.choice((1, 3, 40, 20_000)))
        match self.kind:
            case "cut":
                yield None
            case "plain":
                yield _FORGED
                yield None
            case "flip":
                yield bytes([data[here] ^ (1 << self.rng.randrange(8))]) + data[here + 1 :]
            case "insert":
                yield junk + data[here:]
            case "record":
                size = self.rng.choice((0, len(junk), 16_384, 65_535))
                yield bytes([self.rng.choice((20, 21, 22, 23, 24, 80)), 3, self.rng.choice((0, 3, 4))])
                yield size.to_bytes(2, "big") + junk[:size] + data[here:]
            case "repeat":
                yield data[here:] * 2
            case _:
                yield data[here + len(junk) :]


class Between:
    """A proxy, or a router: takes the number of a fetch from CONNECT or from its ClientHello, and does its damage."""

    def __init__(self, seed: int, origin: int) -> None:
        self._seed = seed
        self._origin = origin
        self._open: dict[asyncio.Task[Any] | None, asyncio.StreamWriter] = {}

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self._open[asyncio.current_task()] = writer
        try:
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await self._serve(reader, writer)
        finally:
            self._open.pop(asyncio.current_task())
            writer.transport.abort()

    async def break_off(self) -> None:
        """End what is still open."""
        tasks = [task for task in self._open if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.read(65_536)
        found = _HOST.search(first)
        if found is None:
            return
        rng = Random(f"{self._seed} tls {int(found[1])}")  # noqa: S311 - repeatable inputs
        if first.startswith(b"CONNECT "):
            said = connect_answer(rng)
            writer.write(said)
            await writer.drain()
            if b"\r\n\r\n" not in said or said[9:10] not in b"12":
                return  # the client waits for more
            first = await reader.read(65_536)
        if first:
            await self._relay(first, reader, writer, Damage(rng.choice(KINDS), rng.choice((0, 1, 5, 9, *_AT)), rng))

    async def _relay(
        self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, damage: Damage
    ) -> None:
        far, to_far = await asyncio.open_connection("127.0.0.1", self._origin)
        to_far.write(first)
        up = asyncio.create_task(_pump(reader, to_far))
        try:
            await _down(far, writer, damage)
        finally:
            up.cancel()
            await asyncio.gather(up, return_exceptions=True)
            to_far.transport.abort()


_AT: Final = tuple(range(20, 3_000, 37))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()


async def _down(far: asyncio.StreamReader, writer: asyncio.StreamWriter, damage: Damage) -> None:
    while data := await far.read(65_536):
        for piece in damage.pieces(data):
            if piece is None:
                return
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)  # lets the client read the pieces alone


async def run_tls(*, seed: int, count: int, until: float = float("inf")) -> Report:
    """Fetch over at most `count` damaged connections, each second one through a proxy; stops at ten findings."""
    report = Report(name="tls and connect")
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: note_unseen(report, context))
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(Path(folder))
        page = answer(_PAGE.encode(), headers={"Connection": "close"})
        async with serve(always(page, close=True), ssl=authority.server("*.fuzz.example"), **_HASTE) as origin:
            between = Between(seed, origin.port)
            listener = await asyncio.start_server(between, "127.0.0.1", 0)
            port = listener.sockets[0].getsockname()[1]
            ways = [_fetcher(authority, port, proxied=proxied) for proxied in (False, True)]
            numbers = iter(range(count))
            async with asyncio.TaskGroup() as group:
                for _ in range(IN_FLIGHT):
                    group.create_task(_lane(ways, numbers, report, until))
            for way in ways:
                await way.aclose()
            listener.close()
            await settle()
            await between.break_off()
            await settle()
    return report


def _fetcher(authority: Authority, port: int, *, proxied: bool) -> Web:
    place = f"http://127.0.0.1:{port}"
    settings = FetchSettings(
        ca_bundle=str(authority.bundle),
        dns_seconds=_DIAL_SECONDS,
        connect_seconds=_DIAL_SECONDS,
        proxy=ProxySettings(http=place, https=place) if proxied else ProxySettings(),
    )
    resolver = ScriptedResolver({"*": [[PUBLIC]]})
    web = Web(settings=SeamSettings(fetch_seconds=_FETCH_SECONDS))
    fetch = HttpFetch(settings=settings, resolver=resolver, make_socket=None if proxied else Wire(default=port).make)
    web.register_fetch(fetch)
    web.at_close(fetch.aclose)
    return web


async def _lane(ways: list[Web], numbers: Iterator[int], report: Report, until: float) -> None:
    for number in numbers:
        if len(report.found) >= 10 or time.monotonic() > until:
            return
        await _one(ways[number % len(ways)], number, report)


async def _one(way: Web, number: int, report: Report) -> None:
    report.ran += 1
    start = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE):
            result = await way.fetch(f"https://n{number}.fuzz.example/")
    except WebError:
        report.refused += 1
    except Exception as exc:  # noqa: BLE001 - any other kind is what is looked for
        report.found.append(f"{type(exc).__name__}: {exc} for number {number}")
    else:
        told = isinstance(result.body, HtmlBody) and result.body.content
        if not told or not _PAGE.startswith(told) or (told != _PAGE and "incomplete" not in str(result.notes)):
            report.found.append(f"words of another for number {number}: {result.body!r:.200}")
    report.slowest = max(report.slowest, time.perf_counter() - start)
