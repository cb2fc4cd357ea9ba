"""The command line in this process, with streams of its own, and as the installed executable."""

import asyncio
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import inf
from pathlib import Path
from typing import Any

import msgspec

from support.wiring import Desk
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, ProviderSpec, Seams
from webseam.core.types import SearchRequest, SearchResult, Source
from webseam.surfaces.cli.program import main

TESTS = Path(__file__).parent.parent
EXECUTABLE = Path(sys.executable).parent / "webseam"


class Terminal(io.StringIO):
    """A stream that a person reads."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Stdout as one JSON document."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The last error on stderr, where JSON was asked for."""
        found: dict[str, Any] = json.loads(self.err.splitlines()[-1])["error"]
        return found


class Shell:
    """A user at a desk with the command at hand."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def run(
        self, *argv: str, stdin: str = "", tty: bool = False, typed: bool = False, seams: Seams | None = None
    ) -> Ran:
        """Run in this process; `typed` says that a person types what stands on standard input."""
        make = Terminal if tty else io.StringIO
        out, err = make(), make()
        code = main(
            argv,
            environ=self.desk.environ,
            cwd=self.desk.cwd,
            stdin=(Terminal if typed else io.StringIO)(stdin),
            stdout=out,
            stderr=err,
            seams=seams or Seams(),
        )
        return Ran(code, out.getvalue(), err.getvalue())

    def spawn(
        self, *argv: str | bytes, env: Mapping[str, str] | None = None, **options: Any
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run the installed executable."""
        return subprocess.run(  # noqa: S603 - our own executable
            [EXECUTABLE, *argv],
            env=self.variables(env),
            cwd=self.desk.cwd,
            check=False,
            timeout=50,
            **{"stdin": subprocess.DEVNULL, "capture_output": True, **options},
        )

    def variables(self, env: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment of a spawned command: the desk's, and nothing of the machine but PATH."""
        return {"PATH": os.environ.get("PATH", ""), **self.desk.environ, **(env or {})}


def install_toys(folder: Path) -> None:
    """The metadata of an installed distribution that contributes the toy kinds of `support.wiring`."""
    info = folder / "webseam_toys-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: webseam-toys\nVersion: 1\n", encoding="utf-8")
    kinds = (
        "echo = support.wiring:ECHO",
        "free = support.wiring:FREE",
        "odd = support.cli:ODD",
        "picky = support.cli:PICKY",
        "gone = no.such:SPEC",
    )
    (info / "entry_points.txt").write_text("[webseam.search]\n" + "\n".join(kinds) + "\n", encoding="utf-8")


def fetch_table(**settings: Any) -> str:
    """The section `[fetch]` of a configuration file; JSON's strings, numbers and lists are TOML's too."""
    return "[fetch]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())


Answer = tuple[int, dict[str, str], bytes]


@contextmanager
def site(answer: Callable[[str], Answer]) -> Iterator[str]:
    """A web server on loopback: path in, status, headers and body out; yields its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = answer(self.path)
            self.send_response(status)
            for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


# A vendor with an odd answer ---------------------------------------------------------------------------


class Odd:
    """Answers by what the query asks for."""

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id

    def available(self) -> bool:
        return True

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        call.dispatch.mark()
        if request.query in ANSWERS:
            raw = {"vendor": "payload"} if call.raw else None
            return replace(ANSWERS[request.query], provider=self.id, raw=raw)
        if request.query in set(Code):
            raise WebError(request.query, "Do this.", provider=self.id)
        if request.query == "slow":
            await asyncio.Event().wait()
        wait = inf if request.query == "endless" else 3
        raise WebError(Code.RATE_LIMITED, f"No {request.query} now.", provider=self.id, retry_after=wait)


HOSTILE = "\x1b]0;owned\x07\x1b[31mred\x9b2J\u202egnp\u200b"
ANSWERS = {
    "hits": SearchResult(
        provider="",
        sources=(
            Source(url="https://a.test/", title="A ● ✓ 、", snippet="s\nt", published_at="2026-01-02"),
            Source(url="https://b.test/"),
        ),
        notices=("relaxed",),
    ),
    "none": SearchResult(provider=""),
    "claim": SearchResult(provider="", grounding="ungrounded", content="I know this."),
    "hostile": SearchResult(
        provider="",
        content=HOSTILE,
        sources=(Source(url="https://a.test/", title=HOSTILE, snippet=HOSTILE),),
        notices=(HOSTILE,),
    ),
    "surrogate": SearchResult(provider="", sources=(Source(url="https://a.test/", title="half \ud83d"),)),
    "many": SearchResult(
        provider="", sources=tuple(Source(url=f"https://a.test/{n}", title="t" * 200) for n in range(100))
    ),
}


class PickyOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the kind takes that honours more when it is told to."""

    languages: bool = False


class Picky(Odd):
    """Honours what its options say."""

    def __init__(self, kit: Kit) -> None:
        super().__init__(kit)
        self.native_controls = frozenset({"country", "language"} if kit.options.languages else {"country"})


PICKY = ProviderSpec(
    kind="picky",
    capability="search",
    build=Picky,
    options=PickyOptions,
    keyless=True,
    controls=frozenset({"country"}),
)
ODD = ProviderSpec(kind="odd", capability="search", build=Odd, keyless=True)
