"""A test without a network: whoever opens a socket or looks up a name fails, and so does the test."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_FORBIDDEN: list[str] = []


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    """Sockets of the internet families, and every look-up, while `no_sockets` holds."""
    if not _FORBIDDEN:
        return
    inet = event == "socket.__new__" and arguments[1] in (socket.AF_INET, socket.AF_INET6)
    if inet or event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname"):
        _FORBIDDEN.append(event)
        raise AssertionError(f"a replay used {event}")


sys.addaudithook(_guard)


@contextmanager
def no_sockets() -> Iterator[None]:
    """In any thread; loops that are made meanwhile still have their socket pair."""
    _FORBIDDEN.append("armed")
    try:
        yield
        assert _FORBIDDEN == ["armed"]
    finally:
        _FORBIDDEN.clear()
