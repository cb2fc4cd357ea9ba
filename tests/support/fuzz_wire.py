"""Fuzzed response heads and chunked bodies over real sockets: each fetch ends in a result or a `WebError`, in time."""

import asyncio
import re
import time
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from support.fuzz import Report
from support.fuzz_examples import CODED
from support.mutation import ODD, Corpus, as_bytes
from support.net import PUBLIC, Request, ScriptedResolver, Wire, answer, serve
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings
from webseam.core.types import FetchRequest, FetchResult
from webseam.providers.fetch.http import HttpFetch

IN_FLIGHT: Final = 24
HOSTS: Final = 8
CAP: Final = 20_000
PATIENCE: Final = 10.0
"""Seconds for one answer whose server writes at once and hangs up: a fetch that takes as long has hung."""

_PAGE: Final = b"<!doctype html><title>t</title><p>words and more words"
_GZIP: Final = as_bytes(CODED.examples[0])


def _chunked(*chunks: bytes, trailer: bytes = b"", fields: bytes = b"") -> bytes:
    body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields + b"Transfer-Encoding: chunked\r\n\r\n"
    return head + body + b"0\r\n" + trailer + b"\r\n"


_ANSWERS: Final = (
    answer(_PAGE),
    answer(_PAGE, status=404, headers={"Retry-After": "120"}),
    answer(_PAGE, headers={"Set-Cookie": "a=b; Path=/", "Link": "</x>; rel=next", "Refresh": "0; url=/z"}),
    answer(_PAGE, length=False, headers={"Connection": "close"}),
    answer(_GZIP, headers={"Content-Encoding": "gzip"}),
    answer(b"", status=302, headers={"Location": "/next"}),
    answer(b"", status=308, headers={"Location": "https://elsewhere.example/"}),
    answer(b"", status=204),
    answer(b"", status=304),
    answer(_PAGE, status=206, headers={"Content-Range": "bytes 0-9/100"}),
    answer(_PAGE, status=101, headers={"Upgrade": "websocket", "Connection": "upgrade"}),
    b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + answer(_PAGE),
    b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + answer(_PAGE),
    b"HTTP/1.0 200 OK\r\n\r\n" + _PAGE,
    b"HTTP/1.1 200\r\nContent-Type: text/plain\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
    b"HTTP/1.1 200 OK\r\nX-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\nok",
    b"ICY 200 OK\r\n\r\n" + _PAGE,
    _PAGE,
    _chunked(_PAGE),
    _chunked(*(_PAGE[at : at + 3] for at in range(0, 30, 3)), trailer=b"X-Sum: 1\r\n"),
    _chunked(_GZIP[:20], _GZIP[20:], fields=b"Content-Encoding: gzip\r\n"),
    _chunked(_PAGE, fields=b"Content-Length: 3\r\n"),
    _chunked(b"{}").replace(b"text/html", b"application/json"),
    _chunked(_PAGE).replace(b"\r\n0\r\n", b"\r\n0;ext=val\r\n"),
)
_FIELDS: Final = (
    *("Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "Content-Length: 0", "Content-Length : 5"),
    *("Content-Length: 18446744073709551616", "Content-Encoding: br", "Content-Type: text/html; charset=utf-16"),
    *("Location: /", "Connection: keep-alive, close, upgrade", ": ", "\u00e9: \u00ff", "HTTP/1.1 200 OK"),
)
_SIZES: Final = ("ffffffffffffffff", "7fffffff", "-1", '5;a="b"', "0x5", "00000005", "5 ", "0\r\n", "\r\n", "")
_PIECES: Final = (*ODD, "\r", "HTTP/2", "HTTP/1.1 103 \r\n\r\n", *(f"{line}\r\n" for line in (*_FIELDS, *_SIZES)))
_LENGTH: Final = re.compile(r"(?<=Content-Length): \d+")
CORPUS: Final = Corpus(examples=tuple(raw.decode("latin-1") for raw in _ANSWERS), pieces=_PIECES)


def _drawn(rng: Random) -> str:
    """One answer, changed in its body, in one field or anywhere: a broken head alone would hide all that follows."""
    text = rng.choice(CORPUS.examples)
    where = rng.choice(("body", "body", "field", "field", "anywhere"))
    head, blank, body = text.partition("\r\n\r\n")
    if where == "anywhere" or not blank:
        return CORPUS.changed(text, rng)
    if where == "body":
        body = CORPUS.changed(body, rng, most=2)
        return (_LENGTH.sub(f": {len(body)}", head) if rng.random() < 0.8 else head) + blank + body
    lines = head.split("\r\n")
    at = rng.randrange(len(lines))
    name, colon, value = lines[at].partition(": ")
    lines[at] = name + colon + CORPUS.changed(value or name, rng, most=2)
    return "\r\n".join(lines) + blank + body


class Answers:
    """Mutated answers by number, each written in pieces and followed by the end of the connection."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def of(self, number: int) -> tuple[bytes, Random]:
        """The answer of this number, and the generator that cuts it up."""
        rng = Random(f"{self._seed} wire {number}")  # noqa: S311 - repeatable inputs
        return as_bytes(_drawn(rng)), rng

    async def __call__(self, request: Request, writer: asyncio.StreamWriter) -> None:
        """Write it; a redirect leads to a path that is no number, and to an honest page."""
        number = request.target.strip("/")
        data, rng = self.of(int(number)) if number.isascii() and number.isdigit() else (answer(_PAGE), Random(0))  # noqa: S311 - the same
        cut = rng.randint(0, len(data)) if rng.random() < 0.3 else 0
        writer.write(data[:cut])
        await asyncio.sleep(0)  # lets the client read the first part alone
        writer.write(data[cut:])
        await writer.drain()
        writer.close()


async def run_wire(*, seed: int, count: int, until: float = float("inf")) -> Report:
    """Fetch at most `count` mutated answers before the monotonic time `until`; stops at ten findings."""
    report = Report(name="heads and chunks")
    answers = Answers(seed)
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: note_unseen(report, context))
    async with serve(answers) as server:
        wire = Wire(default=server.port)
        resolver = ScriptedResolver({"*": [[PUBLIC]]})
        fetch = HttpFetch(settings=FetchSettings(max_bytes=CAP), resolver=resolver, make_socket=wire.make)
        numbers = iter(range(count))
        async with asyncio.TaskGroup() as group:
            for _ in range(IN_FLIGHT):
                group.create_task(_lane(fetch, numbers, answers, report, until))
        await fetch.aclose()
        if set(wire.dialled) - {PUBLIC}:
            report.found.append(f"dialled {set(wire.dialled)}")
    return report


def note_unseen(report: Report, context: dict[str, Any]) -> None:
    """What nobody awaited; asyncio would only log it."""
    report.found.append(f"unseen: {context.get('message')} {context.get('exception')!r}")


async def _lane(fetch: HttpFetch, numbers: Iterator[int], answers: Answers, report: Report, until: float) -> None:
    for number in numbers:
        if len(report.found) >= 10 or time.monotonic() > until:
            return
        await _one(fetch, number, answers, report)


async def _one(fetch: HttpFetch, number: int, answers: Answers, report: Report) -> None:
    """Asks the provider itself: the seam turns whatever a provider raises into a typed error, and would hide it."""
    report.ran += 1
    start = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE):
            request = FetchRequest(url=f"http://h{number % HOSTS}.example/{number}")
            result = await fetch.fetch(request, call=Call())
    except WebError:
        report.refused += 1
    except Exception as exc:  # noqa: BLE001 - any other kind is what is looked for
        report.found.append(f"{type(exc).__name__}: {exc} for {answers.of(number)[0]!r}")
    else:
        if not _kept(result):
            report.found.append(f"over a cap for {answers.of(number)[0]!r}")
    report.slowest = max(report.slowest, time.perf_counter() - start)


def _kept(result: FetchResult) -> bool:
    content = getattr(result.body, "content", "")
    return (result.received_bytes or 0) <= CAP and len(content) <= CAP and 200 <= result.status_code <= 999
