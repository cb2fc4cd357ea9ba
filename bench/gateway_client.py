"""The client of `gateway.py`: raw requests over connections that stay open. It prints the seconds that they take."""

import socket
import sys
import threading
import time
from typing import Final

LANES: Final = 8


def ask(port: int, body: str, requests: int) -> None:
    """Print the seconds that so many requests take."""
    data = (
        f"POST /v1/fetch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()
    lanes = [threading.Thread(target=_lane, args=(port, data, requests // LANES)) for _ in range(LANES)]
    started = time.perf_counter()
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    sys.stdout.write(str(time.perf_counter() - started))


def _lane(port: int, data: bytes, count: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for _ in range(count):
            connection.sendall(data)
            _read_answer(connection)


def _read_answer(connection: socket.socket) -> None:
    got = b""
    while b"\r\n\r\n" not in got:
        got += connection.recv(65_536)
    head, _, rest = got.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 "), head
    left = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]) - len(rest)
    while left:
        left -= len(connection.recv(min(left, 1_048_576)))


if __name__ == "__main__":
    ask(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
