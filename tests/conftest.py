"""Every test runs on loopback, with a scrubbed environment and homes of its own."""

import ipaddress
import os
import signal
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from support import checked_results

_KEPT = ("PATH", "LANG", "LC_ALL", "TERM", "TMPDIR", "COVERAGE", "PYTEST", "VIRTUAL_ENV", "SSL_CERT")
_LIVE = threading.Event()

settings.register_profile("untimed", settings.default, deadline=None)  # a busy machine is no fault of a test
settings.load_profile("untimed")


def _is_loopback(host: object) -> bool:
    if not isinstance(host, str):
        return False
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host in ("localhost", "")


def _refuse_foreign_dials(event: str, arguments: tuple[Any, ...]) -> None:
    """No test may reach anything but loopback: neither by a dial nor by a name look-up."""
    if _LIVE.is_set():
        return
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if isinstance(address, tuple) and not _is_loopback(address[0]):
            raise AssertionError(f"a test dialled {address[0]}")
    elif event == "socket.getaddrinfo" and arguments[0] is not None:
        host = arguments[0].decode() if isinstance(arguments[0], bytes) else arguments[0]
        try:
            ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            if host not in ("localhost", ""):
                raise AssertionError(f"a test asked the system resolver for {host}") from None


sys.addaudithook(_refuse_foreign_dials)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell; tests are about Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Every successful tool result of the suite is held to its published schema."""
    checked_results.pytest_configure(config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Only a test marked `live` may leave loopback, and only while it runs."""
    if item.get_closest_marker("live") is not None:
        _LIVE.set()
    try:
        return (yield)
    finally:
        _LIVE.clear()


@pytest.fixture(autouse=True)
def scrubbed_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key, proxy or configuration of the machine reaches a test."""
    for name in tuple(os.environ):
        if not name.startswith(_KEPT):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))


@pytest.fixture
def anyio_backend() -> str:
    """Asyncio is the one event loop family we support."""
    return "asyncio"
