"""A server of pages, big bodies and bombs in a process of its own: a measured process holds none of their bytes.

Paths: `/page` at once, `/slow` after a second and then in drips, `/big` 5 MB of text, `/bomb/gzip|br|zstd` 300 MB in
that coding. It listens on every address of 127.0.0.0/8, so that each address can be a host.
"""

import gzip
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import brotli
from backports import zstd

BIG: Final = 5_000_000
"""What the fetcher takes by default, to the byte."""

BOMB: Final = 300_000_000
SLOW_SECONDS: Final = 1.0
DRIPS: Final = 10
_PAGE: Final = b"<!doctype html><title>t</title><p>" + b"some words of a page " * 400


def _answer(body: bytes, *fields: bytes) -> bytes:
    lines = (b"HTTP/1.1 200 OK", b"Content-Type: text/html; charset=utf-8", b"Content-Length: %d" % len(body), *fields)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _answers() -> dict[bytes, bytes]:
    spaces = "<p>\U0001f600".encode() + b" " * BOMB  # one wide character, and the whole text takes four bytes each
    return {
        b"/page": _answer(_PAGE),
        b"/slow": _answer(_PAGE),
        b"/big": _answer((b"<p>twenty bytes here." * (BIG // 20))[:BIG]),
        b"/bomb/gzip": _answer(gzip.compress(spaces, 6, mtime=0), b"Content-Encoding: gzip"),
        b"/bomb/br": _answer(brotli.compress(spaces, quality=3), b"Content-Encoding: br"),
        b"/bomb/zstd": _answer(zstd.compress(spaces, 3), b"Content-Encoding: zstd"),
    }


def _slowly(conn: socket.socket, data: bytes) -> None:
    time.sleep(SLOW_SECONDS)
    step = len(data) // DRIPS + 1
    for start in range(0, len(data), step):
        conn.sendall(data[start : start + step])
        time.sleep(0.05)


def _connection(conn: socket.socket, answers: dict[bytes, bytes]) -> None:
    pending = b""
    try:
        while chunk := conn.recv(65_536):
            pending += chunk
            while b"\r\n\r\n" in pending:
                head, _, pending = pending.partition(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].partition(b"?")[0]
                (_slowly if path == b"/slow" else socket.socket.sendall)(conn, answers[path])
    except OSError:
        return  # the client had enough, as it should of a bomb
    finally:
        conn.close()


@contextmanager
def running() -> Iterator[int]:
    """The server in its own process; yields its port and ends the process."""
    process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)  # noqa: S603 - this file
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()


def main() -> None:
    """Serve until the parent ends us."""
    answers = _answers()
    listener = socket.create_server(("0.0.0.0", 0), backlog=512)  # noqa: S104 - all of 127.0.0.0/8
    print(listener.getsockname()[1], flush=True)
    while True:
        conn, _ = listener.accept()
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=_connection, args=(conn, answers), daemon=True).start()


if __name__ == "__main__":
    main()
