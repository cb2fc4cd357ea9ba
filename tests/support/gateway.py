"""The gateway on a real socket: in this loop, or as the executable; and raw requests to it."""

import asyncio
import json
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

import uvicorn

from support.cli import EXECUTABLE, Shell
from webseam.surfaces.gateway.app import Gateway
from webseam.surfaces.gateway.exchange import Access
from webseam.surfaces.gateway.opening import make_app, tokens_path
from webseam.surfaces.gateway.server import server_config
from webseam.wiring.build import REAL, build
from webseam.wiring.tenants import Policy
from webseam.wiring.token_book import TokenBook

CONFIG: Final = (
    '[search]\nprovider = "odd"\n[fetch]\nprivate_networks = ["127.0.0.0/8"]\nrobots = "off"\n'
    'nameservers = ["127.0.0.1:9"]\n'
    "[tools]\nextract = true\n"
)
JSON: Final = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Got:
    """An answer as it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> Any:
        """The code of a problem."""
        assert self.headers["content-type"] == "application/problem+json"
        assert self.json["status"] == self.status
        assert self.json["request_id"] == self.headers["x-request-id"]
        return self.json["code"]


@dataclass(slots=True)
class Served:
    """A gateway that runs."""

    port: int
    shell: Shell
    app: Gateway | None = None
    log: list[Access] = field(default_factory=list)
    connections: Collection[object] = ()

    def token(self, tenant: str, policy: Policy | None = None) -> str:
        """A new token."""
        return self.book.create(tenant, policy)[1]

    @property
    def book(self) -> TokenBook:
        return TokenBook(tokens_path(self.shell.desk.load()))

    async def ask(self, path: str, body: object = None, *, token: str = "", method: str = "", **more: str) -> Got:
        """One request on a connection of its own; `more` are headers, `_` for `-`."""
        headers = {"Host": f"127.0.0.1:{self.port}", "Connection": "close"}
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        if body is not None:
            headers |= {**JSON, "Content-Length": str(len(content))}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        head = f"{method or ('GET' if body is None else 'POST')} {path} HTTP/1.1\r\n"
        told = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
        return await self.raw(f"{head}{told}\r\n".encode("latin-1") + content)

    async def raw(self, data: bytes) -> Got:
        """What comes back until the connection closes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(data)
            await writer.drain()
            return read_answer(await reader.read())
        finally:
            writer.close()


def read_answer(data: bytes) -> Got:
    """The last answer in what came, one of 1xx left out."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = _unchunked(body)
    return Got(int(first.split()[1]), headers, body)


def _unchunked(data: bytes) -> bytes:
    pieces = []
    while data:
        size, _, rest = data.partition(b"\r\n")
        length = int(size, 16)
        pieces.append(rest[:length])
        data = rest[length + 2 :] if length else b""
    return b"".join(pieces)


@asynccontextmanager
async def serving(
    shell: Shell,
    config: str = CONFIG,
    *,
    open_here: bool = True,
    hosts: Sequence[str] = (),
    now: Callable[[], float] | None = None,
) -> AsyncIterator[Served]:
    """The gateway of the desk's configuration, in this loop."""
    loaded = shell.desk.user(config).load()
    served = Served(0, shell)
    seams = REAL if now is None else replace(REAL, now=now)
    app = make_app(
        build(loaded, seams=seams),
        loaded,
        log=served.log.append,
        hosts=frozenset(hosts),
        open_here=open_here,
        seams=seams,
    )
    async with running(app, served):
        yield served


@asynccontextmanager
async def running(app: Gateway, served: Served) -> AsyncIterator[None]:
    """An application on a free port."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        http = uvicorn.Server(server_config(app))
        task = asyncio.create_task(http.serve(sockets=[bound]))
        served.port, served.app = bound.getsockname()[1], app
        served.connections = http.server_state.connections
        try:
            yield
        finally:
            http.should_exit = True
            http.force_exit = False
            await task


@contextmanager
def spawned(
    shell: Shell, *argv: str, config: str | None = CONFIG, env: Mapping[str, str] | None = None
) -> Iterator[tuple["subprocess.Popen[str]", Served]]:
    """`webseam serve` on a free port; killed at the end where it still runs."""
    if config is not None:
        shell.desk.user(config)
    process = subprocess.Popen(  # noqa: S603 - our own executable
        [EXECUTABLE, "serve", "--listen", "127.0.0.1:0", *argv],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=shell.variables(env),
        cwd=shell.desk.cwd,
    )
    try:
        yield process, Served(_port(process), shell)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def _port(process: "subprocess.Popen[str]") -> int:
    assert process.stderr is not None
    told = []
    for line in process.stderr:
        told.append(line)
        if "gateway at http://" in line:
            return int(line.split("gateway at http://")[1].split(" ")[0].rpartition(":")[2])
    raise AssertionError(f"it did not start: {process.wait()} {''.join(told)}")


def terminate(process: "subprocess.Popen[str]") -> None:
    """SIGTERM."""
    process.send_signal(signal.SIGTERM)
