"""Start and idle memory of `webseam mcp`, beside the SDK's own smallest server and mcp-server-fetch.

Time: from starting the process to the answer to `tools/list` over stdio, after the handshake of 2025-11-25, as a host
does it; then to the end of a first page, which pays for whatever the list did not wait for. The servers take turns, so
that what else the machine does hits them alike. Memory: resident size of the process, a second after the list.
mcp-server-fetch has an environment of its own, with the same versions pinned.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import hostile_server

ROUNDS: Final = 15
PROMISED: Final = 1.15
SETTLED_SECONDS: Final = 1.0
"""What a server loads once the list is out counts as idle memory."""

ROOT: Final = Path(__file__).parents[1]
BIN: Final = Path(sys.executable).parent
PEER: Final = "mcp-server-fetch==2026.10.24"
PEER_FOLDER: Final = ROOT / ".venv" / "mcp-server-fetch"
SMALLEST: Final = "the SDK's smallest"
CONFIG: Final = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'


@dataclass(frozen=True, slots=True)
class Contender:
    """A server: how it is started, and the tool of its that reads a page."""

    name: str
    argv: Sequence[str]
    reader: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds from one start to the list, and to the end of a first page where the server reads any."""

    listed: float
    read: float | None


def contenders() -> tuple[Contender, ...]:
    """Ours and the yardsticks."""
    smallest = (sys.executable, str(ROOT / "bench" / "mcp_smallest.py"))
    peer = (str(_installed_peer()), "--ignore-robots-txt", "--allow-private-ips")
    return (
        Contender("webseam mcp", (str(BIN / "webseam"), "mcp"), "web_fetch"),
        Contender(SMALLEST, smallest),
        Contender("mcp-server-fetch", peer, "fetch"),
    )


def _installed_peer() -> Path:
    python = PEER_FOLDER / "bin" / "python"
    command = PEER_FOLDER / "bin" / "mcp-server-fetch"
    if not command.exists():
        uv = str(BIN / "uv")
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, PEER_FOLDER], check=True)  # noqa: S603 - the environment's own uv
        pinned = ("--constraints", ROOT / "constraints.txt", "--compile-bytecode", PEER)
        subprocess.run([uv, "pip", "install", "--quiet", "--system-certs", "--python", python, *pinned], check=True)  # noqa: S603 - the same
    return command


class Host:
    """What an MCP host says to a server that it has started."""

    def __init__(self, source: IO[bytes], target: IO[bytes]) -> None:
        self._source = source
        self._target = target
        self._number = 0

    def tell(self, method: str, params: Mapping[str, Any], **more: Any) -> None:
        """Send one message."""
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self._target.write(json.dumps(message).encode() + b"\n")
        self._target.flush()

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Send a request and wait for its answer; whatever comes before it is passed over."""
        self._number += 1
        self.tell(method, params, id=self._number)
        for line in self._source:
            message = json.loads(line)
            if message.get("id") == self._number:
                return message["result"]
        raise RuntimeError("the server ended before it answered")

    def tools(self) -> Any:
        """The handshake, then the list."""
        client = {"name": "bench", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        self.tell("notifications/initialized", {})
        return self.ask("tools/list", {})["tools"]


@contextmanager
def _running(argv: Sequence[str], home: Path) -> Iterator[tuple[Host, int]]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "WEBSEAM_CONFIG": str(home / "webseam.toml")}
    pipe = subprocess.PIPE
    process = subprocess.Popen(argv, env=environ, cwd=home, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)  # noqa: S603 - named above
    assert process.stdin
    assert process.stdout
    try:
        yield Host(process.stdout, process.stdin), process.pid
    finally:
        process.kill()
        process.communicate()


def start(one: Contender, home: Path, page: str) -> Start:
    """Start a server, ask it for its tools, and have it read a page where it can."""
    begun = time.perf_counter()
    with _running(one.argv, home) as (host, _):
        assert host.tools()
        listed = time.perf_counter() - begun
        if one.reader is None:
            return Start(listed, None)
        result = host.ask("tools/call", {"name": one.reader, "arguments": {"url": page}})
        read = time.perf_counter() - begun
    assert "some words of a page" in result["content"][0]["text"]
    return Start(listed, read)


def resident(one: Contender, home: Path) -> int:
    """Resident bytes of a server that has told its tools and waits."""
    with _running(one.argv, home) as (host, pid):
        assert host.tools()
        time.sleep(SETTLED_SECONDS)
        told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)  # noqa: S603, S607 - the system's ps
    return int(told.stdout) * 1_024


def _tell(name: str, starts: Sequence[Start], least: Sequence[Start], size: int, least_size: int) -> None:
    ratio = statistics.median(one.listed / other.listed for one, other in zip(starts, least, strict=True))
    bound = f" (at most {PROMISED} promised)" if name == "webseam mcp" else ""
    reads = [one.read for one in starts if one.read is not None]
    first = f"; a first page after {statistics.median(reads) * 1e3:.0f} ms" if reads else ""
    print(f"{name:20}{statistics.median(one.listed for one in starts) * 1e3:6.0f} ms, {ratio:.2f} times the smallest"
          f"{bound}; {size / 1e6:.0f} MB idle, {size / least_size:.2f} times{first}")  # fmt: skip


def main() -> None:
    """Print the figures."""
    table = contenders()
    with tempfile.TemporaryDirectory(prefix="webseam-bench-") as folder, hostile_server.running() as port:
        home, page = Path(folder), f"http://127.0.0.10:{port}/page"
        (home / "webseam.toml").write_text(CONFIG, encoding="utf-8")
        sizes = {one.name: resident(one, home) for one in table}
        rounds = [{one.name: start(one, home, page) for one in table} for _ in range(ROUNDS)]
    print(f"MCP over stdio: start to the answer to tools/list (medians of {ROUNDS}, taking turns), and idle memory")
    least = [each[SMALLEST] for each in rounds]
    for one in table:
        _tell(one.name, [each[one.name] for each in rounds], least, sizes[one.name], sizes[SMALLEST])


if __name__ == "__main__":
    main()
