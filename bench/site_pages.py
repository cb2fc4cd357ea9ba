"""Documentation-size pages for the benchmark, and the loopback server that serves them from its own process."""

import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PAGES = 200
AFFINITY: int | None = None
VOCABULARY = (
    "kelp farm line water permit season growth depth light current storm harvest holdfast blade spore culture "
    "mooring buoy vessel survey nutrient tide temperature salinity record review council coast licence method"
)
WORDS = VOCABULARY.split()


def page(number: int) -> bytes:
    """One page of about 105 kB in the manner of a reference manual: navigation, prose, code, tables, links."""
    rng = random.Random(number)  # noqa: S311 - repeatable pages

    def words(count: int) -> str:
        return " ".join(rng.choices(WORDS, k=count))

    parts = [
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Reference {number}</title>",
        "<style>" + "".join(f".c{i}{{margin:{i}px}}" for i in range(120)) + "</style>",
        "<script>" + "".join(f"var v{i}={i};" for i in range(300)) + "</script></head><body><nav><ul>",
        *(f'<li class="nav-item"><a href="/guide/{i}.html">{words(3)}</a></li>' for i in range(120)),
        "</ul></nav><main>",
    ]
    for section in range(39):
        parts.append(f'<section id="s{section}"><h2>{words(4)}<a class="anchor" href="#s{section}">¶</a></h2>')
        parts.extend(
            f'<p>{words(40)} <a href="../api/{section}.html#m{i}">{words(2)}</a> and <code>{words(1)}_{i}</code>, '
            f"<em>{words(2)}</em>. {words(25)}</p>"
            for i in range(3)
        )
        parts.append(f'<pre><code class="language-python">def {words(1)}(x):\n    return x + {section}\n</code></pre>')
        rows = "".join(f"<tr><td>{words(2)}</td><td>{i}</td><td>{words(3)}</td></tr>" for i in range(4))
        parts.append(
            f"<table><thead><tr><th>Name</th><th>No</th><th>What</th></tr></thead><tbody>{rows}</tbody></table>"
        )
        if section % 10 == 0:  # a page of this kind hides a menu, a dialog, a form field or two
            parts.append(f'<p hidden>{words(6)}</p><div style="display: none">{words(6)}</div>')
        parts.append(f"<!-- {words(8)} --></section>")
    parts.append("</main><footer><p>" + words(60) + "</p></footer></body></html>")
    return "".join(parts).encode()


def respond(pages: list[bytes], listener: socket.socket) -> None:
    """Answer GET /N with page N over keep-alive connections, a thread a connection; as cheap as a server can be."""
    ready = [
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        for body in pages
    ]

    def connection(conn: socket.socket) -> None:
        pending = b""
        with conn:
            while chunk := conn.recv(65536):
                pending += chunk
                while b"\r\n\r\n" in pending:
                    head, _, pending = pending.partition(b"\r\n\r\n")
                    conn.sendall(ready[int(head.split(b" ", 2)[1].rsplit(b"/", 1)[-1])])

    while True:
        conn, _ = listener.accept()
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=connection, args=(conn,), daemon=True).start()


@contextmanager
def running() -> Iterator[str]:
    """The server in a process of its own; yields its URL and ends the process."""
    command = [sys.executable, __file__, *([] if AFFINITY is None else [str(AFFINITY)])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)  # noqa: S603 - this file
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.kill()
        process.wait()


def main() -> None:
    """Serve until the parent ends us."""
    if len(sys.argv) > 1:
        os.sched_setaffinity(0, {int(sys.argv[1])})
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(listener.getsockname()[1], flush=True)
    respond([page(number) for number in range(PAGES)], listener)


if __name__ == "__main__":
    main()
