"""A server in a process of its own on a free port of loopback, with a user's home that holds nothing."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from conformance.machine import ROOT

READY_SECONDS: Final = 30.0
"""From start to the first connection; a cold machine compiles every module first."""

_POLL_SECONDS: Final = 0.05
_STOP_SECONDS: Final = 10.0


class NotServedError(Exception):
    """The server ended, or never listened; its own words are in it."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(arguments: Sequence[str], home: Path) -> Iterator[str]:
    """Start Python with the arguments, in which `PORT` stands for the port; yields the address of the endpoint.

    Raises:
        NotServedError: nothing listens there after 30 seconds.
    """
    port = _free_port()
    argv = [sys.executable, *(one.replace("PORT", str(port)) for one in arguments)]
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT / "tests")}
    log = home / f"server-{port}.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter
            argv, env=environ, cwd=home, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
        )
        try:
            _await_listener(process, port, log)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            _ended(process)


def _await_listener(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(_POLL_SECONDS)
    told = log.read_text(encoding="utf-8", errors="replace")
    raise NotServedError(f"The server does not listen (exit code {process.poll()}).\n{told}")


def _ended(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
